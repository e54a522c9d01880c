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

// Looks at the bytes again: after a change, before the next. What pointed to one of shape.codes
// then points to the same method's. False if they are no class file any more.
bool edit_reread(struct edit* edit);

// The index of a Utf8 entry of that text; 0: there is none.
uint32_t edit_find_name(const struct edit* edit, const char* text);
// A bci at which an instruction begins (or the end of the code).
uint32_t edit_boundary(struct edit* edit, const struct shape_code* code);

// Of a Class entry of that name, which is added if there is none; 0: no room. Rereads.
uint32_t edit_class(struct edit* edit, const char* name, uint32_t length);
// Adds an attribute to the Code attribute, as the first; false without an entry of its name.
enum { EDIT_PART_MAX = 600 }; // what a full frame of 255 arguments takes
bool edit_add_part(struct edit* edit, const struct shape_code* code, const char* name,
                   const uint8_t* body, uint32_t length);

// A StackMapTable's frame: its position in the code, and where it is in the file.
struct edit_frame {
    uint32_t bci, at, length;
};
// The frames of that code, at most `max` of them; *table is the attribute, or NULL without one.
uint32_t edit_frames(const struct edit* edit, const struct shape_code* code,
                     const struct shape_attribute** table, struct edit_frame* frames, uint32_t max);
// Adds a frame at `bci`, whose kind (with explicit offset_delta) and types `body` holds, the kind
// first, and makes the table if there is none. False, with nothing changed, if one is there
// already.
bool edit_put_frame(struct edit* edit, const struct shape_code* code, uint32_t bci,
                    const uint8_t* body, uint32_t length);

// Inserts instructions before the one at `bci`, and mends what points at code: branches, switches,
// exception table, frames, lines and variables. `length` is a multiple of four, so that switches
// keep their padding.
bool edit_insert_code(struct edit* edit, const struct shape_code* code, uint32_t bci,
                      const uint8_t* bytes, uint32_t length);

#endif
