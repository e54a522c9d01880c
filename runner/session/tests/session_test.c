// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session_parts.h"
#include "fake_java.h"

// A session in a fake house; `text` receives its results.json, "" if there is none.
struct played {
    int status;
    bool has_clusters;
    char text[400000];
};
static struct played played;
static const char* in_the_way; // a directory of this name is in the session's folder before
static const char* fifo_there; // so is a FIFO of this name

static const char* path_in(const char* out, const char* name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", out, name);
    return path;
}

static void read_results(const char* out) {
    played.has_clusters = access(path_in(out, "clusters.txt"), R_OK) == 0;
    played.text[0] = '\0';
    FILE* file = fopen(path_in(out, "results.json"), "r");
    if (file == NULL) return;
    played.text[fread(played.text, 1, sizeof played.text - 1, file)] = '\0';
    fclose(file);
}

static void play(struct options options, enum options_command kind) {
    struct home home;
    const char* directory = fake_make(&home);
    char jdk[128], out[128];
    snprintf(jdk, sizeof jdk, "%s/jdk", directory);
    snprintf(out, sizeof out, "%s/a/b", directory);
    options.jdk = jdk;
    options.out = out;
    if (options.scope == NULL) options.scope = "app";
    options.jobs = options.jobs == 0 ? 1 : options.jobs;
    options.modes = options.modes == 0 ? 1u << MODE_INT : options.modes;
    options.layers = (1u << ORACLE_LAYER_COUNT) - 1;
    if (in_the_way != NULL) cr_assert_eq(output_make_directories(path_in(out, in_the_way)), 0);
    if (fifo_there != NULL) cr_assert_eq(mkfifo(path_in(out, fifo_there), 0666), 0);
    cr_redirect_stdout();
    played.status = session_run(&options, kind, &home, "plumbline validate", NULL);
    read_results(out);
    fake_remove(directory);
}

static void holds(const char* wanted) {
    cr_expect(strstr(played.text, wanted) != NULL, "\"%s\" is not in: %.3000s", wanted,
              played.text);
}

static void validates(const char* cases, int status, const char* wanted) {
    play((struct options){.cases = cases, .timeout = 1}, OPTIONS_VALIDATE);
    cr_expect_eq(played.status, status, "%s: %d", cases, played.status);
    holds(wanted);
}

Test(session, every_end_has_its_verdict_and_exit_status, .timeout = 60) {
    validates("pass", RUNNER_EXIT_PASS, "\"verdict\": \"PASS\"");
    validates("mismatch", RUNNER_EXIT_FAIL, "\"phantom\": 1");
    validates("check", RUNNER_EXIT_FAIL, "wrong: 41 is not 42");
    validates("vacuous", RUNNER_EXIT_INCONCLUSIVE, "\"verdict\": \"VACUOUS\"");
    validates("new", RUNNER_EXIT_INCONCLUSIVE, "needs JDK 21 or later");
    validates("old", RUNNER_EXIT_INCONCLUSIVE, "needs JDK 16 or earlier");
    validates("noagent", RUNNER_EXIT_HARNESS, "Unrecognized VM option");
}

Test(session, without_room_for_its_file_no_jvm_is_started_and_the_report_says_why, .timeout = 60) {
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = 1 << 20;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    validates("pass", RUNNER_EXIT_HARNESS, "no JVM was started: run.plumbline: File too large");
}

Test(session, without_its_logs_no_jvm_is_started_and_the_report_names_the_log, .timeout = 60) {
    in_the_way = "runs/pass-int-app/stdout.txt";
    validates("pass", RUNNER_EXIT_HARNESS, "no JVM was started: stdout.txt: Is a directory");
    in_the_way = "runs/pass-int-app/stderr.txt";
    validates("pass", RUNNER_EXIT_HARNESS, "no JVM was started: stderr.txt: Is a directory");
}

