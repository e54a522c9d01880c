// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Spoiled contexts: what is changed, and that a thread comes out of a walker that dies or hangs.
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/code/code.h"
#include "agent/judge/judge.h"
#include "agent/state/state.h"
#include "agent/walker/walker.h"
#include "fakejvm.h"
#include "parts.h"

static struct agent_thread* thread;
static volatile int calls;

// ---- Changes ------------------------------------------------------------------------------------

static void fill(ucontext_t* context) {
    memset(context, 0, sizeof *context);
    machine_set_pc(context, 0x10000);
    machine_set_sp(context, 0x20000);
    machine_set_fp(context, 0x30000);
}

static bool is_near(uintptr_t value, uintptr_t old, uintptr_t most, uintptr_t unit) {
    uintptr_t distance = value > old ? value - old : old - value;
    return distance != 0 && distance <= most && distance % unit == 0;
}

Test(spoil, a_little_is_one_to_sixteen_bytes_of_pc_and_words_of_the_others) {
    struct agent_thread none = {.stack_low = 0};
    uint64_t random = random_seed(1, 1);
    ucontext_t context;
    int64_t by;
    for (int i = 0; i < 1000; i++) {
        fill(&context);
        cr_assert(spoil(&none, RESULTS_CHANGE_PC_NEAR, &random, &context, &by));
        cr_assert(is_near(machine_pc(&context), 0x10000, 16, 1));
        cr_assert_eq(by, (int64_t)(machine_pc(&context) - 0x10000));
        cr_assert_eq(machine_sp(&context), 0x20000);
        cr_assert_eq(machine_fp(&context), 0x30000);
        cr_assert(spoil(&none, RESULTS_CHANGE_SP_NEAR, &random, &context, &by));
        cr_assert(is_near(machine_sp(&context), 0x20000, 128, 8));
        cr_assert_eq(by, (int64_t)(machine_sp(&context) - 0x20000));
        cr_assert_eq(machine_fp(&context), 0x30000);
        cr_assert(spoil(&none, RESULTS_CHANGE_FP_NEAR, &random, &context, &by));
        cr_assert(is_near(machine_fp(&context), 0x30000, 128, 8));
        fill(&context);
        cr_assert(spoil(&none, RESULTS_CHANGE_ALL_NEAR, &random, &context, &by));
        cr_assert(is_near(machine_pc(&context), 0x10000, 16, 1));
        cr_assert(is_near(machine_sp(&context), 0x20000, 128, 8));
        cr_assert(is_near(machine_fp(&context), 0x30000, 128, 8));
    }
}

Test(spoil, a_seed_repeats_the_choices) {
    struct agent_thread none = {.stack_low = 0};
    ucontext_t a, b;
    int64_t by;
    uint64_t one = random_seed(7, 1), same = random_seed(7, 1), other = random_seed(8, 1);
    fill(&a);
    fill(&b);
    cr_assert(spoil(&none, RESULTS_CHANGE_ALL_WILD, &one, &a, &by));
    cr_assert(spoil(&none, RESULTS_CHANGE_ALL_WILD, &same, &b, &by));
    cr_expect_eq(machine_pc(&a), machine_pc(&b));
    cr_expect_eq(machine_sp(&a), machine_sp(&b));
    cr_expect_eq(machine_fp(&a), machine_fp(&b));
    int differ = 0;
    for (int i = 0; i < 16; i++) {
        spoil(&none, RESULTS_CHANGE_PC_WILD, &one, &a, &by);
        spoil(&none, RESULTS_CHANGE_PC_WILD, &other, &b, &by);
        differ += machine_pc(&a) != machine_pc(&b);
    }
    cr_expect(differ > 8);
}

// No code cache was found, no stack is known, no other thread is there.
Test(spoil, what_there_is_no_place_for_changes_nothing) {
    struct agent_thread none = {.stack_low = 0};
    uint64_t random = random_seed(1, 1);
    ucontext_t context, before;
    int64_t by;
    static const enum results_change placeless[] = {
        RESULTS_CHANGE_PC_ENTRY, RESULTS_CHANGE_PC_CODE, RESULTS_CHANGE_PC_STUB,
        RESULTS_CHANGE_PC_HOLE,  RESULTS_CHANGE_SP_FAR,  RESULTS_CHANGE_SP_OTHER,
        RESULTS_CHANGE_SP_GUARD, RESULTS_CHANGE_FP_FAR,  RESULTS_CHANGE_FP_OTHER,
        RESULTS_CHANGE_FP_GUARD};
    fill(&before);
    for (size_t i = 0; i < sizeof placeless / sizeof placeless[0]; i++) {
        fill(&context);
        cr_expect_not(spoil(&none, placeless[i], &random, &context, &by), "%s",
                      results_change_text(placeless[i]));
        cr_expect_eq(memcmp(&context, &before, sizeof before), 0);
    }
}

