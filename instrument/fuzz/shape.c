// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "shape.h"

#include <string.h>

#include "opcodes.h"
#include "reader.h"

enum { TAG_UTF8 = 1, TAG_LONG = 5, TAG_DOUBLE = 6 };

// ---- Instructions --------------------------------------------------------------------------

static uint32_t switch_length(const uint8_t* code, uint32_t length, uint32_t bci) {
    bool table = code[bci] == OP_tableswitch;
    uint32_t at = (bci + 4) & ~3u, head = table ? 12 : 8;
    if (at > length || length - at < head) return 0;
    int64_t count = (int32_t)load_u4(code + at + 4);
    if (table) count = (int64_t)(int32_t)load_u4(code + at + 8) - count + 1;
    if (count < 0 || count > length) return 0;
    return at - bci + head + (uint32_t)count * (table ? 4 : 8);
}

uint32_t shape_instruction(const uint8_t* code, uint32_t length, uint32_t bci) {
    if (bci >= length) return 0;
    uint32_t own = opcode_table[code[bci]].length;
    if (code[bci] == OP_tableswitch || code[bci] == OP_lookupswitch)
        own = switch_length(code, length, bci);
    if (code[bci] == OP_wide && bci + 1 < length) own = code[bci + 1] == OP_iinc ? 6 : 4;
    return own <= length - bci ? own : 0;
}

// ---- The file ------------------------------------------------------------------------------

static bool read_pool(struct shape* shape, struct reader* reader, const uint8_t* bytes) {
    static const uint8_t lengths[] = {0, 2, 0, 4, 4, 8, 8, 2, 2, 4, 4,
                                      4, 4, 0, 0, 3, 2, 4, 4, 2, 2};
    uint32_t count = read_u2(reader);
    shape->pool_count = 1;
    shape->entries[0] = 0;
    for (uint32_t i = 1; i < count; i++) {
        uint32_t at = (uint32_t)(reader->at - bytes);
        uint8_t tag = read_u1(reader);
        if (tag >= sizeof lengths || lengths[tag] == 0) return false;
        if (tag == TAG_UTF8) read_bytes(reader, read_u2(reader));
        else read_bytes(reader, lengths[tag]);
        if (reader->failed) return false;
        shape->entries[i] = at;
        if (tag == TAG_LONG || tag == TAG_DOUBLE) shape->entries[++i] = 0;
        shape->pool_count = i + 1;
    }
    shape->pool_end = (uint32_t)(reader->at - bytes);
    return shape->pool_count == count;
}

bool shape_name_is(const struct shape* shape, const uint8_t* bytes, uint32_t index,
                   const char* text) {
    if (index >= shape->pool_count || shape->entries[index] == 0) return false;
    const uint8_t* at = bytes + shape->entries[index];
    size_t length = strlen(text);
    return *at == TAG_UTF8 && load_u2(at + 1) == length && memcmp(at + 3, text, length) == 0;
}

static struct shape_attribute read_attribute(struct reader* reader, const uint8_t* bytes) {
    struct shape_attribute attribute = {.at = (uint32_t)(reader->at - bytes)};
    read_u2(reader);
    attribute.length = read_u4(reader);
    read_bytes(reader, attribute.length);
    return attribute;
}

static void skip_attributes(struct reader* reader, const uint8_t* bytes) {
    uint32_t count = read_u2(reader);
    for (uint32_t i = 0; i < count && !reader->failed; i++) read_attribute(reader, bytes);
}

// Reads the parts of a Code attribute. False if it is malformed; the list then leaves it out.
static bool read_code(struct shape_code* code, const uint8_t* bytes) {
    uint32_t at = code->attribute.at + SHAPE_ATTRIBUTE_HEAD;
    struct reader reader = reader_over(bytes + at, code->attribute.length);
    read_u4(&reader); // max_stack, max_locals
    code->code_length = read_u4(&reader);
    code->code = (uint32_t)(reader.at - bytes);
    read_bytes(&reader, code->code_length);
    code->exception_count = read_u2(&reader);
    code->exceptions = (uint32_t)(reader.at - bytes);
    read_bytes(&reader, (size_t)SHAPE_EXCEPTION_LENGTH * code->exception_count);
    code->attributes = (uint32_t)(reader.at - bytes);
    uint32_t count = read_u2(&reader);
    if (reader.failed) return false;
    for (code->attribute_count = 0; code->attribute_count < count;) {
        struct shape_attribute part = read_attribute(&reader, bytes);
        if (reader.failed || code->attribute_count == SHAPE_ATTRIBUTES_MAX) break;
        code->parts[code->attribute_count++] = part;
    }
    return true;
}

static void read_method(struct shape* shape, struct reader* reader, const uint8_t* bytes,
                        uint32_t index) {
    uint32_t method = (uint32_t)(reader->at - bytes);
    read_bytes(reader, 6);
    uint32_t count = read_u2(reader);
    for (uint32_t i = 0; i < count && !reader->failed; i++) {
        struct shape_attribute attribute = read_attribute(reader, bytes);
        if (reader->failed || shape->code_count == SHAPE_METHODS_MAX) continue;
        if (!shape_name_is(shape, bytes, load_u2(bytes + attribute.at), "Code")) continue;
        struct shape_code* code = &shape->codes[shape->code_count];
        *code =
            (struct shape_code){.attribute = attribute, .method = method, .method_index = index};
        shape->code_count += read_code(code, bytes);
    }
}

bool shape_read(struct shape* shape, const uint8_t* bytes, size_t length) {
    struct reader reader = reader_over(bytes, length);
    shape->pool_count = shape->pool_end = shape->code_count = 0;
    read_bytes(&reader, 8); // magic, versions
    if (reader.failed || !read_pool(shape, &reader, bytes)) return false;
    read_bytes(&reader, 6); // access_flags, this_class, super_class
    read_bytes(&reader, 2 * (size_t)read_u2(&reader));
    uint32_t fields = read_u2(&reader);
    for (uint32_t i = 0; i < fields && !reader.failed; i++) {
        read_bytes(&reader, 6);
        skip_attributes(&reader, bytes);
    }
    uint32_t methods = read_u2(&reader);
    for (uint32_t i = 0; i < methods && !reader.failed; i++) read_method(shape, &reader, bytes, i);
    skip_attributes(&reader, bytes);
    return !reader.failed;
}
