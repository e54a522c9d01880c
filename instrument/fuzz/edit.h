// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A class file that is being changed in place. Inserting and removing keep the lengths and counts
// around the place true; what is not around it is the caller's.
#ifndef INSTRUMENT_FUZZ_EDIT_H
#define INSTRUMENT_FUZZ_EDIT_H

#include "shape.h"

struct edit {
    uint8_t* bytes;
    size_t size, size_max;
    uint32_t random;    // the generator's state, never 0
    struct shape shape; // as of before the first change
};

// A number below `limit`, which is not 0.
uint32_t edit_random(struct edit* edit, uint32_t limit);
// One of the numbers at which something ends, or any.
uint32_t edit_number(struct edit* edit);

// Replaces `removed` bytes at `at` by `inserted` ones; false if there is no room.
bool edit_splice(struct edit* edit, uint32_t at, uint32_t removed, const void* bytes,
                 uint32_t inserted);
void edit_add_u2(struct edit* edit, uint32_t at, int32_t amount);
void edit_add_u4(struct edit* edit, uint32_t at, int32_t amount);

// As edit_splice, inside a Code attribute, whose length is mended.
bool edit_in_code(struct edit* edit, const struct shape_code* code, uint32_t at, uint32_t removed,
                  const void* bytes, uint32_t inserted);

// The index of a Utf8 entry of that text; 0: there is none.
uint32_t edit_find_name(const struct edit* edit, const char* text);
// A bci at which an instruction begins (or the end of the code).
uint32_t edit_boundary(struct edit* edit, const struct shape_code* code);

// Inserts instructions before the one at `bci`, and mends what points at code: branches, switches,
// exception table, frames and lines. `length` is a multiple of four, so that switches keep their
// padding.
bool edit_insert_code(struct edit* edit, const struct shape_code* code, uint32_t bci,
                      const uint8_t* bytes, uint32_t length);

#endif
