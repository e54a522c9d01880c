// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "session_parts.h"

#include <math.h>
#include <string.h>

// The length of a second run, as a factor of the first: so many times what the poorest row needs.
// On a busy machine the second may get half of the processor that the first had.
#define LEAST 2.5
#define MOST 8.0
#define SPARE 2
// Seconds. A third run is cut to it where it would still judge so many times what is needed.
#define LONGEST_THIRD 60.0
#define CUT_SPARE 1.25

static bool next_row(const struct job* job, int* layer, struct results_row* row) {
    while (++*layer < ORACLE_LAYER_COUNT) {
        if ((job->execution.layers & 1u << *layer) == 0) continue;
        results_row_judge(&job->execution, (enum oracle_layer) * layer, row);
        return true;
    }
    return false;
}

// Refusals, transitions, attribution or known errors are more than was measured. A run that hardly
// had a processor is mostly a start, and the measurements are of runs that were not; and the spread
// that ten runs show understates itself. So a second run must show it, too.
static bool is_above_measured(const struct job* job, const struct results_row* row) {
    const struct results_execution* e = &job->execution;
    return row->verdict == RESULTS_ROW_FAIL && row->unexplained == 0 &&
           row->settling_mismatches == 0 && e->status == e->status_wanted;
}

// Too few samples: of the layer, or in a cell that the case is for. `more`: the row is above what
// was measured. A JVM that refuses everything is both.
static bool starved(const struct job* job, const struct results_row* row, bool more) {
    if (row->verdict == RESULTS_ROW_INCONCLUSIVE || more) return row->judged < row->minimum;
    return row->verdict == RESULTS_ROW_VACUOUS && job->execution.work == RESULTS_WORK_DONE;
}

static bool passes(const struct results_row* row) {
    return results_exit_status(row->verdict) == 0 || row->verdict == RESULTS_ROW_XPASS_CONTROL;
}

// The factor for this row. The samples that a cell lacks are not known here.
static double factor_of(const struct results_row* row) {
    if (row->verdict == RESULTS_ROW_VACUOUS) return LEAST;
    if (row->judged == 0) return MOST;
    return fmin(fmax(ceil(2 * SPARE * (double)row->minimum / (double)row->judged) / 2, LEAST),
                MOST);
}

// The seconds of a third run that took `seconds` before, when it judged row; 0: it would be too
// long.
static double third(const struct results_row* row, double seconds, double wanted) {
    if (wanted <= LONGEST_THIRD) return wanted;
    const double expected = (double)row->judged * LONGEST_THIRD / seconds;
    return expected >= CUT_SPARE * (double)row->minimum ? LONGEST_THIRD : 0;
}

bool more_time_failed(const struct job* job) {
    struct results_row row;
    for (int layer = -1; next_row(job, &layer, &row);)
        if (row.verdict == RESULTS_ROW_FAIL) return true;
    return false;
}

double more_time_wanted(const struct job* job, bool condemned, char* remark, size_t remark_size) {
    struct results_row row, poorest = {0};
    double factor = 0;
    bool above = false;
    if (job->execution.end != RESULTS_END_EXITED) return 0;
    if (job->repeats > 1 || (job->repeats == 1 && more_time_failed(job))) return 0;
    for (int layer = -1; next_row(job, &layer, &row);) {
        const bool more = is_above_measured(job, &row);
        above = above || more;
        if (starved(job, &row, more)) {
            const double needed = factor_of(&row);
            if (needed > factor) poorest = row;
            factor = fmax(factor, needed);
        } else if (!more && !passes(&row)) {
            return 0;
        }
    }
    const double seconds = options_seconds(&job->own);
    double wanted = factor * seconds;
    if (job->repeats == 1 && (wanted = third(&poorest, seconds, wanted)) == 0) return 0;
    if (condemned && above) return 0;
    if (factor == 0 && above) {
        wanted = LEAST * seconds;
        snprintf(remark, remark_size, "second run, of %g s: %g s had shown more than was measured",
                 wanted, seconds);
    } else if (factor > 0)
        snprintf(remark, remark_size, "%s run, of %g s: in %g s %s had judged %llu",
                 job->repeats == 0 ? "second" : "third", wanted, seconds,
                 oracle_layer_text(poorest.layer), (unsigned long long)poorest.judged);
    return wanted;
}

bool more_time_is_sound(const struct job* job) {
    struct results_row row;
    if (job->execution.end == RESULTS_END_INTERRUPTED) return false;
    for (int layer = -1; next_row(job, &layer, &row);)
        if (row.verdict == RESULTS_ROW_HARNESS) return false;
    return true;
}
