// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "agent/state/state.h"
#include "classes.h"
#include "instrument/instrument.h"
#include "parts.h"

// ---- In the handler -----------------------------------------------------------------------------

// Methods that handlers have met and that are not described yet, by hash. Where two fall into one
// place, the second is dropped until a handler meets it again.
#define WANTED 1024              // a power of two: as many new methods can be met between two turns
static uintptr_t wanted[WANTED]; // atomic
static uint32_t any_wanted;      // atomic

HANDLER_SAFE void sites_want(uintptr_t id) {
    uint64_t mixed = (uint64_t)id * UINT64_C(0x9E3779B97F4A7C15);
    uintptr_t* place = &wanted[mixed >> 32 & (WANTED - 1)];
    if (__atomic_load_n(place, __ATOMIC_RELAXED) != 0) return;
    __atomic_store_n(place, id, __ATOMIC_RELEASE); // partner: sites_describe_wanted
    __atomic_store_n(&any_wanted, 1, __ATOMIC_RELEASE);
}

static uint32_t forgotten; // atomic: how often the code of methods changed

HANDLER_SAFE uint32_t sites_changes(void) {
    return __atomic_load_n(&forgotten, __ATOMIC_ACQUIRE); // partner: sites_forget
}

// ---- Names --------------------------------------------------------------------------------------

struct name {
    uint32_t number;
    UT_hash_handle hh;
    char text[];
};

// Housekeeping thread only, as the rest from here on.
static struct name* all_names;
static struct instrument_calls* reader;
static struct oracle_sites opaque = {.flags = ORACLE_METHOD_OPAQUE};

// Gives the call sites an index, under which samples refer to them, and tells the record of it. 0
// where the ring has no room: the samples then count as ones whose call sites were not read.
static void record_sites(struct oracle_sites* sites) {
    static uint32_t last; // sites_open, then the housekeeping thread
    struct results_ring ring = results_run_ring(agent.run);
    if (results_sites_piece(&ring, last + 1, sites) == 0) sites->index = ++last;
    else agent_count(&agent.run->unrecorded, 1);
}

int sites_open(void) {
    reader = instrument_calls_open();
    record_sites(&opaque);
    return reader != NULL ? 0 : -1;
}

// The number of a name and a descriptor together.
static uint32_t number_of(const char* name, size_t name_length, const char* descriptor,
                          size_t descriptor_length) {
    static uint32_t last = ORACLE_NAME_FIRST;
    size_t length = name_length + descriptor_length;
    struct name* known;
    struct name* new = malloc(sizeof *new + length);
    AGENT_ASSERT(new != NULL);
    memcpy(new->text, name, name_length);
    memcpy(new->text + name_length, descriptor, descriptor_length);
    HASH_FIND(hh, all_names, new->text, length, known);
    if (known != NULL) {
        free(new);
        return known->number;
    }
    new->number = last++;
    HASH_ADD(hh, all_names, text, length, new);
    return new->number;
}

// ---- Reading methods ----------------------------------------------------------------------------

// What JVMTI says of a method, to be freed.
struct method_info {
    char *class_name, *name, *descriptor;
    unsigned char *code, *pool;
    jint code_length, pool_count, pool_length;
    jboolean native;
};

// Before release 15, a class that HotSpot calls anonymous: "Lp/Name/1234;". Its constants may hold
// objects in the place of strings, and GetConstantPool, which looks for their text, crashes.
#define FIRST_HIDDEN 15
static bool is_vm_anonymous(const char* signature) {
    const char* last = strrchr(signature, '/');
    if (agent.release >= FIRST_HIDDEN || last == NULL) return false;
    size_t digits = strspn(last + 1, "0123456789");
    return digits > 0 && strcmp(last + 1 + digits, ";") == 0;
}

static bool ask_method(jclass klass, jmethodID id, struct method_info* m) {
    jvmtiEnv* jvmti = agent.jvmti;
    if ((*jvmti)->GetClassSignature(jvmti, klass, &m->class_name, NULL) != JVMTI_ERROR_NONE ||
        is_vm_anonymous(m->class_name) ||
        (*jvmti)->GetMethodName(jvmti, id, &m->name, &m->descriptor, NULL) != JVMTI_ERROR_NONE ||
        (*jvmti)->IsMethodNative(jvmti, id, &m->native) != JVMTI_ERROR_NONE)
        return false;
    if (m->native) return true;
    return (*jvmti)->GetBytecodes(jvmti, id, &m->code_length, &m->code) == JVMTI_ERROR_NONE &&
           (*jvmti)->GetConstantPool(jvmti, klass, &m->pool_count, &m->pool_length, &m->pool) ==
               JVMTI_ERROR_NONE;
}

