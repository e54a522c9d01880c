// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The parts of sessions behind the door: one session, its jobs, resumption, report, shares, matrix.
#ifndef RUNNER_SESSION_PARTS_H
#define RUNNER_SESSION_PARTS_H

#include "runner/base/base.h"
#include "runner/job/job.h"
#include "runner/options/options.h"
#include "runner/plan/plan.h"
#include "session.h"

// ---- roster.c ----------------------------------------------------------------------------------
// The jobs of a session: of the plan's cases or listed programs, or of the user's own program.

struct roster {
    struct job* jobs;
    size_t count;
};

// The parts of every job; they outlive the jobs.
struct roster_source {
    const struct options* options;
    const struct home* home;
    const struct jdk* jdk;
    const struct results_causes* causes; // NULL: none
    const struct ceilings* ceilings;     // NULL: none
    const struct profiler* profiler;     // NULL: none is judged
    struct ability* ability;             // asked whether the JVM can run a job
    const char* out;
};

// Each fills *roster with opened jobs. Ends the process without memory.
void roster_of_plan(const struct roster_source* source, const struct plan* plan,
                    struct roster* roster);
void roster_of_user(const struct roster_source* source, struct roster* roster);
void roster_free(struct roster* roster);

// ---- resume.c ----------------------------------------------------------------------------------
// The files by which a session can be continued after an interruption, even after SIGKILL:
//     OUT/unfinished        describes the session: JDK, agent, options, each JVM's command line
//                           or the reason why it is left out, the runs of the plan's other
//                           shares. Renamed to OUT/session when all runs are finished
//     OUT/runs/X/finished   how the run ended; its counts are in run.plumbline
// Each file gets its name when it is complete.

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
// Has a session, finished or not, written of itself in the directory?
bool resume_is_there(const char* directory);
// The reason why --resume cannot go on in the directory, where it has none, and the exit status.
int resume_refuse(const char* directory, char* error, size_t error_size);
// All runs are finished.
void resume_end(const struct resume* resume);

// Was the run in job->directory finished? Then restores the job's execution from it. If no layers
// are asked of the job, it gets the run's.
bool resume_take_back(struct job* job);

// Books a finished job. If the booking cannot be written, the run will only be made again.
void resume_book(const struct job* job);

// ---- more_time.c -------------------------------------------------------------------------------
// Which runs judged too little, or showed more than was measured, with nothing else wrong: those
// may be repeated, for longer.

// Seconds for another run of the finished job; 0: more time would not help. That is the time its
// poorest row needs, doubled because a program's start may be its busiest time, but 2.5 to 8 times
// the last run's. `remark` receives both runs' numbers in words, for the report. A row that failed
// for an unexplained error, or for anything but its ceilings, keeps its run. There is a third run
// where the second had no error and still judged too little, if it needs at most a minute.
// `condemned`: a second run of the session has failed already. Then the JVM fails, whatever others
// show, and no run is repeated for what it shows too often.
double more_time_wanted(const struct job* job, bool condemned, char* remark, size_t remark_size);
// Whether a row of the finished job is FAIL.
bool more_time_failed(const struct job* job);

// Does the run say anything about the JVM? A run that the harness spoiled does not count as
// finished.
bool more_time_is_sound(const struct job* job);

// ---- session_report.c --------------------------------------------------------------------------
// The end of every session: its runs judged together, written and printed.

struct session_results {
    const char* line; // the command as the user typed it
    const char* out;  // the session's directory, which exists
    const struct jdk* jdk;
    uint64_t seed;
    const struct job* jobs; // unfinished ones are left out
    size_t count;
    size_t planned;   // more than `count`: runs are missing, and the session cannot pass
    bool interrupted; // by the user
    bool program;     // of `plumbline run`
    bool quiet;       // nothing is printed
};

// Judges the finished jobs; writes results.json, report.txt, clusters.txt and cmd.sh, and prints
// the report. Returns the exit status.
int session_report(const struct session_results* results);

// ---- merge_read.c ------------------------------------------------------------------------------
// The description that a session wrote of itself (resume.c), read back for `plumbline merge`.

// The best state comes first.
enum merge_state { MERGE_FINISHED, MERGE_LEFT_OUT, MERGE_NOT_MADE, MERGE_ELSEWHERE };

struct merge_run {
    char name[320]; // CASE-MODE-SCOPE
    char note[400]; // LEFT_OUT: why
    uint32_t layers;
    enum merge_state state;
    const struct merge_share* share;
    size_t order; // for the caller
};

struct merge_share {
    char directory[PATH_MAX];
    char jdk[PATH_MAX], version[64], vm[256];
    char options[4096]; // the lines that must be equal in all shares
    unsigned long long seed;
    struct merge_run* runs;
    size_t count, room;
};

// Reads DIRECTORY/session, or DIRECTORY/unfinished. 0, or -1 with the reason in `error` and *share
// empty.
int merge_read(const char* directory, struct merge_share* share, char* error, size_t error_size);
void merge_read_free(struct merge_share* share);

// ---- matrix_table.c ----------------------------------------------------------------------------
// The rows of several results.json side by side.

struct matrix_column {
    const char* label; // one word
    const char* path;  // the session's results.json; NULL: there is none
};

// Prints the rows of all columns, in the order of their first appearance, with verdict and rate:
// "XFAIL 0.12 %"; "-" if a column has no such row. 0, or -1 without memory.
int matrix_table(const struct matrix_column* columns, size_t count, FILE* out);

// ---- matrix.c ----------------------------------------------------------------------------------
// validate and run with several JDKs or profilers: a session for each pair, one after the other,
// and a table with a column for each, the oldest build first.

// Each session is the command with one of its JDKs and one of its profilers, in a process of its
// own. It is in OUT/VERSION, OUT/PROFILER or OUT/VERSION-PROFILER; further JDKs with the same
// version get "-2" and so on, in the order given. Writes and prints
// OUT/matrix.txt. A JDK that cannot be examined has a column that gives the reason. With --resume,
// and in preset full, finished sessions are kept. Returns the exit status: a failure of any JDK
// outweighs the harness's trouble, and that outweighs an inconclusive result.
int matrix_run(const struct options* options, enum options_command kind,
               const struct base_call* call);
// Is there more than one JDK or profiler?
bool matrix_is_asked(const struct options* options);

#endif
