// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// All rows together: known bugs, pools, and what a report would have noticed.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "synthetic.h"

#define ASYNC ORACLE_LAYER_ASYNC
#define STRUCTURE ORACLE_LAYER_STRUCTURE
#define ROWS 12

enum { DEOPT = 1, INDEXOF, CAUSES };
static struct results_cause list[CAUSES] = {
    {.name = "unexplained"},
    {.name = "deopt",
     .title = (char*)"callers deoptimised",
     .finding = (char*)"10",
     .bug = (char*)"JDK-1"},
    {.name = "indexof", .title = (char*)"String.indexOf", .finding = (char*)"6", .bug = (char*)""}};
static const struct results_causes causes = {CAUSES, list};

struct made {
    struct results_execution executions[ROWS];
    struct results_expected expected[ROWS][ORACLE_LAYER_COUNT];
    struct results_run* runs[ROWS];
    size_t count;
    struct results_report report;
};

static const struct results_ceiling deopt = {
    .subject = RESULTS_SUBJECT_CAUSE, .index = DEOPT, .mean = 0.02, .spread = 0.5};

// A row of layer async and one of structure that judged 20,000 each; the errors are async's.
static void add(struct made* made, const char* name, const char* mode, uint64_t deopts,
                uint64_t unexplained, bool measured) {
    struct results_run* run = synthetic_run(20000 - deopts - unexplained);
    strcpy(run->cause_names[0], "unexplained");
    strcpy(run->cause_names[1], "deopt");
    run->layers[STRUCTURE].verdict[ORACLE_AGREE] = 20000;
    run->layers[ASYNC].verdict[ORACLE_TRUNCATED] = deopts + unexplained;
    run->layers[ASYNC].cause[0] = unexplained;
    run->layers[ASYNC].cause[1] = deopts;
    struct results_execution* execution = &made->executions[made->count];
    *execution = synthetic_execution(run, mode);
    execution->case_name = name;
    execution->layers = 1u << ASYNC | 1u << STRUCTURE;
    execution->causes = &causes;
    if (measured)
        made->expected[made->count][ASYNC] =
            (struct results_expected){.ceilings = &deopt, .ceiling_count = 1};
    execution->expected = made->expected[made->count];
    made->runs[made->count++] = run;
}

static void judge(struct made* made) {
    made->report = (struct results_report){.executions = made->executions,
                                           .execution_count = made->count,
                                           .planned = made->count,
                                           .jdk_home = "/jdk",
                                           .jdk_version = "17",
                                           .jdk_vm = "VM"};
    cr_assert_eq(results_report_judge(&made->report), 0);
}

static void drop(struct made* made) {
    results_report_free(&made->report);
    for (size_t i = 0; i < made->count; i++) free(made->runs[i]);
    free(made);
}

static const struct results_pool* pool_of(const struct made* made, enum oracle_layer layer,
                                          const char* mode) {
    for (size_t i = 0; i < made->report.pool_count; i++)
        if (made->report.pools[i].layer == layer && strcmp(made->report.pools[i].mode, mode) == 0)
            return &made->report.pools[i];
    cr_assert_fail("no pool of %s", mode);
    return NULL;
}

// 10 of 20,000 are 0.05 %, and their interval begins at 0.024 %: no row fails.
Test(pools, rows_that_pass_alone_fail_together) {
    static const char* const cases[] = {"a", "b", "c", "d", "e", "f"};
    struct made* made = calloc(1, sizeof *made);
    for (size_t i = 0; i < 6; i++) add(made, cases[i], "c2", 0, 10, false);
    for (size_t i = 0; i < 6; i++) add(made, cases[i], "int", 0, 0, false);
    judge(made);
    for (size_t i = 0; i < made->report.row_count; i++)
        cr_expect_eq(made->report.rows[i].verdict, RESULTS_ROW_PASS);
    const struct results_pool* pool = pool_of(made, ASYNC, "c2");
    cr_expect_eq(pool->rows, 6);
    cr_expect_eq(pool->unexplained, 60);
    cr_expect_eq(pool->judged, 120000);
    cr_expect(pool->failed);
    cr_expect_eq(pool->notices, 0);
    cr_expect_not(pool_of(made, ASYNC, "int")->failed);
    cr_expect_not(pool_of(made, STRUCTURE, "c2")->failed);
    cr_expect_eq(made->report.verdict, RESULTS_ROW_FAIL);
    cr_expect(strstr(made->report.summary, "FAIL: 24 rows: 24 PASS; FAIL: all rows of c2 async: "
                                           "unexplained 60/120000") == made->report.summary,
              "%s", made->report.summary);
    drop(made);
}

