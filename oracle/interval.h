// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Private to the room: the beta distribution. Its tails are also those of the binomial
// distribution: the probability of at least k successes (k > 0) in n trials at `rate` is
// interval_tail(rate, k, n - k + 1, false).
#ifndef ORACLE_INTERVAL_H
#define ORACLE_INTERVAL_H

#include <stdbool.h>

// The probability that a Beta(a, b) variable is at most `rate`, or above it if `upper` is set.
// `rate` lies in [0, 1]; a and b are positive. Not for handlers.
double interval_tail(double rate, double a, double b, bool upper);

#endif
