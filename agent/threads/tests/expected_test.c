// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Threads that ran before the agent: their pushes are inlined before anybody has seen them.
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "agent/state/state.h"
#include "fakejvm.h"
#include "agent/threads/threads.h"
#include "agent/walker/walker.h"

// A java.lang.Thread of release 17, and how many frames it has.
struct fake_thread {
    jlong stack_size;
    jint frames;
};
static struct fake_thread launcher = {.frames = 0}, older = {.frames = 3}, other = {.frames = 2};
static __thread struct fake_thread* self;

// ---- JNI and JVMTI ------------------------------------------------------------------------------

static jclass JNICALL find_class(JNIEnv* env, const char* name) {
    (void)env, (void)name;
    return (jclass)&older;
}

static jfieldID JNICALL get_field(JNIEnv* env, jclass class, const char* name, const char* type) {
    (void)env, (void)class;
    return strcmp(name, "stackSize") == 0 && strcmp(type, "J") == 0 ? (jfieldID)&older : NULL;
}

static void JNICALL clear(JNIEnv* env) {
    (void)env;
}

static void JNICALL drop(JNIEnv* env, jobject object) {
    (void)env, (void)object;
}

static void JNICALL set_long(JNIEnv* env, jobject object, jfieldID field, jlong value) {
    (void)env, (void)field;
    ((struct fake_thread*)object)->stack_size = value;
}

static jlong JNICALL get_long(JNIEnv* env, jobject object, jfieldID field) {
    (void)env, (void)field;
    return ((struct fake_thread*)object)->stack_size;
}

static jboolean JNICALL is_same(JNIEnv* env, jobject a, jobject b) {
    (void)env;
    return a == b;
}

static jvmtiError JNICALL all_threads(jvmtiEnv* env, jint* count, jthread** threads) {
    static jthread all[] = {(jthread)&launcher, (jthread)&older, (jthread)&other};
    (void)env;
    *count = 3;
    *threads = all;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL frame_count(jvmtiEnv* env, jthread thread, jint* count) {
    (void)env;
    *count = (thread != NULL ? (struct fake_thread*)thread : self)->frames;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL current_thread(jvmtiEnv* env, jthread* thread) {
    (void)env;
    *thread = (jthread)self;
    return JVMTI_ERROR_NONE;
}

static const struct jvmtiInterface_1_ jvmti = {.GetAllThreads = all_threads,
                                               .GetFrameCount = frame_count,
                                               .GetCurrentThread = current_thread,
                                               .GetThreadInfo = fake_get_thread_info,
                                               .Deallocate = fake_deallocate};
static jvmtiEnv jvmti_env = &jvmti;
static const struct JNINativeInterface_ jni = {.FindClass = find_class,
                                               .GetFieldID = get_field,
                                               .ExceptionClear = clear,
                                               .DeleteLocalRef = drop,
                                               .DeleteGlobalRef = drop,
                                               .NewGlobalRef = fake_global_ref,
                                               .SetLongField = set_long,
                                               .GetLongField = get_long,
                                               .IsSameObject = is_same};
static JNIEnv jni_env = &jni;

static struct agent_thread* slots[3];

static struct agent_thread* slot_of(const struct fake_thread* thread) {
    return (struct agent_thread*)(uintptr_t)thread->stack_size;
}

static void at_vm_init(void) {
    agent.jvmti = &jvmti_env;
    agent.release = 17;
    agent.inlined = true;
    agent.options.source = AGENT_SOURCE_RANDOM;
    agent.options.depth = 100;
    agent.run = calloc(1, sizeof *agent.run);
    cr_assert_not_null(agent.run);
    cr_assert(thread_find_place(&jni_env));
    self = &launcher;
    cr_assert_not_null(thread_begin(&jni_env, (jthread)&launcher, 0));
    thread_expect_all(&jni_env);
    slots[0] = slot_of(&launcher);
    slots[1] = slot_of(&older);
    slots[2] = slot_of(&other);
}

// Slots are never given back to the system, and LeakSanitizer does not look into them.
static void at_end(void) {
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) oracle_stack_free(&slots[i]->stack);
    free(agent.run);
}

TestSuite(expected, .init = at_vm_init, .fini = at_end);

// What inlined code does.
static void push(struct agent_thread* t, uintptr_t method) {
    cr_assert_lt((uintptr_t)t->stack.next, t->limit);
    t->stack.next->id = method;
    t->stack.next++;
}

// ---- Tests --------------------------------------------------------------------------------------

Test(expected, how_many_entries_are_far_from_the_end_of_the_machine_stack) {
    const struct agent_thread* t = slots[0];
    const int64_t room =
        (int64_t)((uintptr_t)__builtin_frame_address(0) - t->stack_low) - THREAD_NEAR_END;
    cr_assert_gt(room, 0);
    const int64_t wanted = room >> 12 < UINT32_MAX ? room >> 12 : UINT32_MAX; // ulimit -s unlimited
    cr_expect_lt(labs((long)t->shallow - (long)wanted), 4, "one for each 4 KB, %u", t->shallow);
    cr_expect_eq(slots[1]->shallow, 0, "nobody knows yet where its stack is");
}

Test(expected, each_older_thread_has_a_trace_stack_of_its_own) {
    cr_expect_eq(slot_of(&launcher), thread_self(), "which was there");
    cr_assert(slot_of(&older) != NULL && slot_of(&other) != NULL);
    cr_expect_neq(slot_of(&older), slot_of(&other));
    cr_expect_eq(slot_of(&older)->countdown, 1,
                 "the first push that looks for a check is a native");
    push(slot_of(&older), 7);
    cr_expect_eq(oracle_top(&slot_of(&other)->stack), 0);
}

Test(expected, nobody_samples_them_before_they_are_adopted) {
    cr_assert_eq(thread_slots(), 3);
    cr_expect_null(thread_pin(slot_of(&older)->index));
    cr_expect_eq(agent.run->threads, 1);
}

static void* adopt(void* unused) {
    (void)unused;
    self = &older;
    older.frames = 8; // 3 on top (our own, the one that calls it), 2 that pushed, 3 older
    cr_expect_eq(thread_adopt(&jni_env), slot_of(&older));
    cr_expect_eq(thread_current, slot_of(&older));
    cr_expect_eq(thread_current->base, 3);
    cr_expect_eq(oracle_stack_depth(&thread_current->stack), 2, "what was pushed stays");
    cr_expect_eq(thread_pin(thread_current->index), thread_current);
    thread_unpin(thread_current);
    thread_end(&jni_env);
    cr_expect_eq(older.stack_size, 0);
    return NULL;
}

Test(expected, adopted_it_keeps_what_it_pushed) {
    pthread_t thread;
    push(slot_of(&older), 7);
    push(slot_of(&older), 8);
    cr_assert_eq(pthread_create(&thread, NULL, adopt, NULL), 0);
    pthread_join(thread, NULL);
    cr_expect_eq(agent.run->base_threads, 1);
}

static void* adopt_deep(void* unused) {
    (void)unused;
    self = &other;
    other.frames = 4; // one of the two older frames has been left since
    cr_expect_eq(thread_adopt(&jni_env)->base, 1);
    thread_end(&jni_env);
    return NULL;
}

Test(expected, frames_that_were_left_are_no_base) {
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, adopt_deep, NULL), 0);
    pthread_join(thread, NULL);
}

