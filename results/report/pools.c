// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What all rows say together: known causes by layer, and the unexplained by mode and layer.
#include <stdlib.h>
#include <string.h>

#include "rows.h"

// What a profiler meets first.
static int rank_of(enum oracle_layer layer) {
    static const int ranks[] = {
        [ORACLE_LAYER_ASYNC] = 0,     [ORACLE_LAYER_STRUCTURE] = 1, [ORACLE_LAYER_SANDWICH] = 2,
        [ORACLE_LAYER_SAFEPOINT] = 3, [ORACLE_LAYER_GST] = 4,       [ORACLE_LAYER_GROUND] = 5,
        [ORACLE_LAYER_PROFILER] = 6,  [ORACLE_LAYER_HOSTILE] = 7,   [ORACLE_LAYER_SURVIVE] = 8};
    _Static_assert(sizeof ranks / sizeof ranks[0] == ORACLE_LAYER_COUNT, "each layer has a rank");
    return layer < ORACLE_LAYER_COUNT ? ranks[layer] : ORACLE_LAYER_COUNT;
}

// Nothing is to be learnt from a run in which something of ours was broken, nor from agreement with
// nothing.
static bool says_something(const struct results_row* row) {
    return row->judged != 0 && row->verdict != RESULTS_ROW_HARNESS &&
           (row->mismatched != 0 || !exact_compares_nothing(row));
}

// ---- Known causes -----------------------------------------------------------------------------

static const char* text_of(const char* text) {
    return text != NULL ? text : "";
}

// The entry of the row's cause, made where there is none yet.
static struct results_known* known_of(struct results_report* report, const struct results_row* row,
                                      uint32_t index) {
    const char* name = results_cause_name(row->execution, index);
    for (size_t i = 0; i < report->known_count; i++) {
        struct results_known* known = &report->known[i];
        if (known->layer == row->layer && strcmp(known->name, name) == 0) return known;
    }
    const struct results_cause* cause = ceilings_cause(row, index);
    struct results_known* known = &report->known[report->known_count++];
    *known = (struct results_known){.name = name,
                                    .title = cause != NULL ? text_of(cause->title) : "",
                                    .finding = cause != NULL ? text_of(cause->finding) : "",
                                    .bug = cause != NULL ? text_of(cause->bug) : "",
                                    .layer = row->layer};
    return known;
}

// Was the cause seen in an earlier row of this case and layer?
static bool case_is_new(const struct results_report* report, const struct results_row* row,
                        uint32_t index) {
    for (const struct results_row* r = report->rows; r < row; r++)
        if (says_something(r) && r->layer == row->layer && r->cause[index] != 0 &&
            strcmp(r->execution->case_name, row->execution->case_name) == 0)
            return false;
    return true;
}

static void add_known(struct results_report* report, const struct results_row* row,
                      uint32_t index) {
    bool measured = ceilings_is_measured(row, index);
    bool control = ceilings_is_control(row, index);
    bool unexplained = index == RESULTS_UNEXPLAINED;
    if (row->cause[index] == 0 && !measured && !control && !unexplained) return;
    struct results_known* known = known_of(report, row, index);
    known->judged += row->judged;
    known->count += row->cause[index];
    if (!measured && !control && !unexplained) known->unmeasured += row->cause[index];
    if (row->cause[index] != 0) known->cases += case_is_new(report, row, index);
}

static int compare_known(const void* left, const void* right) {
    const struct results_known *a = left, *b = right;
    bool a_last = strcmp(a->name, "unexplained") == 0, b_last = strcmp(b->name, "unexplained") == 0;
    if (a_last != b_last) return a_last ? 1 : -1;
    if (a->layer != b->layer) return rank_of(a->layer) - rank_of(b->layer);
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    return strcmp(a->name, b->name);
}

static void gather_known(struct results_report* report) {
    for (size_t i = 0; i < report->row_count; i++)
        for (uint32_t c = 0; c < RESULTS_CAUSES; c++)
            if (says_something(&report->rows[i])) add_known(report, &report->rows[i], c);
    size_t seen = 0;
    for (size_t i = 0; i < report->known_count; i++)
        if (report->known[i].count != 0) report->known[seen++] = report->known[i];
    report->known_count = seen;
    qsort(report->known, seen, sizeof *report->known, compare_known);
}

// ---- Pools ------------------------------------------------------------------------------------

