// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The scopes of compiled code: which methods are inlined at a place, and at which bcis, as the
// compiler has recorded it in the code's own debug information. A walker reads the same records, so
// what it says of the youngest frame can be held against them.
//
// Sources, releases 8 to 27: PcDesc, ScopeDesc::decode_body and nmethod in HotSpot's share/code,
// UNSIGNED5 in share/utilities/unsigned5.hpp (since 20; before that in
// share/code/compressedStream).
#include "code.h"
#include "codetables.h"
#include "parts.h"
#include "agent/state/state.h"

#define SCOPES_NONE 0        // DebugInformationRecorder::serialized_null
#define UNSIGNED5_NO_ZERO 20 // from this release on no byte of a number is 0
#define UNSIGNED5_BYTES 5    // at most
#define UNSIGNED5_SHIFT 6    // bits of each further byte
#define UNSIGNED5_LOW 192u   // encoded bytes below it end a number

// Where the records of one nmethod lie.
struct records {
    uintptr_t scopes, scopes_end;     // bytes
    uintptr_t pcs, pcs_end;           // PcDescs, ascending
    uintptr_t metadata, metadata_end; // Method* and others
};

static HANDLER_SAFE uint64_t get(const char* base, enum layout_field f) {
    return layout_get(&code.layout, base, f);
}

static HANDLER_SAFE bool has(enum layout_field f) {
    return layout_has(&code.layout, f);
}

// From release 25 on records lie outside the code cache: what never changes in one block, what a
// collector may change in another, behind the relocations.
static HANDLER_SAFE bool find_apart(const char* method, struct records* r) {
    uintptr_t fixed = get(method, LAYOUT_METHOD_IMMUTABLE);
    uintptr_t changing = get(method, LAYOUT_BLOB_MUTABLE);
    if (!has(LAYOUT_METHOD_SCOPES) || !has(LAYOUT_BLOB_MUTABLE) || fixed == 0 || changing == 0)
        return false;
    r->pcs = fixed + get(method, LAYOUT_METHOD_PCS);
    r->pcs_end = r->scopes = fixed + get(method, LAYOUT_METHOD_SCOPES);
    r->scopes_end = fixed + get(method, LAYOUT_METHOD_IMMUTABLE_SIZE);
    r->metadata = changing + get(method, LAYOUT_BLOB_RELOCATIONS);
    r->metadata_end = changing + get(method, LAYOUT_BLOB_MUTABLE_SIZE);
    return true;
}

// Up to release 22 they lie behind the code, in this order: metadata, scopes, PcDescs,
// dependencies.
static HANDLER_SAFE bool find_behind(const char* method, struct records* r) {
    uintptr_t at = (uintptr_t)method;
    if (!has(LAYOUT_METHOD_DEPENDENCIES) || !has(LAYOUT_METHOD_METADATA)) return false;
    r->metadata = at + get(method, LAYOUT_METHOD_METADATA);
    r->metadata_end = r->scopes = has(LAYOUT_METHOD_SCOPES_BEGIN)
                                      ? get(method, LAYOUT_METHOD_SCOPES_BEGIN)
                                      : at + get(method, LAYOUT_METHOD_SCOPES);
    r->scopes_end = r->pcs = at + get(method, LAYOUT_METHOD_PCS);
    r->pcs_end = at + get(method, LAYOUT_METHOD_DEPENDENCIES);
    return r->pcs_end <= at + get(method, LAYOUT_BLOB_SIZE);
}

// False where they are not known, or where their order contradicts what is known.
static HANDLER_SAFE bool find_records(const char* method, struct records* r) {
    if (method == NULL || code.pc_size == 0 || !has(LAYOUT_METHOD_PCS)) return false;
    bool apart = has(LAYOUT_METHOD_IMMUTABLE);
    if (!(apart ? find_apart(method, r) : find_behind(method, r))) return false;
    return r->pcs < r->pcs_end && (r->pcs_end - r->pcs) % code.pc_size == 0 &&
           r->scopes < r->scopes_end && r->metadata <= r->metadata_end && (r->pcs & 3) == 0 &&
           (r->metadata & 7) == 0;
}

// ---- Numbers ------------------------------------------------------------------------------------

