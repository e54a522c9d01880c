// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The trap flag: the processor itself traps after each instruction.
#include "processor.h"

#if defined(__x86_64__)

#include <ucontext.h>

#define TRAP_FLAG ((greg_t)0x100)

bool processor_open(void) {
    return true;
}

// The kernel clears the flag while the handler runs, and takes it from the context on the way back.
void processor_trapped(void* ucontext) {
    greg_t* registers = ((ucontext_t*)ucontext)->uc_mcontext.gregs;
    if (stepper_comes_to((uintptr_t)registers[REG_RIP])) registers[REG_EFL] |= TRAP_FLAG;
    else registers[REG_EFL] &= ~TRAP_FLAG;
}

#endif
