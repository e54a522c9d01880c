// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The interval: against published tables, and against the binomial distribution itself.
#include <math.h>
#include <signal.h>

#include <criterion/criterion.h>

#include "oracle/oracle.h"

static void near(double value, double expected, double tolerance, const char* what) {
    cr_assert(fabs(value - expected) <= tolerance, "%s: %.12g, expected %.12g", what, value,
              expected);
}

// Bounds from published tables of exact 95 % intervals and from closed forms.
Test(interval, known_bounds_come_out) {
    const struct {
        uint64_t events, trials;
        double low, high;
    } rows[] = {
        {0, 1000, 0, 0.0036820839},
        {0, 10, 0, 0.3084971078},
        {10, 10, 0.6915028922, 1},
        {1, 10, 0.0025285785, 0.4450161174},
        {5, 10, 0.1870860284, 0.8129139716},
        {1, 1, 0.025, 1},
        {0, 1, 0, 0.975},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct oracle_interval interval = oracle_interval(rows[i].events, rows[i].trials, 0.95);
        near(interval.low, rows[i].low, 1e-9, "low");
        near(interval.high, rows[i].high, 1e-9, "high");
    }
}

// P(X <= k) of n trials at rate p, summed term by term.
static double binomial_at_most(uint64_t k, uint64_t n, double p) {
    double sum = 0;
    for (uint64_t i = 0; i <= k; i++) {
        double count = (double)n;
        double chosen = (double)i;
        double ways = lgamma(count + 1) - lgamma(chosen + 1) - lgamma(count - chosen + 1);
        sum += exp(ways + chosen * log(p) + (count - chosen) * log1p(-p));
    }
    return sum;
}

Test(interval, at_each_bound_the_binomial_tail_is_half_of_what_confidence_leaves) {
    const uint64_t trials[] = {1, 2, 7, 100, 1000, 12345, 1000000};
    const double confidences[] = {0.5, 0.65, 0.8, 0.95, 0.999};
    for (size_t t = 0; t < sizeof(trials) / sizeof(trials[0]); t++) {
        for (size_t c = 0; c < sizeof(confidences) / sizeof(confidences[0]); c++) {
            double tail = (1 - confidences[c]) / 2;
            for (uint64_t events = 0; events <= 20 && events <= trials[t]; events++) {
                struct oracle_interval got = oracle_interval(events, trials[t], confidences[c]);
                if (events != trials[t])
                    near(binomial_at_most(events, trials[t], got.high), tail, 1e-7, "upper tail");
                if (events != 0)
                    near(1 - binomial_at_most(events - 1, trials[t], got.low), tail, 1e-7,
                         "lower tail");
            }
        }
    }
}

Test(interval, the_rate_lies_in_it_whatever_the_size) {
    for (uint64_t trials = 1; trials <= UINT64_C(1000000000000); trials *= 10) {
        for (int tenth = 0; tenth <= 10; tenth++) {
            uint64_t events = (uint64_t)((double)trials / 10 * tenth);
            double rate = (double)events / (double)trials;
            struct oracle_interval got = oracle_interval(events, trials, 0.95);
            cr_assert_leq(got.low, rate);
            cr_assert_geq(got.high, rate);
            cr_assert_leq(got.high - got.low, 4 / sqrt((double)trials));
        }
    }
}

Test(interval, no_trials_tell_nothing) {
    struct oracle_interval interval = oracle_interval(0, 0, 0.95);
    near(interval.low, 0, 0, "low");
    near(interval.high, 1, 0, "high");
}

Test(interval, no_events_have_the_closed_upper_bound) {
    for (uint64_t n = 1; n < 1000000; n *= 7)
        near(oracle_interval(0, n, 0.95).high, 1 - pow(0.025, 1 / (double)n), 1e-12, "high");
}

Test(interval, whether_it_lies_above_a_limit_is_what_its_lower_bound_says) {
    const uint64_t trials[] = {1, 7, 1000, 12345, 50000000};
    const double confidences[] = {0.5, 0.9, 0.95};
    const double near_by[] = {0, 0.5, 1 - 1e-7, 1 + 1e-7, 2};
    for (size_t t = 0; t < sizeof trials / sizeof trials[0]; t++) {
        for (uint64_t events = 0; events <= trials[t]; events = 1 + events * 3) {
            for (size_t c = 0; c < sizeof confidences / sizeof confidences[0]; c++) {
                double low = oracle_interval(events, trials[t], confidences[c]).low;
                for (size_t n = 0; n < sizeof near_by / sizeof near_by[0]; n++) {
                    double limit = low * near_by[n];
                    cr_expect_eq(oracle_interval_above(events, trials[t], confidences[c], limit),
                                 low > limit, "%lu of %lu, %g: %g above %g", (unsigned long)events,
                                 (unsigned long)trials[t], confidences[c], low, limit);
                }
                cr_expect_eq(oracle_interval_above(events, trials[t], confidences[c], 0), low > 0);
                cr_expect_not(oracle_interval_above(events, trials[t], confidences[c], 1));
                cr_expect(oracle_interval_above(events, trials[t], confidences[c], -1));
            }
        }
    }
}

Test(interval, more_events_than_trials_is_our_bug, .signal = SIGABRT) {
    oracle_interval(2, 1, 0.95);
}

Test(interval, so_are_they_above_a_limit, .signal = SIGABRT) {
    oracle_interval_above(2, 1, 0.95, 0.5);
}
