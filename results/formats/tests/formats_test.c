// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Every format over names that try to break out of it, over nothing, and over many JDKs.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "saved.h"
#include "written.h"

#define EVIL "=x</script><script>alert(1)</script>\"'&amp;]]>|`[a](//b)@c\x1b[31m\r\n,;"

static void record_evil(struct written* written) {
    static struct synthetic_mismatch mismatch;
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 30);
    synthetic_context(&mismatch);
    mismatch.frames[1].id = synthetic_method(EVIL ".m(I)V");
    mismatch.frames[1].number = ORACLE_FOREIGN;
    strcpy(mismatch.evidence.thread_name, "</pre><script>alert(2)</script>");
    mismatch.sample.cluster = 1;
    written_record(written, &mismatch);
}

// A run of each verdict that has a place of its own in the formats, all names evil.
static void write_evil(struct written* written, const char* version) {
    written_open(written);
    for (int i = 0; i < 5; i++) {
        struct results_run* run = written_add(written, EVIL, i == 0 ? "int" : "c1");
        struct results_layer* async = &run->layers[ORACLE_LAYER_ASYNC];
        written->executions[i].scope = i == 0 ? "app" : EVIL;
        async->verdict[ORACLE_MISSING] = i == 0 ? 3000 : 0;
        async->refused[ORACLE_REFUSAL_DEOPT] = async->verdict[ORACLE_REFUSED] = 517;
        synthetic_cluster(run, 0, ORACLE_MISSING, RESULTS_CODE_STUB, 3000);
        strcpy(run->clusters[0].code_name, "<script>alert(3)</script>|");
        record_evil(written);
    }
    written->executions[1].mode = "c2";
    written->executions[1].end = RESULTS_END_SKIPPED;
    written->executions[1].note = "needs <b>JDK</b> 99 " EVIL;
    written->executions[2].mode = "tiered";
    written->executions[2].end = RESULTS_END_FAILED;
    written->executions[2].note = EVIL;
    written->executions[3].mode = "inline";
    written->executions[3].work = RESULTS_WORK_NONE;
    written->executions[4].end = RESULTS_END_TIMED_OUT;
    written_close(written, version);
}

static char* format_evil(enum results_format format) {
    struct written written;
    write_evil(&written, "17\"<b>&0");
    struct results_saved* saved = written_read(&written);
    char* text = written_format(format, &saved, 1);
    results_saved_free(saved);
    written_remove(&written);
    return text;
}

static size_t count_of(const char* text, const char* what) {
    size_t count = 0;
    for (const char* at = text; (at = strstr(at, what)) != NULL; at += strlen(what)) count++;
    return count;
}

static void expect_in(const char* text, const char* wanted) {
    cr_expect(strstr(text, wanted) != NULL, "\"%s\" is not in:\n%.3000s", wanted, text);
}

static void expect_not_in(const char* text, const char* unwanted) {
    const char* at = strstr(text, unwanted);
    cr_expect(at == NULL, "\"%s\" is in: ...%.200s", unwanted, at);
}

// No byte that a terminal, a parser or a reader would take for something else.
static void expect_no_controls(const char* text, const char* allowed) {
    for (const char* c = text; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 && strchr(allowed, *c) == NULL) {
            cr_expect_fail("control character %d before: %.40s", *c, c + 1);
            return;
        }
}

// ---- Text
// ----------------------------------------------------------------------------------------

Test(formats, no_name_commands_the_terminal) {
    struct written written;
    write_evil(&written, "17\x1b[2J");
    expect_no_controls(written.table, "\n");
    expect_in(written.table, "alert(1)</script>");
    expect_in(written.table, "\\u001b[31m");
    expect_in(written.table, "17\\u001b[2J");
    written_remove(&written);
}

Test(formats, a_text_is_printed_plain_and_whole) {
    char* text = NULL;
    size_t size;
    FILE* out = open_memstream(&text, &size);
    results_plain("a\x1b[31m\tb\n", out);
    results_plain("", out);
    results_plain("\xff.", out);
    fclose(out);
    cr_expect_str_eq(text, "a\\u001b[31m\tb\n\\xff.");
    free(text);
}

// ---- HTML -------------------------------------------------------------------------------------

Test(formats, no_name_becomes_markup_in_html) {
    char* text = format_evil(RESULTS_FORMAT_HTML);
    expect_no_controls(text, "\n");
    cr_expect_eq(count_of(text, "<script"), 2, "the data and the page's own");
    cr_expect_eq(count_of(text, "</script"), 2);
    cr_expect_eq(count_of(text, "<!--"), 2, "its licence");
    expect_not_in(text, "alert(1)</");
    expect_in(text, "\\u003cscript\\u003ealert(2)");
    expect_in(text, "&#60;/script&#62;");
    expect_in(text, "HANG</p>");
    free(text);
}

