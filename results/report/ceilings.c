// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "rows.h"

#include <string.h>

// A bug has gone where so few events would be seen by chance, once in a thousand rows, if they came
// at the rate of the floor: a two-sided interval of this confidence leaves 0.001 above it.
#define GONE_CONFIDENCE 0.998

const struct results_expected* ceilings_expected(const struct results_row* row) {
    static const struct results_expected nothing;
    const struct results_expected* expected = row->execution->expected;
    return expected != NULL ? &expected[row->layer] : &nothing;
}

size_t ceilings_count(const struct results_row* row) {
    return ceilings_expected(row)->ceiling_count;
}

const struct results_ceiling* ceilings_at(const struct results_row* row, size_t index) {
    return &ceilings_expected(row)->ceilings[index];
}

// What a control is to show it may show at any rate: no ceiling counts it.
static uint32_t bits_of(const struct results_row* row, const struct results_ceiling* ceiling) {
    return ceiling->verdicts & ~ceilings_expected(row)->verdicts;
}

uint64_t ceilings_events(const struct results_row* row, const struct results_ceiling* ceiling) {
    return results_sum(row->counts.verdict,
                       bits_of(row, ceiling) & (RESULTS_WALKING_ERRORS | 1u << ORACLE_ATTRIBUTION));
}

uint64_t ceilings_known(const struct results_row* row) {
    uint64_t sum = 0;
    for (size_t i = 0; i < ceilings_count(row); i++)
        sum += results_sum(row->counts.verdict,
                           bits_of(row, ceilings_at(row, i)) & RESULTS_WALKING_ERRORS);
    return sum;
}

double ceilings_attribution(const struct results_row* row, double limit) {
    for (size_t i = 0; i < ceilings_count(row); i++)
        if (ceilings_at(row, i)->verdicts == 1u << ORACLE_ATTRIBUTION)
            return ceilings_at(row, i)->rate;
    return limit;
}

const char* ceilings_verdicts(uint32_t verdicts, char* text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_MISMATCH_LAST; v++) {
        if ((verdicts & 1u << v) == 0 || used >= size) continue;
        int more = snprintf(text + used, size - used, "%s%s", used == 0 ? "" : " or ",
                            oracle_verdict_text((enum oracle_verdict)v));
        if (more > 0) used += (size_t)more;
    }
    return text;
}

// "truncated 526/1639 = 32.1 % [...], ceiling 40 %" into text.
static const char* describe(const struct results_row* row, const struct results_ceiling* ceiling,
                            char text[2 * CEILINGS_TEXT]) {
    char verdicts[CEILINGS_TEXT], rate[RESULTS_RATE_TEXT];
    bool all = ceiling->verdicts == RESULTS_WALKING_ERRORS;
    snprintf(
        text, 2 * CEILINGS_TEXT, "%s %s, ceiling %g %%",
        all ? "walking errors" : ceilings_verdicts(ceiling->verdicts, verdicts, sizeof verdicts),
        results_rate_text(ceilings_events(row, ceiling), row->judged, rate), ceiling->rate * 100);
    return text;
}

bool ceilings_exceeded(struct results_row* row) {
    for (size_t i = 0; i < ceilings_count(row); i++) {
        const struct results_ceiling* ceiling = ceilings_at(row, i);
        char text[2 * CEILINGS_TEXT];
        uint64_t events = ceilings_events(row, ceiling);
        if (events == 0 || oracle_interval(events, row->judged, 0.95).low <= ceiling->rate)
            continue;
        snprintf(row->reason, sizeof row->reason, "the interval lies above what was measured: %s",
                 describe(row, ceiling, text));
        return true;
    }
    return false;
}

static bool is_gone(const struct results_row* row, const struct results_ceiling* ceiling) {
    double high = oracle_interval(ceilings_events(row, ceiling), row->judged, GONE_CONFIDENCE).high;
    return high < ceiling->floor;
}

enum results_row_verdict ceilings_verdict(struct results_row* row) {
    enum results_row_verdict verdict = RESULTS_ROW_PASS;
    for (size_t i = 0; i < ceilings_count(row); i++) {
        const struct results_ceiling* ceiling = ceilings_at(row, i);
        char text[2 * CEILINGS_TEXT];
        if (ceiling->bug == NULL || bits_of(row, ceiling) == 0) continue;
        bool gone = is_gone(row, ceiling);
        size_t used = strlen(row->reason);
        if (gone) verdict = RESULTS_ROW_XPASS;
        else if (verdict == RESULTS_ROW_PASS) verdict = RESULTS_ROW_XFAIL;
        snprintf(row->reason + used, sizeof row->reason - used, "%s%s%s: %s", used == 0 ? "" : "; ",
                 ceiling->bug, gone ? " seems mended" : "", describe(row, ceiling, text));
    }
    return verdict;
}
