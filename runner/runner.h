// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The runner: the command `plumbline`. It plans, starts JVMs, waits for them under a time limit,
// and has the results room judge and report. It meets the agent only as options (agent/agent.h, in
// words) and as the run's file (results/results.h). No room includes this one.
//
// Its files: main (which subcommand), options (argv), modes, cases (cases.ini), jdk (what is under
// test), plan (what to run), command (one JVM's arguments), launch (processes, limits, signals),
// session (a plan from its first JVM to results.json), list.
#ifndef RUNNER_RUNNER_H
#define RUNNER_RUNNER_H

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