// They have a limit of their own, and are not held against the general one as well.
Test(pools, exact_sandwiches_of_no_cause_are_none_of_a_pools_errors) {
    struct made* made = calloc(1, sizeof *made);
    add(made, "a", "c2", 0, 0, false);
    struct results_layer* layer = &made->runs[0]->layers[ORACLE_LAYER_SANDWICH];
    made->executions[0].layers = 1u << ORACLE_LAYER_SANDWICH;
    layer->verdict[ORACLE_MISSING] = 7;
    layer->cause[0] = 7;
    layer->exact[ORACLE_AGREE] = 15000;
    layer->exact[ORACLE_MISSING] = layer->exact_unexplained = 5;
    judge(made);
    cr_expect_eq(made->report.rows[0].unexplained, 7);
    cr_expect_eq(pool_of(made, ORACLE_LAYER_SANDWICH, "c2")->unexplained, 2);
    drop(made);
}

// As where no method was instrumented. Its errors count.
Test(pools, a_row_that_was_compared_with_nothing_adds_no_power) {
    struct made* made = calloc(1, sizeof *made);
    add(made, "a", "c2", 0, 0, false);
    add(made, "b", "c2", 0, 0, false);
    add(made, "c", "c2", 0, 3, false);
    made->runs[1]->layers[ASYNC].frames_seen = made->runs[2]->layers[ASYNC].frames_seen = 60000;
    judge(made);
    const struct results_pool* pool = pool_of(made, ASYNC, "c2");
    cr_expect_eq(pool->rows, 2);
    cr_expect_eq(pool->unexplained, 3);
    cr_expect_eq(pool->row_blindest, made->report.rows[0].notices, "they do not pass");
    drop(made);
}

Test(pools, together_rows_notice_less_than_each_of_them) {
    struct made* made = calloc(1, sizeof *made);
    add(made, "a", "c2", 0, 0, false);
    add(made, "b", "c2", 0, 8, false);
    add(made, "c", "c2", 0, 0, false);
    judge(made);
    const struct results_pool* pool = pool_of(made, ASYNC, "c2");
    const struct results_row* rows = made->report.rows;
    cr_expect_lt(pool->notices, rows[0].notices);
    cr_expect_lt(rows[2].notices, rows[0].notices, "8 of them are there already");
    cr_expect_eq(pool->row_notices, rows[0].notices, "the median of three");
    cr_expect_eq(pool->row_blindest, rows[0].notices);
    char wanted[64], text[RESULTS_PERCENT_TEXT];
    snprintf(wanted, sizeof wanted, "would notice %s in the median row",
             results_percent_text(rows[0].notices, text));
    cr_expect(strstr(made->report.summary, wanted) != NULL, "%s", made->report.summary);
    drop(made);
}

Test(pools, what_broke_on_our_side_is_in_no_pool) {
    struct made* made = calloc(1, sizeof *made);
    add(made, "a", "c2", 0, 0, false);
    add(made, "b", "c2", 0, 400, false);
    made->executions[1].status = RESULTS_EXIT_ASSERT;
    judge(made);
    cr_expect_eq(pool_of(made, ASYNC, "c2")->unexplained, 0);
    cr_expect_eq(pool_of(made, ASYNC, "c2")->rows, 1);
    cr_expect_eq(made->report.verdict, RESULTS_ROW_HARNESS);
    drop(made);
}

Test(pools, a_crash_stays_a_crash_where_a_pool_fails) {
    struct made* made = calloc(1, sizeof *made);
    add(made, "a", "c2", 0, 400, false);
    made->executions[0].end = RESULTS_END_SIGNALLED;
    made->executions[0].status = 11;
    judge(made);
    cr_expect(pool_of(made, ASYNC, "c2")->failed);
    cr_expect_eq(made->report.verdict, RESULTS_ROW_CRASH);
    drop(made);
}

// ---- Known bugs -------------------------------------------------------------------------------

static void print_table(const void* report, FILE* out) {
    results_table(report, out);
}

