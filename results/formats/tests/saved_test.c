// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Reports read back: the same as written, and where they are not whole, words that say what is
// missing.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "saved.h"
#include "written.h"

// The example of the first cluster. Its number is 17.
static struct synthetic_mismatch made_mismatch(void) {
    static struct synthetic_mismatch mismatch;
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 30);
    synthetic_context(&mismatch);
    mismatch.sample.cluster = 1;
    mismatch.sample.sequence = 17;
    mismatch.vote = RESULTS_VOTE_AGAINST_WALKER;
    return mismatch;
}

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
    synthetic_cluster(run, 0, ORACLE_MISSING, RESULTS_CODE_C2, 3000);
    synthetic_cluster(run, 1, ORACLE_ATTRIBUTION, RESULTS_CODE_C1_3, 12);
    struct synthetic_mismatch mismatch = made_mismatch();
    written_record(written, &mismatch);
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
    const struct results_group* group = &results_saved_report(saved)->groups[0];
    struct results_sample* sample =
        results_record_fetch(group->example->record, group->example_sequence);
    cr_assert_not_null(sample);
    cr_expect_eq(sample->thread_id, 77);
    results_sample_free(sample);
    cr_expect_str_eq(results_saved_report(saved)->directory, moved);
    results_saved_free(saved);
    written_remove(&written);
}

// Removes a file of the run.
static void lose(const struct written* written, size_t run, const char* name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", written->directories[run], name);
    cr_assert_eq(unlink(path), 0, "%s", path);
}

// That file of the run, and no other, is said to be missing.
static void expect_missing(const struct written* written, const struct results_saved* saved,
                           size_t run, const char* name, const char* why) {
    char line[256];
    snprintf(line, sizeof line, "%s/%s: %s\n", written->directories[run], name, why);
    cr_expect_str_eq(results_saved_missing(saved), line);
}

Test(saved, a_run_file_that_is_gone_is_named_and_the_rest_is_told) {
    struct written written;
    write_two(&written);
    lose(&written, 0, "run.plumbline");
    lose(&written, 0, "run.lz4");
    struct results_saved* saved = written_read(&written);
    expect_missing(&written, saved, 0, "run.plumbline", "No such file or directory");
    char* text = text_of(saved);
    cr_expect(strstr(text, "3000/23012 = 13.0 %") != NULL, "%s", text);
    cr_expect(strstr(text, "Demo.m3") == NULL, "no evidence: %s", text);
    free(text);
    results_saved_free(saved);
    written_remove(&written);
}

Test(saved, a_record_that_is_gone_is_named_and_the_rest_is_told) {
    struct written written;
    write_two(&written);
    lose(&written, 0, "run.lz4");
    struct results_saved* saved = written_read(&written);
    expect_missing(&written, saved, 0, "run.lz4", "No such file or directory");
    cr_expect_null(results_saved_report(saved)->groups[0].example);
    char* text = text_of(saved);
    cr_expect(strstr(text, "3000/23012 = 13.0 %") != NULL, "%s", text);
    cr_expect(strstr(text, "Demo.m3") == NULL, "no evidence: %s", text);
    free(text);
    results_saved_free(saved);
    written_remove(&written);
}

Test(saved, an_example_is_found_in_the_record_where_the_run_file_is_gone) {
    struct written written;
    write_two(&written);
    lose(&written, 0, "run.plumbline");
    struct results_saved* saved = written_read(&written);
    const struct results_group* group = &results_saved_report(saved)->groups[0];
    cr_expect_str_eq(results_saved_missing(saved), "");
    cr_assert_not_null(group->example);
    cr_expect_eq(group->example_sequence, 17);
    struct results_sample* sample = results_record_fetch(group->example->record, 17);
    cr_assert_not_null(sample);
    cr_expect_eq(sample->thread_id, 77);
    cr_expect_eq(sample->frame_count, 29);
    cr_expect_eq(results_record_vote(group->example->record, sample), RESULTS_VOTE_AGAINST_WALKER);
    results_sample_free(sample);
    char* text = text_of(saved);
    cr_expect(strstr(text, "Demo.m3") != NULL, "%s", text);
    free(text);
    text = written_format(RESULTS_FORMAT_HTML, &saved, 1);
    cr_expect(strstr(text, "Demo.m3") != NULL, "the page has it, too");
    free(text);
    results_saved_free(saved);
    written_remove(&written);
}

