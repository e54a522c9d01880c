// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The end of every session: its runs judged together, written and printed.
#ifndef RUNNER_SESSION_REPORT_H
#define RUNNER_SESSION_REPORT_H

#include "runner/job/job.h"

struct session_results {
    const char* line; // the command as the user typed it
    const char* out;  // the session's directory, which exists
    const struct jdk* jdk;
    uint64_t seed;
    const struct job* jobs; // unfinished ones are left out
    size_t count;
    size_t planned;   // more than `count`: runs are missing, and the session cannot pass
    bool interrupted; // by the user
    bool program;     // of `plumbline run`
};

// Judges the finished jobs; writes results.json, report.txt, clusters.txt and cmd.sh, and prints
// the report. Returns the exit status.
int session_report(const struct session_results* results);

#endif
