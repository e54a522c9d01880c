// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The statistics of a bisection: the sequential probability ratio test (A. Wald, 1945) of one rate
// against another. Pure.
//
// A build has the rate of H0, `good`, or that of H1, `bad`. The weight of the counts is the
// logarithm of the likelihood ratio of H1 to H0. The test decides when the weight passes
// log(1/error) on either side. A wrong answer then has a probability of at most `error` (J. Ville,
// 1939), however often and whenever the weight is looked at. The probability is smaller if the true
// rate lies beyond `good` or `bad`, seen from the other. The rate may also change during the test,
// as long as it stays beyond.
#ifndef RUNNER_BISECT_RATE_H
#define RUNNER_BISECT_RATE_H

#include <stdbool.h>
#include <stdint.h>

// Events among trials, which came in slices of time.
struct bisect_count {
    uint64_t events, trials, slices;
    double squares; // the sum of events * events / trials over the slices
};
void bisect_count_add(struct bisect_count* count, uint64_t events, uint64_t trials);
double bisect_count_rate(const struct bisect_count* count); // 0 of no trials

// How much more the slices' rates vary than by chance: chi-square divided by its degrees of
// freedom, plus one standard error because it is an estimate itself; at least 1. Events in clumps
// of c (one wrong frame is sampled again and again) give c.
double bisect_dispersion(const struct bisect_count* count);

struct bisect_test {
    double good, bad;  // rates, in (0, 1), either may be the higher
    double error;      // probability of each wrong answer
    double dispersion; // this many events count as one; at least 1
};

enum bisect_side { BISECT_OPEN, BISECT_GOOD, BISECT_BAD };
enum bisect_side bisect_test_side(const struct bisect_test* test, const struct bisect_count* count);
// Trials that the test takes on average if the true rate is `rate`. INFINITY for the rate between
// both at which the weight does not move.
double bisect_test_trials(const struct bisect_test* test, double rate);
// Trials of a test of fixed size with the same errors (normal approximation).
double bisect_test_fixed(const struct bisect_test* test);

// Sets H0 and H1 from the counts of both ends: the bounds of their rates that lie towards each
// other, each missed with probability `miss`, and moved towards each other by the factor `spread`
// in odds, by which runs of one build may differ. A good end without events has its upper bound.
// False: the bounds overlap.
bool bisect_test_between(const struct bisect_count* good, const struct bisect_count* bad,
                         double miss, double spread, struct bisect_test* test);

// The rate with the odds of `rate` times `factor`.
double bisect_odds(double rate, double factor);

#endif
