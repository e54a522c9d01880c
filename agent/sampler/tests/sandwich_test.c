// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The layer sandwich between two threads of this process: one is asked, the other asks. Traces are
// written youngest first, a letter a frame.
#include "sandwich.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "agent/judge/judge.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "fakejvm.h"

#define IN_NATIVE 4 // HotSpot's numbers
#define IN_VM 6
#define IN_JAVA 8
#define BLOCKED 10
#define TOO_LONG 30000 // microseconds

static volatile int32_t state;  // of the asked thread, as HotSpot keeps it
static volatile uint64_t steps; // of the asked thread
static const char* pushed = ""; // by the asked thread, which is then judged by its trace stack
static atomic_bool ready, done; // the asked thread is registered; is to end
static struct agent_thread* asked;

static bool misses;                 // release 21 with virtual threads, which misses classes
static uint64_t steps_in_gst;       // made by the asked thread during GetStackTrace
static uint32_t gst_takes;          // microseconds
static const char* walks_after_gst; // the walker's answers from then on, NULL: the same

static jvmtiError JNICALL get_stack_trace(jvmtiEnv* env, jthread of, jint start, jint max,
                                          jvmtiFrameInfo* frames, jint* count) {
    uint64_t begin = steps;
    usleep(gst_takes);
    steps_in_gst = steps - begin;
    if (walks_after_gst != NULL) fake_walker_text = walks_after_gst;
    return fake_get_stack_trace(env, of, start, max, frames, count);
}

static const char* name_of_new; // of the method whose id nobody announced

static jvmtiError JNICALL get_declaring_class(jvmtiEnv* env, jmethodID id, jclass* klass) {
    (void)env, (void)id;
    *klass = (jclass)(uintptr_t)&name_of_new;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_method_name(jvmtiEnv* env, jmethodID id, char** name,
                                          char** descriptor, char** generic) {
    static char old[] = "m", of_new[8], signature[] = "()V";
    (void)env, (void)generic;
    snprintf(of_new, sizeof of_new, "%s", name_of_new);
    *name = (uintptr_t)id == fake_id('n') ? of_new : old;
    *descriptor = signature;
    return JVMTI_ERROR_NONE;
}

static jboolean JNICALL is_same_object(JNIEnv* env, jobject one, jobject other) {
    (void)env;
    return one == other;
}

static void JNICALL delete_local_ref(JNIEnv* env, jobject object) {
    (void)env, (void)object;
}

static jint JNICALL get_env(JavaVM* vm, void** env, jint version) {
    static const struct JNINativeInterface_ jni = {.IsSameObject = is_same_object,
                                                   .DeleteLocalRef = delete_local_ref};
    static JNIEnv the = &jni;
    (void)vm, (void)version;
    *env = &the;
    return JNI_OK;
}

static void* run(void* unused) {
    static const struct jvmtiInterface_1_ jvmti = {.GetStackTrace = get_stack_trace,
                                                   .GetThreadInfo = fake_get_thread_info,
                                                   .GetMethodDeclaringClass = get_declaring_class,
                                                   .GetMethodName = get_method_name,
                                                   .Deallocate = fake_deallocate};
    static const struct JNIInvokeInterface_ invoke = {.GetEnv = get_env};
    static JavaVM vm = &invoke;
    (void)unused;
    asked = fake_thread_begin(&jvmti);
    if (name_of_new != NULL) agent.vm = &vm;
    asked->hotspot = fake_hotspot_thread(&state);
    agent.release = misses ? 21 : 17;
    agent.run->virtual_threads = misses;
    agent.options.layers = 1u << ORACLE_LAYER_SANDWICH;
    if (*pushed != '\0') agent.options.layers |= 1u << ORACLE_LAYER_ASYNC;
    for (const char* c = pushed; *c != '\0'; c++) {
        oracle_methods_bind(agent.methods, fake_id(*c), (uint32_t)*c);
        oracle_push(&asked->stack, (uint32_t)*c, 1);
    }
    agent.options.signal = SIGPROF;
    cr_assert_eq(sample_install(), 0);
    sample_begin();
    for (ready = true; !done;) steps++;
    return NULL;
}

static const struct results_layer* layer(void) {
    return &agent.run->layers[ORACLE_LAYER_SANDWICH];
}

// On a machine under load a turn may last longer than the thread is held.
static bool was_let_go(void) {
    uint64_t exact = 0, all = 0;
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++) {
        all += layer()->verdict[v];
        exact += layer()->exact[v];
    }
    return exact != all;
}

