// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The report as text for a person: known bugs, the unexplained, a row per case, mode and layer, the
// refusals by code, coverage, scopes beside each other, the worst rows' evidence, and one last line
// that states the verdict.
#include "rows.h"

#include <stdlib.h>
#include <string.h>

#define WORST_ROWS 3

// ---- Rows -------------------------------------------------------------------------------------

#define MISMATCH_TEXT 320

// "truncated 3, missing 9", or "-". Attribution has a column of its own.
static const char* mismatch_text(const struct results_row* row, char text[MISMATCH_TEXT]) {
    size_t used = 0;
    snprintf(text, MISMATCH_TEXT, "-");
    for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_WALKING_LAST; v++) {
        if (row->counts.verdict[v] == 0 || used >= MISMATCH_TEXT) continue;
        int more = snprintf(text + used, MISMATCH_TEXT - used, "%s%s %llu", used == 0 ? "" : ", ",
                            oracle_verdict_text((enum oracle_verdict)v),
                            (unsigned long long)row->counts.verdict[v]);
        if (more > 0) used += (size_t)more;
    }
    return text;
}

// "deopt-caller 12, unexplained 3", or "-".
static const char* cause_text(const struct results_row* row, char text[MISMATCH_TEXT]) {
    size_t used = 0;
    snprintf(text, MISMATCH_TEXT, "-");
    for (uint32_t i = 1; i <= RESULTS_CAUSES; i++) {
        uint32_t cause = i % RESULTS_CAUSES; // unexplained last
        if (row->cause[cause] == 0 || used >= MISMATCH_TEXT) continue;
        int more = snprintf(text + used, MISMATCH_TEXT - used, "%s%s %llu", used == 0 ? "" : ", ",
                            results_cause_name(row->execution, cause),
                            (unsigned long long)row->cause[cause]);
        if (more > 0) used += (size_t)more;
    }
    return text;
}

// "-" in the layers that cannot tell attribution from walking.
static const char* attribution_text(const struct results_row* row, char text[RESULTS_RATE_TEXT]) {
    snprintf(text, RESULTS_RATE_TEXT, "-");
    if (row->layer == ORACLE_LAYER_ASYNC || row->attribution != 0)
        results_rate_text(row->attribution, row->judged, text);
    return text;
}

struct widths {
    int case_name, mode, scope, rate, unexplained, attribution, mismatches;
};

static struct widths measure(const struct results_report* report) {
    struct widths w = {4, 4, 0, 29, 11, 11, 25}; // no narrower than the heads
    for (size_t i = 0; i < report->row_count; i++) {
        const struct results_row* row = &report->rows[i];
        char rate[RESULTS_RATE_TEXT], mismatches[MISMATCH_TEXT];
        w.case_name = rows_wider(w.case_name, row->execution->case_name);
        w.mode = rows_wider(w.mode, row->execution->mode);
        w.rate = rows_wider(w.rate, results_rate_text(row->mismatched, row->judged, rate));
        w.unexplained =
            rows_wider(w.unexplained, results_rate_text(row->unexplained, row->judged, rate));
        w.attribution = rows_wider(w.attribution, attribution_text(row, rate));
        w.mismatches = rows_wider(w.mismatches, mismatch_text(row, mismatches));
    }
    if (observer_is_asked(report)) w.scope = 6; // a column of its own, with two blanks
    return w;
}

// Case, mode, the scope where there are several, layer.
static void print_names(const struct results_row* row, const struct widths* w, FILE* out) {
    fprintf(out, "%-*s  %-*s  %-*s%-9s", w->case_name, row->execution->case_name, w->mode,
            row->execution->mode, w->scope, w->scope != 0 ? row->execution->scope : "",
            oracle_layer_text(row->layer));
}

static void print_name_heads(const struct widths* w, FILE* out) {
    fprintf(out, "%-*s  %-*s  %-*s%-9s", w->case_name, "case", w->mode, "mode", w->scope,
            w->scope != 0 ? "scope" : "", "layer");
}

