// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A cluster's example for the page: the two traces line by line, and the context as text.
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "put.h"

#define LINES_MAX 200          // of one trace: the shape, not all of a recursion
#define CONTEXT_MAX 16000u     // bytes
#define LEAST_ROOM (32u << 10) // below it, evidence is left out

static json_t* page_text(const char* text) {
    char* plain = plain_copy(text, PLAIN_LINE, false);
    json_t* value = json_string(plain != NULL ? plain : "");
    free(plain);
    return value;
}

void page_put(json_t* object, const char* key, const char* text) {
    json_object_set_new(object, key, page_text(text));
}

void page_names(json_t* object, const struct results_execution* execution) {
    page_put(object, "case", execution->case_name);
    page_put(object, "mode", execution->mode);
    page_put(object, "scope", execution->scope);
}

struct lines {
    json_t* array; // [mark, expected, observed], or a number: so many lines without difference
    size_t size;
};

static void add_line(void* context, size_t skipped, char mark, const char* expected,
                     const char* observed) {
    struct lines* lines = context;
    if (json_array_size(lines->array) >= LINES_MAX) return;
    if (skipped != 0) json_array_append_new(lines->array, json_integer((json_int_t)skipped));
    if (mark == '\0') return;
    char text[2] = {mark, '\0'};
    json_t* line = json_array();
    json_array_append_new(line, json_string(text));
    json_array_append_new(line, page_text(expected));
    json_array_append_new(line, page_text(observed));
    lines->size += strlen(expected) + strlen(observed) + 32;
    json_array_append_new(lines->array, line);
}

// Code, registers and stack at the program counter, as the text report prints them.
static char* context_text(const struct results_report* report, const struct results_record* record,
                          const struct results_sample* sample) {
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    context_print(report, record, sample, false, out);
    char* plain = fclose(out) == 0 ? plain_copy(text, CONTEXT_MAX, true) : NULL;
    free(text);
    return plain;
}

static void set_heading(json_t* object, const struct results_execution* execution,
                        const struct results_sample* s) {
    char text[256];
    uint32_t blame = results_record_blame(execution->record, s);
    page_names(object, execution);
    page_put(object, "thread", s->evidence != NULL ? s->evidence->thread_name : "");
    snprintf(text, sizeof text, "mismatch %llu, pc 0x%llx, %s", (unsigned long long)s->sequence,
             (unsigned long long)s->pc, evidence_blame_text(blame));
    page_put(object, "heading", text);
}

static json_t* describe(const struct results_report* report, const struct results_group* group,
                        const struct results_sample* sample, struct page_room* room) {
    const struct results_record* record = group->example->record;
    struct lines lines = {.array = json_array()};
    struct evidence_counts counts;
    evidence_lines(record, sample, add_line, &lines, &counts);
    char* context = context_text(report, record, sample);
    json_t* object = json_object();
    set_heading(object, group->example, sample);
    put_count(object, "expected", counts.expected);
    put_count(object, "observed", counts.observed);
    json_object_set_new(object, "lines", lines.array);
    json_object_set_new(object, "context", json_string(context != NULL ? context : ""));
    size_t size = lines.size + (context != NULL ? strlen(context) : 0);
    room->evidence -= size < room->evidence ? size : room->evidence;
    free(context);
    return object;
}

json_t* page_evidence(const struct results_report* report, const struct results_group* group,
                      struct page_room* room) {
    if (group->example == NULL || room->evidence < LEAST_ROOM) return NULL;
    struct results_sample* sample =
        results_record_fetch(group->example->record, group->example_sequence);
    if (sample == NULL) return NULL;
    json_t* object = describe(report, group, sample, room);
    results_sample_free(sample);
    return object;
}
