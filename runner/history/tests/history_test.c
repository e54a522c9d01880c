// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake_java.h"
#include "history_parts.h"

#define RUNS 12

// A row of the layer async that judged so many, with so many errors of the cause.
static void add(struct history* history, size_t run, const char* mode, uint64_t judged,
                const char* cause, uint64_t count) {
    struct results_past past = {.layer = ORACLE_LAYER_ASYNC, .judged = judged, .by_cause = true};
    strcpy(past.case_name, "mixed");
    strcpy(past.mode, mode);
    strcpy(past.scope, "app");
    strcpy(past.verdict, "PASS");
    strcpy(past.version, "17.0.19");
    strcpy(past.date, "2026-11-24");
    past.cause_count = 1;
    strcpy(past.causes[0].name, cause);
    past.causes[0].count = count;
    history_add(history, run, &past);
}

static struct history_item* item_of(struct history* history, const char* cause) {
    for (struct history_item* item = history->items; item != NULL; item = item->hh.next)
        if (strcmp(item->cause, cause) == 0) return item;
    cr_assert_fail("no item of %s", cause);
    return NULL;
}

static void judge(struct history* history) {
    history_settle(history);
    history_judge(history);
}

// How many runs are marked, and the sum of the marks.
static size_t marks(const struct history_item* item, int* sum) {
    size_t count = 0;
    *sum = 0;
    for (size_t r = 0; r < RUNS; r++) {
        count += item->change[r] != 0;
        *sum += item->change[r];
    }
    return count;
}

Test(history, a_step_is_marked_once_where_it_is) {
    struct history history = {.level = 0};
    int sum;
    history_begin(&history, RUNS);
    for (size_t r = 0; r < RUNS; r++) add(&history, r, "tiered", 50000, "stub", r < 7 ? 50 : 1500);
    judge(&history);
    const struct history_item* item = item_of(&history, "stub");
    cr_expect_eq(marks(item, &sum), 1);
    cr_expect_eq(item->change[7], 1);
    cr_expect_eq(history.tests, RUNS - 1);
    history_close(&history);
}

Test(history, a_step_down_is_marked_as_fewer) {
    struct history history = {.level = 0};
    int sum;
    history_begin(&history, RUNS);
    for (size_t r = 0; r < RUNS; r++) add(&history, r, "int", 50000, "stub", r < 5 ? 600 : 20);
    judge(&history);
    const struct history_item* item = item_of(&history, "stub");
    cr_expect_eq(marks(item, &sum), 1);
    cr_expect_eq(item->change[5], -1);
    history_close(&history);
}

// Compiled code varies by half from run to run.
Test(history, what_runs_of_one_jvm_differ_by_is_not_marked) {
    struct history history = {.level = 0};
    int sum;
    history_begin(&history, RUNS);
    for (size_t r = 0; r < RUNS; r++)
        add(&history, r, "tiered", 50000, "stub", r % 3 == 0 ? 140 : r % 3 == 1 ? 100 : 70);
    judge(&history);
    cr_expect_eq(marks(item_of(&history, "stub"), &sum), 0);
    history_close(&history);
}

// 500 errors in 50,000 are the same rate as 5 in 500, whatever other rows a run has.
Test(history, a_run_with_other_rows_is_compared_over_those_that_both_have) {
    struct history history = {.level = 0};
    int sum;
    history_begin(&history, RUNS);
    for (size_t r = 0; r < RUNS; r++) {
        add(&history, r, "tiered", 50000, "stub", 500);
        if (r >= 6) add(&history, r, "comp", 50000, "stub", 5000);
    }
    judge(&history);
    const struct history_item* item = item_of(&history, "stub");
    cr_expect_eq(marks(item, &sum), 0);
    cr_expect_eq(item->events[6], 5500);
    cr_expect_eq(item->judged[6], 100000);
    cr_expect_eq(history.uneven, RUNS - 6);
    history_close(&history);
}

