// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A JVMTI agent that shows wrong traces of AsyncGetCallTrace. It is complete: it needs libc and a
// JDK's jvmti.h, and nothing else. Linux.
//
// Reproducer.begin() and end() bracket the work of one thread. In between a timer interrupts that
// thread up to 25,000 times a second, and the signal's handler asks AsyncGetCallTrace for its
// stack. An answer with frames must hold two facts, whatever the thread was doing:
//
//   base   The frames that stood when begin() was called return only after end(). So they are the
//          oldest frames of every trace, in the same order. begin() and end() learn them from
//          GetStackTrace, and end() refuses the whole run if the two differ.
//   calls  begin("a<b", "a<c") says that only b and c call a, as the source shows. So in every
//          trace the frame under a is one of b or c.
//
// A negative count is no wrong answer: the walker refused, and said so.
//
// The walker has rare errors under any program: one in 200,000 answers, where a thread is in a C++
// function without a frame. So the run shows its error only if wrong answers are at least one in
// SELDOM.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <jvmti.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id // glibc has no name for it
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define DEPTH 512      // frames that are asked for
#define CALLS 64       // pairs of caller and callee
#define REFUSALS 16    // AsyncGetCallTrace's codes are 0 to -10
#define SELDOM 500     // answers with frames
#define SHORTEST 25000 // nanoseconds between two samples: this, and at random as much again

struct frame { // ASGCT_CallFrame
    jint bci;
    jmethodID method;
};
struct trace { // ASGCT_CallTrace
    JNIEnv* env;
    jint count;
    struct frame* frames;
};
typedef void walker(struct trace* trace, jint depth, void* context);

struct kept { // the first wrong trace of a kind
    long number;
    double seconds;
    uintptr_t pc;
    jint count;
    struct frame frames[DEPTH];
};

static jvmtiEnv* jvmti;
static walker* walk;

// Written by the watched thread alone: in begin() and end(), and in its handler in between.
static JNIEnv* env_of_thread;
static volatile sig_atomic_t watching;
static timer_t timer;
static struct timespec began;
static uint64_t seed;
static jvmtiFrameInfo base[DEPTH];
static jint base_count;
static jmethodID carrier; // Continuation.enterSpecial, which calls a virtual thread's first method
static struct { jmethodID callee, caller; } calls[CALLS];
static int call_count;
static long samples, right, too_deep, refused[REFUSALS];
static struct kept lost, impossible;

// ---- The handler --------------------------------------------------------------------------------

static double seconds_since(const struct timespec* start) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static void next_sample(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    struct itimerspec in = {.it_value.tv_nsec = SHORTEST + (long)(seed >> 33) % SHORTEST};
    timer_settime(timer, 0, &in, NULL);
}

// A virtual thread's frames end where those of its carrier begin, which GetStackTrace leaves out.
static jint own_frames(const struct trace* trace) {
    for (jint i = 0; carrier != NULL && i < trace->count; i++)
        if (trace->frames[i].method == carrier) return i;
    return trace->count;
}

static int base_stands(const struct trace* trace) {
    jint above = own_frames(trace) - base_count;
    if (above < 0) return 0;
    for (jint i = 0; i < base_count; i++)
        if (trace->frames[above + i].method != base[i].method) return 0;
    return 1;
}

static int call_is_possible(jmethodID callee, jmethodID caller) {
    int known = 0;
    for (int i = 0; i < call_count; i++) {
        if (calls[i].callee != callee) continue;
        if (calls[i].caller == caller) return 1;
        known = 1;
    }
    return !known;
}

static int calls_are_possible(const struct trace* trace) {
    for (jint i = 0; i + 1 < trace->count; i++)
        if (!call_is_possible(trace->frames[i].method, trace->frames[i + 1].method)) return 0;
    return 1;
}

static void keep(struct kept* kept, const struct trace* trace, const ucontext_t* context) {
    if (kept->number++ != 0) return;
    kept->seconds = seconds_since(&began);
    kept->count = trace->count;
    memcpy(kept->frames, trace->frames, (size_t)trace->count * sizeof *trace->frames);
#if defined __x86_64__
    kept->pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    kept->pc = (uintptr_t)context->uc_mcontext.pc;
#endif
}