static void print_clusters(const void* report, FILE* out) {
    results_clusters(report, out);
}

static void cites(const char* what, char* text, const char* number) {
    cr_expect(strstr(text, number) != NULL, "%s: \"%s\" is not in: %s", what, number, text);
    free(text);
}

Test(saved, every_report_cites_a_mismatch_by_its_number_in_the_record) {
    static const char name[] = "mismatch recursion-int-app/17\n"; // as show --mismatch takes it
    struct written written;
    write_two(&written);
    struct results_saved* saved = written_read(&written);
    cites("results.json", written_format(RESULTS_FORMAT_JSON, &saved, 1), "\"sequence\": 17");
    cites("the page", written_format(RESULTS_FORMAT_HTML, &saved, 1), "mismatch 17,");
    cites("the text", text_of(saved), name);
    cites("clusters.txt", synthetic_output(print_clusters, results_saved_report(saved)), name);
    results_saved_free(saved);
    written_remove(&written);
}

// A record from elsewhere: the number that the report cites is not in it.
Test(saved, an_example_that_the_record_has_not_is_shown_nowhere) {
    struct written written;
    write_two(&written);
    char path[128];
    struct synthetic_mismatch mismatch = made_mismatch();
    mismatch.sample.sequence = 18;
    snprintf(path, sizeof path, "%s/run.lz4", written.directories[0]);
    results_record_close(synthetic_record(path, &mismatch));
    struct results_saved* saved = written_read(&written);
    const struct results_group* group = &results_saved_report(saved)->groups[0];
    cr_assert_not_null(group->example);
    cr_expect_null(results_record_fetch(group->example->record, group->example_sequence));
    cr_expect_not(results_show(results_saved_report(saved), group->example, group->example_sequence,
                               true, stdout));
    char* text = written_format(RESULTS_FORMAT_HTML, &saved, 1);
    cr_expect(strstr(text, "Demo.m3") == NULL, "nor in the page");
    free(text);
    results_saved_free(saved);
    written_remove(&written);
}

// What it had counted is in results.json; the coverage is looked up in the file.
Test(saved, a_run_file_that_was_written_over_shows_no_number_that_is_none) {
    struct written written;
    char path[200];
    write_two(&written);
    snprintf(path, sizeof path, "%s/run.plumbline", written.directories[1]);
    struct results_run* run = results_run_map(path);
    cr_assert_not_null(run);
    run->coverage.code[RESULTS_CODE_C2][1].judged = UINT64_MAX;
    run->coverage.stubs[0] =
        (struct results_stub){.state = RESULTS_STUB_READY, .cell = {.judged = UINT64_MAX}};
    results_run_unmap(run);
    struct results_saved* saved = written_read(&written);
    char* text = text_of(saved);
    cr_expect_null(strstr(text, "18446744073709551615"), "%s", text);
    free(text);
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
    expect_missing(&written, saved, 1, "run.plumbline",
                   "is no run file of this version of plumbline");
    results_saved_free(saved);
    written_remove(&written);
}

