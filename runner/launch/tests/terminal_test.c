// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Job control in a terminal of our own. A process plays the interactive shell; its jobs play the
// command, each with one child that may use the terminal. The keys are pressed at the other end.
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch.h"

#define CTRL_C "\003"
#define CTRL_Z "\032"
#define SIGNALLED 100 // a job's exit status: its child ended by the signal of that number behind it
#define PATIENCE 500  // looks, 20 ms apart

static int keyboard; // the terminal's other end

static void start(const char* script, struct launch_child* child) {
    char shell[] = "/bin/sh", option[] = "-c", argument[64];
    snprintf(argument, sizeof argument, "%s", script);
    char* words[] = {shell, option, argument, NULL};
    const struct launch launch = {.words = words, .output = -1, .errors = -1, .terminal = true};
    launch_prepare();
    if (launch_start(&launch, child) != 0) _exit(99);
}

static _Noreturn void play_command(const char* script) {
    struct launch_child child;
    start(script, &child);
    while (!launch_poll(&child))
        if (launch_wait(0.02) != 0) _exit(98); // the child gets the keys
    _exit(child.end == RESULTS_END_SIGNALLED ? SIGNALLED + child.status : child.status);
}

// What a child in a pipeline runs: it tells the reader that it has begun.
#define TELLING "echo; exec sleep 60"

// Waits for a child's word, then for a key of the terminal, as a pager does.
static _Noreturn void play_pager(int words) {
    char c;
    _exit(read(words, &c, 1) == 1 && read(STDIN_FILENO, &c, 1) == 1 ? 0 : 80);
}

// The command with its child, and its pager in the same group. Ends when the pager has ended.
static _Noreturn void play_pipeline(const int ends[2]) {
    struct launch_child child;
    int status;
    pid_t pager = fork();
    if (pager == 0) play_pager(ends[0]);
    dup2(ends[1], STDOUT_FILENO);
    start(TELLING, &child);
    while (waitpid(pager, &status, WNOHANG | WUNTRACED) == 0) {
        launch_wait(0.02);
        launch_poll(&child);
    }
    launch_kill(&child, RESULTS_END_INTERRUPTED);
    while (!launch_poll(&child)) launch_wait(0.02);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 81);
}

// ---- The shell --------------------------------------------------------------------------------

// In the child: 0. In the shell: the job.
static pid_t begin_job(void) {
    pid_t job = fork();
    if (job == 0) {
        signal(SIGTTOU, SIG_DFL);
        signal(SIGTTIN, SIG_DFL);
        signal(SIGTSTP, SIG_DFL);
        setpgid(0, 0);
        while (tcgetpgrp(STDIN_FILENO) < 0) continue;
        return 0;
    }
    setpgid(job, job);
    return job;
}

static pid_t begin(const char* script) {
    pid_t job = begin_job();
    if (job == 0) play_command(script);
    return job;
}

static void press(const char* key) {
    if (write(keyboard, key, 1) != 1) _exit(90);
}

// Waits until a group that is neither the shell's nor the job's has the terminal: the child's.
static bool child_has_terminal(pid_t job) {
    for (int i = 0; i < PATIENCE; i++) {
        pid_t group = tcgetpgrp(STDIN_FILENO);
        if (group != job && group != getpgrp()) return true;
        usleep(20000);
    }
    return false;
}

static int status_of(pid_t job) {
    int status;
    if (waitpid(job, &status, WUNTRACED) != job) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : WIFSTOPPED(status) ? -WSTOPSIG(status) : -2;
}

// The number of the first step that fails; 0: none.
static int in_background(void) {
    pid_t job = begin("exec sleep 0.3");
    for (int i = 0; i < 10; i++, usleep(20000))
        if (tcgetpgrp(STDIN_FILENO) != getpgrp()) return 1;
    if (status_of(job) != 0) return 2;
    return tcgetpgrp(STDIN_FILENO) == getpgrp() ? 0 : 3;
}

