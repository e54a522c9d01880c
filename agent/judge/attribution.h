// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Whether a mismatch is one of attribution: asks the oracle, with what the code at the pc tells.
#ifndef AGENT_ATTRIBUTION_H
#define AGENT_ATTRIBUTION_H

#include "agent/code/code.h"
#include "agent/threads/threads.h"

// Learns from a sample's place how large the frame of our natives' wrapper is.
void attribution_learn(const struct code_place* place) HANDLER_SAFE;
// Turns a mismatch of the layer async into ORACLE_ATTRIBUTION where it is that: where the youngest
// physical frame is a compiled method's and complete, be it at the pc, or in a thread that is in
// the VM at the anchor it left, or under the C++ functions that it called without one. *owner is
// that frame; its method 0 where there is none.
void attribution_decide(const struct agent_thread* thread, const struct oracle_frame* frames,
                        uint32_t count, const struct oracle_context* context,
                        const struct code_place* place, const void* ucontext,
                        struct oracle_judgement* judgement,
                        struct oracle_owner* owner) HANDLER_SAFE;

#endif
