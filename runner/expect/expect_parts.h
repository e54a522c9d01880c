// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The parts of the command behind the door: its arguments, the counts of runs, statistics, and
// lines. README.md explains the statistics.
#ifndef RUNNER_EXPECT_PARTS_H
#define RUNNER_EXPECT_PARTS_H

#include "results/formats/formats.h"
#include "runner/base/base.h"
#include "runner/lists/lists.h"

// ---- expect.c -----------------------------------------------------------------------------------
// The arguments of plumbline expect, and the files that it reads.

// Lines of modes or of neighbouring releases are joined where their means differ by this factor.
#define EXPECT_MERGE 1.5

// What rows lines are made of.
struct expect_only {
    const char* test; // a case or program; NULL: all
    uint32_t modes;   // 1 << enum mode_id; 0: all
};

struct expect_options {
    char** runs; // directories of validate, directories of those, results.json: the call's words
    int run_count;
    const char* write;  // NULL: standard output
    const char* update; // the file whose lines go on with the runs; NULL: none
    double merge;       // at least 1
    struct expect_only only;
};

// 0 and *options complete; else as arguments_parse. options->runs is the caller's to free either
// way.
int expect_parse(const struct base_call* call, struct expect_options* options);

// ---- expect_fit.c -------------------------------------------------------------------------------
// How a rate varies. The logarithm of a run's rate is normal; the run's events are a Poisson
// count at that rate. Pure.

// No spread is below it: ten runs of one machine show less than another machine will.
#define EXPECT_SPREAD_LEAST 0.25

// One run of one case.
struct expect_point {
    double events, trials; // trials are above 0
    size_t test;           // points of a case stand together
};

// The end of the points of points[first]'s case.
size_t expect_case_end(const struct expect_point* points, size_t count, size_t first);

// The normal distribution of the logarithm of the rate.
struct expect_fit {
    double mean, variance;
};

// The mean and the variance of log(k), with k Poisson's of mean `rate` and 0 counted as a half: the
// noise of counting.
void expect_noise(double rate, double* mean, double* variance);
// The variance of the logarithm of one case's rate from run to run, pooled over the cases, without
// the noise of counting, and with one standard error added, because it is an estimate itself. At
// least EXPECT_SPREAD_LEAST squared.
double expect_within(const struct expect_point* points, size_t count);
// The rate over all points; without any event that of half an event.
double expect_rate(const struct expect_point* points, size_t count);
// The distribution over all points, by maximum likelihood. Its variance is at least `variance`.
struct expect_fit expect_over(const struct expect_point* points, size_t count, double variance);
// The distribution of one case's next run: the geometric mean of its rates by maximum likelihood,
// at the given variance between runs. The result's variance has the error of the mean in it.
// Without any event the rate is that of half an event.
struct expect_fit expect_of_case(const struct expect_point* points, size_t count, double variance);

// The distribution of a line of `runs` runs that goes on with these points, by maximum likelihood.
struct expect_fit expect_more(const struct expect_fit* line, unsigned long runs,
                              const struct expect_point* points, size_t count);

// ---- expect_counts.c ----------------------------------------------------------------------------
// The rows of all runs, as counts by subject.

// A subject as a place in an array: causes, codes of refusals, the others by enum results_subject.
enum {
    EXPECT_REFUSALS = RESULTS_CAUSES,
    EXPECT_ATTRIBUTION = EXPECT_REFUSALS + ORACLE_REFUSAL_COUNT,
    EXPECT_TRANSITION,
    EXPECT_SILENT,
    EXPECT_CUT,
    EXPECT_EMPTY,
    EXPECT_SUBJECTS
};

#define EXPECT_NO_PROFILER ((size_t)-1)

struct expect_row {
    int scope, mode; // enum options_scope, enum mode_id
    enum oracle_layer layer;
    size_t release, test; // in expect.releases and expect.tests
    size_t profiler;      // layer profiler: in expect.profilers; else EXPECT_NO_PROFILER
    uint64_t judged, answered, signals;
    uint64_t control; // causes that a control may show here: they get no line
    uint64_t events[EXPECT_SUBJECTS];
};

// A measured release of Java.
struct expect_release {
    int feature;
    char version[64]; // of the last run that was read: "17.0.19+10"
    char date[16];    // the latest
};

