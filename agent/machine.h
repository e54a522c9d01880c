// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the interrupted machine was at: registers, stack, code. Of a handler's third argument.
#ifndef AGENT_MACHINE_H
#define AGENT_MACHINE_H

#include <stdint.h>

#include "code.h"
#include "results/record/record.h"

uintptr_t machine_pc(const void* ucontext) HANDLER_SAFE;
uintptr_t machine_sp(const void* ucontext) HANDLER_SAFE;
uintptr_t machine_fp(const void* ucontext) HANDLER_SAFE; // rbp, x29
// Registers, stack words and the bytes around the pc; the stack is clipped to [low, high) where
// that is known (high not 0), and everything to what can be read.
void machine_keep(struct results_mismatch* m, const void* ucontext, const struct code_place* place,
                  uintptr_t stack_low, uintptr_t stack_high) HANDLER_SAFE;

#endif
