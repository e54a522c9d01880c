// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Virtual threads without a JVM: what the events do, and what a handler makes of a thread in each
// state. Traces are written youngest first,
// a letter a frame: a to y instrumented methods, numbered from 1, . any other, | and ! the frames
// of Continuation.enterSpecial and Continuation.run.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <criterion/criterion.h>

#include "parts.h"
#include "fakejvm.h"
#include "agent/classes/classes.h"
#include "judge.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "agent/walker/walker.h"

#define DEPTH 16

static uint32_t number_of(char c) {
    return (uint32_t)(c - 'a') + 1;
}

// ---- A JVM, as far as events need one -----------------------------------------------------------

static void* storage; // of the virtual thread that is mounted
static bool storage_refused;
static jvmtiExtensionEvent on_mount, on_unmount;
static union mounts_events callbacks;

typedef void(JNICALL* thread_event)(jvmtiEnv*, JNIEnv*, jthread);

static jvmtiError JNICALL get_storage(jvmtiEnv* env, jthread thread, void** data) {
    (void)env;
    cr_expect_null(thread, "by name the JVM may have to wait");
    *data = storage;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_storage(jvmtiEnv* env, jthread thread, const void* data) {
    (void)env, (void)thread;
    if (storage_refused) return JVMTI_ERROR_OUT_OF_MEMORY;
    memcpy(&storage, &data, sizeof storage);
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_extension_events(jvmtiEnv* env, jint* count,
                                               jvmtiExtensionEventInfo** events) {
    static jvmtiExtensionEventInfo all[] = {
        {.extension_event_index = 40, .id = (char*)(uintptr_t) "another"},
        {.extension_event_index = 41,
         .id = (char*)(uintptr_t) "com.sun.hotspot.events.VirtualThreadUnmount"},
        {.extension_event_index = 42,
         .id = (char*)(uintptr_t) "com.sun.hotspot.events.VirtualThreadMount"}};
    (void)env;
    *count = 3;
    *events = all;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_extension_callback(jvmtiEnv* env, jint index,
                                                 jvmtiExtensionEvent callback) {
    (void)env;
    if (index == 41) on_unmount = callback;
    if (index == 42) on_mount = callback;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_notification(jvmtiEnv* env, jvmtiEventMode mode, jvmtiEvent event,
                                           jthread thread, ...) {
    (void)env, (void)mode, (void)event, (void)thread;
    return JVMTI_ERROR_NONE;
}

static void JNICALL drop_ref(JNIEnv* env, jobject object) {
    (void)env, (void)object;
}

static jclass JNICALL find_class(JNIEnv* env, const char* name) {
    (void)env, (void)name;
    static int class;
    return (jclass)(void*)&class;
}

static jmethodID JNICALL get_static_method(JNIEnv* env, jclass klass, const char* name,
                                           const char* descriptor) {
    (void)env, (void)klass, (void)descriptor;
    return strcmp(name, "enterSpecial") == 0 ? (jmethodID)fake_id('|') : NULL;
}

static jmethodID JNICALL get_method(JNIEnv* env, jclass klass, const char* name,
                                    const char* descriptor) {
    (void)env, (void)klass, (void)descriptor;
    return strcmp(name, "run") == 0 ? (jmethodID)fake_id('!') : NULL;
}

static void JNICALL clear_exception(JNIEnv* env) {
    (void)env;
}

static struct jvmtiInterface_1_ jvmti = {.GetStackTrace = fake_get_stack_trace,
                                         .GetThreadLocalStorage = get_storage,
                                         .SetThreadLocalStorage = set_storage,
                                         .GetThreadInfo = fake_get_thread_info,
                                         .GetExtensionEvents = get_extension_events,
                                         .SetExtensionEventCallback = set_extension_callback,
                                         .SetEventNotificationMode = set_notification,
                                         .Deallocate = fake_deallocate};
static jvmtiEnv jvmti_env = &jvmti;
static const struct JNINativeInterface_ jni = {.NewGlobalRef = fake_global_ref,
                                               .DeleteGlobalRef = drop_ref,
                                               .DeleteLocalRef = drop_ref,
                                               .FindClass = find_class,
                                               .GetStaticMethodID = get_static_method,
                                               .GetMethodID = get_method,
                                               .ExceptionClear = clear_exception};
static JNIEnv jni_env = &jni;

static void open_methods(void) {
    static const struct oracle_code code = {.length = 100};
    agent.methods = oracle_methods_open();
    cr_assert(agent.methods != NULL && names_open() == 0);
    for (char c = 'a'; c <= 'y'; c++) {
        oracle_methods_bind(agent.methods, fake_id(c), number_of(c));
        oracle_methods_describe(agent.methods, number_of(c), &code);
    }
    oracle_methods_bind(agent.methods, fake_id('.'), ORACLE_FOREIGN);
}

static struct agent_thread* slots[2];

// A slot lives as long as the agent, in memory that no leak checker looks into.
static void close_agent(void) {
    thread_end(&jni_env);
    for (int i = 0; i < 2; i++)
        if (slots[i] != NULL) oracle_stack_free(&slots[i]->stack);
    oracle_methods_close(agent.methods);
    free(agent.run);
}

// The calling thread is registered, and the agent watches virtual threads.
static void open_agent(void) {
    agent.jvmti = &jvmti_env;
    agent.options.depth = DEPTH;
    agent.options.layers = 1u << ORACLE_LAYER_ASYNC;
    agent.options.source = AGENT_SOURCE_RANDOM;
    agent.options.scope = AGENT_SCOPE_APP;
    agent.options.signal = SIGPROF;
    agent.run = calloc(1, sizeof *agent.run);
    cr_assert_not_null(agent.run);
    open_methods();
    fake_walker_open();
    cr_assert_not_null(slots[0] = thread_begin(&jni_env, NULL, 0));
    agent.release = 25; // from here on: there is no class to ask for the thread's
    cr_assert_eq(mounts_watch(), 0);
    virtual_learn(&jni_env);
    static const jvmtiEventCallbacks none;
    cr_assert_eq(mounts_callbacks(&none, &callbacks), (jint)sizeof callbacks);
    cr_assert_eq(sample_install(), 0);
    sample_begin();
}

TestSuite(events, .init = open_agent, .fini = close_agent);

static void post(int event) {
    ((thread_event)callbacks.all[event - JVMTI_MIN_EVENT_TYPE_VAL])(&jvmti_env, &jni_env, NULL);
}

static void start(void) {
    storage = NULL;
    post(VIRTUAL_THREAD_START);
}

static void mount(void* mounted) {
    storage = mounted;
    on_mount(&jvmti_env, &jni_env, NULL);
}

static void unmount(void) {
    on_unmount(&jvmti_env, &jni_env, NULL);
}

static void push(char c) {
    cr_assert_not_null(thread_current);
    oracle_push(&thread_current->stack, number_of(c), 1);
}

// ---- Events -----------------------------------------------------------------------------------

Test(events, pushes_change_something_only_between_mount_and_unmount) {
    start();
    mount(storage);
    cr_expect_not_null(thread_current);
    unmount();
    cr_expect_null(thread_current);
    cr_expect_not_null(thread_self());
    cr_expect_null(thread_adopt(&jni_env), "a carrier's pushes register nobody");
}

Test(events, a_stack_is_taken_at_the_start_and_given_back_at_the_end) {
    start();
    void* first = storage;
    mount(first);
    push('a');
    unmount();
    post(VIRTUAL_THREAD_END);
    cr_expect_null(storage);
    start();
    cr_expect_eq(storage, first);
    mount(storage);
    cr_expect_eq(oracle_top(&thread_current->stack), 0);
    cr_expect_eq(agent.run->virtual_threads, 2);
    cr_expect_eq(agent.run->virtual_lost, 0);
}

Test(events, a_stack_that_is_mounted_is_not_given_back) {
    start();
    void* first = storage;
    mount(first);
    post(VIRTUAL_THREAD_END); // the unmount was not told
    start();
    cr_expect_neq(storage, first);
}

Test(events, what_counts_without_a_stack_is_that_there_is_none) {
    storage_refused = true;
    start();
    mount(storage);
    cr_expect_eq(agent.run->virtual_lost, 1);
    cr_expect_null(thread_current);
    cr_expect_eq(thread_self()->mount, MOUNT_LOST);
    unmount();
    post(VIRTUAL_THREAD_END);
    cr_expect_eq(thread_self()->mount, MOUNT_AWAY);
}

static void* carry_on(void* mounted) {
    cr_assert_not_null(slots[1] = thread_begin(&jni_env, NULL, 0));
    mount(mounted);
    cr_assert_not_null(thread_current);
    cr_expect(oracle_pop(&thread_current->stack, number_of('b')));
    push('c');
    unmount();
    thread_end(&jni_env);
    cr_expect_null(thread_self(), "nobody's slot is found by a thread that has ended");
    return NULL;
}

Test(events, a_virtual_thread_takes_its_stack_to_another_carrier) {
    pthread_t other;
    start();
    void* one = storage;
    mount(one);
    push('a');
    push('b');
    unmount();
    agent.release = 17; // where no carrier is known by its class
    cr_assert_eq(pthread_create(&other, NULL, carry_on, one), 0);
    cr_assert_eq(pthread_join(other, NULL), 0);
    mount(one);
    cr_expect(oracle_pop(&thread_current->stack, number_of('c')));
    cr_expect(oracle_pop(&thread_current->stack, number_of('a')));
    cr_expect_eq(thread_current->stack.misfit, 0);
}

Test(events, a_lost_unmount_loses_no_frames) {
    start();
    void* one = storage;
    start();
    void* two = storage;
    mount(one);
    push('a');
    mount(two);
    push('b');
    unmount();
    mount(one);
    cr_expect(oracle_pop(&thread_current->stack, number_of('a')));
}

// ---- Samples ----------------------------------------------------------------------------------

static void sample(const char* trace) {
    fake_walker_text = trace;
    thread_self()->quiet_until_ns = 0;
    thread_self()->sent_ns = 1;
    raise(SIGPROF);
}

// What the walker is from now on; it may call the fake one.
static void (*fake_walker)(void* trace, int32_t depth, void* context);

static void walk_by(void (*walker)(void*, int32_t, void*)) {
    fake_walker = (void (*)(void*, int32_t, void*))walker_under_test.function;
    walker_under_test.function = (void (*)(void))walker;
}

static uint64_t verdicts(enum oracle_verdict verdict) {
    return agent.run->layers[ORACLE_LAYER_ASYNC].verdict[verdict];
}

static uint64_t undecided(enum results_undecided reason) {
    return agent.run->layers[ORACLE_LAYER_ASYNC].undecided[reason];
}

Test(events, where_signals_alone_are_timed_no_walker_is_asked) {
    agent.options.bench = AGENT_BENCH_SIGNALS;
    sample("a");
    cr_expect_eq(thread_self()->sent_ns, 0, "the signal came");
    cr_expect_eq(agent.run->layers[ORACLE_LAYER_ASYNC].answered, 0);
    agent.options.bench = AGENT_BENCH_NONE;
    sample("a");
    cr_expect_eq(agent.run->layers[ORACLE_LAYER_ASYNC].answered, 1);
}

Test(events, a_sample_is_judged_by_the_stack_of_the_virtual_thread_that_is_mounted) {
    start();
    void* one = storage;
    start();
    void* two = storage;
    mount(one);
    push('a');
    unmount();
    mount(two);
    push('b');
    sample("b..|!x");
    cr_expect_eq(verdicts(ORACLE_AGREE), 1);
    sample("a..|!x");
    cr_expect_eq(verdicts(ORACLE_AGREE), 1);
    cr_expect_eq(agent.run->virtual_judged, 2);
    cr_expect_eq(agent.run->virtual_mismatched, 1);
}

Test(events, a_sample_between_mounts_is_undecided_for_that_reason) {
    start();
    mount(storage);
    push('a');
    unmount();
    sample("a..");
    sample("");
    cr_expect_eq(undecided(RESULTS_UNDECIDED_UNMOUNTED), 1);
    cr_expect_eq(verdicts(ORACLE_UNDECIDED), 1);
    cr_expect_eq(verdicts(ORACLE_REFUSED), 1);
    cr_expect_eq(results_judged(&agent.run->layers[ORACLE_LAYER_ASYNC]), 0);
    cr_expect_eq(agent.run->virtual_judged, 0);
}

Test(events, a_sample_of_a_virtual_thread_without_a_stack_is_undecided_for_that_reason) {
    storage_refused = true;
    start();
    mount(storage);
    sample("a..");
    cr_expect_eq(undecided(RESULTS_UNDECIDED_LOST), 1);
    cr_expect_eq(undecided(RESULTS_UNDECIDED_UNMOUNTED), 0);
}

Test(events, blame_is_settled_before_the_unmount) {
    start();
    mount(storage);
    push('a');
    push('b');
    fake_gst_text = "ba..";
    sample("b");
    cr_expect_eq(verdicts(ORACLE_TRUNCATED), 1);
    unmount();
    cr_expect_eq(fake_gst_asked, 1);
    cr_expect_eq(thread_self()->accused_count, 0);
    cr_expect_eq(verdicts(ORACLE_TRUNCATED), 1, "the walker's mistake");
    cr_expect_eq(agent.run->virtual_mismatched, 1);
}

Test(events, what_the_trace_stack_had_wrong_is_taken_back_at_the_unmount) {
    start();
    mount(storage);
    push('a');
    push('b');
    fake_gst_text = "b..";
    sample("b");
    unmount();
    cr_expect_eq(verdicts(ORACLE_TRUNCATED), 0);
    cr_expect_eq(undecided(RESULTS_UNDECIDED_BLAME), 1);
    cr_expect_eq(agent.run->virtual_judged, 0);
    cr_expect_eq(agent.run->virtual_mismatched, 0);
}

// ---- Time that answers take ---------------------------------------------------------------------

static void be_stopped(void* trace, int32_t depth, void* context) {
    const struct timespec rest = {1, 500000000};
    fake_walker(trace, depth, context);
    nanosleep(&rest, NULL);
}

Test(events, a_thread_that_was_stopped_in_its_handler_is_quiet_for_a_second_at_most) {
    struct agent_thread* t = thread_self();
    walk_by(be_stopped);
    sample("a");
    cr_expect_gt(t->quiet_until_ns, 0);
    cr_expect_leq(t->quiet_until_ns, agent_now_ns() + 1000000000u);
}

Test(events, what_an_instant_cost_is_a_second_at_most) {
    ucontext_t context;
    memset(&context, 0, sizeof context);
    fake_walker_text = "a";
    uint64_t now = agent_now_ns();
    sample_instant(&context, now - 600000000010u, now - 600000000000u);
    cr_expect_eq(thread_self()->instant_cost_ns, 1000000000u);
}

// ---- Before the first push ----------------------------------------------------------------------

Test(events, refusals_before_the_launcher_pushes_are_in_no_layer) {
    thread_self()->launched = true;
    sample("");
    cr_expect_eq(agent.run->launching, 1);
    cr_expect_eq(verdicts(ORACLE_REFUSED), 0);
    push('a');
    sample("");
    cr_expect_eq(agent.run->launching, 1);
    cr_expect_eq(verdicts(ORACLE_REFUSED), 1);
}

// ---- Source wall --------------------------------------------------------------------------------

static uint64_t waited(enum oracle_verdict verdict) {
    return agent.run->waiting[ORACLE_LAYER_ASYNC].verdict[verdict];
}

static void accuse_a_waiting_thread(const char* gst) {
    start();
    mount(storage);
    push('a');
    push('b');
    thread_self()->picked_waits = true;
    fake_gst_text = gst;
    sample("b");
}

Test(events, samples_of_threads_that_wait_are_counted_apart_too) {
    start();
    mount(storage);
    push('a');
    sample("a..");
    thread_self()->picked_waits = true;
    sample("a..");
    sample("");
    cr_expect_eq(verdicts(ORACLE_AGREE), 2);
    cr_expect_eq(waited(ORACLE_AGREE), 1);
    cr_expect_eq(verdicts(ORACLE_REFUSED), 1);
    cr_expect_eq(waited(ORACLE_REFUSED), 1);
    cr_expect_eq(agent.run->waiting[ORACLE_LAYER_ASYNC].answered, 2);
    cr_expect_eq(agent.run->waiting[ORACLE_LAYER_ASYNC].refused[ORACLE_REFUSAL_NO_JAVA_FRAME], 1);
}

Test(events, what_was_held_against_a_waiting_walk_has_its_cause) {
    accuse_a_waiting_thread("ba..");
    unmount();
    cr_expect_eq(waited(ORACLE_TRUNCATED), 1);
    cr_expect_eq(agent.run->waiting[ORACLE_LAYER_ASYNC].cause[RESULTS_UNEXPLAINED], 1);
}

Test(events, what_was_held_against_a_waiting_walk_is_taken_back) {
    accuse_a_waiting_thread("b..");
    unmount();
    cr_expect_eq(waited(ORACLE_TRUNCATED), 0);
    cr_expect_eq(waited(ORACLE_UNDECIDED), 1);
    cr_expect_eq(agent.run->waiting[ORACLE_LAYER_ASYNC].cause[RESULTS_UNEXPLAINED], 0);
}

// The sampler may pick a thread anew as soon as its signal has come.
static void pick_again(void* trace, int32_t depth, void* context) {
    uint64_t random = random_seed(1, 1);
    fake_walker(trace, depth, context);
    thread_self()->running = true;
    struct agent_thread* t = thread_pick_any(&random);
    cr_assert_eq(t, thread_self());
    thread_unpin(t);
}

Test(events, a_thread_that_is_picked_while_it_is_judged_waits_as_before) {
    start();
    mount(storage);
    push('a');
    walk_by(pick_again);
    thread_self()->picked_waits = true;
    sample("a..");
    cr_expect_eq(waited(ORACLE_AGREE), 1);
    sample("a..");
    cr_expect_eq(verdicts(ORACLE_AGREE), 2);
    cr_expect_eq(waited(ORACLE_AGREE), 1, "it runs by now");
}

Test(events, nobody_is_asked_at_an_unmount_without_accusations) {
    start();
    mount(storage);
    push('a');
    sample("a.");
    unmount();
    cr_expect_eq(fake_gst_asked, 0);
}

// A thread of a scheduler that is not the JDK's is not known before its first mount ends.
Test(events, what_was_judged_in_a_first_mount_is_taken_back) {
    push('a');
    fake_gst_text = "a.";
    sample("b.");
    cr_expect_eq(results_judged(&agent.run->layers[ORACLE_LAYER_ASYNC]), 1);
    start();
    mount(storage);
    cr_expect_eq(results_judged(&agent.run->layers[ORACLE_LAYER_ASYNC]), 0);
    cr_expect_eq(undecided(RESULTS_UNDECIDED_BLAME), 1);
    cr_expect_eq(agent.run->virtual_judged, 0);
}

Test(events, a_check_is_not_made_because_of_a_sample_in_a_check) {
    start();
    mount(storage);
    push('a');
    thread_current->in_check = true;
    sample("b.");
    cr_expect_eq(thread_current->accused_count, 0);
    thread_current->in_check = false;
    sample("b.");
    cr_expect_eq(thread_current->accused_count, 1);
}

// The thread enters the profiler's handler so long after the last answer, and the answer is known
// to have cost so much. Returns whether it was judged.
static bool judges_instant(uint64_t later_ns, uint64_t cost_ns) {
    ucontext_t context;
    struct agent_thread* t = thread_self();
    uint64_t crowded = agent.run->instants_crowded, agreed = verdicts(ORACLE_AGREE);
    memset(&context, 0, sizeof context);
    fake_walker_text = "a..|!x";
    t->instant_end_ns = agent_now_ns();
    t->instant_cost_ns = cost_ns;
    uint64_t begin = t->instant_end_ns + later_ns;
    sample_instant(&context, begin, begin + 10);
    cr_expect_neq(t->instant_cost_ns, cost_ns, "what the answer cost is known anew");
    bool judged = verdicts(ORACLE_AGREE) == agreed + 1;
    cr_expect_eq(agent.run->instants_crowded, crowded + !judged);
    return judged;
}

Test(events, an_instant_that_follows_a_long_answer_at_once_is_not_judged) {
    start();
    mount(storage);
    push('a');
    cr_expect(judges_instant(0, 0), "the first");
    cr_expect(judges_instant(1000000000000, 8000000000000), "an eighth of the answer's time");
    cr_expect_not(judges_instant(999999999999, 8000000000000));
    cr_expect_eq(agent.run->instants, 3);
    cr_expect_eq(agent.run->instants_away, 0);
}
