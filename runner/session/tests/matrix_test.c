// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session_parts.h"
#include "fake_java.h"

// A session in OUT/NAME of a house.
static void play(const struct home* home, const char* house, const char* name, const char* cases) {
    char jdk[128], out[128];
    snprintf(jdk, sizeof jdk, "%s/jdk", house);
    snprintf(out, sizeof out, "%s/%s", house, name);
    const struct options options = {.cases = cases,
                                    .jdk = jdk,
                                    .out = out,
                                    .scope = "app",
                                    .scopes = 1u << OPTIONS_SCOPE_APP,
                                    .jobs = 1,
                                    .timeout = 20,
                                    .modes = 1u << MODE_INT,
                                    .layers = 1u << ORACLE_LAYER_GST};
    session_run(&options, OPTIONS_VALIDATE, home, "plumbline validate", NULL);
}

Test(matrix, rows_of_all_columns_stand_beside_each_other, .timeout = 60) {
    struct home home;
    char text[4000], one[128], two[128];
    const char* house = fake_make(&home);
    cr_redirect_stdout();
    play(&home, house, "one", "pass,mismatch");
    play(&home, house, "two", "pass,new");
    snprintf(one, sizeof one, "%s/one/results.json", house);
    snprintf(two, sizeof two, "%s/two/results.json", house);
    const struct matrix_column columns[] = {{"17.0.1", one}, {"broken", NULL}, {"21", two}};
    FILE* file = tmpfile();
    cr_assert_not_null(file);
    cr_assert_eq(matrix_table(columns, 3, file), 0);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    cr_expect_str_eq(text,
                     "case      mode          scope  layer      17.0.1        broken  21      \n"
                     "pass      int           app    gst        PASS 0 %      -       PASS 0 %\n"
                     "mismatch  int           app    gst        FAIL 0.005 %  -       -       \n"
                     "new       int           app    gst        -             -       SKIP    \n");
    fake_remove(house);
}

