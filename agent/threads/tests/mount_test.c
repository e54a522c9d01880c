// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The trace stacks of virtual threads, how slots take them and give them up, and where their traces
// end. Those are written youngest first, a letter a frame: | and ! the frames of
// Continuation.enterSpecial and Continuation.run, 0 one without an id.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "parts.h"
#include "threads.h"

#define DEPTH 16

static uintptr_t id_of(char c) {
    return 0x1000 + (uintptr_t)c * 8;
}

// ---- Trace stacks -----------------------------------------------------------------------------

Test(pool, gives_an_empty_stack_again_after_it_was_given_back) {
    struct mount_pool pool = MOUNT_POOL(2);
    struct mount_stack* one = mount_take(&pool);
    cr_assert_not_null(one);
    oracle_push(&one->stack, 1, 1);
    one->stack.overflow = 3;
    mount_give(&pool, one);
    struct mount_stack* again = mount_take(&pool);
    cr_assert_eq(again, one);
    cr_expect_eq(oracle_top(&again->stack), 0);
    cr_expect_eq(again->stack.overflow, 0);
}

Test(pool, gives_as_many_as_allowed_and_no_more) {
    enum { MANY = 600 }; // more than one mapping's
    static struct mount_pool pool = MOUNT_POOL(MANY);
    static struct mount_stack* taken[MANY];
    for (int i = 0; i < MANY; i++) cr_assert_not_null(taken[i] = mount_take(&pool), "%d", i);
    cr_expect_null(mount_take(&pool));
    mount_give(&pool, taken[7]);
    cr_expect_eq(mount_take(&pool), taken[7]);
    cr_expect_null(mount_take(&pool));
}

Test(pool, stacks_are_apart_also_where_one_is_full) {
    struct mount_pool pool = MOUNT_POOL(3);
    struct mount_stack* stacks[3];
    for (int i = 0; i < 3; i++) stacks[i] = mount_take(&pool);
    for (uint32_t i = 0; i < ORACLE_STACK_FRAMES + 5; i++) oracle_push(&stacks[1]->stack, 9, 1 + i);
    cr_expect_eq(stacks[1]->stack.overflow, 5);
    for (int i = 0; i < 3; i += 2) {
        cr_expect_eq(oracle_top(&stacks[i]->stack), 0);
        cr_expect_eq(stacks[i]->stack.frames[0].number, 0);
        cr_expect_eq(stacks[i]->stack.frames[0].gap, 0);
        cr_expect_eq(stacks[i]->stack.capacity, ORACLE_STACK_FRAMES);
    }
}

static long page_kb(void) {
    return sysconf(_SC_PAGESIZE) / 1024;
}

static long resident_kb(void) {
    long all, resident = -1;
    FILE* file = fopen("/proc/self/statm", "r");
    cr_assert_not_null(file);
    cr_assert_eq(fscanf(file, "%ld %ld", &all, &resident), 2);
    fclose(file);
    return resident * page_kb();
}

Test(pool, thousands_commit_what_they_use) {
    enum { MANY = 4000 };
    static struct mount_pool pool = MOUNT_POOL(MANY);
    long before = resident_kb();
    for (int i = 0; i < MANY; i++) {
        struct mount_stack* stack = mount_take(&pool);
        for (uint32_t k = 1; k < 50; k++) oracle_push(&stack->stack, k, k);
    }
    // A page each, and the half of that again for what else the test does.
    cr_expect_lt(resident_kb() - before, MANY * page_kb() * 3 / 2);
}

// ---- Slots ------------------------------------------------------------------------------------

static struct mount_pool slots_pool = MOUNT_POOL(8);
static struct agent_thread* carrier;

static void open_slot(void) {
    carrier = calloc(1, sizeof *carrier);
    cr_assert(carrier != NULL && oracle_stack_init(&carrier->stack, 8) == 0);
    carrier->base = 3;
    carrier->root = ORACLE_ROOT_STARTED;
    mount_become_carrier(carrier);
}

static void close_slot(void) {
    mount_leave(carrier);
    oracle_stack_free(&carrier->stack);
    free(carrier);
}

TestSuite(slot, .init = open_slot, .fini = close_slot);

static void change(void) {
    mount_close(carrier);
    mount_out(carrier);
}

Test(slot, each_virtual_thread_finds_its_own_frames_again) {
    struct mount_stack *one = mount_take(&slots_pool), *two = mount_take(&slots_pool);
    mount_in(carrier, one);
    oracle_push(&carrier->stack, 1, 10);
    oracle_push(&carrier->stack, 2, 20);
    change();
    mount_in(carrier, two);
    cr_expect_eq(oracle_top(&carrier->stack), 0);
    oracle_push(&carrier->stack, 3, 10);
    change();
    mount_in(carrier, one);
    cr_expect(oracle_pop(&carrier->stack, 2));
    cr_expect(oracle_pop(&carrier->stack, 1));
    change();
    mount_in(carrier, two);
    cr_expect(oracle_pop(&carrier->stack, 3));
    cr_expect_eq(carrier->stack.misfit, 0);
}

