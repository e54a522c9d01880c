// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The instructions of A64 that depend on where they stand, and the exclusive accesses. Encodings:
// Arm Architecture Reference Manual for A-profile, C4.1.
#include <stddef.h>
#include <string.h>

#include "processor.h"

#define ZERO 31 // as a number of a register: xzr, or sp as an address
#define BREAKPOINT 0xd4200000u
#define LITERAL_OFFSET ((uint32_t)offsetof(struct arm64_slot, literal))

static bool is(uint32_t word, uint32_t mask, uint32_t bits) {
    return (word & mask) == bits;
}

static uint32_t bits_of(uint32_t word, unsigned low, unsigned count) {
    return word >> low & ((1u << count) - 1);
}

static uint64_t signed_of(uint32_t word, unsigned low, unsigned count) {
    return (uint64_t)((int64_t)((uint64_t)word << (64 - low - count)) >> (64 - count));
}

static uint64_t get(const struct arm64_registers* r, uint32_t which) {
    return which == ZERO ? 0 : r->x[which];
}

static void set(struct arm64_registers* r, uint32_t which, uint64_t value) {
    if (which != ZERO) r->x[which] = value;
}

static bool holds(uint32_t condition, uint64_t pstate) {
    bool n = pstate >> 31 & 1, z = pstate >> 30 & 1, c = pstate >> 29 & 1, v = pstate >> 28 & 1;
    bool holds[] = {z, c, n, v, c && !z, n == v, n == v && !z, true};
    // The lowest bit turns a condition round; 15 is "always", as 14 is.
    return condition == 15 || holds[condition >> 1] != (condition & 1);
}

static void jump(struct arm64_registers* r, bool taken, uint64_t words) {
    r->pc += taken ? words * 4 : 4;
}

// ---- Exclusive accesses -------------------------------------------------------------------------

static uint64_t load(uint64_t address, unsigned log) {
    switch (log) {
    case 0: return __atomic_load_n((const uint8_t*)address, __ATOMIC_SEQ_CST);
    case 1: return __atomic_load_n((const uint16_t*)address, __ATOMIC_SEQ_CST);
    case 2: return __atomic_load_n((const uint32_t*)address, __ATOMIC_SEQ_CST);
    default: return __atomic_load_n((const uint64_t*)address, __ATOMIC_SEQ_CST);
    }
}

#define REPLACE(type)                                                                              \
    {                                                                                              \
        type before = (type)old;                                                                   \
        return __atomic_compare_exchange_n((type*)address, &before, (type) new, false,             \
                                           __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                    \
    }
static bool replace(uint64_t address, unsigned log, uint64_t old, uint64_t new) {
    switch (log) {
    case 0: REPLACE(uint8_t)
    case 1: REPLACE(uint16_t)
    case 2: REPLACE(uint32_t)
    default: REPLACE(uint64_t)
    }
}

static void access_exclusively(struct arm64_registers* r, struct arm64_monitor* monitor,
                               uint32_t word) {
    uint32_t base = bits_of(word, 5, 5), data = bits_of(word, 0, 5), log = bits_of(word, 30, 2);
    uint64_t address = base == ZERO ? r->sp : r->x[base];
    if (bits_of(word, 22, 1)) {
        *monitor = (struct arm64_monitor){address, load(address, log)};
        set(r, data, monitor->value);
    } else {
        bool stored =
            monitor->address == address && replace(address, log, monitor->value, get(r, data));
        monitor->address = 0;
        set(r, bits_of(word, 16, 5), !stored);
    }
    r->pc += 4;
}

// ---- Any instruction ----------------------------------------------------------------------------

static bool is_literal(uint32_t word) {
    return is(word, 0x3b000000, 0x18000000);
}

static void jump_to_register(struct arm64_registers* r, uint32_t word) {
    uint64_t target = get(r, bits_of(word, 5, 5));
    if (bits_of(word, 21, 2) == 1) r->x[30] = r->pc + 4;
    r->pc = target;
}

static void add_address(struct arm64_registers* r, uint32_t word) {
    uint64_t distance = signed_of(word, 5, 19) << 2 | bits_of(word, 29, 2);
    bool page = bits_of(word, 31, 1);
    set(r, bits_of(word, 0, 5),
        page ? (r->pc & ~UINT64_C(0xfff)) + (distance << 12) : r->pc + distance);
    r->pc += 4;
}

enum arm64_way arm64_imitate(struct arm64_registers* r, struct arm64_monitor* monitor) {
    uint32_t word = *(const uint32_t*)r->pc;
    uint64_t data = get(r, bits_of(word, 0, 5));
    bool is_not = bits_of(word, 24, 1);
    if (is(word, 0x7c000000, 0x14000000)) { // b, bl
        if (word >> 31) r->x[30] = r->pc + 4;
        jump(r, true, signed_of(word, 0, 26));
    } else if (is(word, 0xff000000, 0x54000000)) { // b.cond
        jump(r, holds(bits_of(word, 0, 4), r->pstate), signed_of(word, 5, 19));
    } else if (is(word, 0x7e000000, 0x34000000)) { // cbz, cbnz
        if (word >> 31 == 0) data = (uint32_t)data;
        jump(r, (data != 0) == is_not, signed_of(word, 5, 19));
    } else if (is(word, 0x7e000000, 0x36000000)) { // tbz, tbnz
        uint32_t bit = bits_of(word, 31, 1) << 5 | bits_of(word, 19, 5);
        jump(r, (data >> bit & 1) == is_not, signed_of(word, 5, 14));
    } else if (is(word, 0x1f000000, 0x10000000)) { // adr, adrp
        add_address(r, word);
    } else if (is(word, 0xff9ffc1f, 0xd61f0000) && bits_of(word, 21, 2) != 3) { // br, blr, ret
        jump_to_register(r, word);
    } else if (is(word, 0xfe000000, 0xd6000000)) { // those that authenticate, eret
        return ARM64_NOT_KNOWN;
    } else if (is(word, 0x3fa00000, 0x08000000)) { // ldxr, stxr, and with order
        access_exclusively(r, monitor, word);
    } else if (is(word, 0xbfa00000, 0x88200000)) { // ldxp, stxp, and with order
        return ARM64_NOT_KNOWN;
    } else if (is(word, 0xfffff0ff, 0xd503305f)) { // clrex
        monitor->address = 0;
        r->pc += 4;
    } else if (is(word, 0xff000000, 0xd8000000)) { // prfm of a literal
        r->pc += 4;
    } else {
        return ARM64_IN_SLOT;
    }
    return ARM64_DONE;
}

void arm64_place(uintptr_t pc, struct arm64_slot* slot) {
    uint32_t word = *(const uint32_t*)pc;
    if (is_literal(word)) {
        const char* from = (const char*)(pc + signed_of(word, 5, 19) * 4);
        bool vector = bits_of(word, 26, 1);
        uint32_t log = vector ? 2 + bits_of(word, 30, 2) : bits_of(word, 30, 2) == 1 ? 3 : 2;
        memcpy(slot->literal, from, (size_t)1 << log);
        word = (word & ~0x00ffffe0u) | LITERAL_OFFSET / 4 << 5;
    }
    slot->instruction = word;
    slot->breakpoint = BREAKPOINT;
}
