// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The confidence interval. The only file that knows the statistics library.
#include <stdio.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "oracle.h"

// On in every build: a rate above 1 or a confidence outside (0, 1) is a bug of the caller.
static void require(bool holds, const char* what) {
    if (holds) return;
    fprintf(stderr, "oracle_interval: %s\n", what);
    abort();
}

struct oracle_interval oracle_interval(uint64_t events, uint64_t trials, double confidence) {
    require(events <= trials, "more events than trials");
    require(confidence > 0 && confidence < 1, "confidence is not between 0 and 1");
    struct oracle_interval interval = {0, 1};
    double tail = (1 - confidence) / 2; // on each side, also where one side is fixed at 0 or 1
    double hits = (double)events;
    double others = (double)(trials - events);
    if (events != 0) interval.low = gsl_cdf_beta_Pinv(tail, hits, others + 1);
    if (events != trials) interval.high = gsl_cdf_beta_Qinv(tail, hits + 1, others);
    return interval;
}
