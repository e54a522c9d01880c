// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch.h"

// Runs a program with two arguments to its end. Its output comes into `output` (200 bytes).
static struct launch_child run_program(const char* program, const char* first, const char* second,
                                       double limit, char* output) {
    launch_prepare();
    char texts[3][256];
    snprintf(texts[0], sizeof texts[0], "%s", program);
    snprintf(texts[1], sizeof texts[1], "%s", first);
    snprintf(texts[2], sizeof texts[2], "%s", second);
    char* words[] = {texts[0], texts[1], texts[2], NULL};
    FILE* file = tmpfile();
    struct launch launch = {.words = words,
                            .output = fileno(file),
                            .errors = fileno(file),
                            .directory = "/",
                            .limit = limit,
                            .plain_environment = true};
    struct launch_child child;
    cr_assert_eq(launch_start(&launch, &child), 0);
    while (!launch_poll(&child)) launch_wait(0.05);
    cr_expect_not(launch_poll(&child), "an end is told once");
    rewind(file);
    output[fread(output, 1, 199, file)] = '\0';
    fclose(file);
    return child;
}

static struct launch_child run(const char* script, double limit, char* output) {
    return run_program("/bin/sh", "-c", script, limit, output);
}

static void ends(const char* script, enum results_end end, int status) {
    char output[200];
    struct launch_child child = run(script, 20, output);
    cr_expect_eq(child.end, end, "%s: %d", script, child.end);
    cr_expect_eq(child.status, status, "%s: %d", script, child.status);
}

Test(launch, an_end_is_booked_as_it_was) {
    ends("exit 0", RESULTS_END_EXITED, 0);
    ends("exit 86", RESULTS_END_EXITED, 86);
    ends("kill -ABRT $$", RESULTS_END_SIGNALLED, SIGABRT);
    ends("kill -SEGV $$", RESULTS_END_SIGNALLED, SIGSEGV);
    ends("kill -KILL $$", RESULTS_END_SIGNALLED, SIGKILL);
}

Test(launch, a_time_limit_kills_and_is_no_crash, .timeout = 10) {
    char output[200];
    struct launch_child child = run("echo began; trap '' TERM INT; sleep 60", 0.3, output);
    cr_expect_eq(child.end, RESULTS_END_TIMED_OUT);
    cr_expect_str_eq(output, "began\n");
    cr_expect_geq(child.seconds, 0.3);
    cr_expect_lt(child.seconds, 5);
}

// Looks now and then, as the commands do, until it has ended.
static void look_until_end(struct launch_child* child) {
    while (!launch_poll(child)) launch_wait(0.05);
}

static void start_sleep(const char* seconds, double limit, struct launch_child* child) {
    char program[] = "/bin/sleep", argument[8];
    snprintf(argument, sizeof argument, "%s", seconds);
    char* words[] = {program, argument, NULL};
    const struct launch launch = {.words = words, .output = -1, .errors = -1, .limit = limit};
    launch_prepare();
    cr_assert_eq(launch_start(&launch, child), 0);
}

// A paused container: both see no time go by.
Test(launch, a_freeze_of_both_is_not_the_childs_time, .timeout = 30) {
    struct launch_child child;
    start_sleep("0.5", LAUNCH_LOOK + 1, &child);
    kill(child.pid, SIGSTOP);
    usleep((useconds_t)((LAUNCH_LOOK + 1.5) * 1e6));
    kill(child.pid, SIGCONT);
    look_until_end(&child);
    cr_expect_eq(child.end, RESULTS_END_EXITED);
    cr_expect_lt(child.seconds, LAUNCH_LOOK + 1);
}

Test(launch, a_stop_of_the_child_alone_is_not_its_time, .timeout = 30) {
    struct launch_child child;
    start_sleep("60", 1, &child);
    kill(child.pid, SIGSTOP);
    for (double end = launch_now() + 2; launch_now() < end; launch_wait(0.05))
        cr_assert_not(launch_poll(&child));
    cr_expect_not(child.killed);
    kill(child.pid, SIGCONT);
    look_until_end(&child);
    cr_expect_eq(child.end, RESULTS_END_TIMED_OUT, "its time goes on");
    cr_expect_geq(child.seconds, 1);
}

