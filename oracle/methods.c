// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The two maps: number -> jmethodID and code, as arrays; jmethodID -> number and call sites, as a
// hash table. One thread writes. The readers are handlers on any thread, and a reader can be
// stopped at any instruction for any time. So no memory that a reader may hold is freed before
// close, and every word that a reader follows is stored with release and loaded with acquire.
#include <stdlib.h>

#include "oracle.h"

// Slots of the first table: half of them are enough for the methods of a small program's class
// path.
#define TABLE_SLOTS_FIRST (1u << 14)

struct slot {
    uintptr_t id; // 0: empty. Stored last, and never changed again
    uint32_t number;
    const struct oracle_sites* sites; // NULL: not described
};

struct table {
    struct table* older; // the table before this one; kept, because a reader may still be in it
    uint32_t slots;      // a power of two
    uint32_t used;       // at most half of the slots, so that every probe ends
    struct slot slot[];
};

struct oracle_methods {
    struct table* table;
    struct oracle_numbered* numbered; // ORACLE_NUMBERS_MAX of them, touched only where used
};

// Ids are aligned pointers or small consecutive integers: the hash must spread both over all slots.
static HANDLER_COMMON uint32_t hash(uintptr_t id) {
    uint64_t mixed = (uint64_t)id * UINT64_C(0x9E3779B97F4A7C15);
    mixed ^= mixed >> 32;
    mixed *= UINT64_C(0xD6E8FEB86659FD93);
    return (uint32_t)(mixed >> 32);
}

// The index of the slot of `id`, or of the empty slot where it would go.
static HANDLER_COMMON uint32_t find(const struct table* table, uintptr_t id) {
    uint32_t mask = table->slots - 1;
    uint32_t at = hash(id) & mask;
    for (;;) {
        uintptr_t there = __atomic_load_n(&table->slot[at].id, __ATOMIC_ACQUIRE);
        if (there == id || there == 0) return at;
        at = (at + 1) & mask;
    }
}

static struct table* table_open(uint32_t slots) {
    struct table* table = calloc(1, sizeof(*table) + slots * sizeof(table->slot[0]));
    if (table != NULL) table->slots = slots;
    return table;
}

struct oracle_methods* oracle_methods_open(void) {
    struct oracle_methods* methods = calloc(1, sizeof(*methods));
    if (methods == NULL) return NULL;
    methods->table = table_open(TABLE_SLOTS_FIRST);
    methods->numbered = calloc(ORACLE_NUMBERS_MAX, sizeof(*methods->numbered));
    if (methods->table != NULL && methods->numbered != NULL) return methods;
    oracle_methods_close(methods);
    return NULL;
}

void oracle_methods_close(struct oracle_methods* methods) {
    if (methods == NULL) return;
    for (struct table* table = methods->table; table != NULL;) {
        struct table* older = table->older;
        free(table);
        table = older;
    }
    free(methods->numbered);
    free(methods);
}

static void put(struct table* table, uint32_t at, uintptr_t id, uint32_t number,
                const struct oracle_sites* sites) {
    __atomic_store_n(&table->slot[at].number, number, __ATOMIC_RELAXED);
    __atomic_store_n(&table->slot[at].sites, sites, __ATOMIC_RELAXED);
    // Pairs with the acquire in find: a reader that sees the id sees its number.
    __atomic_store_n(&table->slot[at].id, id, __ATOMIC_RELEASE);
    table->used++;
}

// Replaces the table by one of twice the size. 0, or -1 without memory; nothing is changed then.
static int grow(struct oracle_methods* methods) {
    struct table* old = methods->table;
    struct table* new = old->slots <= UINT32_MAX / 4 ? table_open(old->slots * 2) : NULL;
    if (new == NULL) return -1;
    for (uint32_t at = 0; at < old->slots; at++) {
        const struct slot* slot = &old->slot[at];
        if (slot->id != 0) put(new, find(new, slot->id), slot->id, slot->number, slot->sites);
    }
    new->older = old;
    __atomic_store_n(&methods->table, new, __ATOMIC_RELEASE);
    return 0;
}

static bool is_number(uint32_t number) {
    return number != ORACLE_FOREIGN && number < ORACLE_NUMBERS_MAX;
}

