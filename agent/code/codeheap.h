// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// HotSpot's heaps of generated code: from an address to the blob around it. A heap is cut into
// segments of equal size. Its segment map has a byte for each segment: 0xFF for a free one, 0 at
// the beginning of a block, else how many segments to hop towards that beginning (at most 0xFE at a
// time). A block is a header followed by the blob. Source: HotSpot's share/memory/heap.cpp,
// releases 8 to 27.
#ifndef AGENT_CODEHEAP_H
#define AGENT_CODEHEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/oracle.h"

#define CODEHEAP_FREE 0xff

// One heap as it is at this instant.
struct codeheap {
    uintptr_t low, high; // what is committed
    const uint8_t* map;
    uint64_t map_length;
    uint32_t segment_shift;
    uint32_t header_size;  // of a block
    uint32_t length_width; // of the header's first field: the block's length in segments
    uint32_t used_offset;  // of the header's flag
};

// The blob of the block in use around pc, and where the block ends. 0: there is none.
uintptr_t codeheap_find(const struct codeheap* heap, uintptr_t pc, uintptr_t* end) HANDLER_SAFE;

#endif
