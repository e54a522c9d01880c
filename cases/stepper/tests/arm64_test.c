// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stddef.h>
#include <string.h>

#include "processor.h"

#define N (UINT64_C(1) << 31)
#define Z (UINT64_C(1) << 30)
#define C (UINT64_C(1) << 29)
#define V (UINT64_C(1) << 28)
#define IN_SLOT INT64_MIN
#define NOT_KNOWN INT64_MAX

// The words are those of GNU as 2.40.
static uint32_t code[4];

static struct arm64_registers at_code(uint32_t word) {
    struct arm64_registers registers = {.sp = 0x7000};
    for (uint64_t i = 0; i < 31; i++) registers.x[i] = 0x100 + i;
    code[1] = word;
    registers.pc = (uintptr_t)&code[1];
    return registers;
}

// `to`: where the next instruction is, from this one.
static void goes(uint32_t word, uint64_t x1, uint64_t pstate, int64_t to) {
    struct arm64_registers before = at_code(word), after;
    struct arm64_monitor monitor = {0, 0};
    before.x[1] = x1;
    before.pstate = pstate;
    after = before;
    enum arm64_way way = arm64_imitate(&after, &monitor);
    enum arm64_way expected = to == IN_SLOT     ? ARM64_IN_SLOT
                              : to == NOT_KNOWN ? ARM64_NOT_KNOWN
                                                : ARM64_DONE;
    cr_expect_eq(way, expected, "%08x: %d", word, way);
    if (expected == ARM64_DONE) before.pc += (uint64_t)to;
    cr_expect_eq(memcmp(&before, &after, sizeof after), 0, "%08x: to %ld or another register", word,
                 (long)(after.pc - (uintptr_t)&code[1]));
}

Test(arm64, a_branch_goes_by_its_words) {
    goes(0x14000010, 0, 0, 0x40);  // b .+0x40
    goes(0x17fffff0, 0, 0, -0x40); // b .-0x40
}

