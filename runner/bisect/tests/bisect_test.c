// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Bisections over JVMs that are made up: every exit status, and going on.
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bisect.h"
#include "bisect_parts.h"
#include "fake_builds.h"
#include "fake_java.h"

static struct home home;
static const char* house;
static char text[65536]; // of the file read last

static void set_up(void) {
    house = fake_make(&home);
    cr_redirect_stdout();
    cr_redirect_stderr();
}

static void tear_down(void) {
    fake_remove(house);
}

TestSuite(bisect, .init = set_up, .fini = tear_down, .timeout = 120);

// ---- One command ------------------------------------------------------------------------------

#define WORDS_MAX 40

// The words of `line`, $ standing for the house.
static int split(const char* line, char room[4096], char* words[WORDS_MAX]) {
    char* end = room;
    int count = 0;
    for (const char* at = line;; at++) {
        if (*at == '$') end += sprintf(end, "%s", house);
        else *end++ = *at == ' ' ? '\0' : *at;
        if (*at == '\0') break;
    }
    for (char* word = room; word < end; word += strlen(word) + 1) words[count++] = word;
    words[count] = NULL;
    return count;
}

static int run(enum bisect_command command, const char* line) {
    char room[4096], *words[WORDS_MAX];
    const struct base_call call = {
        .argc = split(line, room, words), .argv = words, .home = &home, .stays = true};
    return command == BISECT_STEP_COMMAND ? bisect_step_command(&call) : bisect_command(&call);
}

#define COMMON " --case bisected --mode int --warm 0"

// Bisects the house's builds.
static int bisect(const char* more) {
    char line[512];
    snprintf(line, sizeof line, "bisect --jdks $/builds --out $/out" COMMON "%s", more);
    return run(BISECT_WHOLE_COMMAND, line);
}

static int step(const char* behaviour, const char* more) {
    char line[512];
    fake_builds_change(house, 1, behaviour);
    snprintf(line, sizeof line, "bisect-step --jdk $/builds/build-1 --out $/out" COMMON "%s", more);
    return run(BISECT_STEP_COMMAND, line);
}

