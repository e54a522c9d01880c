// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The layer that needs no instrumentation: the walker in the handler, GetStackTrace from this
// thread right after, the walker in the handler again.
#ifndef AGENT_SANDWICH_H
#define AGENT_SANDWICH_H

#include <stdint.h>

// Allocates the buffers. 0, or -1 without memory.
int sandwich_open(void);
// One turn: asks one random running thread, and judges and counts the answer. `random`: a state of
// random_below. On the sandwich's own thread.
void sandwich_turn(uint64_t* random);

#endif
