// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Other texts in a constant pool: the rest of the class file refers to them by index, and stays.
#include <string.h>

#include "instrument.h"
#include "pool.h"

#define POOL_AT 8 // behind magic and versions (JVMS 4.1)

struct copy {
    const uint8_t* from; // what is not copied yet
    uint8_t* to;
    size_t left; // room behind `to`
};

static bool put(struct copy* copy, const void* bytes, size_t length) {
    if (length > copy->left) return false;
    memcpy(copy->to, bytes, length);
    copy->to += length;
    copy->left -= length;
    return true;
}

static bool copy_until(struct copy* copy, const uint8_t* end) {
    if (!put(copy, copy->from, (size_t)(end - copy->from))) return false;
    copy->from = end;
    return true;
}

static bool copy_text(struct copy* copy, struct instrument_text old, const char* new) {
    uint8_t length[2];
    store_u2(length, (uint32_t)strlen(new));
    if (!copy_until(copy, (const uint8_t*)old.text - sizeof length)) return false;
    copy->from = (const uint8_t*)old.text + old.length;
    return put(copy, length, sizeof length) && put(copy, new, strlen(new));
}

static bool copy_renamed(struct copy* copy, struct instrument_text text,
                         const struct instrument_renaming* renamings, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (text_equals(text, renamings[i].from)) return copy_text(copy, text, renamings[i].to);
    return true;
}

size_t instrument_rename(const uint8_t* bytes, size_t length,
                         const struct instrument_renaming* renamings, size_t count, uint8_t* to,
                         size_t size) {
    struct pool pool;
    struct reader reader = reader_over(bytes, length);
    struct copy copy = {bytes, to, size};
    read_bytes(&reader, POOL_AT);
    bool good = pool_open(&pool) && pool_parse(&pool, bytes, &reader);
    for (uint32_t i = 1; good && i < pool.count; i++)
        good = copy_renamed(&copy, pool_utf8(&pool, i), renamings, count);
    good = good && copy_until(&copy, bytes + length);
    pool_close(&pool);
    return good ? (size_t)(copy.to - to) : 0;
}
