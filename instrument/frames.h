// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The encoding of the StackMapTable attribute (JVMS 4.7.4). Private to the room.
#ifndef INSTRUMENT_FRAMES_H
#define INSTRUMENT_FRAMES_H

#include "reader.h"

// The first frame_type of each kind of frame.
enum {
    FRAME_SAME = 0,
    FRAME_SAME_1 = 64,           // one stack item
    FRAME_RESERVED = 128,        // 128 to 246 are reserved
    FRAME_SAME_1_EXTENDED = 247, // one stack item, explicit offset_delta
    FRAME_CHOP = 248,            // 251 - frame_type locals fewer
    FRAME_SAME_EXTENDED = 251,
    FRAME_APPEND = 252, // frame_type - 251 locals more
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

// The head of a frame.
struct frame {
    uint8_t type;   // frame_type
    uint32_t delta; // offset_delta
};

// Reads frame_type and offset_delta. The caller reads the verification types that follow. Sets
// reader->failed at a reserved kind.
struct frame frame_read(struct reader* reader);
// The bci of a frame, from the bci of the frame before it (-1 for the first frame).
static inline int32_t frame_position(int32_t previous, uint32_t delta) {
    return previous + 1 + (int32_t)delta;
}

#endif
