// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The native method that crashes on purpose.
#include <jni.h>
#include <stddef.h>

JNIEXPORT void JNICALL Java_Crash_crash(JNIEnv* env, jclass class);

// Volatile: the compiler must not know that it is null, or it replaces the write by a trap.
static int* volatile nowhere = NULL;

void Java_Crash_crash(JNIEnv* env, jclass class) {
    (void)env, (void)class;
    *nowhere = 1;
}
