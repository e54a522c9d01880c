// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A process has no trap flag on aarch64. So each instruction runs in a slot, with a breakpoint
// behind it; one that would do something else there is imitated in the handler.
#include "processor.h"

#if defined(__aarch64__)

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static struct arm64_slot* slot;
static struct arm64_monitor monitor;
static uintptr_t at; // where the slot's instruction stands

bool processor_open(void) {
    if (slot != NULL) return true;
    void* page = mmap(NULL, sizeof *slot, PROT_READ | PROT_WRITE | PROT_EXEC,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED) slot = page;
    return slot != NULL;
}

static void give_up(uintptr_t pc) {
    static const char digits[] = "0123456789abcdef";
    char text[] = "stepper: the instruction ........ cannot be stepped over\n";
    for (int i = 0; i < 8; i++)
        text[sizeof "stepper: the instruction " - 1 + (size_t)i] =
            digits[*(const uint32_t*)pc >> (28 - 4 * i) & 15];
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    abort();
}

void processor_trapped(void* ucontext) {
    struct arm64_registers* registers = (void*)((ucontext_t*)ucontext)->uc_mcontext.regs;
    _Static_assert(offsetof(mcontext_t, pstate) - offsetof(mcontext_t, regs) ==
                       offsetof(struct arm64_registers, pstate),
                   "the registers lie otherwise");
    enum arm64_way way = ARM64_DONE;
    if (registers->pc == (uintptr_t)slot) give_up(at);
    if (registers->pc == (uintptr_t)&slot->breakpoint) registers->pc = at + 4;
    while (way == ARM64_DONE) {
        if (!stepper_comes_to(registers->pc)) return;
        way = arm64_imitate(registers, &monitor);
    }
    if (way == ARM64_NOT_KNOWN) give_up(registers->pc);
    at = registers->pc;
    arm64_place(at, slot);
    __builtin___clear_cache((char*)slot, (char*)(slot + 1));
    registers->pc = (uintptr_t)slot;
}

#endif
