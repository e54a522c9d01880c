// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The parts of a bisection behind the door: statistics, search, event, log, options, trials,
// report.
#ifndef RUNNER_BISECT_PARTS_H
#define RUNNER_BISECT_PARTS_H

#include "results/report/report.h"
#include "runner/base/base.h"
#include "runner/job/job.h"
#include "runner/options/options.h"

// ---- bisect_rate.c -----------------------------------------------------------------------------
// The statistics of a bisection: the sequential probability ratio test (A. Wald, 1945) of one rate
// against another. Pure.
//
// A build has the rate of H0, `good`, or that of H1, `bad`. The weight of the counts is the
// logarithm of the likelihood ratio of H1 to H0. The test decides when the weight passes
// log(1/error) on either side. A wrong answer then has a probability of at most `error` (J. Ville,
// 1939), however often and whenever the weight is looked at. The probability is smaller if the true
// rate lies beyond `good` or `bad`, seen from the other. The rate may also change during the test,
// as long as it stays beyond.

// Events among trials, which came in slices of time.
struct bisect_count {
    uint64_t events, trials, slices;
    double squares; // the sum of events * events / trials over the slices
};
void bisect_count_add(struct bisect_count* count, uint64_t events, uint64_t trials);
double bisect_count_rate(const struct bisect_count* count); // 0 of no trials

// How much more the slices' rates vary than by chance: chi-square divided by its degrees of
// freedom, plus one standard error because it is an estimate itself; at least 1. Events in clumps
// of c (one wrong frame is sampled again and again) give c.
double bisect_dispersion(const struct bisect_count* count);

struct bisect_test {
    double good, bad;  // rates, in (0, 1), either may be the higher
    double error;      // probability of each wrong answer
    double dispersion; // this many events count as one; at least 1
};

enum bisect_side { BISECT_OPEN, BISECT_GOOD, BISECT_BAD };
enum bisect_side bisect_test_side(const struct bisect_test* test, const struct bisect_count* count);
// Trials that the test takes on average if the true rate is `rate`. INFINITY for the rate between
// both at which the weight does not move.
double bisect_test_trials(const struct bisect_test* test, double rate);

// Sets H0 and H1 from the counts of both ends: the bounds of their rates that lie towards each
// other, each missed with probability `miss`, and moved towards each other by the factor `spread`
// in odds, by which runs of one build may differ. A good end without events has its upper bound.
// False: the bounds overlap.
bool bisect_test_between(const struct bisect_count* good, const struct bisect_count* bad,
                         double miss, double spread, struct bisect_test* test);

// The rate with the odds of `rate` times `factor`.
double bisect_odds(double rate, double factor);

// ---- bisect_search.c ---------------------------------------------------------------------------
// The course of a bisection: which build is asked which question, and what follows from the answer.
// It asks through a function and knows neither JVMs nor clocks; the tests ask made-up builds.
//
// The ends come first. Without given rates both are measured, by turns and twice as long in each
// round. That stops when hypotheses fit between their intervals (bisect_rate.c) and a step would
// take no more samples than were measured: measuring longer would cost more than it could save.
// Then every step asks the build in the middle of the open range. A build that gives no answer is
// left out, and the build nearest to the middle is asked instead.
//
// The probability of a wrong answer is divided evenly over both ends and the steps, as many as
// there are if no build is left out. One more share, halved for each, covers the steps beyond.

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
    double seconds; // in which the count was taken; without those for which we were stopped
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

// ---- bisect_sought.c ---------------------------------------------------------------------------
// The event that a bisection looks for, and its trials. Wrong frames and refusals are counted in a
// layer's samples while a JVM runs. For crashes and hangs each whole JVM is one trial.

enum bisect_kind { BISECT_MISMATCH, BISECT_CAUSE, BISECT_REFUSAL, BISECT_CRASH, BISECT_HANG };

struct bisect_sought { // all zero but the layer: its walking errors
    enum bisect_kind kind;
    enum oracle_layer layer;
    uint32_t verdicts; // MISMATCH: bits 1 << enum oracle_verdict; 0: all walking errors
    enum oracle_refusal refusal;
    char cause[RESULTS_CAUSE_NAME]; // CAUSE: its name in the run, or "unexplained"
};

// Is a whole JVM one trial?
bool bisect_sought_whole(const struct bisect_sought* sought);
// The counts of a run so far, which may go on. Our own code is left out, as in headline rates.
void bisect_sought_count(const struct bisect_sought* sought, const struct results_run* run,
                         uint64_t* events, uint64_t* trials);
// "truncated in layer async", into text.
void bisect_sought_text(const struct bisect_sought* sought, char* text, size_t size);

// Each of these takes a name that the user gave. False: it is unknown.
bool bisect_sought_layer(struct bisect_sought* sought, const char* name);
bool bisect_sought_verdicts(struct bisect_sought* sought, const char* names); // joined by + or ,
bool bisect_sought_refusal(struct bisect_sought* sought, const char* name);   // unknown_Java, -5
// A cause, "unexplained", or "refused.CODE" (or with a colon). Whether there is such a cause is not
// asked: bisect_sought_known.
bool bisect_sought_cause(struct bisect_sought* sought, const char* name);
// False: a cause is sought that causes.ini does not have.
bool bisect_sought_known(const struct bisect_sought* sought, const struct results_causes* causes);

// A rate above 0 and below 1, as a fraction or as a percentage. False: it is none.
bool bisect_sought_rate(const char* text, double* rate);
// "LAYER.WHAT > RATE" or "<", WHAT as in results.json: verdicts joined by +, `mismatch` for all
// walking errors, cause.NAME, refused.CODE; RATE as above. A build is bad if its rate is surely
// beyond RATE: *good and *bad become RATE, moved by `spread` in odds to either side. False:
// malformed.
bool bisect_sought_expression(struct bisect_sought* sought, const char* text, double spread,
                              double* good, double* bad);