// Nothing waits for a reader.
Test(session, a_fifo_in_a_files_place_goes, .timeout = 60) {
    static const char* const names[] = {"cmd.sh",
                                        "report.txt",
                                        "clusters.txt",
                                        "results.json",
                                        "unfinished",
                                        "session",
                                        "runs/pass-int-app/stdout.txt",
                                        "runs/pass-int-app/stderr.txt",
                                        "runs/pass-int-app/cmd.sh",
                                        "runs/pass-int-app/finished",
                                        "runs/pass-int-app/run.plumbline"};
    in_the_way = "runs/pass-int-app";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        fifo_there = names[i];
        validates("pass", RUNNER_EXIT_PASS, "\"verdict\": \"PASS\"");
    }
}

// results.json has no number that its readers refuse.
Test(session, what_the_jvm_wrote_over_its_runs_file_is_told_and_the_rest_is_read, .timeout = 60) {
    validates("spoilt,pass", RUNNER_EXIT_HARNESS,
              "13 numbers or texts of run.plumbline cannot be the agent's, first walker: something "
              "in the JVM's process wrote there");
    holds("\"verdict\": \"PASS\"");
    cr_expect_null(strstr(played.text, "-1,"), "%.3000s", played.text);
}

Test(session, a_control_passes_where_its_error_is_found, .timeout = 60) {
    validates("known", RUNNER_EXIT_PASS, "\"verdict\": \"XFAIL\"");
    holds("as it must be: 1/20001");
    validates("mended", RUNNER_EXIT_FAIL, "\"verdict\": \"XPASS_CONTROL\"");
    play((struct options){.cases = "known", .modes = 1u << MODE_C1, .timeout = 1},
         OPTIONS_VALIDATE);
    cr_expect_eq(played.status, RUNNER_EXIT_FAIL, "in a mode that it does not name");
}

Test(session, what_was_measured_before_passes_and_a_bug_that_has_gone_is_told, .timeout = 60) {
    validates("ceiling", RUNNER_EXIT_PASS, "\"verdict\": \"XFAIL\"");
    holds("JDK-1");
    validates("mended-bug", RUNNER_EXIT_PASS, "\"verdict\": \"XPASS\"");
    holds("JDK-2");
    play((struct options){.cases = "ceiling", .modes = 1u << MODE_C1, .timeout = 1},
         OPTIONS_VALIDATE);
    cr_expect_eq(played.status, RUNNER_EXIT_FAIL);
    play((struct options){.cases = "ceiling", .modes = 1u << MODE_C2, .timeout = 1},
         OPTIONS_VALIDATE);
    cr_expect_eq(played.status, RUNNER_EXIT_FAIL, "in a mode where nothing was measured");
}

Test(session, a_case_that_did_not_reach_its_cells_is_vacuous, .timeout = 60) {
    validates("cells", RUNNER_EXIT_PASS, "\"cell\": \"interpreter\"");
    cr_expect(played.has_clusters, "clusters.txt is written, also if there are none");
    play((struct options){.cases = "cells", .modes = 1u << MODE_C1, .timeout = 1},
         OPTIONS_VALIDATE);
    cr_expect_eq(played.status, RUNNER_EXIT_INCONCLUSIVE);
    holds("the case is for vtable_stub: 0 samples");
}

Test(session, several_scopes_are_run_and_compared, .timeout = 60) {
    play((struct options){.cases = "pass",
                          .timeout = 1,
                          .scopes = 1u << OPTIONS_SCOPE_NONE | 1u << OPTIONS_SCOPE_APP},
         OPTIONS_VALIDATE);
    cr_expect_eq(played.status, RUNNER_EXIT_PASS);
    const char* observer = strstr(played.text, "\"observer\": [");
    cr_assert_not_null(observer);
    cr_expect_not_null(strstr(observer, "\"scope\": \"none\""));
    cr_expect_not_null(strstr(observer, "\"scope\": \"app\""));
    cr_expect_not_null(strstr(observer, "\"units\": 12"));
    holds("\"planned\": 2");
}

Test(session, a_refusal_of_the_agent_is_told_and_ends_the_plan, .timeout = 60) {
    cr_redirect_stderr();
    validates("pass,refused,noagent", RUNNER_EXIT_HARNESS, "libjvm exports no AsyncGetCallTrace");
    holds("\"case\": \"pass\"");
    cr_expect_null(strstr(played.text, "\"case\": \"noagent\""), "it stands behind in the list");
}