static void print_errors(const struct results_row* row, const struct widths* w, FILE* out) {
    char rate[RESULTS_RATE_TEXT], unexplained[RESULTS_RATE_TEXT], attribution[RESULTS_RATE_TEXT];
    char notices[RESULTS_PERCENT_TEXT], mismatches[MISMATCH_TEXT];
    fprintf(out, "  %-*s  %9llu  %-*s  %7s  %-*s  %-*s", w->rate,
            results_rate_text(row->mismatched, row->judged, rate), (unsigned long long)row->known,
            w->unexplained, results_rate_text(row->unexplained, row->judged, unexplained),
            results_percent_text(row->notices, notices), w->attribution,
            attribution_text(row, attribution), w->mismatches, mismatch_text(row, mismatches));
}

static void print_row(const struct results_row* row, const struct widths* w, FILE* out) {
    char own[48] = "-";
    if (row->own_judged != 0)
        snprintf(own, sizeof own, "%llu/%llu", (unsigned long long)row->own_mismatched,
                 (unsigned long long)row->own_judged);
    print_names(row, w, out);
    fprintf(out, "  %10llu  %9llu  %9llu  %9llu  %12s", (unsigned long long)row->judged,
            (unsigned long long)row->counts.verdict[ORACLE_REFUSED],
            (unsigned long long)row->counts.verdict[ORACLE_UNDECIDED],
            (unsigned long long)row->counts.verdict[ORACLE_NO_ANSWER], own);
    print_errors(row, w, out);
    fprintf(out, "  %s%s%s", results_row_verdict_text(row->verdict),
            row->reason[0] == '\0' ? "" : ": ", row->reason);
    if (row->note[0] != '\0') fprintf(out, " (%s)", row->note);
    fprintf(out, "\n");
}

static void print_rows(const struct results_report* report, const struct widths* w, FILE* out) {
    print_name_heads(w, out);
    fprintf(out, "  %10s  %9s  %9s  %9s  %12s  %-*s  %9s  %-*s  %7s  %-*s  %-*s  %s\n", "judged",
            "refused", "undecided", "no answer", "own code", w->rate,
            "walking errors, 95 % interval", "known", w->unexplained, "unexplained", "notices",
            w->attribution, "attribution", w->mismatches, "walking errors by verdict", "verdict");
    for (size_t i = 0; i < report->row_count; i++) print_row(&report->rows[i], w, out);
}

// The details of the rows that have walking errors.
static void print_causes(const struct results_report* report, const struct widths* w, FILE* out) {
    bool any = false;
    for (size_t i = 0; i < report->row_count; i++) {
        const struct results_row* row = &report->rows[i];
        char causes[MISMATCH_TEXT];
        if (strcmp(cause_text(row, causes), "-") == 0) continue;
        if (!any) fprintf(out, "\nWalking errors by cause:\n");
        any = true;
        print_names(row, w, out);
        fprintf(out, "  %s\n", causes);
    }
}

// ---- Refusals ---------------------------------------------------------------------------------

static void print_refusals_of(const struct results_row* row, const bool seen[ORACLE_REFUSAL_COUNT],
                              const struct widths* w, FILE* out) {
    print_names(row, w, out);
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++)
        if (seen[r])
            fprintf(out, "  %*llu", rows_wider(8, oracle_refusal_text((enum oracle_refusal)r)),
                    (unsigned long long)row->counts.refused[r]);
    fprintf(out, "\n");
}

static bool any_refused(const struct results_row* row, bool seen[ORACLE_REFUSAL_COUNT]) {
    bool any = false;
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++) {
        if (row->counts.refused[r] == 0) continue;
        seen[r] = true;
        any = true;
    }
    return any;
}

