// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "rows.h"

#include <string.h>

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

uint64_t ceilings_events(const struct results_row* row, const struct results_ceiling* ceiling) {
    switch (ceiling->subject) {
    case RESULTS_SUBJECT_CAUSE: return row->counts.cause[ceiling->index];
    case RESULTS_SUBJECT_REFUSAL: return row->counts.refused[ceiling->index];
    case RESULTS_SUBJECT_ATTRIBUTION: return row->counts.verdict[ORACLE_ATTRIBUTION];
    case RESULTS_SUBJECT_TRANSITION: return row->counts.verdict[ORACLE_TRANSITION];
    }
    return 0;
}

uint64_t ceilings_control(const struct results_row* row) {
    uint64_t sum = 0;
    for (uint32_t c = 0; c < RESULTS_CAUSES; c++)
        if ((ceilings_expected(row)->control >> c & 1u) != 0) sum += row->counts.cause[c];
    return sum;
}

uint64_t ceilings_known(const struct results_row* row) {
    uint64_t sum = 0;
    for (size_t i = 0; i < ceilings_count(row); i++) {
        const struct results_ceiling* ceiling = ceilings_at(row, i);
        bool control = (ceilings_expected(row)->control >> ceiling->index & 1u) != 0;
        if (ceiling->subject == RESULTS_SUBJECT_CAUSE && !control)
            sum += ceilings_events(row, ceiling);
    }
    return sum;
}
