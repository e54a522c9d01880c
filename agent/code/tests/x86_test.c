// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "code.h"
#include "parts.h"
#include "processor.h"

// Bytes in hexadecimal, "48 83 c4 10".
static size_t bytes_of(const char* text, uint8_t* bytes) {
    size_t count = 0;
    int used;
    unsigned value;
    for (; sscanf(text, "%2x%n", &value, &used) == 1; text += used) bytes[count++] = (uint8_t)value;
    return count;
}

static void is_long(const char* text, uint32_t length, uint32_t operands) {
    uint8_t bytes[32] = {0};
    struct x86_instruction x;
    memset(&x, 0xa5, sizeof x);
    size_t count = bytes_of(text, bytes);
    cr_assert(x86_decode(bytes, count + 15, &x), "%s", text);
    cr_expect_eq(x.length, length, "%s: %u bytes", text, x.length);
    cr_expect_eq(x.operands, operands, "%s: operands at %u", text, x.operands);
    cr_expect_not(x86_decode(bytes, length - 1, &x), "%s: decoded without its end", text);
}

static void is_none(const char* text) {
    uint8_t bytes[32] = {0};
    struct x86_instruction x;
    bytes_of(text, bytes);
    cr_expect_not(x86_decode(bytes, sizeof bytes, &x), "%s", text);
}

Test(x86, lengths_are_those_of_the_assembler) {
    is_long("90", 1, 1);                             // nop
    is_long("48 89 d0", 3, 3);                       // mov rax, rdx
    is_long("8b 44 24 08", 4, 3);                    // mov eax, [rsp + 8]
    is_long("48 8b 84 24 00 01 00 00", 8, 4);        // mov rax, [rsp + 256]
    is_long("48 8b 05 11 22 33 44", 7, 3);           // mov rax, [rip + d]
    is_long("8b 04 25 11 22 33 44", 7, 3);           // mov eax, [d]
    is_long("48 b8 01 02 03 04 05 06 07 08", 10, 2); // movabs rax
    is_long("b8 01 02 03 04", 5, 1);                 // mov eax, i
    is_long("66 b8 01 02", 4, 2);                    // mov ax, i
    is_long("e8 11 22 33 44", 5, 1);                 // call
    is_long("0f 87 11 22 33 44", 6, 2);              // ja
    is_long("77 05", 2, 1);                          // ja short
    is_long("f6 c1 01", 3, 2);                       // test cl, 1
    is_long("f6 d9", 2, 2);                          // neg cl
    is_long("f7 05 11 22 33 44 01 00 00 00", 10, 2); // test [rip + d], i
    is_long("f7 f1", 2, 2);                          // div ecx
    is_long("c7 44 24 04 01 00 00 00", 8, 3);        // mov [rsp + 4], i
    is_long("66 c7 44 24 04 01 00", 7, 4);           // mov word [rsp + 4], i
    is_long("f0 48 0f b1 0e", 5, 5);                 // lock cmpxchg [rsi], rcx
    is_long("0f 1f 84 00 00 00 00 00", 8, 4);        // nop
    is_long("66 0f 3a 0f c1 08", 6, 5);              // palignr
    is_long("66 0f 38 00 c1", 5, 5);                 // pshufb
    is_long("c5 f8 77", 3, 3);                       // vzeroupper
    is_long("c5 fe 6f 44 24 20", 6, 5);              // vmovdqu ymm0, [rsp + 32]
    is_long("c4 e2 7d 18 05 11 22 33 44", 9, 5);     // vbroadcastss ymm0, [rip + d]
    is_long("c4 e3 7d 39 c1 01", 6, 5);              // vextracti128
    is_long("62 f1 7c 48 10 44 24 01", 8, 7);        // vmovups zmm0, [rsp + 64]
    is_long("c8 10 00 00", 4, 1);                    // enter
    is_long("a1 01 02 03 04 05 06 07 08", 9, 1);     // mov eax, [moffs]
    is_long("41 ff e2", 3, 3);                       // jmp r10
}

Test(x86, what_is_no_instruction_is_not_decoded) {
    is_none("06");
    is_none("48 9a");
    is_none("0f 0a");
    is_none("d6");
    is_none("66 66 66 66 66 66 66 66 66 66 66 66 66 66 66 90"); // longer than 15 bytes
}

static void exits(const char* text, bool leaves, bool frees_frame, bool restores_fp) {
    uint8_t bytes[64] = {0};
    size_t count = bytes_of(text, bytes);
    struct processor_exit e = x86_exit(bytes, count);
    cr_expect_eq(e.leaves, leaves, "%s: leaves %d", text, e.leaves);
    cr_expect_eq(e.frees_frame, frees_frame, "%s: frees %d", text, e.frees_frame);
    cr_expect_eq(e.restores_fp, restores_fp, "%s: restores %d", text, e.restores_fp);
}

