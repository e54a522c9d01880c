// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The log of a bisection, by which an interrupted one goes on: a head that describes the bisection,
// then a line for each answered question. A search asks the same questions when it gets the same
// answers (bisect_search.h), so questions in the log are answered from there.
//
//     plumbline-bisect 1
//     seeks OPTION...         as bisect-step takes them, with --error and --spread
//     build 0 /path           the good end; a line for each build
//     step 1 build 0 target 4000 answer measured events 3 trials 4012 slices 20 ...
//         ... squares 0.01 seconds 6.1 jvms 1 note it crashed
#ifndef RUNNER_BISECT_LOG_H
#define RUNNER_BISECT_LOG_H

#include <stdio.h>

#include "bisect_search.h"
#include "runner/base/base.h"

struct bisect_log {
    FILE* file;
    struct bisect_question* steps; // from the file
    size_t count, next;
};

// Opens the log, or begins a new one. `seeks` and the builds must equal those of its head. 0; or -1
// with the reason: the log of another bisection, or it cannot be written.
int bisect_log_open(struct bisect_log* log, const char* path, const char* seeks,
                    const struct words* builds, char* error, size_t size);
// Answers the question from the log. False: the log has no more answers.
bool bisect_log_answer(struct bisect_log* log, struct bisect_question* question);
// Books an answered question. 0, or -1 with errno set.
int bisect_log_book(struct bisect_log* log, const struct bisect_question* question);
void bisect_log_close(struct bisect_log* log);

#endif
