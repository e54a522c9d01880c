// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What a session leaves on disk to go on after an interruption, be it SIGKILL at any moment:
//     OUT/unfinished         what the session is: JDK, agent, options, and each JVM's command line,
//                            or why it is left out; also what the other shares of the plan run.
//                            Becomes OUT/session when all runs are finished
//     OUT/runs/X/finished    how the run ended; its counts are in run.plumbline
// Both come to their names when they are whole.
#ifndef RUNNER_RESUME_H
#define RUNNER_RESUME_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/launch/launch.h"
#include "plan.h"

struct resume {
    const char* out; // the session's directory
    const struct options* options;
    const struct jdk* jdk;
    const struct home* home;
    struct job* jobs; // opened
    size_t count;
    const struct plan* plan; // what other shares run is written down, too; NULL: there are none
};

// May this session go on with what is in its directory? With --resume it must, in preset full it
// does where there is an unfinished session. Then takes back the jobs that were finished, and
// *restored says how many. Else forgets whatever is there and writes `unfinished`. 0; or a runner
// exit status with the reason in `error`: nothing to resume, or another session.
int resume_begin(const struct resume* resume, size_t* restored, char* error, size_t error_size);
// Is there something in the directory that this session would go on with?
bool resume_is_begun(const struct resume* resume);
// All is done.
void resume_end(const struct resume* resume);

// Was the run in job->directory finished? Then takes it back: the job is as it was. If no layers
// are asked of it, it has those that it had.
bool resume_take_back(struct job* job);

// Books a finished job. Where that cannot be written the run will be made again, and nothing else.
void resume_book(const struct job* job);

#endif
