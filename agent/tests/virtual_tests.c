// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Virtual threads without a JVM: their trace stacks, how slots take them and give them up, what the
// events do, and what a handler makes of a thread in each state. Traces are written youngest first,
// a letter a frame: a to y instrumented methods, numbered from 1, . any other, | and ! the frames
// of Continuation.enterSpecial and Continuation.run.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "blame.h"
#include "mount.h"
#include "names.h"
#include "sample.h"
#include "state.h"
#include "thread.h"
#include "virtual.h"

#define DEPTH 16

static uintptr_t id_of(char c) {
    return 0x1000 + (uintptr_t)c * 8;
}

static uint32_t number_of(char c) {
    return (uint32_t)(c - 'a') + 1;
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
    cr_expect_eq(again->stack.top, 0);
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
        cr_expect_eq(stacks[i]->stack.top, 0);
        cr_expect_eq(stacks[i]->stack.frames[0].method, 0);
        cr_expect_eq(stacks[i]->stack.previous[0], 0);
        cr_expect_eq(stacks[i]->stack.capacity, ORACLE_STACK_FRAMES);
    }
}

static long resident_kb(void) {
    long all, resident = -1;
    FILE* file = fopen("/proc/self/statm", "r");
    cr_assert_not_null(file);
    cr_assert_eq(fscanf(file, "%ld %ld", &all, &resident), 2);
    fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

Test(pool, thousands_commit_what_they_use) {
    enum { MANY = 4000 };
    static struct mount_pool pool = MOUNT_POOL(MANY);
    long before = resident_kb();
    for (int i = 0; i < MANY; i++) {
        struct mount_stack* stack = mount_take(&pool);
        for (uint32_t k = 1; k < 50; k++) oracle_push(&stack->stack, k, k);
    }
    // 8 KB each, and the half of that again for what else the test does.
    cr_expect_lt(resident_kb() - before, MANY * 12L);
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
    cr_expect_eq(carrier->stack.top, 0);
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
    cr_expect_eq(carrier->stack.top, 1);
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

// ---- A JVM, as far as events need one -----------------------------------------------------------

static const char* volatile walker_text; // volatile: raise() is said not to come back to this file
static const char* gst_text;
static void* storage; // of the virtual thread that is mounted
static bool storage_refused;
static uint32_t asked_gst;
static jvmtiExtensionEvent on_mount, on_unmount;
static union virtual_events callbacks;

typedef void(JNICALL* thread_event)(jvmtiEnv*, JNIEnv*, jthread);

struct raw_frame {
    int32_t bci;
    uintptr_t method;
};
struct raw_trace {
    void* env;
    int32_t count;
    struct raw_frame* frames;
};

static void walk(struct raw_trace* trace, int32_t depth, void* context) {
    (void)context;
    trace->count = 0;
    for (const char* c = walker_text; *c != '\0' && trace->count < depth; c++)
        trace->frames[trace->count++] = (struct raw_frame){6, id_of(*c)};
}

static jvmtiError JNICALL get_stack_trace(jvmtiEnv* env, jthread of, jint start, jint max,
                                          jvmtiFrameInfo* frames, jint* count) {
    (void)env, (void)of, (void)start;
    asked_gst++;
    *count = 0;
    for (const char* c = gst_text; *c != '\0' && *count < max; c++)
        frames[(*count)++] = (jvmtiFrameInfo){(jmethodID)id_of(*c), 6};
    return JVMTI_ERROR_NONE;
}

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

static jvmtiError JNICALL get_thread_info(jvmtiEnv* env, jthread thread, jvmtiThreadInfo* info) {
    (void)env, (void)thread, (void)info;
    return JVMTI_ERROR_THREAD_NOT_ALIVE;
}

static jvmtiError JNICALL deallocate(jvmtiEnv* env, unsigned char* memory) {
    (void)env, (void)memory;
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

static jobject JNICALL global_ref(JNIEnv* env, jobject object) {
    (void)env;
    return object;
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
    return strcmp(name, "enterSpecial") == 0 ? (jmethodID)id_of('|') : NULL;
}

static jmethodID JNICALL get_method(JNIEnv* env, jclass klass, const char* name,
                                    const char* descriptor) {
    (void)env, (void)klass, (void)descriptor;
    return strcmp(name, "run") == 0 ? (jmethodID)id_of('!') : NULL;
}

static void JNICALL clear_exception(JNIEnv* env) {
    (void)env;
}

static struct jvmtiInterface_1_ jvmti = {.GetStackTrace = get_stack_trace,
                                         .GetThreadLocalStorage = get_storage,
                                         .SetThreadLocalStorage = set_storage,
                                         .GetThreadInfo = get_thread_info,
                                         .GetExtensionEvents = get_extension_events,
                                         .SetExtensionEventCallback = set_extension_callback,
                                         .SetEventNotificationMode = set_notification,
                                         .Deallocate = deallocate};
static jvmtiEnv jvmti_env = &jvmti;
static const struct JNINativeInterface_ jni = {.NewGlobalRef = global_ref,
                                               .DeleteGlobalRef = drop_ref,
                                               .DeleteLocalRef = drop_ref,
                                               .FindClass = find_class,
                                               .GetStaticMethodID = get_static_method,
                                               .GetMethodID = get_method,
                                               .ExceptionClear = clear_exception};
static JNIEnv jni_env = &jni;

static void open_walker(void) {
    static const struct walker_description description = {
        .name = "fake",
        .symbol = "fake",
        .arguments = {WALKER_TRACE, WALKER_DEPTH, WALKER_UCONTEXT},
        .argument_count = 3,
        .trace_size = sizeof(struct raw_trace),
        .trace_env = {.offset = offsetof(struct raw_trace, env), .width = 8},
        .trace_count = {.offset = offsetof(struct raw_trace, count), .width = 4, .is_signed = 1},
        .trace_frames = {.offset = offsetof(struct raw_trace, frames), .width = 8},
        .frame_size = sizeof(struct raw_frame),
        .frame_method = {.offset = offsetof(struct raw_frame, method), .width = 8},
        .frame_bci = {.offset = offsetof(struct raw_frame, bci), .width = 4, .is_signed = 1},
        .native_value = -3};
    cr_assert_eq(walker_prepare(&sample_walker, &description, (void (*)(void))walk), 0);
}

static void open_methods(void) {
    static const struct oracle_code code = {.length = 100};
    agent.methods = oracle_methods_open();
    cr_assert(agent.methods != NULL && names_open() == 0);
    for (char c = 'a'; c <= 'y'; c++) {
        oracle_methods_bind(agent.methods, id_of(c), number_of(c));
        oracle_methods_describe(agent.methods, number_of(c), &code);
    }
    oracle_methods_bind(agent.methods, id_of('.'), ORACLE_FOREIGN);
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
    open_walker();
    cr_assert_not_null(thread_begin(&jni_env, NULL, 0));
    agent.release = 25; // from here on: there is no class to ask for the thread's
    cr_assert_eq(virtual_watch(), 0);
    virtual_learn(&jni_env);
    static const jvmtiEventCallbacks none;
    cr_assert_eq(virtual_callbacks(&none, &callbacks), (jint)sizeof callbacks);
    cr_assert_eq(sample_install(), 0);
    sample_begin();
}

TestSuite(events, .init = open_agent);

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
    cr_expect_eq(thread_current->stack.top, 0);
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
    cr_assert_not_null(thread_begin(&jni_env, NULL, 0));
    mount(mounted);
    cr_assert_not_null(thread_current);
    cr_expect(oracle_pop(&thread_current->stack, number_of('b')));
    push('c');
    unmount();
    thread_end(&jni_env);
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
    walker_text = trace;
    thread_self()->quiet_until_ns = 0;
    thread_self()->sent_ns = 1;
    raise(SIGPROF);
}

static uint64_t verdicts(enum oracle_verdict verdict) {
    return agent.run->layers[ORACLE_LAYER_ASYNC].verdict[verdict];
}

static uint64_t undecided(enum results_undecided reason) {
    return agent.run->layers[ORACLE_LAYER_ASYNC].undecided[reason];
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
    gst_text = "ba..";
    sample("b");
    cr_expect_eq(verdicts(ORACLE_TRUNCATED), 1);
    unmount();
    cr_expect_eq(asked_gst, 1);
    cr_expect_eq(thread_self()->accused_count, 0);
    cr_expect_eq(verdicts(ORACLE_TRUNCATED), 1, "the walker's mistake");
    cr_expect_eq(agent.run->virtual_mismatched, 1);
}

Test(events, what_the_trace_stack_had_wrong_is_taken_back_at_the_unmount) {
    start();
    mount(storage);
    push('a');
    push('b');
    gst_text = "b..";
    sample("b");
    unmount();
    cr_expect_eq(verdicts(ORACLE_TRUNCATED), 0);
    cr_expect_eq(undecided(RESULTS_UNDECIDED_BLAME), 1);
    cr_expect_eq(agent.run->virtual_judged, 0);
    cr_expect_eq(agent.run->virtual_mismatched, 0);
}

Test(events, nobody_is_asked_at_an_unmount_without_accusations) {
    start();
    mount(storage);
    push('a');
    sample("a.");
    unmount();
    cr_expect_eq(asked_gst, 0);
}
