// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One JVM run, from its directory to what is booked.
#ifndef RUNNER_JOB_H
#define RUNNER_JOB_H

#include <limits.h>
#include <stdbool.h>

#include "cells.h"
#include "command.h"
#include "expect.h"
#include "expectations.h"
#include "launch.h"
#include "programs.h"

#define JOB_PATH (PATH_MAX + 320)

// A listed program's way: listed.h. A case has the last stage alone.
enum job_stage { JOB_INPUT, JOB_BARE, JOB_JUDGED };

struct job {
    struct command command;
    struct options own; // the session's, but for what is another in this run; command.options
    const struct program* program; // NULL: a case, or the program of `plumbline run`
    struct words arguments;        // the program's
    enum job_stage stage;
    double limit;             // seconds
    char work[JOB_PATH + 96]; // the program's working directory
    bool again;               // this is its second run, because the first one judged too little
    char name[160];           // of the case or the program
    char directory[JOB_PATH];
    char note[400];
    char remark[128], wrong[128];
    struct cells cells;                                   // that its case is for
    const struct expectations* expectations;              // of all cases; NULL: none
    struct expectations_room ceilings;                    // of its case
    struct results_expected expected[ORACLE_LAYER_COUNT]; // of its case
    struct launch_child child;
    struct results_run* run; // stays mapped until job_close
    bool finished;           // `execution` says how
    struct results_execution execution;
};

// Prepares job->execution (job->command, but for its directory and options, job->own, job->program,
// job->name and job->expectations are set). `out` is
// the session's directory.
void job_open(struct job* job, const char* out);
// Books that it is not run, and why.
void job_skip(struct job* job, const char* why);
// Makes its directory and files and starts the JVM. Where that fails the job is finished, and its
// execution says why.
void job_start(struct job* job, double limit);
// Has it ended? Then its execution is complete. True once.
bool job_poll(struct job* job);
// Takes a finished job back to be started again, for so many seconds.
void job_again(struct job* job, const char* out, double seconds, const char* remark);
void job_close(struct job* job);

// For listed.c: books that something could not be started; starts the JVM with the agent.
void job_fail(struct job* job, const char* what, int error);
void job_start_judged(struct job* job);

#endif
