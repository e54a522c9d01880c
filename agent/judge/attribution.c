// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

#include "agent/state/state.h"
#include "parts.h"

// Size in words of the frame that the compiled wrapper of push or pop makes, return address
// included; 0 until a sample was taken in a wrapper. Push and pop have equal signatures, so their
// wrappers have equal frames.
static uint32_t wrapper_words; // atomic

HANDLER_COMMON void attribution_learn(const struct code_place* place) {
    if (place->kind != RESULTS_CODE_NATIVE_WRAPPER || place->frame_words == 0) return;
    if (__atomic_load_n(&wrapper_words, __ATOMIC_RELAXED) != 0) return;
    uintptr_t id = code_owner(place);
    if (id != 0 && oracle_methods_number(agent.methods, id) == ORACLE_OWN)
        __atomic_store_n(&wrapper_words, place->frame_words, __ATOMIC_RELAXED);
}

// Below the frame's stack pointer lies the wrapper's frame, with the return address into the
// compiled code. Push takes its position from MACHINE_ENTRY, a fixed distance below that.
HANDLER_SAFE uintptr_t attribution_push_bytes(void) {
    uint32_t words = __atomic_load_n(&wrapper_words, __ATOMIC_RELAXED);
    return words == 0 ? 0 : (words + MACHINE_ENTRY_WORDS) * sizeof(void*);
}

HANDLER_SAFE uint32_t attribution_position(uintptr_t sp) {
    uintptr_t bytes = attribution_push_bytes();
    return bytes == 0 ? 0 : natives_position(sp - bytes);
}

// ---- The youngest compiled frame ----------------------------------------------------------------

struct youngest {
    struct code_place place;
    uintptr_t sp;
    bool at_call; // the walker knows that the frame stands at a call
};

static HANDLER_SAFE bool find_youngest(const struct agent_thread* thread,
                                       const struct code_place* place, const void* ucontext,
                                       struct youngest* y) {
    uintptr_t low, high;
    *y = (struct youngest){.place = *place, .sp = machine_sp(ucontext)};
    if (results_is_compiled(place->kind)) return place->frame_stands || agent.inlined;
    if (code_thread_state(thread->hotspot) != RESULTS_THREAD_IN_JAVA ||
        code_anchor_sp(thread->hotspot) != 0)
        return code_youngest(thread->hotspot, &y->place, &y->sp, &y->at_call);
    bool in_library = results_is_library(place->kind);
    bool in_stub = place->kind == RESULTS_CODE_STUB;
    if ((!in_library && !in_stub) || !code_thread_stack(thread->hotspot, &low, &high)) return false;
    const struct code_called called = machine_called(ucontext, machine_pc(ucontext), place, high);
    return in_stub ? code_under_stub(&called, &y->place, &y->sp)
                   : code_under_library(&called, &y->place, &y->sp);
}

static HANDLER_SAFE uint32_t position_of(const struct youngest* y) {
    if (!agent.inlined) return y->sp != 0 ? attribution_position(y->sp) : 0;
    return results_is_compiled(y->place.kind) && !y->place.frame_stands ? ORACLE_POSITION_PARTIAL
                                                                        : ORACLE_POSITION_INLINED;
}

// ---- What it may hold ---------------------------------------------------------------------------

#define HELD_MOST 24      // entries, and scopes
#define RECORDS_MOST 4096 // that are looked at

// An entry: its method's number and its id. A class that was redefined gives an id another number.
struct entry {
    uint32_t number;
    uintptr_t id;
};

static HANDLER_SAFE bool is_entry(const struct entry* entry, uintptr_t id, uint32_t number) {
    return number == entry->number || id == entry->id;
}

// Whether the oldest `count` of the scopes that are instrumented are the youngest `count` entries.
static HANDLER_SAFE bool are_entries(const struct entry* entries, const struct oracle_frame* scopes,
                                     uint32_t scope_count, uint32_t count) {
    uint32_t at = count;
    for (uint32_t i = scope_count; i != 0 && at != 0; i--) {
        uint32_t number = oracle_methods_number(agent.methods, scopes[i - 1].method);
        if (number == ORACLE_FOREIGN || number == ORACLE_OWN) continue;
        if (!is_entry(&entries[--at], scopes[i - 1].method, number)) return false;
    }
    return at == 0;
}

// oracle_owner.held: an entry of an inlined method was pushed by inserted code, which can leave the
// compiled code for the native, so the debug information has a record with this method's scope. 0
// where a record cannot be read, or has more scopes than are looked at.
static HANDLER_SAFE uint32_t find_held(struct agent_thread* t, const struct code_place* place,
                                       const struct entry* entries, uint32_t count) {
    uint32_t held = 1;
    bool end = false;
    for (uint32_t i = 0; !end; i++) {
        if (i == RECORDS_MOST) return 0;
        uint32_t n = code_scopes_at(place, i, t->held, HELD_MOST, &end);
        if (n == CODE_SCOPES_UNREADABLE) return 0;
        for (uint32_t k = 1; n != 0 && k <= count; k++)
            if ((held >> k & 1u) == 0 && are_entries(entries, t->held, n, k)) held |= 1u << k;
    }
    return held;
}

