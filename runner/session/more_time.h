// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Which runs judged too little, with nothing else wrong: those may be repeated, for longer.
#ifndef RUNNER_MORE_TIME_H
#define RUNNER_MORE_TIME_H

#include <stdbool.h>

#include "runner/job/job.h"

// Seconds for a second run of the finished job; 0: more time would not help. That is the time its
// poorest row needs, doubled because a program's start may be its busiest time, but 3 to 8 times
// the first run's. `remark` receives both runs' numbers in words, for the report. Counts alone
// decide, and not the mismatches among them, so running again favours no verdict; a row that failed
// keeps its run.
double more_time_wanted(const struct job* job, char* remark, size_t remark_size);

// Does the run say anything about the JVM? A run that the harness spoiled does not count as
// finished.
bool more_time_is_sound(const struct job* job);

#endif
