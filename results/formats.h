// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Results that were written down, read back, and the formats in which they are told. A part of the
// door: results.h includes it.
#ifndef RESULTS_FORMATS_H
#define RESULTS_FORMATS_H

#include <stddef.h>
#include <stdio.h>

#include "oracle/oracle.h"

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

#endif
