// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The self-test's table, its JSON and its one line.
#include <jansson.h>
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
    else if (trial->purpose != SELFTEST_PLAIN && trial->detected)
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
        if ((int64_t)events <= 0) continue; // below 0: accusations were taken back
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

static json_t* json_count(uint64_t count) {
    return json_integer((json_int_t)count);
}

static json_t* json_estimate(struct selftest_estimate estimate) {
    return json_pack("{s:f, s:f, s:f}", "value", estimate.value, "low", estimate.low, "high",
                     estimate.high);
}

static void json_counts(json_t* object, const struct selftest_tally* tally) {
    static const enum oracle_layer layers[] = {ORACLE_LAYER_ASYNC, ORACLE_LAYER_STRUCTURE};
    json_t* refused = json_object();
    for (size_t i = 0; i < 2; i++) {
        enum oracle_layer l = layers[i];
        json_t* counts = json_pack("{s:o}", "judged", json_count(tally->judged[l]));
        for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_MISMATCH_LAST; v++)
            if (tally->verdicts[l][v] != 0)
                json_object_set_new(counts, oracle_verdict_text((enum oracle_verdict)v),
                                    json_count(tally->verdicts[l][v]));
        json_object_set_new(object, oracle_layer_text(l), counts);
    }
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++)
        json_object_set_new(refused, oracle_refusal_text((enum oracle_refusal)r),
                            json_count(tally->refused[r]));
    json_object_set_new(object, "asked", json_count(tally->asked));
    json_object_set_new(object, "refused", refused);
    json_object_set_new(object, "library",
                        json_pack("{s:o, s:o, s:o}", "answers", json_count(tally->answers),
                                  "eligible", json_count(tally->eligible), "injected",
                                  json_count(tally->injected)));
}

static json_t* json_trial(const struct selftest_trial* trial) {
    json_t* object = json_pack(
        "{s:o, s:f, s:i, s:b, s:b, s:b}", "fault", output_json_text(name_of(trial)), "rate",
        is_fault(trial) ? trial->rate : 0.0, "number", (int)trial->number, "calibration",
        trial->calibration, "passed", trial->passed, "detected", trial->detected);
    if (trial->detected) {
        json_object_set_new(object, "samples", json_count(trial->detected_after));
        json_object_set_new(object, "seconds", json_real(trial->detected_seconds));
        json_object_set_new(object, "layer", json_string(oracle_layer_text(trial->layer)));
    }
    if (trial->detected && !is_end(trial))
        json_object_set_new(object, "verdict", json_string(oracle_verdict_text(trial->most)));
    if (trial->detected && is_fault(trial))
        json_object_set_new(object, "right", json_boolean(trial->right));
    if (trial->measured) {
        json_object_set_new(object, "injected", json_real(trial->injected));
        json_object_set_new(object, "measured", json_estimate(trial->excess));
        json_object_set_new(object, "seen", json_estimate(trial->seen));
        json_object_set_new(object, "inside", json_boolean(trial->inside));
    }
    json_counts(object, &trial->end);
    json_object_set_new(object, "note", output_json_text(trial->note));
    return object;
}

int selftest_json(const struct selftest_report* report, const char* path) {
    char summary[256];
    int status = selftest_verdict(report, summary, sizeof summary);
    json_t* runs = json_array();
    for (size_t i = 0; i < report->count; i++)
        json_array_append_new(runs, json_trial(&report->trials[i]));
    return output_json(json_pack("{s:i, s:o, s:{s:o, s:o, s:o}, s:o, s:o, s:i, s:o}", "schema", 1,
                                 "command", output_json_text(report->command), "jdk", "home",
                                 output_json_text(report->jdk->home), "version",
                                 output_json_text(report->jdk->version), "vm",
                                 output_json_text(report->jdk->vm), "case",
                                 output_json_text(report->test), "runs", runs, "status", status,
                                 "summary", output_json_text(summary)),
                       path);
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
