// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A line for each row, with all its numbers (RFC 4180).
#include <stdlib.h>
#include <string.h>

#include "results/report/report.h"
#include "saved.h"

// A spreadsheet takes a cell that begins with one of these for a formula, and the names are not
// ours.
#define FORMULA "=+-@\t\r"

void csv_text(const char* text, FILE* out) {
    char* plain = plain_copy(text, PLAIN_LINE, false);
    const char* from = plain != NULL ? plain : "";
    fprintf(out, "\"%s", *from != '\0' && strchr(FORMULA, *from) != NULL ? "'" : "");
    for (; *from != '\0'; from++) fprintf(out, *from == '"' ? "\"\"" : "%c", *from);
    fprintf(out, "\"");
    free(plain);
}

static void put_text(const char* text, FILE* out) {
    csv_text(text, out);
    fprintf(out, ",");
}

static void put_count(uint64_t count, FILE* out) {
    fprintf(out, "%llu,", (unsigned long long)count);
}

// Verdicts that have a column: all but those that are columns under other names.
static bool is_mismatch(int verdict) {
    return verdict >= ORACLE_MISMATCH_FIRST && verdict <= ORACLE_WALKING_LAST;
}

static void put_heads(FILE* out) {
    fprintf(out, "report,jdk,vm,seed,case,mode,scope,layer,walker,verdict,asked,answered,judged,"
                 "agree,transition,mismatched,rate,low,high,limit,attribution,attribution_rate,"
                 "attribution_low,attribution_high,attribution_limit,refused,undecided,no_answer,"
                 "own_judged,own_mismatched,own_attribution,expected,known,unexplained,"
                 "notices,notices_refusals,causes,");
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++)
        if (is_mismatch(v)) fprintf(out, "%s,", oracle_verdict_text((enum oracle_verdict)v));
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++)
        fprintf(out, "refused_%s,", oracle_refusal_text((enum oracle_refusal)r));
    for (int u = 0; u < RESULTS_UNDECIDED_COUNT; u++)
        fprintf(out, "undecided_%s,", results_undecided_text((enum results_undecided)u));
    fprintf(out, "seconds,units,unit_seconds,reason,note\r\n");
}

static void put_rate(uint64_t events, uint64_t judged, struct oracle_interval interval,
                     double limit, FILE* out) {
    fprintf(out, "%llu,%.9g,%.9g,%.9g,%.9g,", (unsigned long long)events,
            judged == 0 ? 0 : (double)events / (double)judged, interval.low, interval.high, limit);
}

static void put_lists(const struct results_layer* counts, FILE* out) {
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++)
        if (is_mismatch(v)) put_count(counts->verdict[v], out);
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++) put_count(counts->refused[r], out);
    for (int u = 0; u < RESULTS_UNDECIDED_COUNT; u++) put_count(counts->undecided[u], out);
}

// "deopt-caller 12; unexplained 3" in one column: the next file may have other causes.
static void put_causes(const struct results_row* row, FILE* out) {
    char text[RESULTS_CAUSES * (RESULTS_CAUSE_NAME + 24)] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < RESULTS_CAUSES; i++) {
        if (row->cause[i] == 0) continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %llu",
                                 used == 0 ? "" : "; ", results_cause_name(row->execution, i),
                                 (unsigned long long)row->cause[i]);
    }
    put_text(text, out);
}

// Empty where it is not known.
static void put_power(double notices, FILE* out) {
    if (notices >= 0) fprintf(out, "%.4g", notices);
    fputc(',', out);
}

static void put_numbers(const struct results_row* row, FILE* out) {
    const struct results_layer* counts = &row->counts;
    put_count(counts->asked, out);
    put_count(counts->answered, out);
    put_count(row->judged, out);
    put_count(counts->verdict[ORACLE_AGREE], out);
    put_count(counts->verdict[ORACLE_TRANSITION], out);
    put_rate(row->mismatched, row->judged, row->interval, row->limit, out);
    put_rate(row->attribution, row->judged, row->attribution_interval, row->attribution_limit, out);
    put_count(counts->verdict[ORACLE_REFUSED], out);
    put_count(counts->verdict[ORACLE_UNDECIDED], out);
    put_count(counts->verdict[ORACLE_NO_ANSWER], out);
    put_count(row->own_judged, out);
    put_count(row->own_mismatched, out);
    put_count(counts->own[ORACLE_ATTRIBUTION], out);
    put_count(row->expected, out);
    put_count(row->known, out);
    put_count(row->unexplained, out);
    put_power(row->notices, out);
    put_power(row->notices_refusals, out);
    put_causes(row, out);
    put_lists(counts, out);
}

static void put_row(const struct results_saved* saved, const char* label,
                    const struct results_row* row, const char* walker, FILE* out) {
    const struct results_execution* execution = row->execution;
    put_text(label, out);
    put_text(saved->report.jdk_version, out);
    put_text(saved->report.jdk_vm, out);
    put_count(saved->report.seed, out);
    put_text(execution->case_name, out);
    put_text(execution->mode, out);
    put_text(execution->scope, out);
    put_text(oracle_layer_text(row->layer), out);
    put_text(walker, out);
    put_text(results_row_verdict_text(row->verdict), out);
    put_numbers(row, out);
    fprintf(out, "%.9g,", execution->seconds);
    put_count(execution->units, out);
    fprintf(out, "%.9g,", execution->unit_seconds);
    put_text(row->reason, out);
    csv_text(row->note, out);
    fprintf(out, "\r\n");
}

int csv_write(struct results_saved* const* saved, size_t count, FILE* out) {
    put_heads(out);
    for (size_t i = 0; i < count; i++) {
        char* label = saved_label(saved, count, i);
        const json_t* runs = json_object_get(saved[i]->json, "runs");
        for (size_t j = 0; label != NULL && j < saved[i]->report.row_count; j++)
            put_row(saved[i], label, &saved[i]->report.rows[j],
                    json_string_value(json_object_get(json_array_get(runs, j), "walker")), out);
        if (label == NULL) return -1;
        free(label);
    }
    return 0;
}
