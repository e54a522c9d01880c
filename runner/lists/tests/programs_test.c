// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The list of real programs, and how one of them is run and judged.
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lists.h"
#include "runner/base/base.h"
#include "runner/session/session.h"
#include "fake_java.h"
#include "made_up.h"

Test(programs, are_read_in_order_with_what_follows_from_their_keys) {
    struct programs programs;
    char error[256] = "";
    cr_assert_eq(
        programs_read(made_text("[a]\narguments = -cp x\n    Main\nstatus = 3\nlimit = 20\n"
                                "release = 11-21\noutput = any\ntakes = 7\n[b]\narguments = B\n"),
                      &programs, error, sizeof error),
        0, "%s", error);
    cr_assert_eq(programs.count, 2);
    cr_expect_str_eq(programs.list[0].name, "a");
    cr_expect_str_eq(programs.list[0].arguments, "-cp x Main");
    cr_expect_eq(programs.list[0].exit_status, 3);
    cr_expect_float_eq(programs.list[0].seconds, 20, 1e-9);
    cr_expect_float_eq(programs.list[0].expected, 7, 1e-9);
    cr_expect_float_eq(programs.list[1].expected, programs.list[1].seconds, 1e-9,
                       "no better guess");
    cr_expect_eq(programs.list[0].first, 11);
    cr_expect_eq(programs.list[0].last, 21);
    cr_expect_not(programs.list[0].compares);
    cr_expect_eq(programs.list[1].exit_status, 0);
    cr_expect_eq(programs.list[1].first, 8);
    cr_expect(programs.list[1].compares);
    cr_expect_str_empty(programs.list[1].input);
    programs_free(&programs);
}

static void refuses(const char* text, const char* wanted) {
    struct programs programs;
    char error[256] = "";
    cr_expect_eq(programs_read(made_text(text), &programs, error, sizeof error), -1, "%s", text);
    cr_expect(strstr(error, wanted) != NULL, "\"%s\" is not in: %s", wanted, error);
    cr_expect_eq(programs.count, 0);
}

Test(programs, a_bad_list_is_refused_with_a_reason) {
    refuses("[a]\narguments = A\ncolour = red\n", ":3: [a]: unknown key \"colour\"");
    refuses("[a]\nstatus = 0\n", "[a]: no \"arguments\"");
    refuses("[a]\narguments = A\nstatus = x\n", "malformed status");
    refuses("[a]\narguments = A\nstatus = 256\n", "malformed status");
    refuses("[a]\narguments = A\nlimit = 0\n", "malformed limit");
    refuses("[a]\narguments = A\ntakes = long\n", "malformed takes");
    refuses("[a]\narguments = A\nrelease = new\n", "malformed release");
    refuses("[a]\narguments = ${nowhere}\n", "malformed arguments");
    refuses("[a]\narguments = 'A\n", "malformed arguments");
    refuses("[a]\narguments = A\narguments8 = ${\n", "malformed arguments");
    refuses("[a]\narguments = A\ninput = cp ${home} .\n", "malformed input");
    refuses("[a]\narguments = A\nneeds = ${home}\n", "malformed needs");
    refuses("[a]\narguments = A\noutput = none\n", "output is same or any");
    refuses("", "no program");
    refuses("arguments = A\n[a]\narguments = A\n", ":1: []: no name of a section above");
    refuses("[a]\nnothing\n", ":2: malformed");
    struct programs programs;
    char error[256] = "";
    cr_expect_eq(programs_read("/nowhere", &programs, error, sizeof error), -1);
    cr_expect(strstr(error, "/nowhere: No such file") != NULL, "%s", error);
}

Test(programs, places_are_filled_in) {
    const struct programs_places places = {"/j", "/p", "/c", "/k", "/i"};
    char* text =
        programs_shell("${jdk}:${programs}/a ${classes} ${cache}${input} $x ${jdk}", &places);
    cr_assert_not_null(text);
    cr_expect_str_eq(text, "/j:/p/a /c /k/i $x /j");
    free(text);
    cr_expect_null(programs_shell("${jdks}", &places));
    cr_expect_null(programs_shell("${", &places));
    cr_expect_null(programs_shell("a ${}", &places));
    cr_expect_null(programs_shell("${jdk", &places), "it is not closed");
}

Test(programs, a_place_with_blanks_and_quotation_marks_is_one_word) {
    const struct programs_places places = {"/a j", "/it's", "/c", "/\\k", "/\"i"};
    struct words words = {0};
    cr_assert(programs_words("-cp ${input}/*:${jdk}/x '${cache} ${programs}'", &places, &words));
    cr_assert_eq(words.count, 3);
    cr_expect_str_eq(words.list[1], "/\"i/*:/a j/x");
    cr_expect_str_eq(words.list[2], "/\\k /it's");
    words_free(&words);
    cr_expect_not(programs_words("'a", &places, &words));
    cr_expect_not(programs_words("${jdks}", &places, &words));
    words_free(&words);
    char* text = programs_shell("cp ${programs}/x ${jdk} ${classes}", &places);
    cr_expect_str_eq(text, "cp '/it'\\''s'/x '/a j' /c");
    free(text);
}

Test(programs, those_of_the_project_are_well_formed_and_their_inputs_are_there) {
    struct programs programs;
    char error[256] = "";
    cr_assert_eq(programs_read("cases/programs.ini", &programs, error, sizeof error), 0, "%s",
                 error);
    cr_expect_geq(programs.count, 8);
    for (size_t i = 0; i < programs.count; i++) {
        const struct program* p = &programs.list[i];
        cr_expect_str_not_empty(p->packages, "%s", p->name);
        cr_expect_str_not_empty(p->needs, "%s", p->name);
        cr_expect_str_not_empty(p->question, "%s", p->name);
        const char* texts[] = {p->arguments, p->arguments8, p->input};
        for (size_t t = 0; t < 3; t++)
            for (const char* at = texts[t]; (at = strstr(at, "${programs}/")) != NULL; at++) {
                char path[256];
                at += strlen("${programs}/");
                snprintf(path, sizeof path, "cases/programs/%.*s", (int)strcspn(at, " \")"), at);
                cr_expect_eq(access(path, R_OK), 0, "%s: %s", p->name, path);
            }
    }
    programs_free(&programs);
}

