// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Which runs judged too little and nothing else: those may be made again, for longer.
#ifndef RUNNER_MORE_TIME_H
#define RUNNER_MORE_TIME_H

#include <stdbool.h>

#include "job.h"

// Would more time help the finished job? Then `remark` says what there was and how long it will run
// now: words for the report. Counts decide alone, not what was wrong in them, so that running again
// favours no verdict; a row that failed keeps its run.
bool more_time_helps(const struct job* job, char* remark, size_t remark_size);

// Does it say anything of the JVM? What the harness spoiled is no finished run.
bool more_time_is_sound(const struct job* job);

#endif
