// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The files by which a session can be continued after an interruption, even after SIGKILL:
//     OUT/unfinished        describes the session: JDK, agent, options, each JVM's command line
//                           or the reason why it is left out, the runs of the plan's other
//                           shares. Renamed to OUT/session when all runs are finished
//     OUT/runs/X/finished   how the run ended; its counts are in run.plumbline
// Each file gets its name when it is complete.
#ifndef RUNNER_RESUME_H
#define RUNNER_RESUME_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/job/job.h"
#include "runner/plan/plan.h"

struct resume {
    const char* out; // the session's directory
    const struct options* options;
    const struct jdk* jdk;
    const struct home* home;
    struct job* jobs; // opened
    size_t count;
    const struct plan* plan; // for the runs of other shares, which are described too; NULL: none
};

// Continues the session in the directory, or begins a new one. With --resume there must be one;
// preset full continues an unfinished one. Continuing takes back the finished jobs, and *restored
// counts them. Beginning forgets the directory's older session and writes `unfinished`. 0; or an
// exit status with the reason in `error`: no session there, or a different one.
int resume_begin(const struct resume* resume, size_t* restored, char* error, size_t error_size);
// Is there a session in the directory that this one would continue?
bool resume_is_begun(const struct resume* resume);
// All runs are finished.
void resume_end(const struct resume* resume);

// Was the run in job->directory finished? Then restores the job's execution from it. If no layers
// are asked of the job, it gets the run's.
bool resume_take_back(struct job* job);

// Books a finished job. If the booking cannot be written, the run will only be made again.
void resume_book(const struct job* job);

#endif
