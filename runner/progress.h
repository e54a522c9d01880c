// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One line on a terminal that says what is being run; nothing where standard error is no terminal.
#ifndef RUNNER_PROGRESS_H
#define RUNNER_PROGRESS_H

#include <stddef.h>

#include "job.h"

// Rewrites the line: run `number` of `total`, with the job's counts so far.
void progress_show(size_t number, size_t total, const struct job* job);
// Takes the line away.
void progress_clear(void);

#endif
