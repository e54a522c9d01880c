// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A heap of code of one's own: blocks of so many segments, marked as HotSpot marks them.
#include <criterion/criterion.h>
#include <string.h>

#include "parts.h"

#define SHIFT 7
#define SEGMENTS 4096
#define HEADER 16

static _Alignas(128) uint8_t memory[SEGMENTS << SHIFT];
static uint8_t map[SEGMENTS];
static struct codeheap heap;

static void open_heap(void) {
    memset(memory, 0xcc, sizeof memory);
    memset(map, CODEHEAP_FREE, sizeof map);
    heap = (struct codeheap){.low = (uintptr_t)memory,
                             .high = (uintptr_t)memory + sizeof memory,
                             .map = map,
                             .map_length = SEGMENTS,
                             .segment_shift = SHIFT,
                             .header_size = HEADER,
                             .length_width = 8,
                             .used_offset = 8};
}

static void put(uint32_t first, uint64_t length, bool used) {
    uint8_t* block = memory + ((size_t)first << SHIFT);
    uint8_t hop = 0;
    memcpy(block, &length, sizeof length);
    block[8] = used;
    for (uint32_t i = first; i < first + length; i++) {
        map[i] = hop++;
        if (hop == CODEHEAP_FREE) hop = 1;
    }
}

static uintptr_t address(uint32_t segment, uint32_t offset) {
    return (uintptr_t)memory + ((uintptr_t)segment << SHIFT) + offset;
}

static void finds(uintptr_t pc, uint32_t segment, uint32_t length) {
    uintptr_t end = 0;
    cr_expect_eq(codeheap_find(&heap, pc, &end), address(segment, HEADER));
    cr_expect_eq(end, address(segment + length, 0));
}

static void finds_none(uintptr_t pc) {
    uintptr_t end = 0;
    cr_expect_eq(codeheap_find(&heap, pc, &end), 0);
}

Test(codeheap, every_address_of_a_block_in_use_leads_to_its_beginning, .init = open_heap) {
    put(3, 5, true);
    put(8, 1, true);
    for (uint32_t s = 3; s < 8; s++) {
        finds(address(s, 0), 3, 5);
        finds(address(s, 127), 3, 5);
    }
    finds(address(8, 64), 8, 1);
    finds_none(address(2, 127));
    finds_none(address(9, 0));
}

Test(codeheap, large_blocks_take_several_hops, .init = open_heap) {
    put(100, 1000, true);
    finds(address(100 + 253, 1), 100, 1000);
    finds(address(100 + 254, 1), 100, 1000);
    finds(address(100 + 999, 1), 100, 1000);
}

Test(codeheap, a_block_that_is_split_finely_is_found_all_the_same, .init = open_heap) {
    put(10, 300, true);
    for (uint32_t i = 11; i < 310; i++) map[i] = 1; // joined of single segments
    finds(address(309, 5), 10, 300);
}

Test(codeheap, free_blocks_are_not_found, .init = open_heap) {
    put(3, 5, false);
    finds_none(address(4, 0));
}

Test(codeheap, addresses_outside_are_not_found, .init = open_heap) {
    put(0, SEGMENTS, true);
    finds(address(0, 0), 0, SEGMENTS);
    finds_none((uintptr_t)memory - 1);
    finds_none((uintptr_t)memory + sizeof memory);
    heap.map_length = 10;
    finds_none(address(10, 0));
}

Test(codeheap, what_contradicts_itself_is_not_found, .init = open_heap) {
    put(3, 5, true);
    map[1] = 2; // before the beginning
    finds_none(address(1, 0));
    map[20] = 17; // leads to a block that does not reach there
    finds_none(address(20, 0));
    put(30, 4, true);
    memory[((size_t)30 << SHIFT) + 8] = 2; // neither true nor false
    finds_none(address(31, 0));
    put(40, 4, true);
    uint64_t length = SEGMENTS;
    memcpy(memory + ((size_t)40 << SHIFT), &length, sizeof length); // beyond the heap
    finds_none(address(41, 0));
    length = 0;
    memcpy(memory + ((size_t)40 << SHIFT), &length, sizeof length);
    finds_none(address(41, 0));
}

Test(codeheap, lengths_of_four_bytes_are_understood, .init = open_heap) {
    heap.length_width = 4;
    heap.used_offset = 4;
    heap.header_size = 8;
    uint32_t length = 2;
    uint8_t* block = memory + (5u << SHIFT);
    memcpy(block, &length, sizeof length);
    block[4] = 1;
    map[5] = 0;
    map[6] = 1;
    uintptr_t end;
    cr_expect_eq(codeheap_find(&heap, address(6, 3), &end), address(5, 8));
    cr_expect_eq(end, address(7, 0));
}
