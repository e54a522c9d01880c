// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "parts.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "agent/state/state.h"
#include "classes.h"

// Where a jmethodID comes from.
struct owned_method {
    jmethodID id;
    jweak owner;
    UT_hash_handle hh;
};

// The runtime class's own.
#define OWN_MAX 9
static struct {
    jmethodID id;
    const char *name, *descriptor;
} own_methods[OWN_MAX];
static uint32_t own_count;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rewritten_class* classes;
static struct rewritten_class* asked; // loaded before, and the JVM has not taken them yet
static struct owned_method* owned;
static struct rewritten_method** by_number;

int names_open(void) {
    by_number = calloc(ORACLE_NUMBERS_MAX, sizeof *by_number);
    return by_number != NULL ? 0 : -1;
}

// ---- Remembering what was rewritten -----------------------------------------------------------

static char* copy_text(struct instrument_text text) {
    char* copy = malloc(text.length + 1u);
    AGENT_ASSERT(copy != NULL);
    memcpy(copy, text.text, text.length);
    copy[text.length] = '\0';
    return copy;
}

static void* copy_array(const void* array, size_t bytes) {
    if (bytes == 0) return NULL;
    void* copy = malloc(bytes);
    AGENT_ASSERT(copy != NULL);
    memcpy(copy, array, bytes);
    return copy;
}

static void describe_code(const struct instrument_method* m) {
    static const char constructor[] = "<init>";
    uint32_t calls = 0;
    for (uint32_t i = 0; i < m->insertion_count; i++) calls += m->insertions[i].call;
    struct oracle_code* code = malloc(sizeof *code + calls * sizeof code->ranges[0]);
    AGENT_ASSERT(code != NULL);
    code->length = m->code_length;
    code->may_vanish = m->name.length == sizeof constructor - 1 &&
                       memcmp(m->name.text, constructor, m->name.length) == 0;
    code->range_count = 0;
    for (uint32_t i = 0; i < m->insertion_count; i++) {
        const struct instrument_insertion* insertion = &m->insertions[i];
        if (!insertion->call) continue;
        struct oracle_range* range = &code->ranges[code->range_count++];
        range->start = insertion->start;
        range->end = (uint32_t)insertion->start + insertion->length;
    }
    oracle_methods_describe(agent.methods, m->number, code);
}

static void copy_method(struct rewritten_method* to, const struct instrument_method* from,
                        const struct rewritten_class* owner) {
    to->owner = owner;
    to->name = copy_text(from->name);
    to->descriptor = copy_text(from->descriptor);
    if (!from->has_code || from->refusal != INSTRUMENT_NONE) return;
    to->number = from->number;
    to->insertion_count = from->insertion_count;
    to->insertions = copy_array(from->insertions, from->insertion_count * sizeof *from->insertions);
    to->line_count = from->line_count;
    to->lines = copy_array(from->lines, from->line_count * sizeof *from->lines);
    describe_code(from);
}

static int compare_methods(const void* a, const void* b) {
    const struct rewritten_method *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : strcmp(x->descriptor, y->descriptor);
}

// Of `length` characters of the name, and one that ends it. The caller frees it.
static char* make_key(int64_t loader_id, const char* name, size_t length) {
    char* key = malloc(sizeof loader_id + length + 1);
    AGENT_ASSERT(key != NULL);
    memcpy(key, &loader_id, sizeof loader_id);
    memcpy(key + sizeof loader_id, name, length);
    key[sizeof loader_id + length] = '\0';
    return key;
}

static struct rewritten_class* find_key(const char* key) {
    struct rewritten_class* first;
    HASH_FIND(hh, classes, key, sizeof(int64_t) + strlen(key + sizeof(int64_t)), first);
    return first;
}

static void add_key(struct rewritten_class* class) {
    HASH_ADD_KEYPTR(hh, classes, class->key, sizeof(int64_t) + strlen(class->name), class);
}

static void publish(struct rewritten_class* class) {
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < class->method_count; i++)
        if (class->methods[i].number != 0) // partner: names_numbered, which takes no lock
            __atomic_store_n(&by_number[class->methods[i].number], &class->methods[i],
                             __ATOMIC_RELEASE);
    struct rewritten_class* first = find_key(class->key);
    if (first != NULL) {
        class->next = first->next;
        first->next = class;
    } else {
        add_key(class);
    }
    if (class->loaded_before) {
        class->next_asked = asked;
        asked = class;
    }
    pthread_mutex_unlock(&lock);
}

