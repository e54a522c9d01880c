// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What return addresses lie on a part of the machine stack, by which HotSpot's walkers stop.
#include "code.h"

#include "codetables.h"
#include "parts.h"
#include "processor.h"

#define UNDER_WORDS 8192u
#define NAME_BYTES 64

static HANDLER_SAFE bool begins_with(const char* text, const char* beginning) {
    for (; *beginning != '\0'; text++, beginning++)
        if (*text != *beginning) return false;
    return true;
}

static HANDLER_SAFE bool contains(const char* text, const char* part) {
    for (; *text != '\0'; text++)
        if (begins_with(text, part)) return true;
    return false;
}

// HotSpot names the return barrier "Cont thaw return barrier" (21) or "cont_returnBarrier" (from 25
// on). Blobs that are no runtime stubs of a compiler have names that end in "Blob".
static HANDLER_SAFE enum results_under stub_under(uintptr_t pc, const struct code_place* place) {
    char name[NAME_BYTES] = "", own[NAME_BYTES] = "";
    if (code.call_return != 0 && pc == code.call_return) return RESULTS_UNDER_ENTRY;
    if (place->name != NULL && memory_text(own, sizeof own, place->name)) {
        if (begins_with(own, "upcall_stub") || begins_with(own, "optimized_entry"))
            return RESULTS_UNDER_UPCALL;
        if (place->never_complete && place->frame_words != 0 && !contains(own, "Blob"))
            return RESULTS_UNDER_RUNTIME_STUB;
    }
    if (stubs_name(pc, name, sizeof name) &&
        (contains(name, "return barrier") || contains(name, "returnBarrier")))
        return RESULTS_UNDER_BARRIER;
    return RESULTS_UNDER_OTHER_STUB;
}

HANDLER_SAFE bool code_is_at_runtime_stub(const char* thread) {
    struct code_place place;
    uintptr_t sp, fp;
    return codetables_has_left(thread) && codetables_anchor(thread, false, &place, &sp, &fp) &&
           place.kind == RESULTS_CODE_STUB &&
           stub_under(place.begin + place.offset, &place) == RESULTS_UNDER_RUNTIME_STUB;
}

HANDLER_SAFE bool code_is_under_deoptimised(const char* thread) {
    struct code_place caller;
    uintptr_t sp;
    bool anchored;
    return codetables_has_left(thread) && code_youngest(thread, &caller, &sp, &anchored) &&
           !anchored && caller.deopt;
}

static HANDLER_SAFE uint32_t word_under(uintptr_t word) {
    struct code_place place;
    if (!codetables_generated(word, &place)) return 0;
    if (place.kind == RESULTS_CODE_STUB) return 1u << stub_under(word, &place);
    if (place.deopt) return 1u << RESULTS_UNDER_DEOPT;
    return results_is_compiled(place.kind) && place.region == RESULTS_REGION_AFTER
               ? 1u << RESULTS_UNDER_AFTER
               : 0;
}

// HotSpot believes no interpreted sender of more than so many words, and eight for each word of its
// max_stack. (It compares words with a limit that was meant as bytes.)
#define LARGE_WORDS 1024u

// Whether a word is a return address into an interpreted frame that large. The frame pointer that
// its callee saved is the word before. C++ keeps pairs that look alike: a stack pointer and a pc.
static HANDLER_SAFE bool returns_to_large(const uintptr_t* at, uintptr_t stack_end) {
    uintptr_t frame = at[-1], sender_sp = (uintptr_t)(at + 1);
    if (frame >= stack_end || frame <= sender_sp) return false;
    return (frame - sender_sp) / sizeof frame > LARGE_WORDS &&
           codetables_inside(code.interpreter, processor_code(*at)) &&
           where_is_frame(frame, sender_sp, stack_end);
}

HANDLER_SAFE uint32_t code_under(uintptr_t low, uintptr_t high, uintptr_t stack_end,
                                 bool until_barrier) {
    uint32_t bits = 0;
    low = (low + 7) & ~(uintptr_t)7;
    if (high <= low) return 0;
    size_t words = (high - low) / sizeof(uintptr_t);
    if (words > UNDER_WORDS) words = UNDER_WORDS;
    for (size_t i = 0; i < words; i++) {
        uintptr_t word = processor_code(((const uintptr_t*)low)[i]);
        if (word < 4096) continue; // most words are small numbers, or none of these
        bits |= word_under(word);
        if (i != 0 && returns_to_large((const uintptr_t*)low + i, stack_end))
            bits |= 1u << RESULTS_UNDER_LARGE;
        if (until_barrier && (bits & 1u << RESULTS_UNDER_BARRIER) != 0) break;
    }
    return bits;
}