Test(formats, html_asks_for_nothing_from_anywhere) {
    char* text = format_evil(RESULTS_FORMAT_HTML);
    expect_in(text, "default-src 'none'");
    expect_not_in(text, " src=\"");
    expect_not_in(text, "<link");
    expect_not_in(text, "@import");
    expect_not_in(text, "url(");
    expect_not_in(text, "innerHTML");
    expect_not_in(text, "@@");
    free(text);
}

Test(formats, html_is_bounded) {
    struct written written;
    written_open(&written);
    struct results_run* run = written_add(&written, "mixed", "int");
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING] = 3000;
    static struct synthetic_mismatch mismatch;
    struct synthetic_recording* recording = written_record_open(&written);
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 250);
    for (uint32_t i = 0; i < RESULTS_CLUSTERS; i++) {
        struct results_cluster* cluster =
            synthetic_cluster(run, i, ORACLE_MISSING, RESULTS_CODE_STUB, 1);
        mismatch.sample.cluster = i + 1;
        synthetic_record_add(recording, &mismatch);
        snprintf(cluster->code_name, sizeof cluster->code_name, "stub %u", i);
    }
    written_record_close(&written, recording);
    written_close(&written, "17");
    struct results_saved* saved = written_read(&written);
    char* text = written_format(RESULTS_FORMAT_HTML, &saved, 1);
    expect_in(text, "\"cluster_count\":4096");
    expect_in(text, "\"walking_errors\":3000");
    cr_expect_eq(count_of(text, "\"where_count\""), 2000, "%zu", count_of(text, "\"where_count\""));
    cr_expect_lt(strlen(text), 8u << 20, "%zu bytes", strlen(text));
    free(text);
    results_saved_free(saved);
    written_remove(&written);
}

Test(formats, rates_over_time_are_in_the_page_where_there_are_any) {
    struct written written;
    write_evil(&written, "17");
    struct results_saved* saved = written_read(&written);
    struct results_point points[500];
    for (size_t i = 0; i < 500; i++)
        points[i] = (struct results_point){
            .seconds = (double)i / 4, .judged = 100 * i, .mismatched = i, .refused = 2 * i};
    struct results_series series = {EVIL, "int", "app", ORACLE_LAYER_ASYNC, points, 500};
    cr_expect_eq(results_saved_add_series(saved, &series), 0);
    series.mode = "other"; // of no run here
    cr_expect_eq(results_saved_add_series(saved, &series), 0);
    cr_expect_eq(saved->series_count, 1);
    char* text = written_format(RESULTS_FORMAT_HTML, &saved, 1);
    expect_in(text, "[0.0,0,0,0,0],[0.75,300,3,0,6]"); // one in three
    expect_in(text, "[124.75,49900,499,0,998]]");      // and the last
    free(text);
    results_saved_free(saved);
    written_remove(&written);
}

// Series of one run, all of one layer, with more and more errors; the last has none.
static void add_many_series(struct results_saved* saved, unsigned count) {
    for (unsigned n = 1; n <= count; n++) {
        const struct results_point points[] = {
            {.seconds = 1, .judged = 1000},
            {.seconds = 2, .judged = 2000, .mismatched = n % count}};
        const struct results_series series = {EVIL, "int", "app", ORACLE_LAYER_ASYNC, points, 2};
        cr_assert_eq(results_saved_add_series(saved, &series), 0);
    }
}

Test(formats, of_too_many_rates_over_time_the_page_has_those_with_errors_and_counts_the_rest) {
    struct written written;
    write_evil(&written, "17");
    struct results_saved* saved = written_read(&written);
    add_many_series(saved, 500);
    char* text = written_format(RESULTS_FORMAT_HTML, &saved, 1);
    expect_in(text, "\"series_count\":500");
    cr_expect_eq(count_of(text, "[1.0,1000,0,0,0],[2.0,2000,"), 400);
    expect_in(text, "[2.0,2000,499,0,0]");
    expect_in(text, "[2.0,2000,100,0,0]");
    expect_not_in(text, "[2.0,2000,99,0,0]");
    free(text);
    results_saved_free(saved);
    written_remove(&written);
}

static void print_history(const void* history, FILE* out) {
    results_history_text(history, out);
}

