// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Random program counters of a kind, for questions that nobody should ask.
#include "code.h"

#include "codetables.h"
#include "parts.h"
#include "agent/state/state.h"

#define TRIES 64

static HANDLER_SAFE uintptr_t between(uintptr_t low, uintptr_t high, uint64_t* random) {
    uint64_t size = high - low;
    uint64_t wide = (uint64_t)random_below(random, UINT32_MAX) << 32;
    return size == 0 ? 0 : low + (wide | random_below(random, UINT32_MAX)) % size;
}

// A place in the part of a random heap that code was seen in; `hole`: in the rest of it.
static HANDLER_SAFE uintptr_t in_cache(bool hole, uint64_t* random) {
    if (code.heap_count == 0) return 0;
    uint32_t i = random_below(random, code.heap_count);
    uintptr_t high = __atomic_load_n(&code.seen[i].high, __ATOMIC_ACQUIRE);
    if (high == 0) return 0;
    uint64_t mapped = __atomic_load_n(&code.seen[i].map_length, __ATOMIC_RELAXED)
                      << code.seen[i].segment_shift;
    uintptr_t used = code.seen[i].low + mapped < high ? code.seen[i].low + mapped : high;
    return hole ? between(used, code.reserved[i].end, random)
                : between(code.seen[i].low, used, random);
}

static HANDLER_SAFE bool is_wanted(enum code_pick what, const struct code_place* place) {
    switch (what) {
    case CODE_PICK_ENTRY:
    case CODE_PICK_METHOD:
        return results_is_compiled(place->kind) || place->kind == RESULTS_CODE_NATIVE_WRAPPER;
    case CODE_PICK_STUB:
        return place->kind == RESULTS_CODE_STUB || place->kind == RESULTS_CODE_ADAPTER ||
               place->kind == RESULTS_CODE_VTABLE || place->kind == RESULTS_CODE_INTERPRETER;
    case CODE_PICK_FREED: return place->begin == 0 && place->kind == RESULTS_CODE_UNKNOWN;
    case CODE_PICK_HOLE:
    case CODE_PICK_JVM: break;
    }
    return true;
}

HANDLER_SAFE uintptr_t code_pick(enum code_pick what, uint64_t* random) {
    struct code_place place;
    if (what == CODE_PICK_JVM) return between(code.jvm_text.begin, code.jvm_text.end, random);
    for (int i = 0; i < TRIES; i++) {
        uintptr_t pc = in_cache(what == CODE_PICK_HOLE, random);
        if (pc == 0) continue;
        if (what == CODE_PICK_HOLE) return pc;
        code_find(pc, &place);
        if (!is_wanted(what, &place)) continue;
        return what == CODE_PICK_ENTRY ? place.begin + random_below(random, 16) : pc;
    }
    return 0;
}
