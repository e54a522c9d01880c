// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The native methods of the case `births`: threads of C that live for some microseconds, and copies
// of the process.
#include <jni.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#define NATIVE(result, name) JNIEXPORT result JNICALL Java_Births_##name
NATIVE(void, prepare)(JNIEnv* env, jclass class);
NATIVE(jint, run)(JNIEnv* env, jclass class, jint threads, jint seed);
NATIVE(jint, copy)(JNIEnv* env, jclass class, jint status);

enum { THREADS_MAX = 16, DEPTH = 20, COPY_TURNS = 2000000 };

// Written once, by prepare, before the case starts its threads.
static struct {
    JavaVM* vm;
    jclass births;
    jmethodID up;
    pthread_key_t key; // whose destructor detaches the thread
} ids;

struct child {
    pthread_t thread;
    jint number, seed, right;
};

static void detach(void* value) {
    (void)value;
    (*ids.vm)->DetachCurrentThread(ids.vm);
}

// If an id is not found an exception is left pending, which ends the case.
void Java_Births_prepare(JNIEnv* env, jclass class) {
    if ((*env)->GetJavaVM(env, &ids.vm) != JNI_OK) return;
    ids.births = (*env)->NewGlobalRef(env, class);
    ids.up = (*env)->GetStaticMethodID(env, class, "up", "(I)J");
    if (pthread_key_create(&ids.key, detach) != 0)
        (*env)->FatalError(env, "no key for threads of C");
}

// Every other one attaches, and every fourth detaches by the destructor.
static void* live(void* argument) {
    struct child* child = argument;
    void* env = NULL;
    if (child->number % 2 == 0) return NULL;
    if ((*ids.vm)->AttachCurrentThread(ids.vm, &env, NULL) != JNI_OK) return NULL;
    JNIEnv* jni = env;
    jint depth = (child->seed + child->number) % DEPTH;
    child->right = (*jni)->CallStaticLongMethod(jni, ids.births, ids.up, depth) == depth;
    if (child->number % 4 == 1) (*ids.vm)->DetachCurrentThread(ids.vm);
    else pthread_setspecific(ids.key, child);
    return NULL;
}

jint Java_Births_run(JNIEnv* env, jclass class, jint threads, jint seed) {
    (void)env;
    (void)class;
    struct child children[THREADS_MAX] = {{0}};
    jint started = 0, right = 0;
    for (; started < threads && started < THREADS_MAX; started++) {
        children[started] = (struct child){.number = started, .seed = seed};
        if (pthread_create(&children[started].thread, NULL, live, &children[started]) != 0) break;
    }
    for (jint i = 0; i < started; i++) {
        pthread_join(children[i].thread, NULL);
        right += children[i].right;
    }
    return right;
}

// The child has this thread alone, and locks that nobody will give back: it only counts. A timer
// that rang in it would end it, or be an agent that goes on in a process that is not its own.
jint Java_Births_copy(JNIEnv* env, jclass class, jint status) {
    (void)env;
    (void)class;
    int end = 0;
    pid_t child = fork();
    if (child == 0) {
        for (volatile uint32_t turns = 0; turns < COPY_TURNS; turns++) continue;
        _exit(status);
    }
    if (child < 0 || waitpid(child, &end, 0) != child) return -1;
    return WIFEXITED(end) ? WEXITSTATUS(end) : -1 - WTERMSIG(end);
}
