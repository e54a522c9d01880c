// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Answers a question about a build by running JVMs, one after the other. Each is read while it
// counts, until the question is answered or its time is over.
#ifndef RUNNER_BISECT_TRIAL_H
#define RUNNER_BISECT_TRIAL_H

#include <limits.h>

#include "bisect_options.h"
#include "bisect_search.h"
#include "runner/job/job.h"

#define BISECT_LOOK 0.2   // seconds between two looks
#define BISECT_STILL 20.0 // seconds without any sample: it hangs

struct bisect_trials {
    const struct bisect_options* options;
    const struct home* home;
    const struct case_info* test;
    const struct mode* mode;
    char out[PATH_MAX]; // a question's JVMs write to out/step-N/jvm-N
};

// Answers the question. BISECT_UNUSABLE: the build does not start, it crashes or hangs although
// that is not sought, or nothing was counted; the note says which.
void bisect_trial(const struct bisect_trials* trials, const char* build,
                  struct bisect_question* question);

#endif
