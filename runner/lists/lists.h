// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// TODO door of runner/lists
#ifndef RUNNER_LISTS_H
#define RUNNER_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "results/report/report.h"
#include "runner/base/base.h"
#include "runner/options/options.h"

// ---- names --------------------------------------------------------------------------------------
// Names in the lists of cases/ to what they stand for: each gives one bit, or 0 where there is no
// such name. Names are `length` bytes and need no end.

typedef uint32_t names_bit(const char* name, size_t length);

uint32_t names_walking(const char* name, size_t length);  // a walking error: 1 << oracle_verdict
uint32_t names_mismatch(const char* name, size_t length); // the same, or attribution
uint32_t names_layer(const char* name, size_t length);    // 1 << enum oracle_layer
uint32_t names_mode(const char* name, size_t length);     // 1 << enum mode_id
uint32_t names_scope(const char* name, size_t length);    // 1 << enum options_scope

// Names joined by `by`; 0 if any of them is none.
uint32_t names_bits(const char* names, size_t length, char by, names_bit* bit);

// Releases "N", "N-" or "N-M": the first and the last, INT_MAX for no end. False: malformed.
bool names_releases(const char* text, size_t length, long* first, long* last);

// ---- cases --------------------------------------------------------------------------------------
// The cases as cases.ini lists them.

// The keys of a section; what they mean stands in cases/README.md. NAME.
#define CASES_KEYS(K)                                                                              \
    K(main)                                                                                        \
    K(question)                                                                                    \
    K(release)                                                                                     \
    K(vm)                                                                                          \
    K(asks)                                                                                        \
    K(agent)                                                                                       \
    K(native)                                                                                      \
    K(cells)                                                                                       \
    K(whitebox)                                                                                    \
    K(few)                                                                                         \
    K(further)                                                                                     \
    K(families)                                                                                    \
    K(presets)                                                                                     \
    K(expect)

struct case_info {
    char* name;
#define CASES_FIELD(key) char* key; // never NULL; empty where the section does not have it
    CASES_KEYS(CASES_FIELD)
#undef CASES_FIELD
    int feature, feature_last; // `release` as numbers: the JDKs that the case runs on
    bool needs_whitebox;       // `whitebox`
    bool asks_flags;           // `asks`
    uint32_t few_layers;       // `few` as bits 1 << enum oracle_layer
    uint32_t further_modes;    // `further` as bits 1 << enum mode_id
};

struct cases {
    struct case_info* list; // in the file's order
    size_t count;
};

// Reads the file. 0, or -1 with the reason in `error` and *cases empty. Freed by cases_free.
int cases_read(const char* path, struct cases* cases, char* error, size_t error_size);
void cases_free(struct cases* cases);

// Is `preset` among the case's presets? Every case of a preset belongs to the preset "full".
bool cases_in_preset(const struct case_info* test, const char* preset);

// ---- cells --------------------------------------------------------------------------------------
// The cells of coverage that a case is for, as cases.ini writes them: words parted by blanks, each
//     MODE:KIND[/REGION]     e.g. "c2:c2/body *:stub tiered:c1_2+c1_3"
//     MODE:stub=GLOB         e.g. "c2:stub=*crc32*"
// MODE is a mode's name or *, KIND and REGION are of results.h's lists; + joins kinds (and regions)
// of which any will do, and "compiled" stands for C1's and C2's code together. GLOB is for the
// stub's name, see struct results_wanted.

#define CELLS_MAX 16
#define CELLS_TEXT 64

struct cells {
    struct results_wanted list[CELLS_MAX];
    char texts[CELLS_MAX][CELLS_TEXT]; // that the list points to
    size_t count;
};

// False if the words are malformed or too many, with the culprit in `why`.
bool cells_valid(const char* words, char* why, size_t why_size);
// Fills *cells with what is asked for in this mode. Kinds that the mode cannot reach are left out,
// and cells with nothing left. The words are valid; *cells must stay where it is.
void cells_for(const char* words, const struct mode* mode, struct cells* cells);

// ---- expect -------------------------------------------------------------------------------------
// What a control must show, as cases.ini writes it: words parted by blanks,
//     VERDICT[+VERDICT]@LAYER[?][,LAYER[?]]  [modes=MODE[,MODE]]  [release=N[-[M]]]
// e.g. "truncated@safepoint,async,sandwich? modes=c1,c2,tiered release=8-27". VERDICT is a walking
// error, + joins those of which any will do; after a layer ? means: may show it, and need not.
// modes= and release= restrict what stands before them, up to the last VERDICT. The one word
// "crash" or "hang" is for readers.

// False if the words are malformed, with the culprit in `why`.
bool expect_valid(const char* words, char* why, size_t why_size);
// Fills the expectation of each layer for this mode and release; empty where there is none. The
// words are valid.
void expect_for(const char* words, const struct mode* mode, int feature,
                struct results_expected expected[ORACLE_LAYER_COUNT]);

// ---- expectations -------------------------------------------------------------------------------
// expectations.ini: the highest rates at which walkers of healthy JDKs were seen to err, by
// release, case, mode, layer and verdict. cases/README.md describes the file.

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

// ---- programs -----------------------------------------------------------------------------------
// Real programs, as programs.ini lists them; cases/README.md describes the file.

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

// ---- walkers ------------------------------------------------------------------------------------
// The walkers that the agent has descriptions of: walkers.ini, beside it. Only their names and what
// they are about concern the runner.

// Calls `print` for each walker, in the file's order. 0, or -1 if the file cannot be read.
int walkers_each(const char* path, void (*print)(const char* name, const char* about));

// Is there one of this name? Also true where the file cannot be read: the agent will say so.
bool walkers_known(const char* path, const char* name);

// ---- list ---------------------------------------------------------------------------------------
// plumbline list: what there is to choose from.

// Prints one of the lists, one entry a line, its name first. Returns the exit status.
int list_run(int argc, char** argv);

#endif
