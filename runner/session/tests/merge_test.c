// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Shares of a plan, and what they come to together.
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session.h"
#include "session_parts.h"
#include "fake_java.h"

// ---- Joining ----------------------------------------------------------------------------------

static struct home home;
static const char* house;
static char whole[400000], joined[400000];

#define CASES "pass,mismatch,new,white,ceiling,crash,vacuous"
// One that works, one that fails, one that this release cannot run, one that is not installed.
#define PROGRAMS "plain,differs,later,absent"

static char* in_house(const char* name) {
    static char paths[8][256];
    static int next;
    char* path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", house, name);
    return path;
}

static int validate_list(bool programs, const char* out, unsigned shard, unsigned shards,
                         uint64_t seed) {
    const struct options options = {.cases = programs ? PROGRAMS : CASES,
                                    .programs = programs,
                                    .jdk = in_house("jdk"),
                                    .out = in_house(out),
                                    .scope = "app",
                                    .scopes = 1u << OPTIONS_SCOPE_APP,
                                    .jobs = 1,
                                    .seed = seed,
                                    .timeout = 20,
                                    .modes = 1u << MODE_INT | 1u << MODE_TIERED,
                                    .shard = shard,
                                    .shards = shards,
                                    .layers = (1u << ORACLE_LAYER_COUNT) - 1};
    return session_run(&options, OPTIONS_VALIDATE, &home, "plumbline validate", NULL);
}

static int validate(const char* out, unsigned shard, unsigned shards, uint64_t seed) {
    return validate_list(false, out, shard, shards, seed);
}

static int programs(const char* out, unsigned shard, unsigned shards) {
    return validate_list(true, out, shard, shards, 1);
}

static int join(const char* out, const char* one, const char* two, const char* three) {
    return fake_call(merge_command, &home, "merge --out %s %s %s %s", in_house(out), in_house(one),
                     two != NULL ? in_house(two) : "", three != NULL ? in_house(three) : "");
}

// From "runs" on, without times and with places in the house named alike.
static void read_rows(const char* out, char* text, size_t size) {
    char path[300], line[4096], place[300];
    snprintf(path, sizeof path, "%s/results.json", in_house(out));
    snprintf(place, sizeof place, "/%s/runs/", out);
    FILE* file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    bool rows = false;
    size_t used = 0;
    while (fgets(line, sizeof line, file) != NULL && used + sizeof line < size) {
        rows = rows || strstr(line, "\"runs\": [") != NULL;
        if (!rows || strstr(line, "seconds\":") != NULL) continue;
        char* at = strstr(line, place);
        if (at != NULL) memmove(at, strstr(at, "/runs/"), strlen(strstr(at, "/runs/")) + 1);
        used += (size_t)snprintf(text + used, size - used, "%s", line);
    }
    fclose(file);
    cr_assert_gt(used, 1000);
}

static void move_in(void) {
    house = fake_make(&home);
    cr_redirect_stdout();
    cr_redirect_stderr();
}

static void is_as_whole(const char* out) {
    read_rows(out, joined, sizeof joined);
    for (size_t i = 0;; i++) {
        if (whole[i] == joined[i] && whole[i] != '\0') continue;
        if (whole[i] != joined[i])
            cr_expect(false, "%s: \"%.300s\" in the place of \"%.300s\"", out, joined + i,
                      whole + i);
        return;
    }
}

// The shares a, b and c, of a session that ended with this status; and what was merged can be
// merged.
static void joins_in_any_order(int status) {
    cr_expect_eq(join("abc", "a", "b", "c"), status);
    cr_expect_eq(join("cab", "c", "a", "b"), status);
    cr_expect_eq(join("once", "a", "b", NULL), status, "a failure stays one");
    cr_expect_eq(join("twice", "once", "c", NULL), status, "what was merged can be merged");
    is_as_whole("abc");
    is_as_whole("twice");
    is_as_whole("cab");
}

Test(merge, shares_joined_are_the_whole_in_any_order, .timeout = 60) {
    move_in();
    int status = validate("whole", 0, 0, 1);
    read_rows("whole", whole, sizeof whole);
    validate("a", 1, 3, 1);
    validate("b", 2, 3, 1);
    validate("c", 3, 3, 1);
    joins_in_any_order(status);
    cr_expect_not_null(strstr(joined, "needs JDK 21 or later"), "what was left out says why");
    cr_expect_not_null(strstr(joined, "has no WhiteBox: no WhiteBox: none"));
    cr_expect_not_null(strstr(joined, "frame::sender"), "a crash keeps its place");
    fake_remove(house);
}

Test(merge, shares_of_programs_joined_are_the_whole_in_any_order, .timeout = 60) {
    move_in();
    int status = programs("whole", 0, 0);
    cr_expect_eq(status, RUNNER_EXIT_FAIL);
    read_rows("whole", whole, sizeof whole);
    programs("a", 1, 3);
    programs("b", 2, 3);
    programs("c", 3, 3);
    joins_in_any_order(status);
    cr_expect_not_null(strstr(joined, "needs JDK 21 or later"), "what was left out says why");
    cr_expect_not_null(strstr(joined, "/nowhere/a.jar is not there"));
    cr_expect_not_null(strstr(joined, "printed other than without Plumbline"));
    fake_remove(house);
}

