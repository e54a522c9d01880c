// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The parts of jobs behind the door.
#ifndef RUNNER_JOB_PARTS_H
#define RUNNER_JOB_PARTS_H

#include "job.h"

// ---- job_start.c -------------------------------------------------------------------------------
// The parts of a job's start and end that cases and listed programs share.

#define JOB_FILE (JOB_PATH + 96)
// The path of a file in the job's directory.
void job_path(const struct job* job, const char* name, char path[JOB_FILE]);

// Finishes the job with this end and note.
void job_end(struct job* job, enum results_end end, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
// The same: `what` could not be made or started, with this errno.
void job_fail(struct job* job, const char* what, int error);

#define JOB_PROBLEM 160
struct job_child {
    const struct words* words;
    const char* what;      // the beginning of the problem if it does not start
    const char* directory; // NULL: ours
    const char* prefix; // its output goes to PREFIXstdout.txt and PREFIXstderr.txt; NULL: to ours
    bool data;          // its standard output is read by us, and kept whole
};
// Starts a child under the job's limit. False with the problem: "WHAT: reason", or of a log that
// cannot be made "FILE: reason".
bool job_launch(struct job* job, const struct job_child* child, char problem[JOB_PROBLEM]);
// Starts a child that the job cannot do without. If that fails, the job is finished.
void job_start_child(struct job* job, const struct job_child* child);
// Starts the JVM with the agent. If that fails, the job is finished.
void job_start_judged(struct job* job);

// ---- crash.c -----------------------------------------------------------------------------------

// What HotSpot's error log (hs_err) says of a death. `thread`: 0, it does not say; 8 writes another
// number than the system's. `note`: the signal, or the message of an internal error, and the frame
// in which that was: "SIGSEGV at V  [libjvm.so+0x8a]  name". Of an internal error 11 names no
// problematic frame; then it is the first of the library's that does not itself write the log.
// Empty: the log says nothing.
struct crash_told {
    uint32_t thread;
    char note[400];
};
void crash_read(FILE* file, struct crash_told* told);

// ---- work.c ------------------------------------------------------------------------------------
// A case ends with "units N seconds S" and more. No such line, no units, or numbers that cannot be:
// it did no work. Fills work, units and unit_seconds.

void work_read(FILE* file, struct results_execution* execution);

// ---- profiled.c --------------------------------------------------------------------------------
// The profiler that is judged, too. The JVM writes its file; a class on the JDK under test reads it
// (runner/profile); results/profile judges.

#define PROFILED_FILE "profile.jfr"
#define PROFILED_SETTINGS "profile.jfc"
#define PROFILED_SAMPLES "profile.stdout.txt"
#define PROFILED_PAGE "profile.txt"

// Before the JVM is started: writes JFR's settings, where the profiler has some. 0, or an errno.
int profiled_prepare(const struct job* job);
// The JVM has ended: starts the reader, where there is something to read. False: there is not.
bool profiled_start(struct job* job);
// The reader has ended: judges what it wrote.
void profiled_end(struct job* job);

// ---- listed.c ----------------------------------------------------------------------------------
// The run of a listed program, in three stages, each a child of its own: its input is made, it runs
// without Plumbline, and it runs with it. Its output must be the same both times.
//     RUN/input       made by `input`: ${input}
//     RUN/bare        where it ran without Plumbline; bare.stdout.txt and bare.stderr.txt beside it
//     RUN/work        where it ran with Plumbline

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
