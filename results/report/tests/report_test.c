// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "synthetic.h"

static struct results_report report_of(const struct results_execution* executions, size_t count) {
    struct results_report report = {.command = "plumbline validate --jdk '/a b'",
                                    .directory = "/tmp/out",
                                    .jdk_home = "/jdk",
                                    .jdk_version = "17.0.19",
                                    .jdk_vm = "OpenJDK 64-Bit Server VM 17.0.19+10",
                                    .seed = 1234567890123,
                                    .executions = executions,
                                    .execution_count = count,
                                    .planned = count};
    cr_assert_eq(results_report_judge(&report), 0);
    return report;
}

// ---- The whole verdict ------------------------------------------------------------------------

static void expect_whole(const char* what, int end, int status, enum results_work work,
                         enum results_row_verdict verdict) {
    struct results_run* run = synthetic_run(20000);
    struct results_execution executions[2] = {synthetic_execution(run, "int"),
                                              synthetic_execution(run, "c1")};
    executions[1].end = (enum results_end)end;
    executions[1].status = status;
    executions[1].work = work;
    struct results_report report = report_of(executions, 2);
    cr_expect_eq(report.row_count, 2 * ORACLE_LAYER_COUNT);
    cr_expect_eq(report.verdict, verdict, "%s: %s", what, report.summary);
    cr_expect_eq(strncmp(report.summary, results_row_verdict_text(verdict),
                         strlen(results_row_verdict_text(verdict))),
                 0, "the summary begins with the verdict: %s", report.summary);
    results_report_free(&report);
    free(run);
}

Test(report, the_whole_is_as_bad_as_its_worst_row) {
    expect_whole("all pass", RESULTS_END_EXITED, 0, RESULTS_WORK_DONE, RESULTS_ROW_PASS);
    expect_whole("skip", RESULTS_END_SKIPPED, 0, RESULTS_WORK_DONE, RESULTS_ROW_PASS);
    expect_whole("vacuous", RESULTS_END_EXITED, 0, RESULTS_WORK_NONE, RESULTS_ROW_VACUOUS);
    expect_whole("fail", RESULTS_END_EXITED, 1, RESULTS_WORK_DONE, RESULTS_ROW_FAIL);
    expect_whole("crash", RESULTS_END_SIGNALLED, 6, RESULTS_WORK_DONE, RESULTS_ROW_CRASH);
    expect_whole("hang", RESULTS_END_TIMED_OUT, 9, RESULTS_WORK_DONE, RESULTS_ROW_HANG);
    expect_whole("harness", RESULTS_END_FAILED, 0, RESULTS_WORK_DONE, RESULTS_ROW_HARNESS);
}

Test(report, an_empty_report_is_not_green) {
    struct results_report report = report_of(NULL, 0);
    cr_expect_eq(report.verdict, RESULTS_ROW_INCONCLUSIVE);
    results_report_free(&report);
    struct results_execution skipped = synthetic_execution(NULL, "int");
    skipped.end = RESULTS_END_SKIPPED;
    report = report_of(&skipped, 1);
    cr_expect_eq(report.verdict, RESULTS_ROW_INCONCLUSIVE, "skipped rows test nothing");
    results_report_free(&report);
}

Test(report, an_interrupted_report_does_not_pass) {
    struct results_run* run = synthetic_run(20000);
    struct results_execution execution = synthetic_execution(run, "int");
    struct results_report report = {
        .executions = &execution, .execution_count = 1, .planned = 9, .interrupted = true};
    cr_assert_eq(results_report_judge(&report), 0);
    cr_expect_eq(report.verdict, RESULTS_ROW_INCONCLUSIVE);
    cr_expect(strstr(report.summary, "interrupted") != NULL, "%s", report.summary);
    results_report_free(&report);
    free(run);
}

// ---- Text -------------------------------------------------------------------------------------

static void expect_rate(uint64_t events, uint64_t trials, const char* wanted) {
    char text[RESULTS_RATE_TEXT];
    cr_expect_str_eq(results_rate_text(events, trials, text), wanted);
}

Test(report, a_rate_has_numerator_denominator_and_interval) {
    expect_rate(0, 0, "0/0");
    expect_rate(12, 9, "12/9");
    expect_rate(0, 12345, "0/12345 < 0.030 %");
    expect_rate(12, 9999, "12/9999 = 0.120 % [0.062, 0.210]");
    expect_rate(1, 4, "1/4 = 25.0 % [0.6, 80.6]");
    expect_rate(4, 4, "4/4 = 100.0 % [39.8, 100.0]");
    expect_rate(1, 10000, "1/10000 = 0.010 % [0.000, 0.056]");
    expect_rate(1, 12345, "1/12345 = 0.0081 % [0.0002, 0.0451]");
}