// ---- bisect_builds.c ---------------------------------------------------------------------------
// The builds of a bisection, in order.

// Adds the builds of a list as absolute paths. Of a directory: its entries in the order of versions
// (jdk-9 before jdk-10), without files and names that begin with a dot. Of a file: its lines,
// relative to the file's directory, without empty lines and lines that begin with #. 0, or -1 with
// the reason.
int bisect_builds_read(const char* list, struct words* builds, char* error, size_t size);

// Keeps the builds from `good` to `bad`, in this direction. Each is named by its path or the last
// part of it; NULL: the first, the last. 0, or -1 with the reason.
int bisect_builds_between(struct words* builds, const char* good, const char* bad, char* error,
                          size_t size);

// ---- bisect_log.c ------------------------------------------------------------------------------
// The log of a bisection, by which an interrupted one goes on: a head that describes the bisection,
// then a line for each answered question. A search asks the same questions when it gets the same
// answers (bisect_search.c), so questions in the log are answered from there.
//
//     plumbline-bisect 1
//     seeks OPTION...         as bisect-step takes them, with --error and --spread
//     build 0 /path           the good end; a line for each build
//     step 1 build 0 target 4000 answer measured events 3 trials 4012 slices 20 ...
//         ... squares 0.01 seconds 6.1 jvms 1 note it crashed

struct bisect_log {
    FILE* file;
    struct bisect_question* steps; // from the file
    size_t count;
};

// Opens the log, or begins a new one; what a kill cut off at its end goes. `seeks` and the builds
// must equal those of its head. 0; or -1 with the reason, and the file is as it was: the log of
// another bisection, a line that is none of it, or it cannot be read or written.
int bisect_log_open(struct bisect_log* log, const char* path, const char* seeks,
                    const struct words* builds, char* error, size_t size);
// Answers the question from the steps that the log had when it was opened. False: it was not asked.
bool bisect_log_answer(const struct bisect_log* log, struct bisect_question* question);
// Books an answered question. 0, or -1 with errno set.
int bisect_log_book(struct bisect_log* log, const struct bisect_question* question);
void bisect_log_close(struct bisect_log* log);

// ---- bisect_options.c --------------------------------------------------------------------------
// The arguments of `plumbline bisect` and `plumbline bisect-step`: their own options are taken
// here, all others are options of `validate`.

#define BISECT_ERROR 1e-3   // of the whole bisection
#define BISECT_SPREAD 1.25  // in odds, between runs of one build on one machine
#define BISECT_SECONDS 20.0 // of one JVM, where rates are sought; then another one is started
#define BISECT_LIMIT 300.0  // seconds for one build and question
// Seconds at the start of each JVM that are not counted: a starting JVM behaves like another
// program.
#define BISECT_WARM 2.0
// The rates where JVMs are the trials and no rates are given: a good build may fail now and then, a
// bad one fails nearly always.
#define BISECT_WHOLE_GOOD 0.01
#define BISECT_WHOLE_BAD 0.9

struct bisect_options {
    struct options run;     // of each JVM; jdk: of bisect-step
    const char* list;       // of builds
    const char *good, *bad; // ends, by path or last part of it; NULL: the list's
    struct bisect_sought sought;
    double error, spread, limit, warm, dispersion;
    bool given; // the rates are given and not measured
    double good_rate, bad_rate;
    bool go_on;          // --resume
    struct words repeat; // the options that a step takes over, as they were given
};

enum bisect_command { BISECT_WHOLE_COMMAND, BISECT_STEP_COMMAND };
// 0 and *options complete (its texts are the call's words); -1 after --help, which was printed; or
// RUNNER_EXIT_USAGE after a message. It never ends the process. Free *options either way.
int bisect_options_parse(enum bisect_command command, const struct base_call* call,
                         struct bisect_options* options);
void bisect_options_free(struct bisect_options* options);

// ---- bisect_trial.c ----------------------------------------------------------------------------
// Answers a question about a build by running JVMs, one after the other. Each is read while it
// counts, until the question is answered or its time is over.

#define BISECT_LOOK 0.2   // seconds between two looks
#define BISECT_STILL 20.0 // seconds without any sample: it hangs
#define BISECT_STOP 5.0   // seconds from one look to the next: we were stopped (Ctrl-Z, SIGSTOP)

struct bisect_trials {
    const struct bisect_options* options;
    const struct home* home;
    const struct case_info* test;
    const struct mode* mode;
    const struct profiler* profiler;     // that is judged, too; NULL: none
    const struct results_causes* causes; // by which its errors are booked
    char out[PATH_MAX];                  // a question's JVMs write to out/step-N/jvm-N
};

// Answers the question. BISECT_UNUSABLE: the build does not start, it crashes or hangs although
// that is not sought, or nothing was counted; the note says which.
void bisect_trial(const struct bisect_trials* trials, const char* build,
                  struct bisect_question* question);

// ---- bisect_report.c ---------------------------------------------------------------------------
// The messages and files of a bisection: a line for each question, and the end.

struct bisect_report {
    const struct bisect_options* options;
    const struct words* builds;
    const char* out;
    const struct bisect_search* search;
    struct bisect_question* questions; // all answered ones
    size_t count;
};

// Prints what is sought, and where.
void bisect_report_open(struct bisect_report* report);
void bisect_report_question(struct bisect_report* report, const struct bisect_question* question);
// Prints the end, and writes report.txt and the clusters. 0, or -1 with errno set where these
// cannot be written; of what was printed runner_flushed tells.
int bisect_report_end(const struct bisect_report* report, enum bisect_end end);
void bisect_report_close(struct bisect_report* report);

#endif
