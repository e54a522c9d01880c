// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Sessions that stop in the middle, and go on.
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/launch/launch.h"
#include "session_parts.h"
#include "fake_java.h"

// A house that several sessions share.
static struct home home;
static const char* house;
static char jdk[128], out[128];

static void move_in(void) {
    house = fake_make(&home);
    snprintf(jdk, sizeof jdk, "%s/jdk", house);
    snprintf(out, sizeof out, "%s/out", house);
    cr_redirect_stdout();
    cr_redirect_stderr();
}

static struct options asked(const char* cases) {
    return (struct options){.cases = cases,
                            .jdk = jdk,
                            .out = out,
                            .scope = "app",
                            .scopes = 1u << OPTIONS_SCOPE_APP,
                            .jobs = 1,
                            .seed = 1,
                            .seconds = 1,
                            .timeout = 20,
                            .full = true,
                            .modes = 1u << MODE_INT,
                            .layers = (1u << ORACLE_LAYER_COUNT) - 1};
}

static int play(struct options options) {
    return session_run(&options, OPTIONS_VALIDATE, &home, "plumbline validate", NULL);
}

static char* in_out(const char* name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", out, name);
    return path;
}

static bool there(const char* name) {
    return access(in_out(name), F_OK) == 0;
}

// As if the session had been killed before its end was booked.
static void unfinish(void) {
    char from[512];
    snprintf(from, sizeof from, "%s", in_out("session"));
    cr_assert_eq(rename(from, in_out("unfinished")), 0);
}

static long starts(const char* run) {
    char name[128];
    struct stat status;
    snprintf(name, sizeof name, "runs/%s/starts", run);
    return stat(in_out(name), &status) == 0 ? (long)status.st_size : 0;
}

// A file is there before its first byte is.
static bool is_begun(const char* name) {
    struct stat status;
    return stat(in_out(name), &status) == 0 && status.st_size > 0;
}

// Runs the session in a process of its own, and kills that once `name` has something in it.
static void kill_when_there(struct options options, const char* name) {
    pid_t pid = fork();
    cr_assert_geq(pid, 0);
    if (pid == 0) {
        int nothing = open("/dev/null", O_WRONLY);
        dup2(nothing, STDOUT_FILENO);
        _exit(play(options));
    }
    for (int i = 0; i < 1000 && !is_begun(name); i++) usleep(10000);
    cr_assert(is_begun(name), "%s", name);
    kill(pid, SIGKILL);
    int status;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_assert(WIFSIGNALED(status), "it was still running");
    cr_expect(there("unfinished"));
    cr_expect_not(there("results.json"));
}

// The keys of results.json, in order: its structure without its numbers.
static char* structure(void) {
    static char keys[2][60000];
    static int which;
    char line[4096], *text = keys[which ^= 1];
    size_t used = 0;
    FILE* file = fopen(in_out("results.json"), "r");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file) != NULL && used < sizeof keys[0] - 200) {
        const char* value = strstr(line, "\": ");
        bool name = strstr(line, "\"case\": ") != NULL || strstr(line, "\"layer\": ") != NULL;
        int length = value != NULL && !name ? (int)(value - line) : (int)strcspn(line, "\n");
        used += (size_t)sprintf(text + used, "%.*s\n", length < 150 ? length : 150, line);
    }
    fclose(file);
    return text;
}

Test(resume, a_session_that_is_killed_inside_a_run_makes_that_run_again_and_no_other,
     .timeout = 60) {
    move_in();
    cr_expect_eq(play(asked("pass,slow,vacuous")), RUNNER_EXIT_INCONCLUSIVE);
    char* whole = structure();
    cr_expect(there("session") && !there("unfinished"));
    fake_remove(house);
    move_in();
    kill_when_there(asked("pass,slow,vacuous"), "runs/slow-int-app/starts");
    cr_expect_eq(starts("pass-int-app"), 1);
    cr_expect_eq(starts("slow-int-app"), 1);
    cr_expect_eq(play(asked("pass,slow,vacuous")), RUNNER_EXIT_INCONCLUSIVE);
    cr_expect_eq(starts("pass-int-app"), 1, "it was finished");
    cr_expect_eq(starts("slow-int-app"), 2, "it was not");
    cr_expect_eq(starts("vacuous-int-app"), 1);
    char* resumed = structure();
    cr_expect_str_eq(whole, resumed);
    cr_expect(there("session") && !there("unfinished"));
    fake_remove(house);
}

