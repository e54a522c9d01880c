// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "sites.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "evidence.h"
#include "hook.h"
#include "instrument/instrument.h"
#include "names.h"
#include "record.h"
#include "state.h"

// ---- Judging ------------------------------------------------------------------------------------

// Methods that handlers have met and that are not described yet, by hash: where two meet in one
// place the second waits until it is met again.
#define WANTED 1024              // a power of two: as many new methods can be met between two turns
static uintptr_t wanted[WANTED]; // atomic
static uint32_t any_wanted;      // atomic

static HANDLER_SAFE void want(uintptr_t id) {
    uint64_t mixed = (uint64_t)id * UINT64_C(0x9E3779B97F4A7C15);
    uintptr_t* place = &wanted[mixed >> 32 & (WANTED - 1)];
    if (__atomic_load_n(place, __ATOMIC_RELAXED) != 0) return;
    __atomic_store_n(place, id, __ATOMIC_RELEASE); // partner: sites_describe_wanted
    __atomic_store_n(&any_wanted, 1, __ATOMIC_RELEASE);
}

static HANDLER_SAFE void want_unknown(const struct oracle_frame* frames, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (oracle_methods_sites(agent.methods, frames[i].method) == NULL) want(frames[i].method);
}

HANDLER_SAFE void sites_asked(void) {
    if (agent_layer(ORACLE_LAYER_STRUCTURE))
        agent_count(&agent.run->layers[ORACLE_LAYER_STRUCTURE].asked, 1);
}

// ---- Calls found possible before ----------------------------------------------------------------

static uint32_t forgotten; // atomic: how often the code of methods changed

static HANDLER_SAFE struct thread_call* place_of(struct agent_thread* t, uintptr_t caller,
                                                 int32_t bci, uintptr_t callee) {
    uint64_t mixed =
        (caller ^ callee << 17 ^ (uint64_t)(uint32_t)bci << 40) * UINT64_C(0x9E3779B97F4A7C15);
    return &t->calls[mixed >> 40 & (THREAD_CALLS - 1)];
}

static HANDLER_SAFE bool is_remembered_youngest(struct agent_thread* t) {
    const struct oracle_frame* frame = &t->frames[0];
    const struct thread_call* place = place_of(t, frame->method, 0, 0);
    return place->caller == frame->method && place->callee == 0 && frame->bci >= -1 &&
           frame->bci < place->bci;
}

static HANDLER_SAFE bool is_remembered(struct agent_thread* t, uint32_t i) {
    const struct oracle_frame *caller = &t->frames[i], *callee = &t->frames[i - 1];
    const struct thread_call* place = place_of(t, caller->method, caller->bci, callee->method);
    return place->caller == caller->method && place->callee == callee->method &&
           place->bci == caller->bci;
}

// How many of the oldest frames are right because the thread's first frame and their calls were met
// before. To ask for each method's code would cost most of the judging.
static HANDLER_SAFE uint32_t count_remembered(struct agent_thread* t, uint32_t count) {
    uint32_t now = __atomic_load_n(&forgotten, __ATOMIC_ACQUIRE);
    if (now != t->calls_since) {
        memset(t->calls, 0, sizeof t->calls);
        t->first_method = 0;
        t->calls_since = now;
    }
    if (t->frames[count - 1].method != t->first_method) return 0;
    uint32_t known = 1;
    while (known < count && is_remembered(t, count - known)) known++;
    return known;
}

// Of a whole trace that was found right, what lies above its `known` oldest frames.
static HANDLER_SAFE void remember(struct agent_thread* t, uint32_t count, uint32_t known) {
    uint32_t fresh = known != 0 ? count - known : count - 1;
    t->first_method = t->frames[count - 1].method;
    const struct oracle_frame* youngest = &t->frames[0];
    const struct oracle_sites* sites = oracle_methods_sites(agent.methods, youngest->method);
    if (sites != NULL && youngest->bci != ORACLE_BCI_NATIVE)
        *place_of(t, youngest->method, 0, 0) =
            (struct thread_call){.caller = youngest->method, .bci = (int32_t)sites->length};
    for (uint32_t i = 1; i <= fresh; i++) {
        const struct oracle_frame *caller = &t->frames[i], *callee = &t->frames[i - 1];
        *place_of(t, caller->method, caller->bci, callee->method) = (struct thread_call){
            .caller = caller->method, .callee = callee->method, .bci = caller->bci};
    }
}

static HANDLER_SAFE enum oracle_verdict judge(struct agent_thread* t, uint32_t frames,
                                              struct oracle_context* context,
                                              struct oracle_judgement* judgement) {
    bool whole = frames > 0 && context->base == 0 && !context->depth_limit;
    if (whole) context->known = count_remembered(t, frames);
    if (context->known != 0 && context->known == frames && is_remembered_youngest(t))
        *judgement = (struct oracle_judgement){
            .verdict = ORACLE_AGREE, .observed = frames, .expected = frames - 1};
    else
        oracle_structure(agent.methods, t->frames, frames, context, (enum oracle_root)t->root,
                         judgement);
    if (judgement->verdict == ORACLE_INVALID_ID &&
        hook_may_have_missed(t->frames[judgement->difference].method))
        judgement->verdict = ORACLE_UNDECIDED;
    if (judgement->verdict == ORACLE_AGREE && whole) remember(t, frames, context->known);
    return judgement->verdict;
}

