// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A session: everything between the options and the exit status.
#ifndef RUNNER_SESSION_H
#define RUNNER_SESSION_H

#include "runner/base/base.h"
#include "runner/launch/launch.h"
#include "runner/options/options.h"

// Runs the plan (validate) or the program (run), writes and prints the results. `command` is what
// the user typed. Returns the exit status.
int session_run(const struct options* options, enum options_command kind, const struct home* home,
                const char* command);

// What runs that were made before come to.
struct session_end {
    const struct options* options;
    const struct jdk* jdk;
    const struct home* home;
    const char* command; // what the user typed
    const char* out;     // the directory, which is there
    struct job* jobs;    // all finished; the caller's
    size_t count;
    size_t planned; // more than `count`: some are missing, and it cannot pass
};
// Judges them, writes and prints the results. Returns the exit status.
int session_conclude(const struct session_end* end);

#endif