Test(arm64, a_condition_is_that_of_the_flags) {
    static const struct {
        uint32_t condition;
        uint64_t pstate;
        bool holds;
    } rows[] = {
        {0, Z, true},       {0, N | C | V, false}, // eq
        {1, Z, false},      {1, N | C | V, true},  // ne
        {2, C, true},       {2, N | Z | V, false}, // hs
        {3, C, false},      {3, N | Z | V, true},  // lo
        {4, N, true},       {4, Z | C | V, false}, // mi
        {5, N, false},      {5, Z | C | V, true},  // pl
        {6, V, true},       {6, N | Z | C, false}, // vs
        {7, V, false},      {7, N | Z | C, true},  // vc
        {8, C, true},       {8, C | Z, false},     // hi
        {8, 0, false},      {9, C, false},         // hi, ls
        {9, C | Z, true},   {9, 0, true},          // ls
        {10, N | V, true},  {10, 0, true},         // ge
        {10, N, false},     {10, V, false},        // ge
        {11, N, true},      {11, V, true},         // lt
        {11, N | V, false}, {11, 0, false},        // lt
        {12, 0, true},      {12, N | V, true},     // gt
        {12, Z, false},     {12, N, false},        // gt
        {13, Z, true},      {13, V, true},         // le
        {13, 0, false},     {13, N | V, false},    // le
        {14, 0, true},      {14, N | Z, true},     // al
        {15, 0, true},      {15, N | Z, true},     // nv: always, too
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        goes(0x54000040 | rows[i].condition, 0, rows[i].pstate, rows[i].holds ? 8 : 4);
}

Test(arm64, a_branch_on_a_register_looks_at_its_width_and_its_bit) {
    uint64_t upper = UINT64_C(1) << 33;
    goes(0xb4000041, 0, 0, 8), goes(0xb4000041, upper, 0, 4);       // cbz x1, .+8
    goes(0x34000041, upper, 0, 8), goes(0x34000041, 1, 0, 4);       // cbz w1, .+8
    goes(0xb5ffffc1, upper, 0, -8), goes(0xb5ffffc1, 0, 0, 4);      // cbnz x1, .-8
    goes(0xb400005f, 1, 0, 8);                                      // cbz xzr, .+8
    goes(0xb6080041, upper, 0, 4), goes(0xb6080041, ~upper, 0, 8);  // tbz x1, #33, .+8
    goes(0xb70fffc1, upper, 0, -8), goes(0xb70fffc1, ~upper, 0, 4); // tbnz x1, #33, .-8
    goes(0x37000041, 1, 0, 8), goes(0x3707ffc1, 1, 0, -8);          // tbnz w1, #0
}

// The registers that change beside pc: one, or none (-1).
static void sets(uint32_t word, int which, uint64_t value, uint64_t pc) {
    struct arm64_registers before = at_code(word), after = before;
    struct arm64_monitor monitor = {0, 0};
    cr_expect_eq(arm64_imitate(&after, &monitor), ARM64_DONE, "%08x", word);
    if (which >= 0) before.x[which] = value;
    before.pc = pc;
    cr_expect_eq(memcmp(&before, &after, sizeof after), 0, "%08x", word);
}

Test(arm64, a_call_leaves_its_return_address_in_x30) {
    uint64_t here = (uintptr_t)&code[1];
    sets(0x94000040, 30, here + 4, here + 0x100); // bl .+0x100
    sets(0xd63f0020, 30, here + 4, 0x101);        // blr x1
    sets(0xd63f03c0, 30, here + 4, 0x100 + 30);   // blr x30: the old one
    sets(0xd61f0020, -1, 0, 0x101);               // br x1
    sets(0xd65f03c0, -1, 0, 0x100 + 30);          // ret
    sets(0xd65f0020, -1, 0, 0x101);               // ret x1
}

Test(arm64, an_address_is_counted_from_where_the_instruction_stands) {
    uint64_t here = (uintptr_t)&code[1];
    sets(0x30000023, 3, here + 5, here + 4);                           // adr x3, .+5
    sets(0x70ffffc3, 3, here - 5, here + 4);                           // adr x3, .-5
    sets(0xd0000003, 3, (here & ~UINT64_C(0xfff)) + 0x2000, here + 4); // adrp x3, two pages on
    sets(0x9000001f, -1, 0, here + 4);                                 // adrp xzr
    sets(0xd8000040, -1, 0, here + 4);                                 // prfm pldl1keep, .+8
}

Test(arm64, what_cannot_be_done_elsewhere_is_said) {
    goes(0xd71f0822, 1, 0, NOT_KNOWN); // braa x1, x2
    goes(0xd65f0bff, 1, 0, NOT_KNOWN); // retaa
    goes(0xd69f03e0, 1, 0, NOT_KNOWN); // eret
    goes(0xc87f0c22, 1, 0, NOT_KNOWN); // ldxp x2, x3, [x1]
    goes(0xc8240c22, 1, 0, NOT_KNOWN); // stxp w4, x2, x3, [x1]
}

Test(arm64, all_else_runs_in_the_slot) {
    static const uint32_t words[] = {
        0xc8dffc22, 0xc89ffc22, 0xf8bfc022, // ldar, stlr, ldapr
        0xc8a27c23, 0x48227c24, 0xf8220023, // cas, casp, ldadd
        0xd503201f, 0xd503233f, 0xd4000001, // nop, paciasp, svc #0
        0x91000421, 0xf9400425, 0xd4200020, // add, ldr of a register, brk #1
        0x58000205, 0x9c000205, 0x98000205, // ldr and ldrsw of a literal
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) goes(words[i], 1, 0, IN_SLOT);
}

// ---- Exclusive accesses -------------------------------------------------------------------------

static enum arm64_way access(uint32_t word, uint64_t* data, struct arm64_monitor* monitor,
                             struct arm64_registers* after) {
    *after = at_code(word);
    after->x[1] = (uintptr_t)data;
    return arm64_imitate(after, monitor);
}

Test(arm64, an_exclusive_store_stores_what_was_not_changed_meanwhile) {
    uint64_t data = 0x1122334455667788, other;
    struct arm64_monitor monitor = {0, 0};
    struct arm64_registers r;
    cr_assert_eq(access(0xc85f7c22, &data, &monitor, &r), ARM64_DONE); // ldxr x2, [x1]
    cr_expect(r.x[2] == data && r.pc == (uintptr_t)&code[2]);
    cr_assert_eq(access(0xc8037c22, &data, &monitor, &r), ARM64_DONE); // stxr w3, x2, [x1]
    cr_expect(r.x[3] == 0 && data == 0x102 && r.pc == (uintptr_t)&code[2]);
    access(0xc8037c22, &data, &monitor, &r); // once more: nothing was loaded
    cr_expect_eq(r.x[3], 1);

    access(0xc85f7c22, &data, &monitor, &r);
    data = 7; // another thread
    access(0xc8037c22, &data, &monitor, &r);
    cr_expect(r.x[3] == 1 && data == 7);

    access(0xc85f7c22, &data, &monitor, &r);
    other = data;
    access(0xc8037c22, &other, &monitor, &r); // another word, with the same in it
    cr_expect(r.x[3] == 1 && other == data);

    access(0xc85f7c22, &data, &monitor, &r);
    access(0xd5033f5f, &data, &monitor, &r); // clrex
    access(0xc8037c22, &data, &monitor, &r);
    cr_expect(r.x[3] == 1 && data == 7);
}

Test(arm64, an_exclusive_access_has_a_width_and_may_go_to_the_stack) {
    uint64_t data = 0x1122334455667788;
    struct arm64_monitor monitor = {0, 0};
    struct arm64_registers r;
    access(0x085ffc22, &data, &monitor, &r); // ldaxrb w2, [x1]
    cr_expect_eq(r.x[2], 0x88);
    access(0x485f7c22, &data, &monitor, &r); // ldxrh w2, [x1]
    cr_expect_eq(r.x[2], 0x7788);
    access(0x4803fc22, &data, &monitor, &r); // stlxrh w3, w2, [x1]
    cr_expect(r.x[3] == 0 && data == 0x1122334455660102);
    access(0xc85f7c22, &data, &monitor, &r);
    access(0xc81f7c22, &data, &monitor, &r); // stxr wzr, x2, [x1]
    cr_expect_eq(data, 0x102);

    r = at_code(0xc85f7fe2); // ldxr x2, [sp]
    r.sp = (uintptr_t)&data;
    cr_assert_eq(arm64_imitate(&r, &monitor), ARM64_DONE);
    cr_expect_eq(r.x[2], 0x102);
}

// ---- The slot -----------------------------------------------------------------------------------

static struct {
    uint8_t before[64];
    uint32_t words[4];
    uint8_t behind[64];
} literals;

// `distance` of the literal from the instruction, and its bytes.
static void brings(uint32_t word, int distance, size_t bytes, uint32_t placed) {
    struct arm64_slot slot;
    memset(&slot, 0xee, sizeof slot);
    for (size_t i = 0; i < sizeof literals; i++) ((uint8_t*)&literals)[i] = (uint8_t)i;
    literals.words[0] = word;
    arm64_place((uintptr_t)&literals.words[0], &slot);
    cr_expect_eq(slot.instruction, placed, "%08x: %08x", word, slot.instruction);
    cr_expect_eq(slot.breakpoint, 0xd4200000);
    cr_expect_eq(memcmp(slot.literal, literals.before + 64 + distance, bytes), 0, "%08x", word);
    if (bytes < sizeof slot.literal) cr_expect_eq(slot.literal[bytes], 0xee, "%08x", word);
}

Test(arm64, a_literal_comes_with_the_instruction_that_loads_it) {
    brings(0x58000205, 64, 8, 0x58000085);  // ldr x5
    brings(0x18000205, 64, 4, 0x18000085);  // ldr w5
    brings(0x98000205, 64, 4, 0x98000085);  // ldrsw x5
    brings(0x9c000205, 64, 16, 0x9c000085); // ldr q5
    brings(0x5cfffe05, -64, 8, 0x5c000085); // ldr d5
    brings(0x1c000205, 64, 4, 0x1c000085);  // ldr s5
    brings(0x91000421, 0, 0, 0x91000421);   // add: none
}
