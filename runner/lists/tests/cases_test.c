// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lists.h"
#include "runner/options/options.h"
#include "runner/plan/plan.h"
#include "runner/base/base.h"
#include "made_up.h"

static const char* written(const char* text) {
    static char path[64];
    snprintf(path, sizeof path, "/tmp/plumbline-cases-%d", (int)getpid());
    FILE* out = fopen(path, "w");
    cr_assert_not_null(out);
    fputs(text, out);
    fclose(out);
    return path;
}

static const char three[] =
    "; a comment\n"
    "[recursion]\nmain = Recursion\nquestion = what?\nrelease = 8\n"
    "cells = int:interpreter\n        *:stub\n"
    "presets = quick full\nfurther = comp  zgc\nall = int tiered\n"
    "[virtual]\nmain = Virtual\nrelease = 21\nvm = -Xss1m -Dx=y\n"
    "presets = full\nwhitebox = 1\nwhole = 1\noutside = 1\nfew = sandwich,gst\n"
    "[crash]\nmain = Crash\nnative = yes\nexpect = crash\n";

static struct cases read_three(void) {
    struct cases cases;
    char error[256] = "";
    cr_assert_eq(cases_read(written(three), made_causes(), &cases, error, sizeof error), 0, "%s",
                 error);
    unlink(written(three));
    return cases;
}

Test(cases, are_read_in_order_with_all_their_keys) {
    struct cases cases = read_three();
    cr_assert_eq(cases.count, 3);
    cr_expect_str_eq(cases.list[0].name, "recursion");
    cr_expect_str_eq(cases.list[0].question, "what?");
    cr_expect_eq(cases.list[0].feature, 8);
    cr_expect_str_eq(cases.list[0].cells, "int:interpreter *:stub");
    cr_expect_str_eq(cases.list[1].vm, "-Xss1m -Dx=y");
    cr_expect_eq(cases.list[1].feature, 21);
    cr_expect_str_eq(cases.list[2].expect, "crash");
    cr_expect_str_empty(cases.list[2].vm);
    cr_expect_eq(cases.list[0].further_modes, 1u << MODE_COMP | 1u << MODE_ZGC);
    cr_expect_eq(cases.list[1].further_modes, 0);
    cr_expect_eq(cases.list[0].all_modes, 1u << MODE_INT | 1u << MODE_TIERED);
    cr_expect_eq(cases.list[1].few_layers, 1u << ORACLE_LAYER_SANDWICH | 1u << ORACLE_LAYER_GST);
    cr_expect_eq(cases.list[0].few_layers, 0);
    cr_expect(!cases.list[0].needs_whitebox && cases.list[1].needs_whitebox);
    cr_expect(!cases.list[0].needs_all_methods && cases.list[1].needs_all_methods);
    cr_expect(!cases.list[0].needs_plain_jdk && cases.list[1].needs_plain_jdk);
    cases_free(&cases);
}

static void refuses(const char* text, const char* wanted) {
    struct cases cases;
    char error[256] = "";
    cr_expect_eq(cases_read(written(text), made_causes(), &cases, error, sizeof error), -1, "%s",
                 text);
    cr_expect(strstr(error, wanted) != NULL, "\"%s\" is not in: %s", wanted, error);
    cr_expect_eq(cases.count, 0);
    unlink(written(""));
}

Test(cases, a_bad_list_is_refused_with_a_reason) {
    refuses("[a]\nmain = A\ncolour = red\n", "colour");
    refuses("[a]\nmain = A\nrelease = new\n", "new");
    refuses("[a]\nmain = A\nrelease = 0\n", "release \"0\"");
    refuses("[a]\nmain = A\nrelease = 8-\n", "8-");
    refuses("[a]\nmain = A\nrelease = 17-8\n", "17-8");
    refuses("[a]\nmain = A\nrelease = 8-17-21\n", "8-17-21");
    refuses("[a]\nmain = A\nrelease = 8x\n", "8x");
    refuses("[a]\nquestion = who?\n", "main");
    refuses("[a]\nmain = A\ncells = *:stub int:grass\n", "int:grass");
    refuses("[a]\nmain = A\nexpect = truncated@moon\n", "expect \"truncated@moon\"");
    refuses("[a]\nmain = A\nfurther = comp,zgc\n", "further \"comp,zgc\"");
    refuses("[a]\nmain = A\nfurther = * c3\n", "further \"* c3\"");
    refuses("[a]\nmain = A\nall = c3\n", "all \"c3\"");
    refuses("[a]\nmain = A\nfew = sandwich moon\n", "few \"sandwich moon\"");
    refuses("[a]\nmain = A\nwhitebox = yes\n", "whitebox \"yes\"");
    refuses("[a]\nmain = A\nwhole = yes\n", "whole \"yes\"");
    refuses("[a]\nmain = A\noutside = yes\n", "outside \"yes\"");
    refuses("[a\nmain = A\n", ":1");
    refuses("", "no case");
    struct cases cases;
    char error[256] = "";
    cr_expect_eq(cases_read("/tmp/plumbline-not-there", made_causes(), &cases, error, sizeof error),
                 -1);
    cr_expect(strstr(error, "No such file") != NULL, "%s", error);
}

