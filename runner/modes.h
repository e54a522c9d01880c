// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Modes: the JVM flags that decide who executes the code.
#ifndef RUNNER_MODES_H
#define RUNNER_MODES_H

#include <stddef.h>
#include <stdint.h>

#include "results/results.h"

// Kinds of code that a JVM's threads can be in, by who compiles.
#define MODES_ANYWHERE                                                                             \
    (1u << RESULTS_CODE_INTERPRETER | 1u << RESULTS_CODE_STUB | 1u << RESULTS_CODE_JVM |           \
     1u << RESULTS_CODE_NATIVE)
#define MODES_COMPILED                                                                             \
    (MODES_ANYWHERE | 1u << RESULTS_CODE_NATIVE_WRAPPER | 1u << RESULTS_CODE_ADAPTER |             \
     1u << RESULTS_CODE_VTABLE)
#define MODES_C1 (1u << RESULTS_CODE_C1_1 | 1u << RESULTS_CODE_C1_2 | 1u << RESULTS_CODE_C1_3)
#define MODES_C2 (1u << RESULTS_CODE_C2)

// NAME, text, JVM flags, agent options, kinds of code, explanation.
#define MODES(M)                                                                                   \
    M(INT, "int", "-Xint", "", MODES_ANYWHERE, "interpreter only")                                 \
    M(C1, "c1", "-XX:TieredStopAtLevel=1", "", MODES_COMPILED | 1u << RESULTS_CODE_C1_1,           \
      "C1 only, without profiling")                                                                \
    M(C2, "c2", "-XX:-TieredCompilation", "", MODES_COMPILED | MODES_C2, "interpreter and C2")     \
    M(TIERED, "tiered", "", "", MODES_COMPILED | MODES_C1 | MODES_C2,                              \
      "as is: interpreter, C1 and C2")                                                             \
    M(DEBUGINFO, "debuginfo", "-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints",            \
      "debuginfo=1", MODES_COMPILED | MODES_C1 | MODES_C2,                                         \
      "tiered, with debug information at non-safepoints")

enum mode_id {
#define MODE_ENUM(name, text, flags, agent, kinds, explanation) MODE_##name,
    MODES(MODE_ENUM)
#undef MODE_ENUM
        MODE_COUNT
};

struct mode {
    const char* name;
    const char* flags; // separated by spaces
    const char* agent; // further agent options, or empty
    uint32_t kinds;    // kinds of code there can be: bits 1 << enum results_code_kind
    const char* explanation;
};

extern const struct mode modes[MODE_COUNT];

// The presets' modes, as bits 1 << enum mode_id.
#define MODES_QUICK (1u << MODE_INT | 1u << MODE_C1 | 1u << MODE_TIERED)
#define MODES_ALL ((1u << MODE_COUNT) - 1)

// The index of the mode with this name, of `length` bytes; -1 if there is none.
int modes_find(const char* name, size_t length);

#endif
