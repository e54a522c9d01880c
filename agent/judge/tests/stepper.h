// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Runs code one instruction at a time, with a signal handler between every two: by the processor's
// trap flag, in this very thread, so that a handler sees what the agent's own would see there.
#ifndef STEPPER_H
#define STEPPER_H

#include <stdbool.h>
#include <stdint.h>

// What is called before every instruction, in the handler. `pc` is the instruction.
typedef void stepper_look(uintptr_t pc, void* argument);

// Only x86-64's trap flag is known here.
bool stepper_works(void);
// Calls code(argument), and look(pc, argument) before each of its instructions and those of what it
// calls. Returns the number of looks. Not reentrant; SIGTRAP's handler is replaced.
uint64_t stepper_run(void (*code)(void* argument), stepper_look* look, void* argument);

#endif
