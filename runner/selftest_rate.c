// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Exact where that is affordable: the hypergeometric tail has as many terms as the unspoilt run had
// events.
#include "selftest_rate.h"

#include <math.h>

#include "oracle/oracle.h"

// The logarithm of n over k. lgamma_r: lgamma writes to a global.
static double log_choose(double n, double k) {
    int sign;
    return lgamma_r(n + 1, &sign) - lgamma_r(k + 1, &sign) - lgamma_r(n - k + 1, &sign);
}

double selftest_chance(struct selftest_count spoilt, struct selftest_count plain) {
    if (spoilt.trials == 0 || plain.trials == 0 || spoilt.events == 0) return 1;
    double n = (double)spoilt.trials, m = (double)plain.trials;
    double all = (double)(spoilt.events + plain.events);
    double whole = log_choose(n + m, all), sum = 0;
    for (uint64_t left = plain.events + 1; left-- > 0;) {
        double moved = all - (double)left; // events in the spoilt run, had chance dealt them
        if (moved > n) continue;
        double term = exp(log_choose(n, moved) + log_choose(m, (double)left) - whole);
        sum += term;
        // Terms rise to the middle and fall from there: the rest is less than rounding leaves.
        if (term < sum * 1e-15 && (double)left < all * m / (n + m)) break;
    }
    return sum < 1 ? sum : 1;
}

static double rate_of(struct selftest_count count) {
    return count.trials == 0 ? 0 : (double)count.events / (double)count.trials;
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
