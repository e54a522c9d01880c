// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Whether a mismatch is one of attribution (oracle/README.md): finds the youngest compiled frame by
// the code at the pc, and asks the oracle.
#ifndef AGENT_ATTRIBUTION_H
#define AGENT_ATTRIBUTION_H

#include "agent/code/code.h"
#include "agent/threads/threads.h"

// Learns the frame size of our natives' compiled wrapper, if the sample's place lies in one.
void attribution_learn(const struct code_place* place) HANDLER_SAFE;
// Turns a mismatch of the layer async into ORACLE_ATTRIBUTION where it is one. That can be decided
// only where the youngest physical frame is a compiled method's and complete: it is at the pc; or
// at the anchor, in a thread that left Java; or under the C++ functions that it called without an
// anchor. Writes that frame to *owner; its method is 0 where there is no such frame.
void attribution_decide(const struct agent_thread* thread, const struct oracle_frame* frames,
                        uint32_t count, const struct oracle_context* context,
                        const struct code_place* place, const void* ucontext,
                        struct oracle_judgement* judgement,
                        struct oracle_owner* owner) HANDLER_SAFE;

#endif
