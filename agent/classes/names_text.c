// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Names, source files and lines of methods, for the record.
#include "classes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/state/state.h"
#include "parts.h"

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
    const char *descriptor, *own = names_of_own(id, &descriptor);
    if (own == NULL) return NULL;
    make_name(INSTRUMENT_RUNTIME_CLASS, own, descriptor, name);
    return make_names(name, NULL, 0, 0);
}

struct results_names* names_describe(JNIEnv* env, uint64_t id, uint32_t number) {
    if (number == ORACLE_OWN) return describe_own(id);
    jclass klass = env != NULL ? names_owner(env, (uintptr_t)id) : NULL;
    if (klass == NULL) return NULL;
    struct results_names* names = describe_live(klass, (jmethodID)(uintptr_t)id);
    (*env)->DeleteLocalRef(env, klass);
    return names;
}

// ---- Rewritten methods --------------------------------------------------------------------------

#define ROOM_WAIT_US 1000
#define ROOM_WAITS 1000 // a second: the writer has long been told to make room

static void record_method(const struct rewritten_method* m) {
    struct results_ring ring = results_run_ring(agent.run);
    struct results_names* names = describe_rewritten(m);
    const struct oracle_code* code = oracle_methods_code(agent.methods, m->number);
    int result = -1;
    for (unsigned i = 0; names != NULL && result != 0 && i < ROOM_WAITS; i++) {
        if (i != 0) usleep(ROOM_WAIT_US);
        result = results_rewritten_piece(&ring, m->number, code, names);
    }
    if (result != 0) agent_count(&agent.run->unrecorded, 1);
    free(names);
}

void names_record(const struct instrument_class* rewritten) {
    for (uint32_t i = 0; i < rewritten->method_count; i++) {
        const struct instrument_method* method = &rewritten->methods[i];
        bool numbered = method->has_code && method->refusal == INSTRUMENT_NONE;
        const struct rewritten_method* m = numbered ? names_numbered(method->number) : NULL;
        if (m != NULL) record_method(m);
    }
}
