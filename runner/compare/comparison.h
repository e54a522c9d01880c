// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A comparison of two sides. A side is one session's output directory, or a directory of several:
// repeated runs. README.md explains the tests.
#ifndef RUNNER_COMPARISON_H
#define RUNNER_COMPARISON_H

#include <uthash.h>

#include "oracle/oracle.h"
#include "results/formats/formats.h"
#include "runner/base/base.h"

#define COMPARE_LEVEL 0.05
// Where one side's runs judged this many times as much as the other's, the runs were made
// differently. Rates may differ for that reason, and the reader is warned. Runs made one after the
// other on a busy machine here differed by 1.5 at most.
#define COMPARE_UNEVEN 1.5

struct compare_options {
    const char* paths[2];
    const char* json; // NULL: none
    // Only this is compared: a cause, "unexplained", or "refused.CODE" (or with a colon). NULL:
    // all.
    const char* cause;
    double level;  // 0: COMPARE_LEVEL
    double spread; // below 0: as measured (compare_spread)
    bool all;      // also show items that do not differ
};

// The kinds of items that are compared, of a row or of all rows. NAME, text.
#define COMPARE_KINDS(K)                                                                           \
    K(WALKING, "walking errors")                                                                   \
    K(CAUSE, "cause")                                                                              \
    K(VERDICT, "verdict")                                                                          \
    K(ATTRIBUTION, "attribution")                                                                  \
    K(CLUSTER, "cluster")                                                                          \
    K(REFUSAL, "refusal")

enum compare_kind {
#define COMPARE_KIND_ENUM(name, text) COMPARE_##name,
    COMPARE_KINDS(COMPARE_KIND_ENUM)
#undef COMPARE_KIND_ENUM
};

// NAME, text.
#define COMPARE_OUTCOMES(O)                                                                        \
    O(SAME, "same")     /* a difference that chance may make */                                    \
    O(WORSE, "worse")   /* more often in B */                                                      \
    O(BETTER, "better") /* less often */

enum compare_outcome {
#define COMPARE_OUTCOME_ENUM(name, text) COMPARE_##name,
    COMPARE_OUTCOMES(COMPARE_OUTCOME_ENUM)
#undef COMPARE_OUTCOME_ENUM
};
const char* compare_kind_text(enum compare_kind kind);
const char* compare_outcome_text(enum compare_outcome outcome);

// A row (case, mode, scope, layer) over the runs of both sides, A's first.
struct compare_row {
    char* key;
    char *case_name, *mode, *scope;
    enum oracle_layer layer;
    uint64_t *answered, *judged; // by run
    char (*verdicts)[32];        // by run; empty: the run has no such row
    char way[RESULTS_WAY_TEXT];  // of the first run that tells; results_past.way
    bool ways;                   // another run tells another
    UT_hash_handle hh;
};

// An item's counts in one row.
struct compare_cell {
    const struct compare_row* row;
    uint64_t* events; // by run
    struct compare_cell* next;
};

// An item to test. It belongs to one row; a cluster belongs to all rows in which it was seen.
struct compare_item {
    char* key;
    enum compare_kind kind;
    enum oracle_verdict verdict; // AGREE for walking errors of all verdicts, and for refusals
    char* what; // "walking errors", a cause, a verdict, a refusal; the common part of a cluster's
                // mismatches
    char* unnamed; // of a cluster in a library: `what` without symbols; else NULL
    struct compare_cell* cells;
    // Filled by compare_judge, of the rows that both sides have:
    uint64_t events[2], trials[2];
    double low[2], high[2]; // of the runs' rates
    double share;           // of all events, expected on B
    double p, adjusted;     // 1 where nothing was tested
    bool tested;
    enum compare_outcome outcome;
    UT_hash_handle hh;
};

struct compare_side {
    const char* path;
    char** runs; // directories
    size_t run_count;
    char version[64], vm[256]; // of the first run
    bool mixed;                // other runs are of other JVMs
};

enum compare_family { COMPARE_ERRORS, COMPARE_REFUSALS, COMPARE_FAMILIES };

struct compare {
    struct compare_options options;
    struct compare_side sides[2];
    size_t runs;              // of both sides
    struct compare_row* rows; // hashed, in the order of first sight
    struct compare_item* items;
    size_t ways;                   // rows whose runs were instrumented in different ways
    char way[2][RESULTS_WAY_TEXT]; // of the first of them
    size_t without_causes;         // rows, of runs older than causes: then no cause is compared
    // Filled by compare_judge:
    bool by_runs;                        // runs are the unit: more than one on a side
    size_t candidates[COMPARE_FAMILIES]; // items that could be tested
    size_t tests[COMPARE_FAMILIES];      // that count: the other items have too few events
    uint64_t assignments[COMPARE_FAMILIES];
    bool complete;      // all assignments were looked at
    size_t runs_needed; // a side; 0: there are enough
    size_t common;      // rows that were compared
    double uneven;      // samples judged in a run, of the side with more by the other; 1: equal
    size_t worse[COMPARE_FAMILIES], better[COMPARE_FAMILIES]; // items
    size_t deaths; // rows with a crash or hang that A had none of
};

// ---- compare_read.c ---------------------------------------------------------------------------

// Reads both sides of options.paths. 0, or -1 with the reason, which names the file; compare_close
// either way. Ends the process without memory, as everything here does.
int compare_read(struct compare* compare, char* error, size_t error_size);
void compare_close(struct compare* compare);
// The parts of compare_read, which tests use alone: sides of `runs` runs, and one run's row or
// cluster; `run` is its index.
void compare_begin(struct compare* compare, const size_t runs[2]);
void compare_add(struct compare* compare, size_t run, const struct results_past* row);
void compare_add_part(struct compare* compare, size_t run, const struct results_past_part* part);
// Joins clusters that one run names and another cannot, because its JDK has no symbols there. Else
// they would be gone in one build and new in the other.
void compare_settle(struct compare* compare);

// ---- compare_judge.c --------------------------------------------------------------------------

// The standard deviation of the logarithms of one JVM's rates from run to run, as measured. Single
// runs are allowed that much.
double compare_spread(const struct compare_item* item);
// Makes the tests and fills what they fill.
void compare_judge(struct compare* compare);
// Did a run of B crash or hang in this row, and no run of A, although A was run?
bool compare_is_death(const struct compare* compare, const struct compare_row* row);
// Were both sides judged in this row?
bool compare_is_common(const struct compare* compare, const struct compare_row* row);
// Is a cause asked for of which not every run tells?
bool compare_lacks_causes(const struct compare* compare);
// 0, 1 where B is worse, or 4 where nothing could be compared.
int compare_status(const struct compare* compare);

// ---- compare_text.c, compare_json.c -----------------------------------------------------------

void compare_text(const struct compare* compare, FILE* out);
// 0, or -1 with errno set.
int compare_json(const struct compare* compare, const char* path);
// "PASS", or "PASS 3, CRASH 1" of several runs; "" where the side has no such row.
#define COMPARE_VERDICTS 128
const char* compare_verdicts(const struct compare* compare, const struct compare_row* row,
                             size_t side, char text[COMPARE_VERDICTS]);
// Of a cluster: "new", "gone", "seen only in B, may be chance", ...; else "".
const char* compare_novelty(const struct compare_item* item);

// ---- compare.c --------------------------------------------------------------------------------

// 0 and *options complete; else as arguments_parse. Whether there is such a cause is not asked yet.
int compare_parse(const struct base_call* call, struct compare_options* options);
int compare_run(const struct compare_options* options);

#endif
