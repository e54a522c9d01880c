// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What is exact in a row: sandwiches of threads that were held, and the share of the frames that
// was compared at all.
#include "rows.h"

#include <string.h>

double results_exact_limit(enum oracle_layer layer) {
    return layer == ORACLE_LAYER_SANDWICH ? 0.0005 : 1;
}

// Judged and mismatched, of the exact ones.
static struct results_layer exact_of(const struct results_row* row) {
    struct results_layer counts = {.asked = 0};
    memcpy(counts.verdict, row->counts.exact, sizeof counts.verdict);
    return counts;
}

uint64_t results_exact_judged(const struct results_row* row) {
    const struct results_layer counts = exact_of(row);
    return results_judged(&counts);
}

uint64_t results_exact_mismatched(const struct results_row* row) {
    const struct results_layer counts = exact_of(row);
    return results_mismatched(&counts);
}

uint64_t exact_unexpected(const struct results_row* row) {
    uint32_t known = ceilings_expected(row)->verdicts;
    for (size_t i = 0; i < ceilings_count(row); i++) known |= ceilings_at(row, i)->verdicts;
    return results_sum(row->counts.exact, RESULTS_WALKING_ERRORS & ~known);
}

bool exact_exceeded(struct results_row* row) {
    char rate[RESULTS_RATE_TEXT];
    uint64_t events = exact_unexpected(row), judged = results_exact_judged(row);
    double limit = results_exact_limit(row->layer);
    // One alone is no rate, however few were judged.
    if (events < 2 || oracle_interval(events, judged, 0.95).low <= limit) return false;
    snprintf(row->reason, sizeof row->reason,
             "exact sandwiches: the interval lies above the limit of %g %%: %s", limit * 100,
             results_rate_text(events, judged, rate));
    return true;
}

static void add_note(struct results_row* row, const char* text) {
    size_t used = strlen(row->note);
    snprintf(row->note + used, sizeof row->note - used, "%s%s", used == 0 ? "" : "; ", text);
}

void exact_note(struct results_row* row) {
    char text[RESULTS_RATE_TEXT];
    uint64_t judged = results_exact_judged(row), wrong = results_exact_mismatched(row);
    if (judged != 0) {
        snprintf(text, sizeof text, "%llu exact%s", (unsigned long long)judged,
                 wrong == 0 ? "" : ", of which ");
        size_t used = strlen(text);
        if (wrong != 0)
            snprintf(text + used, sizeof text - used, "%llu wrong", (unsigned long long)wrong);
        add_note(row, text);
    }
    if (row->counts.frames_seen == 0) return;
    double share = (double)row->counts.frames_judged / (double)row->counts.frames_seen;
    snprintf(text, sizeof text, "%.3g %% of the frames judged", share * 100);
    add_note(row, text);
}