// Runs are known by these names: in directories, expectations and reports.
Test(programs, none_of_the_project_has_the_name_of_a_case) {
    struct programs programs;
    struct cases cases;
    char error[256] = "";
    cr_assert_eq(programs_read("cases/programs.ini", &programs, error, sizeof error), 0);
    struct results_causes causes;
    cr_assert_eq(results_causes_read("cases/causes.ini", &causes, error, sizeof error), 0, "%s",
                 error);
    cr_assert_eq(cases_read("cases/cases.ini", &causes, &cases, error, sizeof error), 0, "%s",
                 error);
    for (size_t i = 0; i < programs.count; i++)
        for (size_t k = 0; k < cases.count; k++)
            cr_expect_str_neq(programs.list[i].name, cases.list[k].name);
    programs_free(&programs);
    cases_free(&cases);
    results_causes_free(&causes);
}

// ---- Runs -------------------------------------------------------------------------------------

static char text[400000];
static struct home home;
static const char* house;

// Runs programs in a fake house, below a directory with a blank in its name. The house stays for a
// look at its files until fake_remove.
static void play(const char* names, int wanted, const char* holds) {
    char jdk[128], out[128], path[256];
    house = fake_make(&home);
    snprintf(jdk, sizeof jdk, "%s/jdk", house);
    snprintf(out, sizeof out, "%s/the out", house);
    int status = fake_call(validate_command, &home,
                           "validate --jdk %s --out '%s' --preset programs --cases %s --layers gst",
                           jdk, out, names);
    snprintf(path, sizeof path, "%s/results.json", out);
    text[0] = '\0';
    FILE* file = fopen(path, "r");
    if (file != NULL) {
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
    }
    cr_expect_eq(status, wanted, "%s: %d: %.2000s", names, status, text);
    cr_expect(strstr(text, holds) != NULL, "%s: \"%s\" is not in: %.3000s", names, holds, text);
}

static void gives(const char* names, int wanted, const char* holds) {
    play(names, wanted, holds);
    fake_remove(house);
}

static bool there(const char* name) {
    char path[256];
    snprintf(path, sizeof path, "%s/the out/runs/%s", house, name);
    return access(path, F_OK) == 0;
}

Test(programs, one_that_does_what_it_does_without_plumbline_passes, .timeout = 60) {
    cr_redirect_stdout();
    play("plain", RUNNER_EXIT_PASS, "\"verdict\": \"PASS\"");
    cr_expect(there("plain-tiered-app/input/number"), "its input is made");
    cr_expect(there("plain-tiered-app/work/starts"), "in a directory of its own");
    cr_expect(there("plain-tiered-app/bare.stdout.txt"));
    cr_expect(there("plain-tiered-app/cmd.sh"));
    fake_remove(house);
    gives("status", RUNNER_EXIT_PASS, "\"status\": 7");
    gives("any", RUNNER_EXIT_PASS, "\"verdict\": \"PASS\"");
}

Test(programs, one_that_does_something_else_under_plumbline_fails, .timeout = 60) {
    cr_redirect_stdout();
    gives("differs", RUNNER_EXIT_FAIL, "printed other than without Plumbline");
    gives("changed", RUNNER_EXIT_FAIL, "own check failed (exit status 3)");
    gives("hangs", RUNNER_EXIT_FAIL, "\"verdict\": \"HANG\"");
    gives("phantom", RUNNER_EXIT_FAIL, "\"phantom\": 1");
}

Test(programs, one_that_cannot_run_here_is_skipped_with_the_reason, .timeout = 60) {
    cr_redirect_stdout();
    gives("absent", RUNNER_EXIT_INCONCLUSIVE, "/nowhere/a.jar is not there");
    cr_expect(strstr(text, "packages: liba") != NULL);
    cr_expect(strstr(text, "\"verdict\": \"SKIP\"") != NULL);
    gives("later", RUNNER_EXIT_INCONCLUSIVE, "needs JDK 21 or later");
    gives("later,plain", RUNNER_EXIT_PASS, "\"verdict\": \"SKIP\"");
}

Test(programs, one_that_fails_without_plumbline_is_the_lists_fault, .timeout = 60) {
    cr_redirect_stdout();
    gives("wrong", RUNNER_EXIT_HARNESS, "the program fails without Plumbline: exit status 7");
    gives("noinput", RUNNER_EXIT_HARNESS, "its input was not made: exit status 3: no such thing");
}

Test(programs, a_name_that_there_is_not_is_wrong_usage, .timeout = 60) {
    cr_redirect_stdout();
    cr_redirect_stderr();
    gives("nothing", RUNNER_EXIT_USAGE, "");
    gives("plain,nothing", RUNNER_EXIT_USAGE, "");
}

Test(programs, no_stage_begins_after_an_interruption, .timeout = 60) {
    cr_redirect_stdout();
    play("between,noinput", RUNNER_EXIT_INCONCLUSIVE, "\"interrupted\": true");
    cr_expect(there("between-tiered-app/bare.stdout.txt"), "the first one had ended");
    cr_expect_not(there("between-tiered-app/finished"));
    cr_expect_not(there("noinput-tiered-app"));
    cr_expect_null(strstr(text, "HANG"), "the last one does not run into its limit");
    fake_remove(house);
}
