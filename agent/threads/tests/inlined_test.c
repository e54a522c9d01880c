// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What natives and handlers do to a thread whose pushes and pops are inlined. push and pop do here
// what agent/classes/inlined/plumbline/Trace.java does.
#include <criterion/criterion.h>

#include "agent/state/state.h"
#include "agent/threads/threads.h"

static struct agent_thread t;
static struct results_thread now;

static void open_thread(void) {
    agent.inlined = true;
    t = (struct agent_thread){.now = &now, .countdown = 1000, .counted = 1000};
    now = (struct results_thread){0};
    cr_assert_eq(oracle_stack_init(&t.stack, 8), 0);
    thread_current = &t;
    thread_reopen(&t);
}

static void close_thread(void) {
    thread_current = NULL;
    oracle_stack_free(&t.stack);
    agent.inlined = false;
}

TestSuite(inlined, .init = open_thread, .fini = close_thread);

// Whether it was done without a native.
static bool push(uintptr_t method) {
    int32_t top = (int32_t)t.stack.top;
    if (top >= (int32_t)t.limit || t.countdown == 1) return false;
    t.stack.frames[top] = (struct oracle_slot){.method = method};
    t.countdown--;
    t.stack.top++;
    return true;
}

static bool pop(uintptr_t method) {
    int32_t at = (int32_t)t.stack.top - 1;
    if (at + 1 <= (int32_t)t.floor || t.stack.frames[at].method != method ||
        t.stack.frames[at].gap != 0)
        return false;
    t.stack.top--;
    return true;
}

Test(inlined, pops_are_counted_by_what_is_left) {
    cr_assert(push(1) && push(2) && push(3) && pop(3) && push(4) && pop(4) && pop(2));
    thread_account(&t);
    cr_expect_eq(now.ground_checks, 3);
    thread_account(&t);
    cr_expect_eq(now.ground_checks, 3, "none twice");
    cr_assert(pop(1));
    thread_account(&t);
    cr_expect_eq(now.ground_checks, 4);
}

Test(inlined, what_natives_drop_and_count_down_is_no_pop) {
    cr_assert(push(1) && push(2) && push(3));
    thread_account(&t);
    t.stack.top = 1;       // two entries left without a pop
    t.countdown = 1 << 19; // and the next check is far
    thread_reopen(&t);
    cr_assert(push(2) && pop(2));
    thread_account(&t);
    cr_expect_eq(now.ground_checks, 1);
}

Test(inlined, another_stack_is_no_pop) {
    static struct oracle_slot frames[4];
    struct mount_stack mounted = {.stack = {.frames = frames, .capacity = 4, .top = 1}};
    const struct oracle_stack own = t.stack;
    frames[0].method = 7;
    cr_assert(push(1) && push(2) && pop(2));
    thread_account(&t);
    cr_expect_eq(now.ground_checks, 1);
    mount_in(&t, &mounted);
    cr_assert(push(8) && pop(8) && pop(7));
    thread_account(&t);
    cr_expect_eq(now.ground_checks, 3);
    t.stack = own;
}

Test(inlined, nothing_is_counted_where_natives_push) {
    agent.inlined = false;
    cr_assert(push(1) && pop(1));
    thread_account(&t);
    cr_expect_eq(now.ground_checks, 0);
}

Test(inlined, a_shut_thread_goes_to_the_natives_until_it_is_opened) {
    cr_assert(push(1));
    thread_shut(&t);
    cr_expect_not(push(2));
    cr_expect_not(pop(1));
    thread_reopen(&t);
    cr_assert(push(2) && pop(2) && pop(1));
    cr_expect_not(pop(1), "nothing is left");
}

Test(inlined, a_thread_stays_shut_while_only_natives_can_help) {
    t.accused_count = 1;
    thread_reopen(&t);
    cr_expect_not(push(1));
    t.accused_count = 0;
    t.stack.beyond = 1;
    thread_reopen(&t);
    cr_expect_not(push(1));
    t.stack.beyond = 0;
    thread_current = NULL; // a carrier on which nothing is mounted
    thread_reopen(&t);
    cr_expect_not(push(1));
}

Test(inlined, a_full_stack_and_a_captured_gap_are_the_natives_work) {
    for (uint32_t i = 0; i < 8; i++) cr_assert(push(1 + i));
    cr_expect_not(push(9));
    t.stack.frames[7].gap = 2;
    cr_expect_not(pop(8));
    t.stack.frames[7].gap = 0;
    cr_expect(pop(8));
}