static int stopped_and_continued(void) {
    pid_t job = begin("exec sleep 60");
    tcsetpgrp(STDIN_FILENO, job);
    if (!child_has_terminal(job)) return 1;
    press(CTRL_Z);
    if (status_of(job) != -SIGTSTP) return 2;
    tcsetpgrp(STDIN_FILENO, getpgrp());
    tcsetpgrp(STDIN_FILENO, job); // fg
    kill(-job, SIGCONT);
    if (!child_has_terminal(job)) return 3;
    press(CTRL_C);
    if (status_of(job) != SIGNALLED + SIGINT) return 4;
    return tcgetpgrp(STDIN_FILENO) == job ? 0 : 5; // and now the shell takes it
}

static int brought_forward(void) {
    pid_t job = begin("exec sleep 60");
    usleep(100000);
    tcsetpgrp(STDIN_FILENO, job);
    if (!child_has_terminal(job)) return 1;
    press(CTRL_C);
    return status_of(job) == SIGNALLED + SIGINT ? 0 : 2;
}

static int beside_a_pager(void) {
    int ends[2];
    if (pipe(ends) != 0) return 1;
    pid_t job = begin_job();
    if (job == 0) {
        while (tcgetpgrp(STDIN_FILENO) != getpgrp()) usleep(1000);
        play_pipeline(ends);
    }
    tcsetpgrp(STDIN_FILENO, job);
    press("\n");
    return status_of(job) == 0 ? 0 : 2;
}

// The child reads the terminal, though its output goes into a pipe, and gets its Ctrl-C.
static int beside_a_pipe(const char* script, const char* key, int wanted) {
    int ends[2];
    char c;
    if (pipe(ends) != 0) return 1;
    pid_t job = begin_job();
    if (job == 0) {
        while (tcgetpgrp(STDIN_FILENO) != getpgrp()) usleep(1000);
        dup2(ends[1], STDOUT_FILENO);
        play_command(script);
    }
    tcsetpgrp(STDIN_FILENO, job);
    if (read(ends[0], &c, 1) != 1) return 2;
    press(key);
    return status_of(job) == wanted ? 0 : 3;
}

static int read_beside_a_pipe(void) {
    return beside_a_pipe("echo; read -r line", "\n", 0);
}

static int interrupted_beside_a_pipe(void) {
    return beside_a_pipe(TELLING, CTRL_C, SIGNALLED + SIGINT);
}

// Runs `play` as an interactive shell, in a session with a terminal of its own.
static void in_terminal(int (*play)(void)) {
    keyboard = posix_openpt(O_RDWR | O_NOCTTY);
    cr_assert(keyboard >= 0 && grantpt(keyboard) == 0 && unlockpt(keyboard) == 0);
    const char* name = ptsname(keyboard);
    cr_assert_not_null(name);
    pid_t shell = fork();
    if (shell == 0) {
        setsid();
        int terminal = open(name, O_RDWR); // the first one that a session opens is its own
        if (terminal < 0 || dup2(terminal, STDIN_FILENO) < 0) _exit(91);
        if (dup2(terminal, STDOUT_FILENO) < 0) _exit(91); // the tests' own may be a pipe
        signal(SIGTTOU, SIG_IGN);
        _exit(play());
    }
    int status;
    cr_assert_eq(waitpid(shell, &status, 0), shell);
    cr_expect(WIFEXITED(status));
    cr_expect_eq(WEXITSTATUS(status), 0, "step %d", WEXITSTATUS(status));
    close(keyboard);
}

Test(terminal, a_command_in_the_background_leaves_the_shell_its_terminal, .timeout = 30) {
    in_terminal(in_background);
}

Test(terminal, ctrl_z_stops_the_job_and_fg_goes_on_with_it, .timeout = 60) {
    in_terminal(stopped_and_continued);
}

Test(terminal, a_job_that_is_brought_to_the_foreground_gets_ctrl_c, .timeout = 60) {
    in_terminal(brought_forward);
}

Test(terminal, a_pager_beside_the_child_reads_its_keys, .timeout = 60) {
    in_terminal(beside_a_pager);
}

Test(terminal, a_child_whose_output_goes_into_a_pipe_reads_the_terminal, .timeout = 60) {
    in_terminal(read_beside_a_pipe);
}

Test(terminal, a_child_whose_output_goes_into_a_pipe_gets_ctrl_c, .timeout = 60) {
    in_terminal(interrupted_beside_a_pipe);
}
