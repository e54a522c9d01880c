// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "interpreter.h"

#include <stddef.h>
#include <string.h>

#include "library.h"

static uintptr_t code_start, code_end;

// One row of gHotSpotVMStructs, read through the strides and offsets that libjvm exports beside it.
// Source: HotSpot's share/runtime/vmStructs.hpp (VMStructEntry).
struct table {
    const char* rows;
    uint64_t stride, type_name, field_name, offset, address;
};

static bool read_word(const char* symbol, uint64_t* value) {
    const uint64_t* at = library_jvm_symbol(symbol);
    if (at == NULL) return false;
    *value = *at;
    return true;
}

static bool open_table(struct table* t) {
    const char* const* rows = library_jvm_symbol("gHotSpotVMStructs");
    if (rows == NULL || *rows == NULL) return false;
    t->rows = *rows;
    return read_word("gHotSpotVMStructEntryArrayStride", &t->stride) &&
           read_word("gHotSpotVMStructEntryTypeNameOffset", &t->type_name) &&
           read_word("gHotSpotVMStructEntryFieldNameOffset", &t->field_name) &&
           read_word("gHotSpotVMStructEntryOffsetOffset", &t->offset) &&
           read_word("gHotSpotVMStructEntryAddressOffset", &t->address);
}

static const char* text_at(const char* row, uint64_t offset) {
    const char* text;
    memcpy(&text, row + offset, sizeof text);
    return text;
}

static const char* find_row(const struct table* t, const char* type, const char* field) {
    for (const char* row = t->rows; text_at(row, t->type_name) != NULL; row += t->stride)
        if (strcmp(text_at(row, t->type_name), type) == 0 &&
            strcmp(text_at(row, t->field_name), field) == 0)
            return row;
    return NULL;
}

// The value of a word-sized or int field of the object at `base`, or of a static field.
static bool read_field(const struct table* t, const char* type, const char* field, const char* base,
                       size_t size, uint64_t* value) {
    const char* row = find_row(t, type, field);
    const char* at;
    uint64_t offset;
    if (row == NULL) return false;
    memcpy(&offset, row + t->offset, sizeof offset);
    if (base != NULL) at = base + offset;
    else memcpy(&at, row + t->address, sizeof at);
    if (at == NULL) return false;
    *value = 0;
    memcpy(value, at, size);
    return true;
}

void interpreter_find(void) {
    struct table t;
    uint64_t queue, buffer, limit;
    if (!open_table(&t)) return;
    if (!read_field(&t, "AbstractInterpreter", "_code", NULL, sizeof(void*), &queue) || queue == 0)
        return;
    const char* base = (const char*)(uintptr_t)queue;
    if (!read_field(&t, "StubQueue", "_stub_buffer", base, sizeof(void*), &buffer)) return;
    if (!read_field(&t, "StubQueue", "_buffer_limit", base, sizeof(int32_t), &limit)) return;
    code_start = (uintptr_t)buffer;
    code_end = (uintptr_t)(buffer + limit);
}

HANDLER_SAFE bool interpreter_contains(uintptr_t pc) {
    return pc >= code_start && pc < code_end;
}