Test(saved, a_run_file_of_another_version_is_not_missed_beside_its_record) {
    struct written written;
    write_two(&written);
    char path[128];
    snprintf(path, sizeof path, "%s/run.plumbline", written.directories[0]);
    cr_assert_eq(truncate(path, 4096), 0);
    struct results_saved* saved = written_read(&written);
    cr_expect_str_eq(results_saved_missing(saved), "");
    char* text = text_of(saved);
    cr_expect(strstr(text, "Demo.m3") != NULL, "%s", text);
    free(text);
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
    expect_changed_refused("\"schema\": 3", "\"schema\": 4", "its schema is 4");
    expect_changed_refused("\"schema\": 3", "\"schema\": 4",
                           "this plumbline reads 1 to 3: use the plumbline that wrote it, or run "
                           "validate again");
    expect_changed_refused("\"schema\": 3", "\"schema\": 0", "its schema is 0");
    expect_changed_refused("\"unexplained\": 3000\n", "\"unexplained\": 2999\n",
                           "runs[3]: \"causes\" are not the sum");
    expect_changed_refused("\"unexplained\": 3000,", "\"unexplained\": 3001,",
                           "runs[3]: \"causes\" are not the sum");
    expect_changed_refused("\"pools\": [", "\"pools\": 1, \"x\": [", "\"pools\" is no list");
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
    for (size_t size = 0; size < length; size += 29) {
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
    char *text = read_json(&written), *at = strstr(text, "\"jvm\": 0,");
    cr_assert(at != NULL, "the example of a cluster");
    at[strlen("\"jvm\": ")] = '9'; // which never ran
    at = strstr(text, "/runs/run-1\"");
    cr_assert(at != NULL);
    memcpy(at, "/runs/x/..\"\n", strlen("/runs/run-1\""));
    write_json(&written, text, strlen(text));
    struct results_saved* saved = written_read(&written);
    cr_expect_null(results_saved_report(saved)->groups[0].example);
    cr_expect_null(saved->runs[1]);
    cr_expect_null(saved->records[1]);
    results_saved_free(saved);
    free(text);
    written_remove(&written);
}

// One member of a text becomes another.
static char* changed(const char* text, const char* from, const char* to) {
    const char* at = strstr(text, from);
    char* copy = NULL;
    cr_assert(at != NULL, "%s", from);
    cr_assert_gt(asprintf(&copy, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)), 0);
    return copy;
}

static void lead_nowhere(const struct written* written, const char* text, const char* sequence) {
    char* other = changed(text, "\"sequence\": 17", sequence);
    write_json(written, other, strlen(other));
    struct results_saved* saved = written_read(written);
    const struct results_group* group = &results_saved_report(saved)->groups[0];
    cr_expect(group->example == NULL ||
                  results_record_fetch(group->example->record, group->example_sequence) == NULL,
              "%s", sequence);
    results_saved_free(saved);
    free(other);
}

Test(saved, numbers_of_a_hostile_file_lead_to_no_mismatch) {
    struct written written;
    write_two(&written);
    char* text = read_json(&written);
    lead_nowhere(&written, text, "\"sequence\": 0");
    lead_nowhere(&written, text, "\"sequence\": -17");
    lead_nowhere(&written, text, "\"sequence\": 9223372036854775807");
    lead_nowhere(&written, text, "\"sequence\": \"17\"");
    lead_nowhere(&written, text, "\"sequence\": 17.0");
    lead_nowhere(&written, text, "\"other\": 17");
    free(text);
    written_remove(&written);
}

// ---- The schema before this one ---------------------------------------------------------------

// As schema 1 named its examples: by a place in the run's file, which was the agent's of then.
Test(saved, a_report_of_schema_1_is_read_without_examples) {
    struct written written;
    write_two(&written);
    char path[128], *text = read_json(&written);
    char* first = changed(text, "\"schema\": 3", "\"schema\": 1");
    char* old = changed(first, "\"sequence\": 17",
                        "\"mismatch\": 0, \"time_ns\": 1, \"thread_id\": 77, \"pc\": 4660, "
                        "\"vote\": \"against_walker\"");
    write_json(&written, old, strlen(old));
    snprintf(path, sizeof path, "%s/run.plumbline", written.directories[0]);
    cr_assert_eq(truncate(path, 4096), 0); // another version's
    struct results_saved* saved = written_read(&written);
    const struct results_report* report = results_saved_report(saved);
    cr_assert_eq(report->group_count, 2);
    cr_expect_eq(report->groups[0].count, 3000);
    cr_expect_eq(report->groups[0].votes[RESULTS_VOTE_AGAINST_WALKER], 1);
    cr_expect_null(report->groups[0].example);
    cr_expect_str_eq(results_saved_missing(saved), "", "its record is there");
    char* printed = text_of(saved);
    cr_expect(strstr(printed, "3000/23012 = 13.0 %") != NULL, "%s", printed);
    free(printed);
    printed = written_format(RESULTS_FORMAT_HTML, &saved, 1);
    cr_expect(strstr(printed, "\"evidence\"") == NULL, "no example");
    free(printed);
    results_saved_free(saved);
    free(text);
    free(first);
    free(old);
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

// ---- Rates over time --------------------------------------------------------------------------

static int write_to(void* context, const void* bytes, size_t size) {
    return fwrite(bytes, 1, size, context) == size ? 0 : -1;
}

// A record beside the run's file, with the run's counters at each second from the first on. From
// one to the next 500 traces agree and 7 do not.
static void record_beside(const struct written* written, struct results_run* run, unsigned count) {
    char path[160];
    snprintf(path, sizeof path, "%s/run.lz4", written->directories[0]);
    FILE* file = fopen(path, "w");
    cr_assert_not_null(file);
    const struct results_recorder_options options = {file, write_to, NULL};
    struct results_recorder* recorder = results_recorder_open(&options);
    uint64_t* values = calloc(RESULTS_COUNTERS, sizeof *values);
    cr_assert(recorder != NULL && values != NULL);
    results_recorder_head(recorder, 0);
    for (unsigned second = 1; second <= count; second++) {
        results_counters_take(run, values);
        results_recorder_counters(recorder, second * 1000000000ull, values, second == 1);
        if (second == count) break;
        run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_AGREE] += 500;
        run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_PHANTOM] += 7;
    }
    results_recorder_flush(recorder, count * 1000000000ull, true);
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
    record_beside(&written, run, 2);
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

