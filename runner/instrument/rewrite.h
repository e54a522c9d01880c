// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Rewriting outside a JVM, one class after the other: the instrumenter with what the agent gives it
// (numbers, exclusions), the map of numbers, and counts. No files here: bytes in, bytes out, and
// text to streams.
#ifndef RUNNER_REWRITE_H
#define RUNNER_REWRITE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "instrument/instrument.h"

struct rewrite_counts {
    // Each class is one of the four.
    uint64_t classes, classes_rewritten, classes_bare, classes_excluded, classes_refused;
    // Each method with code of a class that was neither excluded nor refused is one of the two.
    uint64_t methods, methods_rewritten, methods_refused;
    uint64_t class_reasons[INSTRUMENT_REFUSAL_COUNT], method_reasons[INSTRUMENT_REFUSAL_COUNT];
    uint64_t bytes_in, bytes_out; // of classes
    double seconds;               // spent in the instrumenter
};

struct rewrite {
    struct instrument* instrument;
    uint32_t last_number;
    FILE* map;      // a line "number class.method descriptor" for each rewritten method; or NULL
    FILE* refusals; // a line for each class and method that was refused; or NULL
    struct rewrite_counts counts;
};

// Numbers begin at 1. 0, or -1 without memory.
int rewrite_init(struct rewrite* rewrite);
void rewrite_free(struct rewrite* rewrite);

// Rewrites the class of `path` (which is for messages only). *length becomes that of the returned
// bytes, which are the instrumenter's until the next call, or the given ones where the class is to
// be used as it was: refused, excluded, without a method that could be rewritten. Only classes that
// are used rewritten take numbers.
const uint8_t* rewrite_class(struct rewrite* rewrite, const char* path, const uint8_t* bytes,
                             size_t* length);

// One count a line, its name first; `seconds` is what all of it took.
void rewrite_report(const struct rewrite_counts* counts, double seconds, FILE* out);

double rewrite_clock(void); // seconds of a clock that only goes forward

#endif