static void on_signal(int signal, siginfo_t* info, void* context) {
    static struct frame frames[DEPTH];
    int saved = errno;
    (void)signal, (void)info;
    if (watching) {
        struct trace trace = {env_of_thread, 0, frames};
        walk(&trace, DEPTH, context);
        samples++;
        if (trace.count <= 0) refused[trace.count > -REFUSALS ? -trace.count : REFUSALS - 1]++;
        else if (trace.count == DEPTH) too_deep++;
        else if (!base_stands(&trace)) keep(&lost, &trace, context);
        else if (!calls_are_possible(&trace)) keep(&impossible, &trace, context);
        else right++;
        next_sample();
    }
    errno = saved;
}

// ---- What was seen ------------------------------------------------------------------------------

static void print_method(jmethodID method, jint bci) {
    char *name = NULL, *class_name = NULL;
    jclass class = NULL;
    if (method == NULL || (*jvmti)->GetMethodName(jvmti, method, &name, NULL, NULL) != 0 ||
        (*jvmti)->GetMethodDeclaringClass(jvmti, method, &class) != 0 ||
        (*jvmti)->GetClassSignature(jvmti, class, &class_name, NULL) != 0) {
        printf("    (no method: %p)", (void*)method);
        return;
    }
    printf("    %.*s.%s", (int)strcspn(class_name + 1, ";"), class_name + 1, name);
    if (bci >= 0) printf(" @%d", (int)bci);
    else printf(" (native)");
    (*jvmti)->Deallocate(jvmti, (unsigned char*)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char*)class_name);
}

static void print_kept(const struct kept* kept, const char* fact) {
    Dl_info place = {.dli_fname = NULL};
    if (kept->number == 0) return;
    printf("\n%ld traces %s. The first, after %.3f s, pc 0x%lx", kept->number, fact, kept->seconds,
           (unsigned long)kept->pc);
    if (dladdr((void*)kept->pc, &place) != 0 && place.dli_fname != NULL)
        printf(" = %s+0x%lx", place.dli_fname,
               (unsigned long)(kept->pc - (uintptr_t)place.dli_fbase));
    printf(", youngest frame first:\n");
    for (jint i = 0; i < kept->count; i++) {
        jmethodID method = kept->frames[i].method;
        print_method(method, kept->frames[i].bci);
        bool possible = i == 0 || call_is_possible(kept->frames[i - 1].method, method);
        printf("%s\n", possible ? "" : "    <- does not call the frame above");
    }
}

static void print_result(double seconds) {
    long wrong = lost.number + impossible.number, all = 0;
    double first = lost.number != 0 ? lost.seconds : seconds;
    if (impossible.number != 0 && impossible.seconds < first) first = impossible.seconds;
    printf("Before and after, GetStackTrace gave these frames, which must end every trace:\n");
    for (jint i = 0; i < base_count; i++) {
        print_method(base[i].method, (jint)base[i].location);
        printf("\n");
    }
    print_kept(&lost, "lack one of them");
    print_kept(&impossible, "show a call that the program does not make");
    printf("\nrefused:");
    for (int i = 0; i < REFUSALS; i++) {
        if (refused[i] != 0) printf(" %ld with %d", refused[i], -i);
        all += refused[i];
    }
    printf("%s\n", all == 0 ? " none" : "");
    bool shown = wrong != 0 && wrong * SELDOM >= wrong + right;
    if (wrong != 0 && !shown)
        printf("wrong answers are fewer than one in %d, as other errors are\n", SELDOM);
    printf("result: wrong=%ld right=%ld refused=%ld too_deep=%ld samples=%ld seconds=%.1f "
           "first=%.3f shown=%d\n",
           wrong, right, all, too_deep, samples, seconds, wrong != 0 ? first : -1, shown);
    fflush(stdout);
}

// ---- The two natives ----------------------------------------------------------------------------

// Of the caller: without the native method itself.
static jint stack(jvmtiFrameInfo* frames) {
    jint count = 0;
    if ((*jvmti)->GetStackTrace(jvmti, NULL, 1, DEPTH, frames, &count) != 0) return 0;
    return count;
}

