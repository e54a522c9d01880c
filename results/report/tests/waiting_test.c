// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Source wall: threads that waited beside threads that ran, and what is asked of both.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "synthetic.h"

#define ASYNC ORACLE_LAYER_ASYNC

static struct results_cause list[] = {
    {.name = "unexplained"},
    {.name = "stub", .title = (char*)"t", .finding = (char*)"1", .bug = (char*)""}};
static const struct results_causes causes = {2, list};
// Measured: one in 100 has the cause; nothing was refused, or in transition, or attribution.
static struct results_ceiling ceilings[] = {
    {.subject = RESULTS_SUBJECT_CAUSE, .index = 1, .mean = 0.01, .spread = 0.1},
    {.subject = RESULTS_SUBJECT_REFUSAL,
     .index = ORACLE_REFUSAL_DEOPT,
     .mean = 1e-6,
     .spread = 0.1},
    {.subject = RESULTS_SUBJECT_TRANSITION, .mean = 1e-6, .spread = 0.1}};
static struct results_expected expected[ORACLE_LAYER_COUNT];
static struct results_run* run;

// 10,000 judged: 6,000 of threads that waited. 20 walking errors, 5 of these. 3,000 refused.
static void make_run(void) {
    run = synthetic_run(9980);
    strcpy(run->source, "wall: every so often");
    struct results_layer *all = &run->layers[ASYNC], *waiting = &run->waiting[ASYNC];
    strcpy(run->cause_names[0], "unexplained");
    strcpy(run->cause_names[1], "stub");
    all->verdict[ORACLE_TRUNCATED] = all->cause[1] = 20;
    waiting->verdict[ORACLE_TRUNCATED] = waiting->cause[1] = 5;
    waiting->verdict[ORACLE_AGREE] = 5995;
    all->verdict[ORACLE_REFUSED] = all->refused[ORACLE_REFUSAL_DEOPT] = 3000;
    waiting->verdict[ORACLE_REFUSED] = waiting->refused[ORACLE_REFUSAL_DEOPT] = 2500;
    all->answered = 13000;
    waiting->answered = 8500;
    expected[ASYNC] = (struct results_expected){.ceilings = ceilings, .ceiling_count = 3};
}

static void free_run(void) {
    free(run);
}

TestSuite(waiting, .init = make_run, .fini = free_run);

static struct results_row judged(void) {
    static struct results_execution execution;
    struct results_row row;
    execution = synthetic_execution(run, "c1");
    execution.causes = &causes;
    execution.expected = expected;
    results_row_judge(&execution, ASYNC, &row);
    results_row_power(&row);
    return row;
}

static char* printed(void) {
    return synthetic_table(waiting_print, run, "c1");
}

static void expect_in(const char* text, const char* words) {
    cr_expect_not_null(strstr(text, words), "\"%s\" is not in: %s", words, text);
}

Test(waiting, both_kinds_of_threads_have_their_rates_and_refusals) {
    char* text = printed();
    expect_in(text, "65.4 %"); // 8,500 of 13,000
    expect_in(text, "5/6000 = 0.083 %");
    expect_in(text, "2500/8500 = 29.4 %");
    expect_in(text, "15/4000 = 0.375 %");
    expect_in(text, "500/4500 = 11.1 %");
    expect_in(text, "stub                5/6000 = 0.083 %");
    expect_in(text, "left out: 0 answers");
    free(text);
}

Test(waiting, threads_without_a_java_frame_are_left_out) {
    struct results_layer *all = &run->layers[ASYNC], *waiting = &run->waiting[ASYNC];
    all->refused[ORACLE_REFUSAL_WITHOUT_JAVA] = waiting->refused[ORACLE_REFUSAL_WITHOUT_JAVA] =
        1000;
    all->verdict[ORACLE_REFUSED] += 1000;
    waiting->verdict[ORACLE_REFUSED] += 1000;
    char* text = printed();
    expect_in(text, "65.4 %");
    expect_in(text, "2500/8500 = 29.4 %");
    expect_in(text, "500/4500 = 11.1 %");
    expect_in(text, "left out: 1000 answers");
    free(text);
}

Test(waiting, nothing_is_said_where_none_was_asked) {
    memset(run->waiting, 0, sizeof run->waiting);
    char* text = printed();
    cr_expect_str_eq(text, "");
    free(text);
}

Test(waiting, counts_of_a_jvm_that_was_killed_may_lag_behind) {
    run->waiting[ASYNC].verdict[ORACLE_AGREE] = 20000;
    char* text = printed();
    expect_in(text, "15/15");
    free(text);
    run->waiting[ASYNC].verdict[ORACLE_TRANSITION] = 1;
    cr_expect_neq(judged().verdict, RESULTS_ROW_FAIL, "%s", judged().reason);
}

Test(waiting, refusals_were_measured_of_running_threads_alone) {
    cr_expect_neq(judged().verdict, RESULTS_ROW_FAIL, "%s", judged().reason);
    cr_expect_eq(judged().notices_refusals, 1, "no refusals would have been noticed");
    strcpy(run->source, "random: every so often");
    cr_expect_neq(judged().verdict, RESULTS_ROW_FAIL, "%s", judged().reason);
    strcpy(run->source, "clock");
    cr_expect_eq(judged().verdict, RESULTS_ROW_FAIL);
}

Test(waiting, a_code_that_no_release_gives_fails_all_the_same) {
    run->layers[ASYNC].refused[ORACLE_REFUSAL_OTHER] = 1;
    cr_expect_eq(judged().verdict, RESULTS_ROW_FAIL);
}

Test(waiting, transitions_are_held_of_running_threads) {
    run->layers[ASYNC].verdict[ORACLE_TRANSITION] = 500;
    run->waiting[ASYNC].verdict[ORACLE_TRANSITION] = 500;
    cr_expect_neq(judged().verdict, RESULTS_ROW_FAIL, "%s", judged().reason);
    run->waiting[ASYNC].verdict[ORACLE_TRANSITION] = 0;
    cr_expect_eq(judged().verdict, RESULTS_ROW_FAIL);
}

Test(waiting, a_cause_that_is_seldom_met_is_not_gone) {
    run->layers[ASYNC].verdict[ORACLE_TRUNCATED] = run->layers[ASYNC].cause[1] = 5;
    cr_expect_eq(judged().verdict, RESULTS_ROW_PASS, "%s", judged().reason);
}

Test(waiting, an_unexplained_error_is_one_whether_the_thread_waited_or_not) {
    run->layers[ASYNC].verdict[ORACLE_TRUNCATED] += 50;
    run->waiting[ASYNC].verdict[ORACLE_TRUNCATED] += 50;
    cr_expect_eq(judged().verdict, RESULTS_ROW_FAIL);
}
