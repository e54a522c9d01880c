// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// How the command speaks: exit statuses, and messages on standard error.
#ifndef RUNNER_STATUS_H
#define RUNNER_STATUS_H

#define RUNNER_VERSION "0.1"

// Exit statuses; those of a finished session come from results_exit_status.
enum {
    RUNNER_EXIT_PASS = 0,
    RUNNER_EXIT_FAIL = 1,
    RUNNER_EXIT_USAGE = 2,        // wrong usage
    RUNNER_EXIT_HARNESS = 3,      // the harness or its surroundings failed
    RUNNER_EXIT_INCONCLUSIVE = 4, // nothing can be said
};

// One line "plumbline: ..." on standard error.
void runner_complain(const char* format, ...) __attribute__((format(printf, 1, 2)));

#endif
