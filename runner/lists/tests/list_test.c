// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>
#include <string.h>

#include "runner/base/base.h"
#include "fake_java.h"
#include "lists.h"

static const char* listed(const char* what, int status) {
    static char said[16384];
    char list[] = "list", name[32];
    snprintf(name, sizeof name, "%s", what);
    char* argv[] = {list, name, NULL};
    const struct home home = {.agent = ""};
    const struct base_call call = {.argc = 2, .argv = argv, .home = &home};
    FILE *out = tmpfile(), *kept = stdout;
    cr_assert_not_null(out);
    stdout = out;
    cr_expect_eq(list_command(&call), status, "%s", what);
    stdout = kept;
    rewind(out);
    said[fread(said, 1, sizeof said - 1, out)] = '\0';
    fclose(out);
    return said;
}

static void holds(const char* what, const char* name, const char* explanation) {
    const char* text = listed(what, 0);
    const char* at = strstr(text, name);
    cr_assert(at == text || (at != NULL && at[-1] == '\n'), "%s begins no line: %s", name, text);
    const char* found = strstr(at, explanation);
    cr_expect(found != NULL && found < strchr(at, '\n'), "%s: %s", name, text);
}

Test(list, has_a_line_for_each_entry_with_its_name_first) {
    holds("codes", "vtable_stub", "itable");
    holds("codes", "unknown", "tables");
    holds("regions", "after", "slow paths");
    holds("votes", "against_walker", "agrees with the trace stack");
    holds("verdicts", "impossible_call", "caller");
    holds("verdicts", "VACUOUS", "code");
    holds("layers", "structure", "instrumentation");
    holds("modes", "int", "interpreter only");
    holds("modes", "stress", "from the seed");
}

Test(list, that_does_not_exist_is_wrong_usage) {
    cr_redirect_stderr();
    cr_expect_str_empty(listed("code", RUNNER_EXIT_USAGE));
}

// What `list` prints in a house with a made-up JDK, which is of release 17; the line is its words.
static const char* asked(const char* format, int status) {
    static char said[4096];
    struct home home;
    const char* house = fake_make(&home);
    fake_file(house, "profilers.ini",
              "[old]\nabout = the old one\nevent = e\nsignals = 12\nvm = -a=${file}\nclock = jfr\n"
              "release = 8-11\n[far]\nabout = another\nevent = e\nsignals = 12\n"
              "vm = -a=${file}\nclock = jfr\nneeds = ${home}/cases.ini\n[here]\nabout = the one\n"
              "event = e\nsignals = 12\nvm = -a=${file}\nclock = jfr\n",
              0644);
    snprintf(home.profilers_list, sizeof home.profilers_list, "%s/profilers.ini", house);
    FILE *out = tmpfile(), *kept = stdout;
    cr_assert_not_null(out);
    stdout = out;
    cr_expect_eq(fake_call(list_command, &home, format, house, house), status, "%s", format);
    stdout = kept;
    rewind(out);
    said[fread(said, 1, sizeof said - 1, out)] = '\0';
    fclose(out);
    fake_remove(house);
    return said;
}

Test(list, tells_which_profilers_a_jdk_can_have) {
    const char* text = asked("list profilers --jdk %s/jdk", 0);
    cr_expect(strstr(text, "no: old is part of JDK 11 and earlier\n") != NULL, "%s", text);
    cr_expect(strstr(text, "no: far needs --profiler-home DIR") != NULL, "%s", text);
    cr_expect(strstr(text, "yes: the one\n") != NULL, "%s", text);
    text = asked("list profilers --jdk %s/jdk --profiler-home %s", 0);
    cr_expect(strstr(text, "yes: another\n") != NULL, "%s", text);
    text = asked("list profilers", 0);
    cr_expect(strstr(text, "the old one; JDK 8-11\n") != NULL, "%s", text);
}

Test(list, a_jdk_is_asked_about_profilers_alone_and_must_be_there) {
    cr_redirect_stderr();
    asked("list cases --jdk %s/jdk", RUNNER_EXIT_USAGE);
    asked("list profilers --profiler-home %s", RUNNER_EXIT_USAGE);
    asked("list profilers --jdk %s/nothing", RUNNER_EXIT_HARNESS);
}

Test(list, what_cannot_be_printed_is_told) {
    char* argv[] = {(char*)(uintptr_t) "list", (char*)(uintptr_t) "codes", NULL};
    const struct base_call call = {.argc = 2, .argv = argv};
    cr_redirect_stderr();
    stdout = fopen("/dev/full", "w");
    cr_assert_not_null(stdout);
    cr_expect_eq(list_command(&call), RUNNER_EXIT_HARNESS);
}
