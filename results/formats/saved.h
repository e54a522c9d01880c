// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A report that was read back, as the formats of this room see it.
#ifndef RESULTS_SAVED_H
#define RESULTS_SAVED_H

#include <jansson.h>

#include "formats.h"

struct results_saved {
    struct results_report report; // as results.json says; its texts are json's
    json_t* json;                 // all of the file
    char directory[4096];
    struct results_execution* executions; // the report's
    char** directories;                   // theirs
    struct results_run** runs;            // theirs, mapped; NULL where there is none
    struct results_record** records;      // theirs; NULL where there is none
    struct results_causes causes;         // the executions': those that the file names
    char* missing;
    struct results_series* series;
    size_t series_count;
};

// What one format does: results_write's part of it.
typedef int saved_writer(struct results_saved* const* saved, size_t count, FILE* out);
saved_writer junit_write, markdown_write, html_write, csv_write;

// The reports' verdicts as one: the worst.
enum results_row_verdict saved_verdict(struct results_saved* const* saved, size_t count);
// How a reader tells the reports apart: the JDK's version, with a number where several have the
// same ("17.0.19 (2)"). Freed by the caller; NULL without memory.
char* saved_label(struct results_saved* const* saved, size_t count, size_t index);

// The execution of these names, NULL where the report has none.
struct results_execution* saved_find(struct results_saved* saved, const char* case_name,
                                     const char* mode, const char* scope);
// saved_rows.c: "runs" and "clusters" of the file into the report, whose executions are there.
struct take;
void saved_take_rows(struct results_saved* saved, struct take* take);
void saved_take_groups(struct results_saved* saved, struct take* take);
// saved_causes.c: "causes" and "pools" into the report, before its rows are taken; and one row's
// "causes". Files of schema 2 have none of them: their errors are of no known cause.
void saved_take_causes(struct results_saved* saved, struct take* take);
void saved_take_row_causes(struct results_saved* saved, struct take* take, const json_t* run,
                           struct results_row* row);
// saved_tree.c: the tree of a row's "profiler" member, if it has one; else *tree is empty. False,
// and a failure, where it is malformed. Freed by results_tree_free.
struct results_tree;
bool saved_take_tree(struct take* take, const json_t* profiler, struct results_tree* tree);
// Series from the records of its runs, if there are any. 0, or -1 without memory.
int saved_take_series(struct results_saved* saved);

// A quoted cell of a CSV file: no text in it is a formula.
void csv_text(const char* text, FILE* out);

#endif
