// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// From the rows of all runs to one verdict, one line that states it, and an exit status.
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "rows.h"

#define RELEASE_TEXT 80

// The whole is as bad as its worst row. SKIP is at the end: rows that were not run change nothing,
// and where nothing else is there nothing was tested.
static const enum results_row_verdict worst_first[] = {
    RESULTS_ROW_CRASH,   RESULTS_ROW_HANG,    RESULTS_ROW_FAIL,         RESULTS_ROW_XPASS_CONTROL,
    RESULTS_ROW_HARNESS, RESULTS_ROW_VACUOUS, RESULTS_ROW_INCONCLUSIVE, RESULTS_ROW_XCRASH,
    RESULTS_ROW_XPASS,   RESULTS_ROW_PASS,    RESULTS_ROW_XFAIL,        RESULTS_ROW_SKIP,
};

enum results_row_verdict results_worse(enum results_row_verdict a, enum results_row_verdict b) {
    for (size_t v = 0; v < sizeof worst_first / sizeof worst_first[0]; v++)
        if (worst_first[v] == a || worst_first[v] == b) return worst_first[v];
    return a;
}

static const struct results_row* worst_row(const struct results_report* report) {
    for (size_t v = 0; v < sizeof worst_first / sizeof worst_first[0]; v++)
        for (size_t i = 0; i < report->row_count; i++)
            if (report->rows[i].verdict == worst_first[v]) return &report->rows[i];
    return NULL;
}

static enum results_row_verdict whole_verdict(const struct results_report* report,
                                              const struct results_row* worst) {
    if (worst == NULL || worst->verdict == RESULTS_ROW_SKIP) return RESULTS_ROW_INCONCLUSIVE;
    if (pools_failed(report) != NULL) return results_worse(worst->verdict, RESULTS_ROW_FAIL);
    if (report->interrupted && results_exit_status(worst->verdict) == 0)
        return RESULTS_ROW_INCONCLUSIVE;
    // What a row is forgiven, and what it is praised for, is told in the summary.
    return results_exit_status(worst->verdict) == 0 ? RESULTS_ROW_PASS : worst->verdict;
}

// "3 FAIL, 1 CRASH, 56 PASS" into text.
static void count_verdicts(const struct results_report* report, char* text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t v = 0; v < sizeof worst_first / sizeof worst_first[0]; v++) {
        size_t count = 0;
        for (size_t i = 0; i < report->row_count; i++)
            count += report->rows[i].verdict == worst_first[v];
        if (count == 0 || used >= size) continue;
        int more = snprintf(text + used, size - used, "%s%zu %s", used == 0 ? "" : ", ", count,
                            results_row_verdict_text(worst_first[v]));
        if (more > 0) used += (size_t)more;
    }
}

// What is said where the known errors of another release are expected.
static void name_release(const struct results_report* report, char text[RELEASE_TEXT]) {
    text[0] = '\0';
    if (report->expected_of != 0)
        snprintf(text, RELEASE_TEXT, "; its release was not measured, known errors are those of %d",
                 report->expected_of);
}

static void summarise(struct results_report* report, const struct results_row* worst) {
    char counts[128], interrupted[48] = "", first[420] = "", power[POOLS_TEXT], reason[POOLS_TEXT];
    char release[RELEASE_TEXT];
    const struct results_pool* pool = pools_failed(report);
    count_verdicts(report, counts, sizeof counts);
    name_release(report, release);
    if (report->interrupted)
        snprintf(interrupted, sizeof interrupted, ", interrupted in %zu runs of %zu",
                 report->execution_count, report->planned);
    if (worst != NULL && worst->verdict != RESULTS_ROW_PASS)
        snprintf(first, sizeof first, " (first %s: %s %s %s: %.240s)",
                 results_row_verdict_text(worst->verdict), worst->execution->case_name,
                 worst->execution->mode, oracle_layer_text(worst->layer), worst->reason);
    snprintf(report->summary, sizeof report->summary, "%s: %zu rows%s%s%s%s%s%s%s%s",
             results_row_verdict_text(report->verdict), report->row_count,
             report->row_count == 0 ? "" : ": ", counts, interrupted, first,
             pool != NULL ? "; FAIL: " : "", pool != NULL ? pools_reason(pool, reason) : "",
             pools_power(report, power), release);
}

static size_t count_rows(const struct results_report* report) {
    size_t count = 0;
    for (size_t i = 0; i < report->execution_count; i++)
        count += (size_t)__builtin_popcount(report->executions[i].layers);
    return count;
}

int results_report_open(struct results_report* report) {
    if (report->digests == NULL)
        report->digests = calloc(report->execution_count + 1, sizeof(*report->digests));
    return report->digests != NULL ? 0 : -1;
}

int results_report_judge(struct results_report* report) {
    if (results_report_open(report) != 0) return -1;
    report->row_count = 0;
    report->rows = calloc(count_rows(report) + 1, sizeof *report->rows);
    if (report->rows == NULL) return -1;
    for (size_t i = 0; i < report->execution_count; i++)
        for (unsigned layer = 0; layer < ORACLE_LAYER_COUNT; layer++)
            if (report->executions[i].layers & 1u << layer) {
                struct results_row* row = &report->rows[report->row_count++];
                results_row_judge(&report->executions[i], (enum oracle_layer)layer, row);
                results_row_power(row);
            }
    if (clusters_gather(report) != 0 || pools_gather(report) != 0) return -1;
    const struct results_row* worst = worst_row(report);
    report->verdict = whole_verdict(report, worst);
    summarise(report, worst);
    return 0;
}

void results_report_free(struct results_report* report) {
    clusters_free(report);
    pools_free(report);
    for (size_t i = 0; report->digests != NULL && i < report->execution_count; i++)
        digest_free(report->digests[i]);
    free((void*)report->digests);
    report->digests = NULL;
    free(report->rows);
    report->rows = NULL;
    report->row_count = 0;
}

bool results_evidence(const struct results_report* report, const struct results_row* row,
                      FILE* out) {
    uint64_t worst = digest_worst(digest_of(report, row->execution), row->layer);
    return worst != 0 && results_show(report, row->execution, worst, false, out);
}

const uint64_t* results_votes(const struct results_report* report, const struct results_row* row) {
    return digest_votes(digest_of(report, row->execution), row->layer);
}
