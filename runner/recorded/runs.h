// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The records that a command is to look at: of an output directory, of one run's, or one file.
#ifndef RUNNER_RUNS_H
#define RUNNER_RUNS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "results/report/report.h"
#include "runner/jdk/jdk.h"

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
    struct symbols* symbols;
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

#endif