// "callee<caller", both methods of the class, by names that it does not overload.
static int add_call(JNIEnv* env, jclass class, jstring text) {
    const char* pair = (*env)->GetStringUTFChars(env, text, NULL);
    size_t length = strcspn(pair, "<");
    jint count = 0;
    jmethodID* methods = NULL;
    (*jvmti)->GetClassMethods(jvmti, class, &count, &methods);
    for (jint i = 0; i < count; i++) {
        char* name = NULL;
        (*jvmti)->GetMethodName(jvmti, methods[i], &name, NULL, NULL);
        if (strlen(name) == length && strncmp(name, pair, length) == 0)
            calls[call_count].callee = methods[i];
        if (strcmp(name, pair + length + 1) == 0) calls[call_count].caller = methods[i];
        (*jvmti)->Deallocate(jvmti, (unsigned char*)name);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char*)methods);
    (*env)->ReleaseStringUTFChars(env, text, pair);
    return calls[call_count].callee != NULL && calls[call_count++].caller != NULL;
}

// Releases without virtual threads have no such method.
static void find_carrier(JNIEnv* env) {
    jclass class = (*env)->FindClass(env, "jdk/internal/vm/Continuation");
    if (class != NULL)
        carrier = (*env)->GetStaticMethodID(env, class, "enterSpecial",
                                            "(Ljdk/internal/vm/Continuation;ZZ)V");
    (*env)->ExceptionClear(env);
}

static void give_up(const char* why) {
    fprintf(stderr, "reproducer: %s\n", why);
    _exit(3);
}

JNIEXPORT void JNICALL Java_Reproducer_begin(JNIEnv* env, jclass class, jobjectArray pairs) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    jint count = (*env)->GetArrayLength(env, pairs);
    if (count > CALLS) give_up("too many calls");
    for (jint i = 0; i < count; i++)
        if (!add_call(env, class, (jstring)(*env)->GetObjectArrayElement(env, pairs, i)))
            give_up("no such methods");
    if ((base_count = stack(base)) == 0) give_up("GetStackTrace failed");
    find_carrier(env);
    env_of_thread = env;
    clock_gettime(CLOCK_MONOTONIC, &began);
    seed = (uint64_t)began.tv_nsec;
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    if (sigaction(SIGPROF, &action, NULL) != 0 ||
        timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
        give_up(strerror(errno));
    watching = 1;
    next_sample();
}

JNIEXPORT jboolean JNICALL Java_Reproducer_end(JNIEnv* env, jclass class) {
    static jvmtiFrameInfo frames[DEPTH];
    (void)env, (void)class;
    watching = 0;
    timer_delete(timer);
    jint count = stack(frames);
    for (jint i = 0; i < base_count; i++)
        if (count != base_count || frames[i].method != base[i].method)
            give_up("GetStackTrace in end() does not agree with that in begin()");
    print_result(seconds_since(&began));
    return lost.number + impossible.number != 0;
}

// ---- The agent ----------------------------------------------------------------------------------

// AsyncGetCallTrace answers -1 unless this event is on.
static void JNICALL on_load(jvmtiEnv* e, JNIEnv* env, jthread thread, jclass class) {
    (void)e, (void)env, (void)thread, (void)class;
}

// It makes no method's id by itself: they are made here.
static void JNICALL on_prepare(jvmtiEnv* e, JNIEnv* env, jthread thread, jclass class) {
    jint count;
    jmethodID* methods;
    (void)env, (void)thread;
    if ((*e)->GetClassMethods(e, class, &count, &methods) == 0)
        (*e)->Deallocate(e, (unsigned char*)methods);
}

static void JNICALL on_init(jvmtiEnv* e, JNIEnv* env, jthread thread) {
    jint count;
    jclass* classes;
    if ((*e)->GetLoadedClasses(e, &count, &classes) != 0) return;
    for (jint i = 0; i < count; i++) on_prepare(e, env, thread, classes[i]);
    (*e)->Deallocate(e, (unsigned char*)classes);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void* reserved) {
    const jvmtiEventCallbacks callbacks = {
        .VMInit = on_init, .ClassLoad = on_load, .ClassPrepare = on_prepare};
    (void)options, (void)reserved;
    *(void**)&walk = dlsym(RTLD_DEFAULT, "AsyncGetCallTrace");
    if (walk == NULL) give_up("this JVM has no AsyncGetCallTrace");
    if ((*vm)->GetEnv(vm, (void**)&jvmti, JVMTI_VERSION_1_1) != JNI_OK) give_up("no JVMTI");
    (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, NULL);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL);
    return 0;
}
