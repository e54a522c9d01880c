// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The messages and files of a bisection: a line for each question, and the end.
#ifndef RUNNER_BISECT_REPORT_H
#define RUNNER_BISECT_REPORT_H

#include <stdio.h>

#include "bisect_options.h"
#include "bisect_search.h"

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
// Prints the end, and writes report.txt and the clusters. 0, or -1 with errno set.
int bisect_report_end(const struct bisect_report* report, enum bisect_end end);
void bisect_report_close(struct bisect_report* report);

#endif
