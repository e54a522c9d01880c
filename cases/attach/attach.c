// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The native methods of the case `attach`: threads of C that attach and detach many times.
#include <jni.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define NATIVE(result, name) JNIEXPORT result JNICALL Java_Attach_##name
NATIVE(void, prepare)(JNIEnv* env, jclass class);
NATIVE(jint, run)(JNIEnv* env, jclass class, jint threads, jint rounds, jint depth, jint seed);
NATIVE(jlong, down)(JNIEnv* env, jclass class, jint level, jint seed);

enum { THREADS_MAX = 8, OWN_WORK = 20000 };

// Written once, by prepare, before the case starts its threads.
static struct {
    JavaVM* vm;
    jclass attach, deep;
    jmethodID up, fail;
    jfieldID seed;
} ids;

struct traveller {
    pthread_t thread;
    jint number, rounds, depth, seed;
    jint right;             // calls that returned the right result
    volatile unsigned work; // done in C alone
};

// If an id is not found an exception is left pending, which ends the case.
void Java_Attach_prepare(JNIEnv* env, jclass class) {
    if ((*env)->GetJavaVM(env, &ids.vm) != JNI_OK) return;
    ids.attach = (*env)->NewGlobalRef(env, class);
    jclass deep = (*env)->FindClass(env, "Attach$Deep");
    if (deep == NULL) return;
    ids.deep = (*env)->NewGlobalRef(env, deep);
    ids.seed = (*env)->GetFieldID(env, deep, "seed", "I");
    if (ids.seed == NULL) return;
    ids.up = (*env)->GetStaticMethodID(env, class, "up", "(II)J");
    if (ids.up == NULL) return;
    ids.fail = (*env)->GetStaticMethodID(env, class, "fail", "(II)J");
}

jlong Java_Attach_down(JNIEnv* env, jclass class, jint level, jint seed) {
    return (*env)->CallStaticLongMethod(env, class, ids.up, level, seed);
}

static JNIEnv* attach(const struct traveller* traveller, jint round) {
    char name[] = "traveller";
    JavaVMAttachArgs arguments = {JNI_VERSION_1_6, name, NULL};
    void* arguments_or_none = round % 2 == 0 ? &arguments : NULL;
    void* env = NULL;
    jint status = (traveller->number + round) % 3 == 0
                      ? (*ids.vm)->AttachCurrentThreadAsDaemon(ids.vm, &env, arguments_or_none)
                      : (*ids.vm)->AttachCurrentThread(ids.vm, &env, arguments_or_none);
    return status == JNI_OK ? env : NULL;
}

static bool comes_back(JNIEnv* env, jint depth, jint seed) {
    jlong sum = (*env)->CallStaticLongMethod(env, ids.attach, ids.up, depth, seed);
    return !(*env)->ExceptionCheck(env) && sum == (jlong)depth + seed;
}

// True if Java threw the exception that belongs to this call.
static bool fails(JNIEnv* env, jint depth, jint seed) {
    (*env)->CallStaticLongMethod(env, ids.attach, ids.fail, depth, seed);
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    if (thrown == NULL) return false;
    (*env)->ExceptionClear(env);
    return (*env)->IsInstanceOf(env, thrown, ids.deep) &&
           (*env)->GetIntField(env, thrown, ids.seed) == seed;
}

static void* travel(void* argument) {
    struct traveller* traveller = argument;
    for (jint round = 0; round < traveller->rounds; round++) {
        JNIEnv* env = attach(traveller, round);
        if (env == NULL) break;
        jint seed = traveller->seed + round;
        bool right = round % 4 == 3 ? fails(env, traveller->depth, seed)
                                    : comes_back(env, traveller->depth, seed);
        (*env)->ExceptionClear(env);
        if ((*ids.vm)->DetachCurrentThread(ids.vm) != JNI_OK) break;
        traveller->right += right ? 1 : 0;
        for (int i = 0; i < OWN_WORK; i++) traveller->work = traveller->work * 31 + (unsigned)i;
    }
    return NULL;
}

jint Java_Attach_run(JNIEnv* env, jclass class, jint threads, jint rounds, jint depth, jint seed) {
    (void)env;
    (void)class;
    struct traveller travellers[THREADS_MAX] = {{0}};
    jint started = 0, right = 0;
    for (; started < threads && started < THREADS_MAX; started++) {
        struct traveller* one = &travellers[started];
        *one = (struct traveller){
            .number = started, .rounds = rounds, .depth = depth, .seed = seed + 7 * started};
        if (pthread_create(&one->thread, NULL, travel, one) != 0) break;
    }
    for (jint i = 0; i < started; i++) {
        pthread_join(travellers[i].thread, NULL);
        right += travellers[i].right;
    }
    return right;
}
