// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Stands in for the walkers that no released JVM has, with their real structures, and answers
// through AsyncGetCallTrace. So their descriptions in agent/walkers.ini are tried end to end.
//
// The library is preloaded, so that its functions are found, and named by -agentpath besides, so
// that it hears of threads: AsyncGetStackTrace finds the thread by the context's stack pointer.
// With PLUMBLINE_STANDIN=draft it has the structures of the draft of JEP 435.
//
// Sources: JEP 435 (January 2023: the draft), and src/java.base/share/native/include/profile.h of
// the branch that goes with it (the later form, which walks other threads).
#include <dlfcn.h>
#include <jvmti.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "cases/cases.h"

#define EXPORT __attribute__((visibility("default")))
#define THREADS 1024

// ---- AsyncGetCallTrace --------------------------------------------------------------------------

enum { AGCT_THREAD_EXIT = -8, AGCT_SAFEPOINT = -10 };

static agct_walker* real;
static bool draft;

// ---- AsyncGetStackTrace -------------------------------------------------------------------------

struct stack_frame { // the Java side of a union; as large as an AsyncGetCallTrace's frame
    uint8_t type;
    int8_t level;
    uint16_t bci;
    jmethodID method;
};
_Static_assert(sizeof(struct stack_frame) == sizeof(struct agct_frame), "changed in place");

struct stack_trace {
    jint count;
    uint8_t kind;
    jint state;
    struct stack_frame* frames;
    void* more;
};
struct draft_trace {
    jint count;
    uint8_t kind;
    struct stack_frame* frames;
    void* more;
};

enum { FRAME_JAVA = 1, FRAME_NATIVE = 3 };
enum { TRACE_JAVA = 1, DRAFT_TRACE_JAVA = 0, STATE_ALIVE = 1, LEVEL_UNKNOWN = -1 };
enum { THREAD_NOT_JAVA = -10, NO_THREAD = -11, UNSAFE_STATE = -12 };
enum { WALK_SAME_THREAD = 8 };

EXPORT void AsyncGetStackTrace(void* trace, jint depth, void* ucontext, uint32_t options);
EXPORT void AsyncGetCallTrace(struct agct_trace* trace, jint depth, void* ucontext, jint thread);

// ---- Threads ------------------------------------------------------------------------------------

struct java_thread {
    bool taken;  // atomic
    JNIEnv* env; // atomic; NULL: not to be read
    uintptr_t low, high;
    pid_t id;
};

static struct java_thread threads[THREADS];

static void fail(const char* what) {
    fprintf(stderr, "plumbline stand-in: %s\n", what);
    exit(3);
}

static void add_thread(JNIEnv* env) {
    pthread_attr_t attributes;
    void* low;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) fail("a thread without a stack");
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    // Without a lock: a thread that waited for one would be sampled meanwhile, and not be known.
    for (int i = 0; i < THREADS; i++) {
        struct java_thread* t = &threads[i];
        if (__atomic_exchange_n(&t->taken, true, __ATOMIC_ACQUIRE)) continue;
        t->low = (uintptr_t)low;
        t->high = (uintptr_t)low + size;
        t->id = (pid_t)syscall(SYS_gettid);
        __atomic_store_n(&t->env, env, __ATOMIC_RELEASE);
        return;
    }
    fail("too many threads");
}

static void remove_thread(const JNIEnv* env) {
    for (int i = 0; i < THREADS; i++) {
        struct java_thread* t = &threads[i];
        if (__atomic_load_n(&t->env, __ATOMIC_ACQUIRE) != env) continue;
        __atomic_store_n(&t->env, NULL, __ATOMIC_RELEASE);
        __atomic_store_n(&t->taken, false, __ATOMIC_RELEASE);
    }
}

// May run in a signal handler. NULL: no Java thread's stack has the address.
static const struct java_thread* thread_at(uintptr_t sp) {
    for (int i = 0; i < THREADS; i++) {
        const struct java_thread* t = &threads[i];
        if (__atomic_load_n(&t->env, __ATOMIC_ACQUIRE) != NULL && sp >= t->low && sp < t->high)
            return t;
    }
    return NULL;
}

