// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One session, from its options to the exit status.
#ifndef RUNNER_SESSION_RUN_H
#define RUNNER_SESSION_RUN_H

#include "runner/base/base.h"
#include "runner/options/options.h"

// Runs the plan (validate) or the program (run), writes and prints the results. `line` is the
// command as the user typed it; options->jdk is the JDK's own directory. Returns the exit status.
int session_run(const struct options* options, enum options_command kind, const struct home* home,
                const char* line);

#endif