#define TURNS 1000u

// One sandwich of a thread in that state, of one that goes on in GetStackTrace if it is not held.
static void asks(int32_t in, const char* walk, const char* gst) {
    pthread_t thread;
    uint64_t random = random_seed(1, 1);
    state = in;
    fake_walker_text = walk;
    fake_gst_text = gst;
    agent.methods = oracle_methods_open();
    cr_assert_not_null(agent.methods);
    for (const char* c = "abcd"; *c != '\0'; c++)
        oracle_methods_bind(agent.methods, fake_id(*c), ORACLE_FOREIGN);
    cr_assert_eq(pthread_create(&thread, NULL, run, NULL), 0);
    while (!ready) usleep(100);
    cr_assert_eq(sandwich_open(), 0);
    bool held = in == IN_NATIVE || in == BLOCKED;
    bool goes_on = !held || gst_takes >= TOO_LONG;
    uint32_t turns = 0;
    do {
        memset(&agent.run->layers[ORACLE_LAYER_SANDWICH], 0, sizeof *layer());
        fake_walker_text = walk;
        sandwich_turn(&random);
    } while (layer()->asked == 0 || (!goes_on && was_let_go()) ||
             // Let go before GetStackTrace found no frames: that is no question either.
             (*gst == '\0' && *walk != '\0' && layer()->answered < 2) ||
             // The other thread was to go on, and had no processor meanwhile.
             (goes_on && steps_in_gst == 0 && ++turns < TURNS) ||
             (goes_on && layer()->answered < 2)); // one of the walks came too late
    done = true;
    pthread_join(thread, NULL);
    // The slot is mapped memory, in which LeakSanitizer looks for no pointers.
    oracle_stack_free(&asked->stack);
}

static void gives(enum oracle_verdict verdict, uint64_t exact) {
    cr_expect_eq(layer()->verdict[verdict], 1, "%s", oracle_verdict_text(verdict));
    cr_expect_eq(layer()->exact[verdict], exact);
}

Test(sandwich, a_thread_in_native_code_stands_still_meanwhile) {
    gst_takes = 1000;
    asks(IN_NATIVE, "abc", "abc");
    gives(ORACLE_AGREE, 1);
    cr_expect_eq(steps_in_gst, 0);
    cr_expect_eq(layer()->answered, 2);
    cr_expect_eq(layer()->frames_judged, 3);
}

Test(sandwich, so_does_one_that_is_blocked) {
    gst_takes = 1000;
    asks(BLOCKED, "abc", "abc");
    gives(ORACLE_AGREE, 1);
    cr_expect_eq(steps_in_gst, 0);
}

Test(sandwich, a_thread_for_which_get_stack_trace_would_wait_is_not_held) {
    gst_takes = 1000;
    asks(IN_JAVA, "abc", "abc");
    gives(ORACLE_AGREE, 0);
    cr_expect_gt(steps_in_gst, 0);
}

Test(sandwich, nor_is_one_in_the_vm) {
    gst_takes = 1000;
    asks(IN_VM, "abc", "dabc");
    gives(ORACLE_AGREE, 0);
    cr_expect_gt(steps_in_gst, 0);
}

Test(sandwich, who_was_held_too_long_goes_on_and_nothing_is_exact) {
    gst_takes = TOO_LONG;
    asks(IN_NATIVE, "abc", "dabc");
    gives(ORACLE_AGREE, 0);
    cr_expect_gt(steps_in_gst, 0);
    cr_expect_eq(layer()->answered, 2);
}

