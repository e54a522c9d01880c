// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The examples of --help and of the manual pages, given to their commands.
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

#include "fake_java.h"
#include "guide_parts.h"
#include "runner/bench/bench.h"
#include "runner/bisect/bisect.h"
#include "runner/bug/bug.h"
#include "runner/compare/compare.h"
#include "runner/doctor/doctor.h"
#include "runner/expect/expect.h"
#include "runner/history/history.h"
#include "runner/instrument/instrument.h"
#include "runner/lists/lists.h"
#include "runner/plan/plan.h"
#include "runner/profile/profile.h"
#include "runner/recorded/recorded.h"
#include "runner/selftest/selftest.h"
#include "runner/session/session.h"
#include "runner/soak/soak.h"

static const struct base_command commands[] = {
    {"validate", NULL, NULL, validate_command},
    {"run", NULL, NULL, run_command},
    {"profile", NULL, NULL, profile_command},
    {"bench", NULL, NULL, bench_command},
    {"selftest", NULL, NULL, selftest_command},
    {"bisect", NULL, NULL, bisect_command},
    {"bisect-step", NULL, NULL, bisect_step_command},
    {"expect", NULL, NULL, expect_command},
    {"report", NULL, NULL, report_command},
    {"show", NULL, NULL, show_command},
    {"replay", NULL, NULL, replay_command},
    {"compare", NULL, NULL, compare_command},
    {"bug", NULL, NULL, bug_command},
    {"soak", NULL, NULL, soak_command},
    {"history", NULL, NULL, history_command},
    {"instrument", NULL, NULL, instrument_command},
    {"doctor", NULL, NULL, doctor_command},
    {"plan", NULL, NULL, plan_command},
    {"merge", NULL, NULL, merge_command},
    {"list", NULL, NULL, list_command},
    {NULL, NULL, NULL, NULL},
};

static struct home home;
static const char* house;

// The examples' paths are relative: they lead into the house.
static void move_in(void) {
    house = fake_make(&home);
    cr_assert_eq(chdir(house), 0);
    setenv("XDG_STATE_HOME", house, 1);
    setenv("JAVA_HOME", "jdk", 1);
    cr_redirect_stdout();
    cr_redirect_stderr();
}

// Runs the example as a shell would. What it says on standard error goes into `said`.
static int give(const struct base_command* command, const char* example, char* said, size_t size) {
    wordexp_t words;
    cr_assert_eq(wordexp(example, &words, WRDE_NOCMD), 0, "%s", example);
    const struct base_call call = {.argc = (int)words.we_wordc - 1,
                                   .argv = words.we_wordv + 1,
                                   .home = &home,
                                   .line = example,
                                   .stays = true,
                                   .commands = commands};
    cr_assert_str_eq(words.we_wordv[1], command->name, "%s", example);
    FILE *out = tmpfile(), *kept = stderr;
    stderr = out;
    int status = command->run(&call);
    stderr = kept;
    rewind(out);
    said[fread(said, 1, size - 1, out)] = '\0';
    fclose(out);
    wordfree(&words);
    return status;
}

// The example in the line, without the program that calls plumbline in it.
static char* example_in(const char* line) {
    const char* start = strstr(line, "plumbline ");
    cr_assert_not_null(start, "%s", line);
    return strndup(start, strcspn(start, "\n"));
}

// Without lists and without what the examples name, a command ends behind its parser. argp says
// where its help is when it refuses a word.
static void takes(const struct base_command* command, const char* line) {
    char said[8192], *example = example_in(line);
    int status = give(command, example, said, sizeof said);
    cr_expect_neq(status, RUNNER_EXIT_USAGE, "%s: %s", example, said);
    cr_expect_null(strstr(said, "--usage"), "%s: %s", example, said);
    free(example);
}

Test(examples, every_command_takes_the_words_of_its_examples, .timeout = 120) {
    move_in();
    home = (struct home){0};
    cr_assert_eq(output_make_directories("builds/1"), 0);
    cr_assert_eq(output_make_directories("builds/2"), 0);
    for (const struct base_command* c = commands; c->name != NULL; c++) {
        const char* line = guide_examples(c->name);
        cr_assert_not_null(line, "%s", c->name);
        for (; *line != '\0'; line += strcspn(line, "\n") + 1) takes(c, line);
    }
    fake_remove(house);
}

Test(examples, that_of_merge_joins_the_shares_of_a_plan, .timeout = 60) {
    const struct base_command* merge = commands;
    char said[8192];
    move_in();
    for (int share = 1; share <= 2; share++)
        cr_assert_eq(fake_call(validate_command, &home,
                               "validate --cases pass --modes int,c1 --layers gst --shard %d/2 "
                               "--out out/shares/%d",
                               share, share),
                     RUNNER_EXIT_PASS);
    while (strcmp(merge->name, "merge") != 0) merge++;
    char* example = example_in(guide_examples("merge"));
    cr_expect_eq(give(merge, example, said, sizeof said), RUNNER_EXIT_PASS, "%s: %s", example,
                 said);
    free(example);
    fake_remove(house);
}