static struct results_pool* pool_of(struct results_report* report, const struct results_row* row) {
    for (size_t i = 0; i < report->pool_count; i++)
        if (report->pools[i].layer == row->layer &&
            strcmp(report->pools[i].mode, row->execution->mode) == 0)
            return &report->pools[i];
    struct results_pool* pool = &report->pools[report->pool_count++];
    *pool = (struct results_pool){.mode = row->execution->mode,
                                  .layer = row->layer,
                                  .limit = row->limit * RESULTS_POOL_SHARE};
    return pool;
}

static int compare_numbers(const void* left, const void* right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

// Does the row claim that there is nothing to notice?
static bool passes(const struct results_row* row) {
    return says_something(row) && row->verdict != RESULTS_ROW_SKIP &&
           results_exit_status(row->verdict) == 0;
}

// What the rows that pass would have noticed: of one pool, or NULL of all in which a walker is
// asked. `room` is for all rows. The median is of the higher of two in the middle.
static size_t rows_notice(const struct results_report* report, const struct results_pool* pool,
                          double* room, double* median, double* worst) {
    size_t count = 0;
    for (size_t i = 0; i < report->row_count; i++) {
        const struct results_row* row = &report->rows[i];
        bool asked = row->layer != ORACLE_LAYER_GROUND && row->layer != ORACLE_LAYER_GST;
        if (passes(row) && (pool == NULL ? asked
                                         : row->layer == pool->layer &&
                                               strcmp(row->execution->mode, pool->mode) == 0))
            room[count++] = row->notices;
    }
    qsort(room, count, sizeof *room, compare_numbers);
    *median = count == 0 ? 1 : room[count / 2];
    *worst = count == 0 ? 1 : room[count - 1];
    return count;
}

static int compare_pools(const void* left, const void* right) {
    const struct results_pool *a = left, *b = right;
    if (a->layer != b->layer) return rank_of(a->layer) - rank_of(b->layer);
    return strcmp(a->mode, b->mode);
}

static void gather_pools(struct results_report* report, double* room) {
    for (size_t i = 0; i < report->row_count; i++) {
        const struct results_row* row = &report->rows[i];
        if (!says_something(row)) continue;
        struct results_pool* pool = pool_of(report, row);
        pool->rows++;
        pool->unexplained += exact_others(row);
        pool->judged += row->judged;
    }
    qsort(report->pools, report->pool_count, sizeof *report->pools, compare_pools);
    for (size_t i = 0; i < report->pool_count; i++) {
        struct results_pool* pool = &report->pools[i];
        pool->interval = oracle_interval(pool->unexplained, pool->judged, 0.95);
        pool->failed = pool->unexplained != 0 && pool->interval.low > pool->limit;
        pool->notices = power_rate(pool->unexplained, power_over_limit(pool->judged, pool->limit),
                                   pool->judged);
        rows_notice(report, pool, room, &pool->row_notices, &pool->row_blindest);
    }
}

int pools_gather(struct results_report* report) {
    double* room = calloc(report->row_count + 1, sizeof *room);
    pools_free(report);
    report->pools = calloc(report->row_count + 1, sizeof *report->pools);
    report->known = calloc((size_t)ORACLE_LAYER_COUNT * RESULTS_CAUSES + 1, sizeof *report->known);
    bool enough = room != NULL && report->pools != NULL && report->known != NULL;
    if (enough) {
        gather_known(report);
        gather_pools(report, room);
    }
    free(room);
    return enough ? 0 : -1;
}

void pools_free(struct results_report* report) {
    free(report->pools);
    free(report->known);
    report->pools = NULL;
    report->known = NULL;
    report->pool_count = report->known_count = 0;
}

// ---- In words ---------------------------------------------------------------------------------

const struct results_pool* pools_failed(const struct results_report* report) {
    for (size_t i = 0; i < report->pool_count; i++)
        if (report->pools[i].failed) return &report->pools[i];
    return NULL;
}

const char* pools_reason(const struct results_pool* pool, char text[POOLS_TEXT]) {
    char rate[RESULTS_RATE_TEXT];
    snprintf(text, POOLS_TEXT, "all rows of %s %s: unexplained %s, above the limit of %g %%",
             pool->mode, oracle_layer_text(pool->layer),
             results_rate_text(pool->unexplained, pool->judged, rate), pool->limit * 100);
    return text;
}

const char* pools_power(const struct results_report* report, char text[POOLS_TEXT]) {
    char medians[RESULTS_PERCENT_TEXT], worsts[RESULTS_PERCENT_TEXT], pools[RESULTS_PERCENT_TEXT];
    const struct results_pool* blindest = NULL;
    double median, worst, *room = calloc(report->row_count + 1, sizeof *room);
    text[0] = '\0';
    size_t count = room == NULL ? 0 : rows_notice(report, NULL, room, &median, &worst);
    free(room);
    for (size_t i = 0; i < report->pool_count; i++)
        if (blindest == NULL || report->pools[i].notices > blindest->notices)
            blindest = &report->pools[i];
    if (count == 0 || blindest == NULL) return text;
    snprintf(text, POOLS_TEXT,
             "; would notice %s in the median row, %s in the worst, %s in the worst pool (%s %s)",
             results_percent_text(median, medians), results_percent_text(worst, worsts),
             results_percent_text(blindest->notices, pools), blindest->mode,
             oracle_layer_text(blindest->layer));
    return text;
}

static void print_known(const struct results_known* known, FILE* out) {
    char rate[RESULTS_RATE_TEXT];
    fprintf(out, "  %-9s  %-31s  %-38s  %5zu  %7s  %-13s  %s", oracle_layer_text(known->layer),
            known->name, results_rate_text(known->count, known->judged, rate), known->cases,
            known->finding[0] != '\0' ? known->finding : "-",
            known->bug[0] != '\0' ? known->bug : "-", known->title);
    if (known->unmeasured != 0)
        fprintf(out, " (%llu in rows where it was never measured)",
                (unsigned long long)known->unmeasured);
    fprintf(out, "\n");
}

// How many of the report's JVMs died of the cause, from this one on; 0: an earlier one did as well.
static size_t count_deaths(const struct results_report* report, size_t first,
                           const struct results_cause* cause) {
    size_t count = 0;
    for (size_t i = 0; i < report->execution_count && cause != NULL; i++) {
        bool same = verdict_crash_cause(&report->executions[i]) == cause;
        if (same && i < first) return 0;
        count += same;
    }
    return count;
}

static void print_deaths(const struct results_report* report, FILE* out) {
    for (size_t i = 0; i < report->execution_count; i++) {
        const struct results_cause* cause = verdict_crash_cause(&report->executions[i]);
        size_t deaths = count_deaths(report, i, cause);
        if (deaths == 0) continue;
        fprintf(out, "Known crash: %zu of %zu JVMs died of %s, finding %s%s%s (in %s)\n\n", deaths,
                report->execution_count, cause->name, cause->finding,
                *cause->bug == '\0' ? "" : ", ", cause->bug, cause->crash);
    }
}

void pools_print_known(const struct results_report* report, FILE* out) {
    size_t none = 0;
    print_deaths(report, out);
    if (report->known_count == 0) return; // no walking error, or a report that tells no causes
    fprintf(out, "Known bugs of this JDK, over the rows in which they were seen or measured:\n");
    fprintf(out, "  %-9s  %-31s  %-38s  %5s  %7s  %-13s  %s\n", "layer", "cause",
            "errors/judged, 95 % interval", "cases", "finding", "bug", "");
    for (size_t i = 0; i < report->known_count; i++) {
        if (strcmp(report->known[i].name, "unexplained") == 0 && none++ == 0)
            fprintf(out, "%sUnexplained:\n", i == 0 ? "  none\n" : "");
        print_known(&report->known[i], out);
    }
    fprintf(out, "%s\n", none == 0 ? "Unexplained: none\n" : "");
}

void pools_print(const struct results_report* report, FILE* out) {
    if (report->pool_count == 0) return;
    fprintf(out, "\nAll rows of a mode and layer together, and the smallest additional rate of "
                 "unexplained errors that would have failed:\n");
    fprintf(out, "  %-9s  %-12s  %5s  %-38s  %8s  %10s  %10s  %10s\n", "layer", "mode", "rows",
            "unexplained/judged, 95 % interval", "limit", "together", "median row", "worst row");
    for (size_t i = 0; i < report->pool_count; i++) {
        const struct results_pool* pool = &report->pools[i];
        char rate[RESULTS_RATE_TEXT], limit[RESULTS_PERCENT_TEXT], together[RESULTS_PERCENT_TEXT];
        char median[RESULTS_PERCENT_TEXT], worst[RESULTS_PERCENT_TEXT];
        fprintf(out, "  %-9s  %-12s  %5zu  %-38s  %8s  %10s  %10s  %10s%s\n",
                oracle_layer_text(pool->layer), pool->mode, pool->rows,
                results_rate_text(pool->unexplained, pool->judged, rate),
                results_percent_text(pool->limit, limit),
                results_percent_text(pool->notices, together),
                results_percent_text(pool->row_notices, median),
                results_percent_text(pool->row_blindest, worst), pool->failed ? "  FAIL" : "");
    }
}
