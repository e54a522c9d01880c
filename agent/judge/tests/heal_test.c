// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Entries that their methods left behind: who is acquitted, what is mended, and what counts as a
// failure of the layers ground and gst. Traces are written youngest first, a letter a frame; a
// letter is also the number of its method.
#include <pthread.h>
#include <string.h>

#include <criterion/criterion.h>

#include "agent/classes/classes.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "agent/walker/walker.h"
#include "fakejvm.h"
#include "oracle/oracle.h"
#include "parts.h"

static struct agent_thread* t;

static void open_thread(void) {
    static const struct jvmtiInterface_1_ jvmti = {.GetStackTrace = fake_get_stack_trace,
                                                   .GetThreadInfo = fake_get_thread_info,
                                                   .Deallocate = fake_deallocate};
    agent.methods = oracle_methods_open();
    for (char c = 'a'; c <= 'z'; c++) oracle_methods_bind(agent.methods, fake_id(c), (uint32_t)c);
    t = fake_thread_begin(&jvmti);
    t->stack_low = 0;            // the machine stack has no end, as far as anybody knows
    t->checks.left = UINT32_MAX; // no check is due
    fake_walker_text = fake_gst_text = "";
}

static void close_thread(void) {
    oracle_stack_free(&t->stack);
}

TestSuite(heal, .init = open_thread, .fini = close_thread);

// As native code whose frame is `units` of 16 bytes deep pushes. The oldest is the last letter.
static void push_all(const char* entries, uint32_t units) {
    for (size_t i = strlen(entries); i-- > 0;)
        oracle_push(&t->stack, (uint32_t)entries[i], units + 8 * (uint32_t)(strlen(entries) - i));
}

static void expect_stack(const char* entries) {
    cr_expect_eq(oracle_stack_depth(&t->stack), strlen(entries), "%s", entries);
    for (uint32_t i = 0; i < oracle_top(&t->stack) && i < strlen(entries); i++)
        cr_expect_eq(t->stack.frames[oracle_top(&t->stack) - 1 - i].number, (uintptr_t)entries[i],
                     "%s", entries);
}

static void accuse(void) {
    agent.run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING]++;
    blame_accuse(t, ORACLE_MISSING, false, RESULTS_UNEXPLAINED, NULL);
}

static void expect_accusations(uint64_t stand, uint64_t taken_back) {
    const struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_ASYNC];
    cr_expect_eq(layer->verdict[ORACLE_MISSING], stand);
    cr_expect_eq(layer->undecided[RESULTS_UNDECIDED_BLAME], taken_back);
    cr_expect_eq(t->accused_count, 0, "all are settled");
}

static uint64_t ground_failures(void) {
    return agent.run->layers[ORACLE_LAYER_GROUND].verdict[ORACLE_WRONG_METHOD];
}

// ---- Accusations --------------------------------------------------------------------------------

Test(heal, an_accusation_that_a_later_push_unwinds_is_taken_back) {
    push_all("cba", 100);
    push_all("zyx", 100 + 2 * ORACLE_POSITION_SLACK); // which leave without a pop
    accuse();
    oracle_push(&t->stack, 'd', 150);
    expect_stack("dcba");
    fake_gst_text = "dcba"; // which would confirm it now
    check_push(t);
    expect_accusations(0, 1);
    cr_expect_eq(agent.run->settling_checks, 0, "nothing was left to settle");
}

Test(heal, an_accusation_stands_where_entries_were_unwound_before_it) {
    push_all("ba", 100);
    push_all("zy", 100 + 2 * ORACLE_POSITION_SLACK);
    oracle_push(&t->stack, 'c', 150);
    accuse();
    fake_gst_text = "cba";
    check_push(t);
    expect_accusations(1, 0);
    cr_expect_eq(agent.run->confirmed, 1);
}

static void* accuse_and_end(void* slot) {
    struct agent_thread** accused = slot;
    *accused = thread_begin(t->env, NULL, 0);
    (*accused)->waits = true;
    blame_accuse(*accused, ORACLE_MISSING, false, RESULTS_UNEXPLAINED, NULL);
    thread_end(t->env);
    return NULL;
}

static void* begin_and_acquit(void* slot) {
    struct agent_thread* next = thread_begin(t->env, NULL, 0);
    cr_assert_eq(next, *(struct agent_thread**)slot, "the slot serves another thread");
    blame_await(next);
    blame_settle(next, ORACLE_MISSING, NULL, 0);
    thread_end(t->env);
    return NULL;
}

