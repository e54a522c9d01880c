// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// show and replay on records made here.
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "made_up.h"
#include "recorded.h"
#include "recorded_parts.h"

static int write_to(void* context, const void* bytes, size_t size) {
    return fwrite(bytes, 1, size, context) == size ? 0 : -1;
}

// One entry and the trace that agrees with it; or of another method, said to be `verdict`.
static struct results_sample made(bool agrees, enum oracle_verdict verdict) {
    static const struct results_sample_slot slot = {
        .kind = RESULTS_SLOT_ENTRY, .id = 0x100, .number = 1, .position = 50};
    static const struct results_sample_frame right = {0x100, 1, 5}, wrong = {0x200, 2, 5};
    return (struct results_sample){.layer = ORACLE_LAYER_ASYNC,
                                   .verdict = (uint8_t)verdict,
                                   .judgement = {.verdict = verdict},
                                   .pc = 0x4000,
                                   .count = 1,
                                   .context_known = true,
                                   .slots = &slot,
                                   .slot_count = 1,
                                   .frames = agrees ? &right : &wrong,
                                   .frame_count = 1};
}

// The run's JVM, as its record tells of it.
struct recorded_jvm {
    const char *command, *version;
};

// DIRECTORY/runs/one-tiered-app/run.lz4 with two samples: one right, and this one.
static const char* made_run_with(struct results_sample second, const struct recorded_jvm* jvm) {
    static char directory[64];
    char path[256];
    snprintf(directory, sizeof directory, "/tmp/plumbline-show-%d", (int)getpid());
    mkdir(directory, 0777);
    snprintf(path, sizeof path, "%s/runs", directory);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/runs/one-tiered-app", directory);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/runs/one-tiered-app/run.lz4", directory);
    FILE* file = fopen(path, "w");
    cr_assert_not_null(file);
    const struct results_recorder_options options = {file, write_to, NULL};
    struct results_recorder* recorder = results_recorder_open(&options);
    struct results_sample first = made(true, ORACLE_AGREE);
    first.sequence = 4;
    if (jvm != NULL) {
        results_recorder_property(recorder, "command", jvm->command);
        results_recorder_property(recorder, "jvm.version", jvm->version);
    }
    results_recorder_head(recorder, 0);
    results_recorder_sample(recorder, &first);
    second.sequence = 17;
    results_recorder_sample(recorder, &second);
    results_recorder_flush(recorder, 1, true);
    results_recorder_close(recorder);
    fclose(file);
    return directory;
}

// `verdict`: what is said of the wrong sample.
static const char* made_run_in(enum oracle_verdict verdict, bool own) {
    struct results_sample second = made(false, verdict);
    second.own = own;
    return made_run_with(second, NULL);
}

static const char* made_run(enum oracle_verdict verdict) {
    return made_run_in(verdict, false);
}

static void clean(const char* directory) {
    char path[256];
    snprintf(path, sizeof path, "%s/runs/one-tiered-app/run.lz4", directory);
    unlink(path);
    snprintf(path, sizeof path, "%s/runs/one-tiered-app", directory);
    rmdir(path);
    snprintf(path, sizeof path, "%s/runs", directory);
    rmdir(path);
    rmdir(directory);
}

static char* said; // by the last command on standard output

static int run(int (*command)(const struct base_call*), const char* path, const char* option,
               const char* value) {
    char* argv[] = {(char*)(uintptr_t) "plumbline", (char*)(uintptr_t)path,
                    (char*)(uintptr_t)option, (char*)(uintptr_t)value, NULL};
    static char text[65536];
    int argc = 2 + (option != NULL) + (value != NULL);
    FILE *out = tmpfile(), *kept = stdout;
    cr_assert_not_null(out);
    stdout = out;
    fflush(kept);
    pid_t pid = fork(); // wrong usage ends the process
    const struct base_call call = {.argc = argc, .argv = argv};
    if (pid == 0) exit(command(&call));
    int status = 0;
    waitpid(pid, &status, 0);
    status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    stdout = kept;
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    fclose(out);
    said = text;
    return status;
}

Test(show, says_what_is_recorded_and_prints_what_is_asked_for, .init = cr_redirect_stderr) {
    const char* directory = made_run(ORACLE_MISSING);
    cr_expect_eq(run(show_command, directory, NULL, NULL), 0);
    cr_expect_not_null(strstr(said, "2 samples"));
    cr_expect_not_null(strstr(said, "async missing: 1"));
    cr_expect_not_null(strstr(said, "\nMore: plumbline show /tmp/"));
    cr_expect_eq(run(show_command, directory, "--mismatch", "17"), 0);
    cr_expect_not_null(strstr(said, "one tiered app async: missing"));
    cr_expect_not_null(strstr(said, "method id 0x200"));
    cr_expect_eq(run(show_command, directory, "--row", "one/tiered/async"), 0);
    cr_expect_not_null(strstr(said, "mismatch one-tiered-app/17"));
    cr_expect_eq(run(show_command, directory, "--mismatch", "one-tiered-app/17"), 0);
    cr_expect_eq(run(show_command, directory, "--mismatch", "two-tiered-app/17"),
                 RUNNER_EXIT_HARNESS);
    cr_expect_eq(run(show_command, directory, "--mismatch", "18"), RUNNER_EXIT_HARNESS);
    cr_expect_eq(run(show_command, directory, "--row", "one/int/async"), RUNNER_EXIT_HARNESS);
    cr_expect_eq(run(show_command, directory, "--cluster", "1"), RUNNER_EXIT_HARNESS);
    clean(directory);
}

