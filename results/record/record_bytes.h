// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The room's inside: numbers and texts of the record format, written and read. Failures stick, so
// that a whole record is written or read before one asks.
#ifndef RESULTS_RECORD_BYTES_H
#define RESULTS_RECORD_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes that grow. All zero: empty.
struct record_out {
    uint8_t* bytes;
    size_t size, room;
    bool failed; // no memory
};
void record_out_free(struct record_out* out);
void record_put_bytes(struct record_out* out, const void* bytes, size_t size);
void record_put_fixed(struct record_out* out, uint64_t value, unsigned size);
void record_put_number(struct record_out* out, uint64_t value);
void record_put_signed(struct record_out* out, int64_t value);
void record_put_text(struct record_out* out, const char* text); // NULL: empty

// Bytes to be read, somebody else's. What cannot be read is 0, and `failed` set.
struct record_in {
    const uint8_t *at, *end;
    bool failed;
};
uint64_t record_get_fixed(struct record_in* in, unsigned size);
uint64_t record_get_number(struct record_in* in);
uint32_t record_get_u32(struct record_in* in); // fails where it does not fit
int64_t record_get_signed(struct record_in* in);
int32_t record_get_i32(struct record_in* in);
// The next `size` bytes, NULL where there are not so many.
const uint8_t* record_get_bytes(struct record_in* in, size_t size);
// A number of things of which each takes at least `least` bytes: fails where there is no room.
uint32_t record_get_count(struct record_in* in, size_t least);
// A text's bytes and their number.
const char* record_get_text(struct record_in* in, size_t* length);

#endif
