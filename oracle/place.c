// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "place.h"

// The frames of one physical frame: inlining ends at 9 levels (C1) or 15 (C2), and at 100 with
// forced inlining.
#define SCOPES_MAX 128u

HANDLER_SAFE bool place_is_inserted(const struct oracle_code* code, int32_t bci) {
    if (code == NULL || bci < 0) return false;
    uint32_t low = 0;
    uint32_t high = code->range_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (code->ranges[middle].end <= (uint32_t)bci) low = middle + 1;
        else high = middle;
    }
    return low < code->range_count && code->ranges[low].start <= (uint32_t)bci;
}

// The number of a method on the stack. The pushed number tells methods apart that share an id.
static HANDLER_COMMON uint32_t number_of(const struct oracle_stack* stack,
                                         const struct oracle_methods* methods, uintptr_t id) {
    if (oracle_top(stack) != 0) {
        uint32_t number = stack->frames[oracle_top(stack) - 1].number;
        if (oracle_methods_id(methods, number) == id) return number;
    }
    return oracle_methods_number(methods, id);
}

enum oracle_own oracle_is_own(const struct oracle_stack* stack,
                              const struct oracle_methods* methods,
                              const struct oracle_frame* frames, uint32_t count,
                              const struct oracle_place* place) {
    if (place->kind == ORACLE_PLACE_OWN) return ORACLE_OWN_KNOWN;
    if (place->kind == ORACLE_PLACE_UNKNOWN) {
        bool shown = count > 0 && oracle_methods_number(methods, frames[0].method) == ORACLE_OWN;
        return shown ? ORACLE_OWN_BELIEVED : ORACLE_OWN_NOT;
    }
    if (place->method == 0) return ORACLE_OWN_NOT; // a glance: any method's but ours
    uint32_t number = number_of(stack, methods, place->method);
    if (number == ORACLE_OWN) return ORACLE_OWN_KNOWN;
    if (place->kind != ORACLE_PLACE_INTERPRETED || number == ORACLE_FOREIGN) return ORACLE_OWN_NOT;
    return place_is_inserted(oracle_methods_code(methods, number), place->bci) ? ORACLE_OWN_KNOWN
                                                                               : ORACLE_OWN_NOT;
}

// Whether a frame at this bci may be in transition: at the entry, in an inserted sequence, or at
// the instruction behind one, where the return stands that a pop belongs to. Behind the push
// sequence the body begins. (Behind `caught` a handler begins; that one instruction passes, too.)
static HANDLER_SAFE bool enters_or_leaves(const struct oracle_code* code, int32_t bci) {
    if (code == NULL || bci == 0 || bci == ORACLE_BCI_ENTRY) return true;
    if (bci < 0) return false;
    if (place_is_inserted(code, bci)) return true;
    bool first =
        code->range_count > 0 && code->ranges[0].start == 0 && code->ranges[0].end == (uint32_t)bci;
    return !first && place_is_inserted(code, bci - 1);
}

// The thread is in compiled code of place->method. That method's frame is there for sure. Another
// method can be on top only as one inlined into it: then its own frame follows, and the bci is that
// of a debug record.
static HANDLER_SAFE bool may_be_scope(const struct oracle_stack* stack,
                                      const struct oracle_methods* methods,
                                      const struct oracle_frame* frame, uint32_t count,
                                      uintptr_t owner) {
    uint32_t number = number_of(stack, methods, frame->method);
    if (frame->method == owner) return true;
    if (!enters_or_leaves(oracle_methods_code(methods, number), frame->bci)) return false;
    for (uint32_t at = 1; at < count && at < SCOPES_MAX; at++)
        if (frame[at].method == owner) return true;
    return false;
}

enum place_word place_of_transition(const struct oracle_stack* stack,
                                    const struct oracle_methods* methods,
                                    const struct oracle_frame* frame, uint32_t count,
                                    const struct oracle_place* place) {
    bool allowed = false;
    switch (place->kind) {
    case ORACLE_PLACE_UNKNOWN: return PLACE_SILENT;
    case ORACLE_PLACE_OWN: return PLACE_ALLOWS;
    case ORACLE_PLACE_INTERPRETED: {
        uint32_t number = number_of(stack, methods, place->method);
        allowed = frame->method == place->method &&
                  enters_or_leaves(oracle_methods_code(methods, number), place->bci);
        break;
    }
    case ORACLE_PLACE_COMPILED:
    case ORACLE_PLACE_MERGED:
        allowed = may_be_scope(stack, methods, frame, count, place->method);
        break;
    case ORACLE_PLACE_NATIVE:
        allowed = oracle_methods_number(methods, place->method) == ORACLE_OWN;
        break;
    case ORACLE_PLACE_KINDS: return PLACE_SILENT;
    }
    return allowed ? PLACE_ALLOWS : PLACE_REFUTES;
}

enum place_word place_of_upcall(const struct oracle_methods* methods,
                                const struct oracle_frame* callee) {
    const struct oracle_sites* sites = oracle_methods_sites(methods, callee->method);
    if (sites == NULL || (sites->flags & ORACLE_METHOD_OPAQUE) != 0) return PLACE_SILENT;
    return (sites->flags & ORACLE_METHOD_UPCALL) != 0 ? PLACE_ALLOWS : PLACE_REFUTES;
}