Test(saved, a_long_run_has_its_counts_to_the_end_further_apart) {
    for (unsigned count = 4096; count <= 20480; count += 4096 + (count == 8192)) {
        struct written written;
        written_open(&written);
        struct results_run* run = written_add(&written, "mixed", "int");
        uint64_t before = results_mismatched(&run->layers[ORACLE_LAYER_ASYNC]);
        record_beside(&written, run, count);
        written_close(&written, "17.0.19");
        struct results_saved* saved = written_read(&written);
        const struct results_series* series = async_series(saved);
        cr_assert_not_null(series);
        cr_expect_leq(series->count, 4096);
        cr_expect_geq(series->count, 2048);
        double apart = series->points[1].seconds - 1;
        cr_expect_float_eq(series->points[0].seconds, 1, 1e-9);
        for (size_t i = 1; i + 1 < series->count; i++)
            cr_assert_float_eq(series->points[i].seconds, 1 + apart * (double)i, 1e-9);
        const struct results_point* last = &series->points[series->count - 1];
        cr_expect_float_eq(last->seconds, count, 1e-9, "%g of %u", last->seconds, count);
        cr_expect_eq(last->mismatched, before + 7 * (count - 1));
        results_saved_free(saved);
        written_remove(&written);
    }
}

Test(saved, a_run_whose_counters_were_not_recorded_has_no_counts_over_time) {
    struct written written;
    write_two(&written); // one has a record without them, one has none
    struct results_saved* saved = written_read(&written);
    cr_expect_eq(saved->series_count, 0);
    results_saved_free(saved);
    written_remove(&written);
}

// ---- Causes -----------------------------------------------------------------------------------

static struct results_cause list[] = {{.name = "unexplained"},
                                      {.name = "deopt",
                                       .title = (char*)"callers deoptimised",
                                       .finding = (char*)"10",
                                       .bug = (char*)"JDK-1"}};
static const struct results_causes causes = {2, list};

static void write_causes(struct written* written) {
    written_open(written);
    struct results_run* run = written_add(written, "mixed", "c2");
    struct results_layer* async = &run->layers[ORACLE_LAYER_ASYNC];
    strcpy(run->cause_names[5], "deopt");
    async->verdict[ORACLE_TRUNCATED] = 300;
    async->verdict[ORACLE_MISSING] = 12;
    async->cause[0] = 12;
    async->cause[5] = 300;
    synthetic_cluster(run, 3, ORACLE_TRUNCATED, RESULTS_CODE_C2, 300)->cause = 5;
    written->executions[0].causes = &causes;
    written_close(written, "17.0.19");
}

