// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline selftest: does the oracle notice? Each seeded fault (cases/faults) is put in front of a
// JDK's AsyncGetCallTrace, at each of several rates, while a case runs (`mixed`, or others that are
// asked for, one after the other); and each must be found, under a verdict that is right for it,
// and its rate measured.
//
// First the JDK is measured as it is. Then every run is looked at while it goes on: a fault of
// wrong frames counts as detected when its right verdicts are more frequent than in the unspoilt
// JVM, by Fisher's exact test. It is made whenever a fifth more has been judged, at SELFTEST_ERROR
// divided by the number of times that can be, so that a run in which nothing is wrong is called
// detected with a probability below SELFTEST_ERROR. A run ends when that is so and as much is
// judged as was fixed beforehand (a run that ended at a favourable moment would overstate the
// rate); or, undetected, when its time is over.
#ifndef RUNNER_SELFTEST_H
#define RUNNER_SELFTEST_H

#include "runner/base/base.h"
#include "runner/launch/launch.h"
#include "runner/options/options.h"
#include "selftest_faults.h"
#include "selftest_rate.h"

#define SELFTEST_LOOK 0.05          // seconds between two looks
#define SELFTEST_ERROR 1e-3         // of calling a run detected in which nothing is wrong
#define SELFTEST_FIRST 100u         // samples judged at the first test ...
#define SELFTEST_GROWTH 1.2         // ... and by what that grows to the next
#define SELFTEST_TESTS 60           // made at most: up to five million samples
#define SELFTEST_INJECTED 60        // a run judges what should hold so many faults ...
#define SELFTEST_JUDGED_MIN 4000u   // ... and so many samples at least
#define SELFTEST_JUDGED_FULL 20000u // ... at rate 1
// The unspoilt JVM is run so often, each time as long as the longest of the others: a rate of its
// own that is not known well hides small excesses in all of them, and one that differs from run to
// run looks like an excess where there is none.
#define SELFTEST_PLAIN_RUNS 8
// What can be seen of a fault is measured at this rate, in a run that judges as much as the longest
// of those that are measured against it.
#define SELFTEST_CALIBRATION 0.1
#define SELFTEST_MARK 4000u // samples judged until its first mark; each next one has twice as many
#define SELFTEST_MARKS 6
#define SELFTEST_SLICES 64 // of a run's time, for how much more than chance its parts differ
#define SELFTEST_WARM 2.0  // seconds left out of every run: a starting JVM is another program
#define SELFTEST_STILL 5.0 // seconds without any answer: a walker hangs
#define SELFTEST_CODES 11  // the library's error codes: 0 to -10
// How a wrong trace differs: the place of the youngest frame that does (0, 1, 2 or older) and the
// frames lost (-3 to 3), as in struct results_cluster; and what the program counter was in: the
// interpreter, the JVM, another library, or anything else.
#define SELFTEST_PLACES 3
#define SELFTEST_KINDS 4
#define SELFTEST_SHAPES (SELFTEST_PLACES * SELFTEST_KINDS * 7)

#define SELFTEST_FAULTS_MAX 64
#define SELFTEST_RATES_MAX 8
struct selftest_options {
    struct options run; // what each JVM is run with
    struct selftest_wanted {
        const struct selftest_fault* fault;
        char text[40]; // with its value, if it has one: "refuse=-5"
    } faults[SELFTEST_FAULTS_MAX];
    size_t fault_count;
    double rates[SELFTEST_RATES_MAX];
    size_t rate_count;
    unsigned repeat; // runs of each fault and rate
};

// As options_parse: `argv` from the subcommand's name on.
int selftest_options_parse(int argc, char** argv, bool stay, struct selftest_options* options);
// Runs everything, prints the table, writes selftest.json and the JVMs' files to --out (default
// out/selftest-VERSION-TIME), of several cases each into a directory of its own. Gives the exit
// status: 0 all is as it must be, 1 not, 3 the harness failed, 4 interrupted.
int selftest_run(const struct selftest_options* options, const struct home* home,
                 const char* command);

// ---- One run ----------------------------------------------------------------------------------

// What was counted up to one moment. Samples in the agent's own code are in it: the library spoils
// those too.
struct selftest_tally {
    uint64_t judged[ORACLE_LAYER_COUNT];
    uint64_t verdicts[ORACLE_LAYER_COUNT][ORACLE_VERDICT_COUNT];
    uint64_t shapes[ORACLE_VERDICT_COUNT][SELFTEST_SHAPES]; // of layer async, our own code left out
    // Layer async: samples answered or refused, and the refused of them. Our own code's refusals
    // are left out, being counted without their code. A sample that frames would show to be our
    // own's is not known as such when it is refused.
    uint64_t asked, refused[ORACLE_REFUSAL_COUNT];
    uint64_t answers, eligible, injected; // by the library
    uint64_t codes[SELFTEST_CODES];       // refusals injected
};

enum selftest_purpose {
    SELFTEST_PLAIN, // the JVM as it is: what all others are compared with
    SELFTEST_NONE,  // with the library and no fault: nothing may be detected
    SELFTEST_FAULT
};

