// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "synthetic.h"

struct rows {
    struct results_past list[8];
    size_t count;
};

static void keep(void* context, const struct results_past* row) {
    struct rows* rows = context;
    cr_assert_lt(rows->count, 8);
    rows->list[rows->count++] = *row;
}

static struct rows rows;
static const struct results_past_reader reader = {.context = &rows, .row = keep};

static const char* path(void) {
    static char text[64];
    snprintf(text, sizeof text, "/tmp/plumbline-past-%d", (int)getpid());
    return text;
}

Test(past, rows_come_back_as_they_were_written) {
    struct results_run* run = synthetic_run(5000);
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_TRUNCATED] = 7;
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_ATTRIBUTION] = 9;
    run->layers[ORACLE_LAYER_ASYNC].refused[2] = 11;
    run->layers[ORACLE_LAYER_ASYNC].answered = 6000;
    run->density = RESULTS_DENSITY_FULL / 5;
    snprintf(run->push, sizeof run->push, "inline");
    struct results_execution execution = synthetic_execution(run, "c1");
    execution.layers = 1u << ORACLE_LAYER_ASYNC | 1u << ORACLE_LAYER_GST;
    struct results_report report = {.executions = &execution,
                                    .execution_count = 1,
                                    .planned = 1,
                                    .jdk_version = "17.0.19",
                                    .jdk_vm = "VM 17.0.19+10"};
    cr_assert_eq(results_report_judge(&report), 0);
    cr_assert_eq(results_json(&report, path()), 0);
    char error[256] = "";
    cr_assert_eq(results_past_read(path(), &reader, error, sizeof error), 0, "%s", error);
    cr_assert_eq(rows.count, 2);
    const struct results_past* row = &rows.list[1];
    cr_expect_eq(row->layer, ORACLE_LAYER_ASYNC);
    cr_expect_eq(row->judged, 5016);
    cr_expect_eq(row->mismatch[ORACLE_TRUNCATED], 7);
    cr_expect_eq(row->mismatch[ORACLE_ATTRIBUTION], 9);
    cr_expect_eq(row->mismatch[ORACLE_MISSING], 0);
    cr_expect_eq(row->refused[2], 11);
    cr_expect_eq(row->refused[3], 0);
    cr_expect_eq(row->answered, 6000);
    cr_expect_str_eq(row->mode, "c1");
    cr_expect_str_eq(row->way, "push inline, density 20%");
    cr_expect_str_eq(row->scope, execution.scope);
    cr_expect_str_eq(row->case_name, execution.case_name);
    cr_expect_str_eq(row->verdict, "FAIL"); // 0.14 % are unexplained
    cr_expect_str_eq(row->version, "17.0.19");
    cr_expect_str_eq(row->vm, "VM 17.0.19+10");
    cr_expect_eq(strlen(row->date), 10, "%s", row->date);
    cr_expect_eq(rows.list[0].layer, ORACLE_LAYER_GST);
    cr_expect_eq(rows.list[0].mismatch[ORACLE_TRUNCATED], 0, "of this row, not of another");
    results_report_free(&report);
    free(run);
    unlink(path());
}

#define HEAD "{\"date\": \"2026-11-20\", \"jdk\": {\"version\": \"17\", \"vm\": \"v\"}, \"runs\": ["
#define ROW "{\"case\": \"a\", \"mode\": \"c1\", \"scope\": \"app\", \"verdict\": \"PASS\", "
#define COUNTS "\"layer\": \"gst\", \"judged\": 5, \"attribution\": 0, "

static void refuses(const char* text, const char* wanted) {
    char error[256] = "";
    rows.count = 0;
    FILE* out = fopen(path(), "w");
    cr_assert_not_null(out);
    fputs(text, out);
    fclose(out);
    cr_expect_eq(results_past_read(path(), &reader, error, sizeof error), -1, "%s", text);
    cr_expect(strstr(error, wanted) != NULL, "\"%s\" is not in: %s", wanted, error);
    cr_expect_eq(rows.count, 0, "nothing is handed on of a file that is refused");
    unlink(path());
}

