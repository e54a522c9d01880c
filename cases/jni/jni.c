// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The native methods of the case `jni`. Each calls Java in its own way. A function that gets an
// exception from Java returns with the exception pending, or takes it and throws it again. Its
// result is then not used.
#include <jni.h>
#include <pthread.h>
#include <stdlib.h>

#include "cases/cases.h"

// The methods that C calls: name here, class, static or not, name in Java, descriptor.
#define METHODS(M)                                                                                 \
    M(up_static, "Jni", JNI_TRUE, "upStatic", "(LJni;IJ)J")                                        \
    M(up_base, "Jni", JNI_FALSE, "upBase", "(IJ)J")                                                \
    M(up_virtual, "Jni", JNI_FALSE, "upVirtual", "(IJ)J")                                          \
    M(up_interface, "Jni$Up", JNI_FALSE, "upInterface", "(IJ)J")                                   \
    M(made_init, "Jni$Made", JNI_FALSE, "<init>", "(LJni;IJ)V")                                    \
    M(compare, "Jni", JNI_TRUE, "compare", "(II)I")                                                \
    M(note, "Jni", JNI_TRUE, "note", "(LJni;)V")

// Written once, by prepare, before the case starts its threads.
static struct {
    jclass jni, made;
    jfieldID made_sum;
#define METHOD_FIELD(name, class, is_static, java, descriptor) jmethodID name;
    METHODS(METHOD_FIELD)
#undef METHOD_FIELD
} ids;

// The C frames that downFrames puts between its own frame and Java's.
enum { FRAMES = 5 };

#define NATIVE(result, name) JNIEXPORT result JNICALL Java_Jni_##name
NATIVE(void, prepare)(JNIEnv* env, jclass class);
NATIVE(jlong, downStatic)(JNIEnv* env, jclass class, jobject that, jint level, jlong route);
NATIVE(jlong, downVirtual)(JNIEnv* env, jobject that, jint level, jlong route);
NATIVE(jlong, downPrivate)(JNIEnv* env, jobject that, jint level, jlong route);
NATIVE(jlong, downMaking)(JNIEnv* env, jobject that, jint level, jlong route);
NATIVE(jlong, downArguments)(JNIEnv* env, jclass class, jobject that, jint level, jlong route);
NATIVE(jlong, downFrames)(JNIEnv* env, jobject that, jint level, jlong route);
NATIVE(jlong, downLocked)(JNIEnv* env, jobject that, jint level, jlong route);
NATIVE(jlong, downInterface)(JNIEnv* env, jobject that, jint level, jlong route);
NATIVE(jthrowable, caught)(JNIEnv* env, jclass class, jobject that, jint level, jlong route);
NATIVE(jlong, attached)(JNIEnv* env, jclass class, jobject that, jint level, jlong route);
NATIVE(void, sort)(JNIEnv* env, jclass class, jintArray numbers);

// ---- Ids

static jclass global_class(JNIEnv* env, const char* name) {
    jclass local = (*env)->FindClass(env, name);
    return local == NULL ? NULL : (*env)->NewGlobalRef(env, local);
}

static jmethodID method(JNIEnv* env, const char* class_name, jboolean is_static, const char* name,
                        const char* descriptor) {
    jclass class = (*env)->FindClass(env, class_name);
    if (class == NULL) return NULL;
    return is_static ? (*env)->GetStaticMethodID(env, class, name, descriptor)
                     : (*env)->GetMethodID(env, class, name, descriptor);
}

// If an id is not found an exception is left pending, which ends the case.
void Java_Jni_prepare(JNIEnv* env, jclass class) {
    (void)class;
    ids.jni = global_class(env, "Jni");
    ids.made = global_class(env, "Jni$Made");
    if (ids.jni == NULL || ids.made == NULL) return;
    ids.made_sum = (*env)->GetFieldID(env, ids.made, "sum", "J");
    if (ids.made_sum == NULL) return;
#define METHOD_FIND(name, class, is_static, java, descriptor)                                      \
    if ((ids.name = method(env, class, is_static, java, descriptor)) == NULL) return;
    METHODS(METHOD_FIND)
#undef METHOD_FIND
}

// ---- Down from Java, and up again

jlong Java_Jni_downStatic(JNIEnv* env, jclass class, jobject that, jint level, jlong route) {
    case_check();
    return (*env)->CallStaticLongMethod(env, class, ids.up_static, that, level, route);
}

jlong Java_Jni_downVirtual(JNIEnv* env, jobject that, jint level, jlong route) {
    case_check();
    return 1 + (*env)->CallLongMethod(env, that, ids.up_virtual, level, route);
}

