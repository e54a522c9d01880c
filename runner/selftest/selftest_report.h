// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The table of a case's runs, the same as JSON, and its verdict.
#ifndef RUNNER_SELFTEST_REPORT_H
#define RUNNER_SELFTEST_REPORT_H

#include "selftest_trial.h"

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
