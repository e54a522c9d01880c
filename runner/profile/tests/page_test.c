// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The page of plumbline profile, made of made-up profiles; and the command, where no JVM can start.
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_java.h"
#include "made_up.h"
#include "oracle/oracle.h"
#include "profile.h"
#include "profile_parts.h"

// Shares are sorted by the truth.
static struct results_share shares[] = {
    {.name = "(no instrumented method)", .truth_self = 60, .sampled_self = 50, .given_self = 80},
    {.name = "a.Hot.run()V", .truth_self = 40, .sampled_self = 40, .given_self = 10},
    {.name = "a.Cold.run()V", .truth_self = 20, .sampled_self = 20, .given_self = 20},
    {.name = "a.Never.run()V"}};

static struct results_profile made(void) {
    struct results_profile p = {.instants = 130,
                                .fits = {[RESULTS_FIT_JOINED] = 110, [RESULTS_FIT_FOREIGN] = 7},
                                .samples = 117,
                                .lost = 5,
                                .silent = 15,
                                .biased = 10,
                                .biased_later = 3,
                                .truncated = 4,
                                .truths = 120,
                                .stacks = 110,
                                .shares = shares,
                                .share_count = 4};
    p.layer.verdict[ORACLE_AGREE] = 60;
    p.layer.verdict[ORACLE_TRANSITION] = 30;
    p.layer.verdict[ORACLE_ATTRIBUTION] = 6;
    p.layer.verdict[ORACLE_MISSING] = 4;
    p.layer.cause[1] = 3;
    p.layer.cause[RESULTS_UNEXPLAINED] = 1;
    p.biased_verdict[ORACLE_AGREE] = 6;
    p.biased_verdict[ORACLE_MISSING] = 4;
    p.distance[RESULTS_DISTANCE_WHOLE] = (struct results_distance){0.25, 0.2, 0.3};
    return p;
}

static struct profile_part parts[2];

static struct profile_page page_of(size_t count) {
    memset(parts, 0, sizeof parts);
    parts[0] = (struct profile_part){.name = "one",
                                     .about = "the first",
                                     .ran = true,
                                     .end = RESULTS_END_SIGNALLED,
                                     .status = 9,
                                     .seconds = 2.5,
                                     .verdict = RESULTS_ROW_FAIL,
                                     .judged = true,
                                     .profile = made()};
    parts[1] = (struct profile_part){.name = "two",
                                     .about = "the second",
                                     .verdict = RESULTS_ROW_HARNESS,
                                     .why = "no such file"};
    return (struct profile_page){.line = "plumbline profile",
                                 .program = "Main",
                                 .jdk = "25",
                                 .vm = "VM",
                                 .causes = made_causes(),
                                 .parts = parts,
                                 .count = count};
}

static char* text_of(const struct profile_page* page) {
    char* text = NULL;
    size_t size;
    FILE* out = open_memstream(&text, &size);
    profile_page_print(page, out);
    fclose(out);
    return text;
}

static void says(const char* text, const char* wanted) {
    cr_expect(strstr(text, wanted) != NULL, "\"%s\" is not in: %s", wanted, text);
}

Test(profile_page, says_in_one_sentence_how_far_to_trust_each) {
    struct profile_page page = page_of(2);
    char* text = text_of(&page);
    says(text, "one: FAIL. 90.0 % [82.4, 95.1] of its stacks are right. 6.0 % are right "
               "but for the inlined methods at the top (attribution). 11.5 % of its signals led to "
               "no sample, and it does not say so. Its profile is 25.0 % [20.0, 30.0] off. It "
               "names another hottest method. The JVM died of signal 9 after 2.5 s.\n");
    says(text, "two: HARNESS. It did not run.\n    no such file\n");
    says(text, "instants of its own");
    says(text, "Attribution: the compiled frame is right");
    parts[0].profile.layer.verdict[ORACLE_ATTRIBUTION] = 0;
    free(text);
    text = text_of(&page);
    cr_expect(strstr(text, "ttribution:") == NULL, "there is none: %s", text);
    free(text);
}

Test(profile_page, tells_the_signals_that_are_not_in_the_record_and_are_in_no_rate) {
    struct profile_page page = page_of(1);
    parts[0].profile.unrecorded = 70;
    char* text = text_of(&page);
    says(text, "signals on Java threads    200\n");
    says(text, "not recorded, in no rate   70\n");
    says(text, "delivered                  110 84.6 % [");
    says(text, "lost silently              15 11.5 % [");
    free(text);
}

// A class file may name a method as it likes.
Test(profile_page, has_no_control_characters) {
    struct profile_page page = page_of(1);
    page.program = "\033[31mMain";
    char* text = text_of(&page);
    says(text, "on \\u001b[31mMain\n");
    cr_expect(strchr(text, '\033') == NULL, "%s", text);
    free(text);
}

Test(profile_page, has_every_count_with_what_it_is_of) {
    struct profile_page page = page_of(1);
    char* text = text_of(&page);
    says(text, "signals on Java threads    130\n");
    says(text, "delivered                  110 84.6 % [");
    says(text, "lost, and it says so       5 3.8 % [");
    says(text, "lost silently              15 11.5 % [");
    says(text, "walking errors             4 4.0 % [");
    says(text, "  runtime-stub             3 3.0 % [");
    says(text, "  unexplained              1 1.0 % [");
    says(text, "say that they are cut      4 4.0 %\n");
    says(text, "  right at the instant     6 60.0 % [");
    says(text, "  or else at the walk      9 90.0 % [");
    cr_expect(strstr(text, "instants of its own") == NULL, "there is only one: %s", text);
    free(text);
}

