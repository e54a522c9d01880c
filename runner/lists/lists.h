// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The lists in cases/ that the runner reads: cases, the cells and controls that cases name, causes
// of known errors, ceilings of their rates, real programs, walkers. Each is read whole and checked;
// nothing here runs a JVM.
#ifndef RUNNER_LISTS_H
#define RUNNER_LISTS_H

#include "results/report/report.h"
#include "runner/base/base.h"
#include "runner/options/options.h"

// plumbline list: prints one of the lists to choose from, one entry a line, its name first. Returns
// the exit status.
int list_command(const struct base_call* call);

// ---- Causes: causes.ini -------------------------------------------------------------------------
// results_causes_read reads the file.

// The index of the cause of that name, of `length` bytes. RESULTS_UNEXPLAINED: there is none.
uint32_t lists_cause(const struct results_causes* causes, const char* name, size_t length);

// ---- Cases: cases.ini ---------------------------------------------------------------------------

// The keys of a section; cases/README.md explains them. NAME.
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
    K(whole)                                                                                       \
    K(outside)                                                                                     \
    K(few)                                                                                         \
    K(further)                                                                                     \
    K(all)                                                                                         \
    K(families)                                                                                    \
    K(presets)                                                                                     \
    K(expect)

struct case_info { // begins with texts: sections.h
    char* name;
#define CASES_FIELD(key) char* key; // never NULL; empty where the section does not have it
    CASES_KEYS(CASES_FIELD)
#undef CASES_FIELD
    int feature, feature_last; // `release` as numbers: the JDKs that the case runs on
    bool needs_whitebox;       // `whitebox`
    bool needs_all_methods;    // `whole`
    bool needs_plain_jdk;      // `outside`
    bool asks_flags;           // `asks`
    uint32_t few_layers;       // `few` as bits 1 << enum oracle_layer
    uint32_t further_modes;    // `further` as bits 1 << enum mode_id
    uint32_t all_modes;        // the same of `all`
};

struct cases {
    struct case_info* list; // in the file's order
    size_t count;
};

// Reads the file, whose controls name causes. 0, or -1 with the reason in `error` and *cases empty.
// Freed by cases_free.
int cases_read(const char* path, const struct results_causes* causes, struct cases* cases,
               char* error, size_t error_size);
void cases_free(struct cases* cases);

// The case with this name; NULL: none.
const struct case_info* cases_find(const struct cases* cases, const char* name);
// The case that may be meant by a wrong name, as nearest_hint says it. Returns hint.
const char* cases_hint(const struct cases* cases, const char* name, char hint[NEAREST_TEXT]);

// Is `preset` among the case's presets? Every case of a preset belongs to the preset "full".
bool cases_in_preset(const struct case_info* test, const char* preset);

// ---- Cells --------------------------------------------------------------------------------------
// The cells of coverage that a case is for, as cases.ini writes them: words separated by blanks,
// each
//     MODE:KIND[/REGION]     e.g. "c2:c2/body *:stub tiered:c1_2+c1_3"
//     MODE:stub=GLOB         e.g. "c2:stub=*crc32*"
// MODE is a mode's name or *. KIND and REGION are names of codes and regions; + joins alternatives,
// and "compiled" stands for C1's and C2's code together. GLOB matches the stub's name, see struct
// results_wanted.

#define CELLS_MAX 16
#define CELLS_TEXT 64

struct cells {
    struct results_wanted list[CELLS_MAX];
    char texts[CELLS_MAX][CELLS_TEXT]; // the list points to them
    size_t count;
};

// False if the words are malformed or too many, with the culprit in `why`.
bool cells_valid(const char* words, char* why, size_t why_size);
// Fills *cells with the cells of this mode. Kinds that the mode cannot reach are left out, and so
// are cells without any kind left. The words are valid; *cells must not be moved.
void cells_for(const char* words, const struct mode* mode, struct cells* cells);

// ---- Controls -----------------------------------------------------------------------------------
// The known errors that a control must show, as cases.ini writes them under `expect`: words
// separated by blanks,
//     CAUSE[+CAUSE]@LAYER[?][,LAYER[?]]  [modes=MODE[,MODE]]  [release=N[-[M]]]
// e.g. "deopt-caller@safepoint,async,sandwich? modes=c1,c2,tiered release=8-27". CAUSE is of
// causes.ini, and + joins alternatives. A layer with ? may show the error and need not. modes= and
// release= restrict the CAUSE before them. The single words "crash" and "hang" are for readers and
// ignored here.

// False if the words are malformed, with the culprit in `why`.
bool controls_valid(const char* words, const struct results_causes* causes, char* why,
                    size_t why_size);
// Fills the expectation of each layer for this mode and release; empty where there is none. The
// words are valid.
void controls_for(const char* words, const struct results_causes* causes, const struct mode* mode,
                  int feature, struct results_expected expected[ORACLE_LAYER_COUNT]);

// ---- Ceilings: expectations.ini -----------------------------------------------------------------
// How often something known was seen on healthy JDKs, by release, case, mode, layer and subject: a
// cause, a code of refusal, attribution, or frames in transition. cases/README.md describes the
// file; `plumbline expect` writes its lines.