static const char* read_out(const char* name) {
    char path[512];
    snprintf(path, sizeof path, "%s/out/%s", house, name);
    FILE* file = fopen(path, "r");
    text[0] = '\0';
    if (file == NULL) return text;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void tells(const char* wanted) {
    cr_expect(strstr(read_out("report.txt"), wanted) != NULL, "\"%s\" is not in: %s", wanted, text);
}

static void make_builds(unsigned first_bad) {
    fake_builds_make(house, 8, first_bad, "rate 0.001", "rate 0.05");
}

// ---- Ends and exit statuses -------------------------------------------------------------------

Test(bisect, the_first_bad_build_is_found_and_told_with_its_evidence) {
    make_builds(4);
    cr_assert_eq(bisect(""), RUNNER_EXIT_PASS, "%s", read_out("report.txt"));
    tells("last good: build 3 of 8");
    tells("first bad: build 4 of 8");
    tells("wrong with a probability of at most 0.00");
    tells("commands that repeat them");
    tells("plumbline bisect-step --jdk");
    cr_expect_neq(strstr(read_out("bisect.log"), "plumbline-bisect 1\nseeks "), NULL);
    cr_expect_neq(read_out("clusters-bad.txt")[0], '\0');
}

Test(bisect, what_cannot_be_printed_is_told_and_written) {
    make_builds(4);
    stdout = fopen("/dev/full", "w");
    cr_assert_not_null(stdout);
    cr_expect_eq(bisect(""), RUNNER_EXIT_HARNESS);
    tells("first bad: build 4 of 8");
    cr_expect_neq(read_out("clusters-bad.txt")[0], '\0');
}

Test(bisect, a_builds_name_does_not_speak_to_the_terminal) {
    char from[256], to[264];
    make_builds(4);
    snprintf(from, sizeof from, "%s/builds/build-3", house);
    snprintf(to, sizeof to, "%s\033[31m", from);
    cr_assert_eq(rename(from, to), 0);
    cr_assert_eq(bisect(""), RUNNER_EXIT_PASS, "%s", read_out("report.txt"));
    tells("last good: build 3 of 8");
    tells("build-3\\u001b[31m");
    cr_expect(strchr(text, '\033') == NULL, "%s", text);
}

Test(bisect, builds_that_cannot_be_used_are_left_out_and_the_range_is_told) {
    make_builds(5);
    fake_builds_change(house, 4, "broken");
    fake_builds_change(house, 5, "hang");
    fake_builds_change(house, 6, "crash");
    cr_assert_eq(bisect(" --timeout 4"), RUNNER_EXIT_PASS);
    tells("last good: build 3 of 8");
    tells("first bad: build 7 of 8");
    tells("left out between them: build 5 of 8");
    tells("among builds 4 to 7");
    tells("unusable");
    tells("CRASH");
    tells("HANG");
    tells("this build is broken");
}

Test(bisect, the_other_direction_and_part_of_the_list_can_be_searched) {
    make_builds(5);
    fake_builds_change(house, 1, "rate 0.05");
    cr_assert_eq(bisect(" --good build-2 --bad build-6"), RUNNER_EXIT_PASS);
    tells("last good: build 3 of 5");
    cr_assert_eq(bisect(" --good build-7 --bad build-3 --out $/out2"), RUNNER_EXIT_PASS);
}

Test(bisect, ends_that_do_not_differ_have_exit_status_1) {
    make_builds(9);
    cr_assert_eq(bisect(" --max-seconds 1"), RUNNER_EXIT_FAIL);
    tells("the ends do not differ");
}

Test(bisect, a_difference_too_small_has_exit_status_4) {
    // Sure after few samples: a busy machine has no more in a second.
    // Sure after few samples: on a busy machine a build takes most of its time to start.
    fake_builds_make(house, 4, 2, "rate 0.2", "rate 0.45");
    cr_assert_eq(bisect(" --max-seconds 4 --spread 4"), RUNNER_EXIT_INCONCLUSIVE, "%s",
                 read_out("report.txt"));
    tells("the ends differ, but by no more than runs of one build may");
}

Test(bisect, wrong_usage_has_exit_status_2) {
    make_builds(4);
    cr_expect_eq(bisect(" --good build-9"), RUNNER_EXIT_USAGE);
    cr_expect_eq(bisect(" --good build-3 --bad build-3"), RUNNER_EXIT_USAGE);
    cr_expect_eq(bisect(" --case nosuch"), RUNNER_EXIT_USAGE);
    cr_expect_eq(bisect(" --resume $/nowhere"), RUNNER_EXIT_USAGE);
    cr_expect_eq(run(BISECT_WHOLE_COMMAND, "bisect --jdks $/nowhere"), RUNNER_EXIT_USAGE);
}

Test(bisect, an_end_that_cannot_be_used_has_exit_status_3) {
    make_builds(4);
    fake_builds_change(house, 8, "broken");
    cr_expect_eq(bisect(""), RUNNER_EXIT_HARNESS);
    tells("the bad end cannot be used");
}

// ---- What is sought ---------------------------------------------------------------------------

Test(bisect, crashes_can_be_sought) {
    fake_builds_make(house, 5, 3, "rate 0.001", "crash");
    cr_assert_eq(bisect(" --crash --error 0.05"), RUNNER_EXIT_PASS, "%s", read_out("report.txt"));
    tells("last good: build 2 of 5");
}

Test(bisect, hangs_can_be_sought) {
    fake_builds_make(house, 3, 2, "rate 0.001", "hang");
    cr_assert_eq(bisect(" --hang --error 0.2 --timeout 4"), RUNNER_EXIT_PASS, "%s",
                 read_out("report.txt"));
    tells("first bad: build 2 of 3");
}

Test(bisect, an_expression_says_what_is_bad) {
    make_builds(3);
    fake_builds_change(house, 8, "rate 0.2");
    cr_assert_eq(bisect(" --bad-if async.truncated>1%"), RUNNER_EXIT_PASS);
    tells("first bad: build 3 of 8");
}

// The verdict's rate is the same in all builds.
Test(bisect, a_cause_can_be_sought_and_unexplained_errors_too) {
    fake_builds_make(house, 5, 3, "known 0.1", "known 0.9");
    cr_assert_eq(bisect(" --cause known --error 0.05"), RUNNER_EXIT_PASS, "%s",
                 read_out("report.txt"));
    tells("--cause known");
    tells("last good: build 2 of 5");
    cr_assert_eq(bisect(" --bad-if async.cause.unexplained<8% --error 0.05 --out $/out2"),
                 RUNNER_EXIT_PASS);
    tells("first bad: build 3 of 5");
    cr_expect_eq(bisect(" --cause nosuch --out $/out3"), RUNNER_EXIT_USAGE);
}

// ---- Going on ---------------------------------------------------------------------------------

Test(bisect, an_interrupted_one_goes_on_where_it_stopped) {
    make_builds(4);
    fake_builds_change(house, 4, "interrupt");
    cr_assert_eq(bisect(""), RUNNER_EXIT_INCONCLUSIVE);
    tells("interrupted");
    char before[sizeof text];
    memcpy(before, read_out("bisect.log"), sizeof before);
    fake_builds_change(house, 4, "rate 0.05");
    fake_builds_change(house, 1, "broken"); // it was asked before, and is not asked again
    cr_assert_eq(bisect(" --resume $/out"), RUNNER_EXIT_PASS);
    tells("first bad: build 4 of 8");
    cr_expect_eq(strncmp(read_out("bisect.log"), before, strlen(before)), 0);
}

// A bisection that found build 4 of 8, and its log.
static void finish(char log[sizeof text]) {
    make_builds(4);
    cr_assert_eq(bisect(""), RUNNER_EXIT_PASS);
    memcpy(log, read_out("bisect.log"), sizeof text);
}

static void write_log(const char* start, size_t length, const char* more) {
    char path[512];
    snprintf(path, sizeof path, "%s/out/bisect.log", house);
    FILE* file = fopen(path, "w");
    cr_assert_not_null(file);
    fprintf(file, "%.*s%s", (int)length, start, more);
    fclose(file);
}

Test(bisect, a_log_cut_off_anywhere_goes_on_to_the_same_end) {
    char whole[sizeof text];
    finish(whole);
    const char* body = strstr(whole, "step 1 ");
    cr_assert_not_null(body);
    srand(7);
    for (int i = 0; i < 20; i++) {
        size_t cut = (size_t)(body - whole) + (size_t)rand() % strlen(body);
        write_log(whole, cut, "");
        cr_assert_eq(bisect(""), RUNNER_EXIT_PASS, "cut at %zu", cut);
        tells("first bad: build 4 of 8");
    }
}

Test(bisect, nothing_is_left_of_a_line_that_was_not_finished) {
    char zeros[401]; // more than a number has
    make_builds(4);
    cr_assert_eq(bisect(""), RUNNER_EXIT_PASS);
    size_t last = strlen(read_out("bisect.log")) - 1;
    while (last > 0 && text[last - 1] != '\n') last--;
    snprintf(zeros, sizeof zeros, "%0400d", 0);
    write_log(text, last, zeros);
    cr_assert_eq(bisect(""), RUNNER_EXIT_PASS);
    zeros[60] = '\0';
    cr_expect_null(strstr(read_out("bisect.log"), zeros), "%s", text);
}

Test(bisect, a_last_line_without_its_end_is_asked_again) {
    char path[512];
    make_builds(4);
    cr_assert_eq(bisect(""), RUNNER_EXIT_PASS);
    size_t length = strlen(read_out("bisect.log"));
    snprintf(path, sizeof path, "%s/out/bisect.log", house);
    cr_assert_eq(truncate(path, (off_t)length - 1), 0);
    cr_assert_eq(bisect(""), RUNNER_EXIT_PASS);
    cr_expect_eq(read_out("bisect.log")[strlen(text) - 1], '\n', "%s", text);
}

Test(bisect, a_log_whose_head_was_cut_off_begins_anew) {
    char whole[sizeof text];
    finish(whole);
    size_t head = (size_t)(strstr(whole, "step 1 ") - whole);
    for (size_t cut = 0; cut < head; cut += 1 + head / 5) {
        write_log(whole, cut, "");
        cr_assert_eq(bisect(""), RUNNER_EXIT_PASS, "cut at %zu", cut);
        cr_expect_eq(strncmp(read_out("bisect.log"), whole, head), 0);
    }
}

// What was measured behind such a line is not lost.
Test(bisect, a_line_that_is_no_step_is_named_and_nothing_is_cut_off) {
    char whole[sizeof text], broken[sizeof text];
    finish(whole);
    const char* second = strstr(whole, "step 2 ");
    size_t before = (size_t)(second - whole);
    snprintf(broken, sizeof broken, "# by hand\n%s", second);
    write_log(whole, before, broken);
    cr_expect_eq(bisect(""), RUNNER_EXIT_USAGE);
    fflush(stderr);
    char said[1024] = "";
    (void)fread(said, 1, sizeof said - 1, cr_get_redirected_stderr());
    cr_expect_not_null(strstr(said, "bisect.log: no step of a bisection: \"# by hand\""), "%s",
                       said);
    cr_expect_str_eq(read_out("bisect.log") + before, broken);
}

Test(bisect, steps_that_nobody_asks_for_any_more_hide_no_others) {
    char whole[sizeof text], more[sizeof text];
    finish(whole);
    const char* third = strstr(whole, "step 3 ");
    snprintf(more, sizeof more,
             "step 3 build 5 target 1 answer measured events 0 trials 1 slices 1 squares 0 "
             "seconds 1 jvms 1 note \n%s",
             third);
    write_log(whole, (size_t)(third - whole), more);
    fake_builds_change(house, 1, "broken"); // nothing is asked again
    fake_builds_change(house, 8, "broken");
    cr_expect_eq(bisect(""), RUNNER_EXIT_PASS);
    tells("first bad: build 4 of 8");
    cr_expect_str_eq(read_out("bisect.log") + (third - whole), more);
}

Test(bisect, another_bisections_log_is_refused) {
    make_builds(4);
    cr_assert_eq(bisect(""), RUNNER_EXIT_PASS);
    cr_expect_eq(bisect(" --seed 2"), RUNNER_EXIT_USAGE);
    cr_expect_eq(bisect(" --good build-2"), RUNNER_EXIT_USAGE);
    cr_expect_eq(bisect(" --error 0.01"), RUNNER_EXIT_USAGE);
    cr_expect_eq(bisect(""), RUNNER_EXIT_PASS);
}

// ---- bisect-step ------------------------------------------------------------------------------

Test(bisect, a_step_says_good_bad_or_that_it_does_not_know) {
    fake_builds_make(house, 1, 1, "", "");
    const char* rates = " --good-rate 0.001 --bad-rate 0.02";
    cr_expect_eq(step("rate 0", rates), 0);
    cr_expect_eq(step("rate 0.001", rates), 0);
    cr_expect_eq(step("rate 0.02", rates), 1);
    cr_expect_eq(step("broken", rates), BISECT_STEP_UNKNOWN);
    cr_expect_eq(step("crash", rates), BISECT_STEP_UNKNOWN);
    cr_expect_eq(step("hang", " --good-rate 0.001 --bad-rate 0.02 --timeout 4"),
                 BISECT_STEP_UNKNOWN);
    cr_expect_eq(step("fail", rates), BISECT_STEP_UNKNOWN);
    cr_expect_eq(step("nothing", rates), BISECT_STEP_UNKNOWN);
    cr_expect_eq(step("rate 0.005", " --good-rate 0.004999 --bad-rate 0.005001 --max-seconds 1"),
                 BISECT_STEP_UNKNOWN);
    cr_expect_eq(step("crash", " --crash"), 1);
    cr_expect_eq(step("interrupt", rates), BISECT_STEP_UNKNOWN);
}

Test(bisect, a_time_for_which_it_was_stopped_does_not_count) {
    fake_builds_make(house, 1, 1, "", "");
    cr_expect_eq(step("stop 0.02", " --good-rate 0.001 --bad-rate 0.02 --max-seconds 5"), 1);
}

// ---- Options ----------------------------------------------------------------------------------

static int parse(enum bisect_command command, const char* line, struct bisect_options* options) {
    static char room[4096];
    char* words[WORDS_MAX];
    house = "";
    const struct base_call call = {.argc = split(line, room, words), .argv = words};
    return bisect_options_parse(command, &call, options);
}

static void refuses(enum bisect_command command, const char* line) {
    struct bisect_options options;
    cr_expect_eq(parse(command, line, &options), RUNNER_EXIT_USAGE, "%s", line);
    bisect_options_free(&options);
}

Test(bisect_options, what_cannot_be_is_refused, .init = cr_redirect_stderr) {
    refuses(BISECT_WHOLE_COMMAND, "bisect");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --crash --hang");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --crash=1");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --error 0.7");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --spread 0.5");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --good-rate 0.1");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --good-rate 0.1 --bad-rate 0.1");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --verdict agree");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --refusal nothing");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --layer none");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --scope none");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --mode int,c1");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --modes int,c1");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --scope app,all");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --shard 1/2");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --inlining");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --preset full");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --bad-if async.truncated");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --bad-if async.truncated>200%");
    refuses(BISECT_WHOLE_COMMAND, "bisect --jdks x --jdk y");
    refuses(BISECT_STEP_COMMAND, "bisect-step --jdk x");
    refuses(BISECT_STEP_COMMAND, "bisect-step --good-rate 0.1 --bad-rate 0.2");
    refuses(BISECT_STEP_COMMAND, "bisect-step --jdk x --good-rate 0 --bad-rate 0.2");
}

