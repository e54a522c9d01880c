// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "parts.h"

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
    return natives_position((uintptr_t)__builtin_frame_address(0));
}

OWN_CODE static void JNICALL push(JNIEnv* env, jclass unused, jint method) {
    struct agent_thread* t = thread_current;
    (void)unused;
    if (__builtin_expect(t == NULL, 0)) {
        t = thread_adopt(env);
        if (t == NULL) return;
    }
    oracle_push(&t->stack, (uint32_t)method, position());
    if (__builtin_expect(--t->countdown == 0 || t->accused_count != 0, 0)) check_push(t);
}

OWN_CODE static void JNICALL pop(JNIEnv* env, jclass unused, jint method) {
    struct agent_thread* t = thread_current;
    (void)env, (void)unused;
    if (__builtin_expect(t == NULL, 0)) return;
    t->now->ground_checks++;
    // First: a trace stack that is mended here has accused nobody.
    if (__builtin_expect(!oracle_fits(&t->stack, (uint32_t)method), 0))
        check_misfit(t, (uint32_t)method);
    if (__builtin_expect(t->accused_count != 0, 0)) check_pop(t);
    oracle_pop(&t->stack, (uint32_t)method);
}

OWN_CODE static void JNICALL caught(JNIEnv* env, jclass unused, jint method) {
    struct agent_thread* t = thread_current;
    (void)env, (void)unused;
    if (t != NULL) check_caught(t, (uint32_t)method);
}

// In other states than this one a thread may not call JVMTI: in a critical call of
// java.lang.foreign, say, it is still in Java.
JNIEXPORT void plumbline_check(void) {
    struct agent_thread* t = thread_current;
    if (t == NULL || code_thread_state(t->hotspot) != RESULTS_THREAD_IN_NATIVE) return;
    if (!__atomic_load_n(&agent.stopped, __ATOMIC_ACQUIRE)) check_inside(t);
}

int natives_define(JNIEnv* env) {
    static const JNINativeMethod natives[] = {
        {(char*)(uintptr_t)INSTRUMENT_PUSH, (char*)(uintptr_t) "(I)V", (void*)(uintptr_t)push},
        {(char*)(uintptr_t)INSTRUMENT_POP, (char*)(uintptr_t) "(I)V", (void*)(uintptr_t)pop},
        {(char*)(uintptr_t)INSTRUMENT_CAUGHT, (char*)(uintptr_t) "(I)V", (void*)(uintptr_t)caught},
    };
    const size_t count = sizeof natives / sizeof natives[0];
    if (runtime_define(env, natives, (jint)count) != 0) return -1;
    uintptr_t ids[sizeof natives / sizeof natives[0]];
    for (size_t i = 0; i < count; i++) {
        jmethodID id = (*env)->GetStaticMethodID(env, runtime_class(), natives[i].name, "(I)V");
        names_own(id, natives[i].name);
        ids[i] = (uintptr_t)id;
    }
    code_natives(ids, count);
    return 0;
}

HANDLER_SAFE bool natives_contain(uintptr_t pc) {
    return pc >= (uintptr_t)own_start && pc < (uintptr_t)own_end;
}