Test(resume, a_session_that_is_killed_between_runs_goes_on_with_the_next, .timeout = 60) {
    move_in();
    kill_when_there(asked("pass,slow"), "runs/pass-int-app/finished");
    cr_expect_eq(play(asked("pass,slow")), RUNNER_EXIT_PASS);
    cr_expect_eq(starts("pass-int-app"), 1);
    // Killed before it booked the last run, or in the middle of that.
    unfinish();
    cr_assert_eq(unlink(in_out("runs/slow-int-app/finished")), 0);
    long before = starts("slow-int-app");
    cr_expect_eq(play(asked("pass,slow")), RUNNER_EXIT_PASS);
    cr_expect_eq(starts("slow-int-app"), before + 1);
    cr_expect_eq(starts("pass-int-app"), 1);
    unfinish();
    cr_assert_eq(truncate(in_out("runs/pass-int-app/finished"), 60), 0);
    cr_expect_eq(play(asked("pass,slow")), RUNNER_EXIT_PASS);
    cr_expect_eq(starts("pass-int-app"), 2, "half a booking is none: %ld starts",
                 starts("pass-int-app"));
    fake_remove(house);
}

// Replaces the booking's numbers up to the layers.
static void book_anew(const char* numbers) {
    char text[4096];
    FILE* file = fopen(in_out("runs/pass-int-app/finished"), "r+");
    cr_assert_not_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    rewind(file);
    cr_assert(fprintf(file, "%s%s", numbers, strstr(text, " layers ")) > 0 && fflush(file) == 0 &&
              ftruncate(fileno(file), ftell(file)) == 0);
    fclose(file);
}

Test(resume, a_booking_with_numbers_that_are_none_is_none, .timeout = 60) {
    static const char* const bookings[] = {
        "end 2 status 0 hs_err 0 died 0 work 2 units 12 seconds 1 unit_seconds 1",
        "end 6 status 0 hs_err 0 died 0 work 2 units 12 seconds 1 unit_seconds 1",
        "end -1 status 0 hs_err 0 died 0 work 2 units 12 seconds 1 unit_seconds 1",
        "end 2 status 0 hs_err 0 died 0 work 3 units 12 seconds 1 unit_seconds 1",
        "end 2 status 0 hs_err 0 died 0 work 2 units 12 seconds inf unit_seconds 1",
        "end 2 status 0 hs_err 0 died 0 work 2 units 12 seconds 1 unit_seconds nan",
        "end 2 status 0 hs_err 0 died 0 work 2 units -825 seconds 1 unit_seconds 1"};
    move_in();
    cr_expect_eq(play(asked("pass")), RUNNER_EXIT_PASS);
    for (size_t i = 0; i < sizeof bookings / sizeof bookings[0]; i++) {
        long before = starts("pass-int-app");
        unfinish();
        book_anew(bookings[i]);
        cr_expect_eq(play(asked("pass")), RUNNER_EXIT_PASS);
        cr_expect_eq(starts("pass-int-app"), before + (i != 0), "%s", bookings[i]);
    }
    fake_remove(house);
}

Test(resume, what_is_restored_is_as_it_was, .timeout = 60) {
    move_in();
    cr_expect_eq(play(asked("crash,check,mismatch,new,cells")), RUNNER_EXIT_FAIL);
    char* whole = structure();
    struct options options = asked("crash,check,mismatch,new,cells");
    options.resume = out;
    cr_expect_eq(play(options), RUNNER_EXIT_FAIL);
    char* again = structure();
    cr_expect_str_eq(whole, again);
    cr_expect_eq(starts("crash-int-app"), 1);
    char text[100000] = "";
    FILE* file = fopen(in_out("results.json"), "r");
    cr_assert_not_null(file);
    cr_expect_gt(fread(text, 1, sizeof text - 1, file), 0);
    fclose(file);
    cr_expect(strstr(text, "frame::sender") != NULL, "what hs_err says");
    cr_expect(strstr(text, "wrong: 41 is not 42") != NULL, "what the case says");
    cr_expect(strstr(text, "needs JDK 21 or later") != NULL);
    cr_expect(strstr(text, "\"units\": 12") != NULL);
    fake_remove(house);
}

