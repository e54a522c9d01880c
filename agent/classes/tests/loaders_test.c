// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Loaders that several threads meet at once, and that load classes in order to answer.
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "agent/state/state.h"
#include "parts.h"

struct fake_loader {
    jlong tag; // atomic
};
static struct fake_loader one;
static const jobject loader = (jobject)&one;
static bool sees;                // whether it finds the runtime class
static void (*load_class)(void); // the loader's own code
static uint32_t asked;

// ---- JVMTI and JNI ------------------------------------------------------------------------------

// Slow, so that another thread comes between.
static jvmtiError JNICALL get_tag(jvmtiEnv* env, jobject of, jlong* tag) {
    (void)env;
    *tag = __atomic_load_n(&((struct fake_loader*)of)->tag, __ATOMIC_SEQ_CST);
    if (*tag == 0) usleep(20000);
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_tag(jvmtiEnv* env, jobject of, jlong tag) {
    (void)env;
    __atomic_store_n(&((struct fake_loader*)of)->tag, tag, __ATOMIC_SEQ_CST);
    return JVMTI_ERROR_NONE;
}

static jthrowable JNICALL pending(JNIEnv* env) {
    (void)env;
    return NULL;
}

static void JNICALL clear(JNIEnv* env) {
    (void)env;
}

static jboolean JNICALL has_thrown(JNIEnv* env) {
    (void)env;
    return !sees;
}

static jclass JNICALL find_class(JNIEnv* env, const char* name) {
    (void)env, (void)name;
    return NULL;
}

static jmethodID JNICALL get_method(JNIEnv* env, jclass klass, const char* name, const char* type) {
    (void)env, (void)klass, (void)name, (void)type;
    return NULL;
}

static jstring JNICALL new_string(JNIEnv* env, const char* text) {
    (void)env, (void)text;
    return NULL;
}

static jobject JNICALL for_name(JNIEnv* env, jclass klass, jmethodID method, ...) {
    (void)env, (void)klass, (void)method;
    asked++;
    load_class();
    return loader; // or any other object
}

static jboolean JNICALL is_same(JNIEnv* env, jobject a, jobject b) {
    (void)env, (void)a, (void)b;
    return true;
}

static void JNICALL drop(JNIEnv* env, jobject object) {
    (void)env, (void)object;
}

static const struct JNINativeInterface_ jni = {.ExceptionOccurred = pending,
                                               .ExceptionClear = clear,
                                               .ExceptionCheck = has_thrown,
                                               .FindClass = find_class,
                                               .GetStaticMethodID = get_method,
                                               .NewStringUTF = new_string,
                                               .CallStaticObjectMethod = for_name,
                                               .IsSameObject = is_same,
                                               .DeleteLocalRef = drop};
static JNIEnv jni_env = &jni;

static void open_jvm(void) {
    static const struct jvmtiInterface_1_ jvmti = {.GetTag = get_tag, .SetTag = set_tag};
    static jvmtiEnv jvmti_env = &jvmti;
    agent.jvmti = &jvmti_env;
}

TestSuite(loaders, .init = open_jvm, .timeout = 60);

static bool asks(void) {
    return loaders_see_runtime(&jni_env, loader);
}

// ---- Ids ----------------------------------------------------------------------------------------

static void* take_id(void* id) {
    *(int64_t*)id = loaders_id(loader);
    return NULL;
}

Test(loaders, have_one_id_whoever_meets_them_first) {
    pthread_t thread;
    int64_t other = 0;
    cr_assert_eq(pthread_create(&thread, NULL, take_id, &other), 0);
    int64_t own = loaders_id(loader);
    pthread_join(thread, NULL);
    cr_expect_eq(own, other);
    cr_expect_eq(loaders_id(loader), own);
}

// ---- Answers ------------------------------------------------------------------------------------

static bool in_its_own; // what a class is told that the loader loads in order to answer

static void load_own(void) {
    in_its_own = asks();
}

static void expect_own_left(bool answer) {
    sees = answer;
    load_class = load_own;
    in_its_own = true;
    cr_expect_eq(asks(), answer);
    cr_expect_not(in_its_own, "it stays as it was");
    cr_expect_eq(asks(), answer);
    cr_expect_eq(asked, 1);
}

Test(loaders, that_see_it_may_load_classes_in_order_to_answer) {
    expect_own_left(true);
}

Test(loaders, that_see_it_not_may_load_classes_in_order_to_answer) {
    expect_own_left(false);
}

static pthread_t beside;
static bool told; // the other thread

static void* load_beside(void* unused) {
    (void)unused;
    told = asks();
    return NULL;
}

static void answer_late(void) {
    cr_assert_eq(pthread_create(&beside, NULL, load_beside, NULL), 0);
    usleep(30000);
}

static void expect_told(bool answer) {
    sees = answer;
    load_class = answer_late;
    told = !answer;
    cr_expect_eq(asks(), answer);
    pthread_join(beside, NULL);
    cr_expect_eq(told, answer);
    cr_expect_eq(asked, 1);
}

Test(loaders, that_see_it_make_other_threads_wait_for_the_answer) {
    expect_told(true);
}

Test(loaders, that_see_it_not_make_other_threads_wait_for_the_answer) {
    expect_told(false);
}

// The loader waits for what the other thread holds, which has more classes to load.
static void answer_never(void) {
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(pthread_create(&beside, NULL, load_beside, NULL), 0);
        pthread_join(beside, NULL);
        cr_assert_not(told, "class %d", i);
    }
}

Test(loaders, that_wait_for_another_thread_are_waited_for_once) {
    sees = told = true;
    load_class = answer_never;
    uint64_t begin = agent_now_ns();
    cr_expect(asks());
    cr_expect_lt(agent_now_ns() - begin, 5000000000u);
    cr_expect(asks());
    cr_expect_eq(asked, 1);
}