Test(formats, a_history_has_no_control_characters) {
    static const uint64_t events[] = {0, 9}, judged[] = {100, 100};
    static const signed char change[] = {0, 1};
    static const struct results_history_run runs[] = {{.label = EVIL}, {.label = EVIL}};
    const struct results_history_item items[] = {{.layer = ORACLE_LAYER_ASYNC,
                                                  .cause = EVIL,
                                                  .events = events,
                                                  .judged = judged,
                                                  .change = change,
                                                  .first = 1,
                                                  .last = 1}};
    const struct results_history history = {
        .runs = runs, .run_count = 2, .items = items, .item_count = 1};
    char* text = synthetic_output(print_history, &history);
    expect_no_controls(text, "\n");
    expect_in(text, ": more of ");
    free(text);
}

// ---- Markdown ---------------------------------------------------------------------------------

Test(formats, no_name_becomes_markup_in_markdown) {
    char* text = format_evil(RESULTS_FORMAT_MARKDOWN);
    expect_no_controls(text, "\n");
    expect_not_in(text, "<script");
    expect_not_in(text, "](");
    expect_not_in(text, "@c");
    expect_not_in(text, "&amp;"); // "&#38;amp;" is what shows it
    for (char* line = strstr(text, "| ❌"); line != NULL; line = strstr(line + 1, "\n| ❌")) {
        size_t bars = 0, length = strcspn(line + 1, "\n") + 1;
        for (size_t i = 0; i < length; i++) bars += line[i] == '|';
        cr_expect_eq(bars, 9, "%.*s", (int)length, line);
    }
    free(text);
}

Test(formats, markdown_begins_with_the_verdict_and_folds_clusters) {
    char* text = format_evil(RESULTS_FORMAT_MARKDOWN);
    cr_expect(strncmp(text, "## ❌ Plumbline: HANG\n", strlen("## ❌ Plumbline: HANG\n")) == 0,
              "%.100s", text);
    expect_in(text, "3000/23000 &#61; 13.0 % &#91;12.6, 13.5&#93;");
    expect_in(text, "<details><summary>");
    expect_in(text, "</details>");
    cr_expect_lt(strstr(text, "| ❌"), strstr(text, "| ⚠️"), "failures come first");
    free(text);
}

Test(formats, markdown_fits_into_a_comment) {
    struct written written;
    write_evil(&written, "17");
    struct results_saved* saved[200];
    for (size_t i = 0; i < 200; i++) saved[i] = written_read(&written);
    char* text = written_format(RESULTS_FORMAT_MARKDOWN, saved, 200);
    cr_expect_lt(strlen(text), 60000, "%zu", strlen(text));
    expect_in(text, "more rows did not fit in here");
    expect_in(text, "more failures of all rows together");
    free(text);
    for (size_t i = 0; i < 200; i++) results_saved_free(saved[i]);
    written_remove(&written);
}

// A report with `count` causes, and one row that fails.
static struct results_saved* read_causes(struct written* written, size_t count) {
    static struct results_cause list[RESULTS_CAUSES];
    static const struct results_causes causes = {RESULTS_CAUSES, list};
    char title[200];
    memset(title, 't', sizeof title - 1);
    title[sizeof title - 1] = '\0';
    written_open(written);
    struct results_run* run = written_add(written, "mixed", "c2");
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_TRUNCATED] = 100 * count;
    for (size_t i = 0; i < count; i++) {
        snprintf(list[i].name, sizeof list[i].name, i == 0 ? "unexplained" : "cause-%zu", i);
        strcpy(run->cause_names[i], list[i].name);
        list[i].title = title;
        run->layers[ORACLE_LAYER_ASYNC].cause[i] = 100;
    }
    synthetic_cluster(run, 3, ORACLE_TRUNCATED, RESULTS_CODE_C2, 100);
    written->executions[0].causes = &causes;
    written_close(written, "17");
    return written_read(written);
}

Test(formats, causes_leave_room_for_rows_in_markdown) {
    struct written written;
    struct results_saved* saved[8];
    saved[0] = read_causes(&written, RESULTS_CAUSES);
    for (size_t i = 1; i < 8; i++) saved[i] = written_read(&written);
    char* text = written_format(RESULTS_FORMAT_MARKDOWN, saved, 8);
    cr_expect_lt(strlen(text), 60000, "%zu", strlen(text));
    cr_expect_eq(count_of(text, "| ❌ FAIL |"), 8, "every row that fails is there");
    cr_expect_lt(strstr(text, "| ❌"), strstr(text, "<code>cause-1"), "rows come before causes");
    expect_in(text, "more causes did not fit in here");
    expect_in(text, "clusters of mismatches");
    free(text);
    for (size_t i = 0; i < 8; i++) results_saved_free(saved[i]);
    written_remove(&written);
}

