// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The C function that Critical calls through java.lang.foreign.
#include <jni.h>
#include <stdint.h>

JNIEXPORT jlong JNICALL Java_Critical_address(JNIEnv* env, jclass self);

// The same computation as Critical.inJava().
static int64_t hash(int64_t value, int64_t turns) {
    uint64_t h = (uint64_t)value;
    for (int64_t i = 0; i < turns; i++)
        h = (h ^ h >> 29) * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)i;
    return (int64_t)h;
}

JNIEXPORT jlong JNICALL Java_Critical_address(JNIEnv* env, jclass self) {
    (void)env, (void)self;
    return (jlong)(intptr_t)hash;
}
