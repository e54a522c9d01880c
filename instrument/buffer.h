// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Memory that grows and is kept from class to class. Not a string, and not thread-safe.
#ifndef INSTRUMENT_BUFFER_H
#define INSTRUMENT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All zero is an empty buffer. `data` moves when the buffer grows: keep offsets, not pointers.
struct buffer {
    uint8_t* data;
    size_t used;
    size_t capacity;
};

// Makes room for `more` bytes after `used`. False without memory: the buffer is as it was.
bool buffer_reserve(struct buffer* buffer, size_t more);
// Appends. False without memory.
bool buffer_append(struct buffer* buffer, const void* bytes, size_t length);
void buffer_free(struct buffer* buffer);

#endif
