// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A bounded queue of pieces of any size, from handlers on any thread to one reader. Nobody waits:
// what finds no room is refused. A piece is reserved, filled, and published; the reader takes
// pieces in the order in which they were reserved, and so goes no further than one that is being
// filled.
#ifndef AGENT_RING_H
#define AGENT_RING_H

#include <stddef.h>
#include <stdint.h>

#include "oracle/oracle.h"

struct ring {
    uint8_t* bytes; // zero where nothing is published
    uint64_t size;  // a power of two
    uint64_t head;  // atomic: where the next piece will be reserved, ever growing
    uint64_t tail;  // atomic: where the reader is
};

// Takes memory, which is touched only where it is used. 0, or -1 without memory. `size`: a power of
// two, 64 at least.
int ring_open(struct ring* ring, uint64_t size);
void ring_close(struct ring* ring);
// Room for `size` bytes, aligned to 8; NULL: there is none, or it is more than a quarter of the
// whole.
void* ring_reserve(struct ring* ring, size_t size) HANDLER_SAFE;
// The piece of that size is complete.
void ring_publish(void* piece, size_t size) HANDLER_SAFE;
// Reader: the oldest piece, NULL where there is none or it is not complete; and when done with it.
void* ring_peek(struct ring* ring, size_t* size);
void ring_release(struct ring* ring, size_t size);

#endif
