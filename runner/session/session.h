// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Sessions: all runs of a plan on one JDK, judged and reported together. Here are sessions of one
// JDK and of several, sessions that go on after an interruption, and sessions joined from shares.
#ifndef RUNNER_SESSION_H
#define RUNNER_SESSION_H

#include "runner/base/base.h"
#include "runner/job/job.h"
#include "runner/options/options.h"

// A session that has ended. One that could not begin has no jobs, and `why` says why.
struct session_end {
    const struct jdk* jdk;
    struct job* jobs;
    size_t count;
    bool interrupted; // by the user, at whatever moment
    const char* why;
};

// Who wants more of a session than its report. Called once its runs have ended and were reported;
// its jobs are closed afterwards.
struct session_guest {
    void* context;
    void (*ended)(void* context, const struct session_end* end);
    bool quiet; // the report is written and not printed, nor is `why`
};

// One session, from its options to the exit status. Runs the plan (validate) or the program (run),
// writes and prints the results. `line` is the command as the user typed it; options->jdk is the
// JDK's own directory, options->profiler at most one name. `guest` NULL: there is none. Returns the
// exit status.
int session_run(const struct options* options, enum options_command kind, const struct home* home,
                const char* line, const struct session_guest* guest);

// plumbline validate, run and merge. Each does everything and returns the exit status; a failure of
// the JVM outweighs the harness's trouble, and that outweighs an inconclusive result.
int validate_command(const struct base_call* call);
int run_command(const struct base_call* call);
int merge_command(const struct base_call* call);

#endif
