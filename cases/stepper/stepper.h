// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Runs code one instruction at a time, with a signal handler between every two, in this very
// thread: so the handler sees what a sampler's would see there. Other threads run at full speed,
// and no code of theirs is changed.
#ifndef CASES_STEPPER_STEPPER_H
#define CASES_STEPPER_STEPPER_H

#include <stdint.h>

// What is called before every instruction, in the handler. `pc` is the instruction.
typedef void stepper_look(uintptr_t pc, void* argument);

// Calls code(argument), and look(pc, argument) before each of its instructions and those of what it
// calls. Returns the number of looks; 0: no memory that can be written and executed, and the code
// was not called. Not reentrant, and one thread at a time. SIGTRAP's handler is replaced meanwhile,
// and the signals that no instruction causes wait. Does not return, but ends the process with a
// message, at an instruction that cannot be stepped over (on aarch64: exclusive accesses to pairs,
// branches that authenticate, BRK).
uint64_t stepper_run(void (*code)(void* argument), stepper_look* look, void* argument);

#endif
