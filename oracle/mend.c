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
    for (uint32_t i = stack->top; i-- > 0;) {
        uintptr_t method = stack->frames[i].method;
        if (stack->previous[i] != i) return false;
        if (oracle_methods_id(witness.methods, (uint32_t)method) == 0) return false;
        if (!takes_frame(&witness, method) && !may_vanish(witness.methods, method)) return false;
    }
    skip_foreign(&witness);
    return witness.count - witness.at <= base;
}

// The number of entries dropped.
static uint32_t keep_seen(struct witness witness, struct oracle_stack* stack) {
    uint32_t first = stack->top;
    for (uint32_t i = stack->top; i-- > 0;)
        if (takes_frame(&witness, stack->frames[i].method))
            stack->frames[--first] = stack->frames[i];
    memmove(stack->frames, stack->frames + first, (stack->top - first) * sizeof *stack->frames);
    stack->top -= first; // no gaps: `previous` is right as it is
    return first;
}

bool oracle_mend(struct oracle_stack* stack, const struct oracle_methods* methods,
                 const struct oracle_frame* frames, uint32_t count,
                 const struct oracle_context* context) {
    struct witness witness = {.methods = methods, .frames = frames, .count = count};
    if (stack->beyond != 0 || context->depth_limit) return false;
    if (!explains(witness, stack, context->base)) return false;
    uint32_t dropped = keep_seen(witness, stack);
    stack->vanished += dropped;
    return dropped != 0;
}
