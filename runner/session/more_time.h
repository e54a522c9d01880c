// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Which runs judged too little and nothing else: those may be made again, for longer.
#ifndef RUNNER_MORE_TIME_H
#define RUNNER_MORE_TIME_H

#include <stdbool.h>

#include "runner/launch/launch.h"

// Would more time help the finished job? Then so many seconds: what its poorest row needs, doubled (the
// start of a program may be its busiest time), but at least 3 and at most 8 times what it had; `remark`
// says what there was and how long it will run now: words for the report. 0: no. Counts decide alone,
// not what was wrong in them, so that running again favours no verdict; a row that failed keeps its run.
double more_time_wanted(const struct job* job, char* remark, size_t remark_size);

// Does it say anything of the JVM? What the harness spoiled is no finished run.
bool more_time_is_sound(const struct job* job);

#endif