Test(report, a_rate_of_a_long_run_is_not_printed_as_zero) {
    expect_rate(0, 224957377, "0/224957377 < 0.0000016 %");
    expect_rate(1, 224957377, "1/224957377 = 0.00000044 % [0.00000001, 0.00000248]");
    expect_rate(400, 10000000000, "400/10000000000 = 0.0000040 % [0.0000036, 0.0000044]");
}

static void print_table(const void* report, FILE* out) {
    results_table(report, out);
}

static void expect_in(const char* text, const char* wanted) {
    cr_expect(strstr(text, wanted) != NULL, "\"%s\" is not in:\n%s", wanted, text);
}

Test(report, the_table_has_rows_refusals_evidence_and_the_verdict_last) {
    struct results_run* run = synthetic_run(20000);
    struct results_layer* async = &run->layers[ORACLE_LAYER_ASYNC];
    async->verdict[ORACLE_MISSING] = 3000;
    async->verdict[ORACLE_TRUNCATED] = 2;
    async->refused[ORACLE_REFUSAL_UNKNOWN_JAVA] = async->verdict[ORACLE_REFUSED] = 517;
    static struct synthetic_mismatch mismatch;
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 30);
    struct results_execution execution = synthetic_execution(run, "int");
    struct results_record* record = synthetic_record(NULL, &mismatch);
    execution.record = record;
    struct results_report report = report_of(&execution, 1);
    char* text = synthetic_output(print_table, &report);
    expect_in(text, "truncated 2, missing 3000");
    expect_in(text, "3002/23002 = 13.1 %");
    expect_in(text, "0/20000 < 0.018 %");
    expect_in(text, "unknown_Java");
    expect_in(text, "517");
    expect_in(text, "Demo.m3 @3 Demo.java:103");
    expect_in(text, "... 24 without difference");
    const char* last = strrchr(text, '\n');
    cr_assert_eq(last[1], '\0');
    cr_expect_eq(strncmp(last - strlen(report.summary), "FAIL: ", 6), 0, "the last line: %s", text);
    free(text);
    results_report_free(&report);
    results_record_close(record);
    free(run);
}

// ---- JSON -------------------------------------------------------------------------------------

static json_t* written(const struct results_report* report) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/plumbline-json-%d", (int)getpid());
    cr_assert_eq(results_json(report, path), 0);
    json_error_t error;
    json_t* object = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    cr_assert_not_null(object, "%s", error.text);
    unlink(path);
    return object;
}

static json_int_t number(const json_t* object, const char* key) {
    const json_t* value = json_object_get(object, key);
    cr_expect(json_is_integer(value), "%s is an integer", key);
    return json_integer_value(value);
}

static double real(const json_t* object, const char* key) {
    const json_t* value = json_object_get(object, key);
    cr_expect(json_is_real(value), "%s is a real", key);
    return json_real_value(value);
}

static void expect_string(const json_t* object, const char* key, const char* wanted) {
    const char* text = json_string_value(json_object_get(object, key));
    cr_assert_not_null(text, "%s is a string", key);
    cr_expect_str_eq(text, wanted);
}

