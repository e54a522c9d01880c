// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The statistics of bench: medians of samples' costs.
#ifndef RUNNER_BENCH_STATISTICS_H
#define RUNNER_BENCH_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

#define BENCH_BUCKETS 512      // of results_run's timing histograms
#define BENCH_BUCKET_CYCLES 64 // the last bucket holds everything above
#define BENCH_OVERFLOW_CYCLES ((BENCH_BUCKETS - 1) * BENCH_BUCKET_CYCLES)
// Fewer samples than these give no median, and no rate.
#define BENCH_MINIMUM_SAMPLES 100

// The samples in a histogram.
uint64_t bench_total(const uint64_t histogram[BENCH_BUCKETS]);
// The median of cycles in a histogram, linear within its bucket. INFINITY if it lies in the last
// bucket, NAN if there are too few samples.
double bench_median_cycles(const uint64_t histogram[BENCH_BUCKETS]);
// The share of samples in the last bucket. NAN if there are none.
double bench_overflow(const uint64_t histogram[BENCH_BUCKETS]);
// Sorts the values and gives their median. NAN if count is 0.
double bench_median(double* values, size_t count);

#endif