int oracle_methods_bind(struct oracle_methods* methods, uintptr_t id, uint32_t number) {
    if (id == 0) return -1;
    if (!is_number(number) && number != ORACLE_FOREIGN && number != ORACLE_OWN) return -1;
    uint32_t at = find(methods->table, id);
    struct slot* slot = &methods->table->slot[at];
    if (slot->id == 0) {
        if (methods->table->used + 1 > methods->table->slots / 2) {
            if (grow(methods) != 0) return -1;
            at = find(methods->table, id);
        }
        put(methods->table, at, id, number, NULL);
    } else if (number == ORACLE_FOREIGN || slot->number == ORACLE_OWN) {
        return 0; // the earlier announcement says more
    } else {
        __atomic_store_n(&slot->number, number, __ATOMIC_RELEASE);
    }
    if (is_number(number)) __atomic_store_n(&methods->numbered[number].id, id, __ATOMIC_RELEASE);
    return 0;
}

int oracle_methods_describe(struct oracle_methods* methods, uint32_t number,
                            const struct oracle_code* code) {
    if (!is_number(number)) return -1;
    // Pairs with the acquire in oracle_methods_code: a reader that sees the pointer sees the code.
    struct oracle_numbered* to = &methods->numbered[number];
    __atomic_store_n(&to->length, code != NULL ? code->length : 0, __ATOMIC_RELAXED);
    __atomic_store_n(&to->code, code, __ATOMIC_RELEASE);
    return 0;
}

HANDLER_COMMON void oracle_methods_fetch(const struct oracle_methods* methods,
                                         const struct oracle_frame* frames, uint32_t count) {
    const struct table* table = __atomic_load_n(&methods->table, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++)
        __builtin_prefetch(&table->slot[hash(frames[i].method) & (table->slots - 1)]);
}

uint32_t oracle_methods_number(const struct oracle_methods* methods, uintptr_t id) {
    if (id == 0) return ORACLE_UNKNOWN;
    const struct table* table = __atomic_load_n(&methods->table, __ATOMIC_ACQUIRE);
    const struct slot* slot = &table->slot[find(table, id)];
    // The id is loaded again, because find also returns an empty slot, which may have been filled
    // since.
    if (__atomic_load_n(&slot->id, __ATOMIC_ACQUIRE) != id) return ORACLE_UNKNOWN;
    return __atomic_load_n(&slot->number, __ATOMIC_ACQUIRE);
}

uintptr_t oracle_methods_id(const struct oracle_methods* methods, uint32_t number) {
    if (number >= ORACLE_NUMBERS_MAX) return 0;
    return __atomic_load_n(&methods->numbered[number].id, __ATOMIC_ACQUIRE);
}

const struct oracle_code* oracle_methods_code(const struct oracle_methods* methods,
                                              uint32_t number) {
    if (number >= ORACLE_NUMBERS_MAX) return NULL;
    return __atomic_load_n(&methods->numbered[number].code, __ATOMIC_ACQUIRE);
}

const struct oracle_numbered* oracle_methods_numbered(const struct oracle_methods* methods,
                                                      uint32_t number) {
    return number < ORACLE_NUMBERS_MAX ? &methods->numbered[number] : NULL;
}

int oracle_methods_describe_sites(struct oracle_methods* methods, uintptr_t id,
                                  const struct oracle_sites* sites) {
    if (id == 0) return -1;
    struct slot* slot = &methods->table->slot[find(methods->table, id)];
    if (slot->id == 0) return -1;
    if (slot->sites != NULL && (slot->sites->flags & ORACLE_METHOD_OPAQUE) != 0) return 0;
    // Pairs with the acquire in oracle_methods_sites.
    __atomic_store_n(&slot->sites, sites, __ATOMIC_RELEASE);
    return 0;
}

const struct oracle_sites* oracle_methods_sites(const struct oracle_methods* methods,
                                                uintptr_t id) {
    if (id == 0) return NULL;
    const struct table* table = __atomic_load_n(&methods->table, __ATOMIC_ACQUIRE);
    const struct slot* slot = &table->slot[find(table, id)];
    if (__atomic_load_n(&slot->id, __ATOMIC_ACQUIRE) != id) return NULL;
    return __atomic_load_n(&slot->sites, __ATOMIC_ACQUIRE);
}
