// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The course of a bisection: which build is to be asked what, and what follows. It asks through a
// function, and so knows neither JVMs nor clocks; the tests ask made-up builds.
//
// First the ends. Without given rates both are measured, by turns and for twice as long in each
// round, until hypotheses fit between their intervals (bisect_rate.h) and a step would take no
// more than was measured: measuring on would cost more than it could save. Then every step asks the
// build in the middle of what is open. A build that gives no answer is left out, and the nearest
// to the middle is asked in its place.
//
// The probability of a wrong answer is divided evenly over the two ends and the steps there are if
// none is left out; one more share, halved again and again, is for all steps beyond.
#ifndef RUNNER_BISECT_SEARCH_H
#define RUNNER_BISECT_SEARCH_H

#include <stddef.h>

#include "bisect_rate.h"

#define BISECT_FIRST 4000u // trials at each end in the first round; twice as many in each next
#define BISECT_ROUNDS 18u  // at most: half a thousand million

enum bisect_answer {
    BISECT_UNANSWERED,
    BISECT_MEASURED,  // as many trials as were asked for
    BISECT_IS_GOOD,   // of a test
    BISECT_IS_BAD,    // of a test
    BISECT_UNDECIDED, // the time was over; the count holds
    BISECT_UNUSABLE,  // it does not start, or not long enough
    BISECT_STOPPED,   // the user interrupts: nothing more is asked
    BISECT_ANSWERS
};
const char* bisect_answer_text(enum bisect_answer answer);

struct bisect_question {
    unsigned number; // from 1
    size_t build;    // 0 is the good end
    // target 0: does the test say good or bad? Else measure that many trials.
    uint64_t target;
    struct bisect_test test;
    // The answer.
    enum bisect_answer answer;
    struct bisect_count count;
    double seconds; // in which the count was taken
    unsigned jvms;
    char note[200]; // why there is no answer; or empty
};
// Counts a slice. True when that answers the question.
bool bisect_question_add(struct bisect_question* question, uint64_t events, uint64_t trials);

// Asks the question, and answers it.
typedef void bisect_ask(void* context, struct bisect_question* question);

enum bisect_end {
    BISECT_FOUND,
    BISECT_SAME,      // the ends do not differ
    BISECT_TOO_SMALL, // they do, or may, but not enough for the time allowed
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
    // What came of it.
    struct bisect_test test;
    struct bisect_count ends[2]; // measured: good, bad
    double end_seconds;          // in which both were
    size_t last_good, first_bad; // what is between them was left out
    unsigned questions, decisions;
    double wrong;           // probability that the answer is, at most
    double needed, allowed; // trials for a step, and what the time allows (0: any)
    char why[320];          // for every end but FOUND
};

// Trials that the test takes on average, at the end's rate where it takes longer.
double bisect_search_step(const struct bisect_search* search);
enum bisect_end bisect_search_run(struct bisect_search* search);

#endif
