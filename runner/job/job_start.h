// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The parts of a job's start and end that cases and listed programs share.
#ifndef RUNNER_JOB_START_H
#define RUNNER_JOB_START_H

#include "job.h"

#define JOB_FILE (JOB_PATH + 96)
// The path of a file in the job's directory.
void job_path(const struct job* job, const char* name, char path[JOB_FILE]);

// Finishes the job with this end and note.
void job_end(struct job* job, enum results_end end, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
// The same: `what` could not be made or started, with this errno.
void job_fail(struct job* job, const char* what, int error);

// Starts a child under the job's limit. Its output goes to the files PREFIXstdout.txt and
// PREFIXstderr.txt; prefix NULL: to ours. 0, or an errno.
int job_launch(struct job* job, const struct words* words, const char* directory,
               const char* prefix);
// Starts the JVM with the agent. If that fails, the job is finished.
void job_start_judged(struct job* job);

#endif
