// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Where the parts of a class file lie: for the mutator, which changes them, and for the checks,
// which compare them. It believes nothing: what it gives lies inside the bytes it was given.
#ifndef INSTRUMENT_FUZZ_SHAPE_H
#define INSTRUMENT_FUZZ_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SHAPE_METHODS_MAX = 1024,   // with code; the rest is not looked at
    SHAPE_ATTRIBUTES_MAX = 32,  // of one Code attribute
    SHAPE_ENTRIES_MAX = 65536,  // of the constant pool
    SHAPE_EXCEPTION_LENGTH = 8, // an exception table entry
    SHAPE_ATTRIBUTE_HEAD = 6    // name, length
};

// An attribute: where its name is, and how long what follows the head is.
struct shape_attribute {
    uint32_t at;
    uint32_t length;
};

// A Code attribute. All are offsets from the start of the file.
struct shape_code {
    struct shape_attribute attribute;
    uint32_t method; // of the method's access_flags
    uint32_t method_index;
    uint32_t code, code_length;
    uint32_t exceptions, exception_count; // of the first entry
    uint32_t attributes;                  // of attributes_count
    uint32_t attribute_count;             // of `parts`
    struct shape_attribute parts[SHAPE_ATTRIBUTES_MAX];
};

struct shape {
    uint32_t pool_count;
    uint32_t entries[SHAPE_ENTRIES_MAX]; // by index: where the tag is; 0: no entry
    uint32_t pool_end;
    uint32_t code_count;
    struct shape_code codes[SHAPE_METHODS_MAX];
};

// False if the bytes are no class file; what was found until then is there all the same.
bool shape_read(struct shape* shape, const uint8_t* bytes, size_t length);
// Whether the entry is a Utf8 of that text.
bool shape_name_is(const struct shape* shape, const uint8_t* bytes, uint32_t index,
                   const char* text);
// The length of the instruction at `bci`, 0 if there is none or it does not fit.
uint32_t shape_instruction(const uint8_t* code, uint32_t length, uint32_t bci);

#endif