Test(x86, exits_of_the_compilers_of_all_releases_are_known_from_each_of_their_instructions) {
    // C2 and C1 of 8: add rsp, 0x20; pop rbp; test [rip + d], eax; ret
    exits("48 83 c4 20 5d 85 05 11 22 33 44 c3", true, true, true);
    exits("5d 85 05 11 22 33 44 c3", true, false, true);
    exits("85 05 11 22 33 44 c3", true, false, false);
    exits("c3", true, false, false);
    // 11: mov r10, [r15 + d]; test [r10], eax
    exits("48 81 c4 00 01 00 00 5d 4d 8b 97 08 01 00 00 41 85 02 c3", true, true, true);
    exits("4d 8b 97 08 01 00 00 41 85 02 c3", true, false, false);
    exits("41 85 02 c3", true, false, false);
    // 17 and newer: cmp rsp, [r15 + d]; ja; ret; and with vectors a vzeroupper at first
    exits("48 83 c4 20 5d 49 3b a7 48 03 00 00 0f 87 01 00 00 00 c3", true, true, true);
    exits("49 3b 67 28 0f 87 01 00 00 00 c3", true, false, false);
    exits("0f 87 01 00 00 00 c3", true, false, false);
    // Reserved stack: cmp rsp, [r15 + d]; jb over 3 bytes; test [rip + d], eax; ret
    exits("48 83 c4 40 5d 49 3b a7 40 04 00 00 0f 82 03 00 00 00 49 8b ff 85 05 11 22 33 44 c3",
          true, true, true);
    exits("49 3b a7 40 04 00 00 0f 82 03 00 00 00 49 8b ff c3", true, false, false);
    exits("0f 82 03 00 00 00 49 8b ff c3", true, false, false);
    // A native wrapper: leave; cmp qword [r15 + d], 0; jne; ret
    exits("c9 49 81 7f 08 00 00 00 00 0f 85 01 00 00 00 c3", true, true, true);
    exits("49 81 7f 08 00 00 00 00 0f 85 01 00 00 00 c3", true, false, false);
    exits("49 83 bf 08 01 00 00 00 0f 85 01 00 00 00 c3", true, false, false);
    exits("0f 85 01 00 00 00 c3", true, false, false);
    // A rethrow
    exits("48 83 c4 20 5d e9 11 22 33 44", true, true, true);
    exits("5d e9 11 22 33 44", true, false, true);
}

Test(x86, a_frame_that_still_stands_is_not_yet_left) {
    exits("0f 82 03 00 00 00 49 8b ff 49 8b ff c3", false, false, false); // jb to more of the body
    exits("0f 82 03 00 00 00 49 8b ff 48 83 c4 20 5d c3", false, true, true); // to the exit
    exits("49 3b a7 40 04 00 00 0f 82 00 00 00 00 48 83 c4 20 5d c3", false, true, true);
    exits("0f 82 f0 00 00 00 c3", false, false, false);              // beyond the code
    exits("5d 0f 82 f0 ff ff ff c3", false, false, false);           // back
    exits("c5 f8 77 48 83 c4 20 5d c3", false, true, true);          // vzeroupper first
    exits("85 05 11 22 33 44 48 83 c4 20 5d c3", false, true, true); // a loop's poll at its end
    exits("0f 85 01 00 00 00 48 83 c4 20 5d c3", false, true, true); // jne
    exits("49 81 7f 08 00 00 00 00 0f 85 01 00 00 00 c9 c3", false, true, true);
}

static bool jumps_out(const char* text, size_t at) {
    uint8_t bytes[64];
    size_t count = bytes_of(text, bytes);
    return x86_leaves_by_jump(bytes + at, at, count - at);
}

Test(x86, a_jump_right_behind_a_frame_that_was_given_back_leaves) {
    cr_expect(jumps_out("48 83 c4 60 5d e9 42 6a fb ff", 5));
    cr_expect(jumps_out("48 81 c4 00 01 00 00 5d e9 42 6a fb ff", 8));
    cr_expect_not(jumps_out("48 83 c4 60 5d c3", 5), "no jump");
    cr_expect_not(jumps_out("48 83 c4 60 90 e9 42 6a fb ff", 5), "no pop");
    cr_expect_not(jumps_out("48 83 ec 60 5d e9 42 6a fb ff", 5), "sub rsp");
    cr_expect_not(jumps_out("5d e9 42 6a fb ff", 1), "the code begins there");
    cr_expect_not(jumps_out("48 83 c4 60 5d", 5), "the code ends");
}

