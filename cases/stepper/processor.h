// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// How a processor is made to stop after one instruction. Private to this folder. What looks at
// instructions is compiled everywhere, so its tests run on each processor.
#ifndef CASES_STEPPER_PROCESSOR_H
#define CASES_STEPPER_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

// ---- stepper.c, for the processors --------------------------------------------------------------

// Looks, as the instruction at pc comes next. False: stepping is over.
bool stepper_comes_to(uintptr_t pc);

// ---- This processor: trap_x86.c, trap_arm64.c ---------------------------------------------------

// Makes ready; again does nothing. False: no memory.
bool processor_open(void);
// In the handler of SIGTRAP: has the next instruction run, and then the trap come; or goes on at
// full speed, if stepping is over.
void processor_trapped(void* ucontext);

// ---- aarch64: arm64.c ---------------------------------------------------------------------------

// As they stand in an mcontext_t.
struct arm64_registers {
    uint64_t x[31], sp, pc, pstate;
};

// An exclusive load and its store are parted by the traps between them, which take the processor's
// monitor away. So both are imitated, and the store compares: it cannot tell a word that was
// changed twice.
struct arm64_monitor {
    uint64_t address; // 0: nothing was loaded
    uint64_t value;
};

// What a slot has: one instruction, the breakpoint behind it, and a literal that it may load.
struct arm64_slot {
    uint32_t instruction;
    uint32_t breakpoint;
    uint32_t unused[2];
    uint8_t literal[16];
};

enum arm64_way {
    ARM64_DONE,     // the registers have its effect, and pc is the next instruction
    ARM64_IN_SLOT,  // it does the same elsewhere
    ARM64_NOT_KNOWN // it does not, and is not imitated
};

// Does the instruction at registers->pc, if it depends on where it stands or is an exclusive
// access. Handler-safe. Changes nothing where it does not.
enum arm64_way arm64_imitate(struct arm64_registers* registers, struct arm64_monitor* monitor);
// Writes the instruction at pc into the slot, and a literal that it loads. Handler-safe.
void arm64_place(uintptr_t pc, struct arm64_slot* slot);

#endif
