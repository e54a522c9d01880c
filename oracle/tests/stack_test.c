// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The trace stack: push, pop, and the ways in which a method can leave without a pop.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"

static struct oracle_stack stack;

static void open_stack(void) {
    cr_assert_eq(oracle_stack_init(&stack, 8), 0);
}

static void close_stack(void) {
    oracle_stack_free(&stack);
}

TestSuite(stack, .init = open_stack, .fini = close_stack);

// Compares the entries, oldest first.
static void holds(const uint32_t* methods, uint32_t count) {
    cr_assert_eq(oracle_stack_depth(&stack), count);
    uint32_t end = oracle_top(&stack);
    for (uint32_t i = count; i-- > 0; end = oracle_below(&stack, end))
        cr_assert_eq(stack.frames[end - 1].number, methods[i], "entry %u", i);
    cr_assert_eq(end, 0);
}
#define HOLDS(...)                                                                                 \
    holds((const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

Test(stack, a_new_one_is_empty) {
    cr_assert_eq(oracle_top(&stack), 0);
    cr_assert_eq(stack.capacity, 8);
    cr_assert_eq(oracle_stack_depth(&stack), 0);
}

Test(stack, a_stack_without_room_is_refused) {
    struct oracle_stack none;
    cr_assert_eq(oracle_stack_init(&none, 0), -1);
}

Test(stack, pops_undo_pushes) {
    oracle_push(&stack, 1, 10);
    oracle_push(&stack, 2, 20);
    HOLDS(1, 2);
    cr_assert(oracle_pop(&stack, 2));
    HOLDS(1);
    cr_assert(oracle_pop(&stack, 1));
    cr_assert_eq(oracle_top(&stack), 0);
    cr_assert_eq(stack.misfit + stack.unwound + stack.overflow, 0);
}

Test(stack, pushes_beyond_the_room_are_counted_and_popped_without_a_trace) {
    for (uint32_t i = 1; i <= 11; i++) oracle_push(&stack, i, i);
    HOLDS(1, 2, 3, 4, 5, 6, 7, 8);
    cr_assert_eq(stack.beyond, 3);
    cr_assert_eq(stack.overflow, 3);
    for (uint32_t i = 11; i >= 1; i--) cr_assert(oracle_pop(&stack, i), "%u", i);
    cr_assert_eq(oracle_top(&stack), 0);
    cr_assert_eq(stack.beyond, 0);
    cr_assert_eq(stack.overflow, 3);
    cr_assert_eq(stack.misfit, 0);
}

Test(stack, a_push_from_less_deep_drops_the_deeper_entries) {
    oracle_push(&stack, 1, 10);
    oracle_push(&stack, 2, 10010);
    oracle_push(&stack, 3, 20010);
    oracle_push(&stack, 4, 5000);
    HOLDS(1, 4);
    cr_assert_eq(stack.unwound, 2);
}

Test(stack, a_push_from_a_little_less_deep_drops_nothing) {
    oracle_push(&stack, 1, 10000);
    oracle_push(&stack, 2, 10000);
    oracle_push(&stack, 3, 10000 - ORACLE_POSITION_SLACK);
    HOLDS(1, 2, 3);
    oracle_push(&stack, 4, 10000 - 2 * ORACLE_POSITION_SLACK - 1);
    HOLDS(4);
    cr_assert_eq(stack.unwound, 3);
}

Test(stack, the_slack_ends_where_it_says) {
    oracle_push(&stack, 1, 10000);
    oracle_push(&stack, 2, 10000 - ORACLE_POSITION_SLACK - 1);
    HOLDS(2);
    cr_assert_eq(stack.unwound, 1);
}

Test(stack, an_unknown_position_drops_nothing) {
    oracle_push(&stack, 1, 50000);
    oracle_push(&stack, 2, 0);
    HOLDS(1, 2);
    cr_assert_eq(stack.unwound, 0);
}

Test(stack, an_entry_of_unknown_position_shares_the_fate_of_what_lies_below) {
    oracle_push(&stack, 1, 100);
    oracle_push(&stack, 2, 30000);
    oracle_push(&stack, 3, 0);
    oracle_push(&stack, 4, 40000);
    oracle_push(&stack, 5, 200);
    HOLDS(1, 5);
    cr_assert_eq(stack.unwound, 3);
    oracle_push(&stack, 6, 0);
    // Compared with this position, 0 would lie deeper; but 0 means unknown.
    oracle_stack_unwind(&stack, UINT32_MAX - 20000);
    cr_assert_eq(stack.unwound, 3 + 3); // all three lie beyond the wrap
}

Test(stack, an_entry_of_unknown_position_alone_is_kept) {
    oracle_push(&stack, 1, 0);
    oracle_push(&stack, 2, UINT32_MAX - 20000);
    HOLDS(1, 2);
    cr_assert_eq(stack.unwound, 0);
}

Test(stack, entries_that_have_moved_are_never_gone) {
    oracle_push(&stack, 1, 50000);
    oracle_push(&stack, 2, 60000);
    oracle_stack_move(&stack);
    oracle_push(&stack, 3, 10);
    HOLDS(1, 2, 3);
    oracle_pop(&stack, 3);
    oracle_push(&stack, 4, 5); // the position of 2, below it, is unknown too
    HOLDS(1, 2, 4);
    cr_assert_eq(stack.unwound, 0);
}

Test(stack, entries_pushed_since_the_last_move_move_too) {
    oracle_push(&stack, 1, 50000);
    oracle_stack_move(&stack);
    oracle_push(&stack, 2, 60000);
    oracle_push(&stack, 3, 70000);
    oracle_stack_move(&stack);
    for (uint32_t i = 0; i < 3; i++) cr_expect_eq(stack.frames[i].position, 0, "%u", i);
    oracle_push(&stack, 4, 10);
    HOLDS(1, 2, 3, 4);
}

Test(stack, entries_pushed_after_a_move_are_gone_as_ever) {
    oracle_push(&stack, 1, 50000);
    oracle_stack_move(&stack);
    oracle_push(&stack, 2, 60000);
    oracle_push(&stack, 3, 10);
    HOLDS(1, 3);
    cr_assert_eq(stack.unwound, 1);
}

Test(stack, one_in_the_callers_memory_has_all_its_room_there) {
    enum { ROOM = 5 };
    size_t size = oracle_stack_size(ROOM);
    unsigned char* memory = calloc(1, size + 16);
    struct oracle_stack placed;
    cr_assert_not_null(memory);
    memset(memory + size, 0x5a, 16);
    oracle_stack_place(&placed, memory, ROOM);
    for (uint32_t i = 1; i <= ROOM + 1; i++) oracle_push(&placed, i, i);
    cr_expect_eq(oracle_top(&placed), ROOM);
    cr_expect_eq(placed.overflow, 1);
    for (size_t i = 0; i < 16; i++) cr_expect_eq(memory[size + i], 0x5a);
    for (uint32_t i = ROOM + 1; i >= 1; i--) cr_expect(oracle_pop(&placed, i), "%u", i);
    free(memory);
}

Test(stack, positions_wrap) {
    oracle_push(&stack, 1, UINT32_MAX - 9000);
    oracle_push(&stack, 2, UINT32_MAX - 10);
    oracle_push(&stack, 3, 9000);
    HOLDS(1, 2, 3);
    oracle_push(&stack, 4, UINT32_MAX - 8000);
    HOLDS(1, 4);
    cr_assert_eq(stack.unwound, 2);
}

Test(stack, dropping_known_entries_drops_those_that_did_not_fit) {
    for (uint32_t i = 1; i <= 10; i++) oracle_push(&stack, i, i * 10000);
    cr_assert_eq(stack.beyond, 2);
    oracle_push(&stack, 11, 20000);
    HOLDS(1, 2, 11);
    cr_assert_eq(stack.beyond, 0);
    cr_assert_eq(stack.unwound, 8);
}

Test(stack, a_pop_of_a_deeper_method_drops_what_lies_above) {
    for (uint32_t i = 1; i <= 4; i++) oracle_push(&stack, i, i);
    cr_assert_not(oracle_pop(&stack, 2));
    HOLDS(1);
    cr_assert_eq(stack.misfit, 1);
    cr_assert_eq(stack.unwound, 2);
}

Test(stack, a_pop_of_a_method_that_is_nowhere_drops_nothing) {
    oracle_push(&stack, 1, 1);
    cr_assert_not(oracle_pop(&stack, 9));
    HOLDS(1);
    cr_assert_eq(stack.misfit, 1);
    cr_assert_eq(stack.unwound, 0);
}

Test(stack, a_pop_of_an_empty_stack_is_a_misfit) {
    cr_assert_not(oracle_pop(&stack, 1));
    cr_assert_eq(stack.misfit, 1);
    cr_assert_eq(oracle_top(&stack), 0);
}

Test(stack, gap_frames_are_no_entries_and_leave_with_the_entry_above_them) {
    oracle_push(&stack, 1, 1);
    // Slots 1 to 3, as oracle_capture lays them out: the call, a gap frame, the entry.
    stack.frames[3] = (struct oracle_slot){.number = 2, .gap = 2, .position = 2};
    oracle_set_top(&stack, 4);
    oracle_push(&stack, 3, 3);
    HOLDS(1, 2, 3);
    cr_assert(oracle_pop(&stack, 3));
    cr_assert(oracle_pop(&stack, 2));
    cr_assert_eq(oracle_top(&stack), 1);
    HOLDS(1);
}

Test(stack, a_reset_one_is_as_new_but_keeps_its_room) {
    for (uint32_t i = 1; i <= 11; i++) oracle_push(&stack, i, i);
    oracle_pop(&stack, 99);
    oracle_stack_reset(&stack);
    cr_assert_eq(oracle_top(&stack), 0);
    cr_assert_eq(stack.beyond, 0);
    cr_assert_eq(stack.overflow + stack.unwound + stack.misfit, 0);
    cr_assert_eq(stack.capacity, 8);
    oracle_push(&stack, 5, 5);
    HOLDS(5);
}
