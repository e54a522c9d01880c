// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the positive controls need of the agent: methods of classes that were redefined. Traces are
// written youngest first, a letter a frame: a to y methods of anybody; z is an id that nobody
// announced.
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "check.h"
#include "instrument/instrument.h"
#include "names.h"
#include "sample.h"
#include "state.h"
#include "thread.h"

#define DEPTH 8
#define OLD 5u // numbers of the method T.m()V, before and after the class was redefined
#define NEW 6u

// ---- A JVM, as far as this needs one ------------------------------------------------------------

static const char *walker_text, *gst_text;
static const char* obsolete_name;

static uintptr_t id_of(char c) {
    return 0x1000 + (uintptr_t)c * 8;
}

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
    for (const char* c = walker_text; *c != '\0' && trace->count < depth; c++)
        trace->frames[trace->count++] = (struct raw_frame){6, id_of(*c)};
}

static jvmtiError JNICALL get_stack_trace(jvmtiEnv* env, jthread of, jint start, jint max,
                                          jvmtiFrameInfo* frames, jint* count) {
    (void)env, (void)of, (void)start;
    *count = 0;
    for (const char* c = gst_text; *c != '\0' && *count < max; c++)
        frames[(*count)++] = (jvmtiFrameInfo){(jmethodID)id_of(*c), 6};
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_class_methods(jvmtiEnv* env, jclass klass, jint* count,
                                            jmethodID** methods) {
    static jmethodID ids[1];
    (void)env, (void)klass;
    ids[0] = (jmethodID)id_of('m');
    *methods = ids;
    *count = 1;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_method_name(jvmtiEnv* env, jmethodID id, char** name,
                                          char** descriptor, char** generic) {
    static char m[] = "m", other[16], descriptor_of_m[] = "()V";
    (void)env, (void)generic;
    strcpy(other, obsolete_name != NULL ? obsolete_name : "?");
    *name = (uintptr_t)id == id_of('z') ? other : m;
    *descriptor = descriptor_of_m;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_declaring_class(jvmtiEnv* env, jmethodID id, jclass* klass) {
    static int class;
    (void)env, (void)id;
    *klass = (jclass)(void*)&class;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_class_signature(jvmtiEnv* env, jclass klass, char** signature,
                                              char** generic) {
    static char text[] = "LT;";
    (void)env, (void)klass, (void)generic;
    *signature = text;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL deallocate(jvmtiEnv* env, unsigned char* memory) {
    (void)env, (void)memory;
    return JVMTI_ERROR_NONE;
}

static jint JNICALL get_env(JavaVM* vm, void** env, jint version) {
    (void)vm, (void)env, (void)version;
    return JNI_EDETACHED; // so that nobody deletes references
}

static jvmtiError JNICALL get_thread_info(jvmtiEnv* env, jthread thread, jvmtiThreadInfo* info) {
    (void)env, (void)thread, (void)info;
    return JVMTI_ERROR_THREAD_NOT_ALIVE; // it goes without a name
}

static jobject JNICALL new_global_ref(JNIEnv* env, jobject object) {
    (void)env;
    return object;
}

static void open_walker(void) {
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
    cr_assert_eq(walker_prepare(&sample_walker, &description, (void (*)(void))walk), 0);
}

// The agent's state, and the calling thread registered.
static struct agent_thread* open_thread(void) {
    static struct jvmtiInterface_1_ jvmti = {.GetStackTrace = get_stack_trace,
                                             .GetClassMethods = get_class_methods,
                                             .GetMethodName = get_method_name,
                                             .GetMethodDeclaringClass = get_declaring_class,
                                             .GetClassSignature = get_class_signature,
                                             .GetThreadInfo = get_thread_info,
                                             .Deallocate = deallocate};
    static jvmtiEnv jvmti_env = &jvmti;
    static const struct JNIInvokeInterface_ invoke = {.GetEnv = get_env};
    static JavaVM vm = &invoke;
    static const struct JNINativeInterface_ jni = {.NewGlobalRef = new_global_ref};
    static JNIEnv env = &jni;
    agent.jvmti = &jvmti_env;
    agent.vm = &vm;
    agent.options.depth = DEPTH;
    agent.options.layers = 1u << ORACLE_LAYER_SAFEPOINT | 1u << ORACLE_LAYER_GST;
    agent.options.checks.one_in = 1;
    agent.run = calloc(1, sizeof *agent.run);
    agent.methods = oracle_methods_open();
    cr_assert(agent.run != NULL && agent.methods != NULL && names_open() == 0);
    open_walker();
    agent.options.source = AGENT_SOURCE_RANDOM;
    struct agent_thread* t = thread_begin(&env, NULL, 0);
    cr_assert_not_null(t);
    return t;
}

// A slot lives as long as the agent, in memory that no leak checker looks into.
static void close_thread(struct agent_thread* t) {
    oracle_stack_free(&t->stack);
}

// ---- Classes redefined --------------------------------------------------------------------------

static struct instrument_class rewriting_of_t(uint32_t number) {
    static struct instrument_method methods[2];
    struct instrument_method* m = &methods[number == NEW];
    *m = (struct instrument_method){.name = {"m", 1},
                                    .descriptor = {"()V", 3},
                                    .has_code = true,
                                    .refusal = INSTRUMENT_NONE,
                                    .number = number,
                                    .code_length = 10};
    return (struct instrument_class){.name = {"T", 1}, .methods = m, .method_count = 1};
}

// T.m is running, and T has been redefined: the id m is that of the new version.
static struct agent_thread* open_redefined(void) {
    struct agent_thread* t = open_thread();
    struct instrument_class class = rewriting_of_t(OLD);
    names_rewritten(&class, 1);
    names_redefined(NULL, &class);
    cr_assert_eq(oracle_methods_id(agent.methods, OLD), id_of('m'));
    oracle_push(&t->stack, OLD, 1);
    class = rewriting_of_t(NEW);
    names_rewritten(&class, 1);
    names_redefined(NULL, &class);
    oracle_methods_bind(agent.methods, id_of('f'), ORACLE_FOREIGN);
    return t;
}

static void check_says(struct agent_thread* t, const char* gst, enum oracle_verdict verdict) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_GST];
    uint64_t before = layer->verdict[verdict];
    walker_text = gst_text = gst;
    t->countdown = 0;
    check_push(t);
    cr_expect_eq(layer->verdict[verdict], before + 1, "%s is not called %s", gst,
                 oracle_verdict_text(verdict));
}

Test(redefined, classes_give_their_ids_to_the_new_numbers_alone) {
    struct agent_thread* t = open_redefined();
    cr_expect_eq(oracle_methods_number(agent.methods, id_of('m')), NEW);
    cr_expect_eq(oracle_methods_id(agent.methods, NEW), id_of('m'));
    close_thread(t);
}

Test(redefined, methods_that_still_run_are_known_by_the_id_that_they_are_given) {
    struct agent_thread* t = open_redefined();
    obsolete_name = "m";
    check_says(t, "zf", ORACLE_AGREE);
    cr_expect_eq(oracle_methods_number(agent.methods, id_of('z')), OLD);
    cr_expect_eq(oracle_methods_number(agent.methods, id_of('m')), NEW);
    // The old version called the new one.
    oracle_push(&t->stack, NEW, 2);
    check_says(t, "fmfz", ORACLE_AGREE);
    close_thread(t);
}

Test(redefined, an_id_that_names_another_method_stays_unknown) {
    struct agent_thread* t = open_redefined();
    obsolete_name = "other";
    check_says(t, "zf", ORACLE_INVALID_ID);
    cr_expect_eq(oracle_methods_number(agent.methods, id_of('z')), ORACLE_UNKNOWN);
    close_thread(t);
}

Test(redefined, methods_are_found_under_entries_that_are_known) {
    struct agent_thread* t = open_redefined();
    obsolete_name = "m";
    oracle_push(&t->stack, NEW, 2);
    check_says(t, "mffz", ORACLE_AGREE);
    cr_expect_eq(oracle_methods_number(agent.methods, id_of('z')), OLD);
    close_thread(t);
}
