// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Names, source files and lines of methods, for evidence and for the record.
#include "classes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "agent/state/state.h"
#include "names.h"

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
    const char* name = names_of_own(frame->id);
    if (name != NULL) frame->name = keep_name(INSTRUMENT_RUNTIME_CLASS, name, "(I)V");
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
    if (number != ORACLE_FOREIGN) m = names_numbered(number);
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
    const char* own = names_of_own(id);
    if (own == NULL) return NULL;
    make_name(INSTRUMENT_RUNTIME_CLASS, own, "(I)V", name);
    return make_names(name, NULL, 0, 0);
}

struct results_names* names_describe(JNIEnv* env, uint64_t id, uint32_t number) {
    if (number == ORACLE_OWN) return describe_own(id);
    const struct rewritten_method* m = number != ORACLE_FOREIGN ? names_numbered(number) : NULL;
    if (m != NULL) return describe_rewritten(m);
    if (env == NULL || number == ORACLE_UNKNOWN) return NULL;
    jclass klass = names_owner(env, (uintptr_t)id);
    if (klass == NULL) return NULL;
    struct results_names* names = describe_live(klass, (jmethodID)(uintptr_t)id);
    (*env)->DeleteLocalRef(env, klass);
    return names;
}