Test(session, a_crash_keeps_its_counts_and_its_place_and_the_rest_still_runs, .timeout = 60) {
    validates("crash,vacuous", RUNNER_EXIT_FAIL, "frame::sender");
    holds("SIGSEGV");
    holds("in the walker of layer async");
    holds("\"judged\": 20000");
    holds("\"verdict\": \"VACUOUS\"");
}

Test(session, a_hang_keeps_its_counts_and_the_rest_still_runs, .timeout = 60) {
    validates("hang,vacuous", RUNNER_EXIT_FAIL, "\"verdict\": \"HANG\"");
    holds("\"judged\": 20000");
    holds("\"verdict\": \"VACUOUS\"");
}

Test(session, an_interruption_ends_the_jvms_and_reports_what_there_is, .timeout = 60) {
    play((struct options){.cases = "interrupt", .modes = MODES_QUICK, .timeout = 50},
         OPTIONS_VALIDATE);
    cr_expect_eq(played.status, RUNNER_EXIT_INCONCLUSIVE);
    holds("\"interrupted\": true");
    holds("\"judged\": 20000");
    cr_expect_null(strstr(played.text, "\"mode\": \"c1\""), "the next was not started");
}

Test(session, jobs_at_the_same_time_are_reported_in_the_plans_order, .timeout = 60) {
    play((struct options){.cases = "pass,vacuous", .modes = MODES_QUICK, .jobs = 4},
         OPTIONS_VALIDATE);
    cr_expect_eq(played.status, RUNNER_EXIT_INCONCLUSIVE);
    const char* first = strstr(played.text, "\"case\": \"pass\"");
    const char* second = strstr(played.text, "\"case\": \"vacuous\"");
    cr_assert(first != NULL && second != NULL);
    cr_expect_lt(first, second);
}

// ---- What this JVM has and others have not ----------------------------------------------------

static void in_mode(enum mode_id mode, int status, const char* wanted) {
    play((struct options){.cases = "pass", .modes = 1u << mode, .timeout = 1}, OPTIONS_VALIDATE);
    cr_expect_eq(played.status, status, "%s: %d", modes[mode].name, played.status);
    holds(wanted);
}

Test(session, a_mode_that_the_jvm_does_not_have_is_left_out_with_the_reason, .timeout = 60) {
    in_mode(MODE_PRESERVEFP, RUNNER_EXIT_INCONCLUSIVE, "no flag PreserveFramePointer");
    holds("\"verdict\": \"SKIP\"");
    in_mode(MODE_SHENANDOAH, RUNNER_EXIT_INCONCLUSIVE,
            "does not start so: Option -XX:+UseShenandoahGC not supported");
    holds("\"verdict\": \"SKIP\"");
    in_mode(MODE_COMP, RUNNER_EXIT_PASS, "\"verdict\": \"PASS\"");
    in_mode(MODE_STRESS, RUNNER_EXIT_PASS, "\"verdict\": \"PASS\"");
}

Test(session, a_jvm_that_dies_over_the_question_is_run_all_the_same, .timeout = 60) {
    in_mode(MODE_ZGC, RUNNER_EXIT_PASS, "\"verdict\": \"PASS\"");
}

Test(session, an_interruption_while_a_jvm_is_asked_ends_the_session, .timeout = 60) {
    play((struct options){.cases = "pass",
                          .modes = 1u << MODE_TIERED | 1u << MODE_SERIAL | 1u << MODE_COMP,
                          .timeout = 1},
         OPTIONS_VALIDATE);
    cr_expect_eq(played.status, RUNNER_EXIT_INCONCLUSIVE);
    holds("\"interrupted\": true");
    cr_expect_null(strstr(played.text, "\"mode\": \"tiered\""), "nothing was started");
}

