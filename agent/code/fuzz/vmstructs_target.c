// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: structure tables that lie, as no libjvm should export them. They lie right before a
// page that cannot be read. Whatever they say, they are read without a fault, and the fields that
// are taken have a place and a width.
//
// The input: for each of three tables its place, its stride and its columns, then the memory they
// lie in. There a word 0xfeed____________NN is replaced by the address of a name that the agent
// looks for, 0xfeee_______NNNN by an address in that memory.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "layout.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define SPACE 65536u
#define GAP 4096u
#define COLUMNS 6
#define NAME_TAG 0xfeedull
#define INSIDE_TAG 0xfeeeull

static void must(bool right) {
    if (!right) abort();
}

struct described {
    uint16_t rows, stride, column[COLUMNS]; // `rows`: from the memory's end
};

static const char* const names[] = {
#define NAMES(name, widths, type, field, other_type, other_field) type, field,
    LAYOUT_FIELDS(NAMES)
#undef NAMES
        "int",
    "address",
    "u2",
    "VirtualSpace",
    "CodeBlobKind::Nmethod",
    ""};

static struct described tables[3];
static uint64_t words[3][2 + COLUMNS];
static char* space;

// What the symbols of one table are called, in the order of `words`.
static const char* const symbols[3][2 + COLUMNS] = {
    {"gHotSpotVMStructs", "gHotSpotVMStructEntryArrayStride", "gHotSpotVMStructEntryTypeNameOffset",
     "gHotSpotVMStructEntryFieldNameOffset", "gHotSpotVMStructEntryTypeStringOffset",
     "gHotSpotVMStructEntryIsStaticOffset", "gHotSpotVMStructEntryOffsetOffset",
     "gHotSpotVMStructEntryAddressOffset"},
    {"gHotSpotVMTypes", "gHotSpotVMTypeEntryArrayStride", "gHotSpotVMTypeEntryTypeNameOffset",
     "gHotSpotVMTypeEntrySizeOffset"},
    {"gHotSpotVMIntConstants", "gHotSpotVMIntConstantEntryArrayStride",
     "gHotSpotVMIntConstantEntryNameOffset", "gHotSpotVMIntConstantEntryValueOffset"}};

static void* symbol(const char* name) {
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < 2 + COLUMNS && symbols[t][i] != NULL; i++)
            if (strcmp(symbols[t][i], name) == 0) return &words[t][i];
    return NULL;
}

static void make_space(void) {
    space = mmap(NULL, SPACE + GAP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(space != MAP_FAILED && mprotect(space + SPACE, GAP, PROT_NONE) == 0);
}

static uint64_t meant(uint64_t word) {
    if (word >> 48 == NAME_TAG)
        return (uintptr_t)names[(word & 0xffff) % (sizeof names / sizeof names[0])];
    if (word >> 48 == INSIDE_TAG) return (uintptr_t)space + (word & 0xffff);
    return word;
}

static void fill(const uint8_t* data, size_t size) {
    memset(space, 0, SPACE);
    char* at = space + SPACE - size;
    memcpy(at, data, size);
    for (size_t i = size % 8; i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, at + i, 8);
        word = meant(word);
        memcpy(at + i, &word, 8);
    }
}

static void is_sound(const struct vmstructs* v) {
    struct layout layout;
    struct vmstructs_field field;
    int32_t value;
    layout_read(&layout, v);
    for (int i = 0; i < LAYOUT_COUNT; i++) {
        unsigned width = layout.field[i].width;
        must(width <= 16 && (width & (width - 1)) == 0);
        must(width != 0 || layout.field[i].offset == 0);
        must(width == 16 || width == 0 || layout.field[i].offset % width == 0);
        must(layout_name((enum layout_field)i)[0] != '\0');
    }
    for (size_t i = 0; i + 1 < sizeof names / sizeof names[0]; i++) {
        if (vmstructs_field(v, names[i], names[i + 1], &field)) must(field.type != NULL);
        must(vmstructs_width(v, names[i]) <= 8);
        (void)vmstructs_int(v, names[i], &value);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    struct vmstructs v;
    if (space == NULL) make_space();
    if (size < sizeof tables) return 0;
    memcpy(tables, data, sizeof tables);
    data += sizeof tables;
    size -= sizeof tables;
    if (size > SPACE) size = SPACE;
    fill(data, size);
    for (int t = 0; t < 3; t++) {
        words[t][0] = (uintptr_t)space + SPACE - tables[t].rows;
        words[t][1] = tables[t].stride;
        for (int i = 0; i < COLUMNS; i++) words[t][2 + i] = tables[t].column[i];
    }
    if (vmstructs_open(&v, symbol)) is_sound(&v);
    return 0;
}
