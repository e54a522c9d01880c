// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The counts of the unspoilt JVM, run by run and mark by mark; sums and differences of counts.
#include <math.h>

#include "selftest_parts.h"

// A tally is made of such counts only.
typedef uint64_t counts[sizeof(struct selftest_tally) / sizeof(uint64_t)];
_Static_assert(sizeof(counts) == sizeof(struct selftest_tally), "a tally has counts only");

struct selftest_tally selftest_difference(const struct selftest_tally* late,
                                          const struct selftest_tally* early) {
    union {
        struct selftest_tally tally;
        counts counts;
    } rest = {*late}, minus = {*early};
    for (size_t i = 0; i < sizeof rest.counts / sizeof rest.counts[0]; i++)
        rest.counts[i] -= minus.counts[i];
    return rest.tally;
}

void selftest_sum(struct selftest_tally* sum, const struct selftest_tally* more) {
    const struct selftest_tally none = {0}, minus = selftest_difference(&none, more);
    *sum = selftest_difference(sum, &minus);
}

static void add(struct selftest_beginning* beginning, const struct selftest_tally* tally) {
    beginning->runs[beginning->count++] = *tally;
    selftest_sum(&beginning->sum, tally);
}

void selftest_plain_add(struct selftest_plain* plain, const struct selftest_trial* run) {
    if (plain->count == SELFTEST_PLAIN_RUNS) return;
    plain->count++;
    for (unsigned i = 0; i < run->mark_count; i++) add(&plain->beginnings[i], &run->marks[i]);
    add(&plain->beginnings[SELFTEST_MARKS], &run->end);
}

const struct selftest_beginning* selftest_plain_like(const struct selftest_plain* plain,
                                                     uint64_t asked) {
    for (unsigned i = 0; i < SELFTEST_MARKS; i++) {
        const struct selftest_beginning* beginning = &plain->beginnings[i];
        if (beginning->count == plain->count &&
            M_SQRT2 * (double)beginning->sum.asked >= (double)asked * beginning->count)
            return beginning;
    }
    return &plain->beginnings[SELFTEST_MARKS];
}

const struct selftest_tally* selftest_plain_sum(const struct selftest_plain* plain) {
    return &plain->beginnings[SELFTEST_MARKS].sum;
}