// Columns for the codes that were seen, rows for those who saw one.
static void print_refusals(const struct results_report* report, const struct widths* w, FILE* out) {
    bool seen[ORACLE_REFUSAL_COUNT] = {false}, any = false;
    for (size_t i = 0; i < report->row_count; i++) any |= any_refused(&report->rows[i], seen);
    if (!any) {
        fprintf(out, "\nRefusals: none.\n");
        return;
    }
    fprintf(out, "\nRefusals by code (not mismatches):\n");
    print_name_heads(w, out);
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++)
        if (seen[r]) fprintf(out, "  %8s", oracle_refusal_text((enum oracle_refusal)r));
    fprintf(out, "\n");
    for (size_t i = 0; i < report->row_count; i++) {
        bool ignored[ORACLE_REFUSAL_COUNT] = {false};
        if (any_refused(&report->rows[i], ignored))
            print_refusals_of(&report->rows[i], seen, w, out);
    }
}

// ---- Worst rows -------------------------------------------------------------------------------

static double unexplained_rate(const struct results_row* row) {
    return row->judged == 0 ? 0 : (double)row->unexplained / (double)row->judged;
}

// The higher rate of unexplained errors first, then of what is surely wrong.
static int compare_rows(const void* left, const void* right) {
    const struct results_row* a = *(const struct results_row* const*)left;
    const struct results_row* b = *(const struct results_row* const*)right;
    double a_rate = unexplained_rate(a), b_rate = unexplained_rate(b);
    if (a_rate != b_rate) return a_rate > b_rate ? -1 : 1;
    if (a->interval.low > b->interval.low) return -1;
    if (a->interval.low < b->interval.low) return 1;
    return a < b ? -1 : a > b; // as listed, so that the same rows print the same text
}

static void print_worst(const struct results_report* report, FILE* out) {
    const struct results_row** order = calloc(report->row_count + 1, sizeof *order);
    if (order == NULL) return;
    size_t count = 0;
    for (size_t i = 0; i < report->row_count; i++)
        if (report->rows[i].mismatched != 0) order[count++] = &report->rows[i];
    qsort(order, count, sizeof *order, compare_rows);
    for (size_t i = 0, printed = 0; i < count && printed < WORST_ROWS; i++)
        printed += results_evidence(report, order[i], out);
    free(order);
}

// How samples were taken, as the first agent that took some for the oracle says it.
static void print_source(const struct results_report* report, FILE* out) {
    const struct results_run* found = NULL;
    for (size_t i = 0; i < report->execution_count; i++) {
        const struct results_execution* execution = &report->executions[i];
        if (execution->run == NULL || execution->run->source[0] == '\0') continue;
        bool async = (execution->layers & 1u << ORACLE_LAYER_ASYNC) != 0;
        if (found == NULL || async) found = execution->run;
        if (async) break;
    }
    if (found == NULL) return;
    fprintf(out, ", samples from %.*s", (int)sizeof found->source, found->source);
    if (found->push[0] != '\0') fprintf(out, ", push %.*s", (int)sizeof found->push, found->push);
}

static void print_table(const struct results_report* report, FILE* out) {
    fprintf(out, "JDK %s (%s) at %s\n", report->jdk_version, report->jdk_vm, report->jdk_home);
    const char* scope = report->execution_count == 0 ? "-" : report->executions[0].scope;
    fprintf(out, "scope %s, seed %llu", observer_is_asked(report) ? "several" : scope,
            (unsigned long long)report->seed);
    print_source(report, out);
    if (report->plumbline != NULL) fprintf(out, ", plumbline %s", report->plumbline);
    fprintf(out, "\n");
    density_print(report, out);
    fprintf(out, "\n");
    pools_print_known(report, out);
    clusters_print_head(report, out);
    const struct widths w = measure(report);
    print_rows(report, &w, out);
    print_causes(report, &w, out);
    pools_print(report, out);
    print_refusals(report, &w, out);
    coverage_print(report, out);
    observer_print(report, out);
    waiting_print(report, out);
    hostile_print(report, out);
    survive_print(report, out);
    print_worst(report, out);
    answers_print(report, out);
    if (report->directory != NULL) fprintf(out, "\nWritten to %s\n", report->directory);
    fprintf(out, "%s%s\n", report->directory == NULL ? "\n" : "", report->summary);
}

void results_table(const struct results_report* report, FILE* out) {
    struct plain_stream stream;
    print_table(report, plain_open(&stream, out));
    plain_close(&stream);
}
