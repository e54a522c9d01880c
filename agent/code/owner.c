// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The jmethodID of a Method*. To find it takes a chain of five loads and two questions to the
// kernel, a third of the walker's own time. To prove one that was found before takes two loads.
#include "code.h"
#include "codetables.h"
#include "parts.h"
#include "agent/state/state.h"

// ---- Found before -------------------------------------------------------------------------------

// Up to release 25 a jmethodID is the address of a word that holds the Method*. The JVM never frees
// such a word; it empties the word before the method goes (Method::clear_jmethod_ids, and
// JNIMethodBlock, in HotSpot's share/oops/method.cpp). So an id whose word holds this Method* is
// its id, and the method is alive. From release 26 on ids are numbers, and nothing is kept.
//
// Writers do not exclude each other: a place whose three words are of different methods proves
// nothing but what the words prove.
#define IDS_ARE_NUMBERS 26 // from this release on
#define OWNERS 4096u       // a power of two
static struct {
    uintptr_t method, constant, id; // atomic, each
} owners[OWNERS];

static HANDLER_SAFE uint32_t place_of(uintptr_t method) {
    return (uint32_t)(method * UINT64_C(0x9E3779B97F4A7C15) >> 52) & (OWNERS - 1);
}

static HANDLER_SAFE bool is_id_of(uintptr_t id, uintptr_t method) {
    return __atomic_load_n((const uintptr_t*)id, __ATOMIC_RELAXED) == method;
}

// The ConstMethod must be the same as well: before release 22 the word was not emptied where a
// redefined class gave back a single method (JDK-8313816).
HANDLER_SAFE uintptr_t codetables_known_owner(uintptr_t method) {
    uint32_t at = place_of(method);
    if (method == 0 || __atomic_load_n(&owners[at].method, __ATOMIC_RELAXED) != method) return 0;
    uintptr_t id = __atomic_load_n(&owners[at].id, __ATOMIC_ACQUIRE);
    uintptr_t constant = __atomic_load_n(&owners[at].constant, __ATOMIC_RELAXED);
    if (id == 0 || !is_id_of(id, method)) return 0;
    return codetables_get(NULL, method, LAYOUT_CONST_METHOD) == constant ? id : 0;
}

// Only ids whose word was found to be readable are kept.
static HANDLER_SAFE void keep(uintptr_t method, uintptr_t constant, uintptr_t id) {
    uint32_t at = place_of(method);
    if (agent.release >= IDS_ARE_NUMBERS || (id & 7) != 0) return;
    if (!memory_readable((const void*)id, sizeof id) || !is_id_of(id, method)) return;
    __atomic_store_n(&owners[at].id, id, __ATOMIC_RELEASE);
    __atomic_store_n(&owners[at].constant, constant, __ATOMIC_RELAXED);
    __atomic_store_n(&owners[at].method, method, __ATOMIC_RELAXED);
}

uintptr_t codetables_method_of(uintptr_t id) {
    bool pointer = agent.release < IDS_ARE_NUMBERS && id != 0 && (id & 7) == 0 &&
                   memory_readable((const void*)id, sizeof id);
    return pointer ? *(const uintptr_t*)id : 0;
}

// ---- Finding ------------------------------------------------------------------------------------

// Method -> ConstMethod -> ConstantPool -> InstanceKlass -> its array of ids, whose first word is
// its length and which is indexed by the method's number in its class. The array is replaced while
// the class is alive, so it is never read unasked.
HANDLER_SAFE uintptr_t codetables_owner(struct memory_pages* pages, uintptr_t method) {
    struct memory_pages of_array = {.next = 0};
    uintptr_t known = codetables_known_owner(method);
    if (known != 0) return known;
    uint64_t constant = codetables_get(pages, method, LAYOUT_CONST_METHOD);
    if (constant == 0) return 0;
    uint64_t number = codetables_get(pages, constant, LAYOUT_ID_NUMBER);
    uint64_t pool = codetables_get(pages, constant, LAYOUT_CONSTANTS);
    const uint64_t* ids = (const uint64_t*)(uintptr_t)codetables_get(
        pages, codetables_get(pages, pool, LAYOUT_POOL_HOLDER), LAYOUT_HOLDER_IDS);
    if (pages == NULL) pages = &of_array;
    if (ids == NULL || ((uintptr_t)ids & 7) != 0 || !memory_known(pages, ids, sizeof *ids))
        return 0;
    if (number >= ids[0] || !memory_known(pages, &ids[number + 1], sizeof *ids)) return 0;
    uintptr_t id = (uintptr_t)ids[number + 1];
    if (oracle_methods_number(agent.methods, id) == ORACLE_UNKNOWN) return 0;
    keep(method, (uintptr_t)constant, id);
    return id;
}

HANDLER_SAFE uintptr_t code_owner(const struct code_place* place) {
    struct memory_pages pages = {.next = 0};
    return codetables_owner(&pages, (uintptr_t)place->method);
}