HANDLER_SAFE enum oracle_verdict sites_judge(struct agent_thread* t, int32_t count, uint32_t frames,
                                             bool own, const struct evidence_case* about) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_STRUCTURE];
    struct oracle_context context = {.base = t->base,
                                     .depth_limit = count >= (int32_t)agent.options.depth};
    struct oracle_judgement judgement;
    if (!agent_layer(ORACLE_LAYER_STRUCTURE)) return ORACLE_NO_ANSWER;
    // Push and pop themselves, of which the walker may know nothing but that they are on top.
    own = own ||
          (frames > 0 && oracle_methods_number(agent.methods, t->frames[0].method) == ORACLE_OWN);
    agent_count(&layer->answered, 1);
    if (count <= 0) {
        if (!own) agent_count(&layer->refused[oracle_refusal_of(count)], 1);
        agent_count(own ? &layer->own[ORACLE_REFUSED] : &layer->verdict[ORACLE_REFUSED], 1);
        return ORACLE_REFUSED;
    }
    enum oracle_verdict verdict = judge(t, frames, &context, &judgement);
    agent_count(own ? &layer->own[verdict] : &layer->verdict[verdict], 1);
    if (verdict == ORACLE_UNDECIDED) {
        want_unknown(t->frames, frames);
        if (!own) agent_count(&layer->undecided[RESULTS_UNDECIDED_UNREAD], 1);
    }
    if (own) return verdict;
    agent_count(&agent.run->call_sites, judgement.expected);
    struct evidence_case kept = *about;
    kept.layer = ORACLE_LAYER_STRUCTURE;
    kept.judgement = &judgement;
    kept.observed = t->frames;
    kept.observed_count = frames;
    kept.context = &context;
    if (oracle_is_mismatch(verdict)) evidence_take(t, &kept);
    else
        record_take(
            t,
            &(struct record_case){
                .about = &kept, .context = &context, .given = verdict, .count = count, .kept = -1});
    return verdict;
}

HANDLER_SAFE void sites_count_gaps(const struct oracle_judgement* judgement, bool own) {
    if (own || judgement->caller_bcis + judgement->gap_frames == 0) return;
    agent_count(&agent.run->gap_frames, judgement->gap_frames);
    agent_count(&agent.run->caller_bcis, judgement->caller_bcis);
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
static const struct oracle_sites opaque = {.flags = ORACLE_METHOD_OPAQUE};

int sites_open(void) {
    reader = instrument_calls_open();
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
    size_t length = strlen(m->class_name); // "Ljava/lang/Object;", or cut short: then it is no
                                           // class of the VM's table
    bool object = length > 2 && m->class_name[0] == 'L';
    snprintf(class_name, sizeof class_name, "%.*s", object ? (int)length - 2 : 0,
             object ? m->class_name + 1 : "");
    bool throwable = strcmp(m->name, "<init>") == 0 && is_throwable(env, klass);
    return oracle_method_flags(class_name, m->name, m->descriptor, throwable) |
           (m->native ? ORACLE_METHOD_NATIVE : 0);
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
    __atomic_fetch_add(&forgotten, 1, __ATOMIC_RELEASE); // partner: are_remembered
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)ids);
}

// ---- Threads ------------------------------------------------------------------------------------

static const void* library_of(const void* address) {
    Dl_info info;
    return dladdr(address, &info) != 0 ? info.dli_fbase : NULL;
}

// Whether the thread's first function is the JVM's: nothing but libc, which starts every thread,
// lies under it. A thread that attached itself has its own code there.
static bool is_made_by_jvm(void) {
    void* frames[64];
    const void* jvm = library_of((const void*)(uintptr_t)(*agent.jvmti)->GetStackTrace);
    const void* threads = library_of((const void*)(uintptr_t)pthread_create);
    const void* libc = library_of((const void*)(uintptr_t)getenv);
    int count = backtrace(frames, 64);
    int at = count;
    if (count == 64) return false;
    while (at > 0 && library_of(frames[at - 1]) != jvm) {
        const void* library = library_of(frames[--at]);
        if (library == NULL || (library != threads && library != libc)) return false;
    }
    return at > 0 && at < count;
}

// The VM's own threads, in which it calls what it pleases.
static bool is_of_the_vm(const char* name) {
    static const char* const names[] = {"Attach Listener", "Signal Dispatcher", "Service Thread",
                                        "Notification",    "C1 CompilerThread", "C2 CompilerThread",
                                        "JVMCI",           "Monitor Deflation", "DestroyJavaVM"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0) return true;
    return false;
}

static bool is_launched(const char* thread_name) {
    char* launcher = NULL;
    if ((*agent.jvmti)->GetSystemProperty(agent.jvmti, "sun.java.launcher", &launcher) !=
        JVMTI_ERROR_NONE)
        return false;
    bool standard = strcmp(launcher, "SUN_STANDARD") == 0;
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)launcher);
    return standard && strcmp(thread_name, "main") == 0;
}

void sites_learn_root(struct agent_thread* t, bool first) {
    enum oracle_root root = ORACLE_ROOT_ANY;
    if (t == NULL || !agent_layer(ORACLE_LAYER_STRUCTURE) || t->base != 0) return;
    if (t->mount != MOUNT_NONE) return; // only its virtual threads are judged
    if (first && is_launched(t->name)) root = ORACLE_ROOT_LAUNCHED;
    if (!first && !is_of_the_vm(t->name) && is_made_by_jvm()) root = ORACLE_ROOT_STARTED;
    t->root = (uint32_t)root;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->first_method = 0; // what was found right while the root was not known
}
