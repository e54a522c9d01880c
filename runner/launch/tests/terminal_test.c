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

static _Noreturn void play_command(const char* seconds) {
    char sleep[] = "/bin/sleep", argument[16];
    snprintf(argument, sizeof argument, "%s", seconds);
    char* words[] = {sleep, argument, NULL};
    const struct launch launch = {.words = words, .output = -1, .errors = -1, .terminal = true};
    struct launch_child child;
    launch_prepare();
    if (launch_start(&launch, &child) != 0) _exit(99);
    while (!launch_poll(&child)) launch_wait(0.02);
    _exit(child.end == RESULTS_END_SIGNALLED ? SIGNALLED + child.status : child.status);
}

// ---- The shell --------------------------------------------------------------------------------

static pid_t begin(const char* seconds) {
    pid_t job = fork();
    if (job == 0) {
        signal(SIGTTOU, SIG_DFL);
        setpgid(0, 0);
        while (tcgetpgrp(STDIN_FILENO) < 0) continue;
        play_command(seconds);
    }
    setpgid(job, job);
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
    pid_t job = begin("0.3");
    for (int i = 0; i < 10; i++, usleep(20000))
        if (tcgetpgrp(STDIN_FILENO) != getpgrp()) return 1;
    if (status_of(job) != 0) return 2;
    return tcgetpgrp(STDIN_FILENO) == getpgrp() ? 0 : 3;
}

static int stopped_and_continued(void) {
    pid_t job = begin("60");
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
    pid_t job = begin("60");
    usleep(100000);
    tcsetpgrp(STDIN_FILENO, job);
    if (!child_has_terminal(job)) return 1;
    press(CTRL_C);
    return status_of(job) == SIGNALLED + SIGINT ? 0 : 2;
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
