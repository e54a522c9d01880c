// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The native methods of the case `stepped`: calls a Java method under the processor's trap flag and
// notes how the calling thread's trace stack changes from instruction to instruction.
#include <jni.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "cases/cases.h"

enum { CHANGES_MAX = 8192 };
#define TRAP_FLAG 0x100

JNIEXPORT jboolean JNICALL Java_Stepped_open(JNIEnv* env, jclass class);
JNIEXPORT jint JNICALL Java_Stepped_step(JNIEnv* env, jclass class, jint kind, jlongArray changes,
                                         jintArray lengths);

// The agent's (agent/agent.h): the depth of the calling thread's trace stack and its youngest
// method.
static int32_t (*youngest)(uint32_t* method);
static jmethodID work;

static __thread uint64_t changes[CHANGES_MAX]; // depth << 32 | youngest method
static __thread uint32_t lengths[CHANGES_MAX]; // instructions until the next change
static __thread uint32_t change_count;

// Comes before each instruction.
static void on_trap(int signal, siginfo_t* info, void* context) {
    uint32_t method = 0;
    (void)signal, (void)info, (void)context;
    int32_t depth = youngest(&method);
    if (depth < 0) return;
    uint64_t now = (uint64_t)depth << 32 | method;
    if (change_count == 0 || changes[change_count - 1] != now) {
        if (change_count == CHANGES_MAX) return;
        lengths[change_count] = 0;
        changes[change_count++] = now;
    }
    lengths[change_count - 1]++;
}

// What the JVM needs to go on stays open.
static void close_signals(sigset_t* set) {
    static const int synchronous[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
    sigfillset(set);
    for (size_t i = 0; i < sizeof synchronous / sizeof synchronous[0]; i++)
        sigdelset(set, synchronous[i]);
}

JNIEXPORT jboolean JNICALL Java_Stepped_open(JNIEnv* env, jclass class) {
    void* found = case_agent_function("plumbline_youngest");
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    memcpy(&youngest, &found, sizeof youngest);
    work = (*env)->GetStaticMethodID(env, class, "work", "(I)I");
    if (youngest == NULL || work == NULL) return JNI_FALSE;
    action.sa_sigaction = on_trap;
    close_signals(&action.sa_mask);
    return sigaction(SIGTRAP, &action, NULL) == 0;
}

#if defined(__x86_64__)
static void set_trap_flag(void) {
    __asm__ volatile("pushfq\n\torq %0, (%%rsp)\n\tpopfq" : : "i"(TRAP_FLAG) : "memory", "cc");
}

static void clear_trap_flag(void) {
    __asm__ volatile("pushfq\n\tandq %0, (%%rsp)\n\tpopfq" : : "i"(~TRAP_FLAG) : "memory", "cc");
}
#else
static void set_trap_flag(void) {}

static void clear_trap_flag(void) {}
#endif

// Samplers' signals wait: they would find this library's handler on the stack.
JNIEXPORT jint JNICALL Java_Stepped_step(JNIEnv* env, jclass class, jint kind, jlongArray to,
                                         jintArray lengths_to) {
    sigset_t closed, before;
    close_signals(&closed);
    change_count = 0;
    pthread_sigmask(SIG_BLOCK, &closed, &before);
    set_trap_flag();
    (*env)->CallStaticIntMethod(env, class, work, kind);
    clear_trap_flag();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (change_count == CHANGES_MAX) return -1;
    (*env)->SetLongArrayRegion(env, to, 0, (jsize)change_count, (const jlong*)changes);
    (*env)->SetIntArrayRegion(env, lengths_to, 0, (jsize)change_count, (const jint*)lengths);
    return (jint)change_count;
}
