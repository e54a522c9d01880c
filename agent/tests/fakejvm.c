// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "fakejvm.h"

#include <stddef.h>
#include <stdlib.h>

#include <criterion/criterion.h>

#include "agent/classes/classes.h"
#include "agent/walker/walker.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"

#define BCI 6

const char* volatile fake_walker_text;
volatile int32_t fake_walker_claims;
const char* fake_gst_text;
uint32_t fake_gst_asked;
volatile bool fake_walker_knows_no_bci;

uintptr_t fake_id(char letter) {
    return letter == '0' ? 0 : 0x1000 + (uintptr_t)letter * 8;
}

// ---- The walker -------------------------------------------------------------------------------

struct raw_frame {
    int32_t bci;
    uintptr_t method;
};
struct raw_trace {
    void* env;
    int32_t count;
    struct raw_frame* frames;
};

static void walk(struct raw_trace* trace, int32_t depth, void* context) {
    (void)context;
    trace->count = 0;
    for (const char* c = fake_walker_text; *c != '\0' && trace->count < depth; c++)
        trace->frames[trace->count++] = (struct raw_frame){BCI, fake_id(*c)};
    if (fake_walker_knows_no_bci && trace->count > 0) trace->frames[0].bci = -1;
    trace->count += fake_walker_claims;
}

void fake_walker_open(void) {
    static const struct walker_description description = {
        .name = "fake",
        .symbol = "fake",
        .arguments = {WALKER_TRACE, WALKER_DEPTH, WALKER_UCONTEXT},
        .argument_count = 3,
        .trace_size = sizeof(struct raw_trace),
        .trace_env = {.offset = offsetof(struct raw_trace, env), .width = 8},
        .trace_count = {.offset = offsetof(struct raw_trace, count), .width = 4, .is_signed = 1},
        .trace_frames = {.offset = offsetof(struct raw_trace, frames), .width = 8},
        .frame_size = sizeof(struct raw_frame),
        .frame_method = {.offset = offsetof(struct raw_frame, method), .width = 8},
        .frame_bci = {.offset = offsetof(struct raw_frame, bci), .width = 4, .is_signed = 1},
        .native_value = -3};
    cr_assert_eq(walker_prepare(&walker_under_test, &description, (void (*)(void))walk), 0);
}

// ---- JVMTI and JNI ----------------------------------------------------------------------------

jvmtiError JNICALL fake_get_stack_trace(jvmtiEnv* env, jthread of, jint start, jint max,
                                        jvmtiFrameInfo* frames, jint* count) {
    (void)env, (void)of, (void)start;
    fake_gst_asked++;
    *count = 0;
    for (const char* c = fake_gst_text; *c != '\0' && *count < max; c++)
        frames[(*count)++] = (jvmtiFrameInfo){(jmethodID)fake_id(*c), BCI};
    return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL fake_get_thread_info(jvmtiEnv* env, jthread thread, jvmtiThreadInfo* info) {
    (void)env, (void)thread, (void)info;
    return JVMTI_ERROR_THREAD_NOT_ALIVE;
}

jvmtiError JNICALL fake_deallocate(jvmtiEnv* env, unsigned char* memory) {
    (void)env, (void)memory;
    return JVMTI_ERROR_NONE;
}

jobject JNICALL fake_global_ref(JNIEnv* env, jobject object) {
    (void)env;
    return object;
}

static void JNICALL fake_delete_global_ref(JNIEnv* env, jobject object) {
    (void)env, (void)object;
}

// ---- The agent --------------------------------------------------------------------------------

static jint JNICALL get_env(JavaVM* vm, void** env, jint version) {
    (void)vm, (void)env, (void)version;
    return JNI_EDETACHED; // so that nobody deletes references
}

struct agent_thread* fake_thread_begin(const struct jvmtiInterface_1_* jvmti) {
    static jvmtiEnv jvmti_env;
    static const struct JNIInvokeInterface_ invoke = {.GetEnv = get_env};
    static JavaVM vm = &invoke;
    static const struct JNINativeInterface_ jni = {.NewGlobalRef = fake_global_ref,
                                                   .DeleteGlobalRef = fake_delete_global_ref};
    static JNIEnv env = &jni;
    jvmti_env = jvmti;
    agent.jvmti = &jvmti_env;
    agent.vm = &vm;
    agent.options.depth = FAKE_DEPTH;
    agent.options.density = RESULTS_DENSITY_FULL;
    agent.options.layers = 1u << ORACLE_LAYER_SAFEPOINT | 1u << ORACLE_LAYER_GST;
    agent.options.checks.one_in = 1;
    agent.options.source = AGENT_SOURCE_RANDOM;
    agent.run = calloc(1, sizeof *agent.run);
    cr_assert(agent.run != NULL && agent.methods != NULL && names_open() == 0);
    fake_walker_open();
    struct agent_thread* t = thread_begin(&env, NULL, 0);
    cr_assert_not_null(t);
    return t;
}
