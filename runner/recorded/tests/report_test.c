// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline report, over what a session with a fake JDK left.
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorded_parts.h"
#include "runner/session/session.h"
#include "fake_java.h"

// ---- Options ----------------------------------------------------------------------------------

static int parse(struct report_options* options, int count, const char* const* words) {
    static char* argv[8];
    static char copies[8][64];
    for (int i = 0; i < count; i++) argv[i] = strcpy(copies[i], words[i]);
    argv[count] = NULL;
    const struct base_call call = {.argc = count, .argv = argv, .stays = true};
    return report_parse(&call, options);
}

#define PARSE(options, ...)                                                                        \
    parse(options, (int)(sizeof((const char* const[]){"report", __VA_ARGS__}) / sizeof(char*)),    \
          (const char* const[]){"report", __VA_ARGS__})

Test(report_command, runs_format_and_file_are_taken_in_any_order) {
    struct report_options options;
    cr_expect_eq(PARSE(&options, "a", "--format", "junit", "b", "--out=x.xml"), 0);
    cr_expect_eq(options.run_count, 2);
    cr_expect_str_eq(options.runs[0], "a");
    cr_expect_str_eq(options.runs[1], "b");
    cr_expect_eq(options.format, RESULTS_FORMAT_JUNIT);
    cr_expect_str_eq(options.out, "x.xml");
    cr_expect_eq(PARSE(&options, "a"), 0);
    cr_expect_eq(options.format, RESULTS_FORMAT_TEXT);
    cr_expect_eq(options.out, NULL);
}

Test(report_command, wrong_usage_is_named) {
    struct report_options options;
    cr_redirect_stderr();
    cr_expect_eq(PARSE(&options, "--format", "html"), RUNNER_EXIT_USAGE, "no run");
    cr_expect_eq(PARSE(&options, "a", "--format", "pdf"), RUNNER_EXIT_USAGE);
    cr_expect_eq(PARSE(&options, "a", "--out", ""), RUNNER_EXIT_USAGE);
    cr_expect_eq(PARSE(&options, "a", "--colour"), RUNNER_EXIT_USAGE);
    fflush(stderr);
    char text[4096] = "";
    FILE* said = cr_get_redirected_stderr();
    text[fread(text, 1, sizeof text - 1, said)] = '\0';
    cr_expect(strstr(text, "no RUN") != NULL, "%s", text);
    cr_expect(strstr(text, "\"pdf\" is none of") != NULL, "%s", text);
    cr_expect(strstr(text, "--out") != NULL, "%s", text);
    cr_expect(strstr(text, "--colour") != NULL, "%s", text);
}

// ---- Reports ----------------------------------------------------------------------------------

static char run[160], text[1 << 20];

// A session of a fake JDK; its exit status.
static int play(const char* directory, struct home* home, const char* cases) {
    char jdk[128];
    snprintf(jdk, sizeof jdk, "%s/jdk", directory);
    snprintf(run, sizeof run, "%s/run", directory);
    return fake_call(validate_command, home,
                     "validate --jdk %s --out %s --cases %s --modes int --timeout 5", jdk, run,
                     cases);
}

static const char* read_file(const char* path) {
    FILE* file = fopen(path, "r");
    text[0] = '\0';
    if (file == NULL) return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void reports(const char* cases) {
    struct home home;
    const char* directory = fake_make(&home);
    char out[160], report[200], *runs[] = {run, run};
    cr_redirect_stdout();
    int status = play(directory, &home, cases);
    snprintf(out, sizeof out, "%s/out", directory);
    for (int i = 0; i < RESULTS_FORMAT_COUNT; i++) {
        struct report_options options = {
            .runs = runs, .run_count = 2, .format = (enum results_format)i, .out = out};
        cr_expect_eq(report_run(&options), status, "%s: the status of the runs",
                     results_format_text((enum results_format)i));
        cr_expect(read_file(out) != NULL && text[0] != '\0');
    }
    struct report_options options = {.runs = runs, .run_count = 1, .out = out};
    cr_expect_eq(report_run(&options), status);
    snprintf(report, sizeof report, "%s/report.txt", run);
    char* again = strdup(read_file(out) != NULL ? text : "");
    cr_expect_str_eq(again, read_file(report), "the text that validate wrote");
    free(again);
    fake_remove(directory);
}

Test(report_command, it_ends_with_the_status_of_the_runs) {
    reports("pass");
}

Test(report_command, it_ends_with_the_status_of_runs_that_failed) {
    reports("crash");
}

static void expect_said(const char* words) {
    static char said[8192];
    fflush(stderr);
    FILE* file = cr_get_redirected_stderr();
    said[fread(said, 1, sizeof said - 1, file)] = '\0';
    cr_expect(strstr(said, words) != NULL, "\"%s\" is not in: %s", words, said);
}

Test(report_command, a_run_that_is_not_there_is_the_harness_and_named) {
    char missing[] = "/nonexistent/run", *runs[] = {missing};
    struct report_options options = {.runs = runs, .run_count = 1};
    cr_redirect_stderr();
    cr_expect_eq(report_run(&options), RUNNER_EXIT_HARNESS);
    expect_said("/nonexistent/run/results.json: No such file");
}

Test(report_command, without_a_run_latest_says_how_to_make_one) {
    char latest[] = "latest", *runs[] = {latest};
    struct report_options options = {.runs = runs, .run_count = 1};
    cr_redirect_stderr();
    cr_assert_eq(chdir("/"), 0);
    cr_expect_eq(report_run(&options), RUNNER_EXIT_HARNESS);
    expect_said(
        "out/latest/results.json: No such file or directory; no run is there yet: plumbline "
        "validate makes one\n");
}

Test(report_command, a_file_that_cannot_be_written_is_named_and_none_is_left) {
    struct home home;
    const char* directory = fake_make(&home);
    char *runs[] = {run}, out[160];
    cr_redirect_stdout();
    cr_redirect_stderr();
    play(directory, &home, "pass");
    snprintf(out, sizeof out, "%s/no/such/report.html", directory);
    struct report_options options = {.runs = runs, .run_count = 1, .out = out};
    cr_expect_eq(report_run(&options), RUNNER_EXIT_HARNESS);
    expect_said("/no/such/report.html: No such file");
    fake_remove(directory);
}

Test(report_command, a_run_file_that_is_gone_is_a_warning) {
    struct home home;
    const char* directory = fake_make(&home);
    char *runs[] = {run}, out[160], path[256];
    cr_redirect_stdout();
    cr_redirect_stderr();
    int status = play(directory, &home, "pass");
    snprintf(path, sizeof path, "%s/runs/pass-int-app/run.plumbline", run);
    cr_expect_eq(unlink(path), 0, "%s: %s", path, strerror(errno));
    snprintf(out, sizeof out, "%s/out", directory);
    struct report_options options = {.runs = runs, .run_count = 1, .out = out};
    cr_expect_eq(report_run(&options), status);
    expect_said("run.plumbline: No such file or directory: no evidence from it");
    fake_remove(directory);
}

// ---- Other than files ---------------------------------------------------------------------------

Test(report_command, a_fifo_in_the_place_of_its_results_makes_nobody_wait, .timeout = 20) {
    char directory[] = "/tmp/plumbline-report-XXXXXX", path[64];
    cr_redirect_stderr();
    cr_assert_not_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/results.json", directory);
    cr_assert_eq(mkfifo(path, 0600), 0);
    char* runs[] = {directory, NULL};
    const struct report_options options = {.runs = runs, .run_count = 1};
    cr_expect_eq(report_run(&options), RUNNER_EXIT_HARNESS);
    unlink(path);
    rmdir(directory);
}
