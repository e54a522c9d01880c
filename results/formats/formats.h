// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// TODO door
#ifndef RESULTS_FORMATS_FORMATS_H
#define RESULTS_FORMATS_FORMATS_H

#include <stddef.h>
#include <stdio.h>

#include "oracle/oracle.h"
#include "results/report/report.h"

// Writes the report as results.json does it (README.md). 0, or -1 with errno set; a file that was
// there before is replaced only by a whole one.
int results_json(const struct results_report* report, const char* path);

// ---- Reports read back, and their formats ----------------------------------------

struct results_saved;

// What a results.json says, and, where they are still there, its JVMs' run files (for evidence; not
// judged again). `directory` is what validate's --out was, wherever it lies now. NULL, with words
// that name the file in `error`.
struct results_saved* results_saved_read(const char* directory, char* error, size_t size);
void results_saved_free(struct results_saved* saved); // NULL is allowed
// As validate printed it; `directory` is where it was read from. Belongs to saved.
struct results_report* results_saved_report(struct results_saved* saved);
// Run files that should be there and cannot be read: lines, each with its name; "" for none. What
// they would have shown is left out of reports.
const char* results_saved_missing(const struct results_saved* saved);

// The counts of one row as they grew, to be drawn as rates over time. They come from a record with
// counters at intervals; a report without any has no such plot.
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
// Copies it. 0, or -1 without memory.
int results_saved_add_series(struct results_saved* saved, const struct results_series* series);

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

// Writes `count` reports, at least one, in their order. 0, or -1 with errno set; what was written
// until then stays.
int results_write(enum results_format format, struct results_saved* const* saved, size_t count,
                  FILE* out);

// ---- Rows of older reports ----------------------------------------
// Rows and clusters of older reports, for those who compare or sum them up. A part of the room's
// door: results.h includes it.

// One row of a results.json.
struct results_past {
    char version[64]; // of the JDK: java.version
    char vm[256];     // java.vm.name and java.vm.version
    char date[16];    // YYYY-MM-DD
    char case_name[160];
    char mode[32], scope[16], verdict[32]; // the verdict as a word
    enum oracle_layer layer;
    uint64_t answered, judged;
    uint64_t refused[ORACLE_REFUSAL_COUNT];
    uint64_t mismatch[ORACLE_VERDICT_COUNT]; // attribution among them
};
typedef void results_past_each(void* context, const struct results_past* row);
// Calls `each` for every row of the file, in its order. 0, or -1 with the reason in `error`: it is
// not there, no JSON, or none that results_json has written; `each` has then not been called.
int results_past_read(const char* path, results_past_each* each, void* context, char* error,
                      size_t error_size);

// One row's part of one cluster of a results.json; texts as struct results_group has them, and
// valid during the call only.
struct results_past_part {
    enum oracle_layer layer;
    enum oracle_verdict verdict;
    const char *code, *region, *instruction, *name, *relation;
    const char *case_name, *mode, *scope;
    uint64_t count;
};
typedef void results_past_part_each(void* context, const struct results_past_part* part);
// The same for clusters.
int results_past_clusters(const char* path, results_past_part_each* each, void* context,
                          char* error, size_t error_size);

#endif
