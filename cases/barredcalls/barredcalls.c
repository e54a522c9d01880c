// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The native methods of the case `barredcalls`: calls a method of a class that another thread
// initialises. To look the method up would wait for the end of that, so the other thread does it.
#include <jni.h>

JNIEXPORT void JNICALL Java_BarredCalls_prepare(JNIEnv* env, jclass class, jclass unready);
JNIEXPORT jint JNICALL Java_BarredCalls_calls(JNIEnv* env, jclass class, jint count);
JNIEXPORT void JNICALL Java_BarredCalls_00024Unready_touch(JNIEnv* env, jclass class);

// Written once, by prepare, before the case starts its workers.
static jclass unready_class;
static jmethodID touch_id;

static __thread jint touched;

// If the id is not found an exception is left pending, which ends the initialiser.
void Java_BarredCalls_prepare(JNIEnv* env, jclass class, jclass unready) {
    (void)class;
    unready_class = (*env)->NewGlobalRef(env, unready);
    touch_id = (*env)->GetStaticMethodID(env, unready, "touch", "()V");
}

void Java_BarredCalls_00024Unready_touch(JNIEnv* env, jclass class) {
    (void)env, (void)class;
    touched++;
}

jint Java_BarredCalls_calls(JNIEnv* env, jclass class, jint count) {
    jint before = touched;
    (void)class;
    for (jint i = 0; i < count; i++) (*env)->CallStaticVoidMethod(env, unready_class, touch_id);
    return touched - before;
}
