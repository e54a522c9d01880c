// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Reports read back: the same as written, and where they are not whole, words that say what is
// missing.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record_made.h"
#include "saved.h"
#include "written.h"

// Two runs, with mismatches that have evidence and clusters, and refusals.
static void write_two(struct written* written) {
    written_open(written);
    struct results_run* run = written_add(written, "recursion", "int");
    struct results_layer* async = &run->layers[ORACLE_LAYER_ASYNC];
    async->verdict[ORACLE_MISSING] = 3000;
    async->verdict[ORACLE_ATTRIBUTION] = 12;
    async->own[ORACLE_AGREE] = 70;
    async->own[ORACLE_PHANTOM] = 2;
    async->refused[ORACLE_REFUSAL_UNKNOWN_JAVA] = async->verdict[ORACLE_REFUSED] = 517;
    async->undecided[RESULTS_UNDECIDED_BLAME] = async->verdict[ORACLE_UNDECIDED] = 3;
    async->verdict[ORACLE_NO_ANSWER] = 9;
    synthetic_mismatch(run, ORACLE_LAYER_ASYNC, 30);
    synthetic_context(run);
    synthetic_cluster(run, 0, ORACLE_MISSING, RESULTS_CODE_C2, 3000)->example = 0;
    synthetic_cluster(run, 1, ORACLE_ATTRIBUTION, RESULTS_CODE_C1_3, 12);
    run->mismatches[0].cluster = 1;
    written_add(written, "mixed", "tiered")->coverage.code[RESULTS_CODE_C2][1].judged = 40;
    written->executions[1].scope = "all";
    written->executions[1].units = 12;
    written->executions[1].unit_seconds = 1.5;
    written_close(written, "17.0.19");
}

static char* text_of(struct results_saved* saved) {
    return written_format(RESULTS_FORMAT_TEXT, &saved, 1);
}

Test(saved, what_was_written_prints_the_same_text_when_it_is_read_back) {
    struct written written;
    write_two(&written);
    struct results_saved* saved = written_read(&written);
    cr_expect_str_eq(results_saved_missing(saved), "");
    char* text = text_of(saved);
    cr_expect_str_eq(text, written.table);
    cr_expect(strstr(text, "Demo.m3 @3 Demo.java:103") != NULL, "with its evidence: %s", text);
    free(text);
    results_saved_free(saved);
    written_remove(&written);
}

Test(saved, a_directory_that_was_moved_keeps_its_evidence) {
    struct written written;
    write_two(&written);
    char moved[80];
    snprintf(moved, sizeof moved, "%s-moved", written.directory);
    cr_assert_eq(rename(written.directory, moved), 0);
    strcpy(written.directory, moved);
    struct results_saved* saved = written_read(&written);
    cr_expect_str_eq(results_saved_missing(saved), "");
    cr_expect_eq(results_saved_report(saved)->groups[0].mismatch->thread_id, 77);
    cr_expect_str_eq(results_saved_report(saved)->directory, moved);
    results_saved_free(saved);
    written_remove(&written);
}

Test(saved, a_run_file_that_is_gone_is_named_and_the_rest_is_told) {
    struct written written;
    write_two(&written);
    char path[128];
    snprintf(path, sizeof path, "%s/run.plumbline", written.directories[0]);
    cr_assert_eq(unlink(path), 0);
    struct results_saved* saved = written_read(&written);
    const char* missing = results_saved_missing(saved);
    cr_expect(strncmp(missing, path, strlen(path)) == 0, "%s", missing);
    cr_expect(strstr(missing, "No such file") != NULL, "%s", missing);
    char* text = text_of(saved);
    cr_expect(strstr(text, "3000/23012 = 13.0 %") != NULL, "%s", text);
    cr_expect(strstr(text, "Demo.m3") == NULL, "no evidence: %s", text);
    free(text);
    results_saved_free(saved);
    written_remove(&written);
}

