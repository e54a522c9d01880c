// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The part of the fake JVM (agent/tests/fakejvm.h) that only this room can make.
#include "fakejvm.h"

#include "codetables.h"

const char* fake_hotspot_thread(const volatile int32_t* state) {
    code.layout.field[LAYOUT_THREAD_STATE].offset = 0;
    code.layout.field[LAYOUT_THREAD_STATE].width = sizeof *state;
    return (const char*)(uintptr_t)state;
}
