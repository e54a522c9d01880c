// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "classes.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/state/state.h"
#include "instrument/instrument.h"
#include "parts.h"

// ---- Rewriters, kept for the next class -------------------------------------------------------

#define REWRITERS_KEPT 16

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct instrument* kept[REWRITERS_KEPT];
static uint32_t kept_count;
static uint32_t last_number; // atomic

static struct instrument* take_rewriter(void) {
    struct instrument* rewriter = NULL;
    pthread_mutex_lock(&lock);
    if (kept_count > 0) rewriter = kept[--kept_count];
    pthread_mutex_unlock(&lock);
    return rewriter != NULL ? rewriter : instrument_open();
}

static void give_rewriter_back(struct instrument* rewriter) {
    pthread_mutex_lock(&lock);
    bool keep = kept_count < REWRITERS_KEPT;
    if (keep) kept[kept_count++] = rewriter;
    pthread_mutex_unlock(&lock);
    if (!keep) instrument_close(rewriter);
}

static uint32_t reserve_numbers(void* unused, uint32_t count) {
    (void)unused;
    uint32_t first = __atomic_fetch_add(&last_number, count, __ATOMIC_RELAXED) + 1;
    return first + count < ORACLE_NUMBERS_MAX && first + count > first ? first : 0;
}

// ---- Counting ---------------------------------------------------------------------------------

static void count_reason(enum instrument_refusal refusal, uint64_t n) {
    _Static_assert((int)INSTRUMENT_REFUSAL_COUNT < (int)RESULTS_REFUSAL_REASONS,
                   "the run's file has room for every reason");
    struct results_reason* reason = &agent.run->reasons[refusal];
    snprintf(reason->text, sizeof reason->text, "%s", instrument_refusal_text(refusal));
    agent_count(&reason->count, n);
}

static void count_methods(const struct instrument_class* rewritten) {
    uint64_t refused = 0, left = 0;
    for (uint32_t i = 0; i < rewritten->method_count; i++) {
        const struct instrument_method* m = &rewritten->methods[i];
        if (!m->has_code || m->refusal == INSTRUMENT_NONE) continue;
        if (m->refusal == INSTRUMENT_NOT_CHOSEN) {
            left++;
            continue;
        }
        count_reason(m->refusal, 1);
        refused++;
    }
    // A class of which nothing is chosen stays as it was, and counts as none of these.
    if (left == 0 || rewritten->instrumented + refused != 0)
        agent_count(&agent.run->classes_rewritten, 1);
    agent_count(&agent.run->methods_rewritten, rewritten->instrumented);
    agent_count(&agent.run->methods_refused, refused);
    agent_count(&agent.run->methods_left, left);
}

// ---- Choosing ---------------------------------------------------------------------------------

static bool choose(void* unused, struct instrument_text class_name, struct instrument_text name,
                   struct instrument_text descriptor) {
    (void)unused;
    return part_chosen(agent.options.seed, agent.options.density, class_name, name, descriptor);
}

// ---- Rewriting --------------------------------------------------------------------------------

// Gives the rewritten bytes to the JVM, in its own memory.
static void hand_over(const struct instrument_class* rewritten, jint* new_length,
                      unsigned char** new_bytes) {
    unsigned char* memory = NULL;
    jvmtiError error = (*agent.jvmti)->Allocate(agent.jvmti, (jlong)rewritten->length, &memory);
    if (error != JVMTI_ERROR_NONE) return;
    memcpy(memory, rewritten->bytes, rewritten->length);
    *new_bytes = memory;
    *new_length = (jint)rewritten->length;
}

static void rewrite(jclass redefined, int64_t loader_id, jint length, const unsigned char* bytes,
                    jint* new_length, unsigned char** new_bytes) {
    const struct instrument_options options = {
        .reserve = reserve_numbers,
        .choose = agent.options.density == RESULTS_DENSITY_FULL ? NULL : choose};
    struct instrument_class rewritten;
    struct instrument* rewriter = take_rewriter();
    int result = rewriter != NULL
                     ? instrument_rewrite(rewriter, bytes, (size_t)length, &options, &rewritten)
                     : -INSTRUMENT_MEMORY;
    if (result == 0) {
        if (rewritten.instrumented > 0) {
            // hook_loaded_classes announces the classes that it retransforms itself, at VMInit.
            bool running = agent.run->phase == RESULTS_PHASE_RUNNING;
            names_rewritten(&rewritten, loader_id, redefined != NULL && !running);
            names_record(&rewritten);
            if (redefined != NULL && running) names_redefined(redefined, &rewritten);
            hand_over(&rewritten, new_length, new_bytes);
        }
        count_methods(&rewritten);
    } else {
        agent_count(&agent.run->classes_refused, 1);
        count_reason((enum instrument_refusal) - result, 1);
    }
    if (rewriter != NULL) give_rewriter_back(rewriter);
}

static bool is_in_scope(JNIEnv* env, jobject loader) {
    if (agent.options.scope == AGENT_SCOPE_ALL) return true;
    return agent.options.scope == AGENT_SCOPE_APP && loaders_is_app(env, loader);
}

bool hook_wrapped_by_jfr(const char* name) {
    static const char* const wrapped[] = {
        // Constructors, up to release 18: a call behind the body.
        "java/lang/Throwable", "java/lang/Error",
        // Reading and writing, with JFR's code in front of the body and behind it: the targets of
        // jdk.jfr.internal.instrument, 11 to 21.
        "java/io/FileInputStream", "java/io/FileOutputStream", "java/io/RandomAccessFile",
        "sun/nio/ch/FileChannelImpl", "sun/nio/ch/SocketChannelImpl", "java/net/SocketInputStream",
        "java/net/SocketOutputStream", "java/net/Socket$SocketInputStream",
        "java/net/Socket$SocketOutputStream"};
    for (size_t i = 0; i < sizeof wrapped / sizeof wrapped[0]; i++)
        if (strcmp(name, wrapped[i]) == 0) return true;
    return false;
}

