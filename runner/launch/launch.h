// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// TODO door of runner/launch
#ifndef RUNNER_LAUNCH_H
#define RUNNER_LAUNCH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "results/report/report.h"
#include "runner/base/base.h"
#include "runner/lists/lists.h"
#include "runner/options/options.h"

// ---- launch -------------------------------------------------------------------------------------
// Child processes: each leads a process group of its own, has a time limit, and is reaped together
// with all that it started. No signal handler anywhere: the signals that matter are blocked and
// waited for, so nothing can come at a bad time.

struct launch {
    char* const* words;     // the program, by path, and its arguments; NULL-terminated
    int output, errors;     // descriptors for its standard output and error; -1: ours
    const char* directory;  // its working directory; NULL: ours
    double limit;           // seconds after which it is killed; 0: never
    bool plain_environment; // without JAVA_TOOL_OPTIONS and the like
    bool terminal;          // it may read from our terminal; else its standard input is empty
};

struct launch_child {
    pid_t pid; // 0: none
    double started, deadline;
    bool killed;
    bool terminal;
    enum results_end end; // after launch_poll gave true
    int status;           // see struct results_execution
    double seconds;
};

// Blocks SIGINT, SIGTERM, SIGHUP and SIGCHLD for this process: before the first launch_start.
void launch_prepare(void);

// Starts it. 0, or an errno: it could not be started, and there is no child.
int launch_start(const struct launch* launch, struct launch_child* child);

// Has it ended? Kills it where its time is over. True once, when it is reaped.
bool launch_poll(struct launch_child* child);

// Kills the child's whole group; launch_poll will reap it. `end` is what to book.
void launch_kill(struct launch_child* child, enum results_end end);

// Waits until a child may have ended, `seconds` are over, or the user interrupts: then the signal's
// number, else 0.
int launch_wait(double seconds);

// Seconds on a clock that nobody sets.
double launch_now(void);

// ---- jdk ----------------------------------------------------------------------------------------
// The JDK under test: is it there, is it whole enough, and which is it?

// Names of flags: a release build has about 930 of 22 letters, a debug build twice as many.
#define JDK_FLAGS_SIZE (128 * 1024)

struct jdk {
    char home[PATH_MAX];
    char java[PATH_MAX + 16];
    char version[64]; // java.version, e.g. "17.0.19"
    char vm[256];     // java.vm.name and java.vm.version
    int feature;      // 8, 11, 17, ...
    bool interrupted; // it could not be examined, because the user interrupted
    // The names of the -XX flags that this JVM has, each between newlines, as it says itself;
    // empty: it does not say.
    char flags[JDK_FLAGS_SIZE];
};

// Examines the directory and runs `java -version` there, under a time limit. What is needed is
// bin/java and a libjvm.so with JVMTI, so a JRE will do. 0, or -1 with what is missing in `error`.
int jdk_examine(const char* directory, struct jdk* jdk, char* error, size_t error_size);

// Runs java with these words after its name, all that it prints into `output`, under the same time
// limit. 0 and *child says how it ended; or why it did not end by itself: EINTR, the user
// interrupted, or else it could not be started.
int jdk_run(const struct jdk* jdk, const struct words* words, FILE* output,
            struct launch_child* child);

// 8 of "1.8.0_504", 17 of "17.0.19", 27 of "27-ea"; 0 if it is no version.
int jdk_feature(const char* version);

// ---- command ------------------------------------------------------------------------------------
// One JVM's command line, as words to execute and as a script to repeat it.

struct command {
    const struct home* home;
    const struct jdk* jdk;
    const struct options* options;
    const struct mode* mode;
    const struct case_info* test; // NULL: the program of options->java_arguments
    const char* directory;        // of this run: absolute
    const char* scope;            // NULL: that of the options
};

// In which scope it runs, and which layers it is asked for there.
const char* command_scope(const struct command* command);
uint32_t command_layers(const struct command* command);

// What a JVM needs for the cases with whitebox = 1.
void command_add_whitebox(const struct home* home, struct words* words);

// The words of the command that counts in `run_file`, appended to *words. 0, or -1 where the case's
// flags or --vm-options leave a quotation open.
int command_build(const struct command* command, const char* run_file, struct words* words);

// Writes <directory>/cmd.sh, which runs the same JVM again; its counts go into again.plumbline, so
// that those of this run stay. 0, or -1 with errno set.
int command_script(const struct command* command);

