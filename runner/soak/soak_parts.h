// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The parts of soak behind the door. A round is one JVM: it is drawn, run by a `plumbline validate`
// of its own, watched, and entered into the ledger.
#ifndef RUNNER_SOAK_PARTS_H
#define RUNNER_SOAK_PARTS_H

#include <stdio.h>

#include "runner/base/base.h"
#include "runner/jdk/jdk.h"
#include "runner/launch/launch.h"
#include "runner/lists/lists.h"
#include "runner/options/options.h"
#include "runner/plan/plan.h"
#include "soak.h"

#define SOAK_VERSION 96 // sizes of texts
#define SOAK_NAME 160
#define SOAK_TIMEOUT_MOST 86400.0 // seconds: a day
#define SOAK_HOUR 3600.0          // seconds

// ---- soak_draw.c -------------------------------------------------------------------------------
// What a round is. The same seed and number give the same round, as long as lists and JDKs are the
// same.

struct soak_choice { // what is drawn from
    const struct lists* lists;
    bool* chosen;        // by soak_choose: the lists' cases, then their programs; NULL: all
    const int* features; // of the JDKs: 8, 11, ...
    size_t jdk_count;
    double longest; // seconds
    double load;    // JVMs for each processor, 1 at least: everything takes so many times as long
    uint64_t seed;
};

struct soak_draw {
    size_t jdk;
    struct plan_entry what;    // case or program, mode and scope; the lists'
    const char *source, *push; // as validate's options take them
    bool survive;              // with the layer survive
    bool part;                 // a tenth of the methods is instrumented
    unsigned heap;             // MB; 0: the JVM's own choice
    unsigned files;    // file descriptors that the command and the JVM may have; 0: as they are
    unsigned depth;    // frames; 0: the agent's default
    unsigned interval; // microseconds; 0: the agent's default
    double seconds;    // that it is to run; of a program: that it usually takes
    double timeout;    // seconds
    uint64_t seed;
};

// Restricts the choice, whose lists are there, to what the globs match. 0, and the caller frees
// choice->chosen; or an exit status with the reason: a glob that matches nothing.
int soak_choose(struct soak_choice* choice, const char* globs, char* error, size_t error_size);
// Is there a case or a program that runs on one of the JDKs?
bool soak_can_draw(const struct soak_choice* choice);
// Draws round `number`. soak_can_draw has said yes.
void soak_draw(const struct soak_choice* choice, uint64_t number, struct soak_draw* draw);
// Adds the words of `plumbline validate` behind its name, but for --jdk and --out.
void soak_words(const struct soak_draw* draw, struct words* words);

// ---- soak_ledger.c -----------------------------------------------------------------------------
// One line of JSON for each round in OUT/ledger, written when the round has ended.

// How a round ended; the worst comes last. NAME, text, explanation.
#define SOAK_OUTCOMES(O)                                                                           \
    O(LEFT_OUT, "left out", "this JVM cannot run it, or a program's files are not here")           \
    O(RIGHT, "right", "nothing was wrong, or what is known to be")                                 \
    O(STOPPED, "stopped", "the user ended the soak, and it had shown nothing wrong")               \
    O(BEYOND, "beyond", "FAIL: more than the case's ceilings allow in a run by itself")            \
    O(DIED_KNOWN, "died, known", "the JVM died in a walker, of a bug that is known")               \
    O(HARNESS, "harness", "Plumbline or its surroundings failed")                                  \
    O(TRUTH, "truth", "what has no known cause and no ceiling: an error of the JVM or ours")       \
    O(HUNG, "hung", "the JVM did not end within its time limit")                                   \
    O(DIED, "died", "the JVM died, and of what is not known")                                      \
    O(OURS, "ours", "the agent or the command died, or the command did not end")
enum soak_outcome {
#define SOAK_OUTCOME_ENUM(name, text, explanation) SOAK_##name,
    SOAK_OUTCOMES(SOAK_OUTCOME_ENUM)
#undef SOAK_OUTCOME_ENUM
        SOAK_OUTCOME_COUNT
};
const char* soak_outcome_text(unsigned outcome);
// What one row makes of its round, as long as the command itself ended well.
enum soak_outcome soak_outcome_of(const struct results_row* row);
// Whether somebody must look at it.
bool soak_is_wrong(enum soak_outcome outcome);
// Whether readers are told of each kind of it, and its files are kept.
bool soak_is_kept(enum soak_outcome outcome);