// No class has this version. Its numbers stay taken, and the record knows them.
static void withdraw(struct rewritten_class* class) {
    struct rewritten_class* before = find_key(class->key);
    if (before == class) {
        HASH_DEL(classes, class);
        if (class->next != NULL) add_key(class->next);
        return;
    }
    while (before->next != class) before = before->next;
    before->next = class->next;
}

void names_retransformed(bool taken) {
    pthread_mutex_lock(&lock);
    for (; asked != NULL; asked = asked->next_asked)
        if (!taken) withdraw(asked);
    pthread_mutex_unlock(&lock);
}

void names_rewritten(const struct instrument_class* rewritten, int64_t loader_id,
                     bool loaded_before) {
    struct rewritten_class* class = calloc(1, sizeof *class);
    AGENT_ASSERT(class != NULL);
    class->key = make_key(loader_id, rewritten->name.text, rewritten->name.length);
    class->name = class->key + sizeof loader_id;
    class->source = rewritten->source_file.length != 0 ? copy_text(rewritten->source_file) : NULL;
    class->loaded_before = loaded_before;
    class->method_count = rewritten->method_count;
    class->methods = calloc(rewritten->method_count + 1u, sizeof *class->methods);
    AGENT_ASSERT(class->methods != NULL);
    for (uint32_t i = 0; i < rewritten->method_count; i++)
        copy_method(&class->methods[i], &rewritten->methods[i], class);
    qsort(class->methods, class->method_count, sizeof *class->methods, compare_methods);
    publish(class);
}

// ---- Announcing jmethodIDs --------------------------------------------------------------------

static void announce(jmethodID id, uint32_t number) {
    AGENT_ASSERT(oracle_methods_bind(agent.methods, (uintptr_t)id, number) == 0);
}

static void keep_owner(JNIEnv* env, jmethodID id, jclass klass, jweak* owner) {
    struct owned_method* known;
    HASH_FIND_PTR(owned, &id, known);
    if (known != NULL) return;
    if (*owner == NULL) *owner = (*env)->NewWeakGlobalRef(env, klass);
    known = calloc(1, sizeof *known);
    AGENT_ASSERT(known != NULL);
    known->id = id;
    known->owner = *owner;
    HASH_ADD_PTR(owned, id, known);
}

// Binds the method's id to its number in every rewriting of this class for this loader. There are
// several where a loader was given the class twice, or where another agent had it rewritten again.
static bool announce_rewritten(struct rewritten_class* first, jmethodID id) {
    struct rewritten_method key;
    char *name = NULL, *descriptor = NULL;
    bool found = false;
    if ((*agent.jvmti)->GetMethodName(agent.jvmti, id, &name, &descriptor, NULL) !=
        JVMTI_ERROR_NONE)
        return false;
    key.name = name;
    key.descriptor = descriptor;
    for (struct rewritten_class* c = first; c != NULL; c = c->next) {
        struct rewritten_method* m =
            bsearch(&key, c->methods, c->method_count, sizeof *m, compare_methods);
        if (m == NULL || m->number == 0) continue;
        announce(id, m->number);
        found = true;
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)name);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)descriptor);
    return found;
}

// "Ljava/lang/Object;" -> that loader's rewritings of java/lang/Object, or NULL.
static struct rewritten_class* find_rewritten(const char* signature, int64_t loader_id) {
    size_t length = strlen(signature);
    if (length <= 2 || signature[0] != 'L') return NULL;
    char* key = make_key(loader_id, signature + 1, length - 2);
    struct rewritten_class* first = find_key(key);
    free(key);
    return first;
}

static void announce_all(JNIEnv* env, jclass klass, const jmethodID* ids, jint count) {
    char* signature = NULL;
    jweak owner = NULL;
    if ((*agent.jvmti)->GetClassSignature(agent.jvmti, klass, &signature, NULL) != JVMTI_ERROR_NONE)
        return;
    linkers_note(signature, ids, count);
    int64_t loader_id = loaders_id_of(env, klass);
    pthread_mutex_lock(&lock);
    struct rewritten_class* first = find_rewritten(signature, loader_id);
    for (jint i = 0; i < count; i++) {
        if (first == NULL || !announce_rewritten(first, ids[i])) announce(ids[i], ORACLE_FOREIGN);
        keep_owner(env, ids[i], klass, &owner);
    }
    pthread_mutex_unlock(&lock);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)signature);
}