Test(report, json_holds_what_was_counted) {
    struct results_run* run = synthetic_run(20000);
    struct results_layer* async = &run->layers[ORACLE_LAYER_ASYNC];
    async->asked = 30000;
    async->answered = 29000;
    async->verdict[ORACLE_TRANSITION] = 11;
    async->verdict[ORACLE_TRUNCATED] = 7;
    async->verdict[ORACLE_UNDECIDED] = async->undecided[RESULTS_UNDECIDED_BLAME] = 5;
    async->verdict[ORACLE_NO_ANSWER] = 4;
    async->verdict[ORACLE_REFUSED] = async->refused[ORACLE_REFUSAL_DEOPT] = 3;
    async->own[ORACLE_AGREE] = 20;
    async->own[ORACLE_PHANTOM] = 2;
    run->classes_rewritten = 99;
    strcpy(run->reasons[0].text, "jsr");
    run->reasons[0].count = 6;
    struct results_execution execution = synthetic_execution(run, "int");
    execution.layers = 1u << ORACLE_LAYER_ASYNC;
    struct results_report report = report_of(&execution, 1);
    json_t* object = written(&report);
    cr_expect_eq(number(object, "schema"), 3);
    cr_expect_eq(number(object, "seed"), 1234567890123);
    expect_string(object, "verdict", "FAIL");
    expect_string(json_object_get(object, "jdk"), "version", "17.0.19");
    json_t* rows = json_object_get(object, "runs");
    cr_assert_eq(json_array_size(rows), 1);
    json_t* row = json_array_get(rows, 0);
    expect_string(row, "case", "recursion");
    expect_string(row, "mode", "int");
    expect_string(row, "scope", "app");
    expect_string(row, "layer", "async");
    expect_string(row, "walker", "AsyncGetCallTrace");
    expect_string(row, "verdict", "FAIL");
    cr_expect_eq(number(row, "asked"), 30000);
    cr_expect_eq(number(row, "answered"), 29000);
    cr_expect_eq(number(row, "judged"), 20018);
    cr_expect_eq(number(row, "agree"), 20000);
    cr_expect_eq(number(row, "transition"), 11);
    cr_expect_eq(number(row, "undecided"), 5);
    cr_expect_eq(number(row, "no_answer"), 4);
    cr_expect_eq(number(row, "own_judged"), 22);
    cr_expect_eq(number(json_object_get(row, "refused"), "deopt"), 3);
    cr_expect_eq(number(json_object_get(row, "mismatch"), "truncated"), 7);
    cr_expect_eq(number(json_object_get(row, "own_mismatch"), "phantom"), 2);
    cr_expect_eq(number(json_object_get(row, "undecided_by"), "blame"), 5);
    cr_expect_float_eq(json_real_value(json_object_get(row, "rate")), 7.0 / 20018, 1e-12);
    cr_expect_float_eq(json_real_value(json_object_get(row, "limit")), 0.0001, 1e-12);
    json_t* jvm = json_array_get(json_object_get(object, "jvms"), 0);
    cr_expect_eq(number(json_object_get(jvm, "counters"), "classes_rewritten"), 99);
    cr_expect_eq(number(json_object_get(jvm, "instrument_refused"), "jsr"), 6);
    json_decref(object);
    results_report_free(&report);
    free(run);
}

Test(report, json_keeps_attribution_apart_from_walking) {
    struct results_run* run = synthetic_run(20000);
    struct results_layer* async = &run->layers[ORACLE_LAYER_ASYNC];
    async->verdict[ORACLE_MISSING] = 8;
    async->verdict[ORACLE_ATTRIBUTION] = 500;
    async->own[ORACLE_ATTRIBUTION] = 3;
    struct results_execution execution = synthetic_execution(run, "c2");
    execution.layers = 1u << ORACLE_LAYER_ASYNC;
    struct results_report report = report_of(&execution, 1);
    json_t* object = written(&report);
    json_t* row = json_array_get(json_object_get(object, "runs"), 0);
    cr_expect_eq(number(row, "judged"), 20508);
    cr_expect_float_eq(real(row, "rate"), 8.0 / 20508, 1e-12);
    cr_expect_eq(number(row, "attribution"), 500);
    cr_expect_float_eq(real(row, "attribution_rate"), 500.0 / 20508, 1e-12);
    cr_expect_lt(real(row, "attribution_low"), 500.0 / 20508);
    cr_expect_gt(real(row, "attribution_high"), 500.0 / 20508);
    cr_expect_float_eq(real(row, "attribution_limit"), 0.25, 1e-12);
    cr_expect_eq(json_object_size(json_object_get(row, "mismatch")), 1, "missing, and no more");
    cr_expect_eq(number(row, "own_judged"), 3);
    cr_expect_eq(number(row, "own_attribution"), 3);
    cr_expect_eq(json_object_size(json_object_get(row, "own_mismatch")), 0);
    expect_string(row, "verdict", "PASS");
    json_decref(object);
    results_report_free(&report);
    free(run);
}

