// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A class file that is changed in place. Each function keeps the lengths and counts true that its
// comment names; the caller keeps all others true. Not thread-safe.
#ifndef INSTRUMENT_FUZZ_EDIT_H
#define INSTRUMENT_FUZZ_EDIT_H

#include "shape.h"

struct edit {
    uint8_t* bytes; // the caller's, with room for size_max
    size_t size, size_max;
    uint32_t random;    // the generator's state, never 0
    struct shape shape; // of the bytes at the last edit_reread
};

// A random number below `limit`, which is not 0.
uint32_t edit_random(struct edit* edit, uint32_t limit);
// A random number: one at which a limit or an encoding ends, or any.
uint32_t edit_number(struct edit* edit);

// Replaces `removed` bytes at `at` by bytes[0, inserted). False, with nothing changed, if there is
// no room or the place is outside the file.
bool edit_splice(struct edit* edit, uint32_t at, uint32_t removed, const void* bytes,
                 uint32_t inserted);
// Add `amount` to the number of two or four bytes at `at`.
void edit_add_u2(struct edit* edit, uint32_t at, int32_t amount);
void edit_add_u4(struct edit* edit, uint32_t at, int32_t amount);

// edit_splice inside a Code attribute; also adjusts the attribute's length.
bool edit_in_code(struct edit* edit, const struct shape_code* code, uint32_t at, uint32_t removed,
                  const void* bytes, uint32_t inserted);

// Reads the shape again. Call it between two changes. A pointer to one of shape.codes then points
// to the same method's code. False if the bytes are no longer a class file.
bool edit_reread(struct edit* edit);

// The index of a Utf8 entry with that text; 0: there is none.
uint32_t edit_find_name(const struct edit* edit, const char* text);
// A random bci at which an instruction begins, or the end of the code.
uint32_t edit_boundary(struct edit* edit, const struct shape_code* code);

// The index of a Class entry with that name, which is added if there is none; 0: no room. Rereads
// the shape if it adds one.
uint32_t edit_class(struct edit* edit, const char* name, uint32_t length);
// Adds an attribute as the first one of the Code attribute. False if the constant pool lacks its
// name, or without room.
enum { EDIT_PART_MAX = 600 }; // enough for a full frame of 255 arguments
bool edit_add_part(struct edit* edit, const struct shape_code* code, const char* name,
                   const uint8_t* body, uint32_t length);

// A frame of a StackMapTable: its bci, and its place and length in the file.
struct edit_frame {
    uint32_t bci, at, length;
};
// Fills `frames` with at most `max` frames of that code and returns their number. *table is the
// attribute, or NULL without one.
uint32_t edit_frames(const struct edit* edit, const struct shape_code* code,
                     const struct shape_attribute** table, struct edit_frame* frames, uint32_t max);
// Adds a frame at `bci`, and a StackMapTable if there is none. body[0] is the frame's kind, one
// with explicit offset_delta; its types follow, without the offset_delta. Rereads the shape. False
// if there is a frame at `bci` already, with nothing changed, or without room.
bool edit_put_frame(struct edit* edit, const struct shape_code* code, uint32_t bci,
                    const uint8_t* body, uint32_t length);

// Inserts instructions before the one at `bci`, and adjusts everything that refers to positions:
// branches, switches, exception table, frames, lines and variables. `length` must be a multiple of
// four, so that switches keep their padding. False without room.
bool edit_insert_code(struct edit* edit, const struct shape_code* code, uint32_t bci,
                      const uint8_t* bytes, uint32_t length);

#endif
