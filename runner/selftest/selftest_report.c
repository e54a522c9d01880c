// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The self-test's table, its JSON and its one line.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "selftest_parts.h"

// The self-test fails if so many intervals miss with less than this probability.
#define MISSES_ERROR 0.001

static const char* name_of(const struct selftest_trial* trial) {
    if (trial->purpose == SELFTEST_FAULT) return trial->wanted->text;
    return trial->purpose == SELFTEST_PLAIN ? "(plain)" : "(none)";
}

static bool is_fault(const struct selftest_trial* trial) {
    return trial->purpose == SELFTEST_FAULT;
}

static bool is_end(const struct selftest_trial* trial) {
    return is_fault(trial) && (trial->wanted->fault->kind == SELFTEST_CRASH ||
                               trial->wanted->fault->kind == SELFTEST_HANG);
}

// ---- The table --------------------------------------------------------------------------------

static void percent(double rate, char text[16]) {
    snprintf(text, 16, rate >= 0.1 ? "%.1f %%" : rate >= 0.001 ? "%.2f %%" : "%.3f %%", 100 * rate);
}

static void table_rate(const struct selftest_trial* trial, FILE* out) {
    char injected[16], value[16], low[16], high[16], seen[16], interval[40];
    if (!trial->measured) {
        fprintf(out, "  %-10s%-10s%-24s%-8s%s", "-", "-", "-", "-", "-");
        return;
    }
    percent(trial->injected, injected);
    percent(trial->excess.value, value);
    percent(trial->excess.low, low);
    percent(trial->excess.high, high);
    percent(trial->seen.value, seen);
    snprintf(interval, sizeof interval, "[%s, %s]", low, high);
    fprintf(out, "  %-10s%-10s%-24s%-8s%s", injected, value, interval, seen,
            trial->inside ? "inside"
            : trial->far  ? "FAR"
                          : "outside");
}

static void table_row(const struct selftest_trial* trial, FILE* out) {
    char rate[16] = "-", detected[32] = "no", verdict[48] = "-";
    if (is_fault(trial)) snprintf(rate, sizeof rate, "%g", trial->rate);
    if (trial->detected)
        snprintf(detected, sizeof detected, "%llu / %.1f s",
                 (unsigned long long)trial->detected_after, trial->detected_seconds);
    if (trial->purpose == SELFTEST_PLAIN) snprintf(detected, sizeof detected, "-");
    if (is_end(trial))
        snprintf(verdict, sizeof verdict, "%.*s", (int)strcspn(trial->note, ":"), trial->note);
    else if (is_fault(trial) && trial->detected)
        snprintf(verdict, sizeof verdict, "%s:%s", oracle_layer_text(trial->layer),
                 oracle_verdict_text(trial->most));
    fprintf(out, "%-14s %-6s %-9llu %-18s %-24s %-5s", name_of(trial), rate,
            (unsigned long long)trial->end.judged[ORACLE_LAYER_ASYNC], detected, verdict,
            !is_fault(trial) || !trial->detected ? "-"
            : trial->right                       ? "yes"
                                                 : "NO");
    table_rate(trial, out);
    fprintf(out, "%s\n",
            trial->failed        ? "  harness"
            : !trial->passed     ? "  FAILED"
            : trial->calibration ? "  (calibration)"
                                 : "");
    if (*trial->note != '\0') fprintf(out, "    %s\n", trial->note);
}

static void table_plain(const struct selftest_report* report, FILE* out) {
    char rate[RESULTS_RATE_TEXT];
    if (report->plain == NULL) return;
    const struct selftest_tally* plain = selftest_plain_sum(report->plain);
    fprintf(out, "unspoilt, %u runs:", report->plain->count);
    for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_MISMATCH_LAST; v++) {
        uint64_t events = plain->verdicts[ORACLE_LAYER_ASYNC][v];
        if (events == 0) continue;
        fprintf(out, " %s %s, variance %.1f times chance;",
                oracle_verdict_text((enum oracle_verdict)v),
                results_rate_text(events, plain->judged[ORACLE_LAYER_ASYNC], rate),
                selftest_spread_of(report->plain, ORACLE_LAYER_ASYNC, 1u << v));
    }
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++)
        if (plain->refused[r] != 0)
            fprintf(out, " %s %s;", oracle_refusal_text((enum oracle_refusal)r),
                    results_rate_text(plain->refused[r], plain->asked, rate));
    fprintf(out, "\n\n");
}

void selftest_table(const struct selftest_report* report, FILE* out) {
    const struct options* run = &report->options->run;
    fprintf(out, "selftest of %s (%s), case %s, mode %s, scope %s, seed %llu\n", report->jdk->home,
            report->jdk->vm, report->test, modes[__builtin_ctz(run->modes)].name, run->scope,
            (unsigned long long)run->seed);
    table_plain(report, out);
    fprintf(out, "%-14s %-6s %-9s %-18s %-24s %-5s  %-10s%-10s%-24s%-8s%s\n", "fault", "rate",
            "judged", "detected after", "under", "right", "injected", "measured", "95 %", "seen",
            "injected x seen");
    for (size_t i = 0; i < report->count; i++) table_row(&report->trials[i], out);
}

// ---- JSON -------------------------------------------------------------------------------------

static void json_text(FILE* out, const char* text) {
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < 32) fprintf(out, "\\u%04x", *text);
        else fputc(*text, out);
    }
    fputc('"', out);
}

static void json_estimate(FILE* out, const char* name, struct selftest_estimate estimate) {
    fprintf(out, ", \"%s\": {\"value\": %.9g, \"low\": %.9g, \"high\": %.9g}", name, estimate.value,
            estimate.low, estimate.high);
}