// A session's names are what its directories, or its results.json, say.
Test(show, prints_no_control_characters, .init = cr_redirect_stderr) {
    const char* directory = made_run(ORACLE_MISSING);
    char from[128], to[128];
    snprintf(from, sizeof from, "%s/runs/one-tiered-app", directory);
    snprintf(to, sizeof to, "%s/runs/\033[31mone-tiered-app", directory);
    cr_assert_eq(rename(from, to), 0);
    cr_expect_eq(run(show_command, directory, NULL, NULL), 0);
    cr_expect_not_null(strstr(said, "\\u001b[31mone tiered app: "));
    cr_expect_null(strchr(said, '\033'));
    cr_expect_eq(run(show_command, directory, "--mismatch", "17"), 0);
    cr_expect_null(strchr(said, '\033'), "%s", said);
    run(replay_command, directory, NULL, NULL);
    cr_expect_not_null(strstr(said, "\\u001b[31mone tiered app: "));
    cr_expect_null(strchr(said, '\033'), "%s", said);
    cr_assert_eq(rename(to, from), 0);
    clean(directory);
}

Test(show, a_row_that_is_none_is_told_from_one_without_mismatches, .init = cr_redirect_stderr) {
    char text[1024];
    const char* directory = made_run(ORACLE_MISSING);
    cr_expect_eq(run(show_command, directory, "--row", "one/int/async"), RUNNER_EXIT_HARNESS);
    cr_expect_eq(run(show_command, directory, "--row", "one/tiered/gst"), RUNNER_EXIT_HARNESS);
    FILE* file = cr_get_redirected_stderr();
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    cr_expect(strstr(text, "there is no row one/int/async; a row is CASE/MODE/LAYER, as in "
                           "one/tiered/async\n") != NULL,
              "%s", text);
    cr_expect(strstr(text, "no mismatch of one/tiered/gst is recorded\n") != NULL, "%s", text);
    clean(directory);
}

// Its own report has the session's clusters, wherever the name leads. This one cannot be read.
Test(show, a_cluster_of_latest_is_one_of_its_sessions_report, .init = cr_redirect_stderr) {
    char text[1024];
    const char* directory = made_run(ORACLE_MISSING);
    cr_assert_eq(chdir(directory), 0);
    made_write("results.json", "{}", 2);
    cr_assert_eq(mkdir("out", 0777), 0);
    cr_assert_eq(symlink("..", "out/latest"), 0);
    cr_expect_eq(run(show_command, "latest", "--cluster", "1"), RUNNER_EXIT_HARNESS);
    FILE* file = cr_get_redirected_stderr();
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    cr_expect(strstr(text, "out/latest/results.json: ") != NULL, "%s", text);
    unlink("out/latest");
    rmdir("out");
    unlink("results.json");
    clean(directory);
}

// The function at a sample's place in libself.so is named, or not.
static void expect_named(const char* home, const char* version, bool named) {
    static struct results_evidence evidence;
    char command[128];
    snprintf(evidence.code_name, sizeof evidence.code_name, "%s", made_jvm(home, version));
    snprintf(command, sizeof command, "%s/bin/java -Xint -cp /x/bin/java Main ", home);
    struct results_sample sample = made(false, ORACLE_MISSING);
    sample.code_kind = RESULTS_CODE_NATIVE;
    sample.code_offset = 1;
    sample.evidence = &evidence;
    const char* directory = made_run_with(sample, &(struct recorded_jvm){command, "25.0.3+9"});
    cr_expect_eq(run(show_command, directory, "--mismatch", "17"), 0);
    cr_expect_not_null(strstr(said, "libself.so+0x"), "%s", said);
    cr_expect_eq(strstr(said, "made_up+0x1") != NULL, named, "%s", said);
    clean(directory);
}

Test(show, functions_have_names_while_the_jdk_that_was_judged_is_in_its_place,
     .init = cr_redirect_stderr) {
    char home[128];
    const char* parent = made_directory();
    snprintf(home, sizeof home, "%s/a b", parent);
    expect_named(home, "25.0.3+9", true);
    expect_named(home, "17.0.19+10", false);
    made_remove(parent);
}