Test(bisect_options, what_is_sought_and_how_is_understood) {
    struct bisect_options options;
    cr_assert_eq(
        parse(BISECT_WHOLE_COMMAND,
              "bisect --jdks=l --good a --refusal=unknown_java --mode c2 --seed 7 --error 0.01",
              &options),
        0);
    cr_expect_str_eq(options.list, "l");
    cr_expect_eq(options.sought.kind, BISECT_REFUSAL);
    cr_expect_eq(oracle_refusal_code(options.sought.refusal), -5);
    cr_expect_eq(options.run.modes, 1u << MODE_C2);
    cr_expect_eq(options.run.seed, 7);
    cr_expect_str_eq(options.run.cases, "mixed");
    cr_expect_not(options.given);
    cr_expect_eq(options.repeat.count, 6, "refusal, mode and seed are repeated");
    bisect_options_free(&options);
    cr_assert_eq(parse(BISECT_STEP_COMMAND, "bisect-step --jdk j --bad-if gst.missing+truncated<1%",
                       &options),
                 0);
    cr_expect_eq(options.sought.layer, ORACLE_LAYER_GST);
    cr_expect_eq(options.sought.verdicts, 1u << ORACLE_MISSING | 1u << ORACLE_TRUNCATED);
    cr_expect_gt(options.good_rate, options.bad_rate);
    bisect_options_free(&options);
    cr_assert_eq(parse(BISECT_WHOLE_COMMAND, "bisect --jdks=l --cause thawed", &options), 0);
    cr_expect_eq(options.sought.kind, BISECT_CAUSE);
    cr_expect_str_eq(options.sought.cause, "thawed");
    bisect_options_free(&options);
    cr_assert_eq(parse(BISECT_WHOLE_COMMAND, "bisect --jdks=l --cause refused:deopt", &options), 0);
    cr_expect_eq(options.sought.kind, BISECT_REFUSAL);
    cr_expect_eq(options.sought.refusal, ORACLE_REFUSAL_DEOPT);
    bisect_options_free(&options);
}

