// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A normal distribution of the logarithm of a rate, from counts.
#include "expect_parts.h"

#include <math.h>

#define ROUNDS 200       // of maximum likelihood
#define SETTLED 1e-6     // change of mean and spread at which it ends
#define MANY_EVENTS 400. // from here on the noise of counting is 1 / rate
#define VARIANCE_MOST 25.

// ---- The noise of counting ----------------------------------------------------------------------

void expect_noise(double rate, double* mean, double* variance) {
    *mean = log(rate);
    *variance = 1 / rate;
    if (rate > MANY_EVENTS) return;
    double weight = exp(-rate), sum = 0, squares = 0;
    for (unsigned k = 0; k < 2 * (unsigned)MANY_EVENTS; k++) {
        double value = log(k == 0 ? 0.5 : (double)k);
        sum += weight * value;
        squares += weight * value * value;
        weight *= rate / (k + 1);
    }
    *mean = sum;
    *variance = fmax(0, squares - sum * sum);
}

size_t expect_case_end(const struct expect_point* points, size_t count, size_t first) {
    size_t end = first;
    while (end < count && points[end].test == points[first].test) end++;
    return end;
}

// Sums of the squares about the case's mean and of their noise. Gives the degrees of freedom.
static double squares_of_case(const struct expect_point* points, size_t count, double* squares,
                              double* noise) {
    double events = 0, trials = 0, sum = 0, here = 0, noises = 0;
    for (size_t i = 0; i < count; i++) {
        events += points[i].events;
        trials += points[i].trials;
        sum += log(fmax(points[i].events, 0.5) / points[i].trials);
    }
    if (events == 0 || count < 2) return 0;
    for (size_t i = 0; i < count; i++) {
        double mean, variance;
        double off = log(fmax(points[i].events, 0.5) / points[i].trials) - sum / (double)count;
        expect_noise(events / trials * points[i].trials, &mean, &variance);
        here += off * off;
        noises += variance;
    }
    *squares += here;
    *noise += noises * (double)(count - 1) / (double)count;
    return (double)(count - 1);
}

double expect_within(const struct expect_point* points, size_t count) {
    double squares = 0, noise = 0, freedom = 0;
    const double least = EXPECT_SPREAD_LEAST * EXPECT_SPREAD_LEAST;
    for (size_t i = 0, end; i < count; i = end) {
        end = expect_case_end(points, count, i);
        freedom += squares_of_case(points + i, end - i, &squares, &noise);
    }
    if (freedom == 0) return least;
    double variance = (squares - noise + squares * sqrt(2 / freedom)) / freedom;
    return fmin(fmax(variance, least), VARIANCE_MOST);
}

// ---- Maximum likelihood -------------------------------------------------------------------------

// The most probable logarithm of a point's rate, and its variance: Newton's steps on a concave
// function.
static double most_probable(const struct expect_point* p, const struct expect_fit* fit,
                            double* variance) {
    double x = p->events > 0 ? log(p->events / p->trials) : fit->mean;
    for (int i = 0; i < 50; i++) {
        double expected = p->trials * exp(x);
        double slope = p->events - expected - (x - fit->mean) / fit->variance;
        double step = slope / (expected + 1 / fit->variance);
        x += fmax(-2, fmin(2, step));
        if (fabs(step) < 1e-9) break;
    }
    *variance = 1 / (p->trials * exp(x) + 1 / fit->variance);
    return x;
}

static double pooled_rate(const struct expect_point* points, size_t count, double* events) {
    double trials = 0;
    *events = 0;
    for (size_t i = 0; i < count; i++) {
        *events += points[i].events;
        trials += points[i].trials;
    }
    return fmax(*events, 0.5) / trials;
}

// Expectation and maximisation, with a normal approximation of each point's rate. `fixed`: the
// variance stays.
static struct expect_fit maximise(const struct expect_point* points, size_t count, double least,
                                  bool fixed) {
    double events;
    struct expect_fit fit = {log(pooled_rate(points, count, &events)), fixed ? least : 1};
    for (int round = 0; round < ROUNDS && events != 0; round++) {
        double sum = 0, squares = 0, own = 0;
        for (size_t i = 0; i < count; i++) {
            double variance, x = most_probable(&points[i], &fit, &variance);
            sum += x;
            squares += x * x;
            own += variance;
        }
        struct expect_fit next = {sum / (double)count, fit.variance};
        double variance = (squares + own) / (double)count - next.mean * next.mean;
        if (!fixed) next.variance = fmin(fmax(variance, least), VARIANCE_MOST);
        double change = fabs(next.mean - fit.mean) + fabs(next.variance - fit.variance);
        fit = next;
        if (change < SETTLED) break;
    }
    return fit;
}

double expect_rate(const struct expect_point* points, size_t count) {
    double events;
    return pooled_rate(points, count, &events);
}

struct expect_fit expect_over(const struct expect_point* points, size_t count, double variance) {
    return maximise(points, count, variance, false);
}

struct expect_fit expect_of_case(const struct expect_point* points, size_t count, double variance) {
    double events;
    struct expect_fit fit = maximise(points, count, variance, true);
    pooled_rate(points, count, &events);
    fit.variance += variance / (double)count + 1 / fmax(events, 0.5);
    return fit;
}

// Expectation and maximisation, as in maximise; the line's runs count as that many logarithms of
// its mean and variance.
struct expect_fit expect_more(const struct expect_fit* line, unsigned long runs,
                              const struct expect_point* points, size_t count) {
    struct expect_fit fit = *line;
    double all = (double)runs + (double)count;
    for (int round = 0; round < ROUNDS; round++) {
        double sum = (double)runs * line->mean;
        double squares = (double)runs * (line->variance + line->mean * line->mean);
        for (size_t i = 0; i < count; i++) {
            double variance, x = most_probable(&points[i], &fit, &variance);
            sum += x;
            squares += x * x + variance;
        }
        struct expect_fit next = {sum / all, squares / all - sum / all * (sum / all)};
        double change = fabs(next.mean - fit.mean) + fabs(next.variance - fit.variance);
        fit = next;
        if (change < SETTLED) break;
    }
    fit.variance =
        fmin(fmax(fit.variance, EXPECT_SPREAD_LEAST * EXPECT_SPREAD_LEAST), VARIANCE_MOST);
    return fit;
}
