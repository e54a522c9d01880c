// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Threads that are asked from their first instruction to their last, of a JVM that is a fake.
#include <criterion/criterion.h>
#include <jni.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "agent/walker/walker.h"
#include "fakejvm.h"
#include "parts.h"

#define MS 1000000ull

static struct agent_thread* thread;

// ---- Moments ------------------------------------------------------------------------------------

Test(moment, follows_from_what_the_jvm_told_and_knows) {
    struct life l = {.begun_ns = 1000 * MS};
    uint64_t young = 1050 * MS, grown = 1200 * MS;
    cr_expect_eq(moment_of(&l, false, false, young), RESULTS_MOMENT_NEW);
    cr_expect_eq(moment_of(&l, true, false, young), RESULTS_MOMENT_STARTING);
    cr_expect_eq(moment_of(&l, false, false, grown), RESULTS_MOMENT_SERVICE);
    cr_expect_eq(moment_of(&l, true, false, grown), RESULTS_MOMENT_SERVICE);
    l.started = true;
    cr_expect_eq(moment_of(&l, true, false, young), RESULTS_MOMENT_RUNNING);
    cr_expect_eq(moment_of(&l, true, false, grown), RESULTS_MOMENT_RUNNING);
    l.ended = true;
    cr_expect_eq(moment_of(&l, true, false, grown), RESULTS_MOMENT_ENDING);
    cr_expect_eq(moment_of(&l, false, false, grown), RESULTS_MOMENT_GONE);
    for (int known = 0; known < 2; known++)
        cr_expect_eq(moment_of(&l, known, true, grown), RESULTS_MOMENT_EXITING);
}

Test(moment, there_are_frames_where_java_code_can_have_been_called) {
    static const struct life jvms = {.jvms = true}, natives = {.jvms = false};
    for (int m = 0; m < RESULTS_MOMENT_COUNT; m++) {
        bool edge = m == RESULTS_MOMENT_STARTING || m == RESULTS_MOMENT_ENDING;
        cr_expect_not(moment_has_frames(&jvms, (enum results_moment)m, false), "%d", m);
        cr_expect_not(moment_has_frames(&natives, (enum results_moment)m, false), "%d", m);
        cr_expect_eq(moment_has_frames(&jvms, (enum results_moment)m, true), !edge, "%d", m);
        // It may attach, which calls constructors, or attach again.
        cr_expect(moment_has_frames(&natives, (enum results_moment)m, true), "%d", m);
    }
}

// ---- A JVM --------------------------------------------------------------------------------------

struct raw_trace {
    void* env;
    int32_t count;
    void* frames;
};

static volatile int known, frames, calls, wrong_env, announced;
static int somebody;

static jint JNICALL get_env(JavaVM* vm, void** env, jint version) {
    (void)vm, (void)version;
    *env = known ? &somebody : NULL;
    return known ? JNI_OK : JNI_EDETACHED;
}

static void answer(struct raw_trace* trace, int32_t depth, void* ucontext) {
    (void)depth;
    calls++;
    if (ucontext == NULL || trace->env != (known ? &somebody : NULL)) wrong_env++;
    trace->count = frames;
}

static __attribute__((no_sanitize("address", "undefined"))) void
trust(struct raw_trace* trace, int32_t depth, void* ucontext) {
    (void)depth, (void)ucontext;
    calls++;
    trace->count = *(const volatile int*)trace->env;
}

static void hang_once(struct raw_trace* trace, int32_t depth, void* ucontext) {
    (void)depth, (void)ucontext;
    if (calls++ == 0)
        for (volatile uint64_t turns = 0;; turns++) continue;
    trace->count = -8;
}

// A look comes after a second.
static void wait_for_a_look(void) {
    struct timespec rest = {1, 500000000};
    while (nanosleep(&rest, &rest) != 0) continue;
}

static void be_stopped_once(struct raw_trace* trace, int32_t depth, void* ucontext) {
    (void)depth, (void)ucontext;
    if (calls++ == 0) {
        life.asked_ns -= 60000 * MS; // which the process was stopped for
        wait_for_a_look();
    }
    trace->count = -8;
}

static void wait_long_once(struct raw_trace* trace, int32_t depth, void* ucontext) {
    (void)depth, (void)ucontext;
    if (calls++ == 0) {
        life.looks = 19;
        wait_for_a_look();
    }
    trace->count = -8;
}