// ---- CSV --------------------------------------------------------------------------------------

// The fields of a record, as a reader of RFC 4180 counts them; *at goes behind it.
static size_t count_fields(const char** at) {
    size_t fields = 1;
    bool quoted = false;
    for (; **at != '\0'; ++*at) {
        if (**at == '"') quoted = !quoted;
        else if (!quoted && **at == ',') fields++;
        else if (!quoted && **at == '\n') {
            ++*at;
            break;
        }
    }
    cr_expect(!quoted, "a quotation is open");
    return fields;
}

Test(formats, every_line_of_csv_has_the_fields_of_its_head) {
    char* text = format_evil(RESULTS_FORMAT_CSV);
    const char* at = text;
    size_t heads = count_fields(&at), lines = 0;
    cr_expect_gt(heads, 60);
    for (; *at != '\0'; lines++) cr_expect_eq(count_fields(&at), heads, "line %zu", lines);
    cr_expect_eq(lines, 5 * ORACLE_LAYER_COUNT);
    cr_expect_eq(count_of(text, "\r\n"), lines + 1, "one line a row");
    expect_no_controls(text, "\r\n");
    expect_in(text, "\"'=x</script>"); // no formula
    expect_in(text, ",wrong_method,");
    cr_expect_eq(count_of(text, ",attribution,"), 1, "it is no walking error");
    expect_in(text, "\"async\",\"AsyncGetCallTrace\",\"FAIL\",20000,20000,23000,20000,0,3000,");
    free(text);
}

// ---- Nothing, and much ------------------------------------------------------------------------

Test(formats, a_report_without_rows_is_told_in_every_format_and_is_not_green) {
    struct written written;
    written_open(&written);
    written_close(&written, "17.0.19");
    struct results_saved* saved = written_read(&written);
    for (int i = 0; i < RESULTS_FORMAT_COUNT; i++) {
        char* text = written_format((enum results_format)i, &saved, 1);
        if (i == RESULTS_FORMAT_CSV) cr_expect_eq(count_of(text, "\r\n"), 1, "the head");
        else if (i == RESULTS_FORMAT_JUNIT) expect_in(text, "tests=\"0\" failures=\"0\"");
        else expect_in(text, "INCONCLUSIVE");
        free(text);
    }
    results_saved_free(saved);
    written_remove(&written);
}

Test(formats, many_jdks_stand_beside_each_other) {
    struct written written[3];
    struct results_saved* saved[3];
    static const char* const versions[] = {"17.0.19", "21.0.12", "25.0.3"};
    for (size_t i = 0; i < 3; i++) {
        write_evil(&written[i], versions[i]);
        saved[i] = written_read(&written[i]);
    }
    for (int i = 0; i < RESULTS_FORMAT_COUNT; i++) {
        char* text = written_format((enum results_format)i, saved, 3);
        for (size_t j = 0; j < 3; j++) expect_in(text, versions[j]);
        free(text);
    }
    char* text = written_format(RESULTS_FORMAT_JSON, saved, 3);
    json_t* json = json_loads(text, 0, NULL);
    cr_expect_eq(json_array_size(json_object_get(json, "reports")), 3);
    cr_expect_str_eq(json_string_value(json_object_get(json, "verdict")), "HANG");
    json_decref(json);
    free(text);
    for (size_t i = 0; i < 3; i++) {
        results_saved_free(saved[i]);
        written_remove(&written[i]);
    }
}

Test(formats, json_of_one_run_is_its_results_json) {
    struct written written;
    write_evil(&written, "17");
    struct results_saved* saved = written_read(&written);
    char* text = written_format(RESULTS_FORMAT_JSON, &saved, 1);
    json_t* json = json_loads(text, 0, NULL);
    cr_expect(json_equal(json, saved->json));
    json_decref(json);
    free(text);
    results_saved_free(saved);
    written_remove(&written);
}

static ssize_t write_nothing(void* cookie, const char* text, size_t size) {
    (void)cookie, (void)text, (void)size;
    return 0;
}

Test(formats, a_full_disk_is_told) {
    struct written written;
    write_evil(&written, "17");
    struct results_saved* saved = written_read(&written);
    for (int i = 0; i < RESULTS_FORMAT_COUNT; i++) {
        FILE* out = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_nothing});
        cr_assert(out != NULL);
        cr_expect_eq(results_write((enum results_format)i, &saved, 1, out), -1, "%s",
                     results_format_text((enum results_format)i));
        fclose(out);
    }
    results_saved_free(saved);
    written_remove(&written);
}
