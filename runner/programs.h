// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Real programs, as programs.ini lists them; cases/README.md describes the file.
#ifndef RUNNER_PROGRAMS_H
#define RUNNER_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "home.h"
#include "words.h"

// The keys of a section. NAME.
#define PROGRAMS_KEYS(K)                                                                           \
    K(question)                                                                                    \
    K(packages)                                                                                    \
    K(needs)                                                                                       \
    K(release)                                                                                     \
    K(arguments)                                                                                   \
    K(arguments8)                                                                                  \
    K(agent)                                                                                       \
    K(input)                                                                                       \
    K(output)                                                                                      \
    K(status)                                                                                      \
    K(limit)                                                                                       \
    K(takes)

struct program {
    char* name;
#define PROGRAMS_FIELD(key) char* key; // never NULL; empty where the section does not have it
    PROGRAMS_KEYS(PROGRAMS_FIELD)
#undef PROGRAMS_FIELD
    long first, last; // `release`
    int exit_status;  // `status`
    double seconds;   // `limit`: after which it is killed
    double expected;  // `takes`: about as long it goes on, tiered and in scope app; else the limit
    bool compares;    // its output is that of a run without Plumbline: `output` is not "any"
};

struct programs {
    struct program* list; // in the file's order
    size_t count;
};

// Reads the file. 0, or -1 with the reason in `error` and *programs empty.
int programs_read(const char* path, struct programs* programs, char* error, size_t error_size);
void programs_free(struct programs* programs);

// What ${...} in values stands for.
struct programs_places {
    const char* jdk;      // ${jdk}
    const char* programs; // ${programs}: cases/programs
    const char* classes;  // ${classes}: compiled cases
    const char* cache;    // ${cache}: what `input` makes once for all runs
    const char* input;    // ${input}: this run's input directory
};
// The value with its places filled in; the caller frees it. NULL: a ${...} that there is not.
char* programs_fill(const char* value, const struct programs_places* places);

// Why the program cannot run on this JDK's release, or without which of the files `needs` (filled),
// in `why`. False: it can.
bool programs_left_out(const struct program* program, int feature, const char* needs, char* why,
                       size_t why_size);

#endif