static void free_method(struct method_info* m) {
    jvmtiEnv* jvmti = agent.jvmti;
    (*jvmti)->Deallocate(jvmti, (unsigned char*)m->class_name);
    (*jvmti)->Deallocate(jvmti, (unsigned char*)m->name);
    (*jvmti)->Deallocate(jvmti, (unsigned char*)m->descriptor);
    (*jvmti)->Deallocate(jvmti, m->code);
    (*jvmti)->Deallocate(jvmti, m->pool);
}

static bool is_throwable(JNIEnv* env, jclass klass) {
    jclass throwable = (*env)->FindClass(env, "java/lang/Throwable");
    bool is = throwable != NULL && (*env)->IsAssignableFrom(env, klass, throwable);
    (*env)->DeleteLocalRef(env, throwable);
    return is;
}

static uint32_t callee_of(const struct instrument_call* call) {
    switch (call->kind) {
    case INSTRUMENT_CALLS_VM: return ORACLE_CALLS_VM;
    case INSTRUMENT_CALLS_ANY: return ORACLE_CALLS_ANY;
    case INSTRUMENT_CALLS_NAMED: break;
    }
    return number_of(call->name.text, call->name.length, call->descriptor.text,
                     call->descriptor.length);
}

static uint32_t flags_of(JNIEnv* env, jclass klass, const struct method_info* m) {
    char class_name[1024];
    // "Ljava/lang/Object;". A name that is cut below is none of the VM's table.
    size_t length = strlen(m->class_name);
    bool object = length > 2 && m->class_name[0] == 'L';
    snprintf(class_name, sizeof class_name, "%.*s", object ? (int)length - 2 : 0,
             object ? m->class_name + 1 : "");
    uint32_t flags = oracle_method_flags(class_name, m->name, m->descriptor, false);
    uint32_t of_throwable = oracle_method_flags(class_name, m->name, m->descriptor, true);
    if (flags != of_throwable && is_throwable(env, klass)) flags = of_throwable;
    return flags | (m->native ? ORACLE_METHOD_NATIVE : 0);
}

// NULL where the bytes cannot be read.
static const struct oracle_sites* read_sites(JNIEnv* env, jclass klass,
                                             const struct method_info* m) {
    const struct instrument_call* calls = NULL;
    int32_t count = m->native ? 0
                              : instrument_calls_find(reader, m->pool, (size_t)m->pool_length,
                                                      (uint32_t)m->pool_count, m->code,
                                                      (size_t)m->code_length, &calls);
    if (count < 0) return NULL;
    struct oracle_sites* sites = malloc(sizeof *sites + (size_t)count * sizeof *sites->sites);
    AGENT_ASSERT(sites != NULL);
    struct oracle_site* list = (struct oracle_site*)(sites + 1);
    sites->name = number_of(m->name, strlen(m->name), m->descriptor, strlen(m->descriptor));
    sites->flags = flags_of(env, klass, m);
    sites->length = (uint32_t)m->code_length;
    sites->count = (uint32_t)count;
    for (int32_t i = 0; i < count; i++)
        list[i] = (struct oracle_site){calls[i].bci, callee_of(&calls[i])};
    sites->sites = list;
    sites->index = 0;
    record_sites(sites);
    return sites;
}

// The class is held by a local reference meanwhile, so its methods cannot go.
static void describe(JNIEnv* env, uintptr_t id) {
    const struct oracle_sites* sites = NULL;
    struct method_info info;
    jclass klass = names_owner(env, id);
    memset(&info, 0, sizeof info);
    if (klass != NULL) {
        if (ask_method(klass, (jmethodID)id, &info)) sites = read_sites(env, klass, &info);
        free_method(&info);
        (*env)->DeleteLocalRef(env, klass);
    }
    names_describe_sites(id, sites != NULL ? sites : &opaque);
}

void sites_describe_wanted(JNIEnv* env) {
    if (!__atomic_exchange_n(&any_wanted, 0, __ATOMIC_ACQUIRE)) return;
    for (uint32_t i = 0; i < WANTED; i++) {
        uintptr_t id = __atomic_load_n(&wanted[i], __ATOMIC_ACQUIRE);
        if (id == 0) continue;
        if (oracle_methods_sites(agent.methods, id) == NULL) describe(env, id);
        __atomic_store_n(&wanted[i], 0, __ATOMIC_RELEASE);
    }
}

void sites_forget(jclass klass) {
    jint count = 0;
    jmethodID* ids = NULL;
    if (!agent_layer(ORACLE_LAYER_STRUCTURE) || agent.run->phase != RESULTS_PHASE_RUNNING) return;
    if ((*agent.jvmti)->GetClassMethods(agent.jvmti, klass, &count, &ids) != JVMTI_ERROR_NONE)
        return;
    for (jint i = 0; i < count; i++) names_describe_sites((uintptr_t)ids[i], &opaque);
    __atomic_fetch_add(&forgotten, 1, __ATOMIC_RELEASE); // partner: sites_changes
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)ids);
}