// A run whose cluster's example is the record's sample 4, kept so long before it was recorded. Its
// file is gone, the record is there.
static struct results_saved* read_recorded(struct written* written, int64_t before_ns,
                                           enum results_vote vote) {
    struct made made = made_record(1, 10);
    struct results_sample sample = made_sample(4);
    written_open(written);
    struct results_run* run = written_add(written, "recursion", "int");
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING] = 3000;
    synthetic_mismatch(run, ORACLE_LAYER_ASYNC, 30);
    synthetic_cluster(run, 0, ORACLE_MISSING, RESULTS_CODE_C2, 3000)->example = 0;
    struct results_mismatch* m = &run->mismatches[0];
    m->cluster = 1;
    m->thread_id = sample.thread_id;
    m->pc = sample.pc;
    m->time_ns = (uint64_t)((int64_t)sample.time_ns - before_ns);
    m->vote = (uint8_t)vote;
    written_close(written, "17.0.19");
    char path[128];
    snprintf(path, sizeof path, "%s/run.plumbline", written->directories[0]);
    cr_assert_eq(unlink(path), 0);
    snprintf(path, sizeof path, "%s/run.lz4", written->directories[0]);
    FILE* file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(made.bytes, 1, made.size, file), made.size);
    fclose(file);
    made_free(&made);
    return written_read(written);
}

Test(saved, an_example_is_found_in_the_record_where_the_run_file_is_gone) {
    struct written written;
    struct results_saved* saved = read_recorded(&written, 700, RESULTS_VOTE_AGAINST_WALKER);
    const struct results_group* group = &results_saved_report(saved)->groups[0];
    cr_expect_str_eq(results_saved_missing(saved), "");
    cr_assert_not_null(group->mismatch);
    cr_expect_eq(group->mismatch->thread_id, 4);
    cr_expect_eq(group->mismatch->observed_kept, 3);
    cr_expect_eq(group->mismatch->vote, RESULTS_VOTE_AGAINST_WALKER);
    char* text = text_of(saved);
    cr_expect(strstr(text, "Made.m1000") != NULL, "%s", text);
    free(text);
    text = written_format(RESULTS_FORMAT_HTML, &saved, 1);
    cr_expect(strstr(text, "Made.m1000") != NULL, "the page has it, too");
    free(text);
    results_saved_free(saved);
    written_remove(&written);
}

Test(saved, an_example_that_the_record_has_not_is_missing) {
    struct written written;
    struct results_saved* saved = read_recorded(&written, -20000000, RESULTS_VOTE_OPEN);
    cr_expect_null(results_saved_report(saved)->groups[0].mismatch, "20 ms are another mismatch");
    cr_expect(strstr(results_saved_missing(saved), "No such file") != NULL, "%s",
              results_saved_missing(saved));
    results_saved_free(saved);
    written_remove(&written);
}

Test(saved, a_run_file_that_is_none_is_named) {
    struct written written;
    write_two(&written);
    char path[128];
    snprintf(path, sizeof path, "%s/run.plumbline", written.directories[1]);
    cr_assert_eq(truncate(path, 4096), 0);
    struct results_saved* saved = written_read(&written);
    const char* missing = results_saved_missing(saved);
    cr_expect(strncmp(missing, path, strlen(path)) == 0, "%s", missing);
    cr_expect(strstr(missing, "no run file of this version") != NULL, "%s", missing);
    results_saved_free(saved);
    written_remove(&written);
}

// ---- What is no results.json ------------------------------------------------------------------

static char* read_json(const struct written* written) {
    char path[96];
    snprintf(path, sizeof path, "%s/results.json", written->directory);
    FILE* file = fopen(path, "r");
    cr_assert(file != NULL);
    char* text = calloc(1, 1 << 20);
    cr_assert_lt(fread(text, 1, (1 << 20) - 1, file), (1u << 20) - 1);
    fclose(file);
    return text;
}

static void write_json(const struct written* written, const char* text, size_t size) {
    char path[96];
    snprintf(path, sizeof path, "%s/results.json", written->directory);
    FILE* file = fopen(path, "w");
    cr_assert(file != NULL);
    cr_assert_eq(fwrite(text, 1, size, file), size);
    fclose(file);
}