Test(x86, the_slow_path_of_the_poll_before_a_return_has_no_frame) {
    // mov eax, ebx; lea r10, [rip + d] or an immediate; mov [r15 + d], r10; jmp; hlt
    static const struct {
        const char* text;
        size_t length[3];
    } paths[] = {
        {"8b c3 4c 8d 15 b9 fc ff ff 4d 89 97 10 05 00 00 e9 72 57 ab ff f4", {7, 7, 5}},
        {"8b c3 4c 8d 15 b9 fc ff ff 4d 89 57 10 e9 72 57 ab ff f4", {7, 4, 5}},
        {"8b c3 49 ba 27 f4 ec a3 fd 7e 00 00 4d 89 97 10 05 00 00 e9 72 57 ab ff f4", {10, 7, 5}},
        {"8b c3 49 ba 27 f4 ec a3 fd 7e 00 00 4d 89 57 10 e9 72 57 ab ff f4", {10, 4, 5}}};
    for (size_t i = 0; i < 4; i++) {
        const size_t* length = paths[i].length;
        size_t at = 2;
        cr_expect_not(jumps_out(paths[i].text, 0), "%zu: the instruction before it", i);
        for (size_t j = 0; j < 3; at += length[j++])
            cr_expect(jumps_out(paths[i].text, at), "%zu, %zu", i, j);
        cr_expect_not(jumps_out(paths[i].text, at), "%zu: behind it", i);
    }
    cr_expect_not(jumps_out("4c 8d 1d b9 fc ff ff 4d 89 97 10 05 00 00 e9 72 57 ab ff", 0), "r11");
    cr_expect_not(jumps_out("4c 8d 15 b9 fc ff ff 4d 89 96 10 05 00 00 e9 72 57 ab ff", 0),
                  "[r14]");
    cr_expect_not(jumps_out("4c 8d 15 b9 fc ff ff 4c 89 97 10 05 00 00 e9 72 57 ab ff", 0),
                  "[rdi]");
    cr_expect_not(jumps_out("4c 8d 15 b9 fc ff ff 4d 8b 97 10 05 00 00 e9 72 57 ab ff", 0),
                  "a load");
    cr_expect_not(jumps_out("4c 8d 15 b9 fc ff ff 4d 89 97 10 05 00 00 e8 72 57 ab ff", 0), "call");
    cr_expect_not(jumps_out("4c 8d 15 b9 fc ff ff 4d 89 97 10 05 00 00", 7), "the code ends");
    cr_expect_not(jumps_out("90 90 90 90 90 90 90 4d 89 97 10 05 00 00 e9 72 57 ab ff", 7),
                  "alone");
}

Test(x86, other_code_before_a_return_is_no_exit) {
    exits("48 89 d0 c3", false, false, false);                // mov rax, rdx
    exits("41 81 7f 08 00 00 00 00 c3", false, false, false); // cmp of 32 bits
    exits("48 81 7f 08 00 00 00 00 c3", false, false, false); // of [rdi + 8]
    exits("49 81 47 08 00 00 00 00 c3", false, false, false); // add [r15 + 8]
    exits("0f 84 01 00 00 00 c3", false, false, false);       // je
    exits("41 85 02 48 89 d0 c3", false, false, false);       // a poll in a loop
    exits("e9 11 22 33 44", false, false, false);             // a jump: who knows
    exits("48 83 ec 20 5d c3", false, false, false);          // sub rsp
    exits("4c 83 c4 20 c3", false, false, false);             // not rsp: add with another register
    exits("48 83 c4 20 5d", false, false, false);             // the code ends
    exits("", false, false, false);
}

Test(x86, a_system_call_is_known_behind_it) {
    static const uint8_t code[] = {0x0f, 0x05, 0x0f, 0x34}; // syscall; sysenter
    cr_expect(x86_system_call((uintptr_t)code + 2));
    cr_expect_not(x86_system_call((uintptr_t)code + 3), "within an instruction");
    cr_expect_not(x86_system_call((uintptr_t)code + 4), "of 32 bits");
    cr_expect_not(x86_system_call(8), "not readable");
}

#if defined(__x86_64__)
Test(x86, an_instruction_is_kept_without_its_operands_whether_its_code_is_known_or_asked_for) {
    static const uint8_t code[MACHINE_INSTRUCTION_MAX + 8] = {0x8b, 0x44, 0x24,
                                                              0x08}; // mov eax, ..
    static const uint8_t kept[] = {0x8b, 0x44, 0x24, 0x00};
    uintptr_t pc = (uintptr_t)code;
    const uintptr_t ends[] = {0, pc, pc + 4, pc + MACHINE_INSTRUCTION_MAX, pc + sizeof code};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        uint8_t bytes[MACHINE_INSTRUCTION_MAX];
        cr_assert_eq(machine_instruction(pc, ends[i], bytes), sizeof kept, "%zu", i);
        cr_expect_arr_eq(bytes, kept, sizeof kept);
    }
}
#endif
