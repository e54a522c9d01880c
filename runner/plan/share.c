// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "share.h"

#include <stdlib.h>
#include <string.h>

// Seconds of a run besides its own, for JVM, agent and end, on a machine of our kind. -Xcomp
// compiles everything at the start, and with full instrumentation a JVM starts 20 times slower.
#define START 1.0
#define START_COMP 5.0
#define START_ALL 6.0
#define LEFT_OUT 0.001 // not nothing: each run counts where there are as many shares as runs
// A program's work is fixed and its time is not: interpreted, or under full instrumentation, it
// takes about this many times as long.
#define PROGRAM_INT 10.0
#define PROGRAM_ALL 10.0

double share_seconds(const struct options* options, const struct mode* mode, const char* scope,
                     bool left_out) {
    if (left_out) return LEFT_OUT;
    double start = mode == &modes[MODE_COMP] ? START_COMP : START;
    if (strcmp(scope, "all") == 0) start += START_ALL;
    return options_seconds(options) + start;
}

double share_seconds_of_program(const struct program* program, const struct mode* mode,
                                const char* scope, bool left_out) {
    if (left_out) return LEFT_OUT;
    double seconds = program->expected;
    if (mode == &modes[MODE_INT]) seconds *= PROGRAM_INT;
    if (strcmp(scope, "all") == 0) seconds *= PROGRAM_ALL;
    return seconds;
}

struct weight {
    double seconds;
    size_t index;
};

// The longest first, equals in the plan's order.
static int by_seconds(const void* a, const void* b) {
    const struct weight *one = a, *other = b;
    if (one->seconds != other->seconds) return one->seconds < other->seconds ? 1 : -1;
    return one->index < other->index ? -1 : one->index > other->index;
}

static unsigned least(const double* loads, unsigned shards) {
    unsigned found = 0;
    for (unsigned s = 1; s < shards; s++)
        if (loads[s] < loads[found]) found = s;
    return found;
}

int share_cut(const double* seconds, size_t count, unsigned shards, unsigned* shares) {
    struct weight* weights = calloc(count + 1, sizeof *weights);
    double* loads = calloc(shards, sizeof *loads);
    bool good = weights != NULL && loads != NULL;
    for (size_t i = 0; good && i < count; i++) weights[i] = (struct weight){seconds[i], i};
    if (good) qsort(weights, count, sizeof *weights, by_seconds);
    for (size_t i = 0; good && i < count; i++) {
        unsigned share = least(loads, shards);
        loads[share] += weights[i].seconds;
        shares[weights[i].index] = share + 1;
    }
    free(loads);
    free(weights);
    return good ? 0 : -1;
}
