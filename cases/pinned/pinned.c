// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The native frame by which a virtual thread is pinned to its carrier.
#include <jni.h>

#include "cases/cases.h"

JNIEXPORT jint JNICALL Java_Pinned_through(JNIEnv* env, jclass class, jint n, jint number);

jint Java_Pinned_through(JNIEnv* env, jclass class, jint n, jint number) {
    jmethodID level =
        (*env)->GetStaticMethodID(env, class, n < 0 ? "rest" : "level", n < 0 ? "(I)I" : "(II)I");
    if (level == NULL) return 0; // an exception is pending
    case_check();
    if (n < 0) return (*env)->CallStaticIntMethod(env, class, level, number);
    return (*env)->CallStaticIntMethod(env, class, level, n, number);
}
