// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "classes.h"

#include "agent/state/state.h"
#include "instrument/instrument.h"
#include "parts.h"

// build/gen/trace_class.h and trace_inlined.h: the bytes of Trace.class, with natives and with push
// and pop in Java.
static const unsigned char trace_class[] = {
#include "trace_class.h"
};
static const unsigned char trace_inlined[] = {
#include "trace_inlined.h"
};

static jclass class_reference;
static jobject module_reference;

static jobject module_of(JNIEnv* env, jclass class) {
    jclass class_class = (*env)->FindClass(env, "java/lang/Class");
    jmethodID get_module =
        (*env)->GetMethodID(env, class_class, "getModule", "()Ljava/lang/Module;");
    jobject module = (*env)->CallObjectMethod(env, class, get_module);
    if ((*env)->ExceptionCheck(env)) module = NULL; // -Xcheck:jni wants it asked
    (*env)->DeleteLocalRef(env, class_class);
    return module;
}

static int learn_module(JNIEnv* env) {
    if (agent.release < 9) return 0;
    jobject module = module_of(env, class_reference);
    if (module == NULL) return -1;
    module_reference = (*env)->NewGlobalRef(env, module);
    (*env)->DeleteLocalRef(env, module);
    return 0;
}

// ---- Push and pop in Java -----------------------------------------------------------------------

// The names in the class file that stand for the JVM's own: those of release 8 and of later ones.
static const struct instrument_renaming names_of_8[] = {
    {"plumbline/Unsafe", "sun/misc/Unsafe"},
    {"()Lplumbline/Unsafe;", "()Lsun/misc/Unsafe;"},
    {"Lplumbline/Unsafe;", "Lsun/misc/Unsafe;"},
    {"Lplumbline/ForceInline;", "Ljava/lang/invoke/ForceInline;"},
    {"getReference", "getObject"},
};
static const struct instrument_renaming names_of_9[] = {
    {"plumbline/Unsafe", "jdk/internal/misc/Unsafe"},
    {"()Lplumbline/Unsafe;", "()Ljdk/internal/misc/Unsafe;"},
    {"Lplumbline/Unsafe;", "Ljdk/internal/misc/Unsafe;"},
    {"Lplumbline/ForceInline;", "Ljdk/internal/vm/annotation/ForceInline;"},
};

// Lets the runtime class use jdk.internal.misc.Unsafe.
static void open_internals(JNIEnv* env) {
    jclass object = (*env)->FindClass(env, "java/lang/Object");
    if (agent.release < 9 || object == NULL) return;
    jobject base = module_of(env, object);
    (*agent.jvmti)->AddModuleExports(agent.jvmti, base, "jdk.internal.misc", module_reference);
    (*env)->DeleteLocalRef(env, base);
    (*env)->DeleteLocalRef(env, object);
}

static jclass define(JNIEnv* env, const uint8_t* bytes, size_t length) {
    return (*env)->DefineClass(env, INSTRUMENT_RUNTIME_CLASS, NULL, (const jbyte*)bytes,
                               (jsize)length);
}

static jclass define_inlined(JNIEnv* env) {
    uint8_t named[2 * sizeof trace_inlined];
    bool old = agent.release < 9;
    size_t length = instrument_rename(
        trace_inlined, sizeof trace_inlined, old ? names_of_8 : names_of_9,
        old ? sizeof names_of_8 / sizeof names_of_8[0] : sizeof names_of_9 / sizeof names_of_9[0],
        named, sizeof named);
    return define(env, named, length);
}

// ---- The class ----------------------------------------------------------------------------------

int runtime_define(JNIEnv* env, const JNINativeMethod* natives, jint count) {
    jclass defined =
        agent.inlined ? define_inlined(env) : define(env, trace_class, sizeof trace_class);
    if (defined == NULL) {
        (*env)->ExceptionDescribe(env);
        return -1;
    }
    class_reference = (*env)->NewGlobalRef(env, defined);
    (*env)->DeleteLocalRef(env, defined);
    if ((*env)->RegisterNatives(env, class_reference, natives, count) != 0) return -1;
    if (learn_module(env) != 0) return -1;
    if (agent.inlined) open_internals(env);
    return 0;
}

jclass runtime_class(void) {
    return class_reference;
}

jobject runtime_module(void) {
    return module_reference;
}
