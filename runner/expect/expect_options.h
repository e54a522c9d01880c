// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The arguments of plumbline expect.
#ifndef RUNNER_EXPECT_OPTIONS_H
#define RUNNER_EXPECT_OPTIONS_H

#include "runner/base/base.h"

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

#endif
