// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The empty native methods that PushPop measures push and pop against.
#include <jni.h>

JNIEXPORT void JNICALL Java_PushPop_enter(JNIEnv* env, jclass class, jint number);
JNIEXPORT void JNICALL Java_PushPop_leave(JNIEnv* env, jclass class, jint number);

void Java_PushPop_enter(JNIEnv* env, jclass class, jint number) {
    (void)env, (void)class, (void)number;
}

void Java_PushPop_leave(JNIEnv* env, jclass class, jint number) {
    (void)env, (void)class, (void)number;
}