struct expect {
    const struct lists* lists;
    const struct ceilings* before; // the lines of the file that is updated; NULL: none
    double merge;
    struct expect_only only;
    struct expect_row* rows;
    size_t row_count;
    struct expect_release* releases; // the oldest first, once expect_sort has run
    size_t release_count;
    char** tests; // names of cases and programs
    size_t test_count;
    char** profilers; // names
    size_t profiler_count;
    uint64_t judged, unexplained, unknown; // walking errors: without a cause, of an unknown one
    char unknown_name[RESULTS_CAUSE_NAME]; // one of those; empty: there is none
    size_t without;                        // rows that say nothing of causes: of older runs
    size_t unnamed; // rows of which no line can be: a case, profiler, version or date that none has
    char unnamed_name[160]; // that of one of those; empty: there is none
};

// Takes a row in; `context` is a struct expect. Ends the process without memory. Rows of a JVM that
// died or never ran say nothing of a healthy one and are left out, as are those that `only` does
// not name, and those of which no line can be.
void expect_take(void* context, const struct results_past* past);
// Brings releases and rows into the order in which lines are made: cells stand together.
void expect_sort(struct expect* expect);
void expect_free(struct expect* expect);
// A place in expect_row.events as a ceiling names the subject.
void expect_subject(unsigned subject, enum results_subject* kind, uint32_t* index);
// The trials of a subject in a row: answers for refusals and empty samples, signals for silent
// losses, else judgements.
uint64_t expect_trials(const struct expect_row* row, unsigned subject);

// ---- expect_lines.c -----------------------------------------------------------------------------
// From counts to lines.

#define EXPECT_ANY ((size_t)-1) // a general line, for every case

struct expect_line {
    int scope;
    unsigned subject;
    size_t test;        // or EXPECT_ANY
    size_t profiler;    // or EXPECT_NO_PROFILER
    size_t first, last; // releases
    uint32_t modes, layers;
    struct expect_fit fit;
    double low, high;             // the lowest and highest mean that was joined
    size_t runs;                  // points
    bool joined;                  // into another line
    const struct ceiling* before; // the file's line that goes on in it; NULL: none
    double unlike; // not 0: the rate of these runs, too unlike that line's for one distribution
};

struct expect_lines {
    struct expect_line* list; // sorted as they are printed
    size_t count;
};

// Makes the lines of sorted rows. Freed by the caller (list). Ends the process without memory.
// With expect->before, lines only of what that file's lines do not hold: of a cell that it has none
// of, general ones too; else of single cases.
void expect_make_lines(const struct expect* expect, struct expect_lines* lines);

// ---- expect_join.c ------------------------------------------------------------------------------

// Joins lines of modes, then of neighbouring releases, then of layers, whose means differ by the
// factor `merge` at most. A line that goes on with the file's is left alone: joined ones would be
// less special than it.
void expect_join(struct expect_lines* lines, double merge);
// Sorts them as they are printed.
void expect_order(struct expect_lines* lines);

// ---- expect_text.c ------------------------------------------------------------------------------

void expect_print(const struct expect* expect, const struct expect_lines* lines, FILE* out);
// Prints the texts of one line, each with its end: more than one where there are too many modes for
// the reader of the file.
void expect_print_line(const struct expect* expect, const struct expect_line* line, FILE* out);
// Prints a line, behind `before`, of the rows that were left out as no line can be of them, if any.
void expect_print_unnamed(const struct expect* expect, const char* before, FILE* out);
// The name of the section in which the line stands; freed by the caller.
char* expect_section(const struct expect* expect, const struct expect_line* line);

// ---- expect_update.c ----------------------------------------------------------------------------

// What was done to a file.
struct expect_changes {
    size_t added, replaced; // lines
    size_t joined;          // sections that stood there once more, put to the first of their name
};

// Writes the file `path` anew with the lines in it: each in its section, in the place of the line
// that has the same modes, layers, subject, scope and profiler, or else as the section's last.
// Everything else stays as it is. 0; or -1 with the reason in `error`, and the file as it was.
int expect_update(const struct expect* expect, const struct expect_lines* lines, const char* path,
                  struct expect_changes* changes, char* error, size_t size);

#endif
