// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

void put(struct bytes* bytes, const void* data, size_t length) {
    if (bytes->length + length > bytes->capacity) {
        bytes->capacity = 2 * (bytes->length + length) + 64;
        bytes->data = realloc(bytes->data, bytes->capacity);
        cr_assert_not_null(bytes->data);
    }
    if (length) memcpy(bytes->data + bytes->length, data, length);
    bytes->length += length;
}

void put_u1(struct bytes* bytes, unsigned value) {
    uint8_t byte = (uint8_t)value;
    put(bytes, &byte, 1);
}

void put_u2(struct bytes* bytes, unsigned value) {
    put_u1(bytes, value >> 8);
    put_u1(bytes, value & 0xff);
}

void put_u4(struct bytes* bytes, uint32_t value) {
    put_u2(bytes, value >> 16);
    put_u2(bytes, value & 0xffff);
}

void bytes_free(struct bytes* bytes) {
    free(bytes->data);
    *bytes = (struct bytes){0};
}

unsigned get_u2(const uint8_t* at) {
    return (unsigned)at[0] << 8 | at[1];
}

uint32_t get_u4(const uint8_t* at) {
    return (uint32_t)get_u2(at) << 16 | get_u2(at + 2);
}

// ---- Assembling ----------------------------------------------------------------------------

static void put_utf8(struct bytes* out, const char* text) {
    put_u1(out, 1);
    put_u2(out, (unsigned)strlen(text));
    put(out, text, strlen(text));
}

static void put_class(struct bytes* out, unsigned name) {
    put_u1(out, 7);
    put_u2(out, name);
}

static void put_pair(struct bytes* out, unsigned tag, unsigned first, unsigned second) {
    put_u1(out, tag);
    put_u2(out, first);
    put_u2(out, second);
}

static void put_pool(struct bytes* out, const struct test_class* class) {
    put_u2(out, P_COUNT + class->pool_padding + (class->text != NULL));
    put_utf8(out, class->name ? class->name : "T");
    put_class(out, P_NAME);
    put_utf8(out, class->super ? class->super : "java/lang/Object");
    put_class(out, P_OBJECT_NAME);
    put_utf8(out, "Code");
    put_utf8(out, "<init>");
    put_utf8(out, "()V");
    put_pair(out, 12, P_INIT, P_VOID);
    put_pair(out, 10, P_OBJECT, P_INIT_TYPE);
    put_utf8(out, "StackMapTable");
    put_utf8(out, "LineNumberTable");
    put_utf8(out, "LocalVariableTable");
    put_utf8(out, "RuntimeVisibleTypeAnnotations");
    put_utf8(out, "m");
    put_utf8(out, "(IJ)V");
    put_utf8(out, "SourceFile");
    put_utf8(out, "T.java");
    put_utf8(out, "Exotic");
    put_pair(out, 12, P_M, P_VOID);
    put_pair(out, 10, P_THIS, P_CALL_TYPE);
    for (unsigned i = 0; i < class->pool_padding; i++) put_class(out, P_NAME);
    if (class->text) put_utf8(out, class->text);
}

static void put_code(struct bytes* out, const struct test_method* method) {
    size_t attributes = method->attributes ? method->attributes->length : 0;
    put_u2(out, P_CODE);
    put_u4(out, (uint32_t)(12 + method->code_length + 8 * method->exception_count + attributes));
    put_u2(out, method->max_stack);
    put_u2(out, method->max_locals);
    put_u4(out, (uint32_t)method->code_length);
    put(out, method->code, method->code_length);
    put_u2(out, (unsigned)method->exception_count);
    for (size_t i = 0; i < method->exception_count; i++)
        for (int part = 0; part < 4; part++) put_u2(out, method->exceptions[i][part]);
    put_u2(out, method->attribute_count);
    if (attributes) put(out, method->attributes->data, attributes);
}

struct bytes assemble(const struct test_class* class) {
    struct bytes out = {0};
    put_u4(&out, 0xcafebabe);
    put_u2(&out, 0);
    put_u2(&out, class->major ? class->major : 52);
    put_pool(&out, class);
    put_u2(&out, ACC_PUBLIC);
    put_u2(&out, P_THIS);
    put_u2(&out, P_OBJECT);
    put_u2(&out, 0); // interfaces
    put_u2(&out, 0); // fields
    put_u2(&out, class->method_count);
    for (unsigned i = 0; i < class->method_count; i++) {
        const struct test_method* method = &class->methods[i];
        put_u2(&out, method->access ? method->access : ACC_STATIC);
        put_u2(&out, method->name ? method->name : P_M);
        put_u2(&out, method->descriptor ? method->descriptor : P_VOID);
        put_u2(&out, method->code != NULL);
        if (method->code) put_code(&out, method);
    }
    put_u2(&out, 1);
    put_u2(&out, P_SOURCE);
    put_u4(&out, 2);
    put_u2(&out, P_FILE);
    return out;
}

// ---- Rewriting -----------------------------------------------------------------------------

