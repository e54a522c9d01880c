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

static const char* path(void) {
    static char text[64];
    snprintf(text, sizeof text, "/tmp/plumbline-past-%d", (int)getpid());
    return text;
}

Test(past, rows_come_back_as_they_were_written) {
    struct results_run* run = synthetic_run(5000);
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_TRUNCATED] = 7;
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_ATTRIBUTION] = 9;
    struct results_execution execution = synthetic_execution(run, "c1");
    execution.layers = 1u << ORACLE_LAYER_ASYNC | 1u << ORACLE_LAYER_GST;
    struct results_report report = {.executions = &execution,
                                    .execution_count = 1,
                                    .planned = 1,
                                    .jdk_version = "17.0.19",
                                    .jdk_vm = "VM 17.0.19+10"};
    cr_assert_eq(results_report_judge(&report), 0);
    cr_assert_eq(results_json(&report, path()), 0);
    static struct rows rows;
    char error[256] = "";
    cr_assert_eq(results_past_read(path(), keep, &rows, error, sizeof error), 0, "%s", error);
    cr_assert_eq(rows.count, 2);
    const struct results_past* row = &rows.list[1];
    cr_expect_eq(row->layer, ORACLE_LAYER_ASYNC);
    cr_expect_eq(row->judged, 5016);
    cr_expect_eq(row->mismatch[ORACLE_TRUNCATED], 7);
    cr_expect_eq(row->mismatch[ORACLE_ATTRIBUTION], 9);
    cr_expect_eq(row->mismatch[ORACLE_MISSING], 0);
    cr_expect_str_eq(row->mode, "c1");
    cr_expect_str_eq(row->scope, execution.scope);
    cr_expect_str_eq(row->case_name, execution.case_name);
    cr_expect_str_eq(row->verdict, "PASS");
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
    static struct rows rows;
    char error[256] = "";
    rows.count = 0;
    FILE* out = fopen(path(), "w");
    cr_assert_not_null(out);
    fputs(text, out);
    fclose(out);
    cr_expect_eq(results_past_read(path(), keep, &rows, error, sizeof error), -1, "%s", text);
    cr_expect(strstr(error, wanted) != NULL, "\"%s\" is not in: %s", wanted, error);
    cr_expect_eq(rows.count, 0, "nothing is handed on of a file that is refused");
    unlink(path());
}

Test(past, a_file_that_is_not_ours_is_refused) {
    static struct rows rows;
    char error[256] = "";
    cr_expect_eq(results_past_read("/nowhere", keep, &rows, error, sizeof error), -1);
    cr_expect(strstr(error, "/nowhere") != NULL, "%s", error);
    refuses("", "");
    refuses("[]", "not as Plumbline writes it");
    refuses("{\"runs\": []}", "not as Plumbline writes it");
    refuses(HEAD ROW COUNTS "\"mismatch\": {}}, {}]}", "row 2 is not");
    refuses(HEAD ROW "\"layer\": \"none\", \"judged\": 5, \"attribution\": 0, \"mismatch\": {}}]}",
            "row 1 is not");
    refuses(HEAD ROW COUNTS "\"mismatch\": {\"phantom\": 6}}]}", "row 1 is not");
    refuses(HEAD ROW COUNTS "\"mismatch\": {\"unheard_of\": 1}}]}", "row 1 is not");
    refuses(HEAD ROW COUNTS "\"mismatch\": 7}]}", "row 1 is not");
}