Test(bisect_options, a_rate_is_a_fraction_or_a_percentage, .init = cr_redirect_stderr) {
    struct bisect_options options;
    cr_assert_eq(parse(BISECT_STEP_COMMAND, "bisect-step --jdk j --good-rate 0.1% --bad-rate 0.01",
                       &options),
                 0);
    cr_expect_float_eq(options.good_rate, 0.001, 1e-12);
    cr_expect_float_eq(options.bad_rate, 0.01, 1e-12);
    bisect_options_free(&options);
    refuses(BISECT_STEP_COMMAND, "bisect-step --jdk j --good-rate 0.1%x --bad-rate 0.2");
    refuses(BISECT_STEP_COMMAND, "bisect-step --jdk j --good-rate 100% --bad-rate 0.2");
    refuses(BISECT_STEP_COMMAND, "bisect-step --jdk j --good-rate 0x0.1 --bad-rate 0.2");
    refuses(BISECT_STEP_COMMAND, "bisect-step --jdk j --good-rate -1% --bad-rate 0.2");
}

Test(bisect_builds, are_in_the_order_of_their_versions) {
    char list[] = "/tmp/plumbline-list-XXXXXX", command[256], error[256];
    struct words builds = {0};
    cr_assert_not_null(mkdtemp(list));
    snprintf(command, sizeof command, "cd %s && mkdir jdk-9 jdk-10 jdk-21 .hidden && touch file",
             list);
    cr_assert_eq(system(command), 0);
    cr_assert_eq(bisect_builds_read(list, &builds, error, sizeof error), 0);
    cr_assert_eq(builds.count, 3);
    cr_expect_neq(strstr(builds.list[0], "/jdk-9"), NULL);
    cr_expect_neq(strstr(builds.list[1], "/jdk-10"), NULL);
    cr_assert_eq(bisect_builds_between(&builds, "jdk-21", "jdk-10", error, sizeof error), 0);
    cr_expect_eq(builds.count, 2);
    cr_expect_neq(strstr(builds.list[0], "/jdk-21"), NULL);
    words_free(&builds);
    snprintf(command, sizeof command, "%s/", list);
    cr_assert_eq(bisect_builds_read(command, &builds, error, sizeof error), 0);
    cr_expect_null(strstr(builds.list[0], "//"), "%s", builds.list[0]);
    snprintf(command, sizeof command, "%s/jdk-9/", list + strlen("/tmp/"));
    cr_expect_eq(bisect_builds_between(&builds, command, "jdk-21//", error, sizeof error), 0, "%s",
                 error);
    cr_expect_eq(builds.count, 3);
    words_free(&builds);
    snprintf(command, sizeof command, "rm -r %s", list);
    cr_expect_eq(system(command), 0);
}

