// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The native methods of the case `control`: a call from Java through C to Java.
#include <jni.h>

JNIEXPORT void JNICALL Java_Control_prepare(JNIEnv* env, jclass class);
JNIEXPORT jint JNICALL Java_Control_up(JNIEnv* env, jclass class, jobject that, jint level);

static jmethodID level_of; // Control.level, set before the case starts its threads

void Java_Control_prepare(JNIEnv* env, jclass class) {
    level_of = (*env)->GetStaticMethodID(env, class, "level", "(LControl;I)I");
}

jint Java_Control_up(JNIEnv* env, jclass class, jobject that, jint level) {
    return (*env)->CallStaticIntMethod(env, class, level_of, that, level);
}
