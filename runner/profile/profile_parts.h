// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The page behind the door: what is known of each profiler, as text and as JSON.
#ifndef RUNNER_PROFILE_PARTS_H
#define RUNNER_PROFILE_PARTS_H

#include "results/profile/profile.h"
#include "results/report/report.h"
#include "runner/base/base.h"

// One profiler's session.
struct profile_part {
    const char* name;  // of the profiler
    const char* about; // what it is, in one line
    char out[PATH_MAX];
    bool ran; // the JVM was started; else `why` says why not
    enum results_end end;
    int status;                       // of the JVM: struct results_execution
    double seconds;                   // that the JVM ran
    char why[PATH_MAX + 512];         // what is wrong; empty: nothing
    enum results_row_verdict verdict; // of the row of layer profiler
    bool judged;                      // `profile` is there
    struct results_profile profile;
    int exit_status; // of the session
};

struct profile_page {
    const char* line;    // the command as the user typed it
    const char* program; // main class, module or jar
    char jdk[128], vm[256];
    const struct results_causes* causes;
    struct profile_part* parts;
    size_t count;
};

// One page for a terminal: for each profiler in one sentence how far to trust it; the accounts and
// verdicts beside each other; then for each the two walkers at the same instants, and the profile.
void profile_page_print(const struct profile_page* page, FILE* out);
// The same as JSON (jansson's), with all methods of the profiles. NULL without memory.
struct json_t* profile_page_json(const struct profile_page* page);

// The method with most self time by the truth, and by the profiler; "" where there is none. Time
// that is in no instrumented method belongs to none.
const char* profile_hottest_truth(const struct results_profile* profile);
const char* profile_hottest_given(const struct results_profile* profile);

#endif