Test(spoil, the_lowest_pages_are_those_of_the_threads_own_stack) {
    struct agent_thread t = {.stack_low = 0x7000000};
    uint64_t random = random_seed(1, 1);
    ucontext_t context;
    int64_t by;
    for (int i = 0; i < 1000; i++) {
        fill(&context);
        cr_assert(spoil(&t, RESULTS_CHANGE_SP_GUARD, &random, &context, &by));
        cr_assert(machine_sp(&context) >= 0x7000000 && machine_sp(&context) < 0x7010000);
        cr_assert(spoil(&t, RESULTS_CHANGE_FP_GUARD, &random, &context, &by));
        cr_assert(machine_fp(&context) >= 0x7000000 && machine_fp(&context) < 0x7010000);
    }
}

// ---- A walker that does not come back -----------------------------------------------------------

struct raw_trace {
    void* env;
    int32_t count;
    void* frames;
};

static void survive(struct raw_trace* trace, int32_t depth, void* ucontext) {
    (void)depth, (void)ucontext;
    calls++;
    trace->count = calls % 2;
}

// Believes the stack pointer, as a walker must not. It may be null, or lead into a red zone.
static __attribute__((no_sanitize("address", "undefined"))) void
trust(struct raw_trace* trace, int32_t depth, void* ucontext) {
    (void)depth;
    calls++;
    trace->count = *(const volatile char*)machine_sp(ucontext) == 0;
}

static void hang(struct raw_trace* trace, int32_t depth, void* ucontext) {
    (void)trace, (void)depth, (void)ucontext;
    if (calls++ % 2 == 0)
        for (volatile uint64_t turns = 0;; turns++) continue;
}

static void begin(void (*walker)(struct raw_trace*, int32_t, void*)) {
    static const struct jvmtiInterface_1_ jvmti = {.GetThreadInfo = fake_get_thread_info,
                                                   .GetStackTrace = fake_get_stack_trace,
                                                   .Deallocate = fake_deallocate};
    agent.methods = oracle_methods_open();
    thread = fake_thread_begin(&jvmti);
    cr_assert_not_null(thread);
    thread->hostile_random = random_seed(1, 1); // not by the thread's id: seven of 16 hang
    walker_under_test.function = (void (*)(void))walker;
    agent.options.layers |= 1u << ORACLE_LAYER_HOSTILE;
    agent.options.hostile = 500;
    agent.options.rescue = true;
    cr_assert_eq(hostile_start(), 0);
    cr_assert_not_null(sample_hostile);
}

// A slot lives as long as the agent, in memory that no leak checker looks into.
static void close_thread(void) {
    oracle_stack_free(&thread->stack);
}

TestSuite(hostile, .fini = close_thread);

static void ask(void) {
    ucontext_t context;
    cr_assert_eq(getcontext(&context), 0);
    sample_hostile(thread, &context);
}

static struct results_hostile sum(void) {
    struct results_hostile all = {0};
    for (int c = 0; c < RESULTS_CHANGE_COUNT; c++) {
        const struct results_hostile* h = &agent.run->hostile[c];
        all.asked += h->asked;
        all.answered += h->answered;
        all.frames += h->frames;
        all.died += h->died;
        all.hung += h->hung;
    }
    return all;
}

Test(hostile, a_walker_that_comes_back_has_survived_with_or_without_frames) {
    begin(survive);
    ask();
    const struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_HOSTILE];
    struct results_hostile all = sum();
    cr_expect(all.asked > 100);
    cr_expect_eq(all.asked, (uint64_t)calls);
    cr_expect_eq(all.answered, all.asked);
    cr_expect_eq(all.frames, (all.asked + 1) / 2);
    cr_expect_eq(layer->verdict[ORACLE_AGREE], all.asked);
    cr_expect_eq(layer->asked, all.asked);
    cr_expect_eq(results_mismatched(layer), 0);
    cr_expect_eq(agent.run->hostile[RESULTS_CHANGE_NONE].asked, 0);
}

