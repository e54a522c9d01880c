// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The parts of the command behind the door: which error, what is known of it, the reproducer, the
// report, the package.
#ifndef RUNNER_BUG_PARTS_H
#define RUNNER_BUG_PARTS_H

#include "results/formats/formats.h"
#include "results/report/report.h"
#include "runner/base/base.h"
#include "runner/jdk/jdk.h"

// ---- Options: bug.c ----------------------------------------------------------------------------

struct bug_options {
    const char* run;            // a session's output directory
    uint64_t cluster, mismatch; // 0: not asked for
    char mismatch_run[512];     // CASE-MODE-SCOPE of --mismatch
    const char* cause;          // NULL: not asked for
    const char* out;            // NULL: by the error's name, in the current directory
    const char* jdk;            // on which the reproducer is tried; NULL: the run's
    uint64_t seconds;           // for which it is tried; 0: it is not
};

// 0 and *options complete; else as arguments_parse.
int bug_parse(const struct base_call* call, struct bug_options* options);

// ---- Which error: bug_find.c -------------------------------------------------------------------

// How often it was seen.
#define BUG_COUNTS 8
struct bug_count {
    char what[160]; // "mismatches of this cluster, in layer async"
    uint64_t events, trials;
};

// An error of a report, and the recorded mismatch that shows it.
struct bug_subject {
    const struct results_report* report;
    const struct results_execution* execution; // of the example; it has a record
    struct results_sample* sample;             // the example: bug_subject_free
    char cause[RESULTS_CAUSE_NAME];            // "unexplained"; empty: attribution, not walking
    char name[256];                            // for a directory: "long-division", "cluster-3"
    struct bug_count counts[BUG_COUNTS];
    size_t count_count;
};

// Finds what the options ask for. 0; or, after a message, the exit status, and *subject is empty.
int bug_find(const struct bug_options* options, const struct results_report* report,
             struct bug_subject* subject);
void bug_subject_free(struct bug_subject* subject);

// ---- What is known: bug_known.c ----------------------------------------------------------------

// The known cause of that name; NULL: there is none, and "unexplained" is none.
const struct results_cause* bug_cause(const struct results_causes* causes, const char* name);

// The section of findings.md that a cause's `finding` names: a number, or the first words of a
// heading as links write them. The caller frees it. NULL: there is none, or the file cannot be
// read; *heading is then untouched, else its heading without the marks, which the caller frees.
char* bug_finding(const char* path, const char* finding, char** heading);

// The comment at the head of a reproducer's program: what it does. The caller frees it; empty where
// there is none.
char* bug_program_about(const char* path);

// The directory under `sources` that holds NAME.java; false: none.
bool bug_case_directory(const char* sources, const char* name, char directory[PATH_MAX]);

// ---- The package: bug_package.c ----------------------------------------------------------------

// A directory in the making, and the names of its files, which become the archive's.
struct bug_package {
    char path[PATH_MAX];           // absolute
    char archive[PATH_MAX + 8];    // PATH.tar.gz
    struct words files;            // relative to `path`
    char error[PATH_MAX * 2 + 64]; // of the first thing that failed; empty: nothing
};

// Makes the directory; neither it nor the archive may be there. 0, or -1 with `error` set, and
// nothing was made.
int bug_package_open(struct bug_package* package, const char* path);
// Each: 0, or -1 with `error` set.
// Opens a new file of this name in the package, whose directories are made; `file` is committed by
// bug_package_commit.
int bug_package_begin(struct bug_package* package, const char* name, struct output_file* file);
int bug_package_commit(struct bug_package* package, struct output_file* file);
// Copies a file, with its right to be executed.
int bug_package_copy(struct bug_package* package, const char* from, const char* name);
// Copies the files of a directory, without those in directories under it, to DIRECTORY/.
int bug_package_copy_all(struct bug_package* package, const char* from, const char* directory);
// Writes the archive of all files; their names in it begin with the directory's.
int bug_package_archive(struct bug_package* package);
// `good` false: removes what was made.
void bug_package_close(struct bug_package* package, bool good);

// ---- The reproducer: bug_trial.c ---------------------------------------------------------------

enum bug_trial_end {
    BUG_TRIAL_NONE,    // the cause has no reproducer
    BUG_TRIAL_NOT,     // it was not tried: `why`
    BUG_TRIAL_FAILED,  // it could not be built or run, or the JVM died: `why`
    BUG_TRIAL_RAN,     // the counts are valid
    BUG_TRIAL_STOPPED, // the user interrupted
};

struct bug_trial {
    enum bug_trial_end end;
    char why[PATH_MAX + 256];
    char jdk[PATH_MAX];
    char vm[256]; // of the JDK it was tried on
    uint64_t wrong, right, refused, samples;
    double seconds, first; // first: of the first wrong trace
    bool shown;            // wrong traces are more than other errors explain (reproducer/agent.c)
};

// Reads the reproducer's last line beginning with "result: " into the counts. False: there is none.
bool bug_trial_read(FILE* output, struct bug_trial* trial);
// Copies the cause's reproducer into the package and tries it as the options say. 0, or -1 with
// package->error set.
int bug_reproduce(const struct base_call* call, const struct bug_options* options,
                  const struct bug_subject* subject, struct bug_package* package,
                  struct bug_trial* trial);

// ---- The report: bug_report.c ------------------------------------------------------------------

// What the report is made of.
struct bug {
    const struct base_call* call;
    const struct bug_options* options;
    const struct bug_subject* subject;
    const struct results_cause* cause; // NULL: of none
    const struct bug_trial* trial;
    const char* case_main; // the case's main class; NULL: its source is not in the package
};

// Prints report.md.
void bug_report(const struct bug* bug, FILE* out);
// What the trial showed, in a sentence or two. Returns text.
#define BUG_TRIAL_TEXT 1024
const char* bug_trial_text(const struct bug_trial* trial, char text[BUG_TRIAL_TEXT]);

#endif