static void refuses(struct options options, const char* wanted) {
    char said[4096] = "", path[160];
    snprintf(path, sizeof path, "%s/said", house);
    fflush(stderr);
    int kept = dup(STDERR_FILENO), file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    int status = play(options);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    cr_expect_gt(pread(file, said, sizeof said - 1, 0), 0);
    close(file);
    cr_expect_eq(status, RUNNER_EXIT_USAGE, "%d: %s", status, said);
    cr_expect(strstr(said, wanted) != NULL, "\"%s\" is not in: %s", wanted, said);
}

Test(resume, another_session_is_refused, .timeout = 60) {
    move_in();
    kill_when_there(asked("pass,slow"), "runs/slow-int-app/starts");
    struct options options = asked("pass,slow");
    options.seed = 2;
    refuses(options, "\"seed 1\" then, \"seed 2\" now");
    options = asked("pass,slow");
    options.seconds = 2;
    refuses(options, "\"seconds 1\" then");
    options = asked("pass,slow");
    options.modes = 1u << MODE_C1;
    refuses(options, "run pass-int-app");
    options = asked("pass,slow");
    options.vm_options = "-Xx";
    refuses(options, "vm-options -Xx\" now");
    refuses(asked("pass"), "\"runs 2\" then, \"runs 1\" now");
    FILE* agent = fopen(home.agent, "a");
    cr_assert_not_null(agent);
    fputs("another agent", agent);
    fclose(agent);
    refuses(asked("pass,slow"), "\"agent of 0 bytes");
    fake_remove(house);
}

Test(resume, nothing_to_resume_is_told, .timeout = 60) {
    move_in();
    struct options options = asked("pass");
    options.resume = out;
    refuses(options, "--resume: there is no session in");
    cr_expect_not(there("."), "no directory is made");
    char* argv[] = {"validate", "--jdk", jdk, "--jdk", jdk, "--resume", out};
    options.jdks[0] = options.jdks[1] = jdk;
    options.jdk_count = 2;
    const struct base_call call = {.argc = 7, .argv = argv, .home = &home};
    cr_expect_eq(matrix_run(&options, OPTIONS_VALIDATE, &call), RUNNER_EXIT_USAGE);
    cr_expect_not(there("."), "nor by a matrix");
    fake_remove(house);
}

Test(resume, a_finished_session_and_another_preset_begin_anew, .timeout = 60) {
    move_in();
    cr_expect_eq(play(asked("pass")), RUNNER_EXIT_PASS);
    cr_expect_eq(play(asked("pass")), RUNNER_EXIT_PASS);
    cr_expect_eq(starts("pass-int-app"), 2);
    struct options quick = asked("pass,slow");
    quick.full = false;
    kill_when_there(quick, "runs/slow-int-app/starts");
    cr_expect_eq(starts("pass-int-app"), 3);
    cr_expect_eq(play(quick), RUNNER_EXIT_PASS);
    cr_expect_eq(starts("pass-int-app"), 4);
    quick.resume = out;
    cr_expect_eq(play(quick), RUNNER_EXIT_PASS, "but with --resume it goes on");
    cr_expect_eq(starts("pass-int-app"), 4);
    fake_remove(house);
}

Test(resume, an_interrupted_run_and_one_that_the_harness_spoiled_are_made_again, .timeout = 60) {
    move_in();
    cr_expect_eq(play(asked("interrupt,pass")), RUNNER_EXIT_INCONCLUSIVE);
    cr_expect_not(there("runs/interrupt-int-app/finished"));
    cr_expect(there("unfinished"));
    cr_expect_eq(play(asked("interrupt,pass")), RUNNER_EXIT_INCONCLUSIVE);
    cr_expect_eq(starts("interrupt-int-app"), 2);
    fake_remove(house);
    move_in();
    cr_expect_eq(play(asked("noagent")), RUNNER_EXIT_HARNESS);
    cr_expect_not(there("runs/noagent-int-app/finished"));
    fake_remove(house);
}