static uintptr_t stack_pointer(const ucontext_t* context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#else
    return context->uc_mcontext.sp;
#endif
}

// ---- Walking ------------------------------------------------------------------------------------

// From the youngest on, so that no frame is written over before it was read.
static void change_frames(struct stack_frame* frames, jint count) {
    for (jint i = 0; i < count; i++) {
        struct agct_frame from;
        memcpy(&from, &frames[i], sizeof from);
        bool native = from.bci == AGCT_NATIVE;
        frames[i] = (struct stack_frame){.type = native ? FRAME_NATIVE : FRAME_JAVA,
                                         .level = LEVEL_UNKNOWN,
                                         .bci = (uint16_t)(native && draft ? 0
                                                           : native        ? -1
                                                                           : from.bci),
                                         .method = from.method};
    }
}

static jint walk(struct stack_frame* frames, jint depth, void* ucontext, bool same) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    const struct java_thread* t = thread_at(same ? here : stack_pointer(ucontext));
    if (t == NULL) return same ? THREAD_NOT_JAVA : NO_THREAD;
    struct agct_trace trace = {t->env, 0, (struct agct_frame*)frames};
    real(&trace, depth, ucontext);
    if (trace.count > 0) change_frames(frames, trace.count < depth ? trace.count : depth);
    return trace.count == AGCT_SAFEPOINT ? UNSAFE_STATE : trace.count;
}

void AsyncGetStackTrace(void* of, jint depth, void* ucontext, uint32_t options) {
    if (draft) {
        struct draft_trace* trace = of;
        trace->count = walk(trace->frames, depth, ucontext, true);
        trace->kind = DRAFT_TRACE_JAVA;
        trace->more = NULL;
    } else {
        struct stack_trace* trace = of;
        trace->count = walk(trace->frames, depth, ucontext, (options & WALK_SAME_THREAD) != 0);
        trace->kind = TRACE_JAVA;
        trace->state = STATE_ALIVE;
        trace->more = NULL;
    }
}

// The variant with the thread's id.
void AsyncGetCallTrace(struct agct_trace* trace, jint depth, void* ucontext, jint thread) {
    const struct java_thread* t = thread_at((uintptr_t)__builtin_frame_address(0));
    if (t != NULL && t->id == thread && t->env == trace->env) real(trace, depth, ucontext);
    else trace->count = AGCT_THREAD_EXIT;
}

// ---- The agent ----------------------------------------------------------------------------------

static void JNICALL on_start(jvmtiEnv* jvmti, JNIEnv* env, jthread thread) {
    (void)jvmti, (void)thread;
    add_thread(env);
}

static void JNICALL on_end(jvmtiEnv* jvmti, JNIEnv* env, jthread thread) {
    (void)jvmti, (void)thread;
    remove_thread(env);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void* reserved) {
    const jvmtiEventCallbacks callbacks = {
        .VMInit = on_start, .ThreadStart = on_start, .ThreadEnd = on_end};
    const jvmtiEvent events[] = {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_THREAD_START,
                                 JVMTI_EVENT_THREAD_END};
    const char* form = getenv("PLUMBLINE_STANDIN");
    jvmtiEnv* jvmti;
    (void)options, (void)reserved;
    draft = form != NULL && strcmp(form, "draft") == 0;
    // The seeded faults' library may be preloaded behind this one.
    void* library = dlopen("libjvm.so", RTLD_LAZY | RTLD_NOLOAD);
    void* next = dlsym(RTLD_NEXT, "AsyncGetCallTrace");
    if (next == NULL && library != NULL) next = dlsym(library, "AsyncGetCallTrace");
    real = (agct_walker*)(uintptr_t)next;
    if (real == NULL) fail("there is no AsyncGetCallTrace");
    if ((*vm)->GetEnv(vm, (void**)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) fail("no JVMTI");
    (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, events[i], NULL);
    return JNI_OK;
}
