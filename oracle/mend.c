// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Putting a trace stack right whose constructors left by an exception from their super() calls.
#include "oracle.h"

// Marks an entry that is to go. No entry has this bci otherwise.
#define MARK INT32_MIN

static bool is_instrumented(const struct oracle_methods* methods, uintptr_t id) {
    uint32_t number = oracle_methods_number(methods, id);
    return number != ORACLE_FOREIGN && number != ORACLE_OWN && number != ORACLE_UNKNOWN;
}

// Marks the entries that have no frame, youngest first. An entry equal to one that vanished is as good
// as it. False where one that cannot vanish has none.
static bool mark(struct oracle_stack* stack, const struct oracle_methods* methods,
                 const struct oracle_frame* frames, uint32_t count) {
    uint32_t at = 0;
    for (uint32_t end = stack->top; end != 0; end = stack->previous[end - 1]) {
        struct oracle_slot* slot = &stack->frames[end - 1];
        while (at < count && !is_instrumented(methods, frames[at].method)) at++;
        if (at < count && oracle_methods_id(methods, (uint32_t)slot->method) == frames[at].method) {
            at++;
            continue;
        }
        const struct oracle_code* code = oracle_methods_code(methods, (uint32_t)slot->method);
        if (code == NULL || !code->may_vanish) return false;
        slot->bci = MARK;
    }
    return true;
}

static uint32_t count_gaps(const struct oracle_stack* stack) {
    uint32_t gaps = 0;
    for (uint32_t end = stack->top; end != 0; end = stack->previous[end - 1])
        gaps += stack->previous[end - 1] != end - 1;
    return gaps;
}

static void unmark(struct oracle_stack* stack) {
    for (uint32_t i = 0; i < stack->top; i++)
        if (stack->frames[i].bci == MARK) stack->frames[i].bci = 0;
}

// What is marked goes.
static void compact(struct oracle_stack* stack) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < stack->top; i++) {
        if (stack->frames[i].bci == MARK) {
            stack->vanished++;
            continue;
        }
        stack->frames[kept] = stack->frames[i];
        stack->previous[kept] = kept;
        kept++;
    }
    stack->top = kept;
}

bool oracle_mend(struct oracle_stack* stack, const struct oracle_methods* methods,
                 const struct oracle_frame* frames, uint32_t count,
                 const struct oracle_context* context) {
    struct oracle_judgement judgement;
    uint32_t top = stack->top;
    if (stack->beyond != 0 || context->depth_limit || count_gaps(stack) != 0) return false;
    if (!mark(stack, methods, frames, count)) {
        unmark(stack);
        return false;
    }
    compact(stack);
    return stack->top != top &&
           oracle_judge(stack, methods, frames, count, context, &judgement) == ORACLE_AGREE;
}
