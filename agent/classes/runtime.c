// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "classes.h"

#include "agent/state/state.h"
#include "instrument/instrument.h"

// build/gen/trace_class.h: the bytes of Trace.class.
static const unsigned char trace_class[] = {
#include "trace_class.h"
};

static jclass class_reference;
static jobject module_reference;

static int learn_module(JNIEnv* env) {
    if (agent.release < 9) return 0;
    jclass class_class = (*env)->FindClass(env, "java/lang/Class");
    jmethodID get_module =
        (*env)->GetMethodID(env, class_class, "getModule", "()Ljava/lang/Module;");
    jobject module = (*env)->CallObjectMethod(env, class_reference, get_module);
    if (module == NULL) return -1;
    module_reference = (*env)->NewGlobalRef(env, module);
    (*env)->DeleteLocalRef(env, module);
    (*env)->DeleteLocalRef(env, class_class);
    return 0;
}

int runtime_define(JNIEnv* env, const JNINativeMethod* natives, jint count) {
    jclass defined = (*env)->DefineClass(env, INSTRUMENT_RUNTIME_CLASS, NULL,
                                         (const jbyte*)trace_class, (jsize)sizeof trace_class);
    if (defined == NULL) {
        (*env)->ExceptionDescribe(env);
        return -1;
    }
    class_reference = (*env)->NewGlobalRef(env, defined);
    (*env)->DeleteLocalRef(env, defined);
    if ((*env)->RegisterNatives(env, class_reference, natives, count) != 0) return -1;
    return learn_module(env);
}

jclass runtime_class(void) {
    return class_reference;
}

jobject runtime_module(void) {
    return module_reference;
}
