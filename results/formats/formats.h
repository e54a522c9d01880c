// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Reports in files: results.json and its readers, and the formats of `plumbline report`. README.md
// has the formats. Only the runner uses this room.
#ifndef RESULTS_FORMATS_FORMATS_H
#define RESULTS_FORMATS_FORMATS_H

#include <stddef.h>
#include <stdio.h>

#include "oracle/oracle.h"
#include "results/report/report.h"

// Writes the report as results.json. Only a whole file replaces one that was there before. 0, or -1
// with errno set.
int results_json(const struct results_report* report, const char* path);

// ---- Reports read back ------------------------------------------------------------------------

struct results_saved;

// Reads a results.json, and the files of its runs where they are still there: records for evidence,
// counts for the coverage table. Judges nothing again. `directory` was validate's --out, wherever
// it lies now. NULL, with words that name the file in `error`.
struct results_saved* results_saved_read(const char* directory, char* error, size_t size);
void results_saved_free(struct results_saved* saved); // NULL is allowed
// The report as validate printed it; its `directory` is where it was read from. Belongs to saved.
struct results_report* results_saved_report(struct results_saved* saved);
// Files that should be there and cannot be read: lines, each with a name; "" for none. Reports go
// without their part.
const char* results_saved_missing(const struct results_saved* saved);

// The counts of one row as they grew, to be drawn as rates over time. They come from the record's
// counters.
struct results_point {
    double seconds;                                    // since the JVM began; not falling
    uint64_t judged, mismatched, attribution, refused; // until then; not falling
};
struct results_series {
    const char *case_name, *mode, *scope;
    enum oracle_layer layer;
    const struct results_point* points;
    size_t count;
};
// Copies the series into the report. 0, or -1 without memory.
int results_saved_add_series(struct results_saved* saved, const struct results_series* series);

// ---- Formats ----------------------------------------------------------------------------------

// NAME, text, explanation.
#define RESULTS_FORMATS(F)                                                                         \
    F(TEXT, "text", "what validate prints")                                                        \
    F(JSON, "json", "results.json; of several runs: {\"verdict\": ..., \"reports\": [...]}")       \
    F(JUNIT, "junit", "JUnit XML for CI servers")                                                  \
    F(MARKDOWN, "markdown", "for a pull request or a job summary, at most 60 kB")                  \
    F(HTML, "html", "one page with everything in it, to look at")                                  \
    F(CSV, "csv", "a line for each row, all its numbers")

enum results_format {
#define RESULTS_FORMAT_ENUM(name, text, explanation) RESULTS_FORMAT_##name,
    RESULTS_FORMATS(RESULTS_FORMAT_ENUM)
#undef RESULTS_FORMAT_ENUM
        RESULTS_FORMAT_COUNT
};
const char* results_format_text(enum results_format format);

// Writes `count` reports, at least one, in their order. 0, or -1 with errno set: `out` then has a
// part of them.
int results_write(enum results_format format, struct results_saved* const* saved, size_t count,
                  FILE* out);

// ---- Many runs over builds or nights ----------------------------------------------------------

struct results_history_run {
    const char *label, *version, *vm, *date, *verdict; // the verdict as a word
};
// A cause in one layer, "unexplained" among them. Arrays are by run.
struct results_history_item {
    const char* cause;
    enum oracle_layer layer;
    const uint64_t *events, *judged; // over all rows of the layer; judged 0: the run has none
    const signed char* change;       // against the runs before, back to the last change: 1 more
                                     // errors, -1 fewer, 0 no difference that is significant
    long first, last;                // the runs in which it was seen first and last
};
struct results_history {
    const struct results_history_run* runs; // in the order of time
    size_t run_count;
    const struct results_history_item* items; // seen in one run at least
    size_t item_count;
    double level; // chance that any change is marked where there is none
    size_t tests;
    size_t uneven; // runs whose rows are not those of the first
};

// For a terminal; one HTML page without script; and a line for each run and item. `out` may then
// have an error (ferror).
void results_history_text(const struct results_history* history, FILE* out);
void results_history_html(const struct results_history* history, FILE* out);
void results_history_csv(const struct results_history* history, FILE* out);

// ---- Rows and clusters alone, to compare or to sum up -----------------------------------------

// One row of a results.json.
#define RESULTS_WAY_TEXT 48
struct results_past {
    char version[64]; // of the JDK: java.version
    char vm[256];     // java.vm.name and java.vm.version
    char date[16];    // YYYY-MM-DD
    char case_name[160];
    char mode[32], scope[16], verdict[32]; // the verdict as a word
    char way[RESULTS_WAY_TEXT]; // how methods were instrumented: "push inline, density 100%";
                                // empty: the file does not tell
    enum oracle_layer layer;
    uint64_t answered, judged;
    uint64_t refused[ORACLE_REFUSAL_COUNT];
    uint64_t mismatch[ORACLE_VERDICT_COUNT]; // attribution among them
    uint64_t transition;
    char profiler[64];                    // layer profiler: whose samples; else empty
    uint64_t signals, silent, cut, empty; // of it: signals, and of enum results_subject
    bool by_cause; // walking errors are booked under causes, as from schema 3 on
    size_t cause_count;
    struct results_past_cause {
        char name[RESULTS_CAUSE_NAME];
        uint64_t count;
    } causes[RESULTS_CAUSES]; // "unexplained" among them
};

// One row's part of one cluster of a results.json. The texts are those of struct results_group, and
// valid during the call only.
struct results_past_part {
    enum oracle_layer layer;
    enum oracle_verdict verdict;
    const char *code, *region, *instruction, *name, *relation;
    const char* cause; // its name, "unexplained"; empty: attribution, or a file before schema 3
    const char *case_name, *mode, *scope;
    uint64_t count;
};

// Who reads: called for every row, then for every part of every cluster, in the file's order.
struct results_past_reader {
    void* context;
    void (*row)(void* context, const struct results_past* row);
    void (*part)(void* context, const struct results_past_part* part); // NULL: no clusters are read
};
// Reads the file once. 0, or -1 with the reason in `error`: the file is not there, no JSON, or none
// of results_json's. The reader is then not called at all.
int results_past_read(const char* path, const struct results_past_reader* reader, char* error,
                      size_t error_size);

#endif
