// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The native method that crashes on purpose.
#include <jni.h>
#include <stddef.h>

JNIEXPORT void JNICALL Java_Crash_crash(JNIEnv* env, jclass class);

// Volatile, so that the compiler cannot know that it is null and put a trap in the write's place.
static int* volatile nowhere = NULL;

void Java_Crash_crash(JNIEnv* env, jclass class) {
    (void)env, (void)class;
    *nowhere = 1;
}
