// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The room's inside: the container, LZ4 frames. Nothing else here includes liblz4.
#ifndef RESULTS_RECORD_FRAME_H
#define RESULTS_RECORD_FRAME_H

#include <stddef.h>
#include <stdint.h>

// The most bytes that `size` bytes of content may take as a frame.
size_t record_frame_bound(size_t size);
// Content as one frame into `to`, of at least that bound. Its size, 0 without memory.
size_t record_frame_pack(const void* content, size_t size, void* to, size_t room);

enum record_frame_result {
    RECORD_FRAME_RIGHT,
    RECORD_FRAME_NONE,    // no frame of ours begins here
    RECORD_FRAME_DAMAGED, // it does, and does not hold what its checksum says
    RECORD_FRAME_SHORT,   // the bytes end before it does
    RECORD_FRAME_MEMORY
};

// Takes frames apart; keeps its memory between them.
struct record_unpacker;
struct record_unpacker* record_unpacker_open(void);
void record_unpacker_close(struct record_unpacker* unpacker);
// The frame at bytes[0]: RIGHT gives its content, the unpacker's until the next call, and how many
// bytes the frame takes.
enum record_frame_result record_frame_unpack(struct record_unpacker* unpacker, const uint8_t* bytes,
                                             size_t size, const uint8_t** content,
                                             size_t* content_size, size_t* taken);
// Where, from `from` on, the next frame may begin; `size` if nowhere.
size_t record_frame_next(const uint8_t* bytes, size_t size, size_t from);

#endif
