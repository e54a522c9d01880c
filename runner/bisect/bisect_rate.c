// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "bisect_parts.h"

#include <math.h>

#include "oracle/oracle.h"

// With bounds of 0 and 1 a single event, or its absence, would decide.
#define RATE_MIN 1e-12

void bisect_count_add(struct bisect_count* count, uint64_t events, uint64_t trials) {
    if (trials == 0) return;
    count->events += events;
    count->trials += trials;
    count->slices++;
    count->squares += (double)events * (double)events / (double)trials;
}

double bisect_count_rate(const struct bisect_count* count) {
    return count->trials == 0 ? 0 : (double)count->events / (double)count->trials;
}

double bisect_dispersion(const struct bisect_count* count) {
    double rate = bisect_count_rate(count), freedom = (double)count->slices - 1;
    if (freedom < 1 || rate <= 0 || rate >= 1) return 1;
    double chi = (count->squares - rate * (double)count->events) / (rate * (1 - rate));
    double estimate = chi / freedom * (1 + sqrt(2 / freedom));
    return estimate > 1 ? estimate : 1;
}

// ---- The test ---------------------------------------------------------------------------------

// The weight for H1 of one event, and of one trial without event.
static double gain_of_event(const struct bisect_test* test) {
    return log(test->bad / test->good) / test->dispersion;
}

static double gain_of_none(const struct bisect_test* test) {
    return (log1p(-test->bad) - log1p(-test->good)) / test->dispersion;
}

enum bisect_side bisect_test_side(const struct bisect_test* test,
                                  const struct bisect_count* count) {
    double weight = (double)count->events * gain_of_event(test) +
                    (double)(count->trials - count->events) * gain_of_none(test);
    double bound = -log(test->error);
    if (weight >= bound) return BISECT_BAD;
    return weight <= -bound ? BISECT_GOOD : BISECT_OPEN;
}

double bisect_test_trials(const struct bisect_test* test, double rate) {
    double drift = rate * gain_of_event(test) + (1 - rate) * gain_of_none(test);
    return drift == 0 ? INFINITY : -log(test->error) / fabs(drift);
}

// ---- Hypotheses -------------------------------------------------------------------------------

double bisect_odds(double rate, double factor) {
    return rate * factor / (1 - rate + rate * factor);
}

// The interval of the counts divided by the dispersion; fractions are rounded away from the middle.
static struct oracle_interval bounds(const struct bisect_count* count, double dispersion,
                                     double miss) {
    double events = (double)count->events / dispersion, trials = (double)count->trials / dispersion;
    uint64_t fewer = (uint64_t)floor(events), more = (uint64_t)ceil(events);
    uint64_t least = (uint64_t)floor(trials);
    if (more > least) more = least;
    struct oracle_interval low = oracle_interval(fewer, least, 1 - 2 * miss);
    struct oracle_interval high = oracle_interval(more, least, 1 - 2 * miss);
    return (struct oracle_interval){low.low, high.high};
}

static double inside(double rate) {
    return fmin(fmax(rate, RATE_MIN), 1 - RATE_MIN);
}

bool bisect_test_between(const struct bisect_count* good, const struct bisect_count* bad,
                         double miss, double spread, struct bisect_test* test) {
    if (good->trials == 0 || bad->trials == 0) return false;
    double dispersion = fmax(bisect_dispersion(good), bisect_dispersion(bad));
    struct oracle_interval g = bounds(good, dispersion, miss), b = bounds(bad, dispersion, miss);
    bool rises = bisect_count_rate(bad) > bisect_count_rate(good);
    double from = inside(bisect_odds(rises ? g.high : g.low, rises ? spread : 1 / spread));
    double to = inside(bisect_odds(rises ? b.low : b.high, rises ? 1 / spread : spread));
    test->good = from;
    test->bad = to;
    test->dispersion = dispersion;
    return rises ? from < to : from > to;
}
