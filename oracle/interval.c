// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The confidence interval, and the tail of the beta distribution, on which the interval and the
// tests are built. No other file uses the statistics library.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "interval.h"
#include "oracle.h"

// On in every build: more events than trials, or a confidence outside (0, 1), is the caller's bug.
static void require(bool holds, const char* what) {
    if (holds) return;
    fprintf(stderr, "oracle_interval: %s\n", what);
    abort();
}

double interval_tail(double rate, double a, double b, bool upper) {
    double weight = upper ? gsl_cdf_beta_Q(rate, a, b) : gsl_cdf_beta_P(rate, a, b);
    if (!isnan(weight)) return weight;
    // For some arguments above ten million the library's continued fraction does not converge. The
    // normal distribution of the same mean and variance is accurate enough there.
    double sum = a + b;
    double z = (rate - a / sum) / sqrt(a / sum * (b / sum) / (sum + 1));
    return upper ? gsl_cdf_ugaussian_Q(z) : gsl_cdf_ugaussian_P(z);
}

// The rate at which that tail has the given weight, by bisection down to neighbouring doubles.
// gsl_cdf_beta_Pinv and Qinv are no alternative: they do not converge for some everyday arguments
// (1 of 1000, 7 of 12345, none of a million) and then end the process.
static double rate_at(double a, double b, double weight, bool upper) {
    double low = 0;
    double high = 1;
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) return middle;
        if ((interval_tail(middle, a, b, upper) > weight) == upper) low = middle;
        else high = middle;
    }
}

// The weight of the tail on each side, even if one bound is fixed at 0 or 1.
static double tail_of(uint64_t events, uint64_t trials, double confidence) {
    require(events <= trials, "more events than trials");
    require(confidence > 0 && confidence < 1, "confidence is not between 0 and 1");
    return (1 - confidence) / 2;
}

// At the lower bound the lower tail has its weight, and the tail grows with the rate.
bool oracle_interval_above(uint64_t events, uint64_t trials, double confidence, double limit) {
    double tail = tail_of(events, trials, confidence);
    if (events == 0 || limit < 0) return limit < 0;
    if (limit >= 1) return false;
    return interval_tail(limit, (double)events, (double)(trials - events) + 1, false) < tail;
}

struct oracle_interval oracle_interval(uint64_t events, uint64_t trials, double confidence) {
    struct oracle_interval interval = {0, 1};
    double tail = tail_of(events, trials, confidence);
    double hits = (double)events;
    double others = (double)(trials - events);
    if (events != 0) interval.low = rate_at(hits, others + 1, tail, false);
    if (events != trials) interval.high = rate_at(hits + 1, others, tail, true);
    return interval;
}
