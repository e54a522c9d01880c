// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Modes: the JVM flags that decide who executes the code.
#ifndef RUNNER_MODES_H
#define RUNNER_MODES_H

#include <stddef.h>
#include <stdint.h>

// NAME, text, JVM flags, agent options, explanation.
#define MODES(M)                                                                                   \
    M(INT, "int", "-Xint", "", "interpreter only")                                                 \
    M(C1, "c1", "-XX:TieredStopAtLevel=1", "", "C1 only, without profiling")                       \
    M(C2, "c2", "-XX:-TieredCompilation", "", "interpreter and C2")                                \
    M(TIERED, "tiered", "", "", "as is: interpreter, C1 and C2")                                   \
    M(DEBUGINFO, "debuginfo", "-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints",            \
      "debuginfo=1", "tiered, with debug information at non-safepoints")

enum mode_id {
#define MODE_ENUM(name, text, flags, agent, explanation) MODE_##name,
    MODES(MODE_ENUM)
#undef MODE_ENUM
        MODE_COUNT
};

struct mode {
    const char* name;
    const char* flags; // separated by spaces
    const char* agent; // further agent options, or empty
    const char* explanation;
};

extern const struct mode modes[MODE_COUNT];

// The presets' modes, as bits 1 << enum mode_id.
#define MODES_QUICK (1u << MODE_INT | 1u << MODE_C1 | 1u << MODE_TIERED)
#define MODES_ALL ((1u << MODE_COUNT) - 1)

// The index of the mode with this name, of `length` bytes; -1 if there is none.
int modes_find(const char* name, size_t length);

#endif
