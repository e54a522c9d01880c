// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A class-file assembler for tests, which depends as little as possible on the rewriter, and
// functions that find the parts of the result.
#ifndef INSTRUMENT_TESTS_SUPPORT_H
#define INSTRUMENT_TESTS_SUPPORT_H

#include "instrument/instrument.h"

// The constant pool of every assembled class.
enum {
    P_NAME = 1,        // Utf8 "T", or test_class.name
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
    P_EXOTIC = 18,    // Utf8 "Exotic", an unknown attribute
    P_CALL_TYPE = 19, // NameAndType "m", "()V"
    P_CALL = 20,      // Methodref T.m()V
    P_COUNT = 21,
    P_TEXT = 21 // Utf8 test_class.text, if there is one
};

enum { ACC_PUBLIC = 1, ACC_STATIC = 8, ACC_NATIVE = 0x100, ACC_ABSTRACT = 0x400 };

// Bytes being put together. All zero is empty. The put functions append big-endian numbers or
// bytes, and fail the test without memory.
struct bytes {
    uint8_t* data;
    size_t length, capacity;
};
void put_u1(struct bytes* bytes, unsigned value);
void put_u2(struct bytes* bytes, unsigned value);
void put_u4(struct bytes* bytes, uint32_t value);
void put(struct bytes* bytes, const void* data, size_t length);
void bytes_free(struct bytes* bytes);

// A method to assemble. Access 0 means static, name 0 "m", descriptor 0 "()V".
struct test_method {
    unsigned access, name, descriptor; // name and descriptor: constant-pool indexes
    unsigned max_stack, max_locals;
    const uint8_t* code; // NULL: no Code attribute
    size_t code_length;
    const uint16_t (*exceptions)[4]; // start, end, handler, catch type
    size_t exception_count;
    const struct bytes* attributes; // whole attributes of the Code attribute
    unsigned attribute_count;
};

struct test_class {
    unsigned major;        // 0: 52
    const char* name;      // NULL: "T"
    const char* super;     // NULL: "java/lang/Object"
    const char* text;      // one more Utf8 entry, P_TEXT; not together with pool_padding
    unsigned pool_padding; // number of extra entries, for a pool that is nearly full
    const struct test_method* methods;
    unsigned method_count;
};

// The class file; the caller frees it with bytes_free.
struct bytes assemble(const struct test_class* class);

// One rewriting.
struct rewriting {
    struct instrument* instrument;
    struct bytes input;
    struct instrument_class result;
    int status;
    uint32_t next;     // the number that reserve gives; rewrite_one turns 0 into 7
    uint32_t reserved; // how many numbers were asked for, in all
    uint32_t calls;    // calls of reserve
    // As in struct instrument_options; its context is unused.
    bool (*choose)(void*, struct instrument_text, struct instrument_text, struct instrument_text);
};
// Assembles the class and rewrites it; rewriting_free frees everything.
void rewrite(struct rewriting* rewriting, const struct test_class* class);
// Rewrites the result of another rewriting.
void rewrite_again(struct rewriting* rewriting, const struct rewriting* past);
// Rewrites a class of one method. Fails the test if class or method is refused.
void rewrite_one(struct rewriting* rewriting, unsigned major, const struct test_method* method);
void rewriting_free(struct rewriting* rewriting);

// The parts of a Code attribute of the result.
struct found {
    unsigned max_stack, max_locals;
    const uint8_t* code;
    uint32_t code_length;
    const uint8_t* exceptions;
    unsigned exception_count;
    const uint8_t* attributes; // from attributes_count on
    const uint8_t* end;
};
// The tag of entry `index` of the result's constant pool; for index constant_pool_count, the byte
// after the pool.
const uint8_t* find_entry(const struct instrument_class* class, unsigned index);
// The Code attribute of the method with that index.
struct found find_code(const struct instrument_class* class, unsigned method);
// The content of the code's attribute with that name, and its length; NULL: there is none.
const uint8_t* find_attribute(const struct instrument_class* class, const struct found* found,
                              const char* name, uint32_t* length);
unsigned get_u2(const uint8_t* at);
uint32_t get_u4(const uint8_t* at);

// Fail the test, and continue, if the bytes or the exception table entry `index` differ.
void expect_bytes(const uint8_t* actual, size_t actual_length, const uint8_t* expected,
                  size_t length);
void expect_range(const struct found* found, unsigned index, unsigned start, unsigned end,
                  unsigned handler);

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__}), sizeof((const uint8_t[]){__VA_ARGS__})

#endif
