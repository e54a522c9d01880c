// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"

#define LAYERS (1u << ORACLE_LAYER_GROUND | 1u << ORACLE_LAYER_ASYNC | 1u << ORACLE_LAYER_STRUCTURE)

// Four jobs of three rows: ended after 4 s, running for 1 s, two that wait.
static struct job* four_jobs(void) {
    struct job* jobs = calloc(4, sizeof *jobs);
    for (size_t i = 0; i < 4; i++) {
        jobs[i].execution.layers = LAYERS;
        strcpy(jobs[i].name, i == 1 ? "recursion" : "other");
        jobs[i].execution.mode = "c1";
    }
    jobs[0].finished = true;
    jobs[0].execution.seconds = 4;
    jobs[1].child.started = 99;
    for (size_t i = 0; i < 2; i++) {
        jobs[i].run = calloc(1, sizeof *jobs[i].run);
        struct results_layer* layers = jobs[i].run->layers;
        layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_AGREE] = 1000;
        layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING] = 7;
        layers[ORACLE_LAYER_STRUCTURE].verdict[ORACLE_AGREE] = 1000; // the same samples again
        layers[ORACLE_LAYER_GROUND].verdict[ORACLE_AGREE] = 50;      // no samples
    }
    return jobs;
}

static void free_jobs(struct job* jobs) {
    for (size_t i = 0; i < 4; i++) free(jobs[i].run);
    free(jobs);
}

Test(progress, rows_samples_and_mismatches_are_counted_of_all_runs) {
    struct job* jobs = four_jobs();
    struct progress_counts counts = progress_count(jobs, 4, 2, 1, 3, 100);
    cr_expect_eq(counts.rows, 12);
    cr_expect_eq(counts.rows_done, 3);
    cr_expect_eq(counts.judged, 2014);
    cr_expect_eq(counts.mismatched, 14);
    cr_expect_eq(counts.running, &jobs[1]);
    free_jobs(jobs);
}

static void leaves(const char* what, struct job* jobs, size_t next, unsigned parallel,
                   double seconds) {
    double left = progress_count(jobs, 4, next, parallel, 3, 100).left;
    cr_expect_float_eq(left, seconds, 0.01, "%s: %g, not %g", what, left, seconds);
}

Test(progress, the_time_left_is_what_runs_took_until_now) {
    struct job* jobs = four_jobs();
    leaves("4 s each, one of them 1 s old", jobs, 2, 1, 3 + 4 + 4);
    leaves("two at a time", jobs, 2, 2, 11 / 2.0);
    leaves("no more places than runs", jobs, 2, 8, 11 / 3.0);
    jobs[1].child.started = 0;
    leaves("one that takes longer than others", jobs, 2, 1, 8);
    jobs[0].execution.seconds = 0; // skipped
    leaves("nothing has ended: what is expected", jobs, 1, 1, 9);
    for (size_t i = 0; i < 4; i++) jobs[i].finished = true;
    leaves("all done", jobs, 4, 1, 0);
    free_jobs(jobs);
}

static void reads(double left, const char* wanted) {
    char text[PROGRESS_TEXT];
    struct progress_counts counts = {
        .rows = 72, .rows_done = 12, .judged = 123456, .mismatched = 17, .left = left};
    cr_expect_str_eq(progress_text(&counts, text), wanted);
}

Test(progress, the_line_says_how_far_it_is) {
    reads(80,
          "12 of 72 rows done, 1:20 left, 0 unexplained, 17 known errors, 123456 samples judged");
    reads(3.4,
          "12 of 72 rows done, 0:03 left, 0 unexplained, 17 known errors, 123456 samples judged");
    reads(
        7265,
        "12 of 72 rows done, 2:01:05 left, 0 unexplained, 17 known errors, 123456 samples judged");
    reads(-1, "12 of 72 rows done, 0 unexplained, 17 known errors, 123456 samples judged");
}

Test(progress, mismatches_are_told_by_cause_over_all_runs) {
    char text[PROGRESS_TEXT];
    struct job* jobs = four_jobs();
    for (size_t i = 0; i < 2; i++) {
        strcpy(jobs[i].run->cause_names[0], "unexplained");
        // Each run has an order of its own.
        strcpy(jobs[i].run->cause_names[1 + i], "runtime-stub");
        strcpy(jobs[i].run->cause_names[2 - i], "epilogue");
        strcpy(jobs[i].run->cause_names[3], "zgc-barrier");
        uint64_t* causes = jobs[i].run->layers[ORACLE_LAYER_ASYNC].cause;
        causes[0] = 1;
        causes[1 + i] = 3;
        causes[2 - i] = 2;
        causes[3] = 1;
    }
    struct progress_counts counts = progress_count(jobs, 4, 2, 1, 3, 100);
    cr_expect_eq(counts.unexplained, 2);
    cr_assert_eq(counts.cause_count, 3);
    cr_expect_str_eq(counts.causes[0].name, "runtime-stub");
    cr_expect_eq(counts.causes[0].count, 6);
    counts.left = -1;
    cr_expect_str_eq(progress_text(&counts, text),
                     "3 of 12 rows done, 2 unexplained, 12 known errors (6 runtime-stub, 4 "
                     "epilogue, 2 other), 2014 samples judged");
    free_jobs(jobs);
}

// Criterion's redirection is a pipe.
Test(progress, where_there_is_no_terminal_a_plain_line_comes_now_and_then) {
    struct progress_counts counts = {.rows = 72, .rows_done = 12, .left = 60};
    double last = 1000;
    cr_redirect_stderr();
    for (double now = 1000; now < 1200; now += 0.2) progress_show_plan(&counts, now, &last);
    progress_clear();
    fflush(stderr);
    static const char line[] = "plumbline: 12 of 72 rows done, 1:00 left, 0 unexplained, 0 known "
                               "errors, 0 samples judged\n";
    char wanted[3 * sizeof line] = "";
    for (int i = 0; i < 3; i++) strcat(wanted, line);
    cr_assert_stderr_eq_str(wanted);
}