Test(merge, a_program_that_is_not_installed_where_it_is_merged_keeps_its_counts, .timeout = 60) {
    char here[300];
    move_in();
    snprintf(here, sizeof here, "[plain]\narguments = Pass\noutput = any\nneeds = %s\n",
             in_house("agent.jar"));
    FILE* list = fopen(home.programs_list, "w");
    FILE* jar = fopen(in_house("agent.jar"), "w");
    cr_assert(list != NULL && jar != NULL);
    fprintf(list,
            "%s[differs]\narguments = Pass\n[later]\narguments = Pass\nrelease = 21-\n"
            "[absent]\narguments = Pass\nneeds = /nowhere/a.jar\n",
            here);
    fclose(list);
    fclose(jar);
    int status = programs("whole", 0, 0);
    read_rows("whole", whole, sizeof whole);
    cr_expect_not_null(strstr(whole, "\"judged\": 20000"));
    cr_assert_eq(unlink(in_house("agent.jar")), 0);
    cr_expect_eq(join("out", "whole", NULL, NULL), status);
    is_as_whole("out");
    fake_remove(house);
}

Test(merge, programs_and_cases_are_joined_too, .timeout = 60) {
    move_in();
    cr_expect_eq(programs("a", 0, 0), RUNNER_EXIT_FAIL);
    validate("b", 0, 0, 1);
    cr_expect_eq(join("out", "a", "b", NULL), RUNNER_EXIT_FAIL);
    read_rows("out", joined, sizeof joined);
    cr_expect_not_null(strstr(joined, "\"case\": \"vacuous\""));
    cr_expect_not_null(strstr(joined, "\"case\": \"plain\""));
    fake_remove(house);
}

// What was merged may be linked to the share's files.
Test(merge, a_new_session_in_the_merged_ones_place_leaves_the_shares_alone, .timeout = 60) {
    char command[600];
    move_in();
    validate("a", 0, 0, 1);
    // A log that the next run would not write.
    FILE* log = fopen(in_house("a/runs/pass-int-app/stdout.txt"), "a");
    cr_assert_not_null(log);
    fputs("of the share\n", log);
    fclose(log);
    join("merged", "a", NULL, NULL);
    snprintf(command, sizeof command, "cd %s && cp -r a before", house);
    cr_assert_eq(system(command), 0);
    validate("merged", 0, 0, 1);
    snprintf(command, sizeof command, "cd %s && diff -r before a >&2", house);
    cr_expect_eq(system(command), 0);
    fake_remove(house);
}

Test(merge, a_share_that_was_made_twice_counts_once_and_is_told, .timeout = 60) {
    move_in();
    int status = validate("whole", 0, 0, 1);
    read_rows("whole", whole, sizeof whole);
    validate("a", 1, 2, 1);
    validate("b", 2, 2, 1);
    validate("again", 2, 2, 1);
    cr_expect_eq(join("out", "again", "b", "a"), status);
    is_as_whole("out");
    fflush(stderr);
    cr_expect_eq(join("same", "a", "b", "a"), status);
    is_as_whole("same");
    fake_remove(house);
}

static void say(const char* text) {
    static char said[20000];
    FILE* file = cr_get_redirected_stderr();
    size_t size = fread(said, 1, sizeof said - 1, file);
    said[size] = '\0';
    cr_expect_not_null(strstr(said, text), "\"%s\" is not in: %s", text, said);
}

Test(merge, runs_made_twice_are_named, .timeout = 60) {
    move_in();
    validate("a", 1, 2, 1);
    join("out", "a", "a", NULL);
    fflush(stderr);
    say("was made 2 times: only that of");
    fake_remove(house);
}

Test(merge, a_share_that_is_missing_is_told_and_cannot_pass, .timeout = 60) {
    move_in();
    validate("a", 1, 14, 1);
    cr_expect_eq(join("out", "a", NULL, NULL), RUNNER_EXIT_INCONCLUSIVE);
    read_rows("out", joined, sizeof joined);
    fflush(stderr);
    say("13 of 14 runs are missing");
    fake_remove(house);
}

Test(merge, a_run_that_was_not_finished_is_missing, .timeout = 60) {
    move_in();
    validate("a", 1, 2, 1);
    validate("b", 2, 2, 1);
    cr_assert_eq(unlink(in_house("a/runs/pass-int-app/finished")) &
                     unlink(in_house("b/runs/pass-int-app/finished")),
                 0);
    cr_expect_eq(join("out", "a", "b", NULL), RUNNER_EXIT_FAIL);
    fflush(stderr);
    say("pass-int-app is missing");
    fake_remove(house);
}

Test(merge, sessions_that_do_not_belong_together_are_refused, .timeout = 60) {
    move_in();
    validate("a", 1, 2, 1);
    validate("b", 2, 2, 7);
    cr_expect_eq(join("out", "a", "b", NULL), RUNNER_EXIT_USAGE);
    cr_expect_eq(join("a", "a", NULL, NULL), RUNNER_EXIT_USAGE, "into itself");
    cr_expect_eq(join("out", "nowhere", NULL, NULL), RUNNER_EXIT_HARNESS);
    fflush(stderr);
    say("of different sessions: \"seed 1\" and \"seed 7\"");
    fake_remove(house);
}

Test(merge, more_shares_than_runs_are_wrong_usage, .timeout = 60) {
    move_in();
    cr_expect_eq(validate("a", 15, 15, 1), RUNNER_EXIT_USAGE);
    fflush(stderr);
    say("15 shares of a plan of 14 runs");
    fake_remove(house);
}

Test(merge, more_shares_than_programs_are_wrong_usage, .timeout = 60) {
    move_in();
    cr_expect_eq(programs("a", 9, 9), RUNNER_EXIT_USAGE);
    fflush(stderr);
    say("9 shares of a plan of 8 runs");
    fake_remove(house);
}