Test(heal, what_a_thread_was_accused_of_ends_with_it) {
    const struct results_layer *all = &agent.run->layers[ORACLE_LAYER_ASYNC],
                               *waiting = &agent.run->waiting[ORACLE_LAYER_ASYNC];
    struct agent_thread* slot = NULL;
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, accuse_and_end, &slot), 0);
    pthread_join(thread, NULL);
    cr_assert_eq(pthread_create(&thread, NULL, begin_and_acquit, &slot), 0);
    pthread_join(thread, NULL);
    cr_expect_eq(all->verdict[ORACLE_UNDECIDED], 0);
    cr_expect_eq(all->cause[RESULTS_UNEXPLAINED], 0);
    cr_expect_eq(waiting->verdict[ORACLE_UNDECIDED], 0);
    cr_expect_eq(waiting->cause[RESULTS_UNEXPLAINED], 0);
    oracle_stack_free(&slot->stack);
}

// A profiler's sample of an instant is judged after the run: the record needs to know who was
// wrong.
Test(heal, an_instant_without_an_accusation_is_settled_too) {
    uint32_t settled = t->settled;
    push_all("cba", 100);
    blame_leave(t);
    cr_expect_eq(t->settled, settled, "there is no question");
    blame_await(t);
    fake_gst_text = "cba";
    t->overdue = 1; // there is a check, for whatever reason
    check_push(t);
    cr_expect_eq(t->settled, settled + 1);
    push_all("zyx", 100 + 2 * ORACLE_POSITION_SLACK);
    blame_await(t);
    oracle_push(&t->stack, 'd', 150);
    heal_acquit_unwound(t);
    cr_expect_eq(t->settled, settled + 2);
    t->in_check = true;
    blame_await(t);
    cr_expect_eq(t->accused_all, 0);
}

// ---- Checks that an accusation led to -----------------------------------------------------------

static void settle_with(const char* gst, uint64_t mismatches) {
    uint64_t before = agent.run->settling_checks;
    const struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_GST];
    agent.run->settling_mismatches = 0;
    accuse();
    fake_gst_text = gst;
    check_pop(t);
    cr_expect_eq(agent.run->settling_checks, before + 1, "%s", gst);
    cr_expect_eq(agent.run->settling_mismatches, mismatches, "%s", gst);
    cr_expect_eq(results_judged(layer) + layer->verdict[ORACLE_UNDECIDED], 0,
                 "they are none of the layer's sample");
}

Test(heal, a_check_that_an_accusation_led_to_counts_apart) {
    push_all("cba", 100);
    settle_with("cba", 0);
    settle_with("cbba", 1);
    settle_with("ca", 1);
    expect_accusations(1, 2);
}

Test(heal, such_a_check_is_no_failure_where_the_stack_is_mended_or_torn) {
    static const struct oracle_code constructor = {.length = 10, .may_vanish = true};
    oracle_methods_describe(agent.methods, 'b', &constructor);
    push_all("cba", 100);
    settle_with("ca", 0);
    expect_stack("ca");
    t->stack.torn = 1;
    settle_with("cza", 0); // more than entries that vanished
    expect_stack("ca");
    expect_accusations(0, 2);
}

Test(heal, a_pop_that_mends_the_stack_settles_by_no_stale_entry) {
    push_all("cba", 100);
    accuse();
    fake_gst_text = "ba";
    check_misfit(t, 'b');
    expect_accusations(0, 1);
    cr_expect_eq(agent.run->settling_mismatches, 0);
}

// ---- The end of the machine stack ---------------------------------------------------------------

static void come_near_the_end(void) {
    t->stack_low = MACHINE_ENTRY() - (64u << 10);
}

Test(heal, a_method_that_leaves_without_a_pop_fails_ground) {
    push_all("ccba", 0);
    fake_gst_text = "ba";
    check_caught(t, 'b');
    cr_expect_eq(ground_failures(), 1);
    expect_stack("ba");
}

Test(heal, near_the_end_of_the_machine_stack_methods_may_leave_without_a_pop) {
    push_all("ccba", natives_position(MACHINE_ENTRY()));
    come_near_the_end();
    fake_gst_text = "ba";
    check_caught(t, 'b');
    cr_expect_eq(ground_failures(), 0);
    cr_expect_eq(agent.run->torn, 2, "which is counted");
    expect_stack("ba");
}

// "a" and "b" are pushed half a megabyte from the end of the machine stack, "c" so near to it. Then
// b pops: its handler caught what c threw, and between the two no instrumented method caught
// anything.
static void leave_behind(uint32_t bytes_from_end) {
    const uint32_t end = 1u << 24;
    t->stack_low = ((uintptr_t)UINT32_MAX + 1 - end) << 4;
    cr_assert_eq(natives_position(t->stack_low), end);
    push_all("ba", end - (512u << 10) / 16);
    push_all("c", end - bytes_from_end / 16);
    fake_gst_text = "ba";
    check_misfit(t, 'b');
}