Test(bisect_builds, of_a_file_are_its_lines_without_blank_ones_and_comments) {
    char list[] = "/tmp/plumbline-list-XXXXXX", error[256];
    struct words builds = {0};
    int handle = mkstemp(list);
    cr_assert_neq(handle, -1);
    cr_assert_gt(dprintf(handle, "# oldest first\n/jdks/b/\r\n\nnightly/a\n#/jdks/c\n/jdks/d"), 0);
    close(handle);
    cr_expect_eq(bisect_builds_read(list, &builds, error, sizeof error), 0);
    unlink(list);
    cr_assert_eq(builds.count, 3);
    cr_expect_str_eq(builds.list[0], "/jdks/b");
    cr_expect_str_eq(builds.list[1], "/tmp/nightly/a", "beside the list");
    cr_expect_str_eq(builds.list[2], "/jdks/d");
    words_free(&builds);
}

// Writes a list of builds of these bytes; gives what reading it says.
static int read_list(const char* bytes, size_t size, struct words* builds, char error[512]) {
    char list[] = "/tmp/plumbline-list-XXXXXX";
    int handle = mkstemp(list);
    cr_assert_neq(handle, -1);
    cr_assert_eq(write(handle, bytes, size), (ssize_t)size);
    close(handle);
    int result = bisect_builds_read(list, builds, error, 512);
    unlink(list);
    return result;
}