// `plumbline show DIRECTORY --row ROW [--own]`.
static int show_row(const char* directory, bool own) {
    char text[128];
    snprintf(text, sizeof text, "--row=%s", "one/tiered/async");
    return run(show_command, directory, text, own ? "--own" : NULL);
}

Test(show, mismatches_in_our_own_code_are_shown_on_demand_alone, .init = cr_redirect_stderr) {
    const char* directory = made_run_in(ORACLE_MISSING, true);
    cr_expect_eq(run(show_command, directory, NULL, NULL), 0);
    cr_expect_not_null(strstr(said, "async missing, in our own code: 1"));
    cr_expect_eq(show_row(directory, false), RUNNER_EXIT_HARNESS);
    cr_expect_eq(show_row(directory, true), 0);
    cr_expect_not_null(strstr(said, "mismatch one-tiered-app/17"));
    clean(directory);
    made_run(ORACLE_MISSING);
    cr_expect_eq(show_row(directory, true), RUNNER_EXIT_HARNESS);
    cr_expect_eq(run(show_command, directory, "--own", NULL), RUNNER_EXIT_USAGE);
    clean(directory);
}

Test(show, refuses_what_it_does_not_understand, .init = cr_redirect_stderr) {
    cr_expect_eq(run(show_command, "/tmp", "--mismatch", "x"), RUNNER_EXIT_USAGE);
    cr_expect_eq(run(show_command, "/tmp", "--mismatch", NULL), RUNNER_EXIT_USAGE);
    cr_expect_eq(run(show_command, "/tmp", "--mismatch", "0"), RUNNER_EXIT_USAGE);
    cr_expect_eq(run(show_command, "/tmp", "--no-such", NULL), RUNNER_EXIT_USAGE);
    cr_expect_eq(run(show_command, "--counters", NULL, NULL), RUNNER_EXIT_USAGE);
    cr_expect_eq(run(show_command, "/no/such", NULL, NULL), RUNNER_EXIT_HARNESS);
    cr_expect_eq(run(replay_command, "/no/such", NULL, NULL), RUNNER_EXIT_HARNESS);
    cr_expect_eq(run(replay_command, "/tmp", "--rules", "gap=off"), RUNNER_EXIT_USAGE);
}

Test(replay, is_0_where_every_verdict_is_given_again, .init = cr_redirect_stderr) {
    const char* directory = made_run(ORACLE_WRONG_METHOD);
    uint32_t off = 0;
    const char* wrong;
    cr_assert(replay_rules("gaps=off,bci=on", &off, &wrong));
    int status = run(replay_command, directory, NULL, NULL);
    cr_expect_eq(status, 0, "%s", said);
    cr_expect_not_null(strstr(said, "2 samples of 1 run judged again, 0 verdicts differ"));
    clean(directory);
}

Test(replay, is_1_where_one_differs_and_shows_it, .init = cr_redirect_stderr) {
    const char* directory = made_run(ORACLE_TRUNCATED);
    cr_expect_eq(run(replay_command, directory, NULL, NULL), RUNNER_EXIT_FAIL);
    cr_expect_not_null(strstr(said, "truncated was, "));
    cr_expect_not_null(strstr(said, "1 verdict differs"));
    cr_expect_eq(run(replay_command, directory, "--rules", "bci=off"), 0,
                 "a changed rule may change");
    clean(directory);
}

static void rules(const char* text, bool right, uint32_t expected) {
    uint32_t off = 99;
    const char* wrong;
    cr_expect_eq(replay_rules(text, &off, &wrong), right, "%s", text);
    if (right) cr_expect_eq(off, expected, "%s", text);
}

Test(replay, rules_are_read_by_name) {
    rules("transition=off", true, 1u << ORACLE_RULE_TRANSITION);
    rules("gaps=off,bci=off", true, 1u << ORACLE_RULE_GAPS | 1u << ORACLE_RULE_BCI);
    rules("gaps=off,gaps=on", true, 0);
    rules("attribution=off", true, 1u << ORACLE_RULE_ATTRIBUTION);
    rules("", false, 0);
    rules("gaps", false, 0);
    rules("gaps=maybe", false, 0);
    rules("gap=off", false, 0);
    rules("gaps=off,", false, 0);
}

Test(show, what_cannot_be_printed_is_told, .init = cr_redirect_stderr) {
    const char* directory = made_run(ORACLE_WRONG_METHOD);
    char* argv[] = {(char*)(uintptr_t) "plumbline", (char*)(uintptr_t)directory, NULL};
    const struct base_call call = {.argc = 2, .argv = argv};
    stdout = fopen("/dev/full", "w");
    cr_assert_not_null(stdout);
    cr_expect_eq(show_command(&call), RUNNER_EXIT_HARNESS);
    clearerr(stdout);
    cr_expect_eq(replay_command(&call), RUNNER_EXIT_HARNESS);
    clean(directory);
}
