// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A session: everything between the options and the exit status.
#ifndef RUNNER_SESSION_H
#define RUNNER_SESSION_H

#include "home.h"
#include "options.h"

// Runs the plan (validate) or the program (run), writes and prints the results. `command` is what
// the user typed. Returns the exit status.
int session_run(const struct options* options, enum options_command kind, const struct home* home,
                const char* command);

#endif
