// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "layout.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "parts.h"

// A table that is larger, or that has longer texts, is none of HotSpot's.
#define STRIDE_MAX 4096u
#define ROWS_MAX 65536u
#define TEXT_MAX 512u

// The columns that are read, in the order of vmstructs_table.column.
enum { FIELD_TYPE, FIELD_NAME, FIELD_KIND, FIELD_STATIC, FIELD_OFFSET, FIELD_ADDRESS };
enum { TYPE_NAME, TYPE_SIZE };
enum { INT_NAME, INT_VALUE };

// What the symbols are called: gHotSpotVM<table>s, gHotSpotVM<table>EntryArrayStride and
// gHotSpotVM<table>Entry<column>Offset.
struct table_names {
    const char* table;
    const char* columns[6];
    int texts;        // so many columns, from the first on, are texts
    uint8_t bytes[6]; // of each column
};
static const struct table_names field_names = {
    "Struct",
    {"TypeName", "FieldName", "TypeString", "IsStatic", "Offset", "Address"},
    3,
    {8, 8, 8, 4, 8, 8}};
static const struct table_names type_names = {"Type", {"TypeName", "Size"}, 1, {8, 8}};
static const struct table_names int_names = {"IntConstant", {"Name", "Value"}, 1, {8, 4}};

static bool read_word(void* (*symbol)(const char*), const char* name, uint64_t* value) {
    const void* at = symbol(name);
    if (at == NULL) return false;
    memcpy(value, at, sizeof *value);
    return true;
}

static const char* text_at(const struct vmstructs_table* t, const char* row, int column) {
    const char* text;
    memcpy(&text, row + t->column[column], sizeof text);
    return text;
}

// The texts of neighbouring rows often share a page, and a question to the kernel takes longer than
// all else here.
static MEMORY_FOREIGN bool is_text(struct memory_pages* pages, const char* at) {
    for (uint32_t i = 0; at != NULL && i < TEXT_MAX; i++) {
        bool new_page = i == 0 || (uintptr_t)(at + i) % MEMORY_PAGE == 0;
        if (new_page && !memory_known(pages, at + i, 1)) return false;
        if (at[i] == '\0') return true;
        if (at[i] < ' ' || at[i] > '~') return false;
    }
    return false;
}

// Whether all rows can be read, and their texts, up to the last. HotSpot leaves the type of some
// fields open.
static bool is_whole(const struct vmstructs_table* t, int texts) {
    struct memory_pages rows = {0}, pages = {0};
    for (uint32_t i = 0; i < ROWS_MAX; i++) {
        const char* row = t->rows + i * t->stride;
        if (!memory_known(&rows, row, t->stride)) return false;
        if (text_at(t, row, 0) == NULL) return true;
        for (int k = 0; k < texts; k++) {
            const char* text = text_at(t, row, k);
            if (!is_text(&pages, text) && (k != FIELD_KIND || text != NULL)) return false;
        }
    }
    return false;
}

static bool open_table(struct vmstructs_table* t, void* (*symbol)(const char*),
                       const struct table_names* names) {
    char name[96];
    uint64_t rows;
    snprintf(name, sizeof name, "gHotSpotVM%ss", names->table);
    if (!read_word(symbol, name, &rows)) return false;
    t->rows = (const char*)(uintptr_t)rows;
    snprintf(name, sizeof name, "gHotSpotVM%sEntryArrayStride", names->table);
    if (!read_word(symbol, name, &t->stride) || t->stride > STRIDE_MAX) return false;
    for (int i = 0; i < 6 && names->columns[i] != NULL; i++) {
        snprintf(name, sizeof name, "gHotSpotVM%sEntry%sOffset", names->table, names->columns[i]);
        if (!read_word(symbol, name, &t->column[i]) || t->column[i] > t->stride ||
            t->stride - t->column[i] < names->bytes[i])
            return false;
    }
    return is_whole(t, names->texts);
}

bool vmstructs_open(struct vmstructs* v, void* (*symbol)(const char* name)) {
    memset(v, 0, sizeof *v);
    return open_table(&v->fields, symbol, &field_names) &&
           open_table(&v->types, symbol, &type_names) && open_table(&v->ints, symbol, &int_names);
}

// The first row whose first column is `name` (and second `other`, unless NULL).
static const char* find(const struct vmstructs_table* t, const char* name, const char* other) {
    for (const char* row = t->rows; text_at(t, row, 0) != NULL; row += t->stride) {
        if (!memory_is(text_at(t, row, 0), name)) continue;
        if (other == NULL || memory_is(text_at(t, row, 1), other)) return row;
    }
    return NULL;
}

bool vmstructs_field(const struct vmstructs* v, const char* type, const char* name,
                     struct vmstructs_field* field) {
    const struct vmstructs_table* t = &v->fields;
    const char* row = find(t, type, name);
    int32_t is_static;
    if (row == NULL) return false;
    field->type = text_at(t, row, FIELD_KIND);
    if (field->type == NULL) field->type = "";
    memcpy(&is_static, row + t->column[FIELD_STATIC], sizeof is_static);
    field->is_static = is_static != 0;
    memcpy(&field->offset, row + t->column[FIELD_OFFSET], sizeof field->offset);
    memcpy(&field->address, row + t->column[FIELD_ADDRESS], sizeof field->address);
    return true;
}

uint64_t vmstructs_size(const struct vmstructs* v, const char* type) {
    const char* row = find(&v->types, type, NULL);
    uint64_t size = 0;
    if (row != NULL) memcpy(&size, row + v->types.column[TYPE_SIZE], sizeof size);
    return size;
}

bool vmstructs_int(const struct vmstructs* v, const char* name, int32_t* value) {
    const char* row = find(&v->ints, name, NULL);
    if (row == NULL) return false;
    memcpy(value, row + v->ints.column[INT_VALUE], sizeof *value);
    return true;
}

uint32_t vmstructs_width(const struct vmstructs* v, const char* type) {
    static const struct {
        const char* name;
        uint32_t width;
    } integers[] = {{"int", 4},      {"jint", 4},     {"int16_t", 2}, {"u2", 2},
                    {"uint32_t", 4}, {"u4", 4},       {"u1", 1},      {"bool", 1},
                    {"address", 8},  {"uint64_t", 8}, {"size_t", 8},  {"long", 8}};
    char own[TEXT_MAX];
    if (!memory_text(own, sizeof own, type) || own[0] == '\0') return 0;
    if (own[strlen(own) - 1] == '*' || strcmp(own, "jmethodID") == 0) return sizeof(void*);
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++)
        if (strcmp(own, integers[i].name) == 0) return integers[i].width;
    uint64_t size = vmstructs_size(v, own);
    return size == 1 || size == 2 || size == 4 || size == 8 ? (uint32_t)size : 0;
}
