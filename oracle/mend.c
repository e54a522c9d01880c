// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Putting a trace stack right whose constructors left by an exception from their super() calls.
#include <string.h>

#include "oracle.h"

// A believed walk, read from its youngest frame on beside the entries.
struct witness {
    const struct oracle_methods* methods;
    const struct oracle_frame* frames;
    uint32_t count;
    uint32_t at; // the next frame
};

// Passes over the frames that never have an entry. One that nobody announced may have one.
static void skip_foreign(struct witness* witness) {
    for (; witness->at < witness->count; witness->at++) {
        uint32_t number =
            oracle_methods_number(witness->methods, witness->frames[witness->at].method);
        if (number != ORACLE_FOREIGN && number != ORACLE_OWN) return;
    }
}

// Whether the next frame is the entry's; it is then passed over. The youngest of several equal
// entries takes the frame: another would do as well, as only what they are counts, not which.
static bool takes_frame(struct witness* witness, uintptr_t method) {
    skip_foreign(witness);
    uintptr_t id = oracle_methods_id(witness->methods, (uint32_t)method);
    if (witness->at == witness->count || id != witness->frames[witness->at].method) return false;
    witness->at++;
    return true;
}

static bool may_vanish(const struct oracle_methods* methods, uintptr_t method) {
    const struct oracle_code* code = oracle_methods_code(methods, (uint32_t)method);
    return code != NULL && code->may_vanish;
}

// Whether every entry has a frame or may have vanished, and every frame above the base an entry.
static bool explains(struct witness witness, const struct oracle_stack* stack, uint32_t base) {
    for (uint32_t end = stack->top; end != 0; end = stack->previous[end - 1]) {
        uintptr_t method = stack->frames[end - 1].method;
        if (oracle_methods_id(witness.methods, (uint32_t)method) == 0) return false;
        if (!takes_frame(&witness, method) && !may_vanish(witness.methods, method)) return false;
    }
    skip_foreign(&witness);
    return witness.count - witness.at <= base;
}

// The number of entries dropped. Gaps are forgotten where any was: whose caller is whose may have
// changed.
static uint32_t keep_seen(struct witness witness, struct oracle_stack* stack) {
    uint32_t first = stack->top;
    uint32_t dropped = 0;
    // What is kept moves to the young end first, where only what was passed already is overwritten.
    for (uint32_t end = stack->top; end != 0; end = stack->previous[end - 1]) {
        struct oracle_slot entry = stack->frames[end - 1];
        if (takes_frame(&witness, entry.method)) stack->frames[--first] = entry;
        else dropped++;
    }
    uint32_t kept = stack->top - first;
    memmove(stack->frames, stack->frames + first, kept * sizeof *stack->frames);
    for (uint32_t i = 0; i < kept; i++) stack->previous[i] = i;
    stack->top = kept;
    return dropped;
}

// Whether any entry has no frame.
static bool any_vanished(struct witness witness, const struct oracle_stack* stack) {
    for (uint32_t end = stack->top; end != 0; end = stack->previous[end - 1])
        if (!takes_frame(&witness, stack->frames[end - 1].method)) return true;
    return false;
}

bool oracle_mend(struct oracle_stack* stack, const struct oracle_methods* methods,
                 const struct oracle_frame* frames, uint32_t count,
                 const struct oracle_context* context) {
    struct witness witness = {.methods = methods, .frames = frames, .count = count};
    if (stack->beyond != 0 || context->depth_limit) return false;
    if (!explains(witness, stack, context->base) || !any_vanished(witness, stack)) return false;
    stack->vanished += keep_seen(witness, stack);
    return true;
}
