// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "selftest_parts.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

double selftest_chance(struct selftest_count spoilt, struct selftest_count plain) {
    if (spoilt.trials == 0 || plain.trials == 0 || spoilt.events == 0) return 1;
    return gsl_cdf_hypergeometric_Q((unsigned)spoilt.events - 1, (unsigned)spoilt.trials,
                                    (unsigned)plain.trials,
                                    (unsigned)(spoilt.events + plain.events));
}

// Fewer events than these among all runs do not show how the runs differ.
#define SPREAD_EVENTS 20

// The value that chi-squared with so many degrees of freedom exceeds once in 20 times (E. B.
// Wilson, M. M. Hilferty, 1931).
static double chance_limit(double freedom) {
    return freedom * pow(1 - 2 / (9 * freedom) + 1.645 * sqrt(2 / (9 * freedom)), 3);
}

double selftest_spread(const struct selftest_count* runs, size_t count, uint64_t trials) {
    double events = 0, all = 0, sum = 0;
    for (size_t i = 0; i < count; i++) {
        events += (double)runs[i].events;
        all += (double)runs[i].trials;
    }
    if (count < 2 || events < SPREAD_EVENTS || events >= all) return 1;
    double rate = events / all;
    for (size_t i = 0; i < count; i++) {
        double rest = (double)runs[i].events - rate * (double)runs[i].trials;
        if (runs[i].trials > 0) sum += rest * rest / ((double)runs[i].trials * rate * (1 - rate));
    }
    if (sum <= chance_limit((double)(count - 1))) return 1;
    // In longer runs the part that chance does not explain stays the same; in shorter runs
    // consecutive samples see the same stack.
    double beyond = sum / (double)(count - 1) - 1;
    return 1 + beyond * fmax(1, (double)trials / (all / (double)count));
}

struct selftest_count selftest_thin(struct selftest_count count, double spread) {
    return (struct selftest_count){(uint64_t)round((double)count.events / spread),
                                   (uint64_t)round((double)count.trials / spread)};
}

static double rate_of(struct selftest_count count) {
    return count.trials == 0 ? 0 : (double)count.events / (double)count.trials;
}

static double deviations(struct selftest_count here, struct selftest_count before, double spread) {
    if (here.trials == 0 || before.trials == 0) return 0;
    double n = (double)here.trials, m = (double)before.trials;
    double all = (double)(here.events + before.events) / (n + m);
    double deviation = sqrt(spread * all * (1 - all) * (1 / n + 1 / m));
    return deviation > 0 ? (rate_of(here) - rate_of(before)) / deviation : 0;
}

double selftest_chance_beyond(struct selftest_count here, struct selftest_count before,
                              double spread, unsigned runs) {
    double chance = selftest_chance(selftest_thin(here, spread), selftest_thin(before, spread));
    if (spread <= 1) return chance;
    return fmax(chance, gsl_cdf_tdist_Q(deviations(here, before, spread), runs - 1));
}

double selftest_growth(struct selftest_count here, struct selftest_count before, double spread,
                       unsigned runs) {
    double grown = deviations(here, before, spread);
    if (spread <= 1) return grown;
    double beyond = gsl_cdf_tdist_Q(fabs(grown), runs - 1);
    return copysign(gsl_cdf_ugaussian_Qinv(beyond), grown);
}

struct selftest_estimate selftest_excess(struct selftest_count spoilt,
                                         struct selftest_count plain) {
    struct oracle_interval s = oracle_interval(spoilt.events, spoilt.trials, 0.95);
    struct oracle_interval p = oracle_interval(plain.events, plain.trials, 0.95);
    double here = rate_of(spoilt), before = rate_of(plain);
    double scale = before < 1 ? 1 / (1 - before) : 1;
    double value = (here - before) * scale;
    return (struct selftest_estimate){value, value - scale * hypot(here - s.low, p.high - before),
                                      value + scale * hypot(s.high - here, before - p.low)};
}

bool selftest_is_inside(struct selftest_estimate excess, double injected,
                        struct selftest_estimate seen) {
    double difference = excess.value - injected * seen.value;
    double low = difference - hypot(excess.value - excess.low, injected * (seen.high - seen.value));
    double high =
        difference + hypot(excess.high - excess.value, injected * (seen.value - seen.low));
    return low <= 0 && high >= 0;
}

double selftest_wander(struct selftest_count plain, unsigned runs, uint64_t trials, double spread) {
    double rate = rate_of(plain);
    if (runs < 2 || trials == 0) return 0;
    double student = gsl_cdf_tdist_Pinv(0.975, runs - 1);
    return student * sqrt((spread - 1) * rate * (1 - rate) / (double)trials * (1 + 1.0 / runs));
}
