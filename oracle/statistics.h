// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The oracle's statistics: intervals of rates, and tests. A part of oracle.h, which others include.
#ifndef ORACLE_STATISTICS_H
#define ORACLE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The exact (Clopper-Pearson) two-sided interval of the rate `events` / `trials`. `confidence` lies
// between 0 and 1, for instance 0.95. Without trials the interval is [0, 1]. Without events, low is
// 0 and high is the upper bound to report. More events than trials, or a confidence out of range,
// is the caller's bug: one line on standard error, then abort().
struct oracle_interval {
    double low, high;
};
struct oracle_interval oracle_interval(uint64_t events, uint64_t trials, double confidence);
// Does that interval lie above `limit`? The answer is oracle_interval(...).low > limit, and costs a
// hundredth of it.
bool oracle_interval_above(uint64_t events, uint64_t trials, double confidence, double limit);

// Against a measurement. How probable are at least so many events of `trials`, if the logarithm of
// a run's rate is normal around log(`mean`) with standard deviation `spread` (0: every run has the
// rate `mean`)? oracle_deficit: at most so many.
double oracle_excess(uint64_t events, uint64_t trials, double mean, double spread);
double oracle_deficit(uint64_t events, uint64_t trials, double mean, double spread);

// The tests below compare two sides, A (index 0) and B (index 1). oracle/README.md, "Two sides",
// says what each test assumes and how wrong that can be.

// Fisher's exact test, two-sided. If both sides had the same rate, how probable are counts that are
// at most as probable as these, given the sum of events? 1 without events, and 1 if a side has no
// trials.
double oracle_fisher(const uint64_t events[2], const uint64_t trials[2]);
// The same question if each run draws its own rate: the logarithm of the rate is normal with
// standard deviation `spread` (0: the same rate for all). Side B is expected to have the part
// `share`, between 0 and 1, of all events. Events must be rare among trials. Gives twice the
// smaller tail, at most 1; 1 without events, and 1 if `share` is 0 or 1.
double oracle_share_test(const uint64_t events[2], double share, double spread);
// Replaces the p-values of `count` tests by Holm's adjusted ones, in place: the probability that
// any of those at most `level` is no difference is at most `level`. Without memory: Bonferroni's.
void oracle_holm(double* p, size_t count);

// A permutation test over several runs a side. A row is one quantity that is counted in every run,
// as events of trials. Row r of run i stands at [r * (runs[0] + runs[1]) + i]; A's runs come first.
// A run with 0 trials says nothing about the row. All arrays are the caller's.
struct oracle_permutation {
    size_t runs[2]; // neither is 0
    size_t rows;
    const uint64_t* events;
    const uint64_t* trials;
    // Filled by oracle_permute:
    double* p;            // [rows] p-value of each row alone
    double* adjusted;     // [rows] adjusted for all rows together (Westfall and Young, step-down)
    uint64_t assignments; // number of assignments of runs to sides that were tried
    bool complete;        // all assignments were tried; else 20,000, drawn with a fixed seed
};
// If it did not matter which run is on which side, how often would the sides be at least as far
// apart as here? The unit is the run. The distance of a row is the difference of the two mean rates
// divided by its standard error. Returns 0, or -1 without memory; the results are then untouched.
int oracle_permute(struct oracle_permutation* permutation);
// The smallest p-value that this many runs can give.
double oracle_permutation_floor(const size_t runs[2]);
// The least number of runs a side with which a p-value of `level` (above 0) is possible.
size_t oracle_permutation_runs(double level);

#endif