Test(pools, known_bugs_have_the_rate_of_the_rows_in_which_they_are_expected_or_seen) {
    struct made* made = calloc(1, sizeof *made);
    add(made, "a", "c2", 400, 3, true);
    add(made, "a", "c1", 300, 0, true);
    add(made, "b", "c2", 0, 0, true);   // expected, and not seen
    add(made, "c", "c2", 5, 0, false);  // seen, and never measured
    add(made, "d", "int", 0, 0, false); // neither
    judge(made);
    cr_assert_eq(made->report.known_count, 2);
    const struct results_known* known = &made->report.known[0];
    cr_expect_str_eq(known->name, "deopt");
    cr_expect_eq(known->layer, ASYNC);
    cr_expect_eq(known->count, 705);
    cr_expect_eq(known->judged, 80000);
    cr_expect_eq(known->unmeasured, 5);
    cr_expect_eq(known->cases, 2);
    known++;
    cr_expect_str_eq(known->name, "unexplained");
    cr_expect_eq(known->count, 3);
    cr_expect_eq(known->judged, 100000);
    char* text = synthetic_output(print_table, &made->report);
    const char* head = strstr(text, "Known bugs of this JDK");
    const char* rows = strstr(text, "no answer");
    cr_assert(head != NULL && rows != NULL && head < rows, "%s", text);
    cr_expect(strstr(head, "705/80000 = 0.881 %") < rows, "%s", text);
    cr_expect(strstr(head, "JDK-1") < rows, "%s", text);
    cr_expect(strstr(head, "callers deoptimised (5 in rows where it was never measured)") != NULL,
              "%s", text);
    cr_expect(strstr(text, "deopt 400, unexplained 3") != NULL, "%s", text);
    free(text);
    drop(made);
}

Test(pools, clusters_of_two_causes_are_two_and_only_the_unexplained_stand_at_the_head) {
    struct made* made = calloc(1, sizeof *made);
    add(made, "a", "c2", 400, 30, true);
    synthetic_cluster(made->runs[0], 4, ORACLE_TRUNCATED, RESULTS_CODE_C2, 400)->cause = 1;
    synthetic_cluster(made->runs[0], 5, ORACLE_TRUNCATED, RESULTS_CODE_C2, 30)->cause = 0;
    judge(made);
    cr_assert_eq(made->report.group_count, 2);
    cr_expect_str_eq(made->report.groups[0].cause, "deopt");
    cr_expect_str_eq(made->report.groups[1].cause, "unexplained");
    char* text = synthetic_output(print_table, &made->report);
    const char* head = strstr(text, "Unexplained walking errors by cluster");
    cr_assert(head != NULL, "%s", text);
    cr_expect(strstr(head, "   2.   7.0  30/20000") != NULL, "%s", text);
    cr_expect(strstr(text, "   1.  93.0") == NULL, "%s", text);
    free(text);
    drop(made);
}

// ---- The end of a report ------------------------------------------------------------------------

static void answers(struct made* made, const char* wanted[], size_t count) {
    judge(made);
    made->report.directory = "out/x";
    char* text = synthetic_output(print_table, &made->report);
    for (size_t i = 0; i < count; i++)
        cr_expect(strstr(text, wanted[i]) != NULL, "\"%s\" is not in: %s", wanted[i], text);
    // The summary stays the last line.
    const char* last = strstr(text, made->report.summary);
    cr_assert_not_null(last);
    cr_expect_str_eq(last + strlen(made->report.summary), "\n");
    free(text);
    drop(made);
}

Test(answers, a_healthy_jdk_is_no_worse_and_has_nothing_new) {
    struct made* made = calloc(1, sizeof *made);
    static const char* wanted[] = {"Worse than measured?  No: 2 of 2 rows show no more than "
                                   "healthy JDKs do; held against release 17\n",
                                   "What is new?          Nothing: no walk was wrong\n",
                                   "Where do I look?      Nowhere: no walk was wrong\n",
                                   "What was not seen?    New errors that are fewer than "};
    add(made, "a", "c2", 0, 0, true);
    answers(made, wanted, 4);
}

