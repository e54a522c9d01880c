// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline compare: do two JVMs' rates differ, and is B's worse than A's? A side is one session's
// output directory, or a directory of several: repeated runs. README.md says which tests are made.
#ifndef RUNNER_COMPARE_H
#define RUNNER_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <uthash.h>

#include "oracle/oracle.h"
#include "results/formats/formats.h"

#define COMPARE_LEVEL 0.05
// Runs of one side that judged so many times what those of the other did were made otherwise, and
// rates may differ for that: a reader is warned. Runs made one after the other here, on a busy
// machine, came to 1.5 at most.
#define COMPARE_UNEVEN 1.5

struct compare_options {
    const char* paths[2];
    const char* json; // NULL: none
    double level;     // 0: COMPARE_LEVEL
    double spread;    // below 0: as measured (compare_spread)
    bool all;         // show what does not differ, too
};

// What of a row, or of all rows, is held side by side. NAME, text.
#define COMPARE_KINDS(K)                                                                           \
    K(WALKING, "walking errors")                                                                   \
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
    O(SAME, "same")       /* no difference that chance does not make */                            \
    O(WORSE, "worse")     /* more often in B */                                                    \
    O(BETTER, "better")   /* less often */                                                         \
    O(DIFFERS, "differs") /* refusals: neither better nor worse */

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
    UT_hash_handle hh;
};

// What an item counted in one row.
struct compare_cell {
    const struct compare_row* row;
    uint64_t* events; // by run
    struct compare_cell* next;
};

// What is tested: one row's, but for clusters, which are of all rows that they were seen in.
struct compare_item {
    char* key;
    enum compare_kind kind;
    enum oracle_verdict verdict; // AGREE for walking errors of all verdicts, and for refusals
    char* what;    // "walking errors", a verdict, a refusal; what a cluster's mismatches share
    char* unnamed; // a cluster in a library: `what` it would be without symbols; else NULL
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
    // Filled by compare_judge:
    bool by_runs;                        // runs are the unit: more than one on a side
    size_t candidates[COMPARE_FAMILIES]; // items that could be tested
    size_t tests[COMPARE_FAMILIES]; // that count: the others have too few events to tell anything
    uint64_t assignments[COMPARE_FAMILIES];
    bool complete;      // all assignments were looked at
    size_t runs_needed; // a side; 0: there are enough
    size_t common;      // rows that were compared
    double uneven; // judged in a run of the side with longer runs, by that of the other; 1: alike
    size_t worse, better, differing; // items
    size_t deaths;                   // rows with a crash or hang that A had none of
};

// ---- compare_read.c ---------------------------------------------------------------------------

// Reads both sides of options.paths. 0, or -1 with the reason, which names the file; compare_close
// either way. Ends the process without memory, as everything here does.
int compare_read(struct compare* compare, char* error, size_t error_size);
void compare_close(struct compare* compare);
// For sides with `runs` runs that are read from nowhere, and one run's row or cluster, by its
// index: what compare_read is made of, and tests use.
void compare_begin(struct compare* compare, const size_t runs[2]);
void compare_add(struct compare* compare, size_t run, const struct results_past* row);
void compare_add_part(struct compare* compare, size_t run, const struct results_past_part* part);
// Clusters that one run names and another, whose JDK has no symbols there, cannot: all functions'
// become one, or they would be gone in one build and new in the other.
void compare_settle(struct compare* compare);

// ---- compare_judge.c --------------------------------------------------------------------------

// How far the logarithms of one JVM's rates lie apart from run to run, measured: the standard
// deviation that single runs are allowed.
double compare_spread(const struct compare_item* item);
// Makes the tests and fills what they fill.
void compare_judge(struct compare* compare);
// Has any of B's runs crashed or hung in this row, and none of A's, which were run?
bool compare_is_death(const struct compare* compare, const struct compare_row* row);
// Were both sides judged in this row?
bool compare_is_common(const struct compare* compare, const struct compare_row* row);
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

// As options_parse: what is wrong is said on standard error and ends the process, or is returned if
// `stay`.
int compare_parse(int argc, char** argv, bool stay, struct compare_options* options);
int compare_run(const struct compare_options* options);

#endif
