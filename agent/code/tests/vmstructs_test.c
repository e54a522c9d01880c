// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Tables of one's own, with columns in another order than any JVM has them.
#include <criterion/criterion.h>
#include <stddef.h>
#include <string.h>

#include "gap.h"
#include "layout.h"

struct field_row {
    uint64_t unused;
    uint64_t offset;
    const char* kind;
    const char* name;
    const char* type;
    void* address;
    int32_t is_static;
};
struct type_row {
    uint64_t size;
    const char* name;
};
struct int_row {
    const char* name;
    int32_t value;
};

static int statics;
static struct field_row fields[] = {
    {0, 8, "VirtualSpace", "_memory", "CodeHeap", NULL, 0},
    {0, 0, "GrowableArray<CodeHeap*>*", "_heaps", "CodeCache", &statics, 1},
    {0, 20, "int16_t", "_frame_complete_offset", "CodeBlob", NULL, 0},
    {0, 24, "double", "_size", "CodeBlob", NULL, 0},
    {0, 96, "const char*", "_name", "CodeBlob", NULL, 0},
    {0, 48, "CompLevel", "_comp_level", "nmethod", NULL, 0},
    {0, 112, "Method*", "_method", "CompiledMethod", NULL, 0},
    {0, 60, "int", "_stub_offset", "nmethod", NULL, 0},
    {0, 16, NULL, "_constants", "ConstMethod", NULL, 0},
    {0, 0, NULL, NULL, NULL, NULL, 0}};
static struct type_row types[] = {{104, "CodeBlob"}, {1, "CompLevel"}, {62, "nmethod"}, {0, NULL}};
static struct int_row ints[] = {{"CompLevel_none", 0}, {"CompLevel_any", -1}, {NULL, 0}};

static const void* field_rows = fields;
static const void* type_rows = types;
static const void* int_rows = ints;
static const char* missing;
static uint64_t value_offset = offsetof(struct int_row, value);

static void* symbol(const char* name) {
    static uint64_t words[16];
    static const struct {
        const char* name;
        uint64_t value;
    } exported[] = {{"gHotSpotVMStructEntryArrayStride", sizeof fields[0]},
                    {"gHotSpotVMStructEntryTypeNameOffset", offsetof(struct field_row, type)},
                    {"gHotSpotVMStructEntryFieldNameOffset", offsetof(struct field_row, name)},
                    {"gHotSpotVMStructEntryTypeStringOffset", offsetof(struct field_row, kind)},
                    {"gHotSpotVMStructEntryIsStaticOffset", offsetof(struct field_row, is_static)},
                    {"gHotSpotVMStructEntryOffsetOffset", offsetof(struct field_row, offset)},
                    {"gHotSpotVMStructEntryAddressOffset", offsetof(struct field_row, address)},
                    {"gHotSpotVMTypeEntryArrayStride", sizeof types[0]},
                    {"gHotSpotVMTypeEntryTypeNameOffset", offsetof(struct type_row, name)},
                    {"gHotSpotVMTypeEntrySizeOffset", offsetof(struct type_row, size)},
                    {"gHotSpotVMIntConstantEntryArrayStride", sizeof ints[0]},
                    {"gHotSpotVMIntConstantEntryNameOffset", offsetof(struct int_row, name)},
                    {"gHotSpotVMIntConstantEntryValueOffset", 0}};
    if (missing != NULL && strcmp(name, missing) == 0) return NULL;
    if (strcmp(name, "gHotSpotVMStructs") == 0) return &field_rows;
    if (strcmp(name, "gHotSpotVMTypes") == 0) return &type_rows;
    if (strcmp(name, "gHotSpotVMIntConstants") == 0) return &int_rows;
    for (size_t i = 0; i < sizeof exported / sizeof exported[0]; i++) {
        if (strcmp(name, exported[i].name) != 0) continue;
        words[i] = exported[i].value;
        if (strcmp(name, "gHotSpotVMIntConstantEntryValueOffset") == 0) words[i] = value_offset;
        return &words[i];
    }
    return NULL;
}

static struct vmstructs opened(void) {
    struct vmstructs v;
    memset(&v, 0xa5, sizeof v);
    missing = NULL;
    cr_assert(vmstructs_open(&v, symbol));
    return v;
}

Test(vmstructs, fields_are_found_with_type_and_place) {
    struct vmstructs v = opened();
    struct vmstructs_field field;
    cr_assert(vmstructs_field(&v, "CodeHeap", "_memory", &field));
    cr_expect_str_eq(field.type, "VirtualSpace");
    cr_expect_eq(field.offset, 8);
    cr_expect_not(field.is_static);
    cr_assert(vmstructs_field(&v, "CodeCache", "_heaps", &field));
    cr_expect(field.is_static);
    cr_expect_eq(field.address, &statics);
    cr_assert(vmstructs_field(&v, "ConstMethod", "_constants", &field));
    cr_expect_str_eq(field.type, "");
}

Test(vmstructs, what_is_not_listed_is_not_found) {
    struct vmstructs v = opened();
    struct vmstructs_field field;
    int32_t value;
    cr_expect_not(vmstructs_field(&v, "CodeHeap", "_heaps", &field));
    cr_expect_not(vmstructs_field(&v, "Heap", "_memory", &field));
    cr_expect_eq(vmstructs_size(&v, "Heap"), 0);
    cr_expect_not(vmstructs_int(&v, "CompLevel_simple", &value));
}

