// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Output directories of validate, made up for tests.
#ifndef RESULTS_TESTS_WRITTEN_H
#define RESULTS_TESTS_WRITTEN_H

#include "synthetic.h"

#define WRITTEN_RUNS 16

struct written {
    char directory[64];
    char directories[WRITTEN_RUNS][96];
    struct results_execution executions[WRITTEN_RUNS];
    size_t count;
    char* table; // what results_table printed of it, freed by written_remove
};

// Makes an empty directory under /tmp.
void written_open(struct written* written);
// Adds a run with its file, each of whose layers has judged 20,000; to be counted in.
struct results_run* written_add(struct written* written, const char* case_name, const char* mode);
// Opens the record of the run that was added last. Closed, it is the
// execution's.
struct synthetic_recording* written_record_open(struct written* written);
void written_record_close(struct written* written, struct synthetic_recording* recording);
// Both, for one mismatch.
void written_record(struct written* written, const struct synthetic_mismatch* mismatch);
// Judges and writes results.json.
void written_close(struct written* written, const char* version);
// Reads it; fails the test where that fails.
struct results_saved* written_read(const struct written* written);
void written_remove(struct written* written);

// What the format makes of reports; freed by free().
char* written_format(enum results_format format, struct results_saved* const* saved, size_t count);

#endif
