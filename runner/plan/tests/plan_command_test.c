// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What `plumbline plan` prints, and that its lines are the plan's shares.
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/base.h"
#include "plan.h"
#include "runner/lists/lists.h"
#include "fake_java.h"

static struct home home;
static const char* house;
static char text[20000];

// plumbline plan with these options, for the JDK of a new house.
static int plan(const char* options) {
    house = fake_make(&home);
    cr_redirect_stdout();
    cr_redirect_stderr();
    return fake_call(plan_command, &home, "plan --jdk %s/jdk %s", house, options);
}

static void read_back(FILE* file) {
    fflush(stdout);
    fflush(stderr);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
}

// Line by line: "# NAME" at its end, and the command's options before it.
static void has_line(const char* name, const char* share) {
    char end[128], shard[64];
    snprintf(end, sizeof end, " # %s\n", name);
    const char* at = strstr(text, end);
    cr_assert_not_null(at, "\"%s\" is not in: %s", end, text);
    const char* line = at;
    while (line > text && line[-1] != '\n') line--;
    snprintf(shard, sizeof shard, "--shard %s --out out/shares/%.*s #", share,
             (int)strcspn(share, "/"), share);
    const char* found = strstr(line, shard);
    cr_expect(found != NULL && found < at, "\"%s\" is not in: %s", shard, line);
    cr_expect_not_null(strstr(line, "plumbline validate --jdk "));
    cr_expect_not_null(strstr(line, "--cases "), "options are handed on");
}

static int lines(void) {
    int count = 0;
    for (const char* p = text; *p != '\0'; p++) count += *p == '\n';
    return count;
}

Test(plan_command, prints_a_command_for_each_run_of_a_case, .timeout = 60) {
    cr_expect_eq(plan("--cases pass,new --modes int,c1"), 0);
    read_back(cr_get_redirected_stdout());
    cr_expect_eq(lines(), 4);
    has_line("pass-int-app", "1/4");
    has_line("pass-c1-app", "2/4");
    has_line("new-int-app", "3/4");
    fake_remove(house);
}

Test(plan_command, prints_a_command_for_each_run_of_a_program, .timeout = 60) {
    cr_expect_eq(plan("--preset programs --cases plain,later,any"), 0);
    read_back(cr_get_redirected_stdout());
    cr_expect_eq(lines(), 3);
    // The longest first; what this release cannot run takes no time, and is a share all the same.
    has_line("plain-tiered-app", "1/3");
    has_line("any-tiered-app", "2/3");
    has_line("later-tiered-app", "3/3");
    cr_expect_not_null(strstr(text, "--preset programs"));
    fake_remove(house);
}

Test(plan_command, prints_all_programs_where_none_is_chosen, .timeout = 60) {
    struct programs programs;
    char error[256];
    cr_expect_eq(plan("--preset programs"), 0);
    cr_assert_eq(programs_read(home.programs_list, &programs, error, sizeof error), 0);
    read_back(cr_get_redirected_stdout());
    cr_expect_eq(lines(), (int)programs.count);
    programs_free(&programs);
    fake_remove(house);
}

static void refuses(const char* options, const char* wanted) {
    cr_expect_eq(plan(options), RUNNER_EXIT_USAGE);
    read_back(cr_get_redirected_stderr());
    cr_expect_not_null(strstr(text, wanted), "\"%s\" is not in: %s", wanted, text);
    fake_remove(house);
}

Test(plan_command, refuses_a_share_of_a_plan_with_the_reason) {
    refuses("--shard 1/2", "--shard 1/2: every line of a plan is");
}

Test(plan_command, refuses_to_go_on_with_the_reason) {
    refuses("--resume x", "--resume: every line of a plan is");
}

Test(plan_command, refuses_several_jdks_with_the_reason) {
    refuses("--jdk /other", "2 times --jdk: merge joins runs of one JDK");
}

Test(plan_command, refuses_a_program_that_there_is_not) {
    refuses("--preset programs --cases 'plain,none*'",
            "--cases: no program matches \"none*\" (plumbline list programs)");
}

Test(plan_command, a_word_that_no_line_can_hold_is_refused, .timeout = 60) {
    cr_expect_eq(plan("--cases pass --vm-options '-Da=1\n-Db=2'"), RUNNER_EXIT_USAGE);
    read_back(cr_get_redirected_stderr());
    cr_expect_not_null(strstr(text, "has a control character"), "%s", text);
    fake_remove(house);
}
