// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

#include "agent/state/state.h"
#include "parts.h"

// Size in words of the frame that the compiled wrapper of push or pop makes, return address
// included; 0 until a sample was taken in a wrapper. Push and pop have equal signatures, so their
// wrappers have equal frames.
static uint32_t wrapper_words; // atomic

HANDLER_SAFE void attribution_learn(const struct code_place* place) {
    if (place->kind != RESULTS_CODE_NATIVE_WRAPPER || place->frame_words == 0) return;
    if (__atomic_load_n(&wrapper_words, __ATOMIC_RELAXED) != 0) return;
    uintptr_t id = code_owner(place);
    if (id != 0 && oracle_methods_number(agent.methods, id) == ORACLE_OWN)
        __atomic_store_n(&wrapper_words, place->frame_words, __ATOMIC_RELAXED);
}

// Below the frame's stack pointer lies the wrapper's frame, with the return address into the
// compiled code. Below that lie push's own return address and saved rbp; push takes its position
// from there.
HANDLER_SAFE uintptr_t attribution_push_bytes(void) {
    uint32_t words = __atomic_load_n(&wrapper_words, __ATOMIC_RELAXED);
    return words == 0 ? 0 : (words + 2) * sizeof(void*);
}

HANDLER_SAFE uint32_t attribution_position(uintptr_t sp) {
    uintptr_t bytes = attribution_push_bytes();
    return bytes == 0 ? 0 : natives_position(sp - bytes);
}

// The youngest compiled frame, and its stack pointer.
static HANDLER_SAFE bool find_youngest(const struct agent_thread* thread,
                                       const struct code_place* place, const void* ucontext,
                                       struct code_place* youngest, uintptr_t* sp) {
    uintptr_t low, high;
    *youngest = *place;
    *sp = machine_sp(ucontext);
    if (results_is_compiled(place->kind)) return place->frame_stands || agent.inlined;
    if (code_thread_state(thread->hotspot) != RESULTS_THREAD_IN_JAVA)
        return code_youngest(thread->hotspot, youngest, sp);
    bool in_library = place->kind == RESULTS_CODE_JVM || place->kind == RESULTS_CODE_NATIVE;
    bool in_stub = place->kind == RESULTS_CODE_STUB;
    if ((!in_library && !in_stub) || !code_thread_stack(thread->hotspot, &low, &high)) return false;
    const struct code_called called = {machine_pc(ucontext), place, *sp, machine_fp(ucontext),
                                       high};
    return in_stub ? code_under_stub(&called, youngest, sp)
                   : code_under_library(&called, youngest, sp);
}

static HANDLER_SAFE uint32_t position_of(const struct code_place* youngest, uintptr_t sp) {
    if (!agent.inlined) return attribution_position(sp);
    return results_is_compiled(youngest->kind) && !youngest->frame_stands ? ORACLE_POSITION_PARTIAL
                                                                          : ORACLE_POSITION_INLINED;
}

HANDLER_SAFE void attribution_decide(const struct agent_thread* thread,
                                     const struct oracle_frame* frames, uint32_t count,
                                     const struct oracle_context* context,
                                     const struct code_place* place, const void* ucontext,
                                     struct oracle_judgement* judgement,
                                     struct oracle_owner* owner) {
    struct code_place youngest;
    uintptr_t sp;
    *owner = (struct oracle_owner){0};
    if ((!agent.inlined && attribution_position(machine_sp(ucontext)) == 0) ||
        !find_youngest(thread, place, ucontext, &youngest, &sp))
        return;
    *owner = (struct oracle_owner){.method = code_owner(&youngest),
                                   .position = position_of(&youngest, sp),
                                   .osr = youngest.osr};
    if (owner->method == 0 || (!agent.inlined && owner->position == 0)) return;
    oracle_attribute(&thread->stack, agent.methods, frames, count, context, owner, judgement);
}

uintptr_t attribution_compared(const struct agent_thread* t, uint32_t frames, uint32_t count,
                               bool full, struct oracle_judgement* judgement) {
    const struct oracle_trace accused = {t->check_accused, frames};
    const struct oracle_trace witness = {t->check_witness, count};
    if (!oracle_is_mismatch(judgement->verdict) || judgement->verdict == ORACLE_INVALID_ID)
        return 0;
    uintptr_t owner = code_stub_caller(t->hotspot);
    oracle_compare_owner(&accused, &witness, owner, full, judgement);
    return owner;
}