Test(sandwich, the_youngest_frames_count_too) {
    asks(IN_NATIVE, "bc", "abc");
    gives(ORACLE_MISSING, 1);
    cr_expect_eq(layer()->exact_unexplained, 1);
    cr_expect_eq(layer()->frames_seen, 0);
}

Test(sandwich, a_null_id_is_an_error) {
    gst_takes = 1000;
    asks(IN_JAVA, "a0c", "abc");
    gives(ORACLE_INVALID_ID, 0);
}

Test(sandwich, a_null_id_may_be_of_a_class_that_was_missed) {
    gst_takes = 1000;
    misses = true;
    asks(IN_JAVA, "a0c", "abc");
    gives(ORACLE_UNDECIDED, 0);
}

Test(sandwich, the_walk_after_the_witness_is_judged_as_well) {
    walks_after_gst = "ab";
    asks(IN_NATIVE, "abc", "abc");
    gives(ORACLE_TRUNCATED, 1);
}

Test(sandwich, an_answer_with_too_many_frames_is_recorded_and_not_compared) {
    fake_walker_claims = FAKE_DEPTH;
    asks(IN_NATIVE, "abc", "abc");
    gives(ORACLE_PHANTOM, 1);
    cr_expect_eq(layer()->cause[RESULTS_UNEXPLAINED], 1);
    cr_expect_eq(asked->walk.kept, FAKE_DEPTH);
    cr_expect_gt(agent.run->recorded, 0);
}

static void read_causes(const char* text) {
    char error[160] = "", path[] = "/tmp/plumbline-causes-XXXXXX";
    int file = mkstemp(path);
    ssize_t length = (ssize_t)strlen(text);
    cr_assert_eq(write(file, text, (size_t)length), length);
    close(file);
    cr_assert_eq(results_causes_read(path, &agent.causes, error, sizeof error), 0, "%s", error);
    unlink(path);
}

// The trace stack has d. The walk before lacks it, which has a known cause, and equals the witness.
// The walk after has it, and is the one that the witness accuses.
Test(sandwich, the_accused_walk_tells_the_cause) {
    read_causes("[lost]\ntitle = lost\nfinding = 1\nshown = here\n"
                "signature = layer=async verdict=truncated+missing\n");
    pushed = "d";
    walks_after_gst = "dab";
    asks(IN_NATIVE, "abc", "abc");
    cr_expect_eq(asked->walk.stack, RESULTS_STACK_AGREE);
    cr_expect_eq(layer()->cause[RESULTS_UNEXPLAINED], 1);
    cr_expect_eq(layer()->cause[1], 0);
    results_causes_free(&agent.causes);
}

// The walks have d in excess. The causes are came-back and unasked.
static void books(int32_t in, uint32_t cause, uint64_t exact_unexplained) {
    char error[160] = "";
    cr_assert_eq(results_causes_read("cases/causes.ini", &agent.causes, error, sizeof error), 0,
                 "%s", error);
    asks(in, "dabc", "abc");
    cr_expect_eq(layer()->verdict[ORACLE_PHANTOM], 1);
    cr_expect_eq(layer()->cause[cause], 1, "%s", agent.causes.list[cause].name);
    cr_expect_eq(layer()->exact_unexplained, exact_unexplained);
    results_causes_free(&agent.causes);
}

static uint32_t index_of(const char* name) {
    struct results_causes causes;
    char error[160] = "";
    cr_assert_eq(results_causes_read("cases/causes.ini", &causes, error, sizeof error), 0);
    uint32_t index = 0;
    while (index < causes.count && strcmp(causes.list[index].name, name) != 0) index++;
    cr_assert_lt(index, causes.count, "%s", name);
    results_causes_free(&causes);
    return index;
}