Test(saved, causes_pools_and_power_come_back) {
    struct written written;
    write_causes(&written);
    struct results_saved* saved = written_read(&written);
    const struct results_report* report = results_saved_report(saved);
    const struct results_row* row = &report->rows[ORACLE_LAYER_ASYNC];
    cr_assert_eq(row->layer, ORACLE_LAYER_ASYNC);
    cr_expect_eq(row->cause[RESULTS_UNEXPLAINED], 12);
    cr_expect_eq(row->cause[1], 300);
    cr_expect_str_eq(results_cause_name(row->execution, 1), "deopt");
    cr_expect_eq(row->unexplained, 312, "deopt was never measured here");
    cr_expect_eq(row[1].unexplained, 0);
    cr_expect_gt(row[1].notices, 0.0005);
    cr_expect_lt(row[1].notices, 0.01);
    cr_expect_lt(row[1].notices_refusals, 0.1);
    cr_assert_eq(report->known_count, 2);
    cr_expect_str_eq(report->known[0].title, "callers deoptimised");
    cr_expect_str_eq(report->known[0].bug, "JDK-1");
    cr_expect_eq(report->known[0].unmeasured, 300);
    cr_expect_eq(report->pool_count, ORACLE_LAYER_COUNT);
    cr_expect(report->pools[0].failed);
    cr_expect_eq(report->pools[0].unexplained, 312);
    cr_expect_str_eq(report->groups[0].cause, "deopt");
    char* text = text_of(saved);
    cr_expect_str_eq(text, written.table);
    free(text);
    results_saved_free(saved);
    written_remove(&written);
}

Test(saved, every_format_names_the_causes) {
    static const char* const wanted[RESULTS_FORMAT_COUNT] = {
        [RESULTS_FORMAT_TEXT] = "callers deoptimised",
        [RESULTS_FORMAT_JSON] = "\"deopt\": 300",
        [RESULTS_FORMAT_JUNIT] = "of the cause deopt 300",
        [RESULTS_FORMAT_MARKDOWN] = "| async | <code>deopt</code> callers deoptimised |",
        [RESULTS_FORMAT_HTML] = "\"title\":\"callers deoptimised\"",
        [RESULTS_FORMAT_CSV] = "\"unexplained 12; deopt 300\""};
    struct written written;
    write_causes(&written);
    struct results_saved* saved = written_read(&written);
    for (int f = 0; f < RESULTS_FORMAT_COUNT; f++) {
        char* text = written_format((enum results_format)f, &saved, 1);
        cr_expect(strstr(text, wanted[f]) != NULL, "\"%s\" is not in: %s", wanted[f], text);
        free(text);
    }
    results_saved_free(saved);
    written_remove(&written);
}

// As an older plumbline wrote it: other members are not there.
Test(saved, a_report_of_schema_2_is_read_without_causes) {
    static const char* const later[] = {
        "\"causes\":",           "\"pools\":", "\"unexplained\":", "\"notices\":",
        "\"notices_refusals\":", "\"cause\":"};
    struct written written;
    write_two(&written);
    char* text = read_json(&written);
    memcpy(strstr(text, "\"schema\": 3"), "\"schema\": 2", strlen("\"schema\": 2"));
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++)
        for (char* at = text; (at = strstr(at, later[i])) != NULL;) at[1] = '_';
    write_json(&written, text, strlen(text));
    struct results_saved* saved = written_read(&written);
    const struct results_report* report = results_saved_report(saved);
    cr_expect_eq(report->known_count, 0);
    cr_expect_eq(report->pool_count, 0);
    const struct results_row* row = &report->rows[ORACLE_LAYER_ASYNC];
    cr_expect_eq(row->mismatched, 3000);
    cr_expect_eq(row->unexplained, 3000);
    cr_expect_eq(row->notices, RESULTS_NOTICES_UNKNOWN, "it does not say");
    cr_expect_eq(row->notices_refusals, RESULTS_NOTICES_UNKNOWN);
    cr_expect_str_eq(report->groups[0].cause, "");
    char* table = text_of(saved);
    cr_expect(strstr(table, "3000/23012") != NULL, "%s", table);
    cr_expect(strstr(table, "Known bugs") == NULL, "%s", table);
    cr_expect(strstr(table, "async missing: caller missing") < strstr(table, "no answer"), "%s",
              table);
    cr_expect(strstr(table, "100 %") == NULL, "%s", table);
    free(table);
    char* csv = written_format(RESULTS_FORMAT_CSV, &saved, 1);
    cr_expect(strstr(csv, ",3000,,,") != NULL && strstr(csv, ",-1,") == NULL, "%s", csv);
    free(csv);
    free(text);
    results_saved_free(saved);
    written_remove(&written);
}
