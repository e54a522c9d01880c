// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The run of a listed program (programs.h), in three stages, each a child of its own: its input is
// made, it runs without Plumbline, and then with it. What it prints must be the same both times.
//     RUN/input       what `input` made: ${input}
//     RUN/bare        where it ran without Plumbline, with its bare.stdout.txt, bare.stderr.txt
//     beside RUN/work        where it ran with Plumbline
#ifndef RUNNER_LISTED_H
#define RUNNER_LISTED_H

#include "launch.h"

// Sets the job up for the program: its arguments and limits, or that it is left out. job->program,
// job->command and job->directory are set.
void listed_open(struct job* job);
// Makes the directories and starts the first stage. Where that fails the job is finished.
void listed_start(struct job* job);
// The child of a stage before the last has ended: starts the next. Where that fails, or the stage
// did, the job is finished.
void listed_go_on(struct job* job);
// The last stage has ended: compares.
void listed_end(struct job* job);
void listed_close(struct job* job);

#endif