Test(report, json_holds_clusters_votes_and_coverage) {
    static const struct results_wanted wanted = {
        .text = "c2/body", .kinds = 1u << RESULTS_CODE_C2, .regions = 1u << RESULTS_REGION_BODY};
    struct results_run* run = synthetic_run(20000);
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING] = 8;
    static struct synthetic_mismatch mismatch;
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 4);
    mismatch.vote = RESULTS_VOTE_ALL_DIFFER;
    mismatch.sample.cluster = 5;
    struct synthetic_recording* recording = synthetic_record_open(NULL);
    synthetic_record_add(recording, &mismatch);
    mismatch.vote = RESULTS_VOTE_AGAINST_WALKER;
    synthetic_record_add(recording, &mismatch);
    struct results_record* record = synthetic_record_close(recording);
    synthetic_cluster(run, 4, ORACLE_MISSING, RESULTS_CODE_C2, 8);
    run->coverage.code[RESULTS_CODE_C2][RESULTS_REGION_BODY].judged = 77;
    run->coverage.depth[3].refused = 6;
    run->coverage.state[RESULTS_THREAD_IN_VM].judged = 5;
    struct results_execution execution = synthetic_execution(run, "c2");
    execution.record = record;
    execution.wanted = &wanted;
    execution.wanted_count = 1;
    execution.layers = 1u << ORACLE_LAYER_ASYNC;
    struct results_report report = report_of(&execution, 1);
    json_t* object = written(&report);
    json_t* row = json_array_get(json_object_get(object, "runs"), 0);
    cr_expect_eq(number(json_object_get(row, "votes"), "all_differ"), 1);
    json_t* coverage = json_object_get(row, "coverage");
    cr_expect(json_is_true(json_object_get(coverage, "known")));
    json_t* code = json_object_get(json_object_get(coverage, "code"), "c2");
    cr_expect_eq(number(json_object_get(code, "body"), "judged"), 77);
    json_t* depth = json_object_get(json_object_get(coverage, "depth"), "8");
    cr_expect_eq(number(depth, "refused"), 6);
    json_t* state = json_object_get(json_object_get(coverage, "state"), "in_vm");
    cr_expect_eq(number(state, "judged"), 5);
    json_t* cell = json_array_get(json_object_get(coverage, "wanted"), 0);
    expect_string(cell, "cell", "c2/body");
    cr_expect_eq(number(cell, "samples"), 77);
    json_t* cluster = json_array_get(json_object_get(object, "clusters"), 0);
    expect_string(cluster, "relation", "caller missing");
    expect_string(cluster, "instruction", "mov");
    cr_expect_eq(number(cluster, "count"), 8);
    cr_expect_eq(number(json_object_get(cluster, "votes"), "all_differ"), 1);
    cr_expect_eq(number(json_object_get(cluster, "votes"), "against_walker"), 1);
    cr_expect_eq(number(cluster, "kept"), 2);
    json_t* example = json_object_get(cluster, "example");
    cr_expect_eq(number(example, "jvm"), 0);
    cr_expect_eq(number(example, "sequence"), 2, "the other was taken back");
    json_t* where = json_array_get(json_object_get(cluster, "rows"), 0);
    expect_string(where, "case", "recursion");
    cr_expect_eq(number(where, "count"), 8);
    cr_expect_eq(json_array_size(json_object_get(object, "observer")), 0);
    json_decref(object);
    results_report_free(&report);
    results_record_close(record);
    free(run);
}

Test(report, json_holds_the_scopes_beside_each_other) {
    struct results_run* run = synthetic_run(20000);
    struct results_execution executions[2] = {synthetic_execution(run, "c2"),
                                              synthetic_execution(run, "c2")};
    executions[0].scope = "none";
    executions[0].units = 100;
    executions[1].units = 40;
    executions[0].unit_seconds = executions[1].unit_seconds = 1;
    struct results_report report = report_of(executions, 2);
    json_t* object = written(&report);
    json_t* scopes = json_object_get(object, "observer");
    cr_assert_eq(json_array_size(scopes), 2);
    expect_string(json_array_get(scopes, 1), "scope", "app");
    cr_expect_float_eq(real(json_array_get(scopes, 1), "speed_of_none"), 0.4, 1e-12);
    json_t* async = json_object_get(json_array_get(scopes, 1), "async");
    cr_expect_eq(number(async, "judged"), 20000);
    cr_expect_eq(number(json_array_get(json_object_get(object, "jvms"), 0), "units"), 100);
    json_decref(object);
    results_report_free(&report);
    free(run);
}

Test(report, json_survives_texts_that_are_not_utf_8) {
    struct results_run* run = synthetic_run(20000);
    strcpy(run->jvm_version, "17\xff+1");
    memset(run->source, 'x', sizeof run->source); // and no end to it
    struct results_execution execution = synthetic_execution(run, "int");
    execution.directory = "/tmp/\xe4rger";
    struct results_report report = report_of(&execution, 1);
    json_t* object = written(&report);
    json_t* jvm = json_array_get(json_object_get(object, "jvms"), 0);
    expect_string(jvm, "vm_version", "17?+1");
    expect_string(jvm, "directory", "/tmp/?rger");
    cr_expect_eq(strlen(json_string_value(json_object_get(jvm, "source"))), sizeof run->source);
    json_decref(object);
    results_report_free(&report);
    free(run);
}

Test(report, json_that_cannot_be_written_is_an_error) {
    struct results_report report = report_of(NULL, 0);
    cr_expect_eq(results_json(&report, "/tmp/plumbline-not-there/results.json"), -1);
    cr_expect_neq(errno, 0);
    results_report_free(&report);
}
