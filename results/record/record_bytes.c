// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "record_sample.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 4096

void record_out_free(struct record_out* out) {
    free(out->bytes);
    *out = (struct record_out){0};
}

static bool make_room(struct record_out* out, size_t more) {
    if (out->failed) return false;
    if (more <= out->room - out->size) return true;
    size_t room = out->room != 0 ? out->room : ROOM_FIRST;
    while (room - out->size < more) room *= 2;
    uint8_t* bytes = realloc(out->bytes, room);
    if (bytes == NULL) {
        out->failed = true;
        return false;
    }
    out->bytes = bytes;
    out->room = room;
    return true;
}

void record_put_bytes(struct record_out* out, const void* bytes, size_t size) {
    if (size == 0 || !make_room(out, size)) return;
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
}

void record_put_fixed(struct record_out* out, uint64_t value, unsigned size) {
    uint8_t bytes[8];
    for (unsigned i = 0; i < size; i++) bytes[i] = (uint8_t)(value >> 8 * i);
    record_put_bytes(out, bytes, size);
}

void record_put_number(struct record_out* out, uint64_t value) {
    if (!make_room(out, 10)) return;
    for (; value >= 0x80; value >>= 7) out->bytes[out->size++] = (uint8_t)(value | 0x80);
    out->bytes[out->size++] = (uint8_t)value;
}

void record_put_signed(struct record_out* out, int64_t value) {
    record_put_number(out, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

void record_put_text(struct record_out* out, const char* text) {
    size_t length = text != NULL ? strlen(text) : 0;
    record_put_number(out, length);
    record_put_bytes(out, text, length);
}

const uint8_t* record_get_bytes(struct record_in* in, size_t size) {
    if (in->failed || size > (size_t)(in->end - in->at)) {
        in->failed = true;
        return NULL;
    }
    in->at += size;
    return in->at - size;
}

uint64_t record_get_fixed(struct record_in* in, unsigned size) {
    const uint8_t* bytes = record_get_bytes(in, size);
    uint64_t value = 0;
    for (unsigned i = 0; bytes != NULL && i < size; i++) value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

uint64_t record_get_number(struct record_in* in) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (in->failed || in->at == in->end) break;
        uint8_t byte = *in->at++;
        if (shift == 63 && byte > 1) break; // more than 64 bits
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
    }
    in->failed = true;
    return 0;
}

uint32_t record_get_u32(struct record_in* in) {
    uint64_t value = record_get_number(in);
    if (value > UINT32_MAX) in->failed = true;
    return in->failed ? 0 : (uint32_t)value;
}

int64_t record_get_signed(struct record_in* in) {
    uint64_t value = record_get_number(in);
    return (int64_t)(value >> 1 ^ ((value & 1) != 0 ? UINT64_MAX : 0));
}

int32_t record_get_i32(struct record_in* in) {
    int64_t value = record_get_signed(in);
    if (value < INT32_MIN || value > INT32_MAX) in->failed = true;
    return in->failed ? 0 : (int32_t)value;
}

uint32_t record_get_count(struct record_in* in, size_t least) {
    uint64_t count = record_get_number(in);
    if (count > (uint64_t)(in->end - in->at) / least) in->failed = true;
    return in->failed ? 0 : (uint32_t)count;
}

const char* record_get_text(struct record_in* in, size_t* length) {
    *length = record_get_count(in, 1);
    return (const char*)record_get_bytes(in, *length);
}
