// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The native method of the case `upcall`: qsort whose comparison is the JVM's upcall stub.
#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

#include "cases/cases.h"

JNIEXPORT void JNICALL Java_Upcall_sort(JNIEnv* env, jclass class, jlongArray values, jlong stub);

static int compare(const void* a, const void* b, void* stub) {
    const jlong *left = a, *right = b;
    case_check();
    return ((jint(*)(jlong, jlong))(uintptr_t)stub)(*left, *right);
}

void Java_Upcall_sort(JNIEnv* env, jclass class, jlongArray values, jlong stub) {
    (void)class;
    jlong* elements = (*env)->GetLongArrayElements(env, values, NULL);
    if (elements == NULL) return;
    size_t count = (size_t)(*env)->GetArrayLength(env, values);
    qsort_r(elements, count, sizeof elements[0], compare, (void*)(uintptr_t)stub);
    (*env)->ReleaseLongArrayElements(env, values, elements, 0);
}
