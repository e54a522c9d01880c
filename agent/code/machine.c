// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "code.h"

#include <string.h>
#include <ucontext.h>

#include "parts.h"

#define WORDS_BELOW_SP 16 // what was popped last still stands there
#define BYTES_BEFORE_PC 48

HANDLER_COMMON uintptr_t machine_pc(const void* ucontext) {
    const ucontext_t* context = ucontext;
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.pc;
#else
#error "tell how to read the program counter of a ucontext_t here"
#endif
}

HANDLER_COMMON uintptr_t machine_sp(const void* ucontext) {
    const ucontext_t* context = ucontext;
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#else
    return (uintptr_t)context->uc_mcontext.sp;
#endif
}

HANDLER_COMMON uintptr_t machine_fp(const void* ucontext) {
    const ucontext_t* context = ucontext;
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RBP];
#else
    return (uintptr_t)context->uc_mcontext.regs[29];
#endif
}

HANDLER_COMMON uintptr_t machine_bcp(const void* ucontext) {
#if defined(__x86_64__)
    return (uintptr_t)((const ucontext_t*)ucontext)->uc_mcontext.gregs[REG_R13];
#else
    (void)ucontext;
    return 0;
#endif
}

HANDLER_SAFE uintptr_t machine_method(const void* ucontext) {
#if defined(__x86_64__)
    return (uintptr_t)((const ucontext_t*)ucontext)->uc_mcontext.gregs[REG_RBX];
#else
    (void)ucontext;
    return 0;
#endif
}

static HANDLER_SAFE void keep_registers(struct results_evidence* m, const void* ucontext) {
    const ucontext_t* context = ucontext;
#if defined(__x86_64__)
    _Static_assert(NGREG <= RESULTS_REGISTERS_MAX, "no room for the registers");
    m->register_count = NGREG;
    memcpy(m->registers, context->uc_mcontext.gregs, NGREG * sizeof m->registers[0]);
#else
    m->register_count = 34; // regs[31], sp, pc and pstate stand in this order
    memcpy(m->registers, context->uc_mcontext.regs, 34 * sizeof m->registers[0]);
#endif
}

static HANDLER_SAFE void keep_stack(struct results_evidence* m, uintptr_t low, uintptr_t high) {
    const uintptr_t below = WORDS_BELOW_SP * sizeof m->stack_words[0];
    uintptr_t sp = m->sp & ~(uintptr_t)7;
    uintptr_t from = sp - below, end = from + sizeof m->stack_words;
    bool known = high != 0 && sp >= low && sp < high;
    if (known && from < low) from = low;
    if (known && end > high) end = high;
    size_t copied = memory_copy(m->stack_words, (const void*)from, end - from);
    if (copied == 0 && from < sp) { // below sp may lie a guard page
        from = sp;
        copied = memory_copy(m->stack_words, (const void*)from, end - from);
    }
    m->stack_at = from;
    m->stack_count = (uint32_t)(copied / sizeof m->stack_words[0]);
}

static HANDLER_SAFE void keep_bytes(struct results_evidence* m, uint64_t pc,
                                    const struct code_place* place) {
    uintptr_t from = (uintptr_t)pc - BYTES_BEFORE_PC, end = from + sizeof m->bytes;
    if (place->begin != 0 && from < place->begin) from = place->begin;
    if (place->begin != 0 && end > place->end) end = place->end;
    size_t copied = memory_copy(m->bytes, (const void*)from, end - from);
    if (from + copied <= pc) { // the page before the pc's is not readable
        from = (uintptr_t)pc;
        copied = memory_copy(m->bytes, (const void*)from, end - from);
    }
    m->bytes_at = from;
    m->byte_count = (uint32_t)copied;
}

HANDLER_SAFE void machine_keep(struct results_evidence* m, uint64_t pc, const void* ucontext,
                               const struct machine_bounds* bounds) {
    m->sp = machine_sp(ucontext);
    keep_registers(m, ucontext);
    keep_stack(m, bounds->stack_low, bounds->stack_high);
    keep_bytes(m, pc, bounds->code);
}

HANDLER_SAFE size_t machine_instruction(uintptr_t pc, uintptr_t end,
                                        uint8_t bytes[MACHINE_INSTRUCTION_MAX]) {
    size_t size = MACHINE_INSTRUCTION_MAX;
    if (end > pc && end - pc >= size) memcpy(bytes, (const void*)pc, size);
    else size = memory_copy(bytes, (const void*)pc, size);
#if defined(__x86_64__)
    struct x86_instruction x;
    if (!x86_decode(bytes, size, &x)) return 0;
    for (uint32_t i = x.operands; i < x.length; i++) bytes[i] = 0;
    return x.length;
#else
    return size > 4 ? 4 : size;
#endif
}
