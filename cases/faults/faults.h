// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Seeded faults: a library in front of AsyncGetCallTrace that spoils its answers at a known rate. A
// judge of walkers shows with it that it notices errors. The library does not know any judge: no
// ground truth, no agent, no results. cases/README.md says how to put it in front.
//
// It has three parts. This header lists the faults and says how they are written. spoil.h has pure
// functions that spoil an array of frames. front.h is the library around them.
#ifndef CASES_FAULTS_FAULTS_H
#define CASES_FAULTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// NAME, text, effect on an answer. Frames are counted youngest first. A caller is a frame that is
// not the youngest. An answer that does not allow a fault is not eligible for it.
#define FAULTS(F)                                                                                  \
    F(DROP_YOUNGEST, "drop-youngest", "the youngest frame is left out")                            \
    F(DROP_MIDDLE, "drop-middle",                                                                  \
      "a frame that is neither the youngest nor the oldest is left out")                           \
    F(TRUNCATE, "truncate", "the oldest frame is left out")                                        \
    F(CUT, "cut", "only the n youngest frames are left; cut=N sets n, else n is random")           \
    F(REPEAT, "repeat", "a frame is given twice")                                                  \
    F(SWAP, "swap", "two frames of different methods change places")                               \
    F(FOREIGN, "foreign",                                                                          \
      "a loaded method that the thread does not run is put between two frames")                    \
    F(STALE_CALLER, "stale-caller", "a caller that has returned is put under the youngest frame")  \
    F(EXTRA_YOUNGEST, "extra-youngest",                                                            \
      "a method that the youngest one was seen to call is put on top of it")                       \
    F(EXTRA_CALLER, "extra-caller-bci0",                                                           \
      "a caller that has returned is put between two frames, at bci 0")                            \
    F(OWN_ON_TOP, "own-on-top",                                                                    \
      "the native method, or else the Java method, that was seen under most callers is put on "    \
      "top: under a judge that inserts calls of a method into every method, its own")              \
    F(NULL_ID, "null-id", "a frame's method id is null")                                           \
    F(DANGLING_ID, "dangling-id", "a frame's method id is not the id of a method")                 \
    F(BCI_NEXT, "bci-next", "a caller's bci is one too high")                                      \
    F(BCI_OTHER, "bci-other", "a caller's bci is that of another call site of its method")         \
    F(BCI_RANGE, "bci-range", "a frame's bci is higher than any method has")                       \
    F(FLIP_NATIVE, "flip-native", "a Java frame is called native, or a native one Java")           \
    F(REFUSE, "refuse",                                                                            \
      "an error code and no frames; refuse=CODE sets the code, else it is random")                 \
    F(OTHER_THREAD, "other-thread", "the answer that another thread got a moment ago")             \
    F(TOO_MANY, "too-many",                                                                        \
      "the count is higher than the frames that there was room for; no frame is written there")    \
    F(YOUNG_NATIVE, "young-native",                                                                \
      "in a system call: a native method on top and its caller are left out, and the bci of the "  \
      "next frame is one off")                                                                     \
    F(TRUST_SP, "trust-sp",                                                                        \
      "the call reads the word at the context's stack pointer, whether or not it can be read")     \
    F(TRUST_ENV, "trust-env",                                                                      \
      "the call reads the first word of the environment, which may be null")                       \
    F(REVIVE, "revive",                                                                            \
      "a question that was refused is answered with the youngest frame of an earlier answer")      \
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

// The layout of AsyncGetCallTrace: one frame, and an answer.
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
    int32_t value; // cut: number of frames left; refuse: the code
    double rate;   // in (0, 1]: of the eligible answers
    uint64_t seed;
};
#define FAULT_RULES_MAX 16

// Reads "FAULT[=VALUE][:RATE[:SEED]],...". The default rate is 1, the default seed 1. Returns the
// number of rules, or -1 with a message in `error`.
int fault_read(const char* text, struct fault_rule rules[FAULT_RULES_MAX], char* error,
               size_t error_size);

// ---- The file of counts -----------------------------------------------------------------------

// The library's counts, mapped shared, so that they outlive a crash. All counts are atomic. There
// is a row for each rule, in their order, then one for each code that `refuse` gave.
#define FAULT_MAGIC "PLMBFLT1"
#define FAULT_ROWS_MAX (FAULT_RULES_MAX + FAULT_CODES)
struct fault_row {
    char name[40];
    uint64_t eligible; // answers that the fault could spoil
    uint64_t injected; // answers that it spoiled
    double rate;       // of the rule
};
struct fault_counts {
    char magic[8];
    uint32_t row_size, row_count;
    uint64_t calls;   // of AsyncGetCallTrace
    uint64_t answers; // real answers with frames
    uint64_t passed;  // answers left alone: the call was inside another one, or no slot was free
    uint64_t unused;
    struct fault_row rows[FAULT_ROWS_MAX];
};

#endif
