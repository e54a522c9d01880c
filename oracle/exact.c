// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Tests of one run against another, and the adjustment for many tests at once.
#include <math.h>
#include <stdlib.h>

#include "interval.h"
#include "oracle.h"

// ---- Fisher -----------------------------------------------------------------------------------

// The hypergeometric distribution of B's share of `events`, if every trial is equally likely to
// have an event.
struct draws {
    double events, a, b; // a and b: the sides' trials
};

static double log_choose(double n, double k) {
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

static double log_weight(const struct draws* draws, double x) {
    return log_choose(draws->b, x) + log_choose(draws->a, draws->events - x) -
           log_choose(draws->a + draws->b, draws->events);
}

// The sum of the weights of x and all values beyond it, upwards or downwards. The terms must get
// smaller in that direction.
static double tail_from(const struct draws* draws, double x, double least, double most, bool up) {
    double term = exp(log_weight(draws, x));
    double sum = 0;
    while (x >= least && x <= most && term > sum * 1e-17) {
        sum += term;
        double room = draws->a - draws->events;
        if (up) term *= (draws->events - x) / (x + 1) * ((draws->b - x) / (room + x + 1));
        else term *= x / (draws->events - x + 1) * ((room + x) / (draws->b - x + 1));
        x += up ? 1 : -1;
    }
    return sum;
}

// The first value on the way from `from` to `to` whose weight is at most `weight`; one step beyond
// `to` if there is none. The weights must fall all the way.
static double first_as_rare(const struct draws* draws, double from, double to, double weight) {
    double step = to >= from ? 1 : -1;
    double low = 0, high = fabs(to - from) + 1;
    while (low < high) {
        double middle = floor((low + high) / 2);
        if (log_weight(draws, from + step * middle) <= weight) high = middle;
        else low = middle + 1;
    }
    return from + step * low;
}

double oracle_fisher(const uint64_t events[2], const uint64_t trials[2]) {
    const struct draws draws = {(double)events[0] + (double)events[1], (double)trials[0],
                                (double)trials[1]};
    if (draws.events == 0 || trials[0] == 0 || trials[1] == 0) return 1;
    double least = fmax(0, draws.events - draws.a);
    double most = fmin(draws.b, draws.events);
    double mode = floor((draws.events + 1) * (draws.b + 1) / (draws.a + draws.b + 2));
    mode = fmin(fmax(mode, least), most);
    double seen = (double)events[1];
    // Weights that differ only by rounding count as equal: lgamma is accurate to 1e-16 of its
    // value.
    double weight = log_weight(&draws, seen) + 1e-7;
    double below = first_as_rare(&draws, mode, least, weight);
    double above = first_as_rare(&draws, mode, most, weight);
    if (below == above) return 1; // even the mode is no more likely than what was seen
    return fmin(1, tail_from(&draws, below, least, most, false) +
                       tail_from(&draws, above, least, most, true));
}

// ---- With a spread ----------------------------------------------------------------------------

// The probability of at least k events in n trials at `rate`.
static double at_least(double k, double n, double rate) {
    if (k <= 0) return 1;
    return k > n ? 0 : interval_tail(rate, k, n - k + 1, false);
}

// The probability of at most k events in n trials at `rate`, computed without subtracting from 1,
// which would lose digits.
static double at_most(double k, double n, double rate) {
    if (k >= n) return 1;
    return k < 0 ? 0 : interval_tail(rate, k + 1, n - k, true);
}

double oracle_share_test(const uint64_t events[2], double share, double spread) {
    double all = (double)events[0] + (double)events[1];
    double seen = (double)events[1];
    if (all == 0 || !(share > 0 && share < 1)) return 1;
    // The ratio of the two rates varies with the spreads of both. Six standard deviations leave out
    // 1e-9 of the distribution.
    const int steps = spread > 0 ? 60 : 0;
    double centre = log(share / (1 - share));
    double weights = 0, below = 0, above = 0;
    for (int i = -steps; i <= steps; i++) {
        double z = 0.1 * i;
        double weight = exp(-z * z / 2);
        double rate = 1 / (1 + exp(-centre - sqrt(2) * spread * z));
        weights += weight;
        below += weight * at_most(seen, all, rate);
        above += weight * at_least(seen, all, rate);
    }
    return fmin(1, 2 * fmin(below, above) / weights);
}

// The weight of a run whose rate is `z` spreads from the mean, times the tail at that rate.
struct spread_mean {
    double events, trials, mean, spread;
    bool excess;
};

static double weighted_tail(const struct spread_mean* m, double z) {
    double rate = fmin(1, m->mean * exp(m->spread * z));
    double tail =
        m->excess ? at_least(m->events, m->trials, rate) : at_most(m->events, m->trials, rate);
    return tail * exp(-z * z / 2) / sqrt(2 * M_PI);
}

// Simpson's rule.
static double integral(const struct spread_mean* m, double from, double to) {
    const int steps = 128; // even
    double step = (to - from) / steps, sum = 0;
    if (!(to > from)) return 0;
    for (int i = 0; i <= steps; i++)
        sum += (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2) * weighted_tail(m, from + step * i);
    return sum * step / 3;
}

static double mean_tail(const struct spread_mean* m) {
    const double end = 9; // spreads from the mean: leaves out 2e-19
    if (!(m->spread > 0)) return weighted_tail(m, 0) * sqrt(2 * M_PI);
    // With many events the tail is nearly a step at the rate that was seen: a part of its own.
    double seen = fmax(m->events, 0.5) / fmax(m->trials, 1);
    double middle = log(seen / m->mean) / m->spread;
    double width = 8 / (m->spread * sqrt(m->events + 1));
    double from = fmin(fmax(middle - width, -end), end), to = fmax(fmin(middle + width, end), -end);
    return fmin(1, integral(m, -end, from) + integral(m, from, to) + integral(m, to, end));
}

double oracle_excess(uint64_t events, uint64_t trials, double mean, double spread) {
    struct spread_mean m = {(double)events, (double)trials, mean, spread, .excess = true};
    if (events == 0) return 1;
    return mean > 0 ? mean_tail(&m) : 0;
}

double oracle_deficit(uint64_t events, uint64_t trials, double mean, double spread) {
    struct spread_mean m = {(double)events, (double)trials, mean, spread, .excess = false};
    return mean > 0 && events < trials ? mean_tail(&m) : 1;
}

// ---- Many tests -------------------------------------------------------------------------------

struct ranked {
    double p;
    size_t index;
};

static int compare_ranked(const void* left, const void* right) {
    const struct ranked *a = left, *b = right;
    if (a->p != b->p) return a->p < b->p ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

void oracle_holm(double* p, size_t count) {
    struct ranked* ranked = calloc(count + 1, sizeof *ranked);
    if (ranked == NULL) { // Bonferroni's adjustment needs no memory and is never smaller
        for (size_t i = 0; i < count; i++) p[i] = fmin(1, p[i] * (double)count);
        return;
    }
    for (size_t i = 0; i < count; i++) ranked[i] = (struct ranked){p[i], i};
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fmin(1, ranked[i].p * (double)(count - i)));
        p[ranked[i].index] = most;
    }
    free(ranked);
}
