// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One JVM run of a case or a program: its command line, the question whether this JVM can run it,
// its files, start and end, and its progress. Which runs there are, and what their results mean, is
// decided elsewhere.
#ifndef RUNNER_JOB_H
#define RUNNER_JOB_H

#include "results/profile/profile.h"
#include "results/report/report.h"
#include "runner/base/base.h"
#include "runner/jdk/jdk.h"
#include "runner/launch/launch.h"
#include "runner/lists/lists.h"
#include "runner/options/options.h"

// ---- The command line ---------------------------------------------------------------------------
// One JVM's command line: as words to execute, and as a script that repeats it.

struct command {
    const struct home* home;
    const struct jdk* jdk;
    const struct options* options;
    const struct mode* mode;
    const struct case_info* test;    // NULL: the program of options->java_arguments
    const char* directory;           // of this run: absolute
    const char* scope;               // NULL: that of the options
    const struct profiler* profiler; // that is judged, too; NULL: none
};

// The scope in which it runs, and the layers that are asked for there.
const char* command_scope(const struct command* command);
// How often its profiler samples; "" where the description has no period.
const char* command_period(const struct command* command);
uint32_t command_layers(const struct command* command);

// Adds the flags that a JVM needs for cases with whitebox = 1.
void command_add_whitebox(const struct home* home, struct words* words);

// Adds the words of the command that counts in `run_file`. 0, or -1 if the case's flags or
// --vm-options leave a quotation open.
int command_build(const struct command* command, const char* run_file, struct words* words);

// Writes <directory>/cmd.sh, which runs the same JVM again. Its counts go into again.plumbline, so
// the counts of this run stay. 0, or -1 with errno set.
int command_script(const struct command* command);
// plumbline make-run-file FILE, not for users: cmd.sh makes again.plumbline with it.
int make_run_file_command(const struct base_call* call);

// Writes a name for the program: its main class, module or jar without directory. Characters other
// than letters, digits and "._-" become _. "program" if there is none.
void command_program_name(const struct options* options, char* name, size_t size);

// ---- Ability ------------------------------------------------------------------------------------
// Modes and cases need things that not every JVM has: flags, a collector that was built in,
// WhiteBox. No table of releases tells that. The JVM itself is started and asked, once for each
// question.

// All zero: nothing was asked.
struct ability {
    struct ability_answer {
        bool known;
        char why[200]; // empty: it has it
    } modes[MODE_COUNT], whitebox, flags;
    bool interrupted; // the user interrupted a question: stop
};

// Why this JVM cannot run the command: a text that belongs to *ability. NULL: it can, or it crashes
// or hangs over the question, and the run itself will show that.
const char* ability_lacks(struct ability* ability, const struct command* command);

// ---- The run ------------------------------------------------------------------------------------
// One JVM run, from its directory to its booked execution.

#define JOB_PATH (PATH_MAX + 320)

// The stages of a listed program's run (job_parts.h). A case begins with JOB_JUDGED. JOB_READ: the
// profiler's file is read, where one is judged.
enum job_stage { JOB_INPUT, JOB_BARE, JOB_JUDGED, JOB_READ };

struct job {
    struct command command;
    struct options own;            // the session's options, changed for this run; command.options
    const struct program* program; // NULL: a case, or the program of `plumbline run`
    struct words arguments;        // the program's
    enum job_stage stage;
    double limit;             // seconds
    char work[JOB_PATH + 96]; // the program's working directory
    unsigned repeats;         // 1: this is its second run, since the first one judged too little
    char name[160];           // of the case or the program
    char directory[JOB_PATH];
    char note[400];
    char remark[128], wrong[128];
    char asked_in[200];
    char unprofiled[400];
    char spoiled[240];
    struct cells cells;                                   // that its case is for
    const struct results_causes* causes;                  // that are known; NULL: none
    const struct ceilings* ceilings;                      // of all cases; NULL: none
    struct ceilings_room room;                            // the ceilings of its case
    struct results_expected expected[ORACLE_LAYER_COUNT]; // of its case
    struct launch_child child;
    struct results_run* run;         // stays mapped until job_close
    struct results_record* record;   // of a run that has ended, until job_close; NULL: none
    struct results_profile* profile; // of a profiler that was judged, until job_close; NULL: none
    bool finished;                   // `execution` says how
    struct results_execution execution;
};

// Prepares job->execution. Set before: job->command without its directory, job->own, job->program,
// job->name, job->causes and job->ceilings. `out` is the session's directory.
void job_open(struct job* job, const char* out);
// Books that it is left out, and why.
void job_skip(struct job* job, const char* why);
// Makes its directory and files and starts the JVM. If that fails, the job is finished and its
// execution says why.
void job_start(struct job* job, double limit);
// Has it ended? Then its execution is complete. True once.
bool job_poll(struct job* job);
// Prepares a finished job for another start, for so many seconds.
void job_again(struct job* job, const char* out, double seconds, const char* remark);
void job_close(struct job* job);
// Can a JVM have run so long, and have done so many units of work in it?
bool job_is_time(double seconds);
bool job_is_work(unsigned long long units, double seconds);
// Whether a line of a JVM's output says nothing of why it ended: empty, or a warning.
bool job_is_preamble(const char* line);
// The JVM has ended: adds to its record what it left in the ring, and opens the record. job_poll
// does so itself; a run that is taken over from an earlier session needs it.
void job_read_record(struct job* job);

// ---- Progress -----------------------------------------------------------------------------------
// Progress, on standard error: one line that is rewritten on a terminal, else a plain line now and
// then.

// Rewrites the line: run `number` of `total`, with the job's counts so far. Does nothing if
// standard error is no terminal.
void progress_show(size_t number, size_t total, const struct job* job);
// Removes the line.
void progress_clear(void);

// The counts of all jobs of a plan together. A row is a layer of a run.
struct progress_counts {
    size_t rows, rows_done;
    uint64_t judged, mismatched; // samples, of unfinished runs too
    uint64_t unexplained;        // of the mismatches: of no cause
    struct progress_cause {      // the others, the most frequent first
        const char* name;        // the run's
        uint64_t count;
    } causes[RESULTS_CAUSES];
    size_t cause_count;
    double left;               // expected seconds to the end; below 0: unknown
    const struct job* running; // the first running job; NULL: none
};

// Counts jobs[0..count). The first `next` of them were started or left out, at most `parallel` at a
// time. `expected` is a run's length in seconds, used until finished runs show it.
struct progress_counts progress_count(const struct job* jobs, size_t count, size_t next,
                                      unsigned parallel, double expected, double now);

// "12 of 72 rows done, 1:20 left, 2 unexplained, 15 known errors (9 runtime-stub, 6 epilogue),
// 123456 samples judged" into text; returns it. The two most frequent causes are named. What
// matters comes first: a terminal's line is cut.
#define PROGRESS_TEXT 256
const char* progress_text(const struct progress_counts* counts, char text[PROGRESS_TEXT]);

// Seconds before each plain line: an hour's run must not fill a log.
#define PROGRESS_INTERVAL 60.0
// Shows the counts, if it is time. On a terminal the unexplained are red, unless NO_COLOR is set.
// *last is the time of the last line, at first the plan's beginning.
void progress_show_plan(const struct progress_counts* counts, double now, double* last);

#endif