#define CEILINGS_SPREAD_MAX 10.0 // such a ceiling would let everything pass
// The subjects that a row may have a ceiling of.
#define CEILINGS_SUBJECTS (RESULTS_CAUSES + ORACLE_REFUSAL_COUNT + 5)

// One line of the file.
struct ceiling {
    char* cases; // a name or a glob
    long first, last;
    uint32_t modes, layers, scopes; // bits
    struct results_ceiling limit;   // `source` is freed with the line
    char* profiler;                 // layer profiler: whose; NULL: of all, or another layer
    unsigned long runs;             // that were measured
    bool measured;                  // the line says when and on which JDK
};

struct ceilings {
    struct ceiling* list; // in the file's order
    size_t count;
};

// Reads the file. 0, or -1 with "FILE:LINE: reason" in `error` and *ceilings empty. Freed by
// ceilings_free.
int ceilings_read(const char* path, const struct results_causes* causes, struct ceilings* ceilings,
                  char* error, size_t error_size);
void ceilings_free(struct ceilings* ceilings);

// A subject's name, of `length` bytes: a cause's, "refused.CODE" or "refused:CODE", "attribution",
// "transition", or of the layer profiler "silent", "cut", "empty". False: there is none such.
// "unexplained" is none, as its limit is the same for all rows, nor is a code that the walker does
// not have.
bool ceilings_subject(const struct results_causes* causes, const char* name, size_t length,
                      enum results_subject* subject, uint32_t* index);
// The name of a subject, into text; returns it.
#define CEILINGS_SUBJECT_TEXT 64
const char* ceilings_subject_text(const struct results_causes* causes, enum results_subject subject,
                                  uint32_t index, char text[CEILINGS_SUBJECT_TEXT]);

// Whether a line's section can be of the case of this name, and of no other: it has no blanks, no
// characters of a pattern, and inih does not cut it.
bool ceilings_may_name(const char* test);
// Whether `measured=` can have this text: "YYYY-MM-DD,VERSION[,VERSION...]".
bool ceilings_may_measure(const char* text, size_t length);

// The release whose lines hold for a JDK of release `feature`: itself where it was measured (it is
// the first or last of a line's releases), else the newest measured one before it, else the oldest
// measured one; `feature` where nothing was measured. A JDK newer than all is so held against the
// newest.
// Lines of profilers do not count: those have releases of their own.
int ceilings_release(const struct ceilings* ceilings, int feature);

// Is the line for cases of this name?
bool ceilings_names(const struct ceiling* line, const char* test);

// A row to which lines apply.
struct ceilings_row {
    const char* test;
    const struct mode* mode;
    const char* scope;
    int feature;          // the JDK's release; its lines are those of ceilings_release
    const char* profiler; // that is judged; NULL: none
};

// Is the line for more than one case?
bool ceilings_is_general(const struct ceiling* line);
// Is there any line for rows of this mode, scope, profiler and exact release, whatever the case?
bool ceilings_measured(const struct ceilings* ceilings, const struct ceilings_row* row,
                       enum oracle_layer layer);
// The most specific line for one subject of the row, of its exact release, a general one also where
// no line names the case; NULL: none. Lives as long as *ceilings.
const struct ceiling* ceilings_line(const struct ceilings* ceilings, const struct ceilings_row* row,
                                    enum oracle_layer layer, enum results_subject subject,
                                    uint32_t index);

// Holds the ceilings of one JVM run: a layer has at most one for each subject.
struct ceilings_room {
    struct results_ceiling ceilings[ORACLE_LAYER_COUNT][CEILINGS_SUBJECTS];
};

// Adds the ceilings of a run to the expectations of its layers: of each subject the most specific
// line that applies, see cases/README.md. A cause without such a line has one `elsewhere`, if its
// release has any: of its layer, in `int` of `int` and otherwise of the other modes, of its own
// mode if there is one, and of these the one with the highest mean. So has every cause in a case
// that no line of the release names, as it was never measured there: general lines are of the
// measured cases. In a mode that mixes compilers a cause with a line of its own also has the rates
// of the line for c1. A refusal in a mode and scope in which no line names the case has the
// highest of the case's lines for the mode in whatever scope and, in another scope than app, of all
// cases' lines for that scope, as one `elsewhere`. `room` and *ceilings outlive
// `expected`. The layers ground and gst have none of these.
// The spread of a sandwich's refusals is that between machines, too.
void ceilings_for(const struct ceilings* ceilings, const struct ceilings_row* row,
                  struct ceilings_room* room, struct results_expected expected[ORACLE_LAYER_COUNT]);

// ---- Programs: programs.ini ---------------------------------------------------------------------
// Real programs. cases/README.md describes the file.

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