Test(profile_page, the_hottest_method_is_an_instrumented_one) {
    struct results_profile p = made(), none = {0};
    cr_expect_str_eq(profile_hottest_truth(&p), "a.Hot.run()V");
    cr_expect_str_eq(profile_hottest_given(&p), "a.Cold.run()V");
    cr_expect_str_eq(profile_hottest_truth(&none), "");
    cr_expect_str_eq(profile_hottest_given(&none), "");
}

static double real(const json_t* object, const char* key, const char* member) {
    return json_number_value(json_object_get(json_object_get(object, key), member));
}

Test(profile_page, is_json_too) {
    struct profile_page page = page_of(2);
    parts[0].profile.unrecorded = 70;
    parts[0].profile.biased_own = 2;
    json_t* root = profile_page_json(&page);
    cr_assert_eq(json_integer_value(json_object_get(root, "schema")), 1);
    const json_t* list = json_object_get(root, "profilers");
    cr_assert_eq(json_array_size(list), 2);
    const json_t* one = json_array_get(list, 0);
    cr_expect_str_eq(json_string_value(json_object_get(one, "end")), "signalled");
    cr_expect_eq(real(one, "right", "count"), 90);
    cr_expect_eq(real(one, "right", "of"), 100);
    cr_expect_eq(real(one, "lost_silently", "count"), 15);
    cr_expect_eq(real(json_object_get(one, "causes"), "runtime-stub", "count"), 3);
    cr_expect_float_eq(real(json_object_get(one, "distances"), "whole", "value"), 0.25, 1e-9);
    cr_expect_eq(json_array_size(json_object_get(one, "methods")), 4);
    cr_expect_eq(json_integer_value(json_object_get(one, "signals")), 200);
    cr_expect_eq(json_integer_value(json_object_get(one, "unrecorded")), 70);
    cr_expect_eq(json_integer_value(json_object_get(one, "biased_own")), 2);
    const json_t* two = json_array_get(list, 1);
    cr_expect(json_is_false(json_object_get(two, "ran")));
    cr_expect_null(json_object_get(two, "right"));
    json_decref(root);
}

// ---- The command --------------------------------------------------------------------------------

static const char* house_with_profilers(struct home* home) {
    const char* house = fake_make(home);
    snprintf(home->profilers_list, HOME_PATH, "%s/profilers.ini", house);
    FILE* file = fopen(home->profilers_list, "w");
    cr_assert_not_null(file);
    fputs("[here]\nabout = a\nvm = -Dhere\nsignals = 12\nclock = jfr\nevent = e\n"
          "[far]\nabout = a\nneeds = ${home}/x\nvm = -Dfar\nsignals = 12\nclock = jfr\n"
          "event = e\n",
          file);
    fclose(file);
    return house;
}

static char* read_text(const char* path) {
    size_t length;
    uint8_t* bytes = made_read(path, &length);
    char* text = calloc(length + 1, 1);
    memcpy(text, bytes, length);
    free(bytes);
    return text;
}

Test(profile, a_profiler_that_cannot_start_and_one_that_writes_nothing_are_told, .timeout = 60) {
    struct home home;
    char path[256];
    const char* house = house_with_profilers(&home);
    cr_redirect_stdout();
    cr_redirect_stderr();
    int status = fake_call(profile_command, &home,
                           "profile --jdk %s/jdk --profiler here,far --json %s/page.json --out "
                           "%s/out -- Pass",
                           house, house, house);
    cr_expect_eq(status, RUNNER_EXIT_HARNESS);
    snprintf(path, sizeof path, "%s/out/profile.txt", house);
    char* text = read_text(path);
    says(text, "here: HARNESS. Its samples could not be judged.\n");
    says(text, "it wrote no profile.jfr");
    says(text, "far: HARNESS. It did not run.\n");
    says(text, "--profiler-home");
    free(text);
    snprintf(path, sizeof path, "%s/page.json", house);
    json_t* root = json_load_file(path, 0, NULL);
    cr_expect_eq(json_array_size(json_object_get(root, "profilers")), 2);
    json_decref(root);
    fake_remove(house);
}

Test(profile, an_unknown_profiler_is_wrong_usage_and_runs_nothing, .timeout = 60) {
    struct home home;
    char path[256];
    const char* house = house_with_profilers(&home);
    cr_redirect_stderr();
    int status =
        fake_call(profile_command, &home,
                  "profile --jdk %s/jdk --profiler here,none --out %s/out -- Pass", house, house);
    cr_expect_eq(status, RUNNER_EXIT_USAGE);
    snprintf(path, sizeof path, "%s/out", house);
    cr_expect_neq(access(path, F_OK), 0);
    fake_remove(house);
}

Test(profile, a_program_that_dies_fails_and_is_told, .timeout = 60) {
    struct home home;
    char path[256];
    const char* house = house_with_profilers(&home);
    cr_redirect_stdout();
    cr_redirect_stderr();
    int status =
        fake_call(profile_command, &home,
                  "profile --jdk %s/jdk --profiler here --out %s/out -- Crash", house, house);
    cr_expect_eq(status, RUNNER_EXIT_FAIL);
    snprintf(path, sizeof path, "%s/out/profile.txt", house);
    char* text = read_text(path);
    says(text, "here: CRASH. Its samples could not be judged. The JVM died of signal 6");
    free(text);
    fake_remove(house);
}