Test(sandwich, a_held_thread_cannot_have_come_back) {
    pushed = "d";
    books(IN_NATIVE, RESULTS_UNEXPLAINED, 1);
    cr_expect_eq(asked->walk.stack, RESULTS_STACK_AGREE);
}

Test(sandwich, one_that_went_on_can_where_the_trace_stack_agrees_with_both_walks) {
    pushed = "d";
    books(IN_JAVA, index_of("came-back"), 0);
}

Test(sandwich, a_trace_stack_that_was_not_asked_agrees_with_nothing) {
    books(IN_JAVA, index_of("unasked"), 0);
    cr_expect_eq(asked->walk.stack, RESULTS_STACK_NOT_ASKED);
}

Test(sandwich, nor_does_it_excuse_a_held_thread) {
    books(IN_NATIVE, RESULTS_UNEXPLAINED, 1);
}

// The youngest method alone, where others may be inlined.
static void shows_no_scopes(enum oracle_verdict verdict) {
    fake_walker_knows_no_bci = true;
    asks(IN_NATIVE, "bc", "dbc");
    gives(verdict, 1);
}

Test(sandwich, without_a_trace_stack_nobody_tells_missing_scopes_from_lost_frames) {
    shows_no_scopes(ORACLE_UNDECIDED);
}

Test(sandwich, with_one_they_are_missing) {
    pushed = "cbd";
    shows_no_scopes(ORACLE_MISSING);
}

Test(sandwich, at_a_bci_that_is_known_they_are_missing_too) {
    asks(IN_NATIVE, "bc", "dbc");
    gives(ORACLE_MISSING, 1);
}

// The walk before has the id that a method had, GetStackTrace a new one.
static void redefines(const char* name, enum oracle_verdict verdict) {
    name_of_new = name;
    agent.redefined = true;
    walks_after_gst = "anc";
    asks(BLOCKED, "abc", "anc");
    gives(verdict, 1);
}

Test(sandwich, a_method_that_was_redefined_meanwhile_has_two_ids) {
    redefines("m", ORACLE_UNDECIDED);
}

Test(sandwich, another_method_is_wrong_in_a_program_that_redefines_too) {
    redefines("other", ORACLE_WRONG_METHOD);
}

Test(sandwich, a_walk_without_frames_is_refused_unless_there_are_none) {
    asks(IN_NATIVE, "", "abc");
    gives(ORACLE_REFUSED, 1);
    cr_expect_eq(layer()->refused[ORACLE_REFUSAL_NO_JAVA_FRAME], 1);
}

Test(sandwich, a_thread_without_java_frames_is_no_question) {
    asks(IN_NATIVE, "", "");
    cr_expect_eq(layer()->answered, 1);
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++) cr_expect_eq(layer()->verdict[v], 0);
}

Test(sandwich, frames_where_there_are_none_are_phantoms) {
    asks(IN_NATIVE, "a", "");
    gives(ORACLE_PHANTOM, 1);
}

Test(sandwich, waiting_threads_have_turns_and_rest_between) {
    uint64_t random = random_seed(1, 2);
    asks(IN_NATIVE, "abc", "abc");
    asked->running = false;
    cr_expect_null(thread_pick(&random));
    struct agent_thread* any = thread_pick_any(&random);
    cr_expect_eq(any, asked);
    cr_expect(asked->picked_waits);
    if (any != NULL) thread_unpin(any);
    struct agent_thread* t = thread_pick_waiting(&random, 1000000000u);
    cr_expect_eq(t, asked);
    if (t != NULL) thread_unpin(t);
    cr_expect_null(thread_pick_waiting(&random, 1000000000u));
    asked->running = true;
    t = thread_pick(&random);
    cr_expect_eq(t, asked);
    if (t != NULL) thread_unpin(t);
    t = thread_pick_any(&random);
    cr_expect_eq(t, asked);
    cr_expect_not(asked->picked_waits);
    cr_expect_null(thread_pick_waiting(&random, 0));
}
