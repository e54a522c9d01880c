// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "buffer.h"

#include <stdlib.h>
#include <string.h>

// Under AddressSanitizer the bytes right behind a reservation must not be written, although the
// buffer has room there. So the fuzzers find a bound that is too small.
#if defined(__has_feature)
#define BUFFER_CHECKED __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define BUFFER_CHECKED 1
#else
#define BUFFER_CHECKED 0
#endif
#if BUFFER_CHECKED
#include <sanitizer/asan_interface.h>

enum { FORBIDDEN = 64 }; // bytes; an overflow of tables begins right behind its bound

static void open_reserved(const struct buffer* buffer, size_t more) {
    if (buffer->data == NULL) return; // nothing was asked for, and there is nothing
    uint8_t* end = buffer->data + buffer->used + more;
    size_t behind = buffer->capacity - buffer->used - more;
    __asan_unpoison_memory_region(buffer->data + buffer->used, more);
    __asan_poison_memory_region(end, behind < FORBIDDEN ? behind : FORBIDDEN);
}
#else
static void open_reserved(const struct buffer* buffer, size_t more) {
    (void)buffer;
    (void)more;
}
#endif

static bool grow(struct buffer* buffer, size_t more) {
    if (more > SIZE_MAX / 4 || buffer->used > SIZE_MAX / 4) return false;
    size_t capacity = 2 * (buffer->used + more) + 4096;
    uint8_t* data = realloc(buffer->data, capacity);
    if (!data) return false;
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

bool buffer_reserve(struct buffer* buffer, size_t more) {
    if (buffer->capacity - buffer->used < more && !grow(buffer, more)) return false;
    open_reserved(buffer, more);
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
