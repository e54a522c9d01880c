// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "runner/base/base.h"
#include "bench_parts.h"
#include "fake_java.h"

// ---- Statistics -------------------------------------------------------------------------------

static void median_is(double wanted, size_t bucket, uint64_t below, uint64_t in, uint64_t above) {
    uint64_t histogram[BENCH_BUCKETS] = {0};
    histogram[0] += below;
    histogram[bucket] += in;
    histogram[BENCH_BUCKETS - 1] += above;
    double found = bench_median_cycles(histogram);
    if (isnan(wanted)) cr_expect(isnan(found), "%g", found);
    else cr_expect(found == wanted, "%g is not %g", found, wanted);
}

Test(bench, the_median_of_cycles_is_linear_within_its_bucket) {
    median_is(10 * 64 + 32, 10, 0, 1000, 0);
    median_is(10 * 64 + 64 / 4.0, 10, 400, 400, 200);
    median_is(64, 10, 500, 499, 1);
    median_is(10 * 64 + 48, 10, 200, 400, 400);
    median_is(64 / 2.0, 0, 0, BENCH_MINIMUM_SAMPLES, 0);
}

Test(bench, a_median_beyond_the_histogram_is_no_number_of_cycles) {
    median_is(INFINITY, 10, 100, 100, 201);
    median_is(INFINITY, 10, 0, 0, 1000);
}

Test(bench, too_few_samples_have_no_median) {
    median_is(NAN, 10, 0, BENCH_MINIMUM_SAMPLES - 1, 0);
    median_is(NAN, 10, 0, 0, 0);
}

Test(bench, overflow_is_the_last_buckets_share) {
    uint64_t histogram[BENCH_BUCKETS] = {0};
    cr_expect(isnan(bench_overflow(histogram)), "of nothing there is no share");
    histogram[3] = 75;
    cr_expect_eq(bench_overflow(histogram), 0);
    histogram[BENCH_BUCKETS - 1] = 25;
    cr_expect_eq(bench_overflow(histogram), 0.25);
}

Test(bench, the_median_is_the_middle_or_between_the_two_middle_ones) {
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, one[] = {7};
    cr_expect_eq(bench_median(odd, 3), 2);
    cr_expect_eq(bench_median(even, 4), 2.5);
    cr_expect_eq(bench_median(one, 1), 7);
    cr_expect(isnan(bench_median(one, 0)));
}

// ---- A whole session --------------------------------------------------------------------------

static char said[20000]; // on standard output and error

// Seconds that no fake JVM needs, however busy the machine.
#define PATIENT 30

// How many seconds the run of this name was given; 0: there was none.
static double seconds_of(const char* out, const char* name) {
    char path[256], text[4000] = "";
    snprintf(path, sizeof path, "%s/runs/%s/cmd.sh", out, name);
    FILE* file = fopen(path, "r");
    if (file == NULL) return 0;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    const char* option = strstr(text, "-Dplumbline.seconds=");
    return option == NULL ? 0 : atof(option + strlen("-Dplumbline.seconds="));
}

static double given[3]; // seconds, to a run of sampling, and to slow-downs in scopes app and all

static int bench(const char* cases, double timeout) {
    struct home home;
    const char* directory = fake_make(&home);
    char jdk[128], out[128];
    snprintf(jdk, sizeof jdk, "%s/jdk", directory);
    snprintf(out, sizeof out, "%s/out", directory);
    FILE* list = fopen(home.cases_list, "w");
    cr_assert_not_null(list);
    fputs(cases, list);
    fclose(list);
    FILE* file = tmpfile();
    cr_assert_not_null(file);
    fflush(stdout);
    fflush(stderr);
    int kept[2] = {dup(1), dup(2)};
    dup2(fileno(file), 1);
    dup2(fileno(file), 2);
    int status = fake_call(bench_command, &home, "bench --jdk %s --out %s --seconds 1 --timeout %g",
                           jdk, out, timeout);
    fflush(stdout);
    dup2(kept[0], 1);
    dup2(kept[1], 2);
    rewind(file);
    said[fread(said, 1, sizeof said - 1, file)] = '\0';
    fclose(file);
    static const char* const runs[] = {"clock-tiered-app", "app-1-tiered-app", "all-3-tiered-all"};
    for (int i = 0; i < 3; i++) given[i] = seconds_of(out, runs[i]);
    fake_remove(directory);
    return status;
}

static void holds(const char* wanted) {
    cr_expect(strstr(said, wanted) != NULL, "\"%s\" is not in: %s", wanted, said);
}

// The rest of the table's row that begins so has all of these, in this order.
static void row_holds(const char* row, const char* first, const char* second, const char* third) {
    const char* line = strstr(said, row);
    cr_assert_not_null(line, "\"%s\" is not in: %s", row, said);
    const char* wanted[] = {first, second, third};
    char text[512];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
    const char* at = text;
    for (int i = 0; i < 3; i++) {
        at = strstr(at, wanted[i]);
        cr_assert_not_null(at, "\"%s\" is not in place in: %s", wanted[i], text);
        at += strlen(wanted[i]);
    }
}

