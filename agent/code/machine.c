// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "code.h"

#include <string.h>

#include "parts.h"
#include "agent/state/state.h"
#include "processor.h"

#define WORDS_BELOW_SP 16 // what was popped last still stands there
#define BYTES_BEFORE_PC 48

HANDLER_COMMON uintptr_t machine_pc(const void* ucontext) {
    return (uintptr_t)processor_pc(ucontext);
}

HANDLER_COMMON uintptr_t machine_sp(const void* ucontext) {
    return (uintptr_t)processor_sp(ucontext);
}

HANDLER_COMMON uintptr_t machine_fp(const void* ucontext) {
    return (uintptr_t)processor_fp(ucontext);
}

HANDLER_SAFE struct code_called machine_called(const void* ucontext, uintptr_t pc,
                                               const struct code_place* place, uintptr_t end) {
    return (struct code_called){.pc = pc,
                                .place = place,
                                .sp = machine_sp(ucontext),
                                .fp = machine_fp(ucontext),
                                .end = end,
                                .lr = processor_code((uintptr_t)processor_lr(ucontext)),
                                .sender_sp =
                                    (uintptr_t)processor_sender_sp(ucontext, agent.release)};
}

HANDLER_COMMON uintptr_t machine_bcp(const void* ucontext) {
    return (uintptr_t)processor_bcp(ucontext);
}

HANDLER_SAFE uintptr_t machine_method(const void* ucontext) {
    return (uintptr_t)processor_method(ucontext);
}

HANDLER_SAFE void machine_set_pc(void* ucontext, uintptr_t pc) {
    processor_set_pc(ucontext, pc);
}

HANDLER_SAFE void machine_set_sp(void* ucontext, uintptr_t sp) {
    processor_set_sp(ucontext, sp);
}

HANDLER_SAFE void machine_set_fp(void* ucontext, uintptr_t fp) {
    processor_set_fp(ucontext, fp);
}

static HANDLER_SAFE void keep_registers(struct results_evidence* m, const void* ucontext) {
    _Static_assert(PROCESSOR_REGISTERS <= RESULTS_REGISTERS_MAX, "no room for the registers");
    m->register_count = PROCESSOR_REGISTERS;
    memcpy(m->registers, processor_registers(ucontext),
           PROCESSOR_REGISTERS * sizeof m->registers[0]);
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
    return processor_shape(bytes, size);
}
