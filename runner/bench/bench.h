// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline bench: the costs of Plumbline. Every number stands beside a reference, taken in the
// same session, and beside the bar that it should meet. It is a measurement: on a busy machine the
// absolute rates sink, the ratios less so.
//
// It runs, one JVM at a time, each for --seconds (default 8), in mode `tiered` where no other is
// named:
//   - case `mixed` with source random and with source clock, every 100 us, with the agent option
//     bench=1: the agent alternates phases of a bare handler and of judging;
//   - PushPop (cases/bench): a pair of push and pop beside a pair of empty native methods; then in
//     int, c1 and c2 beside a loop that only counts;
//   - three rounds of `mixed` without the agent, and in scopes app and all, with all layers
//     and with `ground` alone, which is the price of the instrumentation (in app also with ground
//     and async, without the checks at pushes and the sandwich). The slow-down is the median of the
//     rounds' own ratios. Warming up is part of every run.
#ifndef RUNNER_BENCH_H
#define RUNNER_BENCH_H

#include "runner/base/base.h"

// Runs everything, prints the table on standard output with a summary as its last line, and errors
// on standard error. The JVMs' files stay in --out (default bench-VERSION-TIME below
// home_results). Returns the exit status: 0 all bars are met; 1 some are not; 3 something could not
// be measured; 4 interrupted.
int bench_command(const struct base_call* call);

#endif
