// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A model of a thread: a list of real frames, and random programs that run on it. A program does
// what instrumented code and the JVM do, step by step, and keeps the trace stack as the agent's
// natives keep it. Beside the trace stack there is a list of entries, on which push, pop and caught
// are done naively. After every step both must be the same; then `look` is called to judge.
#ifndef PROGRAM_H
#define PROGRAM_H

#include "oracle/oracle.h"
#include "rule.h"

#define PROGRAM_FRAMES 40   // deepest
#define PROGRAM_ENTRIES 128 // including entries that were left behind
#define PROGRAM_BASE 3      // frames older than instrumentation, at most

// OUTSIDE: its method never pushes. ENTERED: has not pushed yet. PUSHED. POPPED: has not left yet.
enum program_state { PROGRAM_OUTSIDE, PROGRAM_ENTERED, PROGRAM_PUSHED, PROGRAM_POPPED };

struct program_frame {
    uintptr_t id;
    uint32_t number; // 0: not instrumented
    uint32_t position;
    int32_t bci;
    enum program_state state;
    bool in_super;   // a constructor inside its call of super()
    bool super_done; // a constructor after that call
};

// How often each event happens: once in so many times; 0: never.
struct program_odds {
    uint32_t throws;
    uint32_t vanish;    // constructors call super() constructors that throw
    uint32_t upcall;    // the VM runs Java code on behalf of a method that has not pushed
    uint32_t lost_pops; // a handler's own pop overflows, or a pop throws after it ran
    uint32_t nameless;  // methods whose jmethodID is unknown
    uint32_t base;      // threads with frames older than the instrumentation
    uint32_t checks;    // at a push or pop: GetStackTrace is compared with the trace stack
    uint32_t gaps;      // at a check: the gaps are captured
};

// Why the entries may differ from the pushed frames; oracle/README.md lists the reasons.
enum program_excuse {
    PROGRAM_EXACT,        // they may not
    PROGRAM_IN_FLIGHT,    // a constructor vanished, and its exception has not been caught yet
    PROGRAM_OUT_OF_REACH, // that exception was caught by a handler without `caught`, or mending was
                          // impossible, or entries of other methods were left behind
};

// How often each event happened.
struct program_counts {
    uint64_t looks, inexact;
    uint64_t calls, returns, throws, catches, unpushed, threads, bases, vanished, mended, upcalls,
        overflows, lost, gaps, checks, silent_handlers, outside_catches;
};

struct program {
    uint64_t seed; // as given, for messages
    uint64_t random;
    uint64_t step;
    struct program_odds odds;
    struct oracle_stack stack;
    struct oracle_methods* methods;
    struct oracle_code* codes[2]; // [0] of ordinary methods, [1] of constructors
    struct program_frame frames[PROGRAM_FRAMES];
    uint32_t depth;
    uint32_t base;      // the size of the base when the thread began, as the agent knows it
    uint32_t base_left; // the base frames that are still there
    bool native;        // push, pop or caught is on top
    // The list of entries, oldest first; gaps: the number of slots of the gap below each.
    uint32_t entries[PROGRAM_ENTRIES], positions[PROGRAM_ENTRIES], gaps[PROGRAM_ENTRIES];
    uint32_t entry_count, beyond;
    enum program_excuse excuse;
    bool blurred; // since the thread began, a pop was lost or mending kept the wrong of two entries
    struct program_counts counts;
    void (*look)(struct program* program);
};

// Begins a program on a trace stack of `capacity` slots. The program is a function of `seed`,
// `odds` and `capacity` alone. Fails the test without memory. Owned by the caller until
// program_close.
void program_open(struct program* program, uint64_t seed, const struct program_odds* odds,
                  uint32_t capacity, void (*look)(struct program* program));
void program_close(struct program* program);
// Runs `steps` steps, and then lets all methods return.
void program_run(struct program* program, uint32_t steps);
// A random number below `limit`.
uint32_t program_random(struct program* program, uint32_t limit);
// Writes the true trace, youngest first, and returns its length: at most PROGRAM_FRAMES + 1 frames.
uint32_t program_walk(const struct program* program, struct oracle_frame* trace);
// The list of entries, for rule_judge. Valid until the next step.
struct rule_stack program_entries(const struct program* program);
// Whether the entries are exactly the frames that have pushed.
bool program_is_exact(const struct program* program);
// Whether some frame, at any depth, has been entered and not pushed, or has popped and not left.
bool program_in_transition(const struct program* program);
// Whether a frame that has not pushed stands below another frame.
bool program_in_upcall(const struct program* program);
// Whether some gap is captured.
bool program_has_gaps(const struct program* program);
// Fails the test; the message holds `what`, the seed, the entries and the trace.
_Noreturn void program_fail(const struct program* program, const char* what,
                            const struct oracle_frame* trace, uint32_t count);

#endif
