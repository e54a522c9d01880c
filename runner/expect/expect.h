// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// `plumbline expect`: from measured runs to lines of expectations.ini. The runner's README.md says
// how a ceiling is made of counts.
#ifndef RUNNER_EXPECT_H
#define RUNNER_EXPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "results/formats/formats.h"
#include "runner/base/base.h"
#include "runner/lists/lists.h"

// What runs differ by, besides chance: the odds of a ceiling are so many times those of what was
// measured.
#define PROPOSE_SPREAD 1.5

struct propose_options {
    char** runs; // directories of validate, or their results.json
    int run_count;
    double spread; // at least 1
    double merge;  // join neighbouring releases whose ceilings differ by no more; 0: do not
};

// Reads the arguments after `expect`, as options_parse does those of validate.
int propose_parse(int argc, char** argv, bool stay, struct propose_options* options);
// Prints the proposal to standard output. The exit status.
int propose_run(const struct propose_options* options, const struct home* home);

// ---- Inside -----------------------------------------------------------------------------------

// A release, case, mode, scope and layer, summed over the runs.
struct propose_row {
    struct results_past sum; // date, version and vm of the last run; `judged` and `mismatch` summed
    int feature;
    size_t runs;
    double highest[ORACLE_VERDICT_COUNT]; // upper end of the run that has the highest one
    bool over[2];                         // a run lay above the general limit: walking, attribution
    uint32_t control;                     // verdicts that a control must show
};

struct propose {
    struct propose_row* rows; // in the order of print, after propose_sort
    size_t count;
    struct results_past* pasts; // all rows that were read
    size_t past_count;
    double spread, merge;
    const struct cases* cases;               // for controls; NULL: there are none
    const struct expectations* expectations; // whose reasons are taken over; NULL: none
    bool failed;                             // no memory
};

// Takes a row of a run in; `context` is a struct propose.
void propose_take(void* context, const struct results_past* past);
void propose_print(struct propose* propose, FILE* out);
void propose_free(struct propose* propose);

#endif
