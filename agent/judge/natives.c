// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "parts.h"

#include <stdio.h>
#include <string.h>

#include "agent/classes/classes.h"
#include "agent/code/code.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "instrument/instrument.h"
#include "judge.h"

// The natives have a section of their own, so that a program counter in them is known as ours.
#define OWN_CODE __attribute__((section("plumbline_natives"), noinline))
extern const char own_start[] __asm__("__start_plumbline_natives")
    __attribute__((visibility("hidden")));
extern const char own_end[] __asm__("__stop_plumbline_natives")
    __attribute__((visibility("hidden")));

// How deep the machine stack is, in units of 16 bytes, growing with depth.
static inline uint32_t position(void) {
    return natives_position(MACHINE_ENTRY());
}

// Which natives these are is known when they are compiled: a test in each push would cost a third
// of its time. `inlined`: they are the slow way of inlined code, which records no
// position, so none of the trace stack's entries has one (oracle/README.md, "Inlined pushes").
static inline __attribute__((always_inline)) void push_one(JNIEnv* env, jint method, bool inlined) {
    struct agent_thread* t = thread_current;
    if (__builtin_expect(t == NULL, 0)) {
        t = thread_adopt(env);
        if (t == NULL) return;
    }
    if (inlined) {
        thread_account(t);
        t->now->ground_checks++;
    }
    oracle_push(&t->stack, (uint32_t)method, inlined ? 0 : position());
    bool due = --t->countdown == 0 || t->accused_count != 0 ||
               (inlined && __atomic_load_n(&t->overdue, __ATOMIC_RELAXED) != 0);
    if (__builtin_expect(due, 0)) check_push(t);
    if (inlined) thread_reopen(t);
}

static inline __attribute__((always_inline)) void pop_one(jint method, bool inlined) {
    struct agent_thread* t = thread_current;
    if (__builtin_expect(t == NULL, 0)) return;
    if (inlined) thread_account(t);
    else t->now->ground_checks++;
    // First: a trace stack that is mended here has accused nobody.
    if (__builtin_expect(!oracle_fits(&t->stack, (uint32_t)method), 0))
        check_misfit(t, (uint32_t)method);
    if (__builtin_expect(t->accused_count != 0, 0)) check_pop(t);
    oracle_pop(&t->stack, (uint32_t)method);
    if (inlined) thread_reopen(t);
}

static inline __attribute__((always_inline)) void catch_one(jint method, bool inlined) {
    struct agent_thread* t = thread_current;
    if (t == NULL) return;
    if (inlined) thread_account(t);
    check_caught(t, (uint32_t)method);
    if (inlined) thread_reopen(t);
}

OWN_CODE static void JNICALL push(JNIEnv* env, jclass unused, jint method) {
    (void)unused;
    push_one(env, method, false);
}

OWN_CODE static void JNICALL pop(JNIEnv* env, jclass unused, jint method) {
    (void)env, (void)unused;
    pop_one(method, false);
}

OWN_CODE static void JNICALL pushed(JNIEnv* env, jclass unused, jint method) {
    (void)unused;
    push_one(env, method, true);
}

OWN_CODE static void JNICALL popped(JNIEnv* env, jclass unused, jint method) {
    (void)env, (void)unused;
    pop_one(method, true);
}

OWN_CODE static void JNICALL caught(JNIEnv* env, jclass unused, jint method) {
    (void)env, (void)unused;
    catch_one(method, false);
}

OWN_CODE static void JNICALL handled(JNIEnv* env, jclass unused, jint method) {
    (void)env, (void)unused;
    catch_one(method, true);
}

// Which methods' pushes look for checks (classes/inlined/plumbline/Trace.java): by the seed, or all
// where one push in so many is asked for.
static jint JNICALL drawn(JNIEnv* env, jclass unused) {
    (void)env, (void)unused;
    if (agent.options.checks.one_in != 0 || agent.options.gaps.one_in != 0) return -1;
    return (jint)(random_seed(agent.options.seed, 0) & 0xffff);
}

// Of how many methods one looks for checks, less one; -1: the class itself says.
static jint JNICALL mask(JNIEnv* env, jclass unused) {
    (void)env, (void)unused;
    return (jint)agent.options.looking - 1;
}

// The address of a word that is always 0. Every push reads it, so nothing that is written lies in
// its cache line.
static jlong JNICALL zero(JNIEnv* env, jclass unused) {
    (void)env, (void)unused;
    static const uint64_t word;
    return (jlong)(uintptr_t)&word;
}

// In other states than this one a thread may not call JVMTI: in a critical call of
// java.lang.foreign, say, it is still in Java.
JNIEXPORT void plumbline_check(void) {
    struct agent_thread* t = thread_current;
    if (t == NULL || code_thread_state(t->hotspot) != RESULTS_THREAD_IN_NATIVE) return;
    if (!__atomic_load_n(&agent.stopped, __ATOMIC_ACQUIRE)) check_inside(t);
}

JNIEXPORT HANDLER_SAFE int32_t plumbline_youngest(uint32_t* method) {
    const struct agent_thread* t = thread_current;
    if (t == NULL || t->mending) return -1;
    uint32_t top = oracle_top(&t->stack);
    *method = top != 0 ? t->stack.frames[top - 1].number : 0;
    return (int32_t)oracle_stack_depth(&t->stack);
}

// ---- What inlined pushes call -------------------------------------------------------------------

#define CALLS_MAX 8
static uintptr_t calls[CALLS_MAX];
static uint32_t call_count;

static int learn_call(JNIEnv* env, jmethodID id) {
    if (id == NULL) (*env)->ExceptionDescribe(env);
    else calls[call_count++] = (uintptr_t)id;
    return id != NULL ? 0 : -1;
}

