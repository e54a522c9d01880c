// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "classes.h"

#include <string.h>

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

// The names in the class file that stand for the JVM's own, with those of release 8 and of later
// ones.
static const struct stand_in {
    const char *name, *name8, *name9;
} stand_ins[] = {
    {"plumbline/Unsafe", "sun/misc/Unsafe", "jdk/internal/misc/Unsafe"},
    {"()Lplumbline/Unsafe;", "()Lsun/misc/Unsafe;", "()Ljdk/internal/misc/Unsafe;"},
    {"Lplumbline/Unsafe;", "Lsun/misc/Unsafe;", "Ljdk/internal/misc/Unsafe;"},
    {"Lplumbline/ForceInline;", "Ljava/lang/invoke/ForceInline;",
     "Ljdk/internal/vm/annotation/ForceInline;"},
    {"getReference", "getObject", "getReference"},
};

static const char* real_name(const unsigned char* text, size_t length) {
    for (size_t i = 0; i < sizeof stand_ins / sizeof stand_ins[0]; i++)
        if (strlen(stand_ins[i].name) == length && memcmp(stand_ins[i].name, text, length) == 0)
            return agent.release < 9 ? stand_ins[i].name8 : stand_ins[i].name9;
    return NULL;
}

// The length of the constant at `at`, its tag included (JVMS 4.4): only kinds that javac uses here.
static size_t constant_length(const unsigned char* at) {
    enum { UTF8 = 1, LONG = 5, DOUBLE = 6, CLASS = 7, STRING = 8, METHOD_HANDLE = 15, TYPE = 16 };
    switch (*at) {
    case UTF8: return 3u + (size_t)(at[1] << 8 | at[2]);
    case LONG:
    case DOUBLE: return 9;
    case CLASS:
    case STRING:
    case TYPE: return 3;
    case METHOD_HANDLE: return 4;
    default: return 5;
    }
}

// Copies the class file to `to`, with the JVM's own names. `to` has room for twice the length.
// Returns the copy's length.
static size_t name_really(const unsigned char* class, size_t length, unsigned char* to) {
    enum { HEADER = 10, UTF8 = 1, LONG = 5, DOUBLE = 6 };
    const unsigned char* at = class + HEADER;
    unsigned char* out = to + HEADER;
    unsigned count = (unsigned)(class[8] << 8 | class[9]);
    memcpy(to, class, HEADER);
    for (unsigned i = 1; i < count; i++) {
        size_t old = constant_length(at);
        const char* name = *at == UTF8 ? real_name(at + 3, old - 3) : NULL;
        size_t now = name != NULL ? 3 + strlen(name) : old;
        memcpy(out, at, old < now ? old : now);
        if (name != NULL) {
            out[1] = (unsigned char)(strlen(name) >> 8);
            out[2] = (unsigned char)strlen(name);
            memcpy(out + 3, name, strlen(name));
        }
        if (*at == LONG || *at == DOUBLE) i++; // which take two indices
        out += now;
        at += old;
    }
    memcpy(out, at, (size_t)(class + length - at));
    return (size_t)(out - to) + (size_t)(class + length - at);
}

// Lets the runtime class use jdk.internal.misc.Unsafe.
static void open_internals(JNIEnv* env) {
    jclass object = (*env)->FindClass(env, "java/lang/Object");
    if (agent.release < 9 || object == NULL) return;
    jobject base = module_of(env, object);
    (*agent.jvmti)->AddModuleExports(agent.jvmti, base, "jdk.internal.misc", module_reference);
    (*env)->DeleteLocalRef(env, base);
    (*env)->DeleteLocalRef(env, object);
}

static jclass define(JNIEnv* env) {
    unsigned char named[2 * sizeof trace_inlined];
    const unsigned char* bytes = trace_class;
    size_t length = sizeof trace_class;
    if (agent.inlined) {
        length = name_really(trace_inlined, sizeof trace_inlined, named);
        bytes = named;
    }
    return (*env)->DefineClass(env, INSTRUMENT_RUNTIME_CLASS, NULL, (const jbyte*)bytes,
                               (jsize)length);
}

// ---- The class ----------------------------------------------------------------------------------

int runtime_define(JNIEnv* env, const JNINativeMethod* natives, jint count) {
    jclass defined = define(env);
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
