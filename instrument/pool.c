// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "pool.h"

#include <stdlib.h>
#include <string.h>

enum {
    POOL_COUNT_MAX = 65535, // constant_pool_count is a u2, and entry 0 is no entry
    SIPUSH_MAX = 32767,
    TAG_UTF8 = 1,
    TAG_INTEGER = 3,
    TAG_FLOAT = 4,
    TAG_LONG = 5,
    TAG_DOUBLE = 6,
    TAG_CLASS = 7,
    TAG_STRING = 8,
    TAG_FIELD = 9,
    TAG_METHOD = 10,
    TAG_INTERFACE_METHOD = 11,
    TAG_NAME_AND_TYPE = 12,
    TAG_DYNAMIC = 17,
    TAG_INVOKE_DYNAMIC = 18
};

// The number of bytes after the tag, by tag; 0: no such tag. A Utf8 entry has its text in addition.
static const uint8_t tag_lengths[] = {0, 2, 0, 4, 4, 8, 8, 2, 2, 4, 4,
                                      4, 4, 0, 0, 3, 2, 4, 4, 2, 2};

bool pool_open(struct pool* pool) {
    *pool = (struct pool){0};
    pool->offsets = malloc((POOL_COUNT_MAX + 1) * sizeof *pool->offsets);
    pool->names = malloc(POOL_COUNT_MAX + 1);
    return pool->offsets && pool->names;
}

void pool_close(struct pool* pool) {
    free(pool->offsets);
    free(pool->names);
    buffer_free(&pool->added);
}

bool pool_parse(struct pool* pool, const uint8_t* bytes, struct reader* reader) {
    pool->bytes = bytes;
    pool->count = read_u2(reader);
    pool->added.used = 0;
    pool->added_count = 0;
    if (reader->failed || pool->count == 0) return false;
    memset(pool->names, POOL_NAME_UNREAD, pool->count);
    pool->offsets[0] = 0;
    const uint8_t* at = reader->at;
    const uint8_t* end = reader->end;
    for (uint32_t i = 1; i < pool->count; i++) {
        if (end - at < 3) return false;
        uint8_t tag = *at;
        size_t length = tag < sizeof tag_lengths ? tag_lengths[tag] : 0;
        if (length == 0) return false;
        if (tag == TAG_UTF8) length += load_u2(at + 1);
        if ((size_t)(end - at) < 1 + length) return false;
        pool->offsets[i] = (uint32_t)(at - bytes);
        at += 1 + length;
        if (tag == TAG_LONG || tag == TAG_DOUBLE) {
            if (++i >= pool->count) return false;
            pool->offsets[i] = 0;
        }
    }
    reader->at = at;
    return true;
}

// The entry of that index and tag, or NULL.
static const uint8_t* entry(const struct pool* pool, uint32_t index, uint8_t tag) {
    if (index >= pool->count || pool->offsets[index] == 0) return NULL;
    const uint8_t* at = pool->bytes + pool->offsets[index];
    return *at == tag ? at : NULL;
}

struct instrument_text pool_utf8(const struct pool* pool, uint32_t index) {
    const uint8_t* at = entry(pool, index, TAG_UTF8);
    if (!at) return (struct instrument_text){0};
    return (struct instrument_text){.text = (const char*)(at + 3), .length = load_u2(at + 1)};
}

struct instrument_text pool_class(const struct pool* pool, uint32_t index) {
    const uint8_t* at = entry(pool, index, TAG_CLASS);
    return at ? pool_utf8(pool, load_u2(at + 1)) : (struct instrument_text){0};
}

bool text_equals(struct instrument_text text, const char* other) {
    return text.text && text.length == strlen(other) && memcmp(text.text, other, text.length) == 0;
}

enum pool_name pool_name_of(struct pool* pool, uint32_t index) {
    if (index >= pool->count) return POOL_NAME_OTHER;
    if (pool->names[index] != POOL_NAME_UNREAD) return pool->names[index];
    struct instrument_text text = pool_utf8(pool, index);
    enum pool_name name = POOL_NAME_OTHER;
#define POOL_NAME_MATCH(id, spelled)                                                               \
    if (text_equals(text, spelled)) name = POOL_NAME_##id;
    POOL_NAMES(POOL_NAME_MATCH)
#undef POOL_NAME_MATCH
    pool->names[index] = (uint8_t)name;
    return name;
}