// Which modes the JVM has is asked first, and until that is known nobody knows what the session is.
Test(resume, an_interruption_before_all_is_known_leaves_what_was_there, .timeout = 60) {
    move_in();
    struct options options = asked("pass,mismatch");
    options.modes = 1u << MODE_SERIAL | 1u << MODE_PRESERVEFP;
    setenv("FAKE_CALM", "1", 1);
    cr_expect_eq(play(options), RUNNER_EXIT_FAIL);
    unfinish();
    char* whole = structure();
    unsetenv("FAKE_CALM");
    cr_expect_eq(play(options), RUNNER_EXIT_INCONCLUSIVE);
    cr_expect(there("unfinished"));
    char* left = structure();
    cr_expect_str_eq(whole, left, "the report is the one that was there");
    setenv("FAKE_CALM", "1", 1);
    cr_expect_eq(play(options), RUNNER_EXIT_FAIL, "and goes on");
    cr_expect_eq(starts("mismatch-serial-app"), 1);
    fake_remove(house);
}

Test(resume, a_session_that_was_interrupted_before_all_is_known_can_begin, .timeout = 60) {
    move_in();
    struct options options = asked("pass");
    options.modes = 1u << MODE_SERIAL | 1u << MODE_PRESERVEFP;
    unsetenv("FAKE_CALM");
    cr_expect_eq(play(options), RUNNER_EXIT_INCONCLUSIVE);
    cr_expect_not(there("unfinished"));
    setenv("FAKE_CALM", "1", 1);
    cr_expect_eq(play(options), RUNNER_EXIT_PASS);
    cr_expect_eq(starts("pass-serial-app"), 1);
    fake_remove(house);
}

// ---- Programs ---------------------------------------------------------------------------------

static struct options asked_programs(const char* programs) {
    struct options options = asked(programs);
    options.programs = true;
    options.full = false;
    options.modes = 1u << MODE_TIERED;
    return options;
}

static long program_starts(const char* run) {
    char work[128];
    snprintf(work, sizeof work, "%s/work", run);
    return starts(work);
}

Test(resume, programs_that_are_finished_are_not_run_again, .timeout = 60) {
    move_in();
    struct options options = asked_programs("plain,hangs,differs,absent");
    kill_when_there(options, "runs/hangs-tiered-app/work/starts");
    cr_expect_eq(program_starts("plain-tiered-app"), 1);
    options.resume = out;
    cr_expect_eq(play(options), RUNNER_EXIT_FAIL);
    cr_expect_eq(program_starts("plain-tiered-app"), 1, "it was finished");
    cr_expect_eq(program_starts("differs-tiered-app"), 1);
    cr_expect(there("session") && !there("unfinished"));
    char* whole = structure();
    cr_expect_not_null(strstr(whole, "\"case\": \"absent\""), "what is left out is reported");
    cr_expect_eq(play(options), RUNNER_EXIT_FAIL, "of a finished session it reports again");
    char* again = structure();
    cr_expect_str_eq(whole, again);
    cr_expect_eq(program_starts("differs-tiered-app"), 1);
    fake_remove(house);
}

Test(resume, a_share_of_programs_goes_on_as_the_same_share_only, .timeout = 60) {
    move_in();
    struct options options = asked_programs("plain,any,status,later");
    options.shard = 1;
    options.shards = 2;
    cr_expect_eq(play(options), RUNNER_EXIT_PASS);
    options.resume = out;
    cr_expect_eq(play(options), RUNNER_EXIT_PASS);
    cr_expect_eq(program_starts("plain-tiered-app"), 1);
    cr_expect_eq(program_starts("any-tiered-app"), 1);
    cr_expect_eq(program_starts("status-tiered-app"), 0, "it is another share's");
    options.shard = 2;
    refuses(options, "\"shard 1/2\" then, \"shard 2/2\" now");
    fake_remove(house);
}

// ---- More time --------------------------------------------------------------------------------

static void says(const char* wanted) {
    static char text[400000];
    FILE* file = fopen(in_out("results.json"), "r");
    cr_assert_not_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    cr_expect(strstr(text, wanted) != NULL, "\"%s\" is not in: %.2000s", wanted, text);
}

// Plays the case in mode int: its status, and how often that started the JVM.
static void makes(struct options options, const char* name, double seconds, int status, int runs) {
    char run[64];
    snprintf(run, sizeof run, "%s-int-app", name);
    options.cases = name;
    options.seconds = seconds;
    const long before = starts(run);
    cr_expect_eq(play(options), status, "%s, %g s", name, seconds);
    cr_expect_eq(starts(run) - before, runs, "%s, %g s: %ld runs, not %d", name, seconds,
                 starts(run) - before, runs);
}