Test(slot, says_in_one_word_whose_stack_it_holds) {
    struct mount_stack* one = mount_take(&slots_pool);
    cr_expect_eq(carrier->mount, MOUNT_AWAY);
    mount_in(carrier, one);
    cr_expect_eq(carrier->mount, MOUNT_MOUNTED);
    mount_close(carrier);
    cr_expect_eq(carrier->mount, MOUNT_AWAY);
    mount_out(carrier);
    mount_in(carrier, NULL);
    cr_expect_eq(carrier->mount, MOUNT_LOST);
    change();
    cr_expect_eq(carrier->mount, MOUNT_AWAY);
}

Test(slot, what_a_virtual_thread_pushes_while_it_is_lost_is_nobodys) {
    struct mount_stack* one = mount_take(&slots_pool);
    mount_in(carrier, one);
    oracle_push(&carrier->stack, 1, 10);
    change();
    mount_in(carrier, NULL);
    change();
    mount_in(carrier, one);
    cr_expect_eq(oracle_top(&carrier->stack), 1);
}

Test(slot, of_a_virtual_thread_has_no_base_and_its_root) {
    mount_in(carrier, mount_take(&slots_pool));
    cr_expect_eq(carrier->base, 0);
    cr_expect_eq(carrier->root, ORACLE_ROOT_VIRTUAL);
    mount_leave(carrier);
    cr_expect_eq(carrier->base, 3);
    cr_expect_eq(carrier->root, ORACLE_ROOT_STARTED);
    cr_expect_eq(carrier->mount, MOUNT_NONE);
    cr_expect_eq(carrier->stack.capacity, 8, "its own stack again");
    mount_become_carrier(carrier);
}

// The same frames lie elsewhere on another carrier: none may be taken for gone.
Test(slot, a_push_on_another_carrier_drops_nothing) {
    struct mount_stack* one = mount_take(&slots_pool);
    mount_in(carrier, one);
    oracle_push(&carrier->stack, 1, 1000000);
    oracle_push(&carrier->stack, 2, 1000010);
    change();
    mount_in(carrier, one);
    oracle_push(&carrier->stack, 3, 10);
    cr_expect_eq(oracle_stack_depth(&carrier->stack), 3);
    change();
    mount_in(carrier, one);
    oracle_pop(&carrier->stack, 3);
    oracle_push(&carrier->stack, 4, 5);
    cr_expect_eq(oracle_stack_depth(&carrier->stack), 3);
    cr_expect_eq(carrier->stack.unwound, 0);
}

static void carry_a_lost_thread(void) {
    mount_in(carrier, NULL);
    change();
}

static void end(void) {
    thread_shut(carrier);
    mount_leave(carrier);
}

// The virtual thread goes on elsewhere, so its slots are another carrier's, or another virtual
// thread's.
static void leaves_alone_what_it_gave_up(void (*act)(void)) {
    enum { ENTRIES = 3 };
    struct oracle_slot before[ENTRIES];
    struct mount_stack* one = mount_take(&slots_pool);
    mount_in(carrier, one);
    for (uint32_t i = 0; i < ENTRIES; i++) oracle_push(&carrier->stack, 1 + i, 0);
    change();
    one->stack.next[-1].guarded = 0;
    memcpy(before, one->stack.frames, sizeof before);
    act();
    cr_expect_arr_eq(one->stack.frames, before, sizeof before);
}

Test(slot, of_a_lost_thread_changes_no_other_threads_stack) {
    leaves_alone_what_it_gave_up(carry_a_lost_thread);
}

Test(slot, that_is_given_back_changes_no_other_threads_stack) {
    leaves_alone_what_it_gave_up(end);
}

static void ends_after(const char* trace, uint32_t own, const struct mount_end* end) {
    struct oracle_frame frames[DEPTH];
    uint32_t count = (uint32_t)strlen(trace);
    for (uint32_t i = 0; i < count; i++)
        frames[i] = (struct oracle_frame){.method = trace[i] == '0' ? 0 : id_of(trace[i])};
    cr_expect_eq(mount_own_frames(frames, count, end), own, "%s", trace);
}

Test(trace, of_a_virtual_thread_ends_where_its_carriers_begins) {
    struct mount_end end = {.enter_special = id_of('|'), .run = id_of('!')};
    ends_after("abc|!x", 3, &end);
    ends_after("abc", 3, &end);
    ends_after("|!x", 0, &end);
    ends_after("!x", 0, &end); // a walk that lost enterSpecial as well
    ends_after("ab!x|", 2, &end);
    ends_after("", 0, &end);
    ends_after("a0c", 3, &end);
    ends_after("abc|!", 5, &(struct mount_end){0});
    ends_after("a0c", 3, &(struct mount_end){0});
}
