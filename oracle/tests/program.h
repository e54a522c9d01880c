// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A thread as a list of real frames, and random programs that run on it: what instrumented code
// and the JVM do, step by step, with the trace stack kept as the agent's natives keep it. Beside
// the real trace stack stands a list of entries, on which push, pop and caught are done naively;
// after every step both must be the same, and `look` is called to judge.
#ifndef PROGRAM_H
#define PROGRAM_H

#include "oracle/oracle.h"
#include "rule.h"

#define PROGRAM_FRAMES 40   // deepest
#define PROGRAM_ENTRIES 128 // with those that were left behind
#define PROGRAM_BASE 3      // frames older than instrumentation, at most

// OUTSIDE: never pushes. ENTERED: not yet pushed. PUSHED. POPPED: not yet left.
enum program_state { PROGRAM_OUTSIDE, PROGRAM_ENTERED, PROGRAM_PUSHED, PROGRAM_POPPED };

struct program_frame {
    uintptr_t id;
    uint32_t number; // 0: not instrumented
    uint32_t position;
    int32_t bci;
    enum program_state state;
    bool in_super;   // a constructor, within its call of super()
    bool super_done; // and after it
};

// What may happen. Each: one in so many times, 0: never.
struct program_odds {
    uint32_t throws;
    uint32_t vanish;    // constructors call super() constructors, which throw
    uint32_t upcall;    // the VM runs Java code on behalf of a method that has not pushed
    uint32_t lost_pops; // a handler's own pop overflows, or a pop throws after it ran
    uint32_t nameless;  // methods whose jmethodID is not known
    uint32_t base;      // threads with frames older than the instrumentation
    uint32_t checks;    // GetStackTrace at a push or pop
    uint32_t gaps;      // at a check: the gaps are captured
};

// Why entries may not be the pushed frames, as oracle/README.md lists it.
enum program_excuse {
    PROGRAM_EXACT,
    PROGRAM_IN_FLIGHT,    // a constructor vanished, and its exception is on the way
    PROGRAM_OUT_OF_REACH, // and it was caught where no `caught` is, or could not be mended, or
                          // entries of other methods were left behind
};

// How often what happened.
struct program_counts {
    uint64_t looks, inexact;
    uint64_t calls, returns, throws, catches, unpushed, threads, bases, vanished, mended, upcalls,
        overflows, lost, gaps, checks, silent_handlers, outside_catches;
};

struct program {
    uint64_t seed; // as given; for messages
    uint64_t random;
    uint64_t step;
    struct program_odds odds;
    struct oracle_stack stack;
    struct oracle_methods* methods;
    struct oracle_code* codes[2]; // of ordinary methods, of constructors
    struct program_frame frames[PROGRAM_FRAMES];
    uint32_t depth;
    uint32_t base; // what the agent knows: as many as there were
    uint32_t base_left;
    bool native; // push, pop or caught is on top
    // The list of entries, oldest first, and how many slots of gaps lie below each.
    uint32_t entries[PROGRAM_ENTRIES], positions[PROGRAM_ENTRIES], gaps[PROGRAM_ENTRIES];
    uint32_t entry_count, beyond;
    enum program_excuse excuse;
    bool blurred; // a pop was lost, or the wrong one of two entries kept, since the thread began
    struct program_counts counts;
    void (*look)(struct program* program);
};

void program_open(struct program* program, uint64_t seed, const struct program_odds* odds,
                  uint32_t capacity, void (*look)(struct program* program));
void program_close(struct program* program);
// Runs so many steps, and then lets the thread end.
void program_run(struct program* program, uint32_t steps);
// A number below `limit`.
uint32_t program_random(struct program* program, uint32_t limit);
// The true trace, youngest first: at most PROGRAM_FRAMES + 1 frames.
uint32_t program_walk(const struct program* program, struct oracle_frame* trace);
struct rule_stack program_entries(const struct program* program);
// Whether the entries are exactly the frames that have pushed.
bool program_is_exact(const struct program* program);
// Whether some frame has been entered or left without its push or pop, at any depth.
bool program_in_transition(const struct program* program);
// Whether a frame stands below others at its entry, and has not pushed.
bool program_in_upcall(const struct program* program);
bool program_has_gaps(const struct program* program);
// Fails the test with the seed, the entries and a trace.
_Noreturn void program_fail(const struct program* program, const char* what,
                            const struct oracle_frame* trace, uint32_t count);

#endif
