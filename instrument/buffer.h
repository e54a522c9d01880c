// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Memory that grows and is kept from class to class. It holds bytes without a terminator. One
// thread at a time may use a buffer. Private to the room.
#ifndef INSTRUMENT_BUFFER_H
#define INSTRUMENT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All zero is an empty buffer. `data` moves when the buffer grows, so keep offsets, not pointers.
struct buffer {
    uint8_t* data;
    size_t used;
    size_t capacity;
};

// Makes room for `more` bytes after `used`, and changes nothing else. False without memory; the
// buffer stays as it was. Under AddressSanitizer a write right behind these bytes is an error.
bool buffer_reserve(struct buffer* buffer, size_t more);
// Appends bytes[0, length). False without memory; the buffer stays as it was.
bool buffer_append(struct buffer* buffer, const void* bytes, size_t length);
// Frees the memory and empties the buffer, which may be used again.
void buffer_free(struct buffer* buffer);

#endif
