// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The places of the parts of a class file, for the mutator, which changes them, and for the checks,
// which compare them. Input is hostile: every place given lies inside the bytes.
#ifndef INSTRUMENT_FUZZ_SHAPE_H
#define INSTRUMENT_FUZZ_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SHAPE_METHODS_MAX = 1024,   // methods with code; further ones are ignored
    SHAPE_ATTRIBUTES_MAX = 32,  // of one Code attribute
    SHAPE_ENTRIES_MAX = 65536,  // of the constant pool
    SHAPE_EXCEPTION_LENGTH = 8, // an exception table entry
    SHAPE_ATTRIBUTE_HEAD = 6    // name, length
};

// An attribute.
struct shape_attribute {
    uint32_t at;     // offset of its name
    uint32_t length; // of its content, without the head
};

// A Code attribute. Offsets count from the start of the file.
struct shape_code {
    struct shape_attribute attribute;
    uint32_t method; // offset of the method's access_flags
    uint32_t method_index;
    uint32_t code, code_length;           // offset of the first instruction; bytes
    uint32_t exceptions, exception_count; // offset of the first entry; entries
    uint32_t attributes;                  // offset of attributes_count
    uint32_t attribute_count;             // number of `parts`
    struct shape_attribute parts[SHAPE_ATTRIBUTES_MAX];
};

struct shape {
    uint32_t pool_count;
    uint32_t entries[SHAPE_ENTRIES_MAX]; // by index: offset of the tag; 0: no entry
    uint32_t pool_end;
    uint32_t code_count;
    struct shape_code codes[SHAPE_METHODS_MAX];
};

// Reads the shape of bytes[0, length). False if the bytes are not a class file; *shape then holds
// the parts found so far.
bool shape_read(struct shape* shape, const uint8_t* bytes, size_t length);
// Whether the constant-pool entry is a Utf8 entry with that text.
bool shape_name_is(const struct shape* shape, const uint8_t* bytes, uint32_t index,
                   const char* text);
// The length of the instruction at `bci`; 0 if there is none or it does not fit into the code.
uint32_t shape_instruction(const uint8_t* code, uint32_t length, uint32_t bci);

#endif
