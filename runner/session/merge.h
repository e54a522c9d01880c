// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// `plumbline merge`: the runs of several sessions as one session. Runs are the unit: each has its
// counts in a file of its own, and all are judged anew by what judges any session. So the merged
// report is that of a session that made all runs itself, whatever the order of the directories.
#ifndef RUNNER_MERGE_H
#define RUNNER_MERGE_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/base/base.h"

struct merge_options {
    char** directories; // argv's
    size_t count;
    const char* out; // NULL: the default
};

// As options_parse; `directories` points into argv.
int merge_parse(int argc, char** argv, bool stay, struct merge_options* options);

// Links the runs into the new session's directory (copies them where that is another file system),
// judges and reports. Says on standard error which runs were made more than once (one counts: that
// of the directory whose path comes first) and which are missing: then it is INCONCLUSIVE at best.
// Sessions of another JVM, or with other options, are refused. Returns the exit status.
int merge_run(const struct merge_options* options, const struct home* home, const char* command);

#endif
