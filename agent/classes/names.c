// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "agent/state/state.h"
#include "classes.h"
#include "loaders.h"
#include "names.h"

// A rewritten method. Everything it points at lives as long as the agent.
struct rewritten_method {
    const char* name;
    const char* descriptor;
    const struct rewritten_class* owner;
    const struct instrument_insertion* insertions;
    const struct instrument_line* lines;
    uint32_t insertion_count, line_count;
    uint32_t number; // 0: not rewritten, so foreign
};

struct rewritten_class {
    const char* name; // internal form; the key, together with the loader
    const char* source;
    int64_t loader_id;
    struct rewritten_class* next; // of the same name
    uint32_t method_count;
    struct rewritten_method* methods; // sorted by name and descriptor
    UT_hash_handle hh;
};

// Where a jmethodID comes from.
struct owned_method {
    jmethodID id;
    jweak owner;
    UT_hash_handle hh;
};

// The runtime class's own.
#define OWN_MAX 4
static struct {
    jmethodID id;
    const char* name;
} own_methods[OWN_MAX];
static uint32_t own_count;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rewritten_class* classes;
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

static void publish(struct rewritten_class* class) {
    struct rewritten_class* first;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < class->method_count; i++)
        if (class->methods[i].number != 0) // partner: names_describe, which takes no lock
            __atomic_store_n(&by_number[class->methods[i].number], &class->methods[i],
                             __ATOMIC_RELEASE);
    HASH_FIND_STR(classes, class->name, first);
    if (first != NULL) {
        class->next = first->next;
        first->next = class;
    } else {
        HASH_ADD_KEYPTR(hh, classes, class->name, strlen(class->name), class);
    }
    pthread_mutex_unlock(&lock);
}