struct stream {
    uintptr_t at, end;
    uint32_t zero; // what a byte of value 0 is written as
    bool failed;
};

static HANDLER_SAFE uint32_t take_byte(struct stream* s) {
    if (s->at >= s->end) s->failed = true;
    return s->failed ? 0 : *(const volatile uint8_t*)s->at++;
}

static HANDLER_SAFE uint32_t take_number(struct stream* s) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < UNSIGNED5_BYTES; i++) {
        uint32_t byte = take_byte(s);
        sum += (byte - s->zero) << (i * UNSIGNED5_SHIFT);
        if (byte < UNSIGNED5_LOW) break;
    }
    return sum;
}

// ---- Scopes -------------------------------------------------------------------------------------

static HANDLER_SAFE const char* desc_at(const struct records* r, size_t index) {
    return (const char*)(r->pcs + index * code.pc_size);
}

// The first PcDesc whose offset is at least `offset`, NULL: there is none.
static HANDLER_SAFE const char* find_desc(const struct records* r, int64_t offset) {
    size_t low = 0, high = (r->pcs_end - r->pcs) / code.pc_size, count = high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((int32_t)get(desc_at(r, middle), LAYOUT_PC_OFFSET) < offset) low = middle + 1;
        else high = middle;
    }
    return low < count ? desc_at(r, low) : NULL;
}

// The jmethodID of the index-th metadata, counted from 1; 0: not known.
static HANDLER_SAFE uintptr_t method_at(const struct records* r, uint32_t index) {
    uintptr_t at = r->metadata + ((uintptr_t)index - 1) * sizeof at;
    if (index == 0 || at >= r->metadata_end) return 0;
    uintptr_t method = *(const volatile uintptr_t*)at;
    return method != 0 && (method & 7) == 0 ? codetables_owner(NULL, method) : 0;
}

// A scope's record: that of its caller, its method, its bci. UNREADABLE also where there are more
// than `most`.
static HANDLER_SAFE uint32_t take_scopes(const struct records* r, uint32_t offset,
                                         struct oracle_frame* scopes, uint32_t most) {
    uint32_t count = 0;
    while (offset != SCOPES_NONE) {
        struct stream s = {.at = r->scopes + offset,
                           .end = r->scopes_end,
                           .zero = agent.release >= UNSIGNED5_NO_ZERO};
        uint32_t caller = take_number(&s);
        uintptr_t method = method_at(r, take_number(&s));
        int32_t bci = (int32_t)take_number(&s) + INVOCATION_BCI;
        // A caller's record was written before.
        if (s.failed || method == 0 || caller >= offset || count == most)
            return CODE_SCOPES_UNREADABLE;
        scopes[count++] = (struct oracle_frame){.method = method, .bci = bci};
        offset = caller;
    }
    return count;
}

HANDLER_SAFE uint32_t code_scopes(const struct code_place* place, bool at_call,
                                  struct oracle_frame* scopes, uint32_t most) {
    struct records r;
    if (!results_is_compiled(place->kind) || !find_records(place->object, &r)) return 0;
    const char* desc = find_desc(&r, (int64_t)place->offset + !at_call);
    if (desc == NULL) return 0;
    if (at_call && (uint32_t)get(desc, LAYOUT_PC_OFFSET) != place->offset) return 0;
    uint32_t count = take_scopes(&r, (uint32_t)get(desc, LAYOUT_PC_SCOPE), scopes, most);
    return count == CODE_SCOPES_UNREADABLE ? 0 : count;
}

HANDLER_SAFE uint32_t code_scopes_at(const struct code_place* place, uint32_t index,
                                     struct oracle_frame* scopes, uint32_t most, bool* end) {
    struct records r;
    bool known = results_is_compiled(place->kind) && find_records(place->object, &r);
    *end = !known || index >= (r.pcs_end - r.pcs) / code.pc_size;
    if (*end) return 0;
    uint32_t offset = (uint32_t)get(desc_at(&r, index), LAYOUT_PC_SCOPE);
    if (index != 0 && (uint32_t)get(desc_at(&r, index - 1), LAYOUT_PC_SCOPE) == offset) return 0;
    return take_scopes(&r, offset, scopes, most);
}
