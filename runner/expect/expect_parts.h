// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The parts of the command behind the door: its arguments, and the proposal.
#ifndef RUNNER_EXPECT_PARTS_H
#define RUNNER_EXPECT_PARTS_H

#include "results/formats/formats.h"
#include "runner/base/base.h"
#include "runner/lists/lists.h"

// ---- expect.c -----------------------------------------------------------------------------------
// The arguments of plumbline expect.

// Runs differ by this factor of odds, besides chance.
#define EXPECT_SPREAD 1.5

struct expect_options {
    char** runs; // directories of validate, or their results.json: the call's words
    int run_count;
    double spread; // at least 1
    double merge;  // join neighbouring releases whose ceilings differ by no more; 0: do not
};

// 0 and *options complete; else as arguments_parse. options->runs is the caller's to free either
// way.
int expect_parse(const struct base_call* call, struct expect_options* options);

// ---- proposal.c --------------------------------------------------------------------------------
// From rows of runs to sums, from sums to ceilings, from ceilings to lines. Reads no file.

// A release, case, mode, scope and layer, summed over the runs.
struct proposal_row {
    struct results_past sum; // `judged` and `mismatch` summed; the rest is the last run's
    int feature;
    size_t runs;
    double highest[ORACLE_VERDICT_COUNT]; // the highest upper end of any run
    bool over[2];                         // a run lay above the general limit: walking, attribution
    uint32_t control;                     // verdicts that a control must show
};

struct proposal {
    struct proposal_row* rows; // in the order of print, sorted
    size_t count;
    struct results_past* pasts; // all rows that were read
    size_t past_count;
    double spread, merge;
    const struct cases* cases;       // for controls; NULL: there are none
    const struct ceilings* ceilings; // known lines, for their reasons; NULL: none
    bool failed;                     // no memory
};

// Takes a row of a run in; `context` is a struct proposal.
void proposal_take(void* context, const struct results_past* past);
void proposal_print(struct proposal* proposal, FILE* out);
void proposal_free(struct proposal* proposal);

#endif