Test(bench, every_number_stands_beside_what_it_is_compared_with, .timeout = 60) {
    cr_expect_eq(bench("[mixed]\nmain = Mixed\n", PATIENT), RUNNER_EXIT_FAIL);
    row_holds("random: samples/s, judging", "10000", "bare handler 20000", "0.50");
    row_holds("random: samples/s, judging", "0.50", ">= 0.8", "under");
    row_holds("random: samples/s, absolute", "10000", ">= 4000/s", "ok");
    row_holds("clock: samples/s, absolute", "10000", ">= 9000/s", "ok");
    row_holds("clock: cycles, judged sample", "1312", "alone 672", "1.95");
    row_holds("clock: cycles, judged sample", "1.95", "<= 1.3", "over");
    row_holds("push and pop: ns a pair", "11.0", "natives 10.0", "1.10");
    row_holds("push and pop: ns a pair", "1.10", "<= 1.3", "ok");
    row_holds("push and pop, int: ns a pair", "11.0", "empty loop 0.5", "stated");
    row_holds("push and pop, c1: ns a pair", "11.0", "empty loop 0.5", "stated");
    row_holds("push and pop, c2: ns a pair", "11.0", "empty loop 0.5", "stated");
    row_holds("slow-down: app, all layers", "16 units/s", "no agent 40 units/s", "2.50");
    row_holds("slow-down: app, all layers", "2.50 to 2.50", "<= 1.5", "over");
    row_holds("slow-down: app, ground and bare signals", "16 units/s", "2.50 to 2.50", "stated");
    row_holds("slow-down: app, with the start", "12 units/s", "no agent 24 units/s", "2.00");
    row_holds("slow-down: all, all layers", "2.50", "<= 5", "ok");
    holds("bench: 4 of 9 bars met; not met: random: samples/s, judging, ");
    cr_expect_eq(given[0], 1);
    cr_expect_eq(given[1], 2, "a slow-down's run is %g s long", given[1]);
    cr_expect_eq(given[2], 4, "in scope all %g s", given[2]);
    holds("1 s a run, 2 and (in scope all) 4 for a slow-down");
}

Test(bench, a_run_that_fails_is_told_and_is_no_measurement, .timeout = 60) {
    cr_expect_eq(bench("[mixed]\nmain = Check\n", PATIENT), RUNNER_EXIT_HARNESS);
    holds("plumbline: random: exit status 1: wrong: 41 is not 42 (");
    row_holds("random: samples/s, absolute", "-", ">= 4000/s", "not measured");
    row_holds("push and pop: ns a pair", "1.10", "<= 1.3", "ok");
    row_holds("slow-down: app, all layers", "no agent 40 units/s", "<= 1.5", "not measured");
    holds("bench: 1 of 1 bars met; not measured: random: samples/s, judging, ");
}

Test(bench, a_jvm_that_hangs_is_killed_and_is_no_measurement, .timeout = 60) {
    cr_expect_eq(bench("[mixed]\nmain = Hang\n", 0.3), RUNNER_EXIT_HARNESS);
    holds("plumbline: clock: killed at its time limit after");
}

Test(bench, where_the_agent_refuses_the_jvm_nothing_more_is_started, .timeout = 60) {
    cr_expect_eq(bench("[mixed]\nmain = Refused\n", PATIENT), RUNNER_EXIT_HARNESS);
    holds("random: exit status 1: libjvm exports no AsyncGetCallTrace");
    cr_expect_null(strstr(said, "plumbline: clock"), "%s", said);
    row_holds("push and pop: ns a pair", "-", "<= 1.3", "not measured");
}

Test(bench, an_interruption_ends_it_without_a_verdict, .timeout = 60) {
    cr_expect_eq(bench("[mixed]\nmain = Interrupt\n", PATIENT), RUNNER_EXIT_INCONCLUSIVE);
    holds("bench: 0 of 0 bars met; not measured: ");
}

Test(bench, an_interruption_before_the_first_run_is_no_fault_of_the_harness, .timeout = 60) {
    struct home home;
    cr_redirect_stdout();
    cr_redirect_stderr();
    const char* house = fake_make(&home);
    fake_file(house, "cases.ini", "[mixed]\nmain = Pass\n", 0644);
    fake_interrupting(house, "one");
    cr_expect_eq(fake_call(bench_command, &home, "bench --jdk %s/one --out %s/out", house, house),
                 RUNNER_EXIT_INCONCLUSIVE);
    fake_remove(house);
}

Test(bench, work_that_was_never_done_is_no_rate, .timeout = 60) {
    cr_expect_eq(bench("[mixed]\nmain = Vacuous\n", PATIENT), RUNNER_EXIT_HARNESS);
    row_holds("slow-down: app, all layers", "no agent 40 units/s", "<= 1.5", "not measured");
}

Test(bench, what_is_missing_is_named) {
    cr_expect_eq(bench("[pass]\nmain = Pass\n", PATIENT), RUNNER_EXIT_HARNESS);
    holds("has no case \"mixed\"");
}
