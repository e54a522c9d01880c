// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The function of C that the case `panama` calls, and its thread.
#include <jni.h>
#include <pthread.h>
#include <stdint.h>

#include "cases/cases.h"

#define NATIVE(result, name) JNIEXPORT result JNICALL Java_Panama_##name
NATIVE(jlong, spinAddress)(JNIEnv* env, jclass class);
NATIVE(jlong, onThread)(JNIEnv* env, jclass class, jlong stub, jint calls, jint depth);

// The same computation as Panama.spin.
static int64_t spin(int64_t seed, int32_t rounds) {
    uint64_t hash = (uint64_t)seed;
    case_check();
    for (int32_t i = 0; i < rounds; i++)
        hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u + (uint64_t)i;
    return (int64_t)hash;
}

jlong Java_Panama_spinAddress(JNIEnv* env, jclass class) {
    (void)env;
    (void)class;
    return (jlong)(uintptr_t)spin;
}

struct errand {
    int64_t (*stub)(int32_t depth);
    int32_t calls, depth;
    int64_t sum;
};

static void* run(void* argument) {
    struct errand* errand = argument;
    for (int32_t i = 0; i < errand->calls; i++) errand->sum += errand->stub(errand->depth);
    return NULL;
}

// -1 if the thread cannot be started.
jlong Java_Panama_onThread(JNIEnv* env, jclass class, jlong stub, jint calls, jint depth) {
    (void)env;
    (void)class;
    struct errand errand = {(int64_t(*)(int32_t))(uintptr_t)stub, calls, depth, 0};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, &errand) != 0) return -1;
    pthread_join(thread, NULL);
    return errand.sum;
}
