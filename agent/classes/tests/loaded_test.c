// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Classes that were loaded before the agent: those that the JVM lets the agent rewrite have
// numbers, the others run their old code, which never pushes.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "agent/state/state.h"
#include "classes.h"
#include "fakejvm.h"
#include "instrument/instrument.h"

// ---- Classes ------------------------------------------------------------------------------------

// public class X { static void m() { return; } }, of version 52; the name is at NAME_AT.
#define NAME_AT 13
static const unsigned char class_file[] = {
    0xca, 0xfe, 0xba, 0xbe, 0,   0,   0,   52,  0,   8,                                 //
    1,    0,    1,    'X',  7,   0,   1,                                                // 1, 2
    1,    0,    16,   'j',  'a', 'v', 'a', '/', 'l', 'a', 'n', 'g', '/',                //
    'O',  'b',  'j',  'e',  'c', 't', 7,   0,   3,                                      // 3, 4
    1,    0,    1,    'm',  1,   0,   3,   '(', ')', 'V',                               // 5, 6
    1,    0,    4,    'C',  'o', 'd', 'e',                                              // 7
    0,    0x21, 0,    2,    0,   4,   0,   0,   0,   0,   0,   1,                       //
    0,    9,    0,    5,    0,   6,   0,   1,                                           // m
    0,    7,    0,    0,    0,   13,  0,   0,   0,   0,   0,   0,   0,   1, 0xb1, 0, 0, //
    0,    0,    0,    0};

struct fake_class {
    char name[2];
    char signature[4];
    bool refused;
    int method, obsolete; // their addresses are the ids of m, and of the m that is no more
};
static struct fake_class one = {"A", "LA;", false, 0, 0}, other = {"B", "LB;", false, 0, 0};
static jclass all[] = {(jclass)&one, (jclass)&other};

static struct fake_class* class_of(jmethodID id) {
    const void* at = id;
    return at == &one.method || at == &one.obsolete ? &one : &other;
}

// ---- JVMTI and JNI ------------------------------------------------------------------------------

static jvmtiEnv jvmti_env;
static JNIEnv jni_env;

