// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What is exact in a row: sandwiches of threads that were held, and the share of the frames that
// was compared at all.
#include "rows.h"

double results_exact_limit(enum oracle_layer layer) {
    return layer == ORACLE_LAYER_SANDWICH ? 0.0005 : 1;
}

// Counts of a JVM that died may not fit each other.
static uint64_t without(uint64_t whole, uint64_t part) {
    return whole > part ? whole - part : 0;
}

uint64_t results_exact_judged(const struct results_row* row) {
    return results_sum(row->counts.exact, RESULTS_JUDGED);
}

uint64_t results_exact_mismatched(const struct results_row* row) {
    return results_sum(row->counts.exact, RESULTS_WALKING_ERRORS);
}

uint64_t exact_unexplained(const struct results_row* row) {
    // As above: a part of the row's, and of the exact ones.
    uint64_t most = results_exact_mismatched(row);
    if (most > row->unexplained) most = row->unexplained;
    return row->counts.exact_unexplained < most ? row->counts.exact_unexplained : most;
}

uint64_t exact_others(const struct results_row* row) {
    return row->unexplained - exact_unexplained(row);
}

uint64_t exact_inexact_judged(const struct results_row* row) {
    return without(row->judged, results_exact_judged(row));
}

uint64_t exact_inexact(const struct results_row* row) {
    uint64_t most = exact_inexact_judged(row);
    uint64_t named = 0; // errors that the run booked under a cause
    for (uint32_t i = 1; i < RESULTS_CAUSES; i++) named += row->counts.cause[i];
    uint64_t unmeasured = without(named, row->known + row->expected);
    uint64_t exact = without(results_exact_mismatched(row), exact_unexplained(row));
    uint64_t inexact = without(exact_others(row), exact < unmeasured ? exact : unmeasured);
    return inexact < most ? inexact : most;
}

bool exact_exceeded(struct results_row* row) {
    char rate[RESULTS_RATE_TEXT];
    uint64_t events = exact_unexplained(row), judged = results_exact_judged(row);
    double limit = results_exact_limit(row->layer);
    // One alone is no rate, however few were judged.
    if (events < 2 || !oracle_interval_above(events, judged, 0.95, limit)) return false;
    snprintf(row->reason, sizeof row->reason,
             "exact sandwiches: unexplained %s, above the limit of %g %%",
             results_rate_text(events, judged, rate), limit * 100);
    return true;
}

bool exact_compares_nothing(const struct results_row* row) {
    return row->counts.frames_seen != 0 && row->counts.frames_judged == 0;
}

void exact_note(struct results_row* row) {
    uint64_t judged = results_exact_judged(row), wrong = results_exact_mismatched(row);
    if (judged != 0 && wrong == 0) rows_note(row, "%llu exact", (unsigned long long)judged);
    else if (wrong != 0)
        rows_note(row, "%llu exact, of which %llu wrong, %llu unexplained",
                  (unsigned long long)judged, (unsigned long long)wrong,
                  (unsigned long long)exact_unexplained(row));
    if (row->counts.frames_seen == 0) return;
    double share = (double)row->counts.frames_judged / (double)row->counts.frames_seen;
    rows_note(row, "%.3g %% of the frames judged", share * 100);
}