static void expect_refused(const struct written* written, const char* words) {
    char error[512] = "";
    struct results_saved* saved = results_saved_read(written->directory, error, sizeof error);
    cr_expect(saved == NULL, "read in spite of: %s", words);
    cr_expect(strstr(error, "/results.json: ") != NULL, "the file is named: %s", error);
    cr_expect(strstr(error, words) != NULL, "\"%s\" is not in: %s", words, error);
    results_saved_free(saved);
}

// The first `from` replaced by `to`.
static void expect_changed_refused(const char* from, const char* to, const char* words) {
    struct written written;
    write_two(&written);
    char *text = read_json(&written), *changed = calloc(1, 1 << 20);
    char* at = strstr(text, from);
    cr_assert(at != NULL, "%s", from);
    sprintf(changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    write_json(&written, changed, strlen(changed));
    expect_refused(&written, words);
    free(text);
    free(changed);
    written_remove(&written);
}

Test(saved, what_is_wrong_in_a_file_is_said_with_its_place) {
    expect_changed_refused("\"schema\": 1", "\"schema\": 2", "its schema is 2");
    expect_changed_refused("\"jdk\": {", "\"jdx\": {", "\"jdk\" is missing");
    expect_changed_refused("\"asked\": 20000", "\"asked\": -1", "runs[0]: \"asked\" is no count");
    expect_changed_refused("\"judged\": 20000", "\"judged\": \"many\"",
                           "runs[0]: \"judged\" is no");
    expect_changed_refused("\"low\": 0.0", "\"low\": null", "runs[0]: \"low\" is no number");
    expect_changed_refused("\"missing\": 3000", "\"lost\": 3000", "runs[3]: \"mismatch\" has an");
    expect_changed_refused("\"missing\": 3000", "\"missing\": 99999", "more mismatches than");
    expect_changed_refused("\"layer\": \"gst\"", "\"layer\": \"gst2\"", "the unknown \"gst2\"");
    expect_changed_refused("\"case\": \"recursion\"", "\"case\": \"iteration\"",
                           "no such JVM is in \"jvms\": iteration int app");
    expect_changed_refused("\"clusters\": [", "\"clusters\": 1, \"x\": [",
                           "\"clusters\" is no list");
    expect_changed_refused(
        "\"relation\":", "\"relating\":", "clusters[0]: \"relation\" is missing");
    expect_changed_refused("\"seed\"", "seed", "line 3");
}

Test(saved, a_directory_without_results_is_named) {
    struct written written;
    written_open(&written);
    expect_refused(&written, "No such file");
    written_remove(&written);
}

Test(saved, no_prefix_of_a_file_is_taken_for_the_whole) {
    struct written written;
    write_two(&written);
    char* text = read_json(&written);
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n') length--;
    for (size_t size = 0; size < length; size += 7) {
        write_json(&written, text, size);
        expect_refused(&written, "line ");
    }
    free(text);
    written_remove(&written);
}

// A file from elsewhere must not lead out of its own directory, nor to a mismatch that is not
// there.
Test(saved, indices_and_directories_of_a_hostile_file_lead_nowhere) {
    struct written written;
    write_two(&written);
    char outside[96], inside[128]; // where ".." would lead
    snprintf(outside, sizeof outside, "%s/run.plumbline", written.directory);
    snprintf(inside, sizeof inside, "%s/run.plumbline", written.directories[0]);
    cr_assert_eq(link(inside, outside), 0);
    char *text = read_json(&written), *at = strstr(text, "\"mismatch\": 0,");
    cr_assert(at != NULL, "the example of a cluster");
    at[strlen("\"mismatch\": ")] = '9'; // which was never filled
    at = strstr(text, "/runs/run-1\"");
    cr_assert(at != NULL);
    memcpy(at, "/runs/x/..\"\n", strlen("/runs/run-1\""));
    write_json(&written, text, strlen(text));
    struct results_saved* saved = written_read(&written);
    cr_expect_eq(results_saved_report(saved)->groups[0].mismatch, NULL);
    cr_expect_eq(saved->runs[1], NULL);
    results_saved_free(saved);
    free(text);
    written_remove(&written);
}

Test(saved, reports_together_are_as_bad_as_the_worst) {
    cr_expect_eq(results_worse(RESULTS_ROW_PASS, RESULTS_ROW_FAIL), RESULTS_ROW_FAIL);
    cr_expect_eq(results_worse(RESULTS_ROW_CRASH, RESULTS_ROW_FAIL), RESULTS_ROW_CRASH);
    cr_expect_eq(results_worse(RESULTS_ROW_INCONCLUSIVE, RESULTS_ROW_HARNESS), RESULTS_ROW_HARNESS);
    cr_expect_eq(results_worse(RESULTS_ROW_PASS, RESULTS_ROW_PASS), RESULTS_ROW_PASS);
}

Test(saved, runs_of_one_version_are_told_apart) {
    struct written written;
    write_two(&written);
    struct results_saved* saved[] = {written_read(&written), written_read(&written)};
    char* alone = saved_label(saved, 1, 0);
    char* second = saved_label(saved, 2, 1);
    cr_expect_str_eq(alone, "17.0.19");
    cr_expect_str_eq(second, "17.0.19 (2)");
    free(alone);
    free(second);
    results_saved_free(saved[0]);
    results_saved_free(saved[1]);
    written_remove(&written);
}

// ---- Rates over time
// -----------------------------------------------------------------------------

static int write_to(void* context, const void* bytes, size_t size) {
    return fwrite(bytes, 1, size, context) == size ? 0 : -1;
}

static const struct oracle_code* no_code(void* context, uint32_t number) {
    (void)context, (void)number;
    return NULL;
}

// A record beside the run's file, with the run's counters at one and at two seconds.
static void record_beside(const struct written* written, struct results_run* run) {
    char path[160];
    snprintf(path, sizeof path, "%s/run.lz4", written->directories[0]);
    FILE* file = fopen(path, "w");
    cr_assert_not_null(file);
    const struct results_recorder_options options = {file, write_to, no_code, NULL};
    struct results_recorder* recorder = results_recorder_open(&options);
    uint64_t* values = calloc(RESULTS_COUNTERS, sizeof *values);
    cr_assert(recorder != NULL && values != NULL);
    results_recorder_head(recorder, 0);
    results_counters_take(run, values);
    results_recorder_counters(recorder, 1000000000, values, true);
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_AGREE] += 500;
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_PHANTOM] += 7;
    results_counters_take(run, values);
    results_recorder_counters(recorder, 2000000000, values, false);
    results_recorder_flush(recorder, 2000000000, true);
    results_recorder_close(recorder);
    fclose(file);
    free(values);
}

