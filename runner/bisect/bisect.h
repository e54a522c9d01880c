// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline bisect: the first bad one of many builds; and plumbline bisect-step: is this build bad?
// README.md is for users. bisect_parts.h explains the course and the statistics.
#ifndef RUNNER_BISECT_H
#define RUNNER_BISECT_H

#include "runner/base/base.h"

// Exit statuses of bisect-step, for git bisect run: 0 good, 1 bad, and this one: it cannot be said.
// To git any other status is a bad build.
#define BISECT_STEP_UNKNOWN 125

// Bisects, prints the course and the end, and writes to --out (default bisect-TIME below
// home_results):
//     bisect.log       a line for each question: an interrupted bisection goes on from there
//     report.txt       the end, and the command that repeats each step
//     clusters-good.txt clusters-bad.txt    the mismatches of the last good and the first bad build
//     step-N/jvm-N/    the files of each JVM, as validate's
// Returns 0 found; 1 the ends do not differ; 2 wrong usage, or the list or the log does not fit; 3
// the harness failed, or an end cannot be used; 4 interrupted, or the difference is too small.
int bisect_command(const struct base_call* call);
// Returns 0 good; 1 bad; BISECT_STEP_UNKNOWN for everything else.
int bisect_step_command(const struct base_call* call);

#endif
