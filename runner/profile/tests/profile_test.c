// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The command, on a JDK that is made up. Its JVM writes no profile, so nothing is judged.
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_java.h"
#include "oracle/oracle.h"
#include "profile.h"
#include "runner/options/options.h"

static struct home home;
static const char* house;

// A house with two profilers, and its JDK in JAVA_HOME.
static void move_in(void) {
    char jdk[128];
    house = fake_make(&home);
    fake_file(house, "profilers.ini",
              "[p]\nabout = a\nvm = -Dp\nsignals = 12\nclock = jfr\nevent = e\n"
              "[q]\nabout = a\nvm = -Dq\nsignals = 12\nclock = jfr\nevent = e\n",
              0644);
    snprintf(home.profilers_list, HOME_PATH, "%s/profilers.ini", house);
    snprintf(jdk, sizeof jdk, "%s/jdk", house);
    setenv("JAVA_HOME", jdk, 1);
    cr_redirect_stdout();
    cr_redirect_stderr();
}

// The command that the session's cmd.sh executes, as options of `run`.
static void read_command(const char* session, struct words* words, struct options* options) {
    char path[160], text[2000] = "", *line;
    snprintf(path, sizeof path, "%s/out/%s/cmd.sh", house, session);
    FILE* file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    line = strstr(text, "\nexec ");
    cr_assert_not_null(line);
    line[strcspn(line + 1, "\n") + 1 - strlen(" \"$@\"")] = '\0';
    cr_assert(words_split(words, line + strlen("\nexec ")));
    cr_assert_str_eq(words->list[1], "run");
    unsetenv("JAVA_HOME");
    const struct base_call call = {
        .argc = (int)words->count - 1, .argv = words->list + 1, .stays = true};
    cr_expect_eq(options_parse(OPTIONS_RUN, &call, options), 0, "%s", line);
}

Test(profile, the_command_of_a_session_names_jdk_and_layers_and_is_taken, .timeout = 60) {
    struct words words = {0};
    struct options options;
    char wanted[128];
    move_in();
    fake_call(profile_command, &home, "profile --profiler p,q --checks 0 --out %s/out -- Pass",
              house);
    read_command("q", &words, &options);
    snprintf(wanted, sizeof wanted, "%s/jdk", house);
    cr_expect_str_eq(options.jdk, wanted);
    cr_expect_null(options.jdk_whence, "it is named");
    cr_expect_eq(options.layers, 1u << ORACLE_LAYER_GROUND | 1u << ORACLE_LAYER_PROFILER);
    cr_expect_str_eq(options.profiler, "q");
    words_free(&words);
    fake_remove(house);
}

// What profile.txt says of the second profiler, and whether that has a session.
static void stops_before_the_second(const char* jdk, const char* program) {
    char path[160], text[8000] = "";
    cr_expect_eq(fake_call(profile_command, &home,
                           "profile --jdk %s/%s --profiler p,q --out %s/out -- %s", house, jdk,
                           house, program),
                 RUNNER_EXIT_INCONCLUSIVE);
    snprintf(path, sizeof path, "%s/out/profile.txt", house);
    FILE* file = fopen(path, "r");
    cr_assert_not_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    cr_expect_not_null(strstr(text, "not run: interrupted"), "%s", text);
    snprintf(path, sizeof path, "%s/out/q", house);
    cr_expect_neq(access(path, F_OK), 0);
}

Test(profile, an_interruption_at_any_time_stops_all, .timeout = 60) {
    move_in();
    fake_interrupting(house, "one");
    stops_before_the_second("one", "Pass");
    stops_before_the_second("jdk", "Interrupt");
    fake_remove(house);
}
