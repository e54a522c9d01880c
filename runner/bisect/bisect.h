// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline bisect: the first bad one of many builds. plumbline bisect-step: is this one bad?
// BISECT.md is for users; bisect_search.h says how it goes, bisect_rate.h why it may be believed.
#ifndef RUNNER_BISECT_H
#define RUNNER_BISECT_H

#include "bisect_options.h"
#include "runner/base/base.h"

// Exit statuses of bisect-step, for git bisect run: 0 good, 1 bad.
#define BISECT_STEP_UNKNOWN 125

// Bisects, prints the course and the end, and writes to --out (default out/bisect-TIME):
//     bisect.log       a line for each question: an interrupted bisection goes on from there
//     report.txt       the end, and the command that repeats each step
//     clusters-good.txt clusters-bad.txt    the mismatches of the last good and the first bad build
//     step-N/jvm-N/    what each JVM wrote, as validate's
// Gives 0 found; 1 the ends do not differ; 2 the list or the log does not fit; 3 the harness, or an
// end that cannot be used; 4 interrupted, or the difference is too small.
int bisect_run(const struct bisect_options* options, const struct home* home);
// 0 good, 1 bad, BISECT_STEP_UNKNOWN for whatever else there is.
int bisect_step(const struct bisect_options* options, const struct home* home);

#endif