static void begin(void (*walker)(struct raw_trace*, int32_t, void*)) {
    static const struct jvmtiInterface_1_ jvmti = {.GetThreadInfo = fake_get_thread_info,
                                                   .GetStackTrace = fake_get_stack_trace,
                                                   .Deallocate = fake_deallocate};
    static const struct JNIInvokeInterface_ invocation = {.GetEnv = get_env};
    static JavaVM vm = &invocation;
    agent.methods = oracle_methods_open();
    thread = fake_thread_begin(&jvmti);
    cr_assert_not_null(thread);
    agent.vm = &vm;
    walker_under_test.function = (void (*)(void))walker;
    agent.options.layers |= 1u << ORACLE_LAYER_SURVIVE;
    agent.options.survive = 50;
    agent.options.rescue = true;
    cr_assert_eq(survive_open(), 0);
    cr_assert_eq(survive_start(), 0);
    life_end(); // the test's own thread
    memset(agent.run->survive, 0, sizeof agent.run->survive);
    memset(&agent.run->layers[ORACLE_LAYER_SURVIVE], 0, sizeof agent.run->layers[0]);
    agent.run->survive_error_count = 0;
    calls = 0;
    agent.run->lives = agent.run->lives_ended = agent.run->lives_old = agent.run->lives_young = 0;
}

static void close_thread(void) {
    oracle_stack_free(&thread->stack);
}

TestSuite(survive, .fini = close_thread, .timeout = 60);

// The handler counts in the calling thread, which stays young, however slow the machine is.
static void await(enum results_moment moment) {
    const uint64_t* asked = &agent.run->survive[moment].asked;
    while (__atomic_load_n(asked, __ATOMIC_RELAXED) < 3) life.begun_ns = agent_now_ns();
}

static void in_thread(void* (*body)(void*)) {
    pthread_t of;
    cr_assert_eq(pthread_create(&of, NULL, body, NULL), 0);
    cr_assert_eq(pthread_join(of, NULL), 0);
}

static const struct results_layer* layer(void) {
    return &agent.run->layers[ORACLE_LAYER_SURVIVE];
}

// ---- Lives --------------------------------------------------------------------------------------

static void* live(void* unused) {
    life_begin(true);
    await(RESULTS_MOMENT_NEW);
    known = 1;
    await(RESULTS_MOMENT_STARTING);
    survive_tell(false);
    frames = 2;
    await(RESULTS_MOMENT_RUNNING);
    frames = -8;
    survive_tell(true);
    await(RESULTS_MOMENT_ENDING);
    known = 0;
    await(RESULTS_MOMENT_GONE);
    return unused;
}

Test(survive, a_thread_is_asked_from_its_first_instruction_to_its_last) {
    begin(answer);
    frames = -8;
    in_thread(live);
    cr_expect_eq(wrong_env, 0);
    cr_expect_eq(agent.run->lives, 1);
    cr_expect_eq(agent.run->lives_ended, 1, "the last destructor takes the timer away");
    cr_expect_eq(agent.run->lives_young, 1);
    cr_expect_eq(agent.run->lives_old, 1);
    cr_expect_eq(results_mismatched(layer()), 0);
    cr_expect_eq(layer()->answered, layer()->verdict[ORACLE_AGREE]);
    cr_expect_eq(agent.run->survive[RESULTS_MOMENT_NEW].frames, 0);
    cr_expect_eq(agent.run->survive[RESULTS_MOMENT_NEW].refused[ORACLE_REFUSAL_THREAD_EXIT],
                 agent.run->survive[RESULTS_MOMENT_NEW].asked);
    cr_expect_gt(agent.run->survive[RESULTS_MOMENT_RUNNING].frames, 0);
}

static void* begin_with_frames(void* unused) {
    known = 1;
    life_begin(true);
    await(RESULTS_MOMENT_STARTING);
    frames = -8;
    // Its end is told of in any case.
    if (announced) survive_tell(false);
    survive_tell(true);
    return unused;
}

// HotSpot tells of no thread that begins in VMInit or, from 26 on, right before VMDeath.
Test(survive, frames_before_a_thread_start_that_does_not_come_are_allowed_and_counted) {
    begin(answer);
    frames = 1;
    in_thread(begin_with_frames);
    cr_expect_geq(agent.run->survive_early, 3);
    // A thread that is kept from a processor for long is a service thread by then.
    cr_expect_eq(agent.run->survive_early, agent.run->survive[RESULTS_MOMENT_STARTING].frames +
                                               agent.run->survive[RESULTS_MOMENT_SERVICE].frames);
    cr_expect_eq(layer()->answered, layer()->verdict[ORACLE_AGREE]);
    cr_expect_eq(results_mismatched(layer()), 0);
    cr_expect_eq(agent.run->survive_error_count, 0);
}

Test(survive, frames_before_thread_start_are_invented) {
    begin(answer);
    frames = 1;
    announced = 1;
    in_thread(begin_with_frames);
    cr_expect_eq(agent.run->survive_early, 0, "ThreadStart came");
    cr_expect_eq(layer()->answered,
                 layer()->verdict[ORACLE_AGREE] + layer()->verdict[ORACLE_PHANTOM]);
    const struct results_survive* starting = &agent.run->survive[RESULTS_MOMENT_STARTING];
    const struct results_survive_error* first = &agent.run->survive_errors[0];
    cr_expect_geq(starting->impossible, 3);
    cr_expect_eq(starting->impossible, layer()->verdict[ORACLE_PHANTOM]);
    cr_expect_eq(layer()->cause[RESULTS_UNEXPLAINED], starting->impossible);
    cr_expect_eq(agent.run->survive_error_count, starting->impossible);
    cr_expect(first->ready);
    cr_expect_eq(first->verdict, ORACLE_PHANTOM);
    cr_expect_eq(first->moment, RESULTS_MOMENT_STARTING);
    cr_expect_eq(first->count, 1);
    cr_expect_neq(first->asked_at, 0);
    cr_expect_eq(first->died_at, 0);
}