struct selftest_trial {
    enum selftest_purpose purpose;
    const struct selftest_wanted* wanted; // FAULT
    double rate;
    bool calibration; // nobody asked for it: it tells what can be seen of the fault
    unsigned number;  // of those with the same fault and rate, from 0
    uint64_t needed;  // samples to be judged
    double limit;     // seconds
    // Running.
    struct options options; // of this run
    struct job job;
    double began, moved; // when the agent began to sample, and when answers last moved; 0: not yet
    struct selftest_tally warm, end; // when counting began; what was counted since
    struct selftest_tally parts[2];  // the same, dealt out from look to look
    // A calibration and the unspoilt JVM: what was counted up to each mark. What can be seen
    // changes as the program goes on, so a run is measured against as long a beginning of its
    // calibration.
    struct selftest_tally marks[SELFTEST_MARKS];
    unsigned mark_count;
    // What was counted from look to look, joined in pairs when there are too many: samples, and the
    // fault's right verdicts among them.
    struct selftest_slice {
        struct selftest_count layers[ORACLE_LAYER_COUNT];
    } slices[SELFTEST_SLICES];
    unsigned slice_count, slice_looks, looks_in_slice;
    unsigned looks, tests;
    uint64_t next_test; // samples judged
    // What came of it.
    bool detected, stopped, failed;
    uint64_t detected_after; // samples judged until then
    double detected_seconds;
    enum oracle_layer layer;               // in which it was detected
    enum oracle_verdict most;              // the verdict that has grown most there
    bool right;                            // and it is one of the right ones
    struct selftest_estimate excess, seen; // in that layer; seen: the share that can be seen at all
    double injected;                       // the library's: of its answers
    bool measured;                         // the three above are known
    bool inside,
        far; // injected * seen lies in the interval of excess; not even in one twice as wide
    bool passed;
    char note[200]; // what is wrong, or how the JVM ended
};

// ---- The unspoilt JVM: pure -------------------------------------------------------------------

// What its runs counted up to one mark, or up to their ends: a starting JVM errs at other rates
// than one that has run for long, so each run is compared with as long a beginning.
struct selftest_beginning {
    unsigned count; // runs that came so far
    struct selftest_tally runs[SELFTEST_PLAIN_RUNS], sum;
};
struct selftest_plain {
    unsigned count;
    struct selftest_beginning beginnings[SELFTEST_MARKS + 1]; // the last: the ends
};

// Adds a run that has ended.
void selftest_plain_add(struct selftest_plain* plain, const struct selftest_trial* run);
// The beginnings nearest in length to a run of which so much was asked; the ends where it is
// longer, or where not all runs reached that mark.
const struct selftest_beginning* selftest_plain_like(const struct selftest_plain* plain,
                                                     uint64_t asked);
const struct selftest_tally* selftest_plain_sum(const struct selftest_plain* plain);

// ---- Judging a run: pure ----------------------------------------------------------------------

// Is there more than in the unspoilt JVM, by this probability of error? Sets layer.
bool selftest_detects(struct selftest_trial* trial, const struct selftest_tally* now,
                      const struct selftest_plain* plain, double error);
// Fills in what follows from the tallies. `calibration` is a run of the same fault that tells what
// of it can be seen (the trial itself: then one half tells it of the other), or NULL.
void selftest_conclude(struct selftest_trial* trial, const struct selftest_plain* plain,
                       const struct selftest_trial* calibration);
// By how much the unspoilt runs differ in a verdict, see selftest_spread.
double selftest_spread_of(const struct selftest_plain* plain, enum oracle_layer layer,
                          uint32_t verdicts);
// Adds what was counted since the last look to the run's slices.
void selftest_slice(struct selftest_trial* trial, const struct selftest_tally* more);
// late - early.
struct selftest_tally selftest_difference(const struct selftest_tally* late,
                                          const struct selftest_tally* early);
void selftest_sum(struct selftest_tally* sum, const struct selftest_tally* more);
// Of `count` intervals that should each hold the truth with 0.95, so many did not: the probability
// of that many or more.
double selftest_misses_chance(uint64_t misses, uint64_t count);

// ---- Running one ------------------------------------------------------------------------------

struct selftest_context {
    const struct selftest_options* options;
    const struct home* home;
    const struct jdk* jdk;
    const struct case_info* test;
    const char* out;
    const char* library;
    const struct selftest_plain* plain; // NULL while it is being measured
};

void selftest_trial_start(struct selftest_trial* trial, const struct selftest_context* context);
// Looks at it; ends it where it is decided. True once, when its JVM has ended.
bool selftest_trial_look(struct selftest_trial* trial, const struct selftest_context* context);

// ---- Telling ----------------------------------------------------------------------------------

struct selftest_report {
    const char* command;
    const char* test; // the case's name
    const struct jdk* jdk;
    const struct selftest_options* options;
    const struct selftest_plain* plain; // NULL: it could not be measured
    const struct selftest_trial* trials;
    size_t count;
    double seconds;
    bool interrupted;
};

void selftest_table(const struct selftest_report* report, FILE* out);
// 0, or -1 with errno set.
int selftest_json(const struct selftest_report* report, const char* path);
// 0, 1, 3 or 4 as above; the summary, one line, into text.
int selftest_verdict(const struct selftest_report* report, char* text, size_t size);

#endif