static const struct results_series* async_series(const struct results_saved* saved) {
    for (size_t i = 0; i < saved->series_count; i++)
        if (saved->series[i].layer == ORACLE_LAYER_ASYNC) return &saved->series[i];
    return NULL;
}

Test(saved, a_record_beside_a_run_gives_its_counts_over_time) {
    struct written written;
    written_open(&written);
    struct results_run* run = written_add(&written, "mixed", "int");
    uint64_t before = results_judged(&run->layers[ORACLE_LAYER_ASYNC]);
    record_beside(&written, run);
    written_close(&written, "17.0.19");
    struct results_saved* saved = written_read(&written);
    const struct results_series* series = async_series(saved);
    cr_assert_not_null(series);
    cr_assert_eq(series->count, 2);
    cr_expect_str_eq(series->case_name, "mixed");
    cr_expect_float_eq(series->points[0].seconds, 1, 1e-9);
    cr_expect_eq(series->points[0].judged, before);
    cr_expect_float_eq(series->points[1].seconds, 2, 1e-9);
    cr_expect_eq(series->points[1].judged, before + 507);
    cr_expect_eq(series->points[1].mismatched, series->points[0].mismatched + 7);
    results_saved_free(saved);
    written_remove(&written);
}

Test(saved, a_run_that_was_not_recorded_has_no_counts_over_time) {
    struct written written;
    write_two(&written);
    struct results_saved* saved = written_read(&written);
    cr_expect_eq(saved->series_count, 0);
    results_saved_free(saved);
    written_remove(&written);
}
