// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// compare over directories, as results_json leaves them.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <jansson.h>

#include "comparison.h"
#include "runner/base/base.h"

static char root[64];

static void make_root(void) {
    // What is said must not go with the test's own output.
    cr_assert_not_null(freopen("/dev/null", "w", stdout));
    cr_assert_not_null(freopen("/dev/null", "w", stderr));
    strcpy(root, "/tmp/plumbline-compare-XXXXXX");
    cr_assert_not_null(mkdtemp(root));
}

static void remove_root(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", root);
    cr_assert_eq(system(command), 0);
}

// The caller's until the sixteenth call after it.
static const char* in_root(const char* name) {
    static char paths[16][128];
    static int next;
    char* path = paths[next++ % 16];
    snprintf(path, 128, "%s/%s", root, name);
    return path;
}

// A session's directory, whose only row has judged 20,000.
static void write_session(const char* name, unsigned truncated, const char* verdict) {
    struct results_run* run = calloc(1, sizeof *run);
    cr_assert_not_null(run);
    run->phase = RESULTS_PHASE_ENDED;
    struct results_layer* layer = &run->layers[ORACLE_LAYER_ASYNC];
    layer->answered = 20000;
    layer->verdict[ORACLE_AGREE] = 20000 - truncated;
    layer->verdict[ORACLE_TRUNCATED] = truncated;
    struct results_cluster* cluster = &run->clusters[1];
    *cluster = (struct results_cluster){.key = 1,
                                        .ready = 1,
                                        .layer = ORACLE_LAYER_ASYNC,
                                        .verdict = ORACLE_TRUNCATED,
                                        .code_kind = RESULTS_CODE_C2,
                                        .region = RESULTS_REGION_BODY,
                                        .count = truncated};
    struct results_execution execution = {.case_name = "mixed",
                                          .mode = "c2",
                                          .scope = "app",
                                          .layers = 1u << ORACLE_LAYER_ASYNC,
                                          .end = RESULTS_END_EXITED,
                                          .work = RESULTS_WORK_DONE,
                                          .run = run};
    if (strcmp(verdict, "CRASH") == 0) {
        execution.end = RESULTS_END_SIGNALLED;
        execution.status = 11;
    }
    struct results_report report = {.executions = &execution,
                                    .execution_count = 1,
                                    .planned = 1,
                                    .jdk_version = "17.0.19",
                                    .jdk_vm = "VM"};
    mkdir(in_root(name), 0777);
    char path[160];
    snprintf(path, sizeof path, "%s/results.json", in_root(name));
    cr_assert_eq(results_report_judge(&report), 0);
    cr_assert_eq(results_json(&report, path), 0);
    results_report_free(&report);
    free(run);
}

// The same where the cluster has more mismatches than were judged.
static void spoil_session(const char* name, const char* verdict) {
    char command[256];
    write_session(name, 6, verdict);
    snprintf(command, sizeof command,
             "sed -i '/\"rows\": \\[/,/]/s/\"count\": 6/\"count\": 30000/' %s/results.json",
             in_root(name));
    cr_assert_eq(system(command), 0);
}

static int status_of(const char* a, const char* b) {
    struct compare_options options = {
        .paths = {a, b}, .spread = -1, .json = in_root("compare.json")};
    return compare_run(&options);
}

TestSuite(compare_files, .init = make_root, .fini = remove_root);

Test(compare_files, exit_statuses_say_how_b_stands_to_a) {
    write_session("a", 5, "PASS");
    write_session("same", 6, "PASS");
    write_session("bad", 80, "PASS");
    write_session("dead", 5, "CRASH");
    cr_expect_eq(status_of(in_root("a"), in_root("same")), RUNNER_EXIT_PASS);
    cr_expect_eq(status_of(in_root("a"), in_root("bad")), RUNNER_EXIT_FAIL);
    cr_expect_eq(status_of(in_root("bad"), in_root("a")), RUNNER_EXIT_PASS);
    cr_expect_eq(status_of(in_root("a"), in_root("dead")), RUNNER_EXIT_FAIL);
    write_session("empty", 0, "PASS");
    FILE* file = fopen(in_root("empty/results.json"), "w");
    cr_assert_not_null(file);
    fputs("{\"date\": \"2026-11-20\", \"jdk\": {\"version\": \"17\", \"vm\": \"v\"}, "
          "\"runs\": [], \"clusters\": []}",
          file);
    fclose(file);
    cr_expect_eq(status_of(in_root("a"), in_root("empty")), RUNNER_EXIT_INCONCLUSIVE);
}

