// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "ring.h"

#include <string.h>
#include <sys/mman.h>

// Before each piece stands a word: 0 while it is being filled, else its size and PIECE, or what is
// left to the end of the memory and SKIP.
#define WORD 8u
#define PIECE 1u
#define SKIP 2u
#define KIND_BITS 2

int ring_open(struct ring* ring, uint64_t size) {
    void* bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bytes == MAP_FAILED) return -1;
    *ring = (struct ring){.bytes = bytes, .size = size};
    return 0;
}

void ring_close(struct ring* ring) {
    if (ring->bytes != NULL) munmap(ring->bytes, ring->size);
    *ring = (struct ring){0};
}

static inline __attribute__((always_inline)) uint64_t taken_by(uint64_t size) {
    return WORD + ((size + 7) & ~UINT64_C(7));
}

static inline __attribute__((always_inline)) uint64_t* word_at(const struct ring* ring,
                                                               uint64_t position) {
    return (uint64_t*)(void*)(ring->bytes + (position & (ring->size - 1)));
}

HANDLER_SAFE void* ring_reserve(struct ring* ring, size_t size) {
    uint64_t need = taken_by(size), head, skip;
    if (size == 0 || size > ring->size / 4) return NULL;
    head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
    do {
        // Acquire, partner: ring_release. What lies before the tail has been cleared.
        uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
        uint64_t left = ring->size - (head & (ring->size - 1));
        skip = need <= left ? 0 : left;
        if (skip + need > ring->size - (head - tail)) return NULL;
    } while (!__atomic_compare_exchange_n(&ring->head, &head, head + skip + need, true,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    // Partner of both: ring_peek.
    if (skip != 0)
        __atomic_store_n(word_at(ring, head), skip << KIND_BITS | SKIP, __ATOMIC_RELEASE);
    return word_at(ring, head + skip) + 1;
}

HANDLER_SAFE void ring_publish(void* piece, size_t size) {
    __atomic_store_n((uint64_t*)piece - 1, (uint64_t)size << KIND_BITS | PIECE, __ATOMIC_RELEASE);
}

// Cleared, so that a word there says "being filled" when it is reserved again.
static void advance(struct ring* ring, uint64_t bytes) {
    memset(word_at(ring, ring->tail), 0, bytes);
    __atomic_store_n(&ring->tail, ring->tail + bytes, __ATOMIC_RELEASE);
}

void* ring_peek(struct ring* ring, size_t* size) {
    for (;;) {
        if (__atomic_load_n(&ring->head, __ATOMIC_RELAXED) == ring->tail) return NULL;
        uint64_t word = __atomic_load_n(word_at(ring, ring->tail), __ATOMIC_ACQUIRE);
        if (word == 0) return NULL;
        *size = (size_t)(word >> KIND_BITS);
        if ((word & SKIP) == 0) return word_at(ring, ring->tail) + 1;
        advance(ring, *size);
    }
}

void ring_release(struct ring* ring, size_t size) {
    advance(ring, taken_by(size));
}
