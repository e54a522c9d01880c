// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the positive controls need of the agent: methods of classes that were redefined. Traces are
// written youngest first, a letter a frame: a to y methods of anybody; z is an id that nobody
// announced.
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "parts.h"
#include "fakejvm.h"
#include "instrument/instrument.h"
#include "agent/classes/classes.h"
#include "judge.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"

#define OLD 5u // numbers of the method T.m()V, before and after the class was redefined
#define NEW 6u

// ---- A JVM, as far as this needs one ------------------------------------------------------------

static const char* obsolete_name;

static jvmtiError JNICALL get_class_methods(jvmtiEnv* env, jclass klass, jint* count,
                                            jmethodID** methods) {
    static jmethodID ids[1];
    (void)env, (void)klass;
    ids[0] = (jmethodID)fake_id('m');
    *methods = ids;
    *count = 1;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_method_name(jvmtiEnv* env, jmethodID id, char** name,
                                          char** descriptor, char** generic) {
    static char m[] = "m", other[16], descriptor_of_m[] = "()V";
    (void)env, (void)generic;
    strcpy(other, obsolete_name != NULL ? obsolete_name : "?");
    *name = (uintptr_t)id == fake_id('z') ? other : m;
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

static bool is_obsolete;

static jvmtiError JNICALL is_method_obsolete(jvmtiEnv* env, jmethodID id, jboolean* obsolete) {
    (void)env, (void)id;
    *obsolete = is_obsolete;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_class_loader(jvmtiEnv* env, jclass klass, jobject* loader) {
    (void)env, (void)klass;
    *loader = NULL;
    return JVMTI_ERROR_NONE;
}

static void JNICALL delete_local_ref(JNIEnv* env, jobject object) {
    (void)env, (void)object;
}

// The agent's state, and the calling thread registered.
static struct agent_thread* open_thread(void) {
    static const struct jvmtiInterface_1_ jvmti = {.GetStackTrace = fake_get_stack_trace,
                                                   .GetClassMethods = get_class_methods,
                                                   .GetMethodName = get_method_name,
                                                   .GetMethodDeclaringClass = get_declaring_class,
                                                   .GetClassSignature = get_class_signature,
                                                   .IsMethodObsolete = is_method_obsolete,
                                                   .GetClassLoader = get_class_loader,
                                                   .GetThreadInfo = fake_get_thread_info,
                                                   .Deallocate = fake_deallocate};
    static const struct JNINativeInterface_ jni = {.DeleteLocalRef = delete_local_ref};
    static const struct JNINativeInterface_* env = &jni;
    agent.methods = oracle_methods_open();
    struct agent_thread* t = fake_thread_begin(&jvmti);
    t->env = (JNIEnv*)&env;
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
    names_rewritten(&class, 1, false);
    names_redefined(NULL, &class);
    cr_assert_eq(oracle_methods_id(agent.methods, OLD), fake_id('m'));
    oracle_push(&t->stack, OLD, 1);
    class = rewriting_of_t(NEW);
    names_rewritten(&class, 1, false);
    names_redefined(NULL, &class);
    oracle_methods_bind(agent.methods, fake_id('f'), ORACLE_FOREIGN);
    return t;
}

static void check_says(struct agent_thread* t, const char* gst, enum oracle_verdict verdict) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_GST];
    uint64_t before = layer->verdict[verdict];
    fake_walker_text = fake_gst_text = gst;
    t->countdown = 0;
    check_push(t);
    cr_expect_eq(layer->verdict[verdict], before + 1, "%s is not called %s", gst,
                 oracle_verdict_text(verdict));
}

Test(redefined, classes_give_their_ids_to_the_new_numbers_alone) {
    struct agent_thread* t = open_redefined();
    cr_expect_eq(oracle_methods_number(agent.methods, fake_id('m')), NEW);
    cr_expect_eq(oracle_methods_id(agent.methods, NEW), fake_id('m'));
    close_thread(t);
}

Test(redefined, methods_that_still_run_are_known_by_the_id_that_they_are_given) {
    struct agent_thread* t = open_redefined();
    obsolete_name = "m";
    check_says(t, "zf", ORACLE_AGREE);
    cr_expect_eq(oracle_methods_number(agent.methods, fake_id('z')), OLD);
    cr_expect_eq(oracle_methods_number(agent.methods, fake_id('m')), NEW);
    // The old version called the new one.
    oracle_push(&t->stack, NEW, 2);
    check_says(t, "fmfz", ORACLE_AGREE);
    close_thread(t);
}

// The JVM refused the new version, or has not taken it yet: the old one has the id and runs.
Test(redefined, versions_that_run_have_their_id_again) {
    struct agent_thread* t = open_redefined();
    check_says(t, "mf", ORACLE_AGREE);
    cr_expect_eq(oracle_methods_number(agent.methods, fake_id('m')), OLD);
    cr_expect_eq(oracle_methods_id(agent.methods, OLD), fake_id('m'));
    // It is taken at last.
    obsolete_name = "m";
    oracle_push(&t->stack, NEW, 2);
    check_says(t, "mfzf", ORACLE_AGREE);
    cr_expect_eq(oracle_methods_number(agent.methods, fake_id('m')), NEW);
    cr_expect_eq(oracle_methods_number(agent.methods, fake_id('z')), OLD);
    close_thread(t);
}

Test(redefined, an_id_that_names_another_method_stays_unknown) {
    struct agent_thread* t = open_redefined();
    obsolete_name = "other";
    check_says(t, "zf", ORACLE_INVALID_ID);
    cr_expect_eq(oracle_methods_number(agent.methods, fake_id('z')), ORACLE_UNKNOWN);
    close_thread(t);
}

Test(redefined, methods_are_found_under_entries_that_are_known) {
    struct agent_thread* t = open_redefined();
    obsolete_name = "m";
    oracle_push(&t->stack, NEW, 2);
    check_says(t, "mffz", ORACLE_AGREE);
    cr_expect_eq(oracle_methods_number(agent.methods, fake_id('z')), OLD);
    close_thread(t);
}

// ---- The version that the agent retransformed ---------------------------------------------------

// A method of anybody calls T.m, whose class the agent retransformed in the boot loader; under it
// runs another instrumented method. No entry is of T.m.
static struct agent_thread* open_retransformed(bool again) {
    struct agent_thread* t = open_thread();
    struct instrument_class class = rewriting_of_t(OLD);
    names_rewritten(&class, 0, true);
    class = rewriting_of_t(NEW);
    if (again) names_rewritten(&class, 0, false);
    oracle_methods_bind(agent.methods, fake_id('a'), 9);
    oracle_methods_bind(agent.methods, fake_id('f'), ORACLE_FOREIGN);
    oracle_push(&t->stack, 9, 1);
    obsolete_name = "m";
    return t;
}

Test(retransformed, the_original_version_has_no_pushes) {
    struct agent_thread* t = open_retransformed(false);
    is_obsolete = true;
    check_says(t, "zfa", ORACLE_AGREE);
    cr_expect_eq(oracle_methods_number(agent.methods, fake_id('z')), ORACLE_FOREIGN);
    cr_expect_eq(agent.run->originals, 1);
    close_thread(t);
}

// As the Reference Handler, which was running before the agent.
Test(retransformed, the_original_version_may_be_below_the_oldest_entry) {
    struct agent_thread* t = open_retransformed(false);
    is_obsolete = true;
    check_says(t, "afz", ORACLE_AGREE);
    cr_expect_eq(oracle_methods_number(agent.methods, fake_id('z')), ORACLE_FOREIGN);
    cr_expect_eq(agent.run->originals, 1);
    is_obsolete = false;
    check_says(t, "afy", ORACLE_INVALID_ID);
    close_thread(t);
}

Test(retransformed, an_id_that_nobody_announced_is_none_of_it) {
    struct agent_thread* t = open_retransformed(false);
    is_obsolete = false;
    check_says(t, "zfa", ORACLE_INVALID_ID);
    cr_expect_eq(agent.run->originals, 0);
    close_thread(t);
}

Test(retransformed, a_version_that_had_pushes_is_none_of_it) {
    struct agent_thread* t = open_retransformed(true);
    is_obsolete = true;
    check_says(t, "zfa", ORACLE_INVALID_ID);
    cr_expect_eq(agent.run->originals, 0);
    close_thread(t);
}