Test(vmstructs, sizes_and_constants_are_read) {
    struct vmstructs v = opened();
    int32_t value = 5;
    cr_expect_eq(vmstructs_size(&v, "CodeBlob"), 104);
    cr_expect(vmstructs_int(&v, "CompLevel_any", &value));
    cr_expect_eq(value, -1);
    cr_expect_eq(vmstructs_width(&v, "int16_t"), 2);
    cr_expect_eq(vmstructs_width(&v, "CompLevel"), 1);
    cr_expect_eq(vmstructs_width(&v, "const char*"), 8);
    cr_expect_eq(vmstructs_width(&v, "double"), 0);
    cr_expect_eq(vmstructs_width(&v, ""), 0);
}

Test(vmstructs, a_table_or_column_that_is_not_exported_closes_them_all) {
    static const char* const names[] = {"gHotSpotVMStructs",
                                        "gHotSpotVMTypes",
                                        "gHotSpotVMIntConstants",
                                        "gHotSpotVMStructEntryArrayStride",
                                        "gHotSpotVMStructEntryIsStaticOffset",
                                        "gHotSpotVMTypeEntrySizeOffset"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct vmstructs v;
        missing = names[i];
        cr_expect_not(vmstructs_open(&v, symbol), "%s", names[i]);
    }
    missing = NULL;
}

static void* before_a_gap(const void* bytes, size_t size) {
    return memcpy(gap_behind(size), bytes, size);
}

Test(vmstructs, a_table_that_lies_is_not_read) {
    static const struct int_row good[] = {{"CompLevel_none", 0}, {NULL, 0}};
    static const struct int_row wild[] = {{(const char*)0x5a5a5a5a5a5a5a5a, 0}, {NULL, 0}};
    const char endless[] = {'C', 'o', 'm', 'p'};
    const struct int_row unended[] = {{before_a_gap(endless, sizeof endless), 0}, {NULL, 0}};
    const struct {
        const char* what;
        const void* rows;
        bool taken;
    } of[] = {{"whole", before_a_gap(good, sizeof good), true},
              {"without a last row", before_a_gap(good, sizeof good[0]), false},
              {"nowhere", (const void*)0x10, false},
              {"a text nowhere", wild, false},
              {"a text without an end", unended, false}};
    struct vmstructs v;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        int_rows = of[i].rows;
        cr_expect_eq(vmstructs_open(&v, symbol), of[i].taken, "%s", of[i].what);
    }
}

Test(vmstructs, a_column_lies_in_its_row) {
    struct vmstructs v;
    value_offset = sizeof(struct int_row) - sizeof(int32_t);
    cr_expect(vmstructs_open(&v, symbol));
    value_offset++;
    cr_expect_not(vmstructs_open(&v, symbol));
    value_offset = UINT64_MAX - 1;
    cr_expect_not(vmstructs_open(&v, symbol));
}

Test(layout, fields_are_taken_where_their_type_is_understood) {
    struct vmstructs v = opened();
    struct layout l;
    layout_read(&l, &v);
    cr_expect_eq(l.field[LAYOUT_HEAP_MEMORY].offset, 8);
    cr_expect_eq(l.field[LAYOUT_BLOB_FRAME_COMPLETE].width, 2);
    cr_expect_eq(l.field[LAYOUT_METHOD_LEVEL].width, 1);
    cr_expect(layout_has(&l, LAYOUT_METHOD_OWNER), "CompiledMethod stands in for nmethod");
    cr_expect_not(layout_has(&l, LAYOUT_BLOB_SIZE), "a double is no size");
    cr_expect_not(layout_has(&l, LAYOUT_CONSTANTS), "of no type at all");
    cr_expect_not(layout_has(&l, LAYOUT_METHOD_STUBS), "beyond the end of its object");
    cr_expect_not(layout_has(&l, LAYOUT_BLOB_KIND));
}

Test(layout, a_field_is_read_without_a_byte_of_the_next_page) {
    struct layout l = {0};
    char* object = gap_behind(16);
    for (int i = 0; i < 16; i++) object[i] = (char)(i + 1);
    for (uint8_t width = 1; width <= 8; width *= 2) {
        uint64_t expected = 0;
        memcpy(&expected, object + 16 - width, width);
        l.field[LAYOUT_BLOB_SIZE].offset = (uint16_t)(16 - width);
        l.field[LAYOUT_BLOB_SIZE].width = width;
        cr_expect_eq(layout_get(&l, object, LAYOUT_BLOB_SIZE), expected, "%u", width);
    }
    l.field[LAYOUT_BLOB_SIZE].offset = 3;
    l.field[LAYOUT_BLOB_SIZE].width = 1;
    cr_expect_eq(layout_get(&l, object, LAYOUT_BLOB_SIZE), 4);
}

Test(layout, an_absent_field_reads_as_nothing) {
    struct vmstructs v = opened();
    struct layout l;
    char object[128];
    memset(object, 0xee, sizeof object);
    layout_read(&l, &v);
    cr_expect_eq(layout_get(&l, object, LAYOUT_BLOB_SIZE), 0);
    cr_expect_eq(layout_get(&l, object, LAYOUT_BLOB_FRAME_COMPLETE), 0xeeee);
}
