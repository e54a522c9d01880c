// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A bounded big-endian reader. It never reads outside [at, end). A read that does not fit gives 0
// (or NULL) and sets `failed`, which stays set. So a parser may read a whole structure and test
// `failed` once. Private to the room.
#ifndef INSTRUMENT_READER_H
#define INSTRUMENT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reader {
    const uint8_t* at;
    const uint8_t* end;
    bool failed;
};

// Unchecked loads and stores, for places that are known to lie in bounds. A store returns the
// address after it.
static inline uint16_t load_u2(const uint8_t* at) {
    return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t load_u4(const uint8_t* at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static inline uint8_t* store_u2(uint8_t* at, uint32_t value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
    return at + 2;
}

static inline uint8_t* store_u4(uint8_t* at, uint32_t value) {
    store_u2(at, value >> 16);
    store_u2(at + 2, value & 0xffff);
    return at + 4;
}

static inline struct reader reader_over(const uint8_t* bytes, size_t length) {
    return (struct reader){.at = bytes, .end = bytes + length, .failed = false};
}

static inline size_t reader_left(const struct reader* reader) {
    return (size_t)(reader->end - reader->at);
}

// Passes over the next `length` bytes and returns their address; NULL if there are fewer.
static inline const uint8_t* read_bytes(struct reader* reader, size_t length) {
    if (reader->failed || reader_left(reader) < length) {
        reader->failed = true;
        return NULL;
    }
    const uint8_t* bytes = reader->at;
    reader->at += length;
    return bytes;
}

static inline uint8_t read_u1(struct reader* reader) {
    const uint8_t* bytes = read_bytes(reader, 1);
    return bytes ? *bytes : 0;
}

static inline uint16_t read_u2(struct reader* reader) {
    const uint8_t* bytes = read_bytes(reader, 2);
    return bytes ? load_u2(bytes) : 0;
}

static inline uint32_t read_u4(struct reader* reader) {
    const uint8_t* bytes = read_bytes(reader, 4);
    return bytes ? load_u4(bytes) : 0;
}

// Passes over the next `length` bytes and returns a reader over them; a failed one if there are
// fewer.
static inline struct reader read_part(struct reader* reader, size_t length) {
    const uint8_t* bytes = read_bytes(reader, length);
    if (bytes) return reader_over(bytes, length);
    return (struct reader){.at = reader->at, .end = reader->at, .failed = true};
}

#endif