Test(compare_files, what_cannot_be_read_is_named) {
    struct compare compare = {.options = {.paths = {in_root("a"), in_root("b")}, .spread = -1}};
    char error[512] = "";
    write_session("a", 5, "PASS");
    cr_expect_neq(compare_read(&compare, error, sizeof error), 0);
    cr_expect(strstr(error, in_root("b")) != NULL, "%s", error);
    compare_close(&compare);
    mkdir(in_root("b"), 0777);
    cr_expect_eq(status_of(in_root("a"), in_root("b")), RUNNER_EXIT_HARNESS, "nothing in it");
    FILE* file = fopen(in_root("b/results.json"), "w");
    cr_assert_not_null(file);
    fputs("{\"runs\": [", file);
    fclose(file);
    cr_expect_eq(status_of(in_root("a"), in_root("b")), RUNNER_EXIT_HARNESS);
    cr_expect_neq(compare_read(&compare, error, sizeof error), 0);
    cr_expect(strstr(error, in_root("b/results.json")) != NULL, "%s", error);
    compare_close(&compare);
    struct compare_options unwritable = {
        .paths = {in_root("a"), in_root("a")}, .json = in_root("no/where"), .spread = -1};
    cr_expect_eq(compare_run(&unwritable), RUNNER_EXIT_HARNESS);
}

Test(compare_files, a_cluster_of_more_than_was_judged_is_refused_or_was_cut_short_by_a_death) {
    struct compare compare = {.options = {.paths = {in_root("a"), in_root("b")}, .spread = -1}};
    char error[512] = "";
    write_session("a", 5, "PASS");
    spoil_session("b", "PASS");
    cr_expect_eq(compare_read(&compare, error, sizeof error), -1);
    cr_expect(strstr(error, "b/results.json: mixed/c2/app async: more mismatches") != NULL, "%s",
              error);
    compare_close(&compare);
    cr_expect_eq(status_of(in_root("a"), in_root("b")), RUNNER_EXIT_HARNESS);
    spoil_session("b", "CRASH");
    cr_expect_eq(status_of(in_root("a"), in_root("b")), RUNNER_EXIT_FAIL);
}

Test(compare_files, directories_of_directories_are_several_runs_and_links_are_none) {
    mkdir(in_root("a"), 0777);
    mkdir(in_root("b"), 0777);
    for (unsigned i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "a/%u", i);
        write_session(name, 5 + i, "PASS");
        snprintf(name, sizeof name, "b/%u", i);
        write_session(name, 80 + i, "PASS");
    }
    cr_assert_eq(symlink("3", in_root("a/latest")), 0);
    cr_expect_eq(status_of(in_root("a"), in_root("b")), RUNNER_EXIT_FAIL);
    json_t* json = json_load_file(in_root("compare.json"), 0, NULL);
    cr_assert_not_null(json);
    cr_expect_eq(json_integer_value(json_object_get(json_object_get(json, "a"), "runs")), 4);
    cr_expect_eq(json_integer_value(json_object_get(json, "assignments")), 70);
    const json_t* tests = json_object_get(json, "tests");
    cr_assert_gt(json_array_size(tests), 0);
    const json_t* b = json_object_get(json_array_get(tests, 0), "b");
    cr_expect_float_eq(json_real_value(json_object_get(b, "least_run")), 80 / 20000.0, 1e-12);
    cr_expect_float_eq(json_real_value(json_object_get(b, "most_run")), 83 / 20000.0, 1e-12);
    json_decref(json);
}

Test(compare_files, json_holds_every_test) {
    write_session("a", 0, "PASS");
    write_session("b", 80, "PASS");
    cr_expect_eq(status_of(in_root("a"), in_root("b")), RUNNER_EXIT_FAIL);
    json_t* json = json_load_file(in_root("compare.json"), 0, NULL);
    cr_assert_not_null(json);
    cr_expect_str_eq(json_string_value(json_object_get(json, "verdict")), "worse");
    const json_t* tests = json_object_get(json, "tests");
    cr_assert_eq(json_array_size(tests), 4, "walking errors, truncated, their cause, one cluster");
    const json_t* cluster = json_array_get(tests, 3);
    cr_expect_str_eq(json_string_value(json_object_get(cluster, "novelty")), "new");
    cr_expect_str_eq(json_string_value(json_object_get(cluster, "outcome")), "worse");
    const json_t* b = json_object_get(cluster, "b");
    cr_expect_eq(json_integer_value(json_object_get(b, "count")), 80);
    cr_expect_eq(json_integer_value(json_object_get(b, "of")), 20000);
    json_decref(json);
}

Test(compare_files, what_cannot_be_printed_is_no_pass, .init = make_root, .fini = remove_root) {
    write_session("a", 10, "PASS");
    write_session("b", 10, "PASS");
    const struct compare_options options = {
        .paths = {in_root("a"), in_root("b")}, .level = COMPARE_LEVEL, .spread = -1};
    cr_expect_eq(compare_run(&options), RUNNER_EXIT_PASS);
    stdout = fopen("/dev/full", "w");
    cr_assert_not_null(stdout);
    cr_expect_eq(compare_run(&options), RUNNER_EXIT_HARNESS);
}
