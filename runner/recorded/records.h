// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The records that a command is to look at: of an output directory, of one run's, or one file.
#ifndef RUNNER_RECORDS_H
#define RUNNER_RECORDS_H

#include <limits.h>
#include <stddef.h>

#include "results/results.h"
#include "runner/jdk/jdk.h"

struct recorded_run {
    char path[PATH_MAX];      // of the record
    char directory[PATH_MAX]; // where it lies
    char name[256];           // case, ended by a zero byte
    char mode[64], scope[16]; // empty where the directory's name does not tell
    struct results_record* record;
};

// The record at `path`, or those under it, in the order of their names, opened. 0, or -1 with what
// is wrong in error. The caller's: recorded_close.
int recorded_open(const char* path, struct recorded_run** runs, size_t* count, char* error,
                  size_t size);
void recorded_close(struct recorded_run* runs, size_t count);

// Prints what is wrong with the records, on standard error: a line each.
void recorded_complain(const struct recorded_run* run);

// The symbols of the JVM that was recorded, as symbols_open; the caller closes them.
struct symbols* recorded_symbols(const struct recorded_run* run);

// What evidence is printed for: an execution for the run and a report with the JDK's symbols.
struct recorded_view;
struct recorded_view* recorded_view_open(const struct recorded_run* run);
void recorded_view_close(struct recorded_view* view);
// Prints the sample as evidence, with all that was kept of it.
void recorded_print(struct recorded_view* view, const struct results_sample* sample, FILE* out);

#endif
