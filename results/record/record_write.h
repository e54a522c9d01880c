// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The room's inside: numbers of the record format that writer and reader share (FORMAT.md).
#ifndef RESULTS_RECORD_WRITE_H
#define RESULTS_RECORD_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "record.h"

#define RESULTS_RECORD_VERSION 2u
#define RESULTS_RECORD_OLDEST 1u          // the oldest version that is read
#define RESULTS_BLOCK_MAX (4u << 20)      // content: what a reader must be ready to hold
#define RESULTS_BLOCK_CLOSED (128u << 10) // a recorder closes a block that is larger
#define RESULTS_METHODS_MAX (1u << 22)    // indexes of methods and call sites are below this

#define RECORD_BLOCK_MAGIC 0x42524C50u // "PLRB"
#define RECORD_BLOCK_HEAD_BYTES 28u

enum record_block_type { RECORD_BLOCK_HEAD = 1, RECORD_BLOCK_BATCH, RECORD_BLOCK_END };

enum record_type {
    RECORD_PROPERTY = 1,
    RECORD_LIST,
    RECORD_METHOD,
    RECORD_NAMES,
    RECORD_SAMPLE,
    RECORD_COUNTERS,
    RECORD_SETTLED,
    RECORD_SITES,
    RECORD_REWRITTEN
};

// How numbers of methods stand in the file.
enum {
    RECORD_NUMBER_FOREIGN,
    RECORD_NUMBER_UNKNOWN,
    RECORD_NUMBER_OWN,
    RECORD_NUMBER_FIRST = 2 // number 1 is 3
};

// A rewritten method by its number, as the file has it.
struct record_rewritten {
    uint32_t number, length;
    bool may_vanish;
    uint32_t range_count;
    const struct oracle_range* ranges;
    struct results_names names;
};

// As results_recorder_sample does for samples. A number or an index that the record has is not put
// a second time.
int record_put_rewritten(struct results_recorder* recorder, const struct record_rewritten* method);
int record_put_sites(struct results_recorder* recorder, uint32_t index,
                     const struct oracle_sites* sites);
int record_put_settled(struct results_recorder* recorder,
                       const struct results_settled_piece* settled,
                       const struct results_sample_frame* witness);
// The recorder goes on where the record ends: the next block's number, and all that is defined. 0,
// or -1 without memory. At once after results_recorder_open.
int record_put_behind(struct results_recorder* recorder, const struct results_record* record);

// ---- The container ----------------------------------------------------------------------------

// The room's inside: the container, LZ4 frames. Nothing else here includes liblz4.

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
// The bytes that it has read and made of frames that were not RIGHT.
uint64_t record_unpacker_in_vain(const struct record_unpacker* unpacker);
// Where, from `from` on, the next frame may begin; `size` if nowhere.
size_t record_frame_next(const uint8_t* bytes, size_t size, size_t from);

#endif