// Memory in kB, looked at every second.
struct soak_memory {
    int64_t peak;
    int64_t first, last; // once the run was under way, and at its end; 0: never
    double began, span;  // seconds from the JVM's start to `first`, and from there to `last`
};

enum soak_watched { SOAK_RUNNER, SOAK_AGENT, SOAK_MAPPED, SOAK_JVM, SOAK_WATCHED };

struct soak_count {
    uint64_t judged, mismatched, unexplained; // unexplained: of no cause
};

struct soak_entry {
    uint64_t seed, number; // of the round
    char began[32];        // UTC: "2026-11-28T05:10:00Z"
    char version[SOAK_VERSION];
    char name[SOAK_NAME], mode[32], scope[16];
    char options[512]; // validate's, as soak_words gives them
    double seconds;    // that its JVM ran
    enum soak_outcome outcome;
    char reason[400];                            // of what was wrong; or empty
    struct soak_count layer[ORACLE_LAYER_COUNT]; // without our own code
    uint64_t waiting;                            // of async's judged: threads that waited
    uint64_t threads, lives;                     // seen; asked from first to last instruction
    struct soak_memory memory[SOAK_WATCHED];
};

// Opens the file, or makes it, for entries to be added. What a kill cut off at its end goes. Gives
// a descriptor; or -1 with errno set.
int soak_ledger_open(const char* path);
// Adds a line, and has it written to the disk. 0, or -1 with errno set.
int soak_ledger_add(int fd, const struct soak_entry* entry);

// Calls `take` for each line of the file; a last one that a kill cut off is passed over, and a file
// that is not there has none. 0; or -1 with the reason, which names the file and the line.
int soak_ledger_read(const char* path, void (*take)(void* context, const struct soak_entry* entry),
                     void* context, char* error, size_t error_size);

// ---- soak_sum.c --------------------------------------------------------------------------------
// The ledger added up.

struct soak_part { // of a release, or of a case
    char name[SOAK_NAME];
    size_t rounds;
    double seconds;
    size_t wrong;
    double grown[SOAK_WATCHED], span[SOAK_WATCHED]; // kB, and seconds
};
struct soak_wrong {
    char reason[400];
    enum soak_outcome outcome;
    uint64_t first; // number of the first round
    size_t count;
};

struct soak_sum { // all zero: nothing yet
    struct soak_part whole;
    struct soak_part *releases, *cases;
    size_t release_count, case_count;
    struct soak_wrong* wrongs;
    size_t wrong_count;
    size_t outcome[SOAK_OUTCOME_COUNT];
    struct soak_count layer[ORACLE_LAYER_COUNT];
    uint64_t waiting, threads, lives;
    int64_t peak[SOAK_WATCHED];
    uint64_t next; // number of the first round that is not in the ledger
};

// Adds one entry; `context` is a struct soak_sum*. Ends the process without memory.
void soak_sum_add(void* context, const struct soak_entry* entry);
void soak_sum_free(struct soak_sum* sum);
void soak_sum_print(const struct soak_sum* sum, FILE* out);
// The exit status that it deserves.
int soak_sum_status(const struct soak_sum* sum);

// ---- soak_round.c ------------------------------------------------------------------------------
// One round while it runs.

struct soak_round {
    struct launch_child child; // `plumbline validate`; pid 0: the place is free
    struct soak_draw draw;
    struct soak_entry entry;
    char out[PATH_MAX + 64];       // its directory
    const struct results_run* run; // the JVM's file, mapped; NULL: it is not there yet
    double started;                // of the JVM, as launch_now has it; 0: not yet
    double looked;                 // at its memory, the last time
    uint64_t pushes;               // that its threads had checked then
    double pushed;                 // when they had become more, the last time
    bool stopped;                  // the user ended it: its command was told to end
};

// Starts it below `directory`. 0, or an errno.
int soak_round_start(struct soak_round* round, const struct home* home, const struct jdk* jdk,
                     const char* directory);
// Looks at its memory, at most once a second.
void soak_round_look(struct soak_round* round);
// That its JVM has run, without the time in which command and JVM were frozen; 0: it does not run.
double soak_round_seconds(const struct soak_round* round);
// Its command has ended: fills the entry from what it left. Removes its files where nothing is
// wrong.
void soak_round_end(struct soak_round* round);

#endif
