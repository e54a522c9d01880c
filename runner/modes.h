// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Modes: the JVM flags that decide who executes the code, and how it is compiled.
#ifndef RUNNER_MODES_H
#define RUNNER_MODES_H

#include <stddef.h>
#include <stdint.h>

#include "results/results.h"
#include "words.h"

// Kinds of code that a JVM's threads can be in, by who compiles.
#define MODES_ANYWHERE                                                                             \
    (1u << RESULTS_CODE_INTERPRETER | 1u << RESULTS_CODE_STUB | 1u << RESULTS_CODE_JVM |           \
     1u << RESULTS_CODE_NATIVE)
#define MODES_COMPILED                                                                             \
    (MODES_ANYWHERE | 1u << RESULTS_CODE_NATIVE_WRAPPER | 1u << RESULTS_CODE_ADAPTER |             \
     1u << RESULTS_CODE_VTABLE)
#define MODES_C1 (1u << RESULTS_CODE_C1_1 | 1u << RESULTS_CODE_C1_2 | 1u << RESULTS_CODE_C1_3)
#define MODES_C2 (1u << RESULTS_CODE_C2)

#define MODES_ALL_TIERS (MODES_COMPILED | MODES_C1 | MODES_C2)

#define MODES_DIAGNOSTIC "-XX:+UnlockDiagnosticVMOptions "
#define MODES_EXPERIMENTAL "-XX:+UnlockExperimentalVMOptions "

// C2's flags that make it choose at random where any choice is right; release builds have them.
// (StressLdcRewrite is none of them: it moves the code of retransformed classes, and with it the
// bci that the trace stack expects.)
#define MODES_STRESS                                                                               \
    "?-XX:+StressLCM ?-XX:+StressGCM ?-XX:+StressIGVN ?-XX:+StressCCP "                            \
    "?-XX:+StressIncrementalInlining ?-XX:+StressMacroExpansion ?-XX:+StressMacroElimination "     \
    "?-XX:+StressArrayCopyMacroNode ?-XX:+StressMethodHandleLinkerInlining "                       \
    "?-XX:+StressUnstableIfTraps ?-XX:+StressReachabilityFences ?-XX:+StressSecondarySupers "      \
    "?-XX:StressSeed=#"

// NAME, text, JVM flags, agent options, kinds of code, explanation. A flag with ? before it is left
// out where the JVM does not know it; # stands for the seed. What else a JVM does not know, or does
// not start with, it does not have the mode of: ability.h.
#define MODES(M)                                                                                   \
    M(INT, "int", "-Xint", "", MODES_ANYWHERE, "interpreter only")                                 \
    M(C1, "c1", "-XX:TieredStopAtLevel=1", "", MODES_COMPILED | 1u << RESULTS_CODE_C1_1,           \
      "C1 only, without profiling")                                                                \
    M(C2, "c2", "-XX:-TieredCompilation", "", MODES_COMPILED | MODES_C2, "interpreter and C2")     \
    M(TIERED, "tiered", "", "", MODES_ALL_TIERS, "as is: interpreter, C1 and C2")                  \
    M(DEBUGINFO, "debuginfo", MODES_DIAGNOSTIC "-XX:+DebugNonSafepoints", "debuginfo=1",           \
      MODES_ALL_TIERS, "tiered, with debug information at non-safepoints")                         \
    M(COMP, "comp", "-Xcomp", "", MODES_ALL_TIERS,                                                 \
      "all is compiled at its first call: no profile, so code for cases that never come")          \
    M(NOINLINE, "noinline", "-XX:-Inline", "", MODES_ALL_TIERS,                                    \
      "tiered, nothing inlined: every call has a frame, a prologue and an epilogue")               \
    M(NOCOMPRESSED, "nocompressed", "-XX:-UseCompressedOops ?-XX:-UseCompressedClassPointers", "", \
      MODES_ALL_TIERS,                                                                             \
      "tiered, pointers of 64 bits to objects and, where that can be had, to classes")             \
    M(SERIAL, "serial", "-XX:+UseSerialGC", "", MODES_ALL_TIERS,                                   \
      "tiered, Serial GC: card marks, collections by one thread")                                  \
    M(PARALLEL, "parallel", "-XX:+UseParallelGC", "", MODES_ALL_TIERS,                             \
      "tiered, Parallel GC: card marks, long pauses")                                              \
    M(G1, "g1", "-XX:+UseG1GC", "", MODES_ALL_TIERS,                                               \
      "tiered, G1: barriers with slow paths (small machines choose Serial by themselves)")         \
    M(ZGC, "zgc", MODES_EXPERIMENTAL "-XX:+UseZGC", "", MODES_ALL_TIERS,                           \
      "tiered, ZGC: barriers at loads and method entries, stacks scanned while they run")          \
    M(SHENANDOAH, "shenandoah", MODES_EXPERIMENTAL "-XX:+UseShenandoahGC", "", MODES_ALL_TIERS,    \
      "tiered, Shenandoah: barriers at loads and method entries, moves objects beside the "        \
      "program")                                                                                   \
    M(PRESERVEFP, "preservefp", "-XX:+PreserveFramePointer", "", MODES_ALL_TIERS,                  \
      "tiered, compiled code keeps rbp as frame pointer, as many profilers advise")                \
    M(STRESS, "stress", MODES_DIAGNOSTIC MODES_STRESS, "", MODES_ALL_TIERS,                        \
      "tiered, C2 schedules and transforms at random, from the seed: what flags the JVM has")

enum mode_id {
#define MODE_ENUM(name, text, flags, agent, kinds, explanation) MODE_##name,
    MODES(MODE_ENUM)
#undef MODE_ENUM
        MODE_COUNT
};

struct mode {
    const char* name;
    const char* flags; // separated by spaces, with ? and #: see MODES
    const char* agent; // further agent options, or empty
    uint32_t kinds;    // kinds of code there can be: bits 1 << enum results_code_kind
    const char* explanation;
};

extern const struct mode modes[MODE_COUNT];

// The presets' modes, as bits 1 << enum mode_id.
#define MODES_QUICK (1u << MODE_INT | 1u << MODE_C1 | 1u << MODE_TIERED)
#define MODES_FULL                                                                                 \
    (1u << MODE_INT | 1u << MODE_C1 | 1u << MODE_C2 | 1u << MODE_TIERED | 1u << MODE_DEBUGINFO)
#define MODES_ALL ((1u << MODE_COUNT) - 1)

// The index of the mode with this name, of `length` bytes; -1 if there is none.
int modes_find(const char* name, size_t length);

// The mode's flags as words. `known` are the names of the flags that this JVM has, each between
// newlines (jdk.h); if it is empty nobody asked, and what has a ? is left out.
void modes_flags(const struct mode* mode, const char* known, uint64_t seed, struct words* words);
// Gives 0 if the JVM has all the flags that the mode needs, and any flag of it at all; else the
// length of a name that is missing, to which *name points.
size_t modes_missing(const struct mode* mode, const char* known, const char** name);

#endif
