// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The natives of the runtime class, push, pop and caught: where instrumented code meets the trace
// stack. They have a section of their own, so a program counter in them is known as ours.
// judge.h has natives_define.
#ifndef AGENT_NATIVES_H
#define AGENT_NATIVES_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/oracle.h"

// Whether a program counter lies in one of the natives themselves.
bool natives_contain(uintptr_t pc) HANDLER_SAFE;
// The position (oracle_slot) of a push whose frame lies at `frame_address`: how deep the machine
// stack is, in units of 16 bytes, growing with depth.
static inline uint32_t natives_position(uintptr_t frame_address) {
    return (uint32_t) - (intptr_t)(frame_address >> 4);
}

#endif