// Nobody goes on with a child that stopped itself.
Test(launch, a_child_that_stays_stopped_ends, .timeout = 30) {
    struct launch_child child;
    siginfo_t stopped;
    start_sleep("60", 0.3, &child);
    kill(child.pid, SIGSTOP);
    cr_assert_eq(waitid(P_PID, (id_t)child.pid, &stopped, WSTOPPED | WNOWAIT), 0);
    child.stopped = LAUNCH_STOPPED - 0.3;
    look_until_end(&child);
    cr_expect_eq(child.end, RESULTS_END_TIMED_OUT);
    cr_expect_eq(child.stopped, LAUNCH_STOPPED);
}

// A caller that is slow to look does not put the end off for ever.
Test(launch, a_slow_look_counts_as_much_as_a_look_can, .timeout = 30) {
    struct launch_child child;
    start_sleep("60", 2 * LAUNCH_LOOK, &child);
    for (int i = 0; i < 3 && !child.killed; i++) {
        child.started -= 1000; // as if so much time had gone by
        child.deadline -= 1000;
        child.looked -= 1000;
        cr_expect_not(launch_poll(&child));
    }
    cr_expect(child.killed);
    look_until_end(&child);
    cr_expect_eq(child.end, RESULTS_END_TIMED_OUT);
}

Test(launch, grandchildren_end_with_their_parent, .timeout = 10) {
    char output[200];
    run("sleep 60 & echo $!", 20, output);
    pid_t grandchild = (pid_t)atol(output);
    cr_assert_gt(grandchild, 1);
    for (int i = 0; i < 50 && kill(grandchild, 0) == 0; i++) {
        char path[64], state[64] = "";
        snprintf(path, sizeof path, "/proc/%d/stat", (int)grandchild);
        FILE* file = fopen(path, "r");
        if (file == NULL || fgets(state, sizeof state, file) == NULL ||
            strstr(state, ") Z") != NULL)
            return; // gone, or a zombie that nobody reaps in a container
        fclose(file);
        usleep(20000);
    }
    cr_expect_neq(kill(grandchild, 0), 0);
}

Test(launch, a_session_of_its_own_saves_no_grandchild, .timeout = 20) {
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        cr_skip_test("nobody adopts orphans here (qemu's user mode up to 7.2)");
    char output[200];
    run("setsid sleep 60 & sleep 0.3; echo $!", 20, output);
    pid_t grandchild = (pid_t)atol(output);
    cr_assert_gt(grandchild, 1);
    cr_expect_neq(kill(grandchild, 0), 0, "it was ended, and reaped");
}

Test(launch, what_was_our_child_before_stays, .timeout = 20) {
    char output[200];
    pid_t other = fork();
    if (other == 0) {
        sleep(20);
        _exit(0);
    }
    usleep(30000); // more than a clock tick
    run("true", 20, output);
    cr_expect_eq(waitpid(other, NULL, WNOHANG), 0, "it was not ended");
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
}

Test(launch, a_child_has_no_core_no_input_and_unblocked_signals) {
    struct rlimit core;
    cr_assert_eq(getrlimit(RLIMIT_CORE, &core), 0);
    core.rlim_cur = core.rlim_max; // so that there is something to take away, where it can be
    cr_assert_eq(setrlimit(RLIMIT_CORE, &core), 0);
    char output[200];
    run("ulimit -c; pwd; cat", 20, output);
    cr_expect_str_eq(output, "0\n/\n");
    run_program("/bin/grep", "SigBlk", "/proc/self/status", 20,
                output); // a shell unblocks by itself
    cr_expect_str_eq(output, "SigBlk:\t0000000000000000\n");
}

