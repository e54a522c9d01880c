// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The native methods of the case `popframe`: the work of a debugger. The case has a JVMTI
// environment of its own. The JVM gives these capabilities only while it starts.
#include <jni.h>
#include <jvmti.h>
#include <stdbool.h>
#include <stdio.h>

static jvmtiEnv* jvmti;
static jmethodID target;
static jlocation target_end; // end of its last bytecode, a return

static void fail(JNIEnv* env, const char* what, jvmtiError error) {
    char text[100];
    snprintf(text, sizeof text, "%s: JVMTI error %d", what, (int)error);
    (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/IllegalStateException"), text);
}

JNIEXPORT void JNICALL Java_PopFrame_prepare(JNIEnv* env, jclass self, jobject method);
JNIEXPORT jboolean JNICALL Java_PopFrame_strike(JNIEnv* env, jclass self, jthread thread,
                                                jboolean pop, jint result);

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void* reserved) {
    (void)options, (void)reserved;
    const jvmtiCapabilities wanted = {
        .can_suspend = 1, .can_pop_frame = 1, .can_force_early_return = 1};
    if ((*vm)->GetEnv(vm, (void**)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    return (*jvmti)->AddCapabilities(jvmti, &wanted) == JVMTI_ERROR_NONE ? JNI_OK : JNI_ERR;
}

JNIEXPORT void JNICALL Java_PopFrame_prepare(JNIEnv* env, jclass self, jobject method) {
    (void)self;
    if (jvmti == NULL) {
        fail(env, "libcases.so is not an agent of this JVM", JVMTI_ERROR_NOT_AVAILABLE);
        return;
    }
    target = (*env)->FromReflectedMethod(env, method);
    jlocation start;
    jvmtiError error = (*jvmti)->GetMethodLocation(jvmti, target, &start, &target_end);
    if (error != JVMTI_ERROR_NONE) fail(env, "GetMethodLocation", error);
}

// The thread is suspended. It may have left the method, or stand where no frame can be taken.
static bool take(jthread thread, bool pop, jint result) {
    jmethodID method;
    jlocation at;
    if ((*jvmti)->GetFrameLocation(jvmti, thread, 0, &method, &at) != JVMTI_ERROR_NONE)
        return false;
    if (method != target || at >= target_end - 1) return false; // its frame may have gone already
    jvmtiError error = pop ? (*jvmti)->PopFrame(jvmti, thread)
                           : (*jvmti)->ForceEarlyReturnInt(jvmti, thread, result);
    return error == JVMTI_ERROR_NONE;
}

JNIEXPORT jboolean JNICALL Java_PopFrame_strike(JNIEnv* env, jclass self, jthread thread,
                                                jboolean pop, jint result) {
    (void)self;
    if ((*jvmti)->SuspendThread(jvmti, thread) != JVMTI_ERROR_NONE)
        return JNI_FALSE; // it has ended
    bool taken = take(thread, pop, result);
    jvmtiError error = (*jvmti)->ResumeThread(jvmti, thread);
    if (error != JVMTI_ERROR_NONE && error != JVMTI_ERROR_THREAD_NOT_ALIVE)
        fail(env, "ResumeThread", error);
    return taken;
}