Test(heal, an_entry_pushed_near_the_end_may_be_left_behind_for_a_handler_far_from_it) {
    leave_behind(64u << 10);
    cr_expect_eq(ground_failures(), 0);
    cr_expect_eq(agent.run->torn, 1, "which is counted");
    expect_stack("ba");
}

Test(heal, an_entry_pushed_far_from_the_end_is_no_such_one) {
    leave_behind(256u << 10);
    cr_expect_eq(ground_failures(), 1);
}

// Of a recursion the youngest entries are taken for those that are left, so the oldest are stale.
Test(heal, a_torn_stack_stays_so_until_a_whole_trace_agrees) {
    push_all("bbba", natives_position(MACHINE_ENTRY()));
    come_near_the_end();
    fake_gst_text = "ba";
    check_caught(t, 'b');
    expect_stack("bbba");
    cr_expect_eq(t->stack.torn, 1);
    t->stack_low = 0;
    oracle_pop(&t->stack, 'b');
    fake_gst_text = "a";
    check_misfit(t, 'a');
    expect_stack("a");
    cr_expect_eq(t->stack.torn, 0);
    cr_expect_eq(ground_failures(), 0);
    push_all("c", 0);
    check_caught(t, 'a');
    cr_expect_eq(ground_failures(), 1, "it is no excuse for what comes later");
}

Test(heal, a_handler_of_a_torn_stack_drops_what_lies_far_deeper) {
    uint32_t here = natives_position(MACHINE_ENTRY());
    push_all("a", here);
    push_all("yx", here + 2 * ORACLE_POSITION_SLACK);
    t->stack.beyond = 3;
    t->stack.torn = 1;
    fake_gst_text = "a";
    accuse();
    check_caught(t, 'a');
    expect_stack("a");
    cr_expect_eq(t->stack.beyond, 0);
    expect_accusations(0, 1);
}

// ---- Answers with too many frames ---------------------------------------------------------------

static bool writes_behind;
static int32_t says;

struct raw_frame {
    int32_t bci;
    uintptr_t method;
};
struct raw_trace {
    void* env;
    int32_t count;
    struct raw_frame* frames;
};

static void walk_too_far(struct raw_trace* trace, int32_t depth, void* context) {
    (void)context;
    for (int32_t i = 0; i < depth + writes_behind; i++)
        trace->frames[i] = (struct raw_frame){6, fake_id('a')};
    trace->count = says;
}

// The walker's count, as the agent takes it, and the frames that it reads of it.
static void expect_walk(int32_t said, bool behind, int32_t count, uint32_t frames) {
    struct walker kept = walker_under_test;
    struct oracle_frame room[FAKE_DEPTH + 1] = {{0}};
    walker_under_test.function = (void (*)(void))walk_too_far;
    says = said;
    writes_behind = behind;
    int32_t got = walk_call(t, t->raw, FAKE_DEPTH, NULL, ORACLE_LAYER_SAFEPOINT);
    cr_expect_eq(got, count, "%d said", said);
    cr_expect_eq(walk_frames(t, t->raw, FAKE_DEPTH, &got, room), frames, "%d said", said);
    cr_expect_eq(got, count);
    cr_expect_eq(room[FAKE_DEPTH].method, 0, "nothing is written behind the room");
    walker_under_test = kept;
}

Test(heal, an_answer_with_too_many_frames_is_read_within_the_room) {
    expect_walk(FAKE_DEPTH, false, FAKE_DEPTH, FAKE_DEPTH);
    expect_walk(FAKE_DEPTH + 1, false, FAKE_DEPTH + 1, FAKE_DEPTH);
    expect_walk(INT32_MAX, false, INT32_MAX, FAKE_DEPTH);
    expect_walk(3, false, 3, 3);
}

Test(heal, a_walker_that_writes_behind_its_room_has_given_too_many) {
    expect_walk(3, true, FAKE_DEPTH + 1, FAKE_DEPTH);
    expect_walk(-5, true, FAKE_DEPTH + 1, FAKE_DEPTH);
}

Test(heal, too_many_frames_at_a_push_are_a_phantom) {
    const struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_SAFEPOINT];
    push_all("a", 100);
    fake_gst_text = "a";
    walker_under_test.function = (void (*)(void))walk_too_far;
    says = FAKE_DEPTH + 5;
    writes_behind = false;
    t->checks.left = 1;
    t->countdown = 0;
    t->counted = 1;
    check_push(t);
    cr_expect_eq(layer->verdict[ORACLE_PHANTOM], 1);
    cr_expect_eq(results_judged(layer), 1);
}
