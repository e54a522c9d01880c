// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The statistics of a bisection: the sequential probability ratio test (A. Wald, 1945) of one rate
// against another. Pure.
//
// A build's rate is H0's, `good`, or H1's, `bad`. What was seen is weighed by the logarithm of how
// much likelier H1 makes it, and decides when that passes log(1/error) on either side. The wrong
// answer then has a probability of `error` at most (J. Ville, 1939), however often and whenever one
// looks; a true rate beyond `good` or `bad`, seen from the other, makes it smaller. It need not be
// one rate either: it may wander, as long as it stays beyond.
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

// How much more the slices' rates vary than chance lets them: chi-square over its degrees of
// freedom, one standard error added because it is an estimate itself; at least 1. Events that come
// in clumps of c (one wrong frame is sampled again and again) give c.
double bisect_dispersion(const struct bisect_count* count);

struct bisect_test {
    double good, bad;  // rates, in (0, 1), either may be the higher
    double error;      // probability of each wrong answer
    double dispersion; // so many events count as one; at least 1
};

enum bisect_side { BISECT_OPEN, BISECT_GOOD, BISECT_BAD };
enum bisect_side bisect_test_side(const struct bisect_test* test, const struct bisect_count* count);
// Trials that the test takes on average where the true rate is `rate`. INFINITY between the two,
// where both are as likely.
double bisect_test_trials(const struct bisect_test* test, double rate);
// Trials that a test of fixed size takes for the same errors (normal approximation).
double bisect_test_fixed(const struct bisect_test* test);

// H0 and H1 from what the ends showed: the bounds of their rates that lie towards each other, each
// missed with probability `miss`, and moved by the factor `spread` in odds, by which runs of one
// build may differ. No events at the good end: its upper bound. False: nothing is left between
// them.
bool bisect_test_between(const struct bisect_count* good, const struct bisect_count* bad,
                         double miss, double spread, struct bisect_test* test);

// The rate with `factor` times the odds.
double bisect_odds(double rate, double factor);

#endif