Test(history, a_cause_has_its_first_and_its_last_run) {
    struct history history = {.level = 0};
    history_begin(&history, RUNS);
    for (size_t r = 0; r < RUNS; r++) {
        add(&history, r, "tiered", 50000, "stub", r >= 3 && r <= 9 ? 40 : 0);
        add(&history, r, "int", 50000, "unexplained", r == 4 ? 1 : 0);
    }
    judge(&history);
    cr_expect_eq(item_of(&history, "stub")->first, 3);
    cr_expect_eq(item_of(&history, "stub")->last, 9);
    cr_expect_eq(item_of(&history, "unexplained")->first, 4);
    cr_expect_eq(item_of(&history, "unexplained")->last, 4);
    cr_expect_eq(item_of(&history, "unexplained")->judged[0], 100000, "all rows of the layer");
    history_close(&history);
}

Test(history, one_run_has_no_change) {
    struct history history = {.level = 0};
    history_begin(&history, 1);
    add(&history, 0, "tiered", 50000, "stub", 400);
    judge(&history);
    cr_expect_eq(history.tests, 0);
    cr_expect_eq(item_of(&history, "stub")->change[0], 0);
    history_close(&history);
}

// ---- Formats ------------------------------------------------------------------------------------

static char* written(void (*format)(const struct results_history* history, FILE* out)) {
    static const uint64_t events[] = {0, 30}, judged[] = {1000, 1000};
    static const signed char change[] = {0, 1};
    static const struct results_history_run runs[] = {{"one<b>", "17", "VM", "2026-11-23", "PASS"},
                                                      {"=two", "17", "VM", "2026-11-24", "FAIL"}};
    const struct results_history_item item = {"stub", ORACLE_LAYER_ASYNC, events, judged, change, 1,
                                              1};
    const struct results_history history = {
        .runs = runs, .run_count = 2, .items = &item, .item_count = 1, .level = 0.05, .tests = 1};
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    cr_assert_not_null(out);
    format(&history, out);
    fclose(out);
    return text;
}

static void expect_in(char* text, const char* wanted) {
    cr_expect(strstr(text, wanted) != NULL, "\"%s\" is not in: %s", wanted, text);
}

Test(history, the_text_names_runs_rates_and_changes) {
    char* text = written(results_history_text);
    expect_in(text, "=two: more of stub in async: 30/1000 = 3.00 %");
    expect_in(text, "1 tests; the chance that any change is marked where there is none is 0.05");
    free(text);
}

Test(history, the_page_has_no_markup_of_a_name) {
    char* text = written(results_history_html);
    expect_in(text, "one&#60;b&#62;");
    cr_expect(strstr(text, "one<b>") == NULL);
    cr_expect(strstr(text, "<script") == NULL);
    expect_in(text, "30/1000 = 3.00 %");
    expect_in(text, ">more</text>");
    expect_in(text, "</html>");
    free(text);
}

Test(history, a_cell_of_the_table_is_no_formula) {
    char* text = written(results_history_csv);
    expect_in(text, "run,date,jdk,vm,verdict,layer,cause,errors,judged,rate,low,high,change\r\n");
    expect_in(text,
              "\"'=two\",\"2026-11-24\",\"17\",\"VM\",\"FAIL\",\"async\",\"stub\",30,1000,0.03,");
    expect_in(text, ",more\r\n");
    free(text);
}

// ---- The command --------------------------------------------------------------------------------

Test(history, what_cannot_be_read_is_named) {
    struct home home;
    const char* directory = fake_make(&home);
    cr_redirect_stderr();
    cr_expect_eq(fake_call(history_command, &home, "history"), RUNNER_EXIT_USAGE);
    cr_expect_eq(fake_call(history_command, &home, "history /nowhere"), RUNNER_EXIT_HARNESS);
    cr_expect_eq(fake_call(history_command, &home, "history --level 1 /nowhere"),
                 RUNNER_EXIT_USAGE);
    fake_remove(directory);
}
