// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The parts of the self-test behind the door: faults, options, statistics, runs, judgement, report.
#ifndef RUNNER_SELFTEST_PARTS_H
#define RUNNER_SELFTEST_PARTS_H

#include "oracle/oracle.h"
#include "runner/job/job.h"
#include "runner/options/options.h"

// ---- selftest_faults.c -------------------------------------------------------------------------
// The seeded faults that the self-test expects to be found, and the verdicts that are right for
// each. The library that injects them (cases/faults) is known here only by its options and its
// file.

enum selftest_kind {
    SELFTEST_FRAMES,  // wrong frames: a mismatch
    SELFTEST_REFUSAL, // an error code
    SELFTEST_CRASH,
    SELFTEST_HANG
};

struct selftest_fault {
    const char* name; // as the library knows it
    enum selftest_kind kind;
    uint32_t verdicts; // FRAMES: bits 1 << enum oracle_verdict that are right
    const char* why;
};

extern const struct selftest_fault selftest_faults[];
extern const size_t selftest_fault_count;
// The fault with this name, of `length` bytes; NULL: none.
const struct selftest_fault* selftest_fault_find(const char* name, size_t length);

// ---- The library's counts ---------------------------------------------------------------------

struct selftest_counts;
// Maps the file that the library counts in. NULL with errno set; EPROTO: it is not such a file, or
// not yet.
const struct selftest_counts* selftest_counts_map(const char* path);
void selftest_counts_unmap(const struct selftest_counts* counts);
uint64_t selftest_counts_answers(const struct selftest_counts* counts);
// How often the row of this name was injected, and (unless NULL) could have been injected. 0 if
// there is no such row.
uint64_t selftest_counts_injected(const struct selftest_counts* counts, const char* name,
                                  uint64_t* eligible);

// ---- selftest_options.c ------------------------------------------------------------------------
// The arguments of plumbline selftest.

#define SELFTEST_FAULTS_MAX 64
#define SELFTEST_RATES_MAX 8
struct selftest_options {
    struct options run; // of each JVM
    bool preset;        // its cases are a preset's
    struct selftest_wanted {
        const struct selftest_fault* fault;
        char text[40]; // with its value, if it has one: "refuse=-5"
    } faults[SELFTEST_FAULTS_MAX];
    size_t fault_count;
    double rates[SELFTEST_RATES_MAX];
    size_t rate_count;
    unsigned repeat; // runs of each fault and rate
};

// 0 and *options complete; else as arguments_parse. Changes the call's words.
int selftest_options_parse(const struct base_call* call, struct selftest_options* options);

// ---- selftest_rate.c ---------------------------------------------------------------------------
// The statistics of the self-test: is there more of something than before, and how much more?

// Events among trials.
struct selftest_count {
    uint64_t events, trials;
};

// The probability of seeing as many events as `spoilt` has, or more, if its rate is no higher than
// that of `plain` (Fisher's exact test, one-sided). 1 where either has no trials.
double selftest_chance(struct selftest_count spoilt, struct selftest_count plain);

// The variance of the rate of a run of so many trials, as several runs of one thing show it,
// divided by the variance of independent samples. 1 if the runs differ no more than chance makes
// them once in 20 times, or if there are too few events to tell.
double selftest_spread(const struct selftest_count* runs, size_t count, uint64_t trials);
// The counts divided by that factor: the number of independent samples that would tell as much.
struct selftest_count selftest_thin(struct selftest_count count, double spread);

// selftest_chance where the rates of the `runs` plain runs, whose sum is `plain`, differ by
// `spread`. A spread above 1 is itself known from so few runs only, so a normal deviation is
// exceeded more often than its own chance says: Student's t.
double selftest_chance_beyond(struct selftest_count spoilt, struct selftest_count plain,
                              double spread, unsigned runs);
// The growth of a rate, in standard deviations of its differences from run to run. Those of a
// spread above 1 are told as the normal ones with the same chance.
double selftest_growth(struct selftest_count spoilt, struct selftest_count plain, double spread,
                       unsigned runs);

struct selftest_estimate {
    double value, low, high; // 95 %
};

// The rate at which events were added to those before: (s - p) / (1 - p) for the rates s of spoilt
// and p of plain (W. S. Abbott, 1925), because added events hide some of the earlier ones. The
// interval combines the exact intervals of both rates (R. G. Newcombe's method for differences,
// 1998).
struct selftest_estimate selftest_excess(struct selftest_count spoilt, struct selftest_count plain);
// Half of the interval that an excess gets additionally, because the rate before differs by
// `spread` from one of `runs` runs to the next, for a run of so many trials.
double selftest_wander(struct selftest_count plain, unsigned runs, uint64_t trials, double spread);

// Does `excess` fit the rate `injected`, of which the share `seen` can be seen? True if the
// interval of the difference excess - injected * seen holds 0.
bool selftest_is_inside(struct selftest_estimate excess, double injected,
                        struct selftest_estimate seen);

