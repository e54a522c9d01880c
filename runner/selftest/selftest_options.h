// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The arguments of plumbline selftest.
#ifndef RUNNER_SELFTEST_OPTIONS_H
#define RUNNER_SELFTEST_OPTIONS_H

#include "runner/options/options.h"
#include "selftest_faults.h"

#define SELFTEST_FAULTS_MAX 64
#define SELFTEST_RATES_MAX 8
struct selftest_options {
    struct options run; // of each JVM
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

#endif
