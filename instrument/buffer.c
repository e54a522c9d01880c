// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "buffer.h"

#include <stdlib.h>
#include <string.h>

bool buffer_reserve(struct buffer* buffer, size_t more) {
    if (buffer->capacity - buffer->used >= more) return true;
    if (more > SIZE_MAX / 4 || buffer->used > SIZE_MAX / 4) return false;
    size_t capacity = 2 * (buffer->used + more) + 4096;
    uint8_t* data = realloc(buffer->data, capacity);
    if (!data) return false;
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

bool buffer_append(struct buffer* buffer, const void* bytes, size_t length) {
    if (length == 0) return true;
    if (!buffer_reserve(buffer, length)) return false;
    memcpy(buffer->data + buffer->used, bytes, length);
    buffer->used += length;
    return true;
}

void buffer_free(struct buffer* buffer) {
    free(buffer->data);
    *buffer = (struct buffer){0};
}
