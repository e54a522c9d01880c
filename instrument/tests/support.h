// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A class-file assembler for tests, which knows as little of the rewriter as it can, and what is
// needed to look into the result.
#ifndef INSTRUMENT_TESTS_SUPPORT_H
#define INSTRUMENT_TESTS_SUPPORT_H

#include "instrument/instrument.h"

// The constant pool of every assembled class.
enum {
    P_NAME = 1,        // Utf8 "T" (or what the class is called)
    P_THIS = 2,        // Class 1
    P_OBJECT_NAME = 3, // Utf8 "java/lang/Object"
    P_OBJECT = 4,      // Class 3
    P_CODE = 5,
    P_INIT = 6,      // Utf8 "<init>"
    P_VOID = 7,      // Utf8 "()V"
    P_INIT_TYPE = 8, // NameAndType 6, 7
    P_SUPER = 9,     // Methodref 4, 8: java/lang/Object.<init>
    P_FRAMES = 10,
    P_LINES = 11,
    P_LOCALS = 12,
    P_ANNOTATIONS = 13,
    P_M = 14,         // Utf8 "m"
    P_IJ = 15,        // Utf8 "(IJ)V"
    P_SOURCE = 16,    // Utf8 "SourceFile"
    P_FILE = 17,      // Utf8 "T.java"
    P_EXOTIC = 18,    // Utf8 "Exotic", an attribute nobody knows
    P_CALL_TYPE = 19, // NameAndType "m", "()V"
    P_CALL = 20,      // Methodref T.m()V
    P_COUNT = 21,
    P_TEXT = 21 // Utf8, the class's `text` if it has one
};

enum { ACC_PUBLIC = 1, ACC_STATIC = 8, ACC_NATIVE = 0x100, ACC_ABSTRACT = 0x400 };

// Bytes being put together; `overflow` is checked by the tests' helpers.
struct bytes {
    uint8_t* data;
    size_t length, capacity;
};
void put_u1(struct bytes* bytes, unsigned value);
void put_u2(struct bytes* bytes, unsigned value);
void put_u4(struct bytes* bytes, uint32_t value);
void put(struct bytes* bytes, const void* data, size_t length);
void bytes_free(struct bytes* bytes);

// A method to assemble. Zero access: static; zero name: "m"; zero descriptor: "()V".
struct test_method {
    unsigned access, name, descriptor;
    unsigned max_stack, max_locals;
    const uint8_t* code; // NULL: no Code attribute
    size_t code_length;
    const uint16_t (*exceptions)[4]; // start, end, handler, catch type
    size_t exception_count;
    const struct bytes* attributes; // whole attributes of the Code attribute
    unsigned attribute_count;
};

struct test_class {
    unsigned major;        // zero: 52
    const char* name;      // NULL: "T"
    const char* text;      // one more Utf8 entry, P_TEXT; not together with pool_padding
    unsigned pool_padding; // more entries, for a pool that is nearly full
    const struct test_method* methods;
    unsigned method_count;
};

struct bytes assemble(const struct test_class* class);

// What the tests know of a rewriting. `next` is the number that reserve gives.
struct rewriting {
    struct instrument* instrument;
    struct bytes input;
    struct instrument_class result;
    int status;
    uint32_t next;
    uint32_t reserved; // how many numbers were asked for; calls of reserve
    uint32_t calls;
};
void rewrite(struct rewriting* rewriting, const struct test_class* class);
// Rewrites what another rewriting has made.
void rewrite_again(struct rewriting* rewriting, const struct rewriting* past);
// A class of one method, which is rewritten without refusal.
void rewrite_one(struct rewriting* rewriting, unsigned major, const struct test_method* method);
void rewriting_free(struct rewriting* rewriting);

// A Code attribute of the result, bounds checked while it was found.
struct found {
    unsigned max_stack, max_locals;
    const uint8_t* code;
    uint32_t code_length;
    const uint8_t* exceptions;
    unsigned exception_count;
    const uint8_t* attributes; // from attributes_count on
    const uint8_t* end;
};
// Entry `index` of the result's pool, from its tag on, or what follows the pool.
const uint8_t* find_entry(const struct instrument_class* class, unsigned index);
struct found find_code(const struct instrument_class* class, unsigned method);
// The body of an attribute by its name, and its length; NULL: there is none.
const uint8_t* find_attribute(const struct instrument_class* class, const struct found* found,
                              const char* name, uint32_t* length);
unsigned get_u2(const uint8_t* at);
uint32_t get_u4(const uint8_t* at);

void expect_bytes(const uint8_t* actual, size_t actual_length, const uint8_t* expected,
                  size_t length);
void expect_range(const struct found* found, unsigned index, unsigned start, unsigned end,
                  unsigned handler);

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__}), sizeof((const uint8_t[]){__VA_ARGS__})

#endif
