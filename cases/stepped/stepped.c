// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The native methods of the case `stepped`: calls a Java method instruction by instruction, and
// notes how the calling thread's trace stack changes from one to the next.
#include <jni.h>
#include <stdint.h>
#include <string.h>

#include "cases/cases.h"
#include "cases/stepper/stepper.h"

enum { CHANGES_MAX = 8192 };

JNIEXPORT jboolean JNICALL Java_Stepped_open(JNIEnv* env, jclass class);
JNIEXPORT jint JNICALL Java_Stepped_step(JNIEnv* env, jclass class, jint kind, jlongArray changes,
                                         jintArray lengths);

// The agent's (agent/agent.h): the depth of the calling thread's trace stack and its youngest
// method.
static int32_t (*youngest)(uint32_t* method);
static jmethodID work;

static __thread uint64_t changes[CHANGES_MAX]; // depth << 32 | youngest method
static __thread uint32_t lengths[CHANGES_MAX]; // instructions until the next change
static __thread uint32_t change_count;

static void look(uintptr_t pc, void* argument) {
    uint32_t method = 0;
    (void)pc, (void)argument;
    int32_t depth = youngest(&method);
    if (depth < 0) return;
    uint64_t now = (uint64_t)depth << 32 | method;
    if (change_count == 0 || changes[change_count - 1] != now) {
        if (change_count == CHANGES_MAX) return;
        lengths[change_count] = 0;
        changes[change_count++] = now;
    }
    lengths[change_count - 1]++;
}

JNIEXPORT jboolean JNICALL Java_Stepped_open(JNIEnv* env, jclass class) {
    void* found = case_agent_function("plumbline_youngest");
    memcpy(&youngest, &found, sizeof youngest);
    work = (*env)->GetStaticMethodID(env, class, "work", "(I)I");
    return youngest != NULL && work != NULL;
}

struct call {
    JNIEnv* env;
    jclass class;
    jint kind;
};

static void call_work(void* argument) {
    const struct call* call = argument;
    (*call->env)->CallStaticIntMethod(call->env, call->class, work, call->kind);
}

// No sampler's signal comes meanwhile: it would find the stepper's handler on the stack.
JNIEXPORT jint JNICALL Java_Stepped_step(JNIEnv* env, jclass class, jint kind, jlongArray to,
                                         jintArray lengths_to) {
    struct call call = {env, class, kind};
    change_count = 0;
    if (stepper_run(call_work, look, &call) == 0) return -2;
    if (change_count == CHANGES_MAX) return -1;
    (*env)->SetLongArrayRegion(env, to, 0, (jsize)change_count, (const jlong*)changes);
    (*env)->SetIntArrayRegion(env, lengths_to, 0, (jsize)change_count, (const jint*)lengths);
    return (jint)change_count;
}