void names_prepared(JNIEnv* env, jclass klass) {
    jint count = 0;
    jmethodID* ids = NULL;
    // Asking makes the ids exist: AsyncGetCallTrace cannot make them itself.
    if ((*agent.jvmti)->GetClassMethods(agent.jvmti, klass, &count, &ids) != JVMTI_ERROR_NONE)
        return;
    announce_all(env, klass, ids, count);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)ids);
}

bool names_missed(JNIEnv* env, jclass klass) {
    jint count = 0;
    jmethodID* ids = NULL;
    if ((*agent.jvmti)->GetClassMethods(agent.jvmti, klass, &count, &ids) != JVMTI_ERROR_NONE)
        return false;
    bool missed =
        count > 0 && oracle_methods_number(agent.methods, (uintptr_t)ids[0]) == ORACLE_UNKNOWN;
    if (missed) announce_all(env, klass, ids, count);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)ids);
    return missed;
}

jclass names_owner(JNIEnv* env, uintptr_t id) {
    struct owned_method* known;
    pthread_mutex_lock(&lock);
    HASH_FIND_PTR(owned, &id, known);
    jclass klass = known != NULL ? (*env)->NewLocalRef(env, known->owner) : NULL;
    pthread_mutex_unlock(&lock);
    return klass;
}

void names_describe_sites(uintptr_t id, const struct oracle_sites* sites) {
    pthread_mutex_lock(&lock);
    oracle_methods_describe_sites(agent.methods, id, sites);
    pthread_mutex_unlock(&lock);
}

const struct rewritten_method* names_numbered(uint32_t number) {
    if (number >= ORACLE_NUMBERS_MAX) return NULL;
    return __atomic_load_n(&by_number[number], __ATOMIC_ACQUIRE); // partner: publish
}

// ---- Classes redefined ------------------------------------------------------------------------

static bool is_text(struct instrument_text text, const char* other) {
    return strlen(other) == text.length && memcmp(other, text.text, text.length) == 0;
}

static void announce_redefined(jmethodID id, const struct instrument_class* rewritten) {
    char *name = NULL, *descriptor = NULL;
    if ((*agent.jvmti)->GetMethodName(agent.jvmti, id, &name, &descriptor, NULL) !=
        JVMTI_ERROR_NONE)
        return;
    for (uint32_t i = 0; i < rewritten->method_count; i++) {
        const struct instrument_method* m = &rewritten->methods[i];
        if (m->has_code && m->refusal == INSTRUMENT_NONE && is_text(m->name, name) &&
            is_text(m->descriptor, descriptor))
            announce(id, m->number);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)name);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)descriptor);
}

// Does not use announce_all, which would bind the ids to the numbers of older versions as well.
// Older versions may still run; they have ids of their own then.
void names_redefined(jclass klass, const struct instrument_class* rewritten) {
    jint count = 0;
    jmethodID* ids = NULL;
    if ((*agent.jvmti)->GetClassMethods(agent.jvmti, klass, &count, &ids) != JVMTI_ERROR_NONE)
        return;
    pthread_mutex_lock(&lock);
    for (jint i = 0; i < count; i++) announce_redefined(ids[i], rewritten);
    pthread_mutex_unlock(&lock);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)ids);
}

// Whether the id's class has this name. The loader needs no check: the trace stack has a method of
// that class and loader.
static bool is_declared_in(jmethodID id, const char* class_name) {
    JNIEnv* env = NULL;
    jclass klass = NULL;
    char* signature = NULL;
    if ((*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, id, &klass) != JVMTI_ERROR_NONE)
        return false;
    size_t length = strlen(class_name);
    bool same = (*agent.jvmti)->GetClassSignature(agent.jvmti, klass, &signature, NULL) ==
                    JVMTI_ERROR_NONE &&
                strlen(signature) == length + 2 && memcmp(signature + 1, class_name, length) == 0;
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)signature);
    if ((*agent.vm)->GetEnv(agent.vm, (void**)&env, JNI_VERSION_1_2) == JNI_OK)
        (*env)->DeleteLocalRef(env, klass);
    return same;
}

static bool is_named(jmethodID id, const struct rewritten_method* m) {
    char *name = NULL, *descriptor = NULL;
    bool same = (*agent.jvmti)->GetMethodName(agent.jvmti, id, &name, &descriptor, NULL) ==
                    JVMTI_ERROR_NONE &&
                strcmp(name, m->name) == 0 && strcmp(descriptor, m->descriptor) == 0;
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)name);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)descriptor);
    return same;
}