// A name for the program: its main class, module or jar without directory and with nothing in it
// but letters, digits, and "._-". Writes "program" where it finds none.
void command_program_name(const struct options* options, char* name, size_t size);

// ---- ability ------------------------------------------------------------------------------------
// What modes and cases need and not every JVM has: flags, a collector that was built in, WhiteBox.
// No table of releases knows that: the JVM itself is started and asked, once for each question.

// All zero: nothing was asked.
struct ability {
    struct ability_answer {
        bool known;
        char why[200]; // empty: it has it
    } modes[MODE_COUNT], whitebox, flags;
    bool interrupted; // by the user, while a JVM was asked: no use going on
};

// Why this JVM cannot run that command: a text to show, *ability's. NULL: it can, or it dies over
// the question (crashes, hangs), which the run itself is to show.
const char* ability_lacks(struct ability* ability, const struct command* command);

// ---- job ----------------------------------------------------------------------------------------
// One JVM run, from its directory to what is booked.

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
    struct results_run* run;       // stays mapped until job_close
    struct results_record* record; // of a run that has ended, until job_close; NULL: none
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
// The JVM has ended: adds to its record what it left in the ring, and opens it. job_poll does so
// itself; a run that is taken over from an earlier session needs it.
void job_read_record(struct job* job);

// For listed.c: books that something could not be started; starts the JVM with the agent.
void job_fail(struct job* job, const char* what, int error);
void job_start_judged(struct job* job);

// ---- progress -----------------------------------------------------------------------------------
// How far a command is, on standard error: one line that is rewritten where that is a terminal,
// else a plain line now and then.

// Rewrites the line: run `number` of `total`, with the job's counts so far. Nothing where standard
// error is no terminal.
void progress_show(size_t number, size_t total, const struct job* job);
// Takes the line away.
void progress_clear(void);

// ---- A plan of many runs ----------------------------------------------------------------------

// What all its jobs come to; a row is a layer of a run.
struct progress_counts {
    size_t rows, rows_done;
    uint64_t judged, mismatched; // samples; those of runs that go on too
    double left;                 // seconds that it will still take; below 0: nobody knows
    const struct job* running;   // the first of those that run, NULL: none
};

// Counts jobs[0..count), `next` of which were started or left out, at most `parallel` at a time.
// `expected`: seconds that a run takes, until some have ended and show it.
struct progress_counts progress_count(const struct job* jobs, size_t count, size_t next,
                                      unsigned parallel, double expected, double now);

// "12 of 72 rows done, 123456 samples judged, 17 mismatches, 1:20 left" into text; returns it.
#define PROGRESS_TEXT 160
const char* progress_text(const struct progress_counts* counts, char text[PROGRESS_TEXT]);

// Seconds between two plain lines: an hour's run shall not fill a log. The first comes after as
// many.
#define PROGRESS_INTERVAL 30.0
// Shows them, if it is time; `last` is when it was last done (begin: when the plan began).
void progress_show_plan(const struct progress_counts* counts, double now, double* last);

// ---- locate -------------------------------------------------------------------------------------
// What a user calls a JDK: its directory, a build tree with an image in it, or an archive.

// Writes the JDK's directory to `home`:
//     a JDK's own directory                      itself
//     a directory with images/jdk                that
//     a source tree with one build/X/images/jdk  that; several: refused, with their names
//     a file                                     the JDK in it, unpacked below `cache` (unpack.h)
// What is none of these is written as it was given: jdk_examine says what is wrong with it. 0, or
// -1 with the reason in `error`.
int locate_jdk(const char* given, const char* cache, char home[PATH_MAX], char* error,
               size_t error_size);

// ---- symbols ------------------------------------------------------------------------------------
// Functions of libraries by their place in the file: of the JDK's, found by name under its home,
// and of those that the system's loader knows. From .symtab where there is one, else from .dynsym;
// C++ names are demangled.

struct symbols;

// For the JDK at `home`. Nothing is read yet. Ends the process where there is no memory.
struct symbols* symbols_open(const char* home);
void symbols_close(struct symbols* symbols);

// "libjvm.so+0x8a1c2e", or a path in the place of the name, to "frame::sender+0x1e" in text (the
// parameters are left out; +0 is not). `symbols` is what symbols_open gave. False, text untouched:
// it is not of that form, the library is not found, or no symbol covers the place.
bool symbols_name(void* symbols, const char* where, char* text, size_t size);

#endif