Test(hostile, a_thread_goes_on_behind_a_walker_that_died) {
    begin(trust);
    for (int i = 0; i < 10; i++) ask();
    const struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_HOSTILE];
    struct results_hostile all = sum();
    const struct results_hostile* wild = &agent.run->hostile[RESULTS_CHANGE_SP_WILD];
    cr_expect(wild->died > 10);
    cr_expect_eq(agent.run->hostile[RESULTS_CHANGE_PC_WILD].died, 0);
    cr_expect_eq(agent.run->hostile[RESULTS_CHANGE_FP_WILD].died, 0);
    cr_expect_eq(all.asked, all.answered + all.died);
    cr_expect_eq(layer->verdict[ORACLE_DIED], all.died);
    cr_expect_eq(layer->cause[RESULTS_UNEXPLAINED], all.died);
    cr_expect_eq(calls, (int)(all.asked + all.died), "an honest question follows each death");
    cr_expect_eq(thread->rescue.question, 0);
    cr_expect_eq(thread->now->in_walker, 0);
}

// The JVM's handler, which the agent finds by its name. On demand it faults, as where it reads a
// spoiled context.
static bool jvm_falls;
static const volatile char* volatile nowhere;
static volatile int jvm_asked;
int JVM_handle_linux_signal(int signal, siginfo_t* info, void* ucontext, int abort_otherwise);
__attribute__((no_sanitize("address", "undefined"), visibility("default"))) int
JVM_handle_linux_signal(int signal, siginfo_t* info, void* ucontext, int abort_otherwise) {
    (void)signal, (void)info, (void)ucontext, (void)abort_otherwise;
    jvm_asked++;
    return jvm_falls ? *nowhere : 0;
}

Test(hostile, a_thread_goes_on_where_the_jvms_own_handler_falls_over_the_context) {
    jvm_falls = true;
    begin(trust);
    for (int i = 0; i < 10; i++) ask();
    struct results_hostile all = sum();
    cr_expect(jvm_asked > 10);
    cr_expect(agent.run->hostile[RESULTS_CHANGE_SP_WILD].died > 10);
    cr_expect_eq(all.asked, all.answered + all.died);
    cr_expect_eq(calls, (int)(all.asked + all.died), "an honest question follows each death");
    cr_expect_eq(thread->rescue.question, 0);
    cr_expect_null(thread->rescue.fault);
}

static void* look(void* unused) {
    for (;;) {
        usleep(20000);
        thread->cpu_ns += 600000000;
        hostile_look(thread);
    }
    return unused;
}

static void expect_led_out(void) {
    pthread_t house;
    begin(hang);
    agent.options.hostile = 4;
    cr_assert_eq(pthread_create(&house, NULL, look, NULL), 0);
    for (int i = 0; i < 4; i++) ask();
    struct results_hostile all = sum();
    cr_expect(all.hung > 2);
    cr_expect_eq(all.asked, all.answered + all.hung);
    cr_expect_eq(agent.run->layers[ORACLE_LAYER_HOSTILE].verdict[ORACLE_HUNG], all.hung);
}

Test(hostile, a_thread_is_led_out_of_a_walker_that_hangs, .timeout = 60) {
    expect_led_out();
}

// ---- In another thread --------------------------------------------------------------------------

static void walk_elsewhere(void) {
    walker_under_test.description.other_thread = true;
    cr_assert_eq(walker_start(&walker_under_test), 0);
}

Test(hostile, another_thread_is_led_out_of_a_walker_that_hangs, .timeout = 60) {
    walk_elsewhere();
    expect_led_out();
}

Test(hostile, another_thread_goes_on_behind_a_walker_that_died) {
    walk_elsewhere();
    begin(trust);
    for (int i = 0; i < 10; i++) ask();
    struct results_hostile all = sum();
    cr_expect(all.died > 10);
    cr_expect_eq(all.asked, all.answered + all.died);
    cr_expect_eq(calls, (int)(all.asked + all.died), "an honest question follows each death");
    cr_expect_eq(thread->rescue.question, 0);
}

static volatile int given_on;
static void count_and_leave(int signal, siginfo_t* info, void* ucontext) {
    (void)signal, (void)info, (void)ucontext;
    given_on++;
}

Test(hostile, a_signal_outside_the_questions_is_the_jvms) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = count_and_leave;
    action.sa_flags = SA_SIGINFO;
    cr_assert_eq(sigaction(SIGSEGV, &action, NULL), 0);
    begin(survive);
    raise(SIGSEGV);
    cr_expect_eq(given_on, 1);
    cr_expect_eq(sum().died, 0);
}