Test(launch, jvm_options_in_the_environment_do_not_reach_a_case) {
    setenv("JAVA_TOOL_OPTIONS", "-Xint", 1);
    setenv("_JAVA_OPTIONS", "-Xint", 1);
    char output[200];
    run("echo \"$JAVA_TOOL_OPTIONS$_JAVA_OPTIONS.\"", 20, output);
    cr_expect_str_eq(output, ".\n");
}

Test(launch, what_cannot_be_executed_gives_its_errno) {
    launch_prepare();
    char nothing[] = "/tmp/plumbline-not-there", no_program[] = "/etc/passwd", shell[] = "/bin/sh";
    char* words[] = {nothing, NULL};
    struct launch launch = {.words = words, .output = -1, .errors = -1};
    struct launch_child child;
    cr_expect_eq(launch_start(&launch, &child), ENOENT);
    words[0] = no_program;
    cr_expect_eq(launch_start(&launch, &child), EACCES);
    words[0] = shell;
    launch.directory = "/tmp/plumbline-not-there";
    cr_expect_eq(launch_start(&launch, &child), ENOENT);
    cr_expect_not(launch_poll(&child));
}

Test(launch, an_interruption_is_told_and_its_kill_booked, .timeout = 10) {
    launch_prepare();
    char sleep_long[] = "/bin/sleep", minute[] = "60";
    char* words[] = {sleep_long, minute, NULL};
    struct launch launch = {.words = words, .output = -1, .errors = -1};
    struct launch_child child;
    cr_assert_eq(launch_start(&launch, &child), 0);
    kill(getpid(), SIGINT);
    cr_expect_eq(launch_wait(5), SIGINT);
    launch_kill(&child, RESULTS_END_INTERRUPTED);
    while (!launch_poll(&child)) launch_wait(0.05);
    cr_expect_eq(child.end, RESULTS_END_INTERRUPTED);
}

Test(launch, data_that_a_child_prints_is_kept_whole, .timeout = 60) {
    FILE* file = tmpfile();
    char shell[] = "/bin/sh", option[] = "-c", script[] = "head -c 80000000 /dev/zero; sleep 0.2";
    char* words[] = {shell, option, script, NULL};
    struct launch launch = {.words = words, .output = fileno(file), .errors = -1, .data = true};
    struct launch_child child;
    struct stat status;
    launch_prepare();
    cr_assert_eq(launch_start(&launch, &child), 0);
    while (!launch_poll(&child)) launch_wait(0.05);
    cr_expect_not(child.cut);
    cr_assert_eq(fstat(fileno(file), &status), 0);
    cr_expect_eq(status.st_size, 80000000);
    fclose(file);
}

Test(launch, what_a_child_prints_does_not_fill_the_disk, .timeout = 60) {
    FILE* file = tmpfile();
    char shell[] = "/bin/sh", option[] = "-c";
    // Until it was cut: above two parts of LAUNCH_LOG.
    char script[] = "echo first; head -c 80000000 /dev/zero; "
                    "while [ $(stat -Lc %s /proc/$$/fd/1) -gt 33554432 ]; do sleep 0.05; done; "
                    "echo last";
    char* words[] = {shell, option, script, NULL};
    struct launch launch = {.words = words, .output = fileno(file), .errors = -1};
    struct launch_child child;
    struct stat status;
    char text[8] = "";
    launch_prepare();
    cr_assert_eq(launch_start(&launch, &child), 0);
    while (!launch_poll(&child)) launch_wait(0.05);
    cr_expect(child.cut);
    cr_expect_eq(child.status, 0, "the child does not notice");
    cr_assert_eq(fstat(fileno(file), &status), 0);
    cr_expect_leq(status.st_size, 2 * LAUNCH_LOG);
    cr_expect_eq(pread(fileno(file), text, 6, 0), 6);
    cr_expect_str_eq(text, "first\n");
    // The note may come behind it: the child sees the cut before the note is written.
    char end[64] = "";
    cr_expect_eq(pread(fileno(file), end, 63, status.st_size - 63), 63);
    cr_expect_neq(memmem(end, 63, "last\n", 5), NULL);
    fclose(file);
}
