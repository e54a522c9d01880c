// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Rewriting outside a JVM, one class after the other: the instrumenter with the numbers and
// exclusions that the agent gives it, the map of numbers, and counts. No files here: bytes in,
// bytes out, and text to streams.
#ifndef RUNNER_REWRITE_H
#define RUNNER_REWRITE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "instrument/instrument.h"

struct rewrite_counts {
    // Each class is counted as one of the four.
    uint64_t classes, classes_rewritten, classes_bare, classes_excluded, classes_refused;
    // Each method with code, of a class neither excluded nor refused, is counted as one of the two.
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

// Rewrites a class; `path` is for messages only. Gives the new bytes, which belong to the
// instrumenter until the next call, and their length in *length. Gives the same bytes if the class
// stays unchanged: refused, excluded, or without a method that could be rewritten. Only rewritten
// classes take numbers.
const uint8_t* rewrite_class(struct rewrite* rewrite, const char* path, const uint8_t* bytes,
                             size_t* length);

// Prints one count a line, its name first; `seconds` is the time of the whole command.
void rewrite_report(const struct rewrite_counts* counts, double seconds, FILE* out);

double rewrite_clock(void); // seconds, monotonic

#endif