void JNICALL hook_class_file_load(jvmtiEnv* jvmti, JNIEnv* env, jclass redefined, jobject loader,
                                  const char* name, jobject protection_domain, jint length,
                                  const unsigned char* bytes, jint* new_length,
                                  unsigned char** new_bytes) {
    (void)jvmti, (void)protection_domain;
    if (redefined != NULL) {
        // A retransformation of many classes has its references here, too.
        loaders_expect_references(env, 0);
        sites_forget(redefined);
        __atomic_store_n(&agent.recoded, true, __ATOMIC_RELAXED);
    }
    if (redefined != NULL && agent.run->phase == RESULTS_PHASE_RUNNING)
        __atomic_store_n(&agent.redefined, true, __ATOMIC_RELAXED);
    if (!is_in_scope(env, loader) || __atomic_load_n(&agent.stopped, __ATOMIC_ACQUIRE)) return;
    agent_count(&agent.run->classes_seen, 1);
    // A class without a name of its own (JDK 8 to 16: VM-anonymous) cannot be found again by name.
    if (name == NULL || instrument_excluded(name, strlen(name)) != NULL ||
        (agent.options.profiler[0] != '\0' && hook_wrapped_by_jfr(name)) ||
        !loaders_see_runtime(env, loader)) {
        agent_count(&agent.run->classes_excluded, 1);
        return;
    }
    loaders_open_module(env, loader, name);
    rewrite(redefined, loaders_id(loader), length, bytes, new_length, new_bytes);
}

// ---- Classes already loaded -------------------------------------------------------------------

static jint keep_modifiable(JNIEnv* env, jclass* classes, jint count) {
    jint kept_classes = 0;
    for (jint i = 0; i < count; i++) {
        jboolean modifiable = JNI_FALSE;
        (*agent.jvmti)->IsModifiableClass(agent.jvmti, classes[i], &modifiable);
        if (modifiable) classes[kept_classes++] = classes[i];
        else (*env)->DeleteLocalRef(env, classes[i]);
    }
    return kept_classes;
}

static bool takes(const jclass* classes, jint count) {
    bool taken =
        (*agent.jvmti)->RetransformClasses(agent.jvmti, count, classes) == JVMTI_ERROR_NONE;
    names_retransformed(taken);
    return taken;
}

// All classes at once cost one pause. If the JVM refuses them all, one by one finds those that it
// takes.
static void retransform(const jclass* classes, jint count) {
    if (count == 0 || takes(classes, count)) return;
    for (jint i = 0; i < count; i++)
        if (!takes(&classes[i], 1)) agent_count(&agent.run->classes_refused, 1);
}

void hook_loaded_classes(JNIEnv* env) {
    jint count = 0;
    jclass* classes = NULL;
    if ((*agent.jvmti)->GetLoadedClasses(agent.jvmti, &count, &classes) != JVMTI_ERROR_NONE) return;
    loaders_expect_references(env, count);
    if (agent.options.scope == AGENT_SCOPE_ALL) {
        // Announces also the classes that the JVM does not let us change.
        for (jint i = 0; i < count; i++) names_prepared(env, classes[i]);
        count = keep_modifiable(env, classes, count);
        retransform(classes, count);
    }
    for (jint i = 0; i < count; i++) {
        names_prepared(env, classes[i]);
        (*env)->DeleteLocalRef(env, classes[i]);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)classes);
}

// ---- Classes that nobody announced ------------------------------------------------------------

// Release 21 posts no event for a class that is prepared while a virtual thread is on its carrier
// for a moment (VirtualThread.switchToCarrierThread, for example for a timed wait), so nobody can
// make ids for its methods. Where the walker meets such a method, we look for such classes. The
// method may also be an obsolete one, so we look LOOKS_MAX times at most. From release 24 on there
// are no such moments.
#define MISSES_FIRST 21
#define MISSES_LAST 23
#define LOOKS_MAX 16
static uint32_t missed, looks; // atomic

HANDLER_SAFE bool hook_misses_classes(void) {
    return agent.release >= MISSES_FIRST && agent.release <= MISSES_LAST &&
           agent.run->virtual_threads != 0;
}

HANDLER_SAFE bool hook_may_have_missed(uintptr_t id) {
    if (id != 0 || !hook_misses_classes()) return false;
    __atomic_store_n(&missed, 1, __ATOMIC_RELAXED);
    return __atomic_load_n(&looks, __ATOMIC_RELAXED) < LOOKS_MAX;
}

void hook_missed_classes(JNIEnv* env) {
    jint count = 0;
    jclass* classes = NULL;
    if (looks == LOOKS_MAX || !__atomic_exchange_n(&missed, 0, __ATOMIC_RELAXED)) return;
    if ((*agent.jvmti)->GetLoadedClasses(agent.jvmti, &count, &classes) != JVMTI_ERROR_NONE) return;
    loaders_expect_references(env, count);
    for (jint i = 0; i < count; i++) {
        if (names_missed(env, classes[i])) agent_count(&agent.run->classes_missed, 1);
        (*env)->DeleteLocalRef(env, classes[i]);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)classes);
    __atomic_store_n(&looks, looks + 1, __ATOMIC_RELAXED);
}
