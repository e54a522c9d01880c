// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Scopes read from made-up debug information, in the two ways in which HotSpot lays it out. That
// real JVMs lay it out so is seen in mode debuginfo: scopes_agreed in results.json.
#include <criterion/criterion.h>
#include <string.h>

#include "code.h"
#include "codetables.h"
#include "agent/state/state.h"

#define METHODS 3
#define ID_OF(n) (0x111u * ((n) + 1u))

struct desc {
    int32_t offset, scope, unused[2];
};

// An nmethod and what belongs to it. Scopes and PcDescs lie behind it up to release 22, and in a
// block of their own from 25 on.
struct object {
    int32_t size, pcs, dependencies, metadata_offset, scopes_offset, relocations, mutable_size;
    int32_t fixed_size;
    uint64_t scopes_begin, fixed, changing;
    uintptr_t metadata[METHODS];
    uint8_t scopes[64];
    struct desc descs[6];
};

static struct object object;
static struct {
    struct desc descs[6];
    uint8_t scopes[64];
} fixed;
static struct {
    uint64_t relocations[2];
    uintptr_t metadata[METHODS];
} changing;
static struct { uint64_t constant; } methods[METHODS];
static struct {
    uint64_t pool;
    uint16_t number;
} constants[METHODS];
static uint64_t pool, holder, ids[METHODS + 1];

