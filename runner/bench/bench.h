// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline bench: what Plumbline costs. Every number stands beside what it is compared with, taken
// in the same session, and beside the bar that it should meet. It is a measurement, so no test
// calls it: on a busy machine the absolute rates sink, the ratios less so.
//
// What is run, one JVM at a time, each for --seconds (default 4), in mode `tiered`:
//   - case `mixed` with source random and with source clock, every 100 us, with the agent option
//     bench=1: the agent alternates phases of a bare handler and of judging (results/results.h);
//   - PushPop (cases/bench): a pair of push and pop beside a pair of empty native methods;
//   - BENCH_ROUNDS rounds of `mixed` without the agent, and in scopes app and all, with all layers
//     and with `ground` alone, which is the price of the instrumentation (in app also with ground
//     and async, without the checks at pushes and the sandwich). The slow-down is the median of the
//     rounds' own ratios. Warming up is part of every run.
#ifndef RUNNER_BENCH_H
#define RUNNER_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "runner/base/base.h"
#include "runner/options/options.h"

#define BENCH_ROUNDS 3
#define BENCH_BUCKETS 512      // of results_run's timing histograms
#define BENCH_BUCKET_CYCLES 64 // the last bucket holds all that is more
#define BENCH_OVERFLOW_CYCLES ((BENCH_BUCKETS - 1) * BENCH_BUCKET_CYCLES)
// Fewer samples than these give no median, and no rate.
#define BENCH_MINIMUM_SAMPLES 100

// Runs everything, prints the table on standard output, a summary as its last line, and what went
// wrong on standard error. `options` come from options_parse(OPTIONS_BENCH, ...). Gives the exit
// status: 0 all bars are met; 1 some are not; 3 something could not be measured; 4 interrupted.
// The JVMs' files stay in --out (default out/bench-<version>-<time>).
int bench_run(const struct options* options, const struct home* home);

// ---- Statistics -------------------------------------------------------------------------------

// The median of cycles in a histogram, linear within its bucket; INFINITY where it lies in the last
// one, NAN where there are too few samples.
double bench_median_cycles(const uint64_t histogram[BENCH_BUCKETS]);
// The share of samples in the last bucket; NAN of none.
double bench_overflow(const uint64_t histogram[BENCH_BUCKETS]);
// Sorts the values. NAN where count is 0.
double bench_median(double* values, size_t count);

#endif
