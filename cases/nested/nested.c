// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The native methods of the case `nested`: a second sampler. It keeps no answer, only whether all
// answers were possible.
#include <dlfcn.h>
#include <errno.h>
#include <jni.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cases/cases.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { DEPTH = 512, INTERVAL_NS = 200000, CODE_LOWEST = -10 };

JNIEXPORT jboolean JNICALL Java_Nested_arm(JNIEnv* env, jclass class);
JNIEXPORT jlong JNICALL Java_Nested_walks(JNIEnv* env, jclass class);

static JavaVM* vm;
static agct_walker* walk;
static long walks, wrong_env, wrong_count; // atomic
// Set before the timer starts, so that the handler is never the first to touch them.
static __thread JNIEnv* own_env;
static __thread struct agct_frame frames[DEPTH];
static __thread bool detached;

// A thread that ends is detached before its timer is gone. It is never attached again.
static bool is_right(jint status, const void* env) {
    if (status == JNI_EDETACHED && env == NULL) detached = true;
    return detached ? status == JNI_EDETACHED : status == JNI_OK && env == own_env;
}

static void on_signal(int signal, siginfo_t* info, void* context) {
    int saved = errno;
    void* env = NULL;
    (void)signal;
    (void)info;
    struct agct_trace trace = {own_env, 1, frames};
    int status = (*vm)->GetEnv(vm, &env, JNI_VERSION_1_6);
    if (!is_right(status, env)) __atomic_add_fetch(&wrong_env, 1, __ATOMIC_RELAXED);
    trace.env = env;
    walk(&trace, DEPTH, context);
    if (trace.count < CODE_LOWEST || trace.count > DEPTH)
        __atomic_add_fetch(&wrong_count, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&walks, 1, __ATOMIC_RELAXED);
    errno = saved;
}

// Asks libjvm's own handle: libjvm need not be in the global scope.
static agct_walker* find_walker(void) {
    void* library = dlopen("libjvm.so", RTLD_LAZY | RTLD_NOLOAD);
    void* found = dlsym(library != NULL ? library : RTLD_DEFAULT, "AsyncGetCallTrace");
    agct_walker* function = NULL;
    memcpy(&function, &found, sizeof function);
    return function;
}

static int handle_signals(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGPROF);
    return sigaction(SIGVTALRM, &action, NULL);
}

// The timer belongs to the thread, and lasts until the process ends: the case has few workers.
static int arm_timer(void) {
    timer_t timer;
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGVTALRM;
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    const struct itimerspec every = {{0, INTERVAL_NS}, {0, INTERVAL_NS}};
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) return -1;
    return timer_settime(timer, 0, &every, NULL);
}

jboolean Java_Nested_arm(JNIEnv* env, jclass class) {
    (void)class;
    own_env = env;
    memset(frames, 0, sizeof frames);
    if ((*env)->GetJavaVM(env, &vm) != JNI_OK) return JNI_FALSE;
    walk = find_walker();
    if (walk == NULL || handle_signals() != 0) return JNI_FALSE;
    return arm_timer() == 0 ? JNI_TRUE : JNI_FALSE;
}

jlong Java_Nested_walks(JNIEnv* env, jclass class) {
    (void)env;
    (void)class;
    if (__atomic_load_n(&wrong_env, __ATOMIC_RELAXED) != 0) return -1;
    if (__atomic_load_n(&wrong_count, __ATOMIC_RELAXED) != 0) return -2;
    return __atomic_load_n(&walks, __ATOMIC_RELAXED);
}
