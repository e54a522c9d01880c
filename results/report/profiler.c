// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What only the layer `profiler` has: accounts, and samples that belong to no instant.
#include "rows.h"

// Of the profiler's samples of known threads. A recording that begins or ends in the middle of a
// signal leaves a few at most.
#define ASTRAY_LIMIT 0.001

static const struct results_run* run_of(const struct results_row* row) {
    return row->layer == ORACLE_LAYER_PROFILER ? row->execution->run : NULL;
}

// Instants that found no room in the record: nothing is there that their samples could be of.
static uint64_t unrecorded(const struct results_run* run) {
    return run->instants > run->instants_recorded ? run->instants - run->instants_recorded : 0;
}

// Samples of no instant of their own, more than the record's gaps explain.
static uint64_t count_astray(const struct results_run* run) {
    const uint64_t gaps = unrecorded(run), unmatched = run->profiler_unmatched;
    return (unmatched > gaps ? unmatched - gaps : 0) + run->profiler_ambiguous;
}

uint64_t results_astray(const struct results_run* run) {
    return count_astray(run) + run->profiler_doubled;
}

bool profiler_astray(struct results_row* row) {
    char rate[RESULTS_RATE_TEXT];
    const struct results_run* run = run_of(row);
    if (run == NULL || run->profiler_samples <= run->profiler_foreign) return false;
    uint64_t astray = count_astray(run);
    uint64_t samples = run->profiler_samples - run->profiler_foreign;
    if (astray == 0 || astray > samples ||
        !oracle_interval_above(astray, samples, 0.95, ASTRAY_LIMIT))
        return false;
    snprintf(row->reason, sizeof row->reason,
             "%s of the profiler's samples belong to no one instant of their thread, above %g %%: "
             "its times or threads are wrong, or the record's are",
             results_rate_text(astray, samples, rate), ASTRAY_LIMIT * 100);
    return true;
}

bool profiler_lacks(struct results_row* row) {
    const char* why = row->execution->unprofiled;
    if (row->layer != ORACLE_LAYER_PROFILER || why == NULL) return false;
    snprintf(row->reason, sizeof row->reason, "%s", why);
    return true;
}

const char* results_subject_profiled(enum results_subject subject) {
    switch (subject) {
    case RESULTS_SUBJECT_SILENT: return "silent";
    case RESULTS_SUBJECT_CUT: return "cut";
    case RESULTS_SUBJECT_EMPTY: return "empty";
    case RESULTS_SUBJECT_CAUSE:
    case RESULTS_SUBJECT_REFUSAL:
    case RESULTS_SUBJECT_ATTRIBUTION:
    case RESULTS_SUBJECT_TRANSITION: break;
    }
    return NULL;
}

uint64_t profiler_events(const struct results_row* row, enum results_subject subject) {
    const struct results_run* run = run_of(row);
    if (run == NULL) return 0;
    if (subject == RESULTS_SUBJECT_SILENT) return run->profiler_silent;
    if (subject == RESULTS_SUBJECT_CUT) return run->profiler_truncated;
    return row->counts.verdict[ORACLE_REFUSED];
}

uint64_t profiler_signals(const struct results_row* row) {
    const struct results_run* run = run_of(row);
    return run != NULL ? run->instants_recorded : 0;
}

void profiler_note(struct results_row* row) {
    const struct results_run* run = run_of(row);
    if (run == NULL) return;
    if (row->execution->unprofiled != NULL && run->instants_recorded == 0) {
        rows_note(row, "%llu signals, none judged", (unsigned long long)run->instants);
        return;
    }
    rows_note(row, "%s: %llu signals, %llu samples, %llu lost as told, %llu lost silently",
              run->profiler[0] != '\0' ? run->profiler : "no profiler",
              (unsigned long long)row->counts.asked, (unsigned long long)run->profiler_joined,
              (unsigned long long)run->profiler_lost, (unsigned long long)run->profiler_silent);
    if (unrecorded(run) != 0)
        rows_note(row, "%llu signals are not in the record, which had no room: not judged",
                  (unsigned long long)unrecorded(run));
    uint64_t astray = results_astray(run);
    if (astray != 0)
        rows_note(row, "%llu samples of no instant of their own", (unsigned long long)astray);
    if (run->profiler_biased != 0)
        rows_note(row, "%llu biased, counted apart", (unsigned long long)run->profiler_biased);
    if (run->profiler_truncated != 0)
        rows_note(row, "%llu say that they are cut, and are judged as far as they go",
                  (unsigned long long)run->profiler_truncated);
    if (row->counts.verdict[ORACLE_REFUSED] != 0)
        rows_note(row, "%llu without frames",
                  (unsigned long long)row->counts.verdict[ORACLE_REFUSED]);
}