static void* grow_old_with_frames(void* unused) {
    known = 1;
    life_begin(true);
    const uint64_t* answered = &agent.run->survive[RESULTS_MOMENT_SERVICE].answered;
    while (__atomic_load_n(answered, __ATOMIC_RELAXED) < 3) life.begun_ns = 1;
    frames = -8;
    survive_tell(false);
    return unused;
}

Test(survive, so_are_those_of_a_thread_whose_thread_start_is_late) {
    begin(answer);
    frames = 1;
    in_thread(grow_old_with_frames);
    cr_expect_eq(agent.run->survive_early, 0);
    cr_expect_geq(results_mismatched(layer()), 3);
    cr_expect_eq(results_mismatched(layer()),
                 agent.run->survive[RESULTS_MOMENT_SERVICE].frames +
                     agent.run->survive[RESULTS_MOMENT_STARTING].frames);
    cr_expect_eq(agent.run->survive_errors[0].moment, RESULTS_MOMENT_SERVICE);
}

static void* run_on(void* unused) {
    known = 1;
    life_begin(true);
    survive_tell(false);
    await(RESULTS_MOMENT_RUNNING);
    return unused;
}

Test(survive, more_frames_than_there_was_room_for_cannot_be) {
    begin(answer);
    frames = 1 << 20;
    in_thread(run_on);
    cr_expect_geq(agent.run->survive[RESULTS_MOMENT_RUNNING].impossible, 3);
}

static void* stay_new(void* unused) {
    life_begin(true);
    await(RESULTS_MOMENT_NEW);
    return unused;
}

Test(survive, a_thread_goes_on_behind_a_walker_that_died) {
    begin(trust);
    in_thread(stay_new);
    const struct results_survive* new = &agent.run->survive[RESULTS_MOMENT_NEW];
    cr_expect_geq(new->died, 2);
    cr_expect_eq(new->answered, 0);
    cr_expect_eq(new->died, new->asked);
    cr_expect_eq(layer()->verdict[ORACLE_DIED], new->died);
    cr_expect_neq(agent.run->survive_errors[0].died_at, 0);
    cr_expect_eq(agent.run->lives_ended, 1);
}

Test(survive, a_thread_leaves_a_walker_that_hangs) {
    begin(answer);
    walker_under_test.function = (void (*)(void))hang_once;
    in_thread(run_on);
    cr_expect_eq(layer()->verdict[ORACLE_HUNG], 1);
    cr_expect_eq(layer()->answered, layer()->asked - 1);
    cr_expect_gt(agent.run->survive[RESULTS_MOMENT_RUNNING].answered, 0);
    cr_expect_eq(agent.run->survive_errors[0].verdict, ORACLE_HUNG);
}

Test(survive, a_thread_leaves_a_walker_that_waits_for_ever) {
    begin(wait_long_once);
    in_thread(run_on);
    cr_expect_eq(layer()->verdict[ORACLE_HUNG], 1);
    cr_expect_eq(layer()->answered, layer()->asked - 1);
}

// Time passes on the clock of the timers while a process is stopped.
Test(survive, a_walker_that_was_stopped_with_its_process_does_not_hang) {
    begin(be_stopped_once);
    in_thread(run_on);
    cr_expect_eq(layer()->verdict[ORACLE_HUNG], 0);
    cr_expect_eq(layer()->answered, layer()->asked);
}

static void* mute(void* unused) {
    life_begin(true);
    await(RESULTS_MOMENT_NEW);
    survive_mute();
    int before = calls;
    for (uint64_t end = agent_now_ns() + 20 * MS; agent_now_ns() < end;) continue;
    cr_expect_eq(calls, before);
    survive_tell(false); // of a thread that nobody asks
    return unused;
}

Test(survive, a_thread_of_the_agents_own_is_left_alone) {
    begin(answer);
    in_thread(mute);
    cr_expect_eq(agent.run->survive[RESULTS_MOMENT_RUNNING].asked, 0);
    cr_expect_eq(agent.run->lives_ended, 1);
}

Test(survive, does_nothing_where_the_layer_is_off) {
    static const struct jvmtiInterface_1_ jvmti = {.GetThreadInfo = fake_get_thread_info};
    agent.methods = oracle_methods_open();
    thread = fake_thread_begin(&jvmti);
    agent.options.layers &= ~(1u << ORACLE_LAYER_SURVIVE);
    cr_expect_eq(survive_open(), 0);
    cr_expect_eq(agent.options.survive_signal, 0);
    cr_expect_eq(survive_start(), 0);
    life_begin(true);
    cr_expect_eq(agent.run->lives, 0);
}
