// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The native methods of the case `syncnatives`: synchronized methods that call Java again, and
// critical sections, in which no function of JNI may be called.
#include <jni.h>
#include <stddef.h>

#include "cases/cases.h"

#define NATIVE(result, name) JNIEXPORT result JNICALL Java_SyncNatives_##name
NATIVE(void, prepare)(JNIEnv* env, jclass class);
NATIVE(jlong, downStatic)(JNIEnv* env, jclass class, jobject lock, jint level, jlong route);
NATIVE(jlong, downShared)(JNIEnv* env, jobject that, jint level, jlong route);
NATIVE(jlong, sum)(JNIEnv* env, jclass class, jintArray numbers, jintArray copy);
NATIVE(jlong, sumText)(JNIEnv* env, jclass class, jstring text);

// Written once, by prepare, before the case starts its threads.
static struct {
    jclass own;
    jmethodID up, up_shared;
} ids;

// If an id is not found an exception is left pending, which ends the case.
void Java_SyncNatives_prepare(JNIEnv* env, jclass class) {
    ids.own = (*env)->NewGlobalRef(env, class);
    ids.up = (*env)->GetStaticMethodID(env, class, "up", "(LSyncNatives;IJ)J");
    if (ids.up == NULL) return;
    ids.up_shared = (*env)->GetStaticMethodID(env, class, "upShared", "(LSyncNatives;IJ)J");
}

jlong Java_SyncNatives_downStatic(JNIEnv* env, jclass class, jobject lock, jint level,
                                  jlong route) {
    case_check();
    return 1 + (*env)->CallStaticLongMethod(env, class, ids.up, lock, level, route);
}

jlong Java_SyncNatives_downShared(JNIEnv* env, jobject that, jint level, jlong route) {
    case_check();
    return 1 + (*env)->CallStaticLongMethod(env, ids.own, ids.up_shared, that, level, route);
}

static jlong sum_and_copy(const jint* from, jint* to, jsize count) {
    jlong sum = 0;
    for (jsize i = 0; i < count; i++) {
        to[i] = from[i];
        sum += to[i];
    }
    return sum;
}

// -1 if the JVM does not give the elements; a sum is never negative.
jlong Java_SyncNatives_sum(JNIEnv* env, jclass class, jintArray numbers, jintArray copy) {
    case_check();
    (void)class;
    jlong sum = -1;
    jsize count = (*env)->GetArrayLength(env, numbers);
    jint* from = (*env)->GetPrimitiveArrayCritical(env, numbers, NULL);
    if (from == NULL) return sum;
    jint* to = (*env)->GetPrimitiveArrayCritical(env, copy, NULL);
    if (to != NULL) {
        sum = sum_and_copy(from, to, count);
        (*env)->ReleasePrimitiveArrayCritical(env, copy, to, 0);
    }
    (*env)->ReleasePrimitiveArrayCritical(env, numbers, from, JNI_ABORT);
    return sum;
}

jlong Java_SyncNatives_sumText(JNIEnv* env, jclass class, jstring text) {
    case_check();
    (void)class;
    jsize count = (*env)->GetStringLength(env, text);
    const jchar* letters = (*env)->GetStringCritical(env, text, NULL);
    if (letters == NULL) return -1;
    jlong sum = 0;
    for (jsize i = 0; i < count; i++) sum += letters[i];
    (*env)->ReleaseStringCritical(env, text, letters);
    return sum;
}