Test(past, a_file_that_is_not_ours_is_refused) {
    char error[256] = "";
    cr_expect_eq(results_past_read("/nowhere", &reader, error, sizeof error), -1);
    cr_expect(strstr(error, "/nowhere") != NULL, "%s", error);
    refuses("", "line 1");
    refuses("[]", "\"jdk\" is missing");
    refuses("{\"runs\": []}", "\"jdk\" is missing");
    refuses("{\"jdk\": [], \"runs\": []}", "\"jdk\" is no object");
    refuses(HEAD ROW COUNTS "\"mismatch\": {}}, {}]}", "runs[1]: \"case\" is missing");
    refuses(HEAD ROW "\"layer\": \"none\", \"judged\": 5, \"attribution\": 0, \"mismatch\": {}}]}",
            "runs[0]: \"layer\" is the unknown \"none\"");
    refuses(HEAD ROW COUNTS "\"mismatch\": {\"phantom\": 6}}]}", "runs[0]: more mismatches than");
    refuses(HEAD ROW COUNTS "\"mismatch\": {\"unheard_of\": 1}}]}",
            "runs[0]: \"mismatch\" has an unknown \"unheard_of\"");
    refuses(HEAD ROW COUNTS "\"mismatch\": 7}]}", "runs[0]: \"mismatch\" is no object");
    refuses(HEAD ROW COUNTS
            "\"mismatch\": {}, \"answered\": 8, \"refused\": {\"deopt\": 5, \"GC_active\": 4}}]}",
            "runs[0]: more refusals than answers");
}

// ---- Clusters ---------------------------------------------------------------------------------

static char parts[512];

static void pass_over(void* context, const struct results_past* row) {
    (void)context;
    (void)row;
}

static void tell(void* context, const struct results_past_part* part) {
    (void)context;
    size_t used = strlen(parts);
    snprintf(parts + used, sizeof parts - used, "%s %s %s/%s %s %s %s %s %d;",
             oracle_layer_text(part->layer), oracle_verdict_text(part->verdict), part->code,
             part->region, part->instruction, part->case_name, part->mode, part->scope,
             (int)part->count);
}

static const struct results_past_reader clusters = {.row = pass_over, .part = tell};

Test(past, clusters_come_back_by_rows) {
    struct results_run* run = synthetic_run(5000);
    synthetic_cluster(run, 3, ORACLE_TRUNCATED, RESULTS_CODE_C2, 17);
    struct results_execution executions[] = {synthetic_execution(run, "c2"),
                                             synthetic_execution(run, "tiered")};
    struct results_report report = {
        .executions = executions, .execution_count = 2, .jdk_version = "17", .jdk_vm = "VM"};
    cr_assert_eq(results_report_judge(&report), 0);
    cr_assert_eq(results_json(&report, path()), 0);
    char error[256] = "", expected[512];
    cr_assert_eq(results_past_read(path(), &clusters, error, sizeof error), 0, "%s", error);
    snprintf(expected, sizeof expected,
             "async truncated c2/body mov %s c2 %s 17;async truncated c2/body mov %s tiered %s 17;",
             executions[0].case_name, executions[0].scope, executions[1].case_name,
             executions[1].scope);
    cr_expect_str_eq(parts, expected);
    results_report_free(&report);
    free(run);
    unlink(path());
}

#define CLUSTER                                                                                    \
    HEAD "], \"clusters\": [{\"layer\": \"async\", \"verdict\": \"%s\", \"code\": \"c2\", "        \
         "\"region\": \"body\", \"instruction\": \"mov\", \"name\": \"\", \"relation\": \"\", "    \
         "\"rows\": [{\"case\": \"a\", \"mode\": \"c2\", \"scope\": \"app\", \"count\": %s}]}]}"

static int clusters_of(const char* verdict, const char* count) {
    char error[256] = "";
    FILE* out = fopen(path(), "w");
    cr_assert_not_null(out);
    fprintf(out, CLUSTER, verdict, count);
    fclose(out);
    parts[0] = '\0';
    int result = results_past_read(path(), &clusters, error, sizeof error);
    cr_expect_eq(result == 0, error[0] == '\0', "%s", error);
    unlink(path());
    return result;
}

Test(past, clusters_that_are_not_ours_are_refused) {
    cr_expect_eq(clusters_of("phantom", "3"), 0);
    cr_expect_str_eq(parts, "async phantom c2/body mov a c2 app 3;");
    cr_expect_eq(clusters_of("agree", "3"), -1, "no mismatch");
    cr_expect_eq(clusters_of("phantom", "-3"), -1);
    cr_expect_eq(clusters_of("phantom", "\"x\""), -1);
    cr_expect_str_eq(parts, "", "nothing is handed on of a file that is refused");
}