// ---- selftest_trial.c --------------------------------------------------------------------------
// One run of the self-test: a JVM, unspoilt or with a fault in front of its walker, that is looked
// at while it goes on.
//
// The JDK is measured first as it is. A fault of wrong frames counts as detected when its right
// verdicts are more frequent than in the unspoilt JVM, by Fisher's exact test. The test is made
// whenever a fifth more has been judged, at SELFTEST_ERROR divided by the number of tests, so a run
// without a fault is called detected with a probability below SELFTEST_ERROR. A detected run ends
// when it has judged as many samples as were fixed beforehand: ending at a favourable moment would
// overstate the rate. An undetected one ends when its time is over.

#define SELFTEST_LOOK 0.05          // seconds between two looks
#define SELFTEST_ERROR 1e-3         // probability that a run without a fault is called detected
#define SELFTEST_FIRST 100u         // samples judged at the first test ...
#define SELFTEST_GROWTH 1.2         // ... and the factor from one test to the next
#define SELFTEST_TESTS 60           // made at most: up to five million samples
#define SELFTEST_INJECTED 60        // faults expected among the samples that a run judges ...
#define SELFTEST_JUDGED_MIN 4000u   // ... but it judges so many samples at least ...
#define SELFTEST_JUDGED_FULL 20000u // ... and so many at rate 1
#define SELFTEST_JUDGED_MOST 1e15   // that is, until its time is over
// Runs of the unspoilt JVM, each as long as the longest of the others. Where its own rate is not
// known well, it hides small excesses in all of them; where it differs from run to run, it looks
// like an excess where there is none.
#define SELFTEST_PLAIN_FEW 8
// So many where those differ by more than chance: how much they do is known badly from eight.
#define SELFTEST_PLAIN_RUNS 16
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

// The counts up to one moment, or between two: the latter are below 0, modulo 2^64, where
// accusations of before were taken back. `judged` and `verdicts` include samples in the agent's own
// code: the library spoils those too.
struct selftest_tally {
    uint64_t judged[ORACLE_LAYER_COUNT];
    uint64_t verdicts[ORACLE_LAYER_COUNT][ORACLE_VERDICT_COUNT];
    uint64_t shapes[ORACLE_VERDICT_COUNT][SELFTEST_SHAPES]; // of layer async, our own code left out
    // Layer async: samples answered or refused outside our own code, and the refused ones. Refusals
    // in our own code are counted without their code.
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

// The samples that a run with a fault at this rate judges.
uint64_t selftest_needed(double rate);
// The samples behind the rate: the judged ones; the asked ones if answers are refused. Not below 0.
uint64_t selftest_progress(const struct selftest_trial* trial, const struct selftest_tally* tally);
void selftest_trial_start(struct selftest_trial* trial, const struct selftest_context* context);
// Looks at it; ends it where it is decided. True once, when its JVM has ended.
bool selftest_trial_look(struct selftest_trial* trial, const struct selftest_context* context);

// ---- selftest_judge.c --------------------------------------------------------------------------
// What the counts of a run mean: beside those of the unspoilt JVM, and of a calibration. Pure.

// ---- The unspoilt JVM: pure -------------------------------------------------------------------

// The counts of its runs up to one mark, or up to their ends. A starting JVM errs at other rates
// than one that has run for long, so each run is compared with an equally long beginning.
struct selftest_beginning {
    unsigned count; // runs that reached it
    struct selftest_tally runs[SELFTEST_PLAIN_RUNS], sum;
};
struct selftest_plain {
    unsigned count;
    struct selftest_beginning beginnings[SELFTEST_MARKS + 1]; // the last: the ends
};

// Adds a run that has ended.
void selftest_plain_add(struct selftest_plain* plain, const struct selftest_trial* run);
// The beginnings nearest in length to a run in which `asked` samples were asked; the ends, if it is
// longer or not all runs reached that mark.
const struct selftest_beginning* selftest_plain_like(const struct selftest_plain* plain,
                                                     uint64_t asked);
const struct selftest_tally* selftest_plain_sum(const struct selftest_plain* plain);

// ---- Judging a run: pure ----------------------------------------------------------------------

// Is there more than in the unspoilt JVM, with this probability of error? Sets the trial's layer.
bool selftest_detects(struct selftest_trial* trial, const struct selftest_tally* now,
                      const struct selftest_plain* plain, double error);
// Fills in the result from the tallies. `calibration` is a run of the same fault that shows which
// share of it can be seen, or NULL; if it is the trial itself, one half shows it for the other.
void selftest_conclude(struct selftest_trial* trial, const struct selftest_plain* plain,
                       const struct selftest_trial* calibration);
// How much the unspoilt runs differ in a verdict, see selftest_spread.
double selftest_spread_of(const struct selftest_plain* plain, enum oracle_layer layer,
                          uint32_t verdicts);
// Do the runs differ in any mismatch by more than chance?
bool selftest_plain_differs(const struct selftest_plain* plain);
// Adds the counts since the last look to the run's slices.
void selftest_slice(struct selftest_trial* trial, const struct selftest_tally* more);
// late - early.
struct selftest_tally selftest_difference(const struct selftest_tally* late,
                                          const struct selftest_tally* early);
void selftest_sum(struct selftest_tally* sum, const struct selftest_tally* more);
// The probability that of `count` intervals, which each hold the truth with 0.95, `misses` or more
// do not.
double selftest_misses_chance(uint64_t misses, uint64_t count);

// ---- selftest_report.c -------------------------------------------------------------------------
// The table of a case's runs, the same as JSON, and its verdict.

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
