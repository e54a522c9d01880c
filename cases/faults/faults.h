// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Seeded faults: a library that stands in front of AsyncGetCallTrace and spoils its answers at a
// known rate, so that whoever judges walkers can show that he notices. It knows nothing of any
// judge: no ground truth, no agent, no results. README.md in cases/ says how it is put in front.
//
// Three parts: what there is to spoil and how a fault is written (here), the spoiling itself as
// pure functions on arrays of frames (spoil.h), and the library around them (library.c).
#ifndef CASES_FAULTS_FAULTS_H
#define CASES_FAULTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// NAME, text, what it does to an answer. Frames are counted youngest first; a caller is a frame
// that is not the youngest. An answer that does not allow the fault is not eligible for it.
#define FAULTS(F)                                                                                  \
    F(DROP_YOUNGEST, "drop-youngest", "the youngest frame is left out")                            \
    F(DROP_MIDDLE, "drop-middle",                                                                  \
      "a frame that is neither the youngest nor the oldest is left out")                           \
    F(TRUNCATE, "truncate", "the oldest frame is left out")                                        \
    F(CUT, "cut", "only the n youngest frames stay; cut=N says how many, else n is random")        \
    F(REPEAT, "repeat", "a frame stands there twice")                                              \
    F(SWAP, "swap", "two frames of different methods change places")                               \
    F(FOREIGN, "foreign",                                                                          \
      "between two frames stands a loaded method that the thread does not run")                    \
    F(STALE_CALLER, "stale-caller", "under the youngest frame stands a caller that has returned")  \
    F(NULL_ID, "null-id", "a frame's method id is null")                                           \
    F(DANGLING_ID, "dangling-id", "a frame's method id is no method's")                            \
    F(BCI_NEXT, "bci-next", "a caller's bci is one too high")                                      \
    F(BCI_OTHER, "bci-other", "a caller stands at another call site of its own")                   \
    F(BCI_RANGE, "bci-range", "a frame's bci is higher than any method's")                         \
    F(FLIP_NATIVE, "flip-native", "a Java frame is called native, or a native one Java")           \
    F(REFUSE, "refuse", "an error code and no frames; refuse=CODE says which, else it is random")  \
    F(OTHER_THREAD, "other-thread", "what another thread was answered a moment ago")               \
    F(CRASH, "crash", "the call dies of SIGSEGV")                                                  \
    F(SPIN, "spin", "the call never returns")

enum fault {
#define FAULTS_ENUM(name, text, explanation) FAULT_##name,
    FAULTS(FAULTS_ENUM)
#undef FAULTS_ENUM
        FAULT_COUNT
};
// Static text, never NULL.
const char* fault_text(enum fault fault);

// HotSpot's error codes run from 0 to 1 - this, in all releases (share/prims/forte.cpp).
#define FAULT_CODES 11

// AsyncGetCallTrace's own layout: one frame, and the answer.
struct fault_frame {
    int32_t bci; // -3: a native method
    uintptr_t method;
};
#define FAULT_BCI_NATIVE (-3)
struct fault_trace {
    void* env;
    int32_t count; // of frames; <= 0: an error code
    struct fault_frame* frames;
};

// One fault at one rate.
struct fault_rule {
    enum fault fault;
    bool has_value;
    int32_t value; // cut: frames that stay; refuse: the code
    double rate;   // in (0, 1]: of the eligible answers
    uint64_t seed;
};
#define FAULT_RULES_MAX 16

// Reads "FAULT[=VALUE][:RATE[:SEED]],..."; the rate is 1 if not given, the seed 1. Returns how many
// rules there are, or -1 and a message.
int fault_read(const char* text, struct fault_rule rules[FAULT_RULES_MAX], char* error,
               size_t error_size);

// ---- The file of counts -----------------------------------------------------------------------

// What the library did, mapped shared, so that it outlives a crash. All counts are atomic. The rows
// are those of the rules, in their order, and then one for each code that `refuse` gave.
#define FAULT_MAGIC "PLMBFLT1"
#define FAULT_ROWS_MAX (FAULT_RULES_MAX + FAULT_CODES)
struct fault_row {
    char name[40];
    uint64_t eligible; // answers that the fault could spoil
    uint64_t injected; // and that it did spoil
    double rate;       // as it was asked for
};
struct fault_counts {
    char magic[8];
    uint32_t row_size, row_count;
    uint64_t calls;   // that came
    uint64_t answers; // real answers with frames
    uint64_t passed;  // calls let through as they were: inside another call, or no slot was free
    uint64_t unused;
    struct fault_row rows[FAULT_ROWS_MAX];
};

#endif
