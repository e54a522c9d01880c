// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The course of a bisection: which build is asked which question, and what follows from the answer.
// It asks through a function and knows neither JVMs nor clocks; the tests ask made-up builds.
//
// The ends come first. Without given rates both are measured, by turns and twice as long in each
// round. That stops when hypotheses fit between their intervals (bisect_rate.h) and a step would
// take no more samples than were measured: measuring longer would cost more than it could save.
// Then every step asks the build in the middle of the open range. A build that gives no answer is
// left out, and the build nearest to the middle is asked instead.
//
// The probability of a wrong answer is divided evenly over both ends and the steps, as many as
// there are if no build is left out. One more share, halved for each, covers the steps beyond.
#ifndef RUNNER_BISECT_SEARCH_H
#define RUNNER_BISECT_SEARCH_H

#include <stddef.h>

#include "bisect_rate.h"

#define BISECT_FIRST 4000u // trials at each end in the first round; twice as many in each next
#define BISECT_ROUNDS 18u  // at most: half a thousand million

enum bisect_answer {
    BISECT_UNANSWERED,
    BISECT_MEASURED,  // the target is reached
    BISECT_IS_GOOD,   // of a test
    BISECT_IS_BAD,    // of a test
    BISECT_UNDECIDED, // the time was over; the count holds
    BISECT_UNUSABLE,  // the build does not start, or ends too soon
    BISECT_STOPPED,   // the user interrupts: nothing more is asked
    BISECT_ANSWERS
};
const char* bisect_answer_text(enum bisect_answer answer);

struct bisect_question {
    unsigned number; // from 1
    size_t build;    // 0 is the good end
    // 0: does the test say good or bad? Else: measure that many trials.
    uint64_t target;
    struct bisect_test test;
    // The answer.
    enum bisect_answer answer;
    struct bisect_count count;
    double seconds; // in which the count was taken
    unsigned jvms;
    char note[200]; // the reason for no answer; or empty
};
// Counts a slice. True if the question is then answered.
bool bisect_question_add(struct bisect_question* question, uint64_t events, uint64_t trials);

// Asks the question, and answers it.
typedef void bisect_ask(void* context, struct bisect_question* question);

enum bisect_end {
    BISECT_FOUND,
    BISECT_SAME,      // the ends do not differ
    BISECT_TOO_SMALL, // they differ, or may differ, but not enough for the time allowed
    BISECT_END_UNUSABLE,
    BISECT_INTERRUPTED,
};

enum bisect_state { BISECT_UNKNOWN, BISECT_KNOWN_GOOD, BISECT_KNOWN_BAD, BISECT_LEFT_OUT };

struct bisect_search {
    size_t count;             // builds, at least 2
    enum bisect_state* state; // of each, all UNKNOWN at first
    double error;             // of the whole bisection
    double spread;
    double seconds; // allowed for each build; 0: any
    bool given;     // test.good, .bad and .dispersion hold; else the ends are measured
    bisect_ask* ask;
    void* context;
    // The result.
    struct bisect_test test;
    struct bisect_count ends[2]; // measured: good, bad
    double end_seconds;          // in which both were
    size_t last_good, first_bad; // the builds between them were left out
    unsigned questions, decisions;
    double wrong;           // at most this probability of a wrong answer
    double needed, allowed; // trials for a step, and in the time allowed (0: any)
    char why[320];          // the reason for every end but FOUND
};

// Trials that a step takes on average, at the rate of the end where it takes longer.
double bisect_search_step(const struct bisect_search* search);
enum bisect_end bisect_search_run(struct bisect_search* search);

#endif