Test(session, an_interruption_while_the_jdk_is_examined_is_no_fault_of_the_harness, .timeout = 60) {
    struct home home;
    const char* house = fake_make(&home);
    char jdk[128], out[128];
    cr_redirect_stdout();
    cr_redirect_stderr();
    snprintf(jdk, sizeof jdk, "%s/interrupting", house);
    snprintf(out, sizeof out, "%s/out", house);
    fake_interrupting(house, "interrupting");
    const struct options options = {
        .jdk = jdk, .out = out, .scope = "app", .cases = "pass", .modes = 1, .jobs = 1};
    cr_expect_eq(session_run(&options, OPTIONS_VALIDATE, &home, "x", NULL),
                 RUNNER_EXIT_INCONCLUSIVE);
    cr_expect_eq(access(out, F_OK), -1, "nothing is written");
    char* argv[] = {"validate", "--jdk", jdk, "--jdk", jdk};
    const struct options two = {
        .jdk = jdk, .jdks = {jdk, jdk}, .jdk_count = 2, .out = out, .full = true};
    const struct base_call call = {.argc = 5, .argv = argv, .home = &home};
    cr_expect_eq(matrix_run(&two, OPTIONS_VALIDATE, &call), RUNNER_EXIT_INCONCLUSIVE);
    cr_expect_eq(access(out, F_OK), -1, "nor by a matrix");
    fake_remove(house);
}

Test(session, a_case_for_whitebox_is_left_out_where_the_jvm_has_none, .timeout = 60) {
    validates("white", RUNNER_EXIT_INCONCLUSIVE, "has no WhiteBox: no WhiteBox: none");
    validates("pass,white", RUNNER_EXIT_PASS, "\"verdict\": \"SKIP\"");
    setenv("FAKE_WHITEBOX", "1", 1);
    validates("white", RUNNER_EXIT_PASS, "\"verdict\": \"PASS\"");
    cr_expect_null(strstr(played.text, "SKIP"));
    unsetenv("FAKE_WHITEBOX");
}

static void leaves_out(struct options options, const char* why) {
    options.cases = "whole";
    options.timeout = 1;
    play(options, OPTIONS_VALIDATE);
    cr_expect_eq(played.status, why != NULL ? RUNNER_EXIT_INCONCLUSIVE : RUNNER_EXIT_PASS);
    holds(why != NULL ? why : "\"verdict\": \"PASS\"");
}

Test(session, a_case_that_counts_pushes_is_left_out_where_methods_have_none, .timeout = 60) {
    leaves_out((struct options){.scope = "none"}, "there are none in scope none");
    leaves_out((struct options){.density = 100000}, "needs --density 100%");
    leaves_out((struct options){.density = RESULTS_DENSITY_FULL}, NULL);
    leaves_out((struct options){.scope = "all"}, NULL);
}

static void runs(const char* program, int status) {
    char option[] = "-cp", path[] = "x", name[32];
    snprintf(name, sizeof name, "%s", program);
    char* arguments[] = {option, path, name, NULL};
    play((struct options){.java_arguments = arguments, .java_count = 3}, OPTIONS_RUN);
    cr_expect_eq(played.status, status, "%s: %d", program, played.status);
    char wanted[64];
    snprintf(wanted, sizeof wanted, "\"case\": \"%s\"", program);
    holds(wanted);
}

Test(session, a_programs_own_status_is_not_plumblines, .timeout = 60) {
    runs("Pass", RUNNER_EXIT_PASS);
    runs("Status", RUNNER_EXIT_PASS);
    holds("\"status\": 7");
    runs("Mismatch", RUNNER_EXIT_FAIL);
    runs("Crash", RUNNER_EXIT_FAIL);
}

Test(session, an_output_directory_that_cannot_be_made_is_the_surroundings_fault, .timeout = 60) {
    struct home home;
    const char* directory = fake_make(&home);
    char jdk[128], out[128];
    snprintf(jdk, sizeof jdk, "%s/jdk", directory);
    snprintf(out, sizeof out, "%s/cases.ini/out", directory);
    struct options options = {
        .jdk = jdk, .out = out, .scope = "app", .jobs = 1, .modes = 1, .cases = "pass"};
    cr_redirect_stderr();
    cr_expect_eq(session_run(&options, OPTIONS_VALIDATE, &home, "x", NULL), RUNNER_EXIT_HARNESS);
    options.cases = "nothing";
    cr_expect_eq(session_run(&options, OPTIONS_VALIDATE, &home, "x", NULL), RUNNER_EXIT_USAGE);
    options.cases = "pass";
    unlink(home.agent);
    cr_expect_eq(session_run(&options, OPTIONS_VALIDATE, &home, "x", NULL), RUNNER_EXIT_HARNESS);
    fake_remove(directory);
}