static void json_counts(FILE* out, const struct selftest_tally* tally) {
    static const enum oracle_layer layers[] = {ORACLE_LAYER_ASYNC, ORACLE_LAYER_STRUCTURE};
    for (size_t i = 0; i < 2; i++) {
        enum oracle_layer l = layers[i];
        fprintf(out, ", \"%s\": {\"judged\": %llu", oracle_layer_text(l),
                (unsigned long long)tally->judged[l]);
        for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_MISMATCH_LAST; v++)
            if (tally->verdicts[l][v] != 0)
                fprintf(out, ", \"%s\": %llu", oracle_verdict_text((enum oracle_verdict)v),
                        (unsigned long long)tally->verdicts[l][v]);
        fprintf(out, "}");
    }
    fprintf(out, ", \"asked\": %llu, \"refused\": {", (unsigned long long)tally->asked);
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++)
        fprintf(out, "%s\"%s\": %llu", r == 0 ? "" : ", ",
                oracle_refusal_text((enum oracle_refusal)r), (unsigned long long)tally->refused[r]);
    fprintf(out, "}, \"library\": {\"answers\": %llu, \"eligible\": %llu, \"injected\": %llu}",
            (unsigned long long)tally->answers, (unsigned long long)tally->eligible,
            (unsigned long long)tally->injected);
}

static void json_trial(FILE* out, const struct selftest_trial* trial) {
    fprintf(out, "    {\"fault\": ");
    json_text(out, name_of(trial));
    fprintf(out,
            ", \"rate\": %g, \"number\": %u, \"calibration\": %s, \"passed\": %s, \"detected\": %s",
            is_fault(trial) ? trial->rate : 0.0, trial->number,
            trial->calibration ? "true" : "false", trial->passed ? "true" : "false",
            trial->detected ? "true" : "false");
    if (trial->detected)
        fprintf(out, ", \"samples\": %llu, \"seconds\": %.3f, \"layer\": \"%s\"",
                (unsigned long long)trial->detected_after, trial->detected_seconds,
                oracle_layer_text(trial->layer));
    if (trial->detected && is_fault(trial) && !is_end(trial))
        fprintf(out, ", \"verdict\": \"%s\"", oracle_verdict_text(trial->most));
    if (trial->detected && is_fault(trial))
        fprintf(out, ", \"right\": %s", trial->right ? "true" : "false");
    if (trial->measured) {
        fprintf(out, ", \"injected\": %.9g", trial->injected);
        json_estimate(out, "measured", trial->excess);
        json_estimate(out, "seen", trial->seen);
        fprintf(out, ", \"inside\": %s", trial->inside ? "true" : "false");
    }
    json_counts(out, &trial->end);
    fprintf(out, ", \"note\": ");
    json_text(out, trial->note);
    fprintf(out, "}");
}

int selftest_json(const struct selftest_report* report, const char* path) {
    char summary[256];
    FILE* out = fopen(path, "w");
    if (out == NULL) return -1;
    int status = selftest_verdict(report, summary, sizeof summary);
    fprintf(out, "{\n  \"schema\": 1,\n  \"command\": ");
    json_text(out, report->command);
    fprintf(out, ",\n  \"jdk\": {\"home\": ");
    json_text(out, report->jdk->home);
    fprintf(out, ", \"version\": ");
    json_text(out, report->jdk->version);
    fprintf(out, ", \"vm\": ");
    json_text(out, report->jdk->vm);
    fprintf(out, "},\n  \"case\": ");
    json_text(out, report->test);
    fprintf(out, ",\n  \"runs\": [\n");
    for (size_t i = 0; i < report->count; i++) {
        json_trial(out, &report->trials[i]);
        fprintf(out, "%s\n", i + 1 < report->count ? "," : "");
    }
    fprintf(out, "  ],\n  \"status\": %d,\n  \"summary\": ", status);
    json_text(out, summary);
    fprintf(out, "\n}\n");
    bool failed = ferror(out) != 0;
    return fclose(out) == 0 && !failed ? 0 : -1;
}

// ---- The verdict ------------------------------------------------------------------------------

struct sums {
    size_t faults, detected, right, failed, harness;
    uint64_t measured, inside;
};

static struct sums add_up(const struct selftest_report* report) {
    struct sums sums = {0};
    for (size_t i = 0; i < report->count; i++) {
        const struct selftest_trial* trial = &report->trials[i];
        sums.harness += trial->failed;
        sums.failed += !trial->passed && !trial->failed;
        if (!is_fault(trial) || trial->calibration) continue;
        sums.faults++;
        sums.detected += trial->detected;
        sums.right += trial->detected && trial->right;
        sums.measured += trial->measured;
        sums.inside += trial->measured && trial->inside;
    }
    return sums;
}

int selftest_verdict(const struct selftest_report* report, char* text, size_t size) {
    struct sums sums = add_up(report);
    bool missed = selftest_misses_chance(sums.measured - sums.inside, sums.measured) < MISSES_ERROR;
    int status = sums.failed > 0 || missed ? RUNNER_EXIT_FAIL
                 : report->interrupted     ? RUNNER_EXIT_INCONCLUSIVE
                 : sums.harness > 0        ? RUNNER_EXIT_HARNESS
                                           : RUNNER_EXIT_PASS;
    const char* const words[] = {"PASS", "FAIL", "", "HARNESS", "INTERRUPTED"};
    snprintf(text, size,
             "%s: %zu of %zu runs with a fault detected, %zu of these rightly named; the injected "
             "rate lies inside %llu of %llu intervals; %.0f s",
             words[status], sums.detected, sums.faults, sums.right, (unsigned long long)sums.inside,
             (unsigned long long)sums.measured, report->seconds);
    return status;
}