#define FIELD(name, member)                                                                        \
    code.layout.field[LAYOUT_##name].offset = (uint16_t)offsetof(struct object, member);           \
    code.layout.field[LAYOUT_##name].width = sizeof object.member

static void place_field(enum layout_field field, size_t offset, size_t width) {
    code.layout.field[field].offset = (uint16_t)offset;
    code.layout.field[field].width = (uint8_t)width;
}

// A number in the bytes of the release; only those of one byte are put here.
static uint8_t byte(uint32_t number) {
    return (uint8_t)(number + (agent.release >= 20));
}

// Each record is its caller's offset, its method's number and its bci + 1. At 1: a at bci 300. At
// 5: b at bci 7, inlined there. At 8: a at bci -1. A number from 192 on takes two bytes here.
static void put_scopes(uint8_t* to) {
    const uint8_t bytes[] = {byte(0),
                             byte(0),
                             byte(1),
                             byte(192 + ((301 - 192) & 63)),
                             byte((301 - (192 + ((301 - 192) & 63))) >> 6),
                             byte(1),
                             byte(2),
                             byte(8),
                             byte(0),
                             byte(1),
                             byte(0)};
    memcpy(to, bytes, sizeof bytes);
}

static const struct desc descs[6] = {{-1, 0, {0}}, {16, 5, {0}}, {32, 8, {0}},
                                     {48, 8, {0}}, {64, 0, {0}}, {INT32_MAX, 0, {0}}};

static void open_methods(void) {
    memset(&code, 0, sizeof code);
    place_field(LAYOUT_CONST_METHOD, 0, 8);
    place_field(LAYOUT_CONSTANTS, 0, 8);
    place_field(LAYOUT_ID_NUMBER, 8, 2);
    place_field(LAYOUT_POOL_HOLDER, 0, 8);
    place_field(LAYOUT_HOLDER_IDS, 0, 8);
    place_field(LAYOUT_PC_OFFSET, 0, 4);
    place_field(LAYOUT_PC_SCOPE, 4, 4);
    code.pc_size = sizeof(struct desc);
    pool = (uintptr_t)&holder;
    holder = (uintptr_t)ids;
    ids[0] = METHODS;
    agent.methods = oracle_methods_open();
    for (uint16_t i = 0; i < METHODS; i++) {
        constants[i].pool = (uintptr_t)&pool;
        constants[i].number = i;
        methods[i].constant = (uintptr_t)&constants[i];
        object.metadata[i] = changing.metadata[i] = (uintptr_t)&methods[i];
        ids[i + 1] = ID_OF(i);
        oracle_methods_bind(agent.methods, ID_OF(i), i + 1u);
    }
}

static void lay_behind(void) {
    FIELD(BLOB_SIZE, size);
    FIELD(METHOD_PCS, pcs);
    FIELD(METHOD_DEPENDENCIES, dependencies);
    FIELD(METHOD_METADATA, metadata_offset);
    FIELD(METHOD_SCOPES_BEGIN, scopes_begin);
    object.size = sizeof object;
    object.pcs = offsetof(struct object, descs);
    object.dependencies = sizeof object;
    object.metadata_offset = offsetof(struct object, metadata);
    object.scopes_begin = (uintptr_t)object.scopes;
    memcpy(object.descs, descs, sizeof descs);
}

static void lay_apart(void) {
    FIELD(METHOD_PCS, pcs);
    FIELD(METHOD_SCOPES, scopes_offset);
    FIELD(METHOD_IMMUTABLE, fixed);
    FIELD(METHOD_IMMUTABLE_SIZE, fixed_size);
    FIELD(BLOB_MUTABLE, changing);
    FIELD(BLOB_MUTABLE_SIZE, mutable_size);
    FIELD(BLOB_RELOCATIONS, relocations);
    object.pcs = 0;
    object.scopes_offset = sizeof fixed.descs;
    object.fixed = (uintptr_t)&fixed;
    object.fixed_size = sizeof fixed;
    object.changing = (uintptr_t)&changing;
    object.mutable_size = sizeof changing;
    object.relocations = sizeof changing.relocations;
    memcpy(fixed.descs, descs, sizeof descs);
}

static uint8_t* open_code(uint32_t release, bool apart) {
    agent.release = release;
    open_methods();
    if (apart) lay_apart();
    else lay_behind();
    uint8_t* scopes = apart ? fixed.scopes : object.scopes;
    memset(scopes, 0xff, sizeof fixed.scopes);
    put_scopes(scopes);
    return scopes;
}

static void close_code(void) {
    oracle_methods_close(agent.methods);
    agent.methods = NULL;
}

TestSuite(scopes, .fini = close_code);

static struct oracle_frame found[4];

static uint32_t scopes_at(uint32_t offset, bool at_call, uint32_t most) {
    const struct code_place place = {
        .kind = RESULTS_CODE_C2, .object = (const char*)&object, .offset = offset};
    memset(found, 0, sizeof found);
    return code_scopes(&place, at_call, found, most);
}

static void are_right(void) {
    // The record behind the place, and never one at it.
    cr_assert_eq(scopes_at(0, false, 4), 2);
    cr_expect_eq(found[0].method, ID_OF(1));
    cr_expect_eq(found[0].bci, 7);
    cr_expect_eq(found[1].method, ID_OF(0));
    cr_expect_eq(found[1].bci, 300, "%d", found[1].bci);
    cr_expect_eq(scopes_at(15, false, 4), 2);
    cr_assert_eq(scopes_at(16, false, 4), 1);
    cr_expect_eq(found[0].method, ID_OF(0));
    cr_expect_eq(found[0].bci, -1);
    cr_expect_eq(scopes_at(48, false, 4), 0, "a record without scopes");
    cr_expect_eq(scopes_at(64, false, 4), 0, "behind all records");
    // At a call, its own record.
    cr_expect_eq(scopes_at(16, true, 4), 2);
    cr_expect_eq(scopes_at(15, true, 4), 0, "no call stands there");
    cr_expect_eq(scopes_at(0, false, 1), 0, "more than there is room for");
}

Test(scopes, behind_the_code) {
    open_code(17, false);
    are_right();
}

Test(scopes, apart_from_the_code) {
    open_code(25, true);
    are_right();
}

Test(scopes, each_record_once) {
    static const uint32_t counts[] = {0, 2, 1, 0, 0, 0};
    const struct code_place place = {.kind = RESULTS_CODE_C2, .object = (const char*)&object};
    bool end;
    open_code(17, false);
    for (uint32_t i = 0; i < 6; i++) {
        cr_expect_eq(code_scopes_at(&place, i, found, 4, &end), counts[i], "%u", i);
        cr_expect_not(end);
    }
    cr_expect_eq(code_scopes_at(&place, 6, found, 4, &end), 0);
    cr_expect(end);
    cr_expect_eq(code_scopes_at(&place, 1, found, 1, &end), CODE_SCOPES_UNREADABLE);
    object.scopes[6] = byte(0);
    cr_expect_eq(code_scopes_at(&place, 1, found, 4, &end), CODE_SCOPES_UNREADABLE);
}

Test(scopes, what_contradicts_itself_is_not_known) {
    uint8_t* scopes = open_code(25, true);
    scopes[5] = byte(5);
    cr_expect_eq(scopes_at(0, false, 4), 0, "its own caller");
    scopes[5] = byte(1);
    scopes[6] = byte(METHODS + 1);
    cr_expect_eq(scopes_at(0, false, 4), 0, "no such method");
    scopes[6] = byte(0);
    cr_expect_eq(scopes_at(0, false, 4), 0, "no method");
    scopes[6] = byte(2);
    cr_expect_eq(scopes_at(0, false, 4), 2);
    fixed.descs[1].scope = sizeof fixed.scopes - 1;
    cr_expect_eq(scopes_at(0, false, 4), 0, "numbers behind the end");
    fixed.descs[1].scope = 5;
    object.mutable_size = object.relocations - 8;
    cr_expect_eq(scopes_at(0, false, 4), 0, "metadata that ends before it begins");
    object.mutable_size = sizeof changing;
    code.pc_size = 0;
    cr_expect_eq(scopes_at(0, false, 4), 0, "records of no known size");
}
