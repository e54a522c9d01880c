// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Child processes. Each leads a process group of its own, has a time limit, and is reaped together
// with all processes of its group. Processes that it put into other groups or sessions are ended
// when no child is left. A child that may use our terminal stays in our group where our output goes
// into a pipe: the terminal is one group's, and the pipe's reader, as a pager, may need it, too. It
// needs no signal handler: the signals that matter are blocked and waited for, so none can come at
// a bad time. What the children are is no concern here.
#ifndef RUNNER_LAUNCH_H
#define RUNNER_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "results/report/report.h"

struct launch {
    char* const* words;     // the program, by path, and its arguments; NULL-terminated
    int output, errors;     // descriptors for its standard output and error; -1: ours
    const char* directory;  // its working directory; NULL: ours
    double limit;           // seconds after which it is killed, stops left out; 0: never
    bool plain_environment; // without JAVA_TOOL_OPTIONS and the like
    bool terminal;          // it may read from our terminal, and takes part in the shell's job
                            // control; else its standard input is empty
    bool data;              // its standard output is data for us, and no log: it is kept whole
};

// A regular file that takes a child's output, and is no data, keeps its first LAUNCH_LOG bytes, and
// of the rest at most about as many of the newest: what a child prints must not fill the disk.
#define LAUNCH_LOG (16l << 20)

// Time in which a child or we were stopped or frozen (SIGSTOP, a batch system, a paused container)
// is not the child's: neither the time limit nor `seconds` counts it. Between two looks at most
// LAUNCH_LOOK seconds count, since callers look much more often while they run. While it is stopped
// and we are not, at most LAUNCH_STOPPED seconds are left out: nobody may go on with it ever.
#define LAUNCH_LOOK 2.0
#define LAUNCH_STOPPED 300.0

struct launch_child {
    pid_t pid;                // 0: none
    double started, deadline; // later by the time that does not count
    double looked;            // when launch_poll last did
    double stopped;           // seconds that were left out because it was stopped and we were not
    bool killed;
    bool terminal; // its group follows the shell's job control
    bool shares;   // it is in our group
    int logs[2];   // descriptors of its output and error where these are regular files, else -1
    bool cut;      // one of them has lost bytes
    enum results_end end; // after launch_poll gave true
    int status;           // see struct results_execution
    double seconds;
};

// Blocks SIGINT, SIGTERM, SIGHUP and SIGCHLD for this process, and makes it the one that adopts
// orphans of its children. Call it before the first launch_start.
void launch_prepare(void);

// Starts it. 0, or an errno: it could not be started, and there is no child.
int launch_start(const struct launch* launch, struct launch_child* child);

// Has it ended? Kills it after its time limit. True once, when it is reaped. To be called every
// LAUNCH_LOOK seconds or more often: the limit is late else. Stops this process where the child was
// stopped at the terminal (`terminal`), until the shell goes on with the job.
bool launch_poll(struct launch_child* child);

// Kills the child's whole group; launch_poll then reaps it and books `end`.
void launch_kill(struct launch_child* child, enum results_end end);

// Waits until a child may have ended, `seconds` have passed, or the user interrupts. The number of
// the user's signal, else 0: also for a Ctrl-C that a child in our group got as well.
int launch_wait(double seconds);

// Seconds on a monotonic clock.
double launch_now(void);

#endif
