// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The StackMapTable's encoding (JVMS 4.7.4), for those who read it.
#ifndef INSTRUMENT_FRAMES_H
#define INSTRUMENT_FRAMES_H

#include "reader.h"

// frame_type: where each kind begins.
enum {
    FRAME_SAME = 0,
    FRAME_SAME_1 = 64,           // one stack item
    FRAME_RESERVED = 128,        // and up to
    FRAME_SAME_1_EXTENDED = 247, // one stack item, offset_delta explicit
    FRAME_CHOP = 248,            // 251 - type locals fewer
    FRAME_SAME_EXTENDED = 251,
    FRAME_APPEND = 252, // type - 251 locals more
    FRAME_FULL = 255
};

// verification_type_info tags.
enum {
    TYPE_TOP = 0,
    TYPE_DOUBLE = 3,
    TYPE_LONG = 4,
    TYPE_UNINITIALIZED_THIS = 6,
    TYPE_OBJECT = 7,       // u2 class
    TYPE_UNINITIALIZED = 8 // u2 offset of the `new`
};

// One frame's parts; `types` has stood before them when they are to be read.
struct frame {
    uint8_t type;
    uint32_t delta;
};

// Reads frame_type and offset_delta. The types that follow are the caller's. Sets `failed` at a
// reserved kind.
struct frame frame_read(struct reader* reader);
// The position of a frame from the one before it (-1 before the first).
static inline int32_t frame_position(int32_t previous, uint32_t delta) {
    return previous + 1 + (int32_t)delta;
}

#endif
