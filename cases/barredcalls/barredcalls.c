// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The native methods of the case `barredcalls`: calls a method of a class that another thread
// initialises. To look the method up would wait for the end of that, so the other thread does it.
#include <jni.h>

JNIEXPORT void JNICALL Java_BarredCalls_prepare(JNIEnv* env, jclass class, jclass unready);
JNIEXPORT jint JNICALL Java_BarredCalls_calls(JNIEnv* env, jclass class, jint count);

// Written once, by prepare, before the case starts its workers.
static jclass unready_class;
static jmethodID next_id;

// If the id is not found an exception is left pending, which ends the initialiser.
void Java_BarredCalls_prepare(JNIEnv* env, jclass class, jclass unready) {
    (void)class;
    unready_class = (*env)->NewGlobalRef(env, unready);
    next_id = (*env)->GetStaticMethodID(env, unready, "next", "(I)I");
}

jint Java_BarredCalls_calls(JNIEnv* env, jclass class, jint count) {
    jint made = 0;
    (void)class;
    while (made < count) {
        jint next = (*env)->CallStaticIntMethod(env, unready_class, next_id, made);
        if (next != made + 1) return -1;
        made = next;
    }
    return made;
}