Test(answers, what_fails_is_named_with_the_command_that_shows_it) {
    struct made* made = calloc(1, sizeof *made);
    static const char* wanted[] = {
        "Worse than measured?  Yes: 1 of 4 rows show what healthy JDKs do not",
        "What is new?          900 errors of no known cause, in 1 rows\n",
        "Where do I look?      plumbline show out/x --row b/c2/async\n"};
    add(made, "a", "c2", 0, 0, true);
    add(made, "b", "c2", 0, 900, true);
    answers(made, wanted, 3);
}

Test(answers, known_causes_in_rows_where_they_were_never_measured_are_new) {
    struct made* made = calloc(1, sizeof *made);
    static const char* wanted[] = {"What is new?          1 errors of no known cause, in 1 rows, "
                                   "within their limits; 3 errors "
                                   "of 1 known causes in rows where these were never measured\n"};
    add(made, "a", "c2", 3, 1, false);
    answers(made, wanted, 1);
}

Test(answers, too_few_samples_are_no_answer) {
    struct made* made = calloc(1, sizeof *made);
    static const char* wanted[] = {
        "Worse than measured?  It cannot be said: none of 1 rows has enough samples",
        "What is new?          It cannot be said: no row has enough samples\n",
        "Where do I look?      out/x/report.txt: the last column says why each row has too few "
        "samples\n",
        "What was not seen?    Everything: no row passes\n"};
    add(made, "a", "c2", 0, 0, true);
    made->executions[0].layers = 1u << ASYNC;
    made->runs[0]->layers[ASYNC].verdict[ORACLE_AGREE] = 10;
    answers(made, wanted, 4);
}

// As reports of schemas 1 and 2 are read back.
Test(answers, of_a_report_without_causes_it_is_not_said_that_no_walk_was_wrong) {
    struct made* made = calloc(1, sizeof *made);
    add(made, "a", "c2", 0, 5, true);
    judge(made);
    for (uint32_t c = 0; c < RESULTS_CAUSES; c++) made->report.rows[0].cause[c] = 0;
    made->report.known_count = made->report.pool_count = 0;
    char* text = synthetic_output(print_table, &made->report);
    static const char* wanted[] = {
        "What is new?          It cannot be said: the report tells no cause of its 5 errors\n",
        "Where do I look?      latest/report.txt: the rows with walking errors\n",
        "What was not seen?    It cannot be said: the report does not tell what its rows would "
        "notice\n"};
    for (size_t i = 0; i < 3; i++) cr_expect(strstr(text, wanted[i]) != NULL, "%s", text);
    free(text);
    drop(made);
}

Test(answers, errors_in_rows_that_say_nothing_are_told) {
    struct made* made = calloc(1, sizeof *made);
    static const char* wanted[] = {"What is new?          Nothing: all 400 errors have known "
                                   "causes, in rows that say nothing\n"};
    add(made, "a", "c2", 0, 0, true);
    add(made, "b", "c2", 400, 0, true);
    made->executions[1].end = RESULTS_END_FAILED;
    answers(made, wanted, 1);
}

Test(answers, where_no_walker_was_asked_nothing_of_it_was_seen) {
    struct made* made = calloc(1, sizeof *made);
    static const char* wanted[] = {
        "What was not seen?    Everything: no row that passes asks a walker\n"};
    add(made, "a", "c2", 0, 0, true);
    made->executions[0].layers = 1u << ORACLE_LAYER_GST;
    made->runs[0]->layers[ORACLE_LAYER_GST].verdict[ORACLE_AGREE] = 20000;
    answers(made, wanted, 1);
}

Test(answers, rows_that_say_too_little_are_told_what_would_help) {
    static const char* helps[] = {"; 1 rows say too little (--more-time yes)",
                                  "; 1 rows say too little (in a longer run, too: --seconds",
                                  "; 1 rows say too little (--more-time yes; timers give few "
                                  "samples: see plumbline doctor)"};
    for (int help = 0; help < 3; help++) {
        struct made* made = calloc(1, sizeof *made);
        const char* wanted[] = {helps[help]};
        add(made, "a", "c2", 0, 0, true);
        add(made, "b", "c2", 0, 0, true);
        made->executions[1].layers = 1u << ASYNC;
        made->runs[1]->layers[ASYNC].verdict[ORACLE_AGREE] = 10;
        if (help == 1) made->executions[1].remark = "second run, of 7 s";
        strcpy(made->runs[help == 2]->source, RESULTS_SOURCE_TIMERS ", as it is a test");
        answers(made, wanted, 1);
    }
}