static jvmtiError JNICALL loaded_classes(jvmtiEnv* env, jint* count, jclass** classes) {
    (void)env;
    *count = 2;
    *classes = all;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL is_modifiable(jvmtiEnv* env, jclass klass, jboolean* modifiable) {
    (void)env, (void)klass;
    *modifiable = JNI_TRUE;
    return JVMTI_ERROR_NONE;
}

// `redefined`: NULL, or the class itself.
static void load(const struct fake_class* c, jclass redefined) {
    unsigned char bytes[sizeof class_file];
    unsigned char* rewritten = NULL;
    jint length = 0;
    memcpy(bytes, class_file, sizeof bytes);
    bytes[NAME_AT] = (unsigned char)c->name[0];
    hook_class_file_load(&jvmti_env, &jni_env, redefined, NULL, c->name, NULL, sizeof bytes, bytes,
                         &length, &rewritten);
    cr_assert_not_null(rewritten);
    free(rewritten);
}

// Every class is given to the hook before the first one is refused.
static jvmtiError JNICALL retransform(jvmtiEnv* env, jint count, const jclass* classes) {
    bool refused = false;
    (void)env;
    for (jint i = 0; i < count; i++) load((struct fake_class*)classes[i], classes[i]);
    for (jint i = 0; i < count; i++) refused |= ((struct fake_class*)classes[i])->refused;
    return refused ? JVMTI_ERROR_FAILS_VERIFICATION : JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL class_methods(jvmtiEnv* env, jclass klass, jint* count, jmethodID** ids) {
    static jmethodID id;
    (void)env;
    id = (jmethodID) & ((struct fake_class*)klass)->method;
    *count = 1;
    *ids = &id;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL method_name(jvmtiEnv* env, jmethodID id, char** name, char** descriptor,
                                      char** generic) {
    static char m[] = "m", type[] = "()V";
    (void)env, (void)id, (void)generic;
    *name = m;
    *descriptor = type;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL signature(jvmtiEnv* env, jclass klass, char** text, char** generic) {
    (void)env, (void)generic;
    *text = ((struct fake_class*)klass)->signature;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL boot_loader(jvmtiEnv* env, jclass klass, jobject* loader) {
    (void)env, (void)klass;
    *loader = NULL;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL declaring_class(jvmtiEnv* env, jmethodID id, jclass* klass) {
    (void)env;
    *klass = (jclass)class_of(id);
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL is_obsolete(jvmtiEnv* env, jmethodID id, jboolean* obsolete) {
    (void)env;
    *obsolete = (const void*)id == &class_of(id)->obsolete;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL allocate(jvmtiEnv* env, jlong size, unsigned char** memory) {
    (void)env;
    *memory = malloc((size_t)size);
    return JVMTI_ERROR_NONE;
}

static void JNICALL drop(JNIEnv* env, jobject object) {
    (void)env, (void)object;
}

static jint JNICALL ensure(JNIEnv* env, jint count) {
    (void)env, (void)count;
    return JNI_OK;
}

static void open_jvm(void) {
    static const struct jvmtiInterface_1_ jvmti = {.GetLoadedClasses = loaded_classes,
                                                   .IsModifiableClass = is_modifiable,
                                                   .RetransformClasses = retransform,
                                                   .GetClassMethods = class_methods,
                                                   .GetMethodName = method_name,
                                                   .GetClassSignature = signature,
                                                   .GetClassLoader = boot_loader,
                                                   .GetMethodDeclaringClass = declaring_class,
                                                   .IsMethodObsolete = is_obsolete,
                                                   .Allocate = allocate,
                                                   .Deallocate = fake_deallocate};
    static const struct JNINativeInterface_ jni = {
        .NewWeakGlobalRef = fake_global_ref, .DeleteLocalRef = drop, .EnsureLocalCapacity = ensure};
    jvmti_env = &jvmti;
    jni_env = &jni;
    agent.jvmti = &jvmti_env;
    agent.release = 8;
    agent.options.scope = AGENT_SCOPE_ALL;
    agent.options.density = RESULTS_DENSITY_FULL;
    agent.run = calloc(1, sizeof *agent.run);
    agent.methods = oracle_methods_open();
    cr_assert(agent.run != NULL && agent.methods != NULL && names_open() == 0);
}

// Names and code live as long as the agent: agent.methods has the only pointer to some.
static void close_jvm(void) {
    free(agent.run);
}

TestSuite(loaded, .init = open_jvm, .fini = close_jvm);

static bool has_number(const struct fake_class* c) {
    return oracle_methods_number(agent.methods, (uintptr_t)&c->method) != ORACLE_FOREIGN;
}

static bool has_original(struct fake_class* c) {
    return names_obsolete_foreign(&jni_env, (jmethodID)&c->obsolete);
}

Test(loaded, who_retransforms_gives_new_code_though_the_program_redefines_nothing) {
    agent.recoded = false;
    load(&one, NULL);
    cr_expect_not(agent.recoded);
    load(&one, (jclass)&one);
    cr_expect(agent.recoded);
    cr_expect_not(agent.redefined);
}

Test(loaded, classes_that_the_jvm_takes_have_numbers) {
    hook_loaded_classes(&jni_env);
    cr_expect(has_number(&one) && has_number(&other));
    cr_expect_eq(agent.run->classes_refused, 0);
    cr_expect(has_original(&one) && has_original(&other));
}

Test(loaded, a_class_that_the_jvm_refuses_has_none) {
    other.refused = true;
    hook_loaded_classes(&jni_env);
    cr_expect_eq(agent.run->classes_refused, 1);
    cr_expect(has_number(&one));
    cr_expect_not(has_number(&other));
}

Test(loaded, what_was_refused_with_another_class_is_no_version) {
    other.refused = true;
    hook_loaded_classes(&jni_env);
    cr_expect(has_original(&one), "one version alone has run, and the one without pushes");
    cr_expect_eq(agent.run->originals, 1);
}

// A class may be loaded while the hook is on and the loaded classes are not asked for yet.
Test(loaded, what_was_rewritten_when_it_was_loaded_stays) {
    other.refused = true;
    load(&other, NULL);
    hook_loaded_classes(&jni_env);
    cr_expect(has_number(&other));
    cr_expect_not(has_original(&other));
}
