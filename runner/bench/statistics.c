// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "bench_parts.h"

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

uint64_t bench_total(const uint64_t histogram[BENCH_BUCKETS]) {
    uint64_t sum = 0;
    for (size_t i = 0; i < BENCH_BUCKETS; i++) sum += histogram[i];
    return sum;
}

double bench_median_cycles(const uint64_t histogram[BENCH_BUCKETS]) {
    uint64_t all = bench_total(histogram), below = 0;
    if (all < BENCH_MINIMUM_SAMPLES) return NAN;
    size_t bucket = 0;
    while (2 * (below + histogram[bucket]) < all) below += histogram[bucket++];
    if (bucket == BENCH_BUCKETS - 1) return INFINITY;
    double into = ((double)all / 2 - (double)below) / (double)histogram[bucket];
    return ((double)bucket + into) * BENCH_BUCKET_CYCLES;
}

double bench_overflow(const uint64_t histogram[BENCH_BUCKETS]) {
    uint64_t all = bench_total(histogram);
    return all == 0 ? NAN : (double)histogram[BENCH_BUCKETS - 1] / (double)all;
}

double bench_median(double* values, size_t count) {
    if (count == 0) return NAN;
    gsl_sort(values, 1, count);
    return gsl_stats_median_from_sorted_data(values, 1, count);
}