Test(more_time, a_run_that_judged_too_little_is_made_again_in_preset_full, .timeout = 60) {
    move_in();
    struct options options = asked("starved");
    makes(options, "starved", 2, RUNNER_EXIT_PASS, 2);
    says("second run, of 16 s: in 2 s ground had judged 400");
    says("\"judged\": 20000");
    // 4 seconds are too few, too.
    makes(options, "starved", 0.5, RUNNER_EXIT_PASS, 3);
    says("third run, of 32 s: in 4 s ground had judged 400");
    // 0.4 and 3.2, too; there is no fourth.
    makes(options, "starved", 0.05, RUNNER_EXIT_INCONCLUSIVE, 3);
    fake_remove(house);
}

Test(more_time, is_more_than_what_the_poorest_row_needs, .timeout = 60) {
    move_in();
    makes(asked("starved-little"), "starved-little", 2, RUNNER_EXIT_PASS, 2);
    says("second run, of 7 s: in 2 s ground had judged 6000"); // of 10,000
    fake_remove(house);
}

Test(more_time, a_third_run_is_shorter_where_that_is_enough, .timeout = 60) {
    move_in();
    struct options options = asked("starved-slow");
    makes(options, "starved-slow", 10, RUNNER_EXIT_PASS, 3);
    says("third run, of 60 s: in 25 s ground had judged 8000"); // 62.5 are too long
    // In 50 s 8000 of 10,000: 60 would be too few on a bad day.
    makes(options, "starved-slow", 20, RUNNER_EXIT_INCONCLUSIVE, 2);
    fake_remove(house);
}

Test(more_time, is_for_who_asks_in_other_presets, .timeout = 60) {
    move_in();
    struct options options = asked("starved");
    options.full = false;
    makes(options, "starved", 2, RUNNER_EXIT_INCONCLUSIVE, 1);
    options.more_time = 1;
    makes(options, "starved", 2, RUNNER_EXIT_PASS, 2);
    options.full = true;
    options.more_time = -1;
    makes(options, "starved", 2, RUNNER_EXIT_INCONCLUSIVE, 1);
    fake_remove(house);
}

Test(more_time, a_run_that_failed_is_not_made_again, .timeout = 60) {
    move_in();
    struct options options = asked("starved-wrong");
    makes(options, "starved-wrong", options.seconds, RUNNER_EXIT_FAIL, 1);
    // It did no work: more time is no help.
    makes(options, "vacuous", options.seconds, RUNNER_EXIT_INCONCLUSIVE, 1);
    fake_remove(house);
}

Test(more_time, what_only_the_start_of_a_starved_run_refused_fails_nothing, .timeout = 60) {
    move_in();
    struct options options = asked("starved-start");
    makes(options, "starved-start", 2, RUNNER_EXIT_PASS, 2);
    // It refuses in the second run, too.
    makes(options, "starved-refused", 2, RUNNER_EXIT_FAIL, 2);
    // Enough is judged at once.
    makes(options, "starved-refused", 6, RUNNER_EXIT_FAIL, 2);
    says("second run, of 15 s: 6 s had shown more than was measured");
    fake_remove(house);
}

static void fails_twice_and_then_once(const char* name) {
    static const char* const made[] = {"int", "c1", "c2"};
    char run[64];
    struct options options = asked(name);
    options.modes = 1u << MODE_INT | 1u << MODE_C1 | 1u << MODE_C2;
    options.seconds = 2;
    cr_expect_eq(play(options), RUNNER_EXIT_FAIL);
    for (int i = 0; i < 3; i++) {
        snprintf(run, sizeof run, "%s-%s-app", name, made[i]);
        cr_expect_eq(starts(run), i == 0 ? 2 : 1, "%s", run);
    }
}

Test(more_time, once_a_run_failed_twice_none_is_made_again_for_what_it_shows_too_often,
     .timeout = 60) {
    move_in();
    fails_twice_and_then_once("starved-refused");
    fails_twice_and_then_once("starved-all"); // nothing at all is judged
    fake_remove(house);
}

Test(more_time, a_second_run_is_restored_with_what_is_said_of_it, .timeout = 60) {
    move_in();
    struct options options = asked("starved");
    makes(options, "starved", 2, RUNNER_EXIT_PASS, 2);
    options.resume = out;
    makes(options, "starved", 2, RUNNER_EXIT_PASS, 0);
    says("second run, of 16 s: in 2 s ground had judged 400");
    fake_remove(house);
}
