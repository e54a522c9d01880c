// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Job control for a child that may use our terminal. The child leads a group of its own, so the
// shell knows nothing of it: what happens to that group must happen to ours, and the terminal must
// follow the shell's decisions about ours.
#include "launch_parts.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

bool terminal_is_ours(void) {
    return isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

bool terminal_is_shared(void) {
    struct stat status;
    return isatty(STDIN_FILENO) && fstat(STDOUT_FILENO, &status) == 0 &&
           (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)); // some shells' pipes are sockets
}

void terminal_give(pid_t group) {
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGTTOU); // from the background, tcsetpgrp stops the caller
    sigprocmask(SIG_BLOCK, &set, &before);
    tcsetpgrp(STDIN_FILENO, group);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

void terminal_take_back(pid_t group) {
    if (isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == group) terminal_give(getpgrp());
}

// Stops our group, as the terminal would have done if it were the one in the foreground. Returns
// when the shell goes on with it; at once where there is no shell that could (an orphaned group).
static void stop_with(struct launch_child* child) {
    terminal_take_back(child->pid);
    kill(0, SIGTSTP);
    double now = launch_now();
    launch_leave_out(child, now - child->looked);
    child->looked = now;
}

void terminal_follow(struct launch_child* child) {
    siginfo_t info = {0};
    bool stopped =
        waitid(P_PID, (id_t)child->pid, &info, WSTOPPED | WNOHANG) == 0 && info.si_pid != 0;
    // A read before the terminal was given: nobody wants it stopped.
    if (stopped && !(info.si_status == SIGTTIN && terminal_is_ours())) stop_with(child);
    if (terminal_is_ours()) terminal_give(child->pid);
    if (stopped) kill(-child->pid, SIGCONT);
}