static uint32_t reserve(void* context, uint32_t count) {
    struct rewriting* rewriting = context;
    rewriting->reserved += count;
    rewriting->calls++;
    return rewriting->next;
}

void rewrite(struct rewriting* rewriting, const struct test_class* class) {
    rewriting->instrument = instrument_open();
    cr_assert_not_null(rewriting->instrument);
    rewriting->input = assemble(class);
    struct instrument_options options = {
        .reserve = reserve, .choose = rewriting->choose, .context = rewriting};
    rewriting->status = instrument_rewrite(rewriting->instrument, rewriting->input.data,
                                           rewriting->input.length, &options, &rewriting->result);
}

void rewrite_again(struct rewriting* rewriting, const struct rewriting* past) {
    rewriting->instrument = instrument_open();
    cr_assert_not_null(rewriting->instrument);
    put(&rewriting->input, past->result.bytes, past->result.length);
    struct instrument_options options = {
        .reserve = reserve, .choose = rewriting->choose, .context = rewriting};
    rewriting->status = instrument_rewrite(rewriting->instrument, rewriting->input.data,
                                           rewriting->input.length, &options, &rewriting->result);
}

void rewrite_one(struct rewriting* rewriting, unsigned major, const struct test_method* method) {
    struct test_class class = {.major = major, .methods = method, .method_count = 1};
    if (rewriting->next == 0) rewriting->next = 7;
    rewrite(rewriting, &class);
    cr_assert_eq(rewriting->status, 0);
    cr_assert_eq(rewriting->result.methods[0].refusal, INSTRUMENT_NONE, "%s",
                 instrument_refusal_text(rewriting->result.methods[0].refusal));
}

void rewriting_free(struct rewriting* rewriting) {
    instrument_close(rewriting->instrument);
    bytes_free(&rewriting->input);
}

// ---- Looking at the result -----------------------------------------------------------------

// Bytes after the tag, for the kinds of entries in these classes. A Utf8 entry has its text in
// addition.
static const uint8_t entry_lengths[] = {0, 2, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4};

const uint8_t* find_entry(const struct instrument_class* class, unsigned index) {
    const uint8_t* at = class->bytes + 10;
    for (; index > 1; index--) at += 1 + entry_lengths[*at] + (*at == 1 ? get_u2(at + 1) : 0);
    return at;
}

struct found find_code(const struct instrument_class* class, unsigned method) {
    const uint8_t* at = find_entry(class, get_u2(class->bytes + 8)) + 6;
    cr_assert_eq(get_u4(at), 0); // no interfaces, no fields
    cr_assert_lt(method, get_u2(at + 4));
    at += 6;
    for (; method > 0; method--) {
        bool code = get_u2(at + 6) != 0;
        at += 8;
        if (code) at += 6 + get_u4(at + 2);
    }
    cr_assert_eq(get_u2(at + 8), P_CODE);
    struct found found = {.end = at + 14 + get_u4(at + 10)};
    at += 14;
    cr_assert_leq((size_t)(found.end - class->bytes), class->length);
    found.max_stack = get_u2(at);
    found.max_locals = get_u2(at + 2);
    found.code_length = get_u4(at + 4);
    found.code = at + 8;
    at = found.code + found.code_length;
    found.exception_count = get_u2(at);
    found.exceptions = at + 2;
    found.attributes = found.exceptions + 8 * (size_t)found.exception_count;
    cr_assert(found.attributes <= found.end);
    return found;
}

static bool name_is(const struct instrument_class* class, unsigned index, const char* name) {
    const uint8_t* at = find_entry(class, index);
    return *at == 1 && get_u2(at + 1) == strlen(name) && memcmp(at + 3, name, strlen(name)) == 0;
}

const uint8_t* find_attribute(const struct instrument_class* class, const struct found* found,
                              const char* name, uint32_t* length) {
    const uint8_t* at = found->attributes;
    unsigned count = get_u2(at);
    for (at += 2; count > 0; count--) {
        *length = get_u4(at + 2);
        if (name_is(class, get_u2(at), name)) return at + 6;
        at += 6 + *length;
    }
    cr_assert(at == found->end);
    return NULL;
}

void expect_bytes(const uint8_t* actual, size_t actual_length, const uint8_t* expected,
                  size_t length) {
    cr_expect_eq(actual_length, length, "%zu bytes, not %zu", actual_length, length);
    for (size_t i = 0; i < length && i < actual_length; i++)
        cr_expect_eq(actual[i], expected[i], "byte %zu is %u, not %u", i, actual[i], expected[i]);
}

void expect_range(const struct found* found, unsigned index, unsigned start, unsigned end,
                  unsigned handler) {
    cr_assert_lt(index, found->exception_count);
    const uint8_t* at = found->exceptions + 8 * (size_t)index;
    cr_expect_eq(get_u2(at), start, "range %u starts at %u", index, get_u2(at));
    cr_expect_eq(get_u2(at + 2), end, "range %u ends at %u", index, get_u2(at + 2));
    cr_expect_eq(get_u2(at + 4), handler, "range %u's handler is %u", index, get_u2(at + 4));
}
