// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What a walker's refusal is booked as, and what the run's file says of the walk that is under way.
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>

#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "agent/walker/walker.h"
#include "fakejvm.h"
#include "parts.h"

static const uint32_t machine_code[] = {
#if defined(__x86_64__)
    0x9090050f // syscall; nop; nop
#else
    0xd4000001, // svc #0
    0xd503201f  // nop
#endif
};
#if defined(__x86_64__)
#define BEHIND 2
#else
#define BEHIND 4
#endif

static enum oracle_refusal refusal_at(const void* pc, int32_t count) {
    uintptr_t stack[4] = {0};
    struct results_thread now = {.asked_at = (uintptr_t)pc};
    struct agent_thread* t = calloc(1, sizeof *t);
    cr_assert_not_null(t);
    t->now = &now;
    t->hotspot = fake_deoptimise(stack + 4, 300).thread;
    enum oracle_refusal refusal = judge_refusal(t, count);
    free(t);
    return refusal;
}

Test(walk, a_thread_without_java_frames_has_an_empty_trace_stack) {
    struct results_thread now = {.asked_at = 0};
    struct agent_thread* t = calloc(1, sizeof *t);
    cr_assert_not_null(t);
    cr_assert_eq(oracle_stack_init(&t->stack, 8), 0);
    t->now = &now;
    t->hotspot = fake_left_thread(0);
    cr_expect_eq(judge_refusal(t, -3), ORACLE_REFUSAL_WITHOUT_JAVA);
    cr_expect_eq(judge_refusal(t, -4), ORACLE_REFUSAL_NOT_WALKABLE_NOT_JAVA);
    oracle_push(&t->stack, 1, 0);
    cr_expect_eq(judge_refusal(t, -3), ORACLE_REFUSAL_UNKNOWN_NOT_JAVA, "it has some");
    t->hotspot = fake_left_thread(8);
    cr_expect_eq(judge_refusal(t, -3), ORACLE_REFUSAL_NO_ANCHOR);
    oracle_stack_free(&t->stack);
    free(t);
}

Test(walk, a_refusal_in_a_system_call_is_told_apart) {
    const char* code = (const char*)machine_code;
    cr_expect_eq(refusal_at(code + BEHIND, -5), ORACLE_REFUSAL_SYSTEM_CALL);
    cr_expect_eq(refusal_at(code, -5), ORACLE_REFUSAL_UNKNOWN_JAVA, "before it");
    cr_expect_eq(refusal_at(NULL, -5), ORACLE_REFUSAL_UNKNOWN_JAVA, "without a context");
    cr_expect_eq(refusal_at(code + BEHIND, -6), ORACLE_REFUSAL_NOT_WALKABLE_JAVA);
    cr_expect_eq(refusal_at(code + BEHIND, -3), ORACLE_REFUSAL_UNKNOWN_NOT_JAVA);
}

// ---- Walks that interrupt one another -----------------------------------------------------------

struct raw_trace {
    void* env;
    int32_t count;
    void* frames;
};

static const struct results_thread* now;
static uint32_t walks;
static struct results_thread before, behind; // the signal that comes in the first walk

static void walk(struct raw_trace* trace, int32_t depth, void* context) {
    (void)depth, (void)context;
    trace->count = -3;
    if (walks++ != 0) return;
    before = *now;
    raise(SIGPROF);
    behind = *now;
}

static void on_profilers_signal(int signal, siginfo_t* info, void* context) {
    (void)signal, (void)info;
    sample_instant(context, 1, 2);
}

static void install_profilers(void) {
    struct sigaction action = {.sa_sigaction = on_profilers_signal, .sa_flags = SA_SIGINFO};
    cr_assert_eq(sigaction(SIGPROF, &action, NULL), 0);
}

// A signal comes in the walk of a check, and asks by `layer`.
static void interrupt_a_check(enum oracle_layer layer) {
    static const struct jvmtiInterface_1_ jvmti = {.GetStackTrace = fake_get_stack_trace,
                                                   .GetThreadInfo = fake_get_thread_info,
                                                   .Deallocate = fake_deallocate};
    agent.methods = oracle_methods_open();
    struct agent_thread* t = fake_thread_begin(&jvmti);
    now = t->now;
    fake_gst_text = "";
    walker_under_test.function = (void (*)(void))walk;
    agent.options.layers |= 1u << layer;
    agent.options.signal = SIGPROF;
    if (layer == ORACLE_LAYER_SANDWICH) t->walk.wanted = WALK_WANTED;
    else t->sent_ns = 1;
    if (layer == ORACLE_LAYER_PROFILER) install_profilers();
    else cr_assert_eq(sample_install(), 0);
    sample_begin();
    t->countdown = 0;
    check_push(t);
    cr_expect_eq(walks, 2);
    cr_expect_eq(before.in_walker, 1 + ORACLE_LAYER_SAFEPOINT);
    cr_expect_eq(behind.in_walker, before.in_walker);
    cr_expect_eq(behind.asked_at, before.asked_at);
    cr_expect_eq(now->in_walker, 0);
    oracle_stack_free(&t->stack);
    oracle_methods_close(agent.methods);
    free(agent.run);
}

Test(walk, that_a_sample_interrupts_is_still_under_way_behind_it) {
    interrupt_a_check(ORACLE_LAYER_ASYNC);
}

Test(walk, that_a_profiler_interrupts_is_still_under_way_behind_it) {
    interrupt_a_check(ORACLE_LAYER_PROFILER);
}

Test(walk, that_a_sandwich_interrupts_is_still_under_way_behind_it) {
    interrupt_a_check(ORACLE_LAYER_SANDWICH);
}
