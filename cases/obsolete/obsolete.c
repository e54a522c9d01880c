// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The native method of the case `obsolete`: redefines classes with a JVMTI environment of the
// case's own.
#include <jni.h>
#include <jvmti.h>
#include <pthread.h>
#include <string.h>

JNIEXPORT jint JNICALL Java_Obsolete_redefine(JNIEnv* env, jclass class, jclass type,
                                              jbyteArray bytes);

static jvmtiEnv* jvmti; // NULL if the JVM gave none
static JavaVM* vm;

static void open_environment(void) {
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_redefine_classes = 1;
    if ((*vm)->GetEnv(vm, (void**)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) jvmti = NULL;
    if (jvmti != NULL && (*jvmti)->AddCapabilities(jvmti, &wanted) != JVMTI_ERROR_NONE)
        jvmti = NULL;
}

jint Java_Obsolete_redefine(JNIEnv* env, jclass class, jclass type, jbyteArray bytes) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)class;
    // The first call comes from main, before the case starts its threads.
    if (vm == NULL && (*env)->GetJavaVM(env, &vm) != JNI_OK) return JVMTI_ERROR_INTERNAL;
    pthread_once(&once, open_environment);
    if (jvmti == NULL) return JVMTI_ERROR_MUST_POSSESS_CAPABILITY;
    jbyte* elements = (*env)->GetByteArrayElements(env, bytes, NULL);
    if (elements == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
    jvmtiClassDefinition definition = {.klass = type,
                                       .class_byte_count = (*env)->GetArrayLength(env, bytes),
                                       .class_bytes = (const unsigned char*)elements};
    jvmtiError error = (*jvmti)->RedefineClasses(jvmti, 1, &definition);
    (*env)->ReleaseByteArrayElements(env, bytes, elements, JNI_ABORT);
    return (jint)error;
}
