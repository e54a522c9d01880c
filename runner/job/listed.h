// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The run of a listed program, in three stages, each a child of its own: its input is made, it runs
// without Plumbline, and it runs with it. Its output must be the same both times.
//     RUN/input       made by `input`: ${input}
//     RUN/bare        where it ran without Plumbline; bare.stdout.txt and bare.stderr.txt beside it
//     RUN/work        where it ran with Plumbline
#ifndef RUNNER_LISTED_H
#define RUNNER_LISTED_H

#include "job.h"

// Prepares the job for its program: arguments and limits, or that it is left out. Set before:
// job->program, job->command and job->directory.
void listed_open(struct job* job);
// Makes the directories and starts the first stage. If that fails, the job is finished.
void listed_start(struct job* job);
// The child of a stage before the last has ended: starts the next stage. If that fails, or the
// stage failed, the job is finished.
void listed_go_on(struct job* job);
// The last stage has ended: compares both outputs.
void listed_end(struct job* job);
void listed_close(struct job* job);

#endif
