// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The slow paths of the trace stack: memory, and the removal of entries that left without a pop.
#include <stdlib.h>

#include "oracle.h"

int oracle_stack_init(struct oracle_stack* stack, uint32_t capacity) {
    void* memory = capacity != 0 ? calloc(1, oracle_stack_size(capacity)) : NULL;
    *stack = (struct oracle_stack){0};
    if (memory == NULL) return -1;
    oracle_stack_place(stack, memory, capacity);
    return 0;
}

void oracle_stack_free(struct oracle_stack* stack) {
    if (stack->frames != NULL) free(stack->frames - 1);
    *stack = (struct oracle_stack){0};
}

size_t oracle_stack_size(uint32_t capacity) {
    return (capacity + 1) * sizeof(struct oracle_slot); // and the slot below the first
}

void oracle_stack_place(struct oracle_stack* stack, void* memory, uint32_t capacity) {
    struct oracle_slot* frames = (struct oracle_slot*)memory + 1;
    *stack = (struct oracle_stack){.capacity = capacity, .frames = frames, .next = frames};
}

void oracle_stack_reset(struct oracle_stack* stack) {
    oracle_set_top(stack, 0);
    stack->beyond = 0;
    stack->torn = 0;
    stack->overflow = 0;
    stack->unwound = 0;
    stack->misfit = 0;
    stack->vanished = 0;
}

// Stops at the first entry without a position: all entries below it lost theirs at an earlier call,
// because new entries are pushed only on top.
void oracle_stack_move(struct oracle_stack* stack) {
    for (uint32_t end = oracle_top(stack); end != 0; end = oracle_below(stack, end)) {
        if (stack->frames[end - 1].position == 0) break;
        stack->frames[end - 1].position = 0;
    }
}

void oracle_stack_unwind(struct oracle_stack* stack, uint32_t position) {
    uint32_t keep = oracle_top(stack);
    uint32_t passed = 0;
    uint32_t dropped = 0;
    for (uint32_t end = oracle_top(stack); end != 0; end = oracle_below(stack, end)) {
        uint32_t entry = stack->frames[end - 1].position;
        passed++;
        // An entry of unknown position is dropped if and only if the entry below it is.
        if (entry == 0) continue;
        if ((int32_t)(entry - position) <= ORACLE_POSITION_SLACK) break;
        keep = oracle_below(stack, end);
        dropped = passed;
    }
    if (dropped == 0) return;
    // The entries that did not fit into the stack lay above the dropped ones.
    stack->unwound += dropped + (uint64_t)stack->beyond;
    stack->beyond = 0;
    oracle_set_top(stack, keep);
}

bool oracle_stack_misfit(struct oracle_stack* stack, uint32_t method) {
    uint32_t above = 0;
    stack->misfit++;
    for (uint32_t end = oracle_top(stack); end != 0; end = oracle_below(stack, end)) {
        if (stack->frames[end - 1].number == method) {
            stack->unwound += above;
            oracle_set_top(stack, oracle_below(stack, end));
            break;
        }
        above++;
    }
    return false;
}

static HANDLER_SAFE bool is_constructor(const struct oracle_methods* methods, uint32_t method) {
    const struct oracle_code* code = oracle_methods_code(methods, method);
    return code != NULL && code->may_vanish;
}

static HANDLER_SAFE bool may_vanish(const struct oracle_stack* stack,
                                    const struct oracle_methods* methods, uint32_t method) {
    return stack->torn != 0 || is_constructor(methods, method);
}

// The end of the youngest entry of `method`, 0 where there is none. *right: whether all above it
// may vanish; *above: how many these are.
static HANDLER_SAFE uint32_t find_catcher(const struct oracle_stack* stack,
                                          const struct oracle_methods* methods, uint32_t method,
                                          bool* right, uint32_t* above) {
    *right = true;
    *above = 0;
    for (uint32_t end = oracle_top(stack); end != 0; end = oracle_below(stack, end), ++*above) {
        uint32_t entry = stack->frames[end - 1].number;
        if (entry == method) return end;
        *right = *right && may_vanish(stack, methods, entry);
    }
    return 0;
}

bool oracle_may_catch(const struct oracle_stack* stack, const struct oracle_methods* methods,
                      uint32_t method) {
    bool right;
    uint32_t above;
    // The youngest entries of an overflowed stack are unknown.
    return stack->beyond != 0 ||
           (find_catcher(stack, methods, method, &right, &above) != 0 && right);
}

bool oracle_caught(struct oracle_stack* stack, const struct oracle_methods* methods,
                   uint32_t method) {
    bool right;
    uint32_t above;
    if (stack->beyond != 0) return true;
    uint32_t end = find_catcher(stack, methods, method, &right, &above);
    if (end == 0) return false;
    stack->vanished += above;
    if (above != 0) oracle_set_top(stack, end);
    return right;
}

bool oracle_top_may_vanish(const struct oracle_stack* stack, const struct oracle_methods* methods) {
    uint32_t end = oracle_top(stack);
    if (end == 0 || stack->beyond != 0) return false;
    uint32_t method = stack->frames[end - 1].number;
    if (!is_constructor(methods, method)) return false;
    do end = oracle_below(stack, end);
    while (end != 0 && stack->frames[end - 1].number != method);
    return end != 0;
}

uint32_t oracle_stack_depth(const struct oracle_stack* stack) {
    uint32_t depth = 0;
    for (uint32_t end = oracle_top(stack); end != 0; end = oracle_below(stack, end)) depth++;
    return depth;
}