// Takes the exception, if there is one, and throws it again.
jlong Java_Jni_downPrivate(JNIEnv* env, jobject that, jint level, jlong route) {
    case_check();
    jlong sum = (*env)->CallNonvirtualLongMethod(env, that, ids.jni, ids.up_base, level, route);
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    if (thrown == NULL) return sum;
    (*env)->ExceptionClear(env);
    (*env)->Throw(env, thrown);
    return 0;
}

jlong Java_Jni_downMaking(JNIEnv* env, jobject that, jint level, jlong route) {
    case_check();
    jobject made = (*env)->NewObject(env, ids.made, ids.made_init, that, level, route);
    return made == NULL ? 0 : (*env)->GetLongField(env, made, ids.made_sum);
}

jlong Java_Jni_downArguments(JNIEnv* env, jclass class, jobject that, jint level, jlong route) {
    case_check();
    jvalue arguments[] = {{.l = that}, {.i = level}, {.j = route}};
    return (*env)->CallStaticLongMethodA(env, class, ids.up_static, arguments);
}

// Not inlined and not a tail call, so that each is a frame of C.
static __attribute__((noinline)) jlong frames(JNIEnv* env, jobject that, jint level, jlong route,
                                              int more) {
    volatile jlong sum =
        more == 0 ? (*env)->CallNonvirtualLongMethod(env, that, ids.jni, ids.up_base, level, route)
                  : frames(env, that, level, route, more - 1);
    return sum;
}

jlong Java_Jni_downFrames(JNIEnv* env, jobject that, jint level, jlong route) {
    case_check();
    return frames(env, that, level, route, FRAMES);
}

// Takes the exception, if there is one, calls Java, and throws the exception again.
jlong Java_Jni_downLocked(JNIEnv* env, jobject that, jint level, jlong route) {
    case_check();
    if ((*env)->MonitorEnter(env, that) != JNI_OK) return 0;
    jlong sum = (*env)->CallStaticLongMethod(env, ids.jni, ids.up_static, that, level, route);
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    if (thrown != NULL) {
        (*env)->ExceptionClear(env);
        (*env)->CallStaticVoidMethod(env, ids.jni, ids.note, that);
        if (!(*env)->ExceptionCheck(env)) (*env)->Throw(env, thrown);
    }
    (*env)->MonitorExit(env, that);
    return sum;
}

jlong Java_Jni_downInterface(JNIEnv* env, jobject that, jint level, jlong route) {
    case_check();
    return (*env)->CallLongMethod(env, that, ids.up_interface, level, route);
}

jthrowable Java_Jni_caught(JNIEnv* env, jclass class, jobject that, jint level, jlong route) {
    case_check();
    (*env)->CallStaticLongMethod(env, class, ids.up_static, that, level, route);
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    return thrown;
}

// ---- A thread of C

struct trip {
    JavaVM* vm;
    jobject that; // a global reference
    jint level;
    jlong route;
    jlong sum; // -1 if the thread could not attach, or an exception ended the trip
};

static void* travel(void* argument) {
    struct trip* trip = argument;
    JNIEnv* env = NULL;
    trip->sum = -1;
    if ((*trip->vm)->AttachCurrentThread(trip->vm, (void**)&env, NULL) != JNI_OK) return NULL;
    jlong sum = (*env)->CallStaticLongMethod(env, ids.jni, ids.up_static, trip->that, trip->level,
                                             trip->route);
    if (!(*env)->ExceptionCheck(env)) trip->sum = sum;
    (*env)->ExceptionClear(env);
    (*trip->vm)->DetachCurrentThread(trip->vm);
    return NULL;
}

jlong Java_Jni_attached(JNIEnv* env, jclass class, jobject that, jint level, jlong route) {
    (void)class;
    struct trip trip = {.level = level, .route = route, .sum = -1};
    pthread_t thread;
    if ((*env)->GetJavaVM(env, &trip.vm) != JNI_OK) return -1;
    trip.that = (*env)->NewGlobalRef(env, that);
    if (pthread_create(&thread, NULL, travel, &trip) == 0) pthread_join(thread, NULL);
    (*env)->DeleteGlobalRef(env, trip.that);
    return trip.sum;
}

// ---- qsort with a comparison in Java

static int compare(const void* a, const void* b, void* env_of_caller) {
    JNIEnv* env = env_of_caller;
    const jint *left = a, *right = b;
    if ((*env)->ExceptionCheck(env)) return 0;
    case_check();
    return (*env)->CallStaticIntMethod(env, ids.jni, ids.compare, *left, *right);
}

void Java_Jni_sort(JNIEnv* env, jclass class, jintArray numbers) {
    case_check();
    (void)class;
    jint* elements = (*env)->GetIntArrayElements(env, numbers, NULL);
    if (elements == NULL) return;
    size_t count = (size_t)(*env)->GetArrayLength(env, numbers);
    qsort_r(elements, count, sizeof elements[0], compare, env);
    (*env)->ReleaseIntArrayElements(env, numbers, elements, 0);
}
