// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One run of the self-test: a JVM, unspoilt or with a fault in front of its walker, that is looked
// at while it goes on.
//
// The JDK is measured first as it is. A fault of wrong frames counts as detected when its right
// verdicts are more frequent than in the unspoilt JVM, by Fisher's exact test. The test is made
// whenever a fifth more has been judged, at SELFTEST_ERROR divided by the number of tests, so a run
// without a fault is called detected with a probability below SELFTEST_ERROR. A detected run ends
// when it has judged as many samples as were fixed beforehand: ending at a favourable moment would
// overstate the rate. An undetected one ends when its time is over.
#ifndef RUNNER_SELFTEST_TRIAL_H
#define RUNNER_SELFTEST_TRIAL_H

#include "runner/job/job.h"
#include "selftest_options.h"
#include "selftest_rate.h"

#define SELFTEST_LOOK 0.05          // seconds between two looks
#define SELFTEST_ERROR 1e-3         // probability that a run without a fault is called detected
#define SELFTEST_FIRST 100u         // samples judged at the first test ...
#define SELFTEST_GROWTH 1.2         // ... and the factor from one test to the next
#define SELFTEST_TESTS 60           // made at most: up to five million samples
#define SELFTEST_INJECTED 60        // faults expected among the samples that a run judges ...
#define SELFTEST_JUDGED_MIN 4000u   // ... but it judges so many samples at least ...
#define SELFTEST_JUDGED_FULL 20000u // ... and so many at rate 1
// Runs of the unspoilt JVM, each as long as the longest of the others. Where its own rate is not
// known well, it hides small excesses in all of them; where it differs from run to run, it looks
// like an excess where there is none.
#define SELFTEST_PLAIN_RUNS 8
// The share of a fault that can be seen is measured at this rate, in a run that judges as much as
// the longest of the runs that are measured against it.
#define SELFTEST_CALIBRATION 0.1
#define SELFTEST_MARK 4000u // samples judged until its first mark; each next one has twice as many
#define SELFTEST_MARKS 6
#define SELFTEST_SLICES 64 // of a run's time: by how much more than chance do its parts differ?
#define SELFTEST_WARM 2.0  // first seconds of a run, not counted: a starting JVM is another program
#define SELFTEST_STILL 5.0 // seconds without any answer: a walker hangs
#define SELFTEST_CODES 11  // the library's error codes: 0 to -10
// How a wrong trace differs: the place of the youngest different frame (0, 1, 2 or older) and the
// frames lost (-3 to 3), as in struct results_cluster; and the code at the program counter: the
// interpreter, the JVM, another library, or anything else.
#define SELFTEST_PLACES 3
#define SELFTEST_KINDS 4
#define SELFTEST_SHAPES (SELFTEST_PLACES * SELFTEST_KINDS * 7)

// The counts up to one moment. They include samples in the agent's own code: the library spoils
// those too.
struct selftest_tally {
    uint64_t judged[ORACLE_LAYER_COUNT];
    uint64_t verdicts[ORACLE_LAYER_COUNT][ORACLE_VERDICT_COUNT];
    uint64_t shapes[ORACLE_VERDICT_COUNT][SELFTEST_SHAPES]; // of layer async, our own code left out
    // Layer async: samples answered or refused, and the refused ones. Refusals in our own code are
    // left out, as they are counted without their code. Where only the frames would show a sample
    // to be in our own code, a refused one is not known as such.
    uint64_t asked, refused[ORACLE_REFUSAL_COUNT];
    uint64_t answers, eligible, injected; // by the library
    uint64_t codes[SELFTEST_CODES];       // refusals injected
};

enum selftest_purpose {
    SELFTEST_PLAIN, // the JVM as it is: the reference of all others
    SELFTEST_NONE,  // with the library and no fault: nothing may be detected
    SELFTEST_FAULT
};

struct selftest_trial {
    enum selftest_purpose purpose;
    const struct selftest_wanted* wanted; // FAULT
    double rate;
    bool calibration; // not asked for by the user: it shows which share of the fault can be seen
    unsigned number;  // of those with the same fault and rate, from 0
    uint64_t needed;  // samples to be judged
    double limit;     // seconds
    // Running.
    struct options options; // of this run
    struct job job;
    double began, moved; // when the agent began to sample, and when answers last moved; 0: not yet
    struct selftest_tally warm, end; // when counting began; the counts since
    struct selftest_tally parts[2];  // the same, dealt out from look to look
    // A calibration and the unspoilt JVM: the counts up to each mark. The share that can be seen
    // changes as the program goes on, so a run is measured against an equally long beginning of its
    // calibration.
    struct selftest_tally marks[SELFTEST_MARKS];
    unsigned mark_count;
    // The counts from look to look, joined in pairs when there are too many: samples, and the
    // fault's right verdicts among them.
    struct selftest_slice {
        struct selftest_count layers[ORACLE_LAYER_COUNT];
    } slices[SELFTEST_SLICES];
    unsigned slice_count, slice_looks, looks_in_slice;
    unsigned looks, tests;
    uint64_t next_test; // samples judged
    // The result.
    bool detected, stopped, failed;
    uint64_t detected_after; // samples judged until then
    double detected_seconds;
    enum oracle_layer layer;               // in which it was detected
    enum oracle_verdict most;              // the verdict that has grown most there
    bool right;                            // it is one of the right ones
    struct selftest_estimate excess, seen; // in that layer; seen: the share that can be seen
    double injected;                       // the library's: of its answers
    bool measured;                         // the three above are known
    bool inside;                           // injected * seen lies in the interval of excess
    bool far;                              // it does not lie even in an interval twice as wide
    bool passed;
    char note[200]; // the error, or how the JVM ended
};

struct selftest_plain;

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

#endif