void names_rewritten(const struct instrument_class* rewritten, int64_t loader_id) {
    struct rewritten_class* class = calloc(1, sizeof *class);
    AGENT_ASSERT(class != NULL);
    class->name = copy_text(rewritten->name);
    class->source = rewritten->source_file.length != 0 ? copy_text(rewritten->source_file) : NULL;
    class->loader_id = loader_id;
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

// Binds the method's id to its number in every rewriting of this class for this loader. There is
// more than one where a loader was given the class twice, or where another agent had it rewritten
// anew.
static bool announce_rewritten(struct rewritten_class* first, int64_t loader_id, jmethodID id) {
    struct rewritten_method key;
    char *name = NULL, *descriptor = NULL;
    bool found = false;
    if ((*agent.jvmti)->GetMethodName(agent.jvmti, id, &name, &descriptor, NULL) !=
        JVMTI_ERROR_NONE)
        return false;
    key.name = name;
    key.descriptor = descriptor;
    for (struct rewritten_class* c = first; c != NULL; c = c->next) {
        if (c->loader_id != loader_id) continue;
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

// "Ljava/lang/Object;" -> the rewritings of java/lang/Object, or NULL.
static struct rewritten_class* find_rewritten(const char* signature) {
    struct rewritten_class* first = NULL;
    size_t length = strlen(signature);
    if (length > 2 && signature[0] == 'L') HASH_FIND(hh, classes, signature + 1, length - 2, first);
    return first;
}

static void announce_all(JNIEnv* env, jclass klass, const jmethodID* ids, jint count) {
    char* signature = NULL;
    jweak owner = NULL;
    if ((*agent.jvmti)->GetClassSignature(agent.jvmti, klass, &signature, NULL) != JVMTI_ERROR_NONE)
        return;
    int64_t loader_id = loaders_id_of(env, klass);
    pthread_mutex_lock(&lock);
    struct rewritten_class* first = find_rewritten(signature);
    for (jint i = 0; i < count; i++) {
        if (first == NULL || !announce_rewritten(first, loader_id, ids[i]))
            announce(ids[i], ORACLE_FOREIGN);
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

// Not by announce_all, which would give the ids to the numbers of older versions too: these may be
// running, and have ids of their own then.
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

// Of the same class, by name: its loader is the one whose method the trace stack has.
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
    if (number >= ORACLE_NUMBERS_MAX) return false;
    pthread_mutex_lock(&lock);
    const struct rewritten_method* m = by_number[number];
    pthread_mutex_unlock(&lock);
    if (m == NULL || !is_named(id, m) || !is_declared_in(id, m->owner->name)) return false;
    pthread_mutex_lock(&lock);
    announce(id, number);
    pthread_mutex_unlock(&lock);
    return true;
}

void names_own(jmethodID id, const char* name) {
    pthread_mutex_lock(&lock);
    announce(id, ORACLE_OWN);
    AGENT_ASSERT(own_count < OWN_MAX);
    own_methods[own_count].id = id;
    own_methods[own_count++].name = name;
    pthread_mutex_unlock(&lock);
}

// ---- Completing kept frames -------------------------------------------------------------------

// Appends to the run's text area; 0 where it is full. Repeated texts are found again.
uint32_t names_keep_text(const char* text) {
    struct kept {
        uint32_t offset;
        UT_hash_handle hh;
    };
    static struct kept* kept; // housekeeping thread only
    struct kept* known;
    size_t length = strlen(text);
    HASH_FIND(hh, kept, text, length, known);
    if (known != NULL) return known->offset;
    uint32_t offset = agent.run->text_used != 0 ? agent.run->text_used : 1;
    if (length + 1 > RESULTS_TEXT - offset || (known = calloc(1, sizeof *known)) == NULL) return 0;
    memcpy(agent.run->text + offset, text, length + 1);
    known->offset = offset;
    HASH_ADD_KEYPTR(hh, kept, agent.run->text + offset, length, known);
    agent.run->text_used = offset + (uint32_t)length + 1;
    return offset;
}

static uint32_t keep_name(const char* class, const char* method, const char* descriptor) {
    char text[1024];
    snprintf(text, sizeof text, "%s.%s%s", class, method, descriptor);
    for (char* c = text; *c != '\0' && *c != '('; c++)
        if (*c == '/') *c = '.';
    return names_keep_text(text);
}

static void resolve_rewritten(const struct rewritten_method* m, struct results_frame* frame) {
    frame->name = keep_name(m->owner->name, m->name, m->descriptor);
    if (m->owner->source != NULL) frame->source = names_keep_text(m->owner->source);
    if (frame->bci < 0) return;
    uint32_t old = instrument_old_bci(m->insertions, m->insertion_count, (uint32_t)frame->bci);
    frame->old_bci = (int32_t)old;
    frame->line = instrument_line_of(m->lines, m->line_count, old);
}

static uint32_t line_at(const jvmtiLineNumberEntry* lines, jint count, int32_t bci) {
    uint32_t line = 0;
    jlocation best = -1;
    for (jint i = 0; i < count; i++) {
        if (lines[i].start_location > bci || lines[i].start_location < best) continue;
        best = lines[i].start_location;
        line = (uint32_t)lines[i].line_number;
    }
    return line;
}

// The class is held by a local reference meanwhile, so its methods cannot go.
static void resolve_live(jclass klass, jmethodID id, struct results_frame* frame) {
    jvmtiEnv* jvmti = agent.jvmti;
    char* class = NULL, *name = NULL, *descriptor = NULL, *source = NULL;
    jvmtiLineNumberEntry* lines = NULL;
    jint count = 0;
    if ((*jvmti)->GetClassSignature(jvmti, klass, &class, NULL) == JVMTI_ERROR_NONE &&
        (*jvmti)->GetMethodName(jvmti, id, &name, &descriptor, NULL) == JVMTI_ERROR_NONE) {
        size_t length = strlen(class);
        if (length > 2) class[length - 1] = '\0';
        frame->name = keep_name(length > 2 ? class + 1 : class, name, descriptor);
    }
    if ((*jvmti)->GetSourceFileName(jvmti, klass, &source) == JVMTI_ERROR_NONE)
        frame->source = names_keep_text(source);
    if (frame->bci >= 0 &&
        (*jvmti)->GetLineNumberTable(jvmti, id, &count, &lines) == JVMTI_ERROR_NONE)
        frame->line = line_at(lines, count, frame->bci);
    (*jvmti)->Deallocate(jvmti, (unsigned char*)class);
    (*jvmti)->Deallocate(jvmti, (unsigned char*)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char*)descriptor);
    (*jvmti)->Deallocate(jvmti, (unsigned char*)source);
    (*jvmti)->Deallocate(jvmti, (unsigned char*)lines);
}

static void resolve_foreign(JNIEnv* env, struct results_frame* frame) {
    jclass klass = names_owner(env, (uintptr_t)frame->id);
    if (klass == NULL) return;
    resolve_live(klass, (jmethodID)(uintptr_t)frame->id, frame);
    (*env)->DeleteLocalRef(env, klass);
}

static void resolve_own(struct results_frame* frame) {
    for (uint32_t i = 0; i < own_count; i++)
        if (own_methods[i].id == (jmethodID)(uintptr_t)frame->id)
            frame->name = keep_name(INSTRUMENT_RUNTIME_CLASS, own_methods[i].name, "(I)V");
}

void names_resolve(JNIEnv* env, struct results_frame* frame) {
    const struct rewritten_method* m = NULL;
    uint32_t number = frame->flags & RESULTS_FRAME_NUMBERED
                          ? (uint32_t)frame->id
                          : oracle_methods_number(agent.methods, (uintptr_t)frame->id);
    if (number == ORACLE_UNKNOWN) return;
    if (number == ORACLE_OWN) {
        resolve_own(frame);
        return;
    }
    if (number != ORACLE_FOREIGN && number < ORACLE_NUMBERS_MAX) {
        pthread_mutex_lock(&lock);
        m = by_number[number];
        pthread_mutex_unlock(&lock);
    }
    if (m != NULL) resolve_rewritten(m, frame);
    else if (number == ORACLE_FOREIGN) resolve_foreign(env, frame);
}

// ---- Names for the record -----------------------------------------------------------------------

// One piece of memory for names with so many insertions and lines, and the two texts.
static struct results_names* make_names(const char* name, const char* source, uint32_t insertions,
                                        uint32_t lines) {
    size_t name_size = strlen(name) + 1, source_size = source != NULL ? strlen(source) + 1 : 0;
    struct results_names* names = malloc(sizeof *names + insertions * sizeof *names->insertions +
                                         lines * sizeof *names->lines + name_size + source_size);
    if (names == NULL) return NULL;
    struct results_insertion* first = (struct results_insertion*)(names + 1);
    struct results_line* line = (struct results_line*)(first + insertions);
    char* text = (char*)(line + lines);
    *names = (struct results_names){.name = text,
                                    .insertions = first,
                                    .insertion_count = insertions,
                                    .lines = line,
                                    .line_count = lines};
    memcpy(text, name, name_size);
    if (source != NULL) names->source = memcpy(text + name_size, source, source_size);
    return names;
}

static void make_name(const char* class, const char* method, const char* descriptor,
                      char text[1024]) {
    snprintf(text, 1024, "%s.%s%s", class, method, descriptor);
    for (char* c = text; *c != '\0' && *c != '('; c++)
        if (*c == '/') *c = '.';
}

static struct results_names* describe_rewritten(const struct rewritten_method* m) {
    char name[1024];
    make_name(m->owner->name, m->name, m->descriptor, name);
    struct results_names* names =
        make_names(name, m->owner->source, m->insertion_count, m->line_count);
    if (names == NULL) return NULL;
    struct results_insertion* insertions = (struct results_insertion*)(names + 1);
    struct results_line* lines = (struct results_line*)(insertions + m->insertion_count);
    for (uint32_t i = 0; i < m->insertion_count; i++)
        insertions[i] = (struct results_insertion){m->insertions[i].start, m->insertions[i].length,
                                                   m->insertions[i].old_bci};
    for (uint32_t i = 0; i < m->line_count; i++)
        lines[i] = (struct results_line){m->lines[i].old_bci, m->lines[i].line};
    return names;
}

static int compare_lines(const void* a, const void* b) {
    const struct results_line *x = a, *y = b;
    return (x->bci > y->bci) - (x->bci < y->bci);
}

static struct results_names* describe_live(jclass klass, jmethodID id) {
    jvmtiEnv* jvmti = agent.jvmti;
    char* class = NULL, *method = NULL, *descriptor = NULL, *source = NULL, name[1024];
    jvmtiLineNumberEntry* table = NULL;
    struct results_names* names = NULL;
    jint count = 0;
    (void)(*jvmti)->GetSourceFileName(jvmti, klass, &source);
    if ((*jvmti)->GetLineNumberTable(jvmti, id, &count, &table) != JVMTI_ERROR_NONE) count = 0;
    if ((*jvmti)->GetClassSignature(jvmti, klass, &class, NULL) == JVMTI_ERROR_NONE &&
        (*jvmti)->GetMethodName(jvmti, id, &method, &descriptor, NULL) == JVMTI_ERROR_NONE) {
        size_t length = strlen(class);
        if (length > 2) class[length - 1] = '\0';
        make_name(length > 2 ? class + 1 : class, method, descriptor, name);
        names = make_names(name, source, 0, (uint32_t)count);
    }
    struct results_line* lines = names != NULL ? (struct results_line*)(names + 1) : NULL;
    for (jint i = 0; lines != NULL && i < count; i++)
        lines[i] = (struct results_line){(uint32_t)table[i].start_location,
                                         (uint32_t)table[i].line_number};
    if (lines != NULL) qsort(lines, (size_t)count, sizeof *lines, compare_lines);
    (*jvmti)->Deallocate(jvmti, (unsigned char*)class);
    (*jvmti)->Deallocate(jvmti, (unsigned char*)method);
    (*jvmti)->Deallocate(jvmti, (unsigned char*)descriptor);
    (*jvmti)->Deallocate(jvmti, (unsigned char*)source);
    (*jvmti)->Deallocate(jvmti, (unsigned char*)table);
    return names;
}

static struct results_names* describe_own(uint64_t id) {
    char name[1024];
    for (uint32_t i = 0; i < own_count; i++) {
        if (own_methods[i].id != (jmethodID)(uintptr_t)id) continue;
        make_name(INSTRUMENT_RUNTIME_CLASS, own_methods[i].name, "(I)V", name);
        return make_names(name, NULL, 0, 0);
    }
    return NULL;
}

struct results_names* names_describe(JNIEnv* env, uint64_t id, uint32_t number) {
    if (number == ORACLE_OWN) return describe_own(id);
    if (number != ORACLE_FOREIGN && number < ORACLE_NUMBERS_MAX) {
        const struct rewritten_method* m = __atomic_load_n(&by_number[number], __ATOMIC_ACQUIRE);
        if (m != NULL) return describe_rewritten(m);
    }
    if (env == NULL || number == ORACLE_UNKNOWN) return NULL;
    jclass klass = names_owner(env, (uintptr_t)id);
    if (klass == NULL) return NULL;
    struct results_names* names = describe_live(klass, (jmethodID)(uintptr_t)id);
    (*env)->DeleteLocalRef(env, klass);
    return names;
}
