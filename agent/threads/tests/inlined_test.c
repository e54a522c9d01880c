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
    t = (struct agent_thread){.now = &now, .countdown = 1000, .counted = 1000, .shallow = 4};
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
static bool push_at(uintptr_t method, uintptr_t limit) {
    struct oracle_slot* next = t.stack.next;
    if ((uintptr_t)next >= limit) return false;
    next->id = method;
    t.stack.next = next + 1;
    return true;
}

// Of a method that looks for no check.
static bool push(uintptr_t method) {
    return push_at(method, t.limit);
}

static bool push_checked(uintptr_t method) {
    if (t.countdown == 1 || !push_at(method, t.checked_limit)) return false;
    t.countdown--;
    return true;
}

static bool pop(uintptr_t method) {
    int64_t entry = (int64_t)t.stack.next[-1].id;
    if ((int32_t)entry != (int32_t)method || entry < 0) return false;
    t.stack.next -= 1 + (entry >> 32);
    return true;
}

static bool caught(uintptr_t method) {
    int64_t entry = (int64_t)t.stack.next[-1].id;
    return (int32_t)entry == (int32_t)method && entry >= 0 &&
           (uintptr_t)t.stack.next < t.caught_limit;
}

Test(inlined, pushes_that_look_for_checks_are_counted) {
    cr_assert(push_checked(1) && push(2) && push_checked(3) && pop(3) && push_checked(4) && pop(4));
    thread_account(&t);
    cr_expect_eq(now.ground_checks, 3);
    thread_account(&t);
    cr_expect_eq(now.ground_checks, 3, "none twice");
    cr_assert(pop(2) && pop(1));
    thread_account(&t);
    cr_expect_eq(now.ground_checks, 3);
}

Test(inlined, what_natives_count_down_is_no_push) {
    cr_assert(push_checked(1) && push_checked(2));
    thread_account(&t);
    t.countdown = 1 << 19; // the next check is far
    thread_reopen(&t);
    cr_assert(push_checked(3));
    thread_account(&t);
    cr_expect_eq(now.ground_checks, 3);
}

Test(inlined, another_stack_has_limits_of_its_own) {
    static struct oracle_slot memory[5];
    struct mount_stack mounted = {.java_thread = 1};
    cr_assert(push(1));
    const struct oracle_stack own = t.stack;
    oracle_stack_place(&mounted.stack, memory, 4);
    oracle_push(&mounted.stack, 7, 0);
    mount_close(&t);
    cr_expect_not(pop(1), "between two virtual threads");
    mount_in(&t, &mounted);
    cr_expect_not(push(8), "not yet");
    thread_reopen(&t);
    cr_assert(push(8) && push(9) && push_checked(10));
    cr_expect_not(push(11));
    cr_expect(pop(10) && pop(9) && pop(8) && pop(7));
    cr_expect_not(pop(1), "another stack's");
    t.stack = own;
    thread_reopen(&t);
    cr_expect(pop(1));
}

Test(inlined, nothing_is_counted_where_natives_push) {
    agent.inlined = false;
    cr_assert(push_checked(1) && pop(1));
    thread_account(&t);
    cr_expect_eq(now.ground_checks, 0);
}

Test(inlined, a_shut_thread_goes_to_the_natives_until_it_is_opened) {
    cr_assert(push(1));
    thread_shut(&t);
    cr_expect_not(push(2));
    cr_expect_not(push_checked(2));
    cr_expect_not(pop(1));
    thread_reopen(&t);
    cr_assert(push(2) && pop(2) && pop(1));
    cr_expect_not(pop(1), "nothing is left");
    thread_shut(&t); // there is no entry that could be guarded
    cr_expect_eq(t.stack.next[-1].guarded, 0);
}

Test(inlined, a_thread_stays_shut_while_only_natives_can_help) {
    cr_assert(push(1));
    t.stack.beyond = 1;
    thread_reopen(&t);
    cr_expect_not(push(1));
    cr_expect_not(pop(1), "the youngest entry is one beyond");
    t.stack.beyond = 0;
    thread_current = NULL; // a carrier on which nothing is mounted
    thread_reopen(&t);
    cr_expect_not(push(1));
    cr_expect_not(pop(1));
    thread_current = &t;
    thread_reopen(&t);
    cr_expect(pop(1));
}

Test(inlined, an_accusation_waits_for_the_next_push_that_looks_for_checks) {
    t.accused_count = 1;
    thread_reopen(&t);
    cr_expect(push(1) && pop(1));
    cr_expect_not(push_checked(1));
    t.accused_count = 0;
    thread_reopen(&t);
    cr_expect(push_checked(1));
    thread_want_check(&t);
    cr_expect_not(push_checked(1));
    cr_expect(push(1));
}

Test(inlined, a_full_stack_and_a_guarded_entry_are_the_natives_work) {
    for (uint32_t i = 0; i < 8; i++) cr_assert(push(1 + i));
    cr_expect_not(push(9));
    t.stack.frames[7].guarded = 1;
    cr_expect_not(pop(8));
    thread_reopen(&t);
    cr_expect(pop(8), "it was guarded while the thread was shut");
}

Test(inlined, a_captured_gap_goes_with_its_entry) {
    struct oracle_methods* methods = oracle_methods_open();
    const struct oracle_frame walk[] = {{101, 3, 0}, {200, 5, 0}, {100, 7, 0}};
    const struct oracle_context context = {.depth_limit = true};
    oracle_methods_bind(methods, 100, 1);
    oracle_methods_bind(methods, 101, 2);
    oracle_methods_bind(methods, 200, ORACLE_FOREIGN);
    cr_assert(push(1) && push(2));
    cr_assert_eq(oracle_capture(&t.stack, methods, walk, 3, &context), 1);
    thread_reopen(&t);
    cr_expect_eq(oracle_top(&t.stack), 4);
    cr_assert_eq(t.stack.frames[3].gap, 2);
    thread_shut(&t);
    cr_expect_not(pop(2));
    cr_expect_eq(oracle_below(&t.stack, 4), 1, "the gap is still known");
    thread_reopen(&t);
    cr_expect_not(pop(1));
    cr_expect(pop(2));
    cr_expect_eq(oracle_top(&t.stack), 1);
    cr_expect(push(3) && push(4) && pop(4) && pop(3) && pop(1));
    oracle_methods_close(methods);
}

Test(inlined, a_handler_of_the_youngest_entry_has_nothing_to_do) {
    cr_expect_not(caught(1), "nobody pushed");
    cr_assert(push(1) && push(2));
    cr_expect(caught(2));
    cr_expect_not(caught(1), "2 may have left without a pop");
    cr_expect(pop(2) && caught(1));
    thread_shut(&t);
    cr_expect_not(caught(1));
    thread_reopen(&t);
    cr_expect(caught(1));
}

// Where the machine stack may be near its end, the natives see whether it is.
Test(inlined, a_handler_of_a_deep_or_torn_stack_is_the_natives_work) {
    cr_assert(push(1) && push(2) && push(3));
    cr_expect(caught(3));
    cr_assert(push(4));
    cr_expect_not(caught(4), "as many entries as may be near the end");
    cr_assert(pop(4));
    thread_tear(&t);
    cr_expect_not(caught(3));
    thread_reopen(&t);
    cr_expect_not(caught(3), "still torn");
    cr_expect(push(4) && pop(4), "which is no matter of pushes and pops");
    t.stack.torn = 0;
    thread_reopen(&t);
    cr_expect(caught(3));
    t.shallow = UINT32_MAX;
    thread_reopen(&t);
    cr_expect_eq(t.caught_limit, t.limit, "no limit lies behind the slots");
}
