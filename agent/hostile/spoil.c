// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "parts.h"

#include "agent/code/code.h"
#include "agent/state/state.h"

#define GUARD_BYTES (16u * 4096u) // HotSpot's guard zones take 4 to 15 pages of 4 KB
#define OTHER_BYTES (1u << 20)    // of another thread's stack, from its lowest address on
#define NEAR_MOST 16u

static HANDLER_SAFE uint64_t wide(uint64_t* random) {
    return (uint64_t)random_below(random, UINT32_MAX) << 32 | random_below(random, UINT32_MAX);
}

// -NEAR_MOST to NEAR_MOST units without 0.
static HANDLER_SAFE intptr_t near_by(uint64_t* random, intptr_t unit) {
    intptr_t n = 1 + (intptr_t)random_below(random, NEAR_MOST);
    return (random_below(random, 2) == 0 ? n : -n) * unit;
}

// No address, one of the kernel's, one of no form that the processor knows, a small one, any.
static HANDLER_SAFE uintptr_t wild(uint64_t* random) {
    switch (random_below(random, 6)) {
    case 0: return 0;
    case 1: return random_below(random, 4096);
    case 2: return UINTPTR_MAX - random_below(random, 4096);
    case 3: return (uintptr_t)wide(random);
    case 4: return (uintptr_t)wide(random) & 0x7ffffffffff8u;
    default: return 0x8000000000000000u | (uintptr_t)wide(random);
    }
}

static HANDLER_SAFE uintptr_t on_stack(const struct agent_thread* t, uint64_t* random) {
    uintptr_t low, high;
    if (!code_thread_stack(t->hotspot, &low, &high)) return 0;
    return low + (uintptr_t)(wide(random) % (high - low) & ~(uint64_t)7);
}

static HANDLER_SAFE uintptr_t in_guard(const struct agent_thread* t, uint64_t* random) {
    return t->stack_low != 0 ? t->stack_low + (random_below(random, GUARD_BYTES) & ~7u) : 0;
}

static HANDLER_SAFE uintptr_t on_other(uint64_t* random) {
    uintptr_t low = thread_stack_low(random_below(random, UINT32_MAX));
    return low != 0 ? low + (random_below(random, OTHER_BYTES) & ~7u) : 0;
}

// ---- The list -----------------------------------------------------------------------------------

enum { PC = 1, SP = 2, FP = 4, ALL = PC | SP | FP };
enum how { NEAR_BY, PICKED, FAR, OTHER, GUARD, WILD };
struct change {
    uint8_t registers;
    enum how how;
    enum code_pick pick;
};
static const struct change changes[RESULTS_CHANGE_COUNT] = {
    [RESULTS_CHANGE_PC_NEAR] = {PC, NEAR_BY, 0},
    [RESULTS_CHANGE_PC_ENTRY] = {PC, PICKED, CODE_PICK_ENTRY},
    [RESULTS_CHANGE_PC_CODE] = {PC, PICKED, CODE_PICK_METHOD},
    [RESULTS_CHANGE_PC_STUB] = {PC, PICKED, CODE_PICK_STUB},
    [RESULTS_CHANGE_PC_FREED] = {PC, PICKED, CODE_PICK_FREED},
    [RESULTS_CHANGE_PC_HOLE] = {PC, PICKED, CODE_PICK_HOLE},
    [RESULTS_CHANGE_PC_JVM] = {PC, PICKED, CODE_PICK_JVM},
    [RESULTS_CHANGE_PC_WILD] = {PC, WILD, 0},
    [RESULTS_CHANGE_SP_NEAR] = {SP, NEAR_BY, 0},
    [RESULTS_CHANGE_SP_FAR] = {SP, FAR, 0},
    [RESULTS_CHANGE_SP_OTHER] = {SP, OTHER, 0},
    [RESULTS_CHANGE_SP_GUARD] = {SP, GUARD, 0},
    [RESULTS_CHANGE_SP_WILD] = {SP, WILD, 0},
    [RESULTS_CHANGE_FP_NEAR] = {FP, NEAR_BY, 0},
    [RESULTS_CHANGE_FP_FAR] = {FP, FAR, 0},
    [RESULTS_CHANGE_FP_OTHER] = {FP, OTHER, 0},
    [RESULTS_CHANGE_FP_GUARD] = {FP, GUARD, 0},
    [RESULTS_CHANGE_FP_WILD] = {FP, WILD, 0},
    [RESULTS_CHANGE_ALL_NEAR] = {ALL, NEAR_BY, 0},
    [RESULTS_CHANGE_ALL_WILD] = {ALL, WILD, 0},
};

// The new value of a register that holds `old`; `unit`: bytes by which it is moved a little. *none:
// there is no such place now.
static HANDLER_SAFE uintptr_t new_value(const struct agent_thread* t, const struct change* change,
                                        uintptr_t old, intptr_t unit, uint64_t* random,
                                        bool* none) {
    uintptr_t value = 0;
    switch (change->how) {
    case NEAR_BY: return old + (uintptr_t)near_by(random, unit);
    case WILD: return wild(random);
    case PICKED: value = code_pick(change->pick, random); break;
    case FAR: value = on_stack(t, random); break;
    case OTHER: value = on_other(random); break;
    case GUARD: value = in_guard(t, random); break;
    }
    *none = *none || value == 0;
    return value;
}

HANDLER_SAFE bool spoil(const struct agent_thread* t, enum results_change change, uint64_t* random,
                        ucontext_t* context, int64_t* by) {
    const struct change* c = &changes[change];
    const intptr_t word = sizeof word;
    uintptr_t pc = machine_pc(context), sp = machine_sp(context), fp = machine_fp(context);
    bool none = false;
    uintptr_t new_pc = (c->registers & PC) != 0 ? new_value(t, c, pc, 1, random, &none) : pc;
    uintptr_t new_sp = (c->registers & SP) != 0 ? new_value(t, c, sp, word, random, &none) : sp;
    uintptr_t new_fp = (c->registers & FP) != 0 ? new_value(t, c, fp, word, random, &none) : fp;
    if (none) return false;
    machine_set_pc(context, new_pc);
    machine_set_sp(context, new_sp);
    machine_set_fp(context, new_fp);
    *by = (int64_t)(new_pc != pc ? new_pc - pc : new_sp != sp ? new_sp - sp : new_fp - fp);
    return true;
}
