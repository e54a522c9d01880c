// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A cluster's example for the page: the two traces line by line, and the context as text.
#include <stdlib.h>
#include <string.h>

#include "results/report/report.h"
#include "page.h"

#define LINES_MAX 200          // of one trace: the shape, not all of a recursion
#define CONTEXT_MAX 16000u     // bytes
#define LEAST_ROOM (32u << 10) // below it, evidence is left out

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
static char* context_text(const struct results_report* report, const struct results_group* group) {
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    context_print(report, group->example->run, group->mismatch, false, out);
    if (fclose(out) == 0) {
        char* plain = plain_copy(text, CONTEXT_MAX, true);
        free(text);
        return plain;
    }
    free(text);
    return NULL;
}

static const char* blame_text(uint32_t blame) {
    if (blame == RESULTS_BLAME_WALKER) return "the trace stack was confirmed";
    return blame == RESULTS_BLAME_ORACLE ? "the trace stack was contradicted" : "blame still open";
}

static void set_heading(json_t* object, const struct results_group* group) {
    const struct results_mismatch* m = group->mismatch;
    char name[sizeof m->thread_name + 1] = "", text[256];
    memcpy(name, m->thread_name, sizeof m->thread_name);
    json_object_set_new(object, "case", page_text(group->example->case_name));
    json_object_set_new(object, "mode", page_text(group->example->mode));
    json_object_set_new(object, "scope", page_text(group->example->scope));
    json_object_set_new(object, "thread", page_text(name));
    snprintf(text, sizeof text, "pc 0x%llx, %s", (unsigned long long)m->pc, blame_text(m->blame));
    json_object_set_new(object, "heading", page_text(text));
    json_object_set_new(object, "expected", json_integer((json_int_t)m->expected_count));
    json_object_set_new(object, "observed", json_integer((json_int_t)m->observed_count));
}

json_t* page_evidence(const struct results_report* report, const struct results_group* group,
                      struct page_room* room) {
    if (group->mismatch == NULL || room->evidence < LEAST_ROOM) return NULL;
    struct lines lines = {.array = json_array()};
    evidence_lines(group->example->run, group->mismatch, add_line, &lines);
    char* context = context_text(report, group);
    json_t* object = json_object();
    set_heading(object, group);
    json_object_set_new(object, "lines", lines.array);
    json_object_set_new(object, "context", json_string(context != NULL ? context : ""));
    size_t size = lines.size + (context != NULL ? strlen(context) : 0);
    room->evidence -= size < room->evidence ? size : room->evidence;
    free(context);
    return object;
}
