// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "mutants.h"

static size_t read_code(const char* text, uint8_t code[MUTANTS_CODE]) {
    size_t size = 0;
    for (char* end; *text != '\0' && size < MUTANTS_CODE; text = end)
        code[size++] = (uint8_t)strtoul(text, &end, 16);
    return size;
}

static void becomes_in(bool framed, enum mutants_kind kind, const char* before, const char* after) {
    uint8_t code[MUTANTS_CODE], expected[MUTANTS_CODE], spoilt[MUTANTS_CODE];
    size_t size = read_code(before, code);
    cr_assert_eq(read_code(after, expected), size);
    cr_assert(mutants_spoil(kind, code, size, framed, spoilt), "%s is a site", before);
    cr_expect_arr_eq(spoilt, expected, size, "%s becomes %s", before, after);
}

static void becomes(enum mutants_kind kind, const char* before, const char* after) {
    becomes_in(false, kind, before, after);
}

static void is_none_in(bool framed, enum mutants_kind kind, const char* before) {
    uint8_t code[MUTANTS_CODE], spoilt[MUTANTS_CODE];
    size_t size = read_code(before, code);
    cr_expect_not(mutants_spoil(kind, code, size, framed, spoilt), "%s is no site", before);
}

static void is_none(enum mutants_kind kind, const char* before) {
    is_none_in(false, kind, before);
}

Test(spoil, a_condition_is_inverted_in_every_encoding) {
    becomes(MUTANTS_BRANCH, "74 05", "75 05");                         // je, short
    becomes(MUTANTS_BRANCH, "7f 80", "7e 80");                         // jg
    becomes(MUTANTS_BRANCH, "0f 86 70 01 00 00", "0f 87 70 01 00 00"); // jbe, near
    becomes(MUTANTS_BRANCH, "3e 0f 84 00 00 00 00", "3e 0f 85 00 00 00 00");
    becomes(MUTANTS_BRANCH, "0f 95 c0", "0f 94 c0");             // setne al
    becomes(MUTANTS_BRANCH, "41 0f 94 c2", "41 0f 95 c2");       // sete r10b
    becomes(MUTANTS_BRANCH, "48 0f 44 c1", "48 0f 45 c1");       // cmove rax, rcx
    becomes(MUTANTS_BRANCH, "66 0f 4c 43 08", "66 0f 4d 43 08"); // cmovl ax, [rbx + 8]
}

Test(spoil, other_instructions_have_no_condition) {
    is_none(MUTANTS_BRANCH, "eb 05");             // jmp
    is_none(MUTANTS_BRANCH, "e9 00 00 00 00");    // jmp
    is_none(MUTANTS_BRANCH, "e3 05");             // jrcxz
    is_none(MUTANTS_BRANCH, "0f 1f 00");          // nop
    is_none(MUTANTS_BRANCH, "48 8b 74 24 08");    // mov rsi, [rsp + 8]: 74 is no opcode here
    is_none(MUTANTS_BRANCH, "66 0f 6f 44 24 40"); // movdqa
    is_none(MUTANTS_BRANCH, "c3");
}

Test(spoil, a_constant_moves_by_one_and_stays_in_its_range) {
    becomes(MUTANTS_CONSTANT, "83 ff 03", "83 ff 04");                   // cmp edi, 3
    becomes(MUTANTS_CONSTANT, "83 f8 ff", "83 f8 00");                   // cmp eax, -1
    becomes(MUTANTS_CONSTANT, "83 f8 7f", "83 f8 7e");                   // cmp eax, 127
    becomes(MUTANTS_CONSTANT, "48 3d ff 0f 00 00", "48 3d 00 10 00 00"); // cmp rax, 4095
    becomes(MUTANTS_CONSTANT, "3d ff ff ff 7f", "3d fe ff ff 7f");       // cmp eax, INT_MAX
    becomes(MUTANTS_CONSTANT, "66 3d 01 00", "66 3d 02 00");             // cmp ax, 1
    becomes(MUTANTS_CONSTANT, "f6 40 08 01", "f6 40 08 02");             // test byte [rax + 8], 1
    becomes(MUTANTS_CONSTANT, "a8 10", "a8 11");                         // test al, 16
    becomes(MUTANTS_CONSTANT, "80 3d 10 20 30 00 00", "80 3d 10 20 30 00 01");
    is_none(MUTANTS_CONSTANT, "85 c0");    // test eax, eax
    is_none(MUTANTS_CONSTANT, "39 c1");    // cmp ecx, eax
    is_none(MUTANTS_CONSTANT, "83 c0 01"); // add eax, 1
}

Test(spoil, a_call_gives_0) {
    becomes(MUTANTS_CALL, "e8 10 20 30 40", "31 c0 0f 1f 00");
    is_none(MUTANTS_CALL, "ff d0");          // call rax
    is_none(MUTANTS_CALL, "e9 10 20 30 40"); // jmp
}

Test(spoil, a_call_left_out_is_two_instructions_in_words) {
    static const uint8_t gives_0[] = {0x31, 0xc0, 0x0f, 0x1f, 0x00};
    char text[MUTANTS_TEXT];
    mutants_words(gives_0, sizeof gives_0, 0x1000, text);
    cr_expect_str_eq(text, "xor eax, eax; nop dword ptr [rax]");
    mutants_words((const uint8_t[]){0x74, 0x05}, 2, 0x1000, text);
    cr_expect_str_eq(text, "je 0x1007");
    mutants_words((const uint8_t[]){0x06}, 1, 0x1000, text); // not in 64-bit mode
    cr_expect_str_eq(text, "?");
}

Test(spoil, a_field_is_another_one_of_the_same_object) {
    becomes(MUTANTS_FIELD, "48 8b 43 08", "48 8b 43 10"); // mov rax, [rbx + 8]
    becomes(MUTANTS_FIELD, "48 8b 43 7c", "48 8b 43 74"); // not beyond 127
    becomes(MUTANTS_FIELD, "48 8b 43 f8", "48 8b 43 00"); // mov rax, [rbx - 8]
    becomes(MUTANTS_FIELD, "41 8b 45 08", "41 8b 45 10"); // mov eax, [r13 + 8]
    becomes(MUTANTS_FIELD, "48 8d 7b 08", "48 8d 7b 10"); // lea rdi, [rbx + 8]
    becomes(MUTANTS_FIELD, "83 78 08 03", "83 78 10 03"); // cmp dword [rax + 8], 3
    becomes(MUTANTS_CONSTANT, "83 78 08 03", "83 78 08 04");
    is_none(MUTANTS_FIELD, "48 8b 44 24 08");       // mov rax, [rsp + 8]
    is_none(MUTANTS_FIELD, "48 8b 05 08 00 00 00"); // mov rax, [rip + 8]
    is_none(MUTANTS_FIELD, "48 8b 83 08 02 00 00"); // four bytes of offset
    is_none(MUTANTS_FIELD, "0f 1f 40 08");          // nop
    is_none(MUTANTS_FIELD, "48 8b 03");             // no offset
}

Test(spoil, what_a_frame_pointer_points_at_is_no_field) {
    becomes_in(false, MUTANTS_FIELD, "48 8b 45 f0", "48 8b 45 f8");
    is_none_in(true, MUTANTS_FIELD, "48 8b 45 f0");
}