struct program { // begins with texts: sections.h
    char* name;
#define PROGRAMS_FIELD(key) char* key; // never NULL; empty where the section does not have it
    PROGRAMS_KEYS(PROGRAMS_FIELD)
#undef PROGRAMS_FIELD
    long first, last; // `release`
    int exit_status;  // `status`
    double seconds;   // `limit`: it is killed after these
    double expected;  // `takes`: its usual seconds, tiered and in scope app; default the limit
    bool compares;    // its output must equal that of a run without Plumbline
};

struct programs {
    struct program* list; // in the file's order
    size_t count;
};

// Reads the file. 0, or -1 with the reason in `error` and *programs empty.
int programs_read(const char* path, struct programs* programs, char* error, size_t error_size);
void programs_free(struct programs* programs);

// The meaning of ${...} in values.
struct programs_places {
    const char* jdk;      // ${jdk}
    const char* programs; // ${programs}: cases/programs
    const char* classes;  // ${classes}: compiled cases
    const char* cache;    // ${cache}: files that `input` makes once for all runs
    const char* input;    // ${input}: this run's input directory
};
// Adds the words of the value, with their places filled in. False: a quotation is left open, or an
// unknown ${...}.
bool programs_words(const char* value, const struct programs_places* places, struct words* words);
// The value for a shell: its places filled in and quoted. NULL: an unknown ${...}. The caller frees
// it.
char* programs_shell(const char* value, const struct programs_places* places);

// True with the reason in `why`: the program cannot run on this JDK's release, or a file of `needs`
// is missing.
bool programs_left_out(const struct program* program, int feature,
                       const struct programs_places* places, char* why, size_t why_size);

// ---- Profilers: profilers.ini -------------------------------------------------------------------
// Profilers that can be judged. agent/profilers.ini explains the keys.

// The keys of a section. NAME.
#define PROFILERS_KEYS(K)                                                                          \
    K(about)                                                                                       \
    K(release)                                                                                     \
    K(needs)                                                                                       \
    K(vm)                                                                                          \
    K(settings)                                                                                    \
    K(signals)                                                                                     \
    K(library)                                                                                     \
    K(driven)                                                                                      \
    K(clock)                                                                                       \
    K(event)                                                                                       \
    K(lost)                                                                                        \
    K(depth)                                                                                       \
    K(period)                                                                                      \
    K(measured)

struct profiler { // begins with texts: sections.h
    char* name;
#define PROFILERS_FIELD(key) char* key; // never NULL; empty where the section does not have it
    PROFILERS_KEYS(PROFILERS_FIELD)
#undef PROFILERS_FIELD
    long first, last; // `release`
    uint32_t deepest; // `depth`; 0: none
};

struct profilers {
    struct profiler* list; // in the file's order
    size_t count;
};

// Reads the file. 0, or -1 with the reason in `error` and *profilers empty.
int profilers_read(const char* path, struct profilers* profilers, char* error, size_t error_size);
void profilers_free(struct profilers* profilers);
// The profiler of that name; NULL: none.
const struct profiler* profilers_find(const struct profilers* profilers, const char* name);

// The name under which its rates are measured: `measured`, else its own.
const char* profilers_measured(const struct profiler* profiler);

// The meaning of ${...} in values.
struct profilers_places {
    const char *file, *settings, *home, *period;
};
// As programs_words.
bool profilers_words(const char* value, const struct profilers_places* places, struct words* words);
// True with the reason in `why`: this JDK's release has no such profiler, or a file of `needs` is
// missing under `home` (NULL: not given).
bool profilers_left_out(const struct profiler* profiler, int feature, const char* home, char* why,
                        size_t why_size);
// Writes `settings` as JFR's configuration file, with that period. 0, or -1 with errno set.
int profilers_write_settings(const struct profiler* profiler, const char* period, const char* path);

// ---- The lists of a command ---------------------------------------------------------------------

struct lists {
    struct results_causes causes;
    struct cases cases;
    struct programs programs;
    struct ceilings ceilings;
    struct profilers profilers;
};

enum {
    LISTS_CASES = 1,
    LISTS_PROGRAMS = 2,
    LISTS_CEILINGS = 4,
    LISTS_CAUSES = 8,
    LISTS_PROFILERS = 16
};
// Reads those of the lists that `which` names; causes also for cases and ceilings, which name them.
// *lists is all zero before. 0, or -1 with the reason. Freed by lists_free either way.
int lists_read(struct lists* lists, unsigned which, const struct home* home, char* error,
               size_t error_size);
void lists_free(struct lists* lists);
// Replaces the ceilings by those of another processor, which were read before. 0, or -1 with the
// reason.
int lists_of_processor(struct lists* lists, const struct home* home, const char* processor,
                       char* error, size_t error_size);

// ---- Walkers: walkers.ini -----------------------------------------------------------------------
// The walkers that the agent can call. The runner reads their names and explanations only.

// Calls `print` for each walker, in the file's order. 0, or -1 if the file cannot be read.
int walkers_each(const char* path, void (*print)(const char* name, const char* about));

// Is there a walker with this name? True also if the file cannot be read: the agent reports that.
// Else `hint` is the one that may be meant, as nearest_hint says it.
bool walkers_known(const char* path, const char* name, char hint[NEAREST_TEXT]);

#endif