static void read_table(const char* out, char* text, size_t size) {
    char path[200];
    snprintf(path, sizeof path, "%s/matrix.txt", out);
    FILE* file = fopen(path, "r");
    cr_assert_not_null(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

// The command's own executable is the test binary, which is no plumbline: what is tested is what
// comes before the sessions and after them.
Test(matrix, a_jdk_that_cannot_be_examined_has_a_column_all_the_same, .timeout = 60) {
    struct home home;
    char text[4000] = "", out[128];
    const char* house = fake_make(&home);
    char* argv[] = {"validate", "--jdk", "/nowhere/a", "--jdk", "/nowhere/b"};
    snprintf(out, sizeof out, "%s/out", house);
    const struct options options = {
        .jdk = argv[4], .jdks = {argv[2], argv[4]}, .jdk_count = 2, .out = out};
    const struct base_call call = {.argc = 5, .argv = argv, .home = &home};
    cr_redirect_stdout();
    cr_redirect_stderr();
    cr_expect_eq(matrix_run(&options, OPTIONS_VALIDATE, &call), RUNNER_EXIT_HARNESS);
    read_table(out, text, sizeof text);
    cr_expect_not_null(strstr(text, "unknown: HARNESS: no JDK at /nowhere/a"), "%s", text);
    cr_expect_not_null(strstr(text, "unknown-2: HARNESS: no JDK at /nowhere/b"), "%s", text);
    fake_remove(house);
}

// A list of profilers with these names, in the house.
static void write_profilers(struct home* home, const char* house, const char* const* names,
                            size_t count) {
    snprintf(home->profilers_list, HOME_PATH, "%s/profilers.ini", house);
    FILE* file = fopen(home->profilers_list, "w");
    cr_assert_not_null(file);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "[%s]\nabout = a\nvm = -Dp\nsignals = 12\nclock = jfr\nevent = e\n",
                names[i]);
    fclose(file);
}

// The sessions themselves cannot run: the executable is no plumbline. Each pair has its column.
Test(matrix, every_profiler_has_a_column_for_every_jdk, .timeout = 60) {
    struct home home;
    char text[4000] = "", jdk[128], out[128];
    const char* house = fake_make(&home);
    snprintf(jdk, sizeof jdk, "%s/jdk", house);
    snprintf(out, sizeof out, "%s/out", house);
    write_profilers(&home, house, (const char* const[]){"p", "q"}, 2);
    char profilers[] = "p,q";
    char* argv[] = {"validate", "--jdk", jdk, "--jdk", jdk, "--profiler", profilers};
    struct options options = {.jdk = argv[4],
                              .jdks = {argv[2], argv[4]},
                              .jdk_count = 2,
                              .profiler = profilers,
                              .out = out};
    const struct base_call call = {.argc = 7, .argv = argv, .home = &home};
    cr_redirect_stdout();
    cr_redirect_stderr();
    cr_expect(matrix_is_asked(&options));
    cr_expect_eq(matrix_run(&options, OPTIONS_VALIDATE, &call), RUNNER_EXIT_HARNESS);
    read_table(out, text, sizeof text);
    const char* const labels[] = {"17.0.99-p", "17.0.99-q", "17.0.99-2-p", "17.0.99-2-q"};
    for (size_t i = 0; i < 4; i++) {
        char line[64];
        snprintf(line, sizeof line, "\n%s: HARNESS", labels[i]);
        cr_expect_not_null(strstr(text, line), "%s is not in %s", line, text);
    }
    fake_remove(house);
}

Test(matrix, there_may_be_more_pairs_than_jdks_may_be_given, .timeout = 60) {
    struct home home;
    static char text[200000];
    char jdk[] = "/nowhere", profilers[] = "p,q,r", out[128];
    const char* house = fake_make(&home);
    snprintf(out, sizeof out, "%s/out", house);
    write_profilers(&home, house, (const char* const[]){"p", "q", "r"}, 3);
    struct options options = {.jdk_count = OPTIONS_JDKS, .profiler = profilers, .out = out};
    for (unsigned i = 0; i < OPTIONS_JDKS; i++) options.jdks[i] = jdk;
    const struct base_call call = {.home = &home};
    cr_redirect_stdout();
    cr_redirect_stderr();
    cr_expect_eq(matrix_run(&options, OPTIONS_VALIDATE, &call), RUNNER_EXIT_HARNESS);
    read_table(out, text, sizeof text);
    cr_expect_not_null(strstr(text, "\nunknown-p: HARNESS"), "%s", text);
    cr_expect_not_null(strstr(text, "\nunknown-64-r: HARNESS"), "%s", text);
    fake_remove(house);
}

// What is used before it is set holds addresses that nobody may touch.
__attribute__((noinline)) static void spoil_the_stack(void) {
    char below[1 << 16];
    memset(below, 0x5a, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}

Test(matrix, an_unknown_profiler_is_wrong_usage_and_touches_nothing, .timeout = 60) {
    struct home home;
    char jdk[] = "/nowhere", profilers[] = "p,r", out[128];
    const char* house = fake_make(&home);
    snprintf(out, sizeof out, "%s/out", house);
    write_profilers(&home, house, (const char* const[]){"p"}, 1);
    const struct options options = {
        .jdks = {jdk}, .jdk_count = 1, .profiler = profilers, .out = out};
    const struct base_call call = {.home = &home};
    cr_redirect_stderr();
    spoil_the_stack();
    cr_expect_eq(matrix_run(&options, OPTIONS_VALIDATE, &call), RUNNER_EXIT_USAGE);
    cr_expect_neq(access(out, F_OK), 0);
    fake_remove(house);
}

// A plumbline whose sessions end with this status, and leave what is in DONE behind, if anything.
// Counts its starts.
static void make_plumbline(const char* house, const char* done, int status) {
    char script[600];
    snprintf(script, sizeof script,
             "#!/bin/sh\necho >>%s/starts\n"
             "while [ \"$1\" != --out ]; do shift; done\n"
             "mkdir -p \"$2\"\n"
             "[ -z '%s' ] || cp -r %s/%s/. \"$2\"\nexit %d\n",
             house, done, house, done, status);
    fake_file(house, "plumbline", script, 0755);
    fake_file(house, "starts", "", 0644);
}

// How many sessions of `run` with two profilers are started.
static long starts(const struct home* home, const char* house, int wanted) {
    char jdk[128], out[128], path[128], program[] = "Main";
    struct stat status;
    snprintf(jdk, sizeof jdk, "%s/jdk", house);
    snprintf(out, sizeof out, "%s/out", house);
    snprintf(path, sizeof path, "%s/starts", house);
    char option[] = "--jdk", profilers[] = "p,q", name[] = "run", two[] = "--profiler";
    char dashes[] = "--";
    char* argv[] = {name, option, jdk, two, profilers, dashes, program, NULL};
    const struct options options = {.jdk = jdk,
                                    .jdks = {jdk},
                                    .jdk_count = 1,
                                    .profiler = profilers,
                                    .out = out,
                                    .java_arguments = argv + 6,
                                    .java_count = 1};
    const struct base_call call = {.argc = 7, .argv = argv, .home = home};
    cr_expect_eq(matrix_run(&options, OPTIONS_RUN, &call), wanted);
    cr_assert_eq(stat(path, &status), 0);
    fake_remove(out);
    return (long)status.st_size;
}

Test(matrix, a_program_that_is_interrupted_is_the_last, .timeout = 60) {
    struct home home;
    const char* house = fake_make(&home);
    cr_redirect_stdout();
    cr_redirect_stderr();
    write_profilers(&home, house, (const char* const[]){"p", "q"}, 2);
    play(&home, house, "stopped", "interrupt");
    play(&home, house, "vacuous", "vacuous");
    make_plumbline(house, "stopped", RUNNER_EXIT_INCONCLUSIVE);
    cr_expect_eq(starts(&home, house, RUNNER_EXIT_INCONCLUSIVE), 1);
    make_plumbline(house, "stopped", RUNNER_EXIT_FAIL);
    cr_expect_eq(starts(&home, house, RUNNER_EXIT_FAIL), 1);
    make_plumbline(house, "", RUNNER_EXIT_INCONCLUSIVE);
    cr_expect_eq(starts(&home, house, RUNNER_EXIT_INCONCLUSIVE), 1, "before there are results");
    make_plumbline(house, "vacuous", RUNNER_EXIT_INCONCLUSIVE);
    cr_expect_eq(starts(&home, house, RUNNER_EXIT_INCONCLUSIVE), 2);
    make_plumbline(house, "", RUNNER_EXIT_HARNESS);
    cr_expect_eq(starts(&home, house, RUNNER_EXIT_HARNESS), 2);
    fake_remove(house);
}