bool names_obsolete(jmethodID id, uint32_t number) {
    const struct rewritten_method* m = names_numbered(number);
    if (m == NULL || !is_named(id, m) || !is_declared_in(id, m->owner->name)) return false;
    pthread_mutex_lock(&lock);
    announce(id, number);
    pthread_mutex_unlock(&lock);
    return true;
}

// What the JVM says of an id; all NULL where it says nothing.
struct described {
    jclass klass;
    char *name, *descriptor;
};

static struct described describe_id(jmethodID id) {
    struct described d = {NULL};
    if ((*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, id, &d.klass) == JVMTI_ERROR_NONE)
        (*agent.jvmti)->GetMethodName(agent.jvmti, id, &d.name, &d.descriptor, NULL);
    return d;
}

static void free_described(JNIEnv* env, struct described* d) {
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)d->name);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)d->descriptor);
    (*env)->DeleteLocalRef(env, d->klass);
}

bool names_same_method(jmethodID one, jmethodID other) {
    JNIEnv* env = NULL;
    if ((*agent.vm)->GetEnv(agent.vm, (void**)&env, JNI_VERSION_1_2) != JNI_OK) return false;
    struct described a = describe_id(one), b = describe_id(other);
    bool same = a.name != NULL && b.name != NULL && (*env)->IsSameObject(env, a.klass, b.klass) &&
                strcmp(a.name, b.name) == 0 && strcmp(a.descriptor, b.descriptor) == 0;
    free_described(env, &a);
    free_described(env, &b);
    return same;
}

void names_runs(jmethodID id, uint32_t number) {
    pthread_mutex_lock(&lock);
    announce(id, number);
    pthread_mutex_unlock(&lock);
}

// Whether some rewriting of the class gave this method a number. The choice of methods goes by
// names, so all versions of a class have the same ones.
static bool has_number(const struct rewritten_class* first, const struct rewritten_method* key) {
    for (const struct rewritten_class* c = first; c != NULL; c = c->next) {
        const struct rewritten_method* m =
            bsearch(key, c->methods, c->method_count, sizeof *m, compare_methods);
        if (m != NULL && m->number != 0) return true;
    }
    return false;
}

// Whether the only version of the class that is obsolete is the one that the agent retransformed.
// It has no pushes, so no entry is of it.
static bool only_original_is_obsolete(const struct rewritten_class* first) {
    uint32_t versions = 0, retransformed = 0;
    for (const struct rewritten_class* c = first; c != NULL; c = c->next) {
        versions++;
        retransformed += c->loaded_before;
    }
    return versions == 1 && retransformed == 1;
}

static bool is_obsolete(jmethodID id) {
    jboolean obsolete = JNI_FALSE;
    return (*agent.jvmti)->IsMethodObsolete(agent.jvmti, id, &obsolete) == JVMTI_ERROR_NONE &&
           obsolete;
}

bool names_obsolete_foreign(JNIEnv* env, jmethodID id) {
    struct described d = describe_id(id);
    char* signature = NULL;
    bool foreign = false;
    if (d.name != NULL &&
        (*agent.jvmti)->GetClassSignature(agent.jvmti, d.klass, &signature, NULL) ==
            JVMTI_ERROR_NONE) {
        const struct rewritten_method key = {.name = d.name, .descriptor = d.descriptor};
        bool obsolete = is_obsolete(id);
        int64_t loader_id = loaders_id_of(env, d.klass);
        pthread_mutex_lock(&lock);
        const struct rewritten_class* first = find_rewritten(signature, loader_id);
        bool original = obsolete && only_original_is_obsolete(first);
        bool part = __atomic_load_n(&agent.redefined, __ATOMIC_RELAXED) && !has_number(first, &key);
        foreign = original || part;
        if (foreign) announce(id, ORACLE_FOREIGN);
        pthread_mutex_unlock(&lock);
        if (original) agent_count(&agent.run->originals, 1);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)signature);
    free_described(env, &d);
    return foreign;
}

void names_own(jmethodID id, const char* name, const char* descriptor) {
    pthread_mutex_lock(&lock);
    announce(id, ORACLE_OWN);
    AGENT_ASSERT(own_count < OWN_MAX);
    own_methods[own_count].id = id;
    own_methods[own_count].name = name;
    own_methods[own_count++].descriptor = descriptor;
    pthread_mutex_unlock(&lock);
}

const char* names_of_own(uint64_t id, const char** descriptor) {
    for (uint32_t i = 0; i < own_count; i++) {
        if (own_methods[i].id != (jmethodID)(uintptr_t)id) continue;
        *descriptor = own_methods[i].descriptor;
        return own_methods[i].name;
    }
    return NULL;
}
