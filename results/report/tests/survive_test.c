// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Layer survive: the table of moments, the first errors, and what a row makes of them.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "synthetic.h"

#define SURVIVE ORACLE_LAYER_SURVIVE

static struct results_run* run;

// 20,000 questions; of those in `ending` one died, one hung, and 3 of 50 frames cannot be.
static void make_run(void) {
    run = synthetic_run(0);
    struct results_layer* layer = &run->layers[SURVIVE];
    struct results_survive* running = &run->survive[RESULTS_MOMENT_RUNNING];
    struct results_survive* ending = &run->survive[RESULTS_MOMENT_ENDING];
    *running = (struct results_survive){.asked = 15000, .answered = 14999, .frames = 9000};
    *ending = (struct results_survive){
        .asked = 5000, .answered = 4998, .frames = 50, .impossible = 3, .died = 1, .hung = 1};
    running->refused[ORACLE_REFUSAL_DEOPT] = 5999;
    ending->refused[ORACLE_REFUSAL_THREAD_EXIT] = 4948;
    layer->asked = 20000;
    layer->answered = 19997;
    layer->verdict[ORACLE_AGREE] = 19994;
    layer->verdict[ORACLE_PHANTOM] = 3;
    layer->verdict[ORACLE_DIED] = layer->verdict[ORACLE_HUNG] = 1;
    layer->cause[RESULTS_UNEXPLAINED] = 5;
    run->lives = 700;
    run->lives_ended = 690;
    run->lives_young = 680;
    run->lives_old = 670;
    run->library_count = 1;
    run->libraries[0] = (struct results_library){0x10000, 0x10100, 0x20000, "libjvm.so"};
    run->survive_error_count = 80;
    run->survive_errors[0] = (struct results_survive_error){.ready = 1,
                                                            .moment = RESULTS_MOMENT_ENDING,
                                                            .verdict = ORACLE_DIED,
                                                            .asked_at = 0x7000,
                                                            .died_at = 0x10123,
                                                            .age_ns = 1500000,
                                                            .thread_id = 42};
    run->survive_errors[1].verdict = 1000; // the JVM ended while it was written: not ready
}

static void free_run(void) {
    free(run);
}

TestSuite(survive_report, .init = make_run, .fini = free_run);

static char* printed(void) {
    return synthetic_table(survive_print, run, "c1");
}

static void expect_in(const char* text, const char* words) {
    cr_expect_not_null(strstr(text, words), "\"%s\" is not in: %s", words, text);
}

Test(survive_report, a_moment_has_its_questions_errors_and_refusals) {
    char* text = printed();
    expect_in(text, "running        15000       9000          0          0          0          1");
    expect_in(text, "ending          5000         50          3          1          1          0");
    expect_in(text, "5/5000 = 0.100 %");
    expect_in(text, "5/20000 = 0.025 %");
    expect_in(text, "thread_exit 99.0 %");
    expect_in(text, "700 threads were asked from their first instruction on, 690 of them to their "
                    "last; of these 680 before ThreadStart, 670 behind ThreadEnd\n");
    free(text);
}

Test(survive_report, an_error_says_of_what_thread_where_and_how_old) {
    char* text = printed();
    expect_in(text, "c1: died, thread 42 was ending, 1.500 ms old, asked at pc 0x7000, ended at "
                    "libjvm.so+0x123\n");
    expect_in(text, "and 79 more");
    cr_expect_null(strstr(text, "?"), "what is not ready is not shown: %s", text);
    free(text);
}

Test(survive_report, threads_without_a_timer_are_told) {
    run->lives_unwatched = 7;
    char* text = printed();
    expect_in(text, "; 7 had no timer and were not asked\n");
    free(text);
}

Test(survive_report, frames_of_threads_that_were_never_announced_are_told) {
    char* text = printed();
    cr_expect_null(strstr(text, "were allowed"));
    free(text);
    run->survive_early = 13;
    text = printed();
    expect_in(text, "  13 answers with frames were allowed before a ThreadStart that did not come");
    free(text);
}

Test(survive_report, nothing_is_said_where_it_was_not_asked) {
    run->layers[SURVIVE].asked = 0;
    char* text = printed();
    cr_expect_str_eq(text, "");
    free(text);
}

Test(survive_report, one_death_fails_the_row) {
    struct results_execution execution = synthetic_execution(run, "c1");
    struct results_layer* layer = &run->layers[SURVIVE];
    struct results_row row;
    results_row_judge(&execution, SURVIVE, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_FAIL, "%s", row.reason);
    layer->verdict[ORACLE_PHANTOM] = layer->verdict[ORACLE_HUNG] = 0;
    layer->cause[RESULTS_UNEXPLAINED] = 1;
    results_row_judge(&execution, SURVIVE, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_FAIL, "%s", row.reason);
    layer->verdict[ORACLE_DIED] = layer->cause[RESULTS_UNEXPLAINED] = 0;
    results_row_judge(&execution, SURVIVE, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_PASS, "%s", row.reason);
}