// ---- Slots --------------------------------------------------------------------------------------

static struct fake_thread late = {.frames = 2};

static void* begin_late(void* unused) {
    (void)unused;
    self = &late;
    cr_expect_null(thread_begin(&jni_env, (jthread)&late, 0));
    cr_expect_null(thread_self());
    return NULL;
}

Test(expected, a_thread_without_a_slot_is_counted) {
    pthread_t thread;
    uint64_t threads = agent.run->threads;
    for (uint32_t i = 0; i < RESULTS_THREADS; i++) {
        thread_expect_all(&jni_env);
        oracle_stack_free(&slot_of(&older)->stack);
        oracle_stack_free(&slot_of(&other)->stack);
    }
    cr_assert_eq(pthread_create(&thread, NULL, begin_late, NULL), 0);
    pthread_join(thread, NULL);
    cr_expect_eq(agent.run->threads_slotless, 1);
    cr_expect_eq(agent.run->threads, threads);
    cr_expect_eq(late.stack_size, 0);
}

static void is_writable(void* at, size_t bytes) {
    memset(at, 1, bytes);
}

Test(expected, a_slots_buffers_do_not_overlap) {
    struct agent_thread* t = slots[1];
    size_t depth = agent.options.depth, frames = depth * sizeof(struct oracle_frame);
    size_t raw = (depth + 1) * WALKER_TRACE_MAX, page = (size_t)sysconf(_SC_PAGESIZE);
    struct {
        char* at;
        size_t bytes;
    } parts[] = {{(char*)t, sizeof *t},
                 {t->raw, raw},
                 {t->check_raw, raw},
                 {(char*)t->frames, frames},
                 {(char*)t->check_accused, frames},
                 {(char*)t->check_witness, frames},
                 {(char*)t->walk.frames, frames},
                 {(char*)t->check_gst, depth * sizeof(jvmtiFrameInfo)}};
    cr_assert_gt(depth, 0);
    for (size_t i = 1; i < sizeof parts / sizeof parts[0]; i++) {
        cr_expect_geq(parts[i].at, parts[i - 1].at + parts[i - 1].bytes, "part %zu", i);
        is_writable(parts[i].at, parts[i].bytes);
    }
    cr_expect_eq((uintptr_t)t->raw % page, 0);
    cr_expect_eq((uintptr_t)t->check_raw % page, 0);
}

// The kernel answers EFAULT in a signal's place.
static bool is_shut(const char* at) {
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    bool shut = write(ends[1], at, 1) == -1 && errno == EFAULT;
    close(ends[0]);
    close(ends[1]);
    return shut;
}

Test(expected, the_page_behind_a_walkers_buffer_is_shut) {
    const struct agent_thread* t = slots[1];
    cr_expect(is_shut((char*)t->check_raw - 1), "behind the handler's");
    cr_expect(is_shut((char*)t->frames - 1), "behind the checks'");
    cr_expect_not(is_shut(t->raw));
    cr_expect_not(is_shut((char*)t->frames));
}

Test(expected, natives_need_nobody_expected) {
    agent.inlined = false;
    older.stack_size = 65536; // what the program asked for
    thread_expect_all(&jni_env);
    cr_expect_eq(older.stack_size, 65536);
}
