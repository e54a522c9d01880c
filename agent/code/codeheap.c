// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "parts.h"

#include <string.h>

HANDLER_COMMON uintptr_t codeheap_find(const struct codeheap* heap, uintptr_t pc, uintptr_t* end) {
    if (pc < heap->low || pc >= heap->high) return 0;
    uint64_t segment = (pc - heap->low) >> heap->segment_shift;
    if (segment >= heap->map_length) return 0;
    for (;;) {
        uint8_t hop = __atomic_load_n(&heap->map[segment], __ATOMIC_RELAXED);
        if (hop == 0) break;
        // A hop always goes down, so this ends.
        if (hop == CODEHEAP_FREE || hop > segment) return 0;
        segment -= hop;
    }
    uintptr_t block = heap->low + (segment << heap->segment_shift);
    if (heap->high - block < heap->header_size) return 0;
    uint64_t length = 0;
    memcpy(&length, (const void*)block, heap->length_width == 4 ? 4 : 8);
    if (*(const uint8_t*)(block + heap->used_offset) != 1) return 0;
    if (length == 0 || length > (heap->high - block) >> heap->segment_shift) return 0;
    *end = block + (length << heap->segment_shift);
    return pc < *end ? block + heap->header_size : 0;
}