// ---- Plans ------------------------------------------------------------------------------------

static void plans(struct options options, const char* wanted) {
    struct cases cases = read_three();
    struct plan plan;
    char error[256] = "", text[512] = "";
    if (options.modes == 0) options.modes = 1u << MODE_INT;
    cr_assert_eq(
        plan_make(&options, &(struct lists){.cases = cases}, 17, &plan, error, sizeof error), 0,
        "%s", error);
    for (size_t i = 0; i < plan.count; i++) {
        const struct plan_entry* entry = &plan.entries[i];
        bool all = entry->scope != NULL && strcmp(entry->scope, "all") == 0;
        sprintf(text + strlen(text), "%s/%s%s%s ", entry->test->name, entry->mode->name,
                all ? "@all" : "", entry->feature != 0 ? "/skip" : "");
    }
    cr_expect_str_eq(text, wanted);
    plan_free(&plan);
    cases_free(&cases);
}

Test(plan, is_cases_times_modes_and_for_full_the_cases_own_further_ones) {
    plans((struct options){.modes = 1u << MODE_C1 | 1u << MODE_INT},
          "recursion/int recursion/c1 recursion/int@all ");
    plans((struct options){.full = true}, "recursion/int recursion/int@all virtual/int/skip ");
    plans((struct options){.full = true, .scoped = true}, "recursion/int virtual/int/skip ");
    plans((struct options){.full = true, .further = true},
          "recursion/int recursion/comp recursion/zgc recursion/int@all virtual/int/skip ");
    plans((struct options){.cases = "crash"}, "crash/int ");
    plans((struct options){.cases = "v*,rec?rsion,*n"}, "recursion/int virtual/int/skip ");
    plans((struct options){.cases = "*"}, "recursion/int virtual/int/skip crash/int ");
}

Test(plan, leaves_out_what_does_not_run_on_the_release) {
    struct cases cases;
    struct options options = {.full = true, .modes = 1u << MODE_INT};
    static const char ranges[] = "[old]\nmain = A\nrelease = 8-16\npresets = full\n"
                                 "[until]\nmain = A\nrelease = 8-17\npresets = full\n"
                                 "[from]\nmain = A\nrelease = 17\npresets = full\n"
                                 "[new]\nmain = A\nrelease = 18-21\npresets = full\n";
    static const int wanted[] = {-16, 0, 0, 18};
    struct plan plan;
    char error[256] = "";
    cr_assert_eq(cases_read(written(ranges), made_causes(), &cases, error, sizeof error), 0, "%s",
                 error);
    cr_assert_eq(
        plan_make(&options, &(struct lists){.cases = cases}, 17, &plan, error, sizeof error), 0,
        "%s", error);
    cr_assert_eq(plan.count, 4);
    for (size_t i = 0; i < plan.count; i++)
        cr_expect_eq(plan.entries[i].feature, wanted[i], "%s", plan.entries[i].test->name);
    plan_free(&plan);
    cases_free(&cases);
    unlink(written(""));
}

Test(plan, runs_every_case_and_mode_in_every_scope) {
    struct cases cases = read_three();
    struct options options = {.cases = "r*",
                              .modes = 1u << MODE_INT | 1u << MODE_C1,
                              .scope = "app",
                              .scopes = 1u << OPTIONS_SCOPE_NONE | 1u << OPTIONS_SCOPE_APP};
    struct plan plan;
    char error[256] = "", text[256] = "";
    cr_assert_eq(
        plan_make(&options, &(struct lists){.cases = cases}, 17, &plan, error, sizeof error), 0,
        "%s", error);
    for (size_t i = 0; i < plan.count; i++)
        sprintf(text + strlen(text), "%s/%s ", plan.entries[i].mode->name, plan.entries[i].scope);
    cr_expect_str_eq(text, "int/none int/app c1/none c1/app ");
    plan_free(&plan);
    options.scopes = 0;
    cr_assert_eq(
        plan_make(&options, &(struct lists){.cases = cases}, 17, &plan, error, sizeof error), 0,
        "%s", error);
    cr_expect_eq(plan.count, 2);
    cr_expect_str_eq(plan.entries[0].scope, "app");
    plan_free(&plan);
    cases_free(&cases);
}

static void plan_refuses(const char* globs, const char* wanted) {
    struct cases cases = read_three();
    struct options options = {.cases = globs, .modes = 1};
    struct plan plan;
    char error[256] = "";
    cr_expect_eq(
        plan_make(&options, &(struct lists){.cases = cases}, 17, &plan, error, sizeof error),
        RUNNER_EXIT_USAGE);
    cr_expect(strstr(error, wanted) != NULL, "\"%s\" is not in: %s", wanted, error);
    cases_free(&cases);
}

Test(plan, a_glob_that_matches_nothing_is_named) {
    plan_refuses("recursion,none*", "\"none*\"");
    plan_refuses("Recursion", "\"Recursion\"");
    plan_refuses("crash,", "\"\"");
}