static int learn_unsafe(JNIEnv* env, jclass unsafe) {
    static const struct {
        const char *name, *descriptor;
        int since; // release
    } natives[] = {
        {"getInt", "(Ljava/lang/Object;J)I", 8},
        {"getLong", "(Ljava/lang/Object;J)J", 8},
        {"putInt", "(Ljava/lang/Object;JI)V", 8},
        {"putLong", "(Ljava/lang/Object;JJ)V", 8},
        {"getReference", "(Ljava/lang/Object;J)Ljava/lang/Object;", 19},
    };
    for (size_t i = 0; i < sizeof natives / sizeof natives[0]; i++)
        if (agent.release >= natives[i].since &&
            learn_call(
                env, (*env)->GetMethodID(env, unsafe, natives[i].name, natives[i].descriptor)) != 0)
            return -1;
    return 0;
}

int natives_learn_calls(JNIEnv* env) {
    const char* name = agent.release < 9 ? "sun/misc/Unsafe" : "jdk/internal/misc/Unsafe";
    jclass object = (*env)->FindClass(env, "java/lang/Object");
    jclass thread = (*env)->FindClass(env, "java/lang/Thread");
    jclass unsafe = (*env)->FindClass(env, name);
    if (object == NULL || thread == NULL || unsafe == NULL) return -1;
    jmethodID current =
        (*env)->GetStaticMethodID(env, thread, "currentThread", "()Ljava/lang/Thread;");
    // Of a virtual thread, whose slot is its carrier's.
    jmethodID class_of = (*env)->GetMethodID(env, object, "getClass", "()Ljava/lang/Class;");
    if (learn_call(env, current) != 0 || learn_call(env, class_of) != 0 ||
        learn_unsafe(env, unsafe) != 0)
        return -1;
    (*env)->DeleteLocalRef(env, object);
    (*env)->DeleteLocalRef(env, thread);
    (*env)->DeleteLocalRef(env, unsafe);
    return 0;
}

HANDLER_COMMON bool natives_call(uintptr_t method) {
    for (uint32_t i = 0; i < call_count; i++)
        if (calls[i] == method) return true;
    return false;
}

// ---- Defining -----------------------------------------------------------------------------------

#define NATIVE(name, descriptor, function)                                                         \
    (JNINativeMethod) {                                                                            \
        (char*)(uintptr_t)name, (char*)(uintptr_t)descriptor, (void*)(uintptr_t)function           \
    }

// The id of a method of the runtime class, which is named as ours; 0: there is none.
static uintptr_t own(JNIEnv* env, const char* name, const char* descriptor) {
    jmethodID id = (*env)->GetStaticMethodID(env, runtime_class(), name, descriptor);
    if (id == NULL) {
        (*env)->ExceptionDescribe(env);
        return 0;
    }
    names_own(id, name, descriptor);
    return (uintptr_t)id;
}

// The interpreter has none of the intrinsics of which inlined pushes consist.
static bool is_interpreted(void) {
    char* info = NULL;
    if ((*agent.jvmti)->GetSystemProperty(agent.jvmti, "java.vm.info", &info) != JVMTI_ERROR_NONE)
        return false;
    bool interpreted = strncmp(info, "interpreted", 11) == 0;
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)info);
    return interpreted;
}

static bool choose_inlined(JNIEnv* env) {
    if (agent.options.push == AGENT_PUSH_NATIVE || agent.options.scope == AGENT_SCOPE_NONE)
        return false;
    return (agent.options.push == AGENT_PUSH_INLINE || !is_interpreted()) && thread_find_place(env);
}

int natives_define(JNIEnv* env) {
    agent.inlined = choose_inlined(env);
    snprintf(agent.run->push, sizeof agent.run->push, "%s", agent.inlined ? "inline" : "native");
    const JNINativeMethod natives[] = {
        agent.inlined ? NATIVE("pushed", "(I)V", pushed) : NATIVE(INSTRUMENT_PUSH, "(I)V", push),
        agent.inlined ? NATIVE("popped", "(I)V", popped) : NATIVE(INSTRUMENT_POP, "(I)V", pop),
        agent.inlined ? NATIVE("handled", "(I)V", handled)
                      : NATIVE(INSTRUMENT_CAUGHT, "(I)V", caught),
        NATIVE("drawn", "()I", drawn), // these three of the inlined class alone
        NATIVE("mask", "()I", mask),
        NATIVE("zero", "()J", zero),
    };
    const jint native_count = sizeof natives / sizeof natives[0] - (agent.inlined ? 0 : 3);
    static const struct {
        const char *name, *descriptor;
    } methods[] = {{INSTRUMENT_CAUGHT, "(I)V"},
                   {INSTRUMENT_PUSH, "(I)V"},
                   {INSTRUMENT_POP, "(I)V"},
                   {"pushed", "(I)V"},
                   {"popped", "(I)V"},
                   {"handled", "(I)V"},
                   {"slot", "()J"},
                   {"hold", "()V"},
                   {"carriersSlot", "(Ljava/lang/Thread;)J"}};
    uintptr_t ids[sizeof methods / sizeof methods[0]];
    const size_t count = agent.inlined ? sizeof methods / sizeof methods[0] : 3;
    if (runtime_define(env, natives, native_count) != 0) return -1;
    for (size_t i = 0; i < count; i++)
        if ((ids[i] = own(env, methods[i].name, methods[i].descriptor)) == 0) return -1;
    code_methods(ids, count);
    return agent.inlined ? natives_learn_calls(env) : 0;
}

HANDLER_COMMON bool natives_contain(uintptr_t pc) {
    return pc >= (uintptr_t)own_start && pc < (uintptr_t)own_end;
}
