// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The parts of the commands behind the door: the records that are looked at, and reports.
#ifndef RUNNER_RECORDED_PARTS_H
#define RUNNER_RECORDED_PARTS_H

#include "results/formats/formats.h"
#include "results/report/report.h"
#include "runner/base/base.h"
#include "runner/jdk/jdk.h"

// ---- runs.c ------------------------------------------------------------------------------------
// The records that a command is to look at: of an output directory, of one run's, or one file.

struct runs_one {
    char path[PATH_MAX];      // of the record
    char directory[PATH_MAX]; // where it lies
    char name[256];           // of the case
    char mode[64], scope[16]; // empty where the directory's name does not tell
};

// All of them, and what evidence is printed with: an execution for each, and a report that has
// these and the symbols of the JVM that was recorded.
struct runs {
    struct runs_one* list;
    struct results_execution* executions; // record, name, mode and scope
    size_t count;
    struct symbols* symbols; // NULL: the JDK is not there any more
    struct results_report report;
};

// Opens the record at `path`, or those under it, in the order of their names. 0, or -1 with what is
// wrong in error. The caller's: runs_close.
int runs_open(const char* path, struct runs* runs, char* error, size_t size);
void runs_close(struct runs* runs);
// Prints what is wrong with a record, on standard error: a line each.
void runs_complain(const struct runs* runs, size_t index);
// "transition=off,gaps=off" as bits 1 << enum oracle_rule. False: *wrong is the word that is not
// understood.
bool replay_rules(const char* text, uint32_t* off, const char** wrong);

// ---- report.c ----------------------------------------------------------------------------------
// Reports of earlier runs, in one of several formats. They are read, not judged.

struct report_options {
    char** runs; // output directories of validate or run: the call's words
    int run_count;
    enum results_format format;
    const char* out; // NULL: standard output
};

// 0 and *options complete; else as arguments_parse.
int report_parse(const struct base_call* call, struct report_options* options);

// Writes the report. The exit status is that of the runs' worst verdict, as validate's; 3, with a
// message that names the file, if a run cannot be read or the report cannot be written.
int report_run(const struct report_options* options);

#endif
