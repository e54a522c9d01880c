// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The beta distribution, whose tails are also those of the binomial: of n trials at `rate`, at
// least k (not 0) succeed with interval_tail(rate, k, n - k + 1, false).
#ifndef ORACLE_INTERVAL_H
#define ORACLE_INTERVAL_H

#include <stdbool.h>

// The weight of Beta(a, b) below `rate` in [0, 1], or above it.
double interval_tail(double rate, double a, double b, bool upper);

#endif
