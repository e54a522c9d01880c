// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The statistics of the self-test: is there more of something than before, and how much more?
#ifndef RUNNER_SELFTEST_RATE_H
#define RUNNER_SELFTEST_RATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Events among trials.
struct selftest_count {
    uint64_t events, trials;
};

// The probability of seeing as many events as `spoilt` has, or more, if its rate is no higher than
// that of `plain` (Fisher's exact test, one-sided). 1 where either has no trials.
double selftest_chance(struct selftest_count spoilt, struct selftest_count plain);

// The variance of the rate of a run of so many trials, as several runs of one thing show it,
// divided by the variance of independent samples. 1 if the runs differ no more than chance makes
// them once in 20 times, or if there are too few events to tell.
double selftest_spread(const struct selftest_count* runs, size_t count, uint64_t trials);
// The counts divided by that factor: the number of independent samples that would tell as much.
struct selftest_count selftest_thin(struct selftest_count count, double spread);

struct selftest_estimate {
    double value, low, high; // 95 %
};

// The rate at which events were added to those before: (s - p) / (1 - p) for the rates s of spoilt
// and p of plain (W. S. Abbott, 1925), because added events hide some of the earlier ones. The
// interval combines the exact intervals of both rates (R. G. Newcombe's method for differences,
// 1998).
struct selftest_estimate selftest_excess(struct selftest_count spoilt, struct selftest_count plain);
// Half of the interval that an excess gets additionally, because the rate before differs by
// `spread` from one of `runs` runs to the next, for a run of so many trials.
double selftest_wander(struct selftest_count plain, unsigned runs, uint64_t trials, double spread);

// Does `excess` fit the rate `injected`, of which the share `seen` can be seen? True if the
// interval of the difference excess - injected * seen holds 0.
bool selftest_is_inside(struct selftest_estimate excess, double injected,
                        struct selftest_estimate seen);

#endif
