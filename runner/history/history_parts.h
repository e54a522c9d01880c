// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The parts of history behind the door.
#ifndef RUNNER_HISTORY_PARTS_H
#define RUNNER_HISTORY_PARTS_H

#include <uthash.h>

#include "history.h"
#include "results/formats/formats.h"

// ---- history_read.c ----------------------------------------------------------------------------
// The counts of all runs.

struct history_row { // a case, mode, scope and layer
    char* key;
    enum oracle_layer layer;
    bool interpreted;
    uint64_t* judged; // by run
    UT_hash_handle hh;
};

struct history_cell { // an item's counts in one row
    const struct history_row* row;
    uint64_t* events; // by run
    struct history_cell* next;
};

struct history_item { // a cause in a layer
    char* key;
    char cause[RESULTS_CAUSE_NAME];
    enum oracle_layer layer;
    struct history_cell* cells;
    uint64_t *events, *judged; // by run, over all rows of the layer
    signed char* change;
    long first, last;
    UT_hash_handle hh;
};

struct history_run {
    char label[80], version[64], vm[256], date[16];
    const char* verdict; // the worst of its rows
};

struct history {
    struct words paths; // of the runs
    struct history_run* runs;
    size_t count;
    struct history_row* rows;
    struct history_item* items; // sorted by layer and cause after history_settle
    size_t tests, uneven;
    double level;
};

// Makes room for `count` runs.
void history_begin(struct history* history, size_t count);
// Adds one row of a run.
void history_add(struct history* history, size_t run, const struct results_past* row);
// Reads all runs of history->paths. 0, or -1 with the reason.
int history_read(struct history* history, char* error, size_t error_size);
// All rows were added: sums up, and finds first and last.
void history_settle(struct history* history);
void history_close(struct history* history);

// ---- history_judge.c ---------------------------------------------------------------------------

#define HISTORY_LEVEL 0.05

// Marks the changes: a run against those before it, back to the last change, over the rows that
// both have, with the spread that runs of one JVM have (runner/compare/ACCURACY.md). Bonferroni's
// adjustment for the number of tests.
void history_judge(struct history* history);

// ---- history.c ---------------------------------------------------------------------------------

// Prints the text to standard output, and writes the page and the lines; NULL: not that one. 0, or,
// after a message, 3.
int history_write(const struct history* history, const char* html, const char* csv);

#endif