// The same code and the same entries are met again and again, and to read all records is dear. The
// code is known by its place, its length and its method: code that took the place of other code has
// another length, or is the same method's.
static HANDLER_SAFE uint32_t held_of(struct agent_thread* t, const struct code_place* place) {
    struct entry entries[HELD_MOST];
    uint32_t count = 0;
    uint64_t key = place->begin ^ (uint64_t)(uintptr_t)place->method << 20 ^ place->main_end << 40;
    for (uint32_t at = oracle_top(&t->stack); at != 0 && count < HELD_MOST;
         at = oracle_below(&t->stack, at)) {
        uint32_t number = t->stack.frames[at - 1].number;
        entries[count] = (struct entry){number, oracle_methods_id(agent.methods, number)};
        if (entries[count].id == 0) return 0;
        key = (key ^ entries[count++].id) * UINT64_C(0x9e3779b97f4a7c15);
    }
    struct thread_held* known = &t->held_known[key >> 58];
    if (known->key != key)
        *known = (struct thread_held){.key = key, .held = find_held(t, place, entries, count)};
    return known->held;
}

// ---- Deciding -----------------------------------------------------------------------------------

// The youngest compiled frame as the oracle takes it. Its scopes go to t->scopes.
static HANDLER_SAFE bool find_owner(struct agent_thread* t, const struct oracle_trace* trace,
                                    const struct oracle_context* context, const struct youngest* y,
                                    struct oracle_owner* owner) {
    *owner = (struct oracle_owner){
        .method = code_owner(&y->place), .position = position_of(y), .osr = y->place.osr};
    if (owner->method == 0) return false;
    t->scope_count = code_scopes(&y->place, y->at_call, t->scopes, ORACLE_SCOPES_MAX);
    const struct oracle_trace scopes = {t->scopes, t->scope_count};
    owner->shown = oracle_scopes_shown(trace, &scopes, context);
    return true;
}

static HANDLER_SAFE void decide(struct agent_thread* t, const struct oracle_trace* trace,
                                const struct oracle_context* context,
                                const struct code_place* place, struct oracle_owner* owner,
                                struct oracle_judgement* judgement) {
    struct oracle_judgement given = *judgement;
    oracle_attribute(&t->stack, agent.methods, trace->frames, trace->count, context, owner,
                     judgement);
    if (judgement->verdict != ORACLE_UNDECIDED) return;
    owner->held = held_of(t, place);
    if (owner->held == 0) return;
    *judgement = given;
    oracle_attribute(&t->stack, agent.methods, trace->frames, trace->count, context, owner,
                     judgement);
}

HANDLER_SAFE void attribution_decide(struct agent_thread* t, const struct oracle_trace* trace,
                                     const struct oracle_context* context,
                                     const struct code_place* place, const void* ucontext,
                                     struct oracle_judgement* judgement,
                                     struct oracle_owner* owner) {
    struct youngest y;
    *owner = (struct oracle_owner){0};
    t->scope_count = 0;
    if ((!agent.inlined && attribution_position(machine_sp(ucontext)) == 0) ||
        !find_youngest(t, place, ucontext, &y) || !find_owner(t, trace, context, &y, owner) ||
        owner->position == 0)
        return;
    decide(t, trace, context, &y.place, owner, judgement);
    if (agent.inlined && judgement->verdict == ORACLE_ATTRIBUTION &&
        owner->shown != ORACLE_SHOWN_UNKNOWN)
        known_learn(&(struct known_case){t, trace, place, machine_pc(ucontext)}, KNOWN_ATTRIBUTION,
                    judgement->inner_frames, judgement->inner_entries);
}

HANDLER_SAFE void attribution_scopes(struct agent_thread* t, const struct oracle_trace* trace,
                                     const struct oracle_context* context,
                                     const struct code_place* place, const void* ucontext,
                                     struct oracle_judgement* judgement,
                                     struct oracle_owner* owner) {
    struct youngest y;
    *owner = (struct oracle_owner){0};
    t->scope_count = 0;
    if (!find_youngest(t, place, ucontext, &y) || !find_owner(t, trace, context, &y, owner)) return;
    if (owner->shown != ORACLE_SHOWN_OTHER) {
        if (owner->shown != ORACLE_SHOWN_UNKNOWN)
            known_learn(&(struct known_case){t, trace, place, machine_pc(ucontext)}, KNOWN_SCOPES,
                        owner->shown, 0);
        return;
    }
    const struct oracle_trace scopes = {t->scopes, t->scope_count};
    oracle_judge_scopes(trace, &scopes, judgement);
}

HANDLER_SAFE void attribution_know(struct agent_thread* t, const struct oracle_context* context,
                                   const struct code_place* place, const void* ucontext,
                                   struct oracle_owner* owner) {
    struct youngest y;
    const struct oracle_trace nothing = {t->frames, 0};
    *owner = (struct oracle_owner){0};
    t->scope_count = t->scope_at_count = 0;
    if (!find_youngest(t, place, ucontext, &y) || !find_owner(t, &nothing, context, &y, owner))
        return;
    if (!y.at_call)
        t->scope_at_count = code_scopes(&y.place, true, t->scopes_at, ORACLE_SCOPES_MAX);
    if (owner->position == 0) owner->method = 0;
    else owner->held = held_of(t, &y.place);
}

uintptr_t attribution_compared(const struct agent_thread* t, uint32_t frames, uint32_t count,
                               bool full, struct oracle_judgement* judgement) {
    const struct oracle_trace accused = {t->check_accused, frames};
    const struct oracle_trace witness = {t->check_witness, count};
    if (!oracle_may_be_scopes(judgement->verdict)) return 0;
    uintptr_t owner = code_stub_caller(t->hotspot);
    oracle_compare_owner(&accused, &witness, owner, full, judgement);
    return owner;
}
