// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "more_time.h"

#include <stdio.h>
#include <string.h>

static bool next_row(const struct job* job, int* layer, struct results_row* row) {
    while (++*layer < ORACLE_LAYER_COUNT) {
        if ((job->execution.layers & 1u << *layer) == 0) continue;
        results_row_judge(&job->execution, (enum oracle_layer) * layer, row);
        return true;
    }
    return false;
}

// Too few samples: of the layer, or in a cell that the case is for.
static bool starved(const struct job* job, const struct results_row* row) {
    if (row->verdict == RESULTS_ROW_INCONCLUSIVE) return row->judged < row->minimum;
    return row->verdict == RESULTS_ROW_VACUOUS && job->execution.work == RESULTS_WORK_DONE;
}

static bool passes(const struct results_row* row) {
    return results_exit_status(row->verdict) == 0 || row->verdict == RESULTS_ROW_XPASS_CONTROL;
}

bool more_time_helps(const struct job* job, char* remark, size_t remark_size) {
    struct results_row row;
    bool helps = false;
    if (job->execution.end != RESULTS_END_EXITED) return false;
    for (int layer = -1; next_row(job, &layer, &row);) {
        if (starved(job, &row)) {
            if (!helps)
                snprintf(remark, remark_size, "second run, of %g s: in %g s %s had judged %llu",
                         OPTIONS_MORE_TIME * options_seconds(&job->own), options_seconds(&job->own),
                         oracle_layer_text(row.layer), (unsigned long long)row.judged);
            helps = true;
        } else if (!passes(&row)) {
            return false;
        }
    }
    return helps;
}

bool more_time_is_sound(const struct job* job) {
    struct results_row row;
    if (job->execution.end == RESULTS_END_INTERRUPTED) return false;
    for (int layer = -1; next_row(job, &layer, &row);)
        if (row.verdict == RESULTS_ROW_HARNESS) return false;
    return true;
}