bool pool_member(const struct pool* pool, uint32_t index, struct instrument_text* name,
                 struct instrument_text* descriptor) {
    if (index >= pool->count || pool->offsets[index] == 0) return false;
    const uint8_t* at = pool->bytes + pool->offsets[index];
    bool member = *at == TAG_FIELD || *at == TAG_METHOD || *at == TAG_INTERFACE_METHOD ||
                  *at == TAG_DYNAMIC || *at == TAG_INVOKE_DYNAMIC;
    const uint8_t* type = member ? entry(pool, load_u2(at + 3), TAG_NAME_AND_TYPE) : NULL;
    if (!type) return false;
    *name = pool_utf8(pool, load_u2(type + 1));
    *descriptor = pool_utf8(pool, load_u2(type + 3));
    return name->text && descriptor->text;
}

struct instrument_text pool_member_class(const struct pool* pool, uint32_t index) {
    if (index >= pool->count || pool->offsets[index] == 0) return (struct instrument_text){0};
    const uint8_t* at = pool->bytes + pool->offsets[index];
    bool member = *at == TAG_FIELD || *at == TAG_METHOD || *at == TAG_INTERFACE_METHOD;
    return member ? pool_class(pool, load_u2(at + 1)) : (struct instrument_text){0};
}

bool pool_is_resolved(const struct pool* pool, uint32_t index) {
    if (index >= pool->count || pool->offsets[index] == 0) return true;
    uint8_t tag = pool->bytes[pool->offsets[index]];
    return tag != TAG_INTEGER && tag != TAG_FLOAT && tag != TAG_LONG && tag != TAG_DOUBLE &&
           tag != TAG_STRING;
}

// ---- The added entries ---------------------------------------------------------------------

// Appends an entry, for which there is room, and returns its index.
static uint16_t add(struct pool* pool, const uint8_t* bytes, size_t length) {
    memcpy(pool->added.data + pool->added.used, bytes, length);
    pool->added.used += length;
    return (uint16_t)(pool->count + pool->added_count++);
}

static uint16_t add_utf8(struct pool* pool, const char* text) {
    uint8_t bytes[64] = {TAG_UTF8};
    size_t length = strlen(text);
    memcpy(store_u2(bytes + 1, (uint32_t)length), text, length);
    return add(pool, bytes, 3 + length);
}

static uint16_t add_class(struct pool* pool, const char* name) {
    uint8_t bytes[3] = {TAG_CLASS};
    store_u2(bytes + 1, add_utf8(pool, name));
    return add(pool, bytes, sizeof bytes);
}

static uint16_t add_pair(struct pool* pool, uint8_t tag, uint16_t first, uint16_t second) {
    uint8_t bytes[5] = {tag};
    store_u2(store_u2(bytes + 1, first), second);
    return add(pool, bytes, sizeof bytes);
}

static uint16_t add_method(struct pool* pool, uint16_t class, const char* name, uint16_t type) {
    uint16_t pair = add_pair(pool, TAG_NAME_AND_TYPE, add_utf8(pool, name), type);
    return add_pair(pool, TAG_METHOD, class, pair);
}

// Bounds of the added entries except the Integers: their number, and their bytes.
enum { SYMBOLS_MAX = 16, SYMBOLS_BYTES_MAX = 512 };

enum instrument_refusal pool_add_symbols(struct pool* pool, uint16_t major, uint32_t first,
                                         uint32_t count, struct pool_symbols* symbols) {
    uint32_t small = first > SIPUSH_MAX ? 0 : SIPUSH_MAX - first + 1;
    uint32_t integers = count > small ? count - small : 0;
    if (pool->count + SYMBOLS_MAX + integers > POOL_COUNT_MAX) return INSTRUMENT_POOL_FULL;
    if (!buffer_reserve(&pool->added, SYMBOLS_BYTES_MAX + 5 * (size_t)integers))
        return INSTRUMENT_MEMORY;
    *symbols = (struct pool_symbols){0};
    uint16_t class = add_class(pool, INSTRUMENT_RUNTIME_CLASS);
    uint16_t type = add_utf8(pool, "(I)V");
    symbols->push = add_method(pool, class, INSTRUMENT_PUSH, type);
    symbols->pop = add_method(pool, class, INSTRUMENT_POP, type);
    symbols->caught = add_method(pool, class, INSTRUMENT_CAUGHT, type);
    if (major >= 50) {
        symbols->throwable = add_class(pool, "java/lang/Throwable");
        symbols->frames = add_utf8(pool, "StackMapTable");
    }
    symbols->next_integer = (uint16_t)(pool->count + pool->added_count);
    for (uint32_t i = count - integers; i < count; i++) {
        uint8_t bytes[5] = {TAG_INTEGER};
        store_u4(bytes + 1, first + i);
        add(pool, bytes, sizeof bytes);
    }
    return INSTRUMENT_NONE;
}