Test(bisect_builds, a_line_that_is_no_path_is_named) {
    char list[PATH_MAX + 16], error[512];
    struct words builds = {0};
    memset(list, 'a', sizeof list);
    memcpy(list, "/b\n/", 4);
    list[PATH_MAX + 2] = '\n';
    cr_expect_eq(read_list(list, PATH_MAX + 3, &builds, error), 0, "the longest path: %s", error);
    cr_assert_eq(builds.count, 2);
    cr_expect_eq(strlen(builds.list[1]), PATH_MAX - 1);
    list[PATH_MAX + 2] = 'a';
    cr_expect_neq(read_list(list, PATH_MAX + 3, &builds, error), 0);
    cr_expect_neq(strstr(error, ":2: a build's path has up to"), NULL, "%s", error);
    cr_expect_neq(read_list("/a\n/b\0\n/c\n", 10, &builds, error), 0);
    cr_expect_neq(strstr(error, ":2: a build's path"), NULL, "%s", error);
    cr_expect_neq(bisect_builds_read("/dev/zero", &builds, error, sizeof error), 0, "without end");
    cr_expect_neq(bisect_builds_read("/proc/self/mem", &builds, error, sizeof error), 0);
    cr_expect_neq(strstr(error, "/proc/self/mem: Input/output error"), NULL, "%s", error);
    words_free(&builds);
}
