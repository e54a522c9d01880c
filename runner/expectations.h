// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// expectations.ini: the highest rates at which walkers of healthy JDKs were seen to err, by
// release, case, mode, layer and verdict. cases/README.md describes the file.
#ifndef RUNNER_EXPECTATIONS_H
#define RUNNER_EXPECTATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "modes.h"
#include "results/results.h"

// A ceiling above this needs a paragraph in findings.md.
#define EXPECTATIONS_UNEXPLAINED 0.001
// What the lower end of a measurement is divided by to be the floor of a known bug.
#define EXPECTATIONS_FLOOR 10

// One line.
struct expectation {
    char* cases; // a name or a glob
    long first, last;
    uint32_t modes, layers, verdicts, scopes; // bits
    struct results_ceiling ceiling;           // its texts are this line's own
    char* finding;                            // NULL: none
    char* bug;                                // ceiling.bug
    char* source;                             // ceiling.source
};

struct expectations {
    struct expectation* list; // in the file's order
    size_t count;
};

// Reads the file. 0, or -1 with "FILE:LINE: what is wrong" in `error` and *expectations empty.
// Freed by expectations_free.
int expectations_read(const char* path, struct expectations* expectations, char* error,
                      size_t error_size);
void expectations_free(struct expectations* expectations);

// Has each `finding` a heading in the file at `path` (findings.md)? 0, or -1 with the one that has
// none.
int expectations_explained(const struct expectations* expectations, const char* path, char* error,
                           size_t error_size);

// Is the line for cases of this name?
bool expectations_names(const struct expectation* line, const char* test);

// The line that holds for one verdict; NULL: none does.
const struct expectation* expectations_line(const struct expectations* expectations,
                                            const char* test, const struct mode* mode,
                                            const char* scope, int feature, enum oracle_layer layer,
                                            enum oracle_verdict verdict);

// What the ceilings of one JVM run are kept in: no layer can have more of them than verdicts.
struct expectations_room {
    struct results_ceiling ceilings[ORACLE_LAYER_COUNT][ORACLE_VERDICT_COUNT];
};

// Adds the ceilings of a case to what is expected of each layer. For each verdict the most specific
// line holds: see cases/README.md. `room` and *expectations outlive `expected`.
void expectations_for(const struct expectations* expectations, const char* test,
                      const struct mode* mode, const char* scope, int feature,
                      struct expectations_room* room,
                      struct results_expected expected[ORACLE_LAYER_COUNT]);

#endif
