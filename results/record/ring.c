// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "record.h"

#include <string.h>

// Before each piece stands a word: its size, and in the lowest bits what it is. A word of 0 is
// about to become one of these. Nothing is written behind it before, so where a thread died there,
// its piece is zeros.
#define WORD 8u
#define PIECE 1u   // complete
#define SKIP 2u    // what is left to the end of the memory
#define FILLING 3u // reserved
#define KIND_BITS 2
#define KIND_MASK 3u

static inline __attribute__((always_inline)) uint64_t taken_by(uint64_t size) {
    return WORD + ((size + 7) & ~UINT64_C(7));
}

static inline __attribute__((always_inline)) uint64_t* word_at(const struct results_ring* ring,
                                                               uint64_t position) {
    return (uint64_t*)(void*)(ring->bytes + (position & (ring->size - 1)));
}

HANDLER_SAFE void* results_ring_reserve(const struct results_ring* ring, size_t size) {
    struct results_ring_ends* ends = ring->ends;
    uint64_t need = taken_by(size), head, skip;
    if (size == 0 || size > ring->size / 4) return NULL;
    head = __atomic_load_n(&ends->head, __ATOMIC_RELAXED);
    do {
        // Acquire, partner: results_ring_release. It has cleared what lies before the tail.
        uint64_t tail = __atomic_load_n(&ends->tail, __ATOMIC_ACQUIRE);
        uint64_t left = ring->size - (head & (ring->size - 1));
        skip = need <= left ? 0 : left;
        if (skip + need > ring->size - (head - tail)) return NULL;
    } while (!__atomic_compare_exchange_n(&ends->head, &head, head + skip + need, true,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    // The partner of these stores: results_ring_next.
    if (skip != 0)
        __atomic_store_n(word_at(ring, head), skip << KIND_BITS | SKIP, __ATOMIC_RELEASE);
    uint64_t* word = word_at(ring, head + skip);
    __atomic_store_n(word, (uint64_t)size << KIND_BITS | FILLING, __ATOMIC_RELEASE);
    return word + 1;
}

HANDLER_SAFE void results_ring_publish(void* piece, size_t size) {
    __atomic_store_n((uint64_t*)piece - 1, (uint64_t)size << KIND_BITS | PIECE, __ATOMIC_RELEASE);
}

// Does a word of that kind fit where the reader is? Only a JVM that wrote into the ring by mistake
// makes it not fit.
static bool fits(const struct results_ring_reader* reader, uint64_t size, uint64_t kind) {
    const struct results_ring* ring = &reader->ring;
    uint64_t left = ring->size - (reader->next & (ring->size - 1));
    return kind == SKIP ? size == left : size != 0 && size <= left && taken_by(size) <= left;
}

// Is a word where the reader is? A JVM that wrote into the ends by mistake puts the reader
// anywhere.
static bool is_inside(const struct results_ring_reader* reader) {
    const struct results_ring_ends* ends = reader->ring.ends;
    uint64_t head = __atomic_load_n(&ends->head, __ATOMIC_RELAXED);
    return reader->next != head && reader->next - ends->tail < reader->ring.size &&
           reader->next % WORD == 0;
}

// Passes over the zeros of pieces whose threads died before they wrote the first word.
static void pass_unbegun(struct results_ring_reader* reader) {
    uint64_t before = reader->next;
    while (is_inside(reader) && *word_at(&reader->ring, reader->next) == 0) reader->next += WORD;
    reader->unfinished += reader->next != before;
}

const void* results_ring_next(struct results_ring_reader* reader, size_t* size) {
    for (;;) {
        if (reader->abandoned) pass_unbegun(reader);
        if (!is_inside(reader)) return NULL;
        uint64_t* at = word_at(&reader->ring, reader->next);
        uint64_t word = __atomic_load_n(at, __ATOMIC_ACQUIRE), kind = word & KIND_MASK;
        *size = (size_t)(word >> KIND_BITS);
        if (kind == 0 || (kind == FILLING && !reader->abandoned)) return NULL;
        if (reader->abandoned && !fits(reader, *size, kind)) return NULL;
        reader->next += kind == SKIP ? *size : taken_by(*size);
        if (kind == PIECE) return at + 1;
        reader->unfinished += kind == FILLING;
    }
}

// Cleared, so that a word there is 0 when it is reserved again. The new place of `read` comes
// first: who reads the ring after a death in the midst of clearing begins behind the half-cleared
// pieces.
void results_ring_release(struct results_ring_reader* reader) {
    const struct results_ring* ring = &reader->ring;
    uint64_t tail = ring->ends->tail;
    __atomic_store_n(&ring->ends->read, reader->next, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    while (tail != reader->next) {
        uint64_t at = tail & (ring->size - 1), count = reader->next - tail;
        if (count > ring->size - at) count = ring->size - at;
        memset(ring->bytes + at, 0, count);
        tail += count;
    }
    __atomic_store_n(&ring->ends->tail, tail, __ATOMIC_RELEASE);
}
