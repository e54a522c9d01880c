// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Repairs a trace stack whose entries left without a pop: constructors that an exception from their
// super() calls left, and any method at the end of the machine stack.
#include <string.h>

#include "oracle.h"

// A trusted walk, read side by side with the entries, both from the youngest frame on.
struct witness {
    const struct oracle_methods* methods;
    const struct oracle_frame* frames;
    uint32_t count;
    uint32_t at; // the next frame
};

// Passes over the frames that never have an entry. The frame of an unannounced id may have one.
static void skip_foreign(struct witness* witness) {
    for (; witness->at < witness->count; witness->at++) {
        uint32_t number =
            oracle_methods_number(witness->methods, witness->frames[witness->at].method);
        if (number != ORACLE_FOREIGN && number != ORACLE_OWN) return;
    }
}

// Whether the next frame is the entry's; if so, passes over it. The youngest of several equal
// entries takes the frame: the choice does not change whether all entries have one.
static bool takes_frame(struct witness* witness, uintptr_t method) {
    skip_foreign(witness);
    uintptr_t id = oracle_methods_id(witness->methods, method);
    if (witness->at == witness->count || id != witness->frames[witness->at].method) return false;
    witness->at++;
    return true;
}

static bool may_vanish(const struct oracle_stack* stack, const struct oracle_methods* methods,
                       uintptr_t method) {
    if (stack->torn != 0) return true;
    const struct oracle_code* code = oracle_methods_code(methods, method);
    return code != NULL && code->may_vanish;
}

// Whether every entry has a frame or may have vanished, and every frame above the base has an
// entry.
static bool explains(struct witness witness, const struct oracle_stack* stack, uint32_t base) {
    for (uint32_t end = oracle_top(stack); end != 0; end = oracle_below(stack, end)) {
        uint32_t method = stack->frames[end - 1].number;
        if (oracle_methods_id(witness.methods, method) == 0) return false;
        if (!takes_frame(&witness, method) && !may_vanish(stack, witness.methods, method))
            return false;
    }
    skip_foreign(&witness);
    return witness.count - witness.at <= base;
}

// Whether any entry has no frame.
static bool any_vanished(struct witness witness, const struct oracle_stack* stack) {
    for (uint32_t end = oracle_top(stack); end != 0; end = oracle_below(stack, end))
        if (!takes_frame(&witness, stack->frames[end - 1].number)) return true;
    return false;
}

// Drops the captured gaps and keeps the entries: where entries vanished, an entry may have another
// caller than when its gap was captured.
static void forget_gaps(struct oracle_stack* stack) {
    uint32_t top = oracle_top(stack), first = top;
    // The entries move to the young end first, where they overwrite only slots already read.
    for (uint32_t end = oracle_top(stack); end != 0; end = oracle_below(stack, end))
        stack->frames[--first] = stack->frames[end - 1];
    memmove(stack->frames, stack->frames + first, (top - first) * sizeof *stack->frames);
    for (uint32_t i = 0; i < top - first; i++) stack->frames[i].gap = 0;
    oracle_set_top(stack, top - first);
}

// Goes from the old end to the next younger frame that has an entry, and returns its id. There must
// be such a frame.
static uintptr_t from_old_end(struct witness* witness) {
    for (;;) {
        uintptr_t id = witness->frames[--witness->at].method;
        uint32_t number = oracle_methods_number(witness->methods, id);
        if (number != ORACLE_FOREIGN && number != ORACLE_OWN) return id;
    }
}

// Drops the entries without a frame and returns their number. The oldest of several equal entries
// are kept, because they lie least deep: with the position of a younger one, a later push from less
// deep would drop a living entry.
static uint32_t keep_seen(struct witness witness, struct oracle_stack* stack) {
    uint32_t kept = 0, seen = 0;
    for (uint32_t i = oracle_top(stack); i-- > 0;)
        seen += takes_frame(&witness, stack->frames[i].number);
    uint32_t dropped = oracle_top(stack) - seen;
    uintptr_t id = seen > 0 ? from_old_end(&witness) : 0;
    for (uint32_t i = 0; kept < seen; i++) {
        if (oracle_methods_id(witness.methods, stack->frames[i].number) != id) continue;
        stack->frames[kept++] = stack->frames[i];
        if (kept < seen) id = from_old_end(&witness);
    }
    oracle_set_top(stack, seen);
    return dropped;
}

bool oracle_mend(struct oracle_stack* stack, const struct oracle_methods* methods,
                 const struct oracle_frame* frames, uint32_t count,
                 const struct oracle_context* context) {
    struct witness witness = {.methods = methods, .frames = frames, .count = count};
    if (stack->beyond != 0 || context->depth_limit) return false;
    if (!explains(witness, stack, context->base) || !any_vanished(witness, stack)) return false;
    forget_gaps(stack);
    stack->vanished += keep_seen(witness, stack);
    return true;
}
