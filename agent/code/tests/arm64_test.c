// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Instructions of aarch64, as GNU as encodes them, on every processor.
#include <criterion/criterion.h>

#include <string.h>

#include "code.h"
#include "parts.h"
#include "processor.h"

#define LDP_SP 0xa9417bfdu      // ldp x29, x30, [sp, #16]
#define ADD_SP 0x910083ffu      // add sp, sp, #0x20
#define LDR_POLL 0xf9422f88u    // ldr x8, [x28, #1112]
#define CMP_SP 0xeb2863ffu      // cmp sp, x8
#define B_HI 0x54000108u        // b.hi
#define RET 0xd65f03c0u         // ret
#define MOVZ_X8 0xd2824608u     // mov x8, #0x1230
#define MOVK_X8 0xf2a00028u     // movk x8, #1, lsl #16
#define ADD_SP_X8 0x8b2863ffu   // add sp, sp, x8
#define LDP_POST 0xa8c17bfdu    // ldp x29, x30, [sp], #16
#define AUTIAZ 0xd503239fu      // autiaz
#define ADRP_X8 0x90000008u     // adrp x8
#define LDR_PAGE 0xb940011fu    // ldr wzr, [x8]
#define ADD_X8 0x91004108u      // add x8, x8, #0x10
#define BR_X8 0xd61f0100u       // br x8
#define BLR_X8 0xd63f0100u      // blr x8
#define B 0x14000010u           // b
#define BL 0x94000040u          // bl
#define MOV 0xaa0103e0u         // mov x0, x1
#define STP_PRE 0xa9be7bfdu     // stp x29, x30, [sp, #-32]!
#define MOV_FP 0x910003fdu      // mov x29, sp
#define SUB_SP 0xd10103ffu      // sub sp, sp, #0x40
#define STP_SP 0xa9037bfdu      // stp x29, x30, [sp, #48]
#define ADD_FP 0x9100c3fdu      // add x29, sp, #0x30
#define PACIASP 0xd503233fu     // paciasp
#define PUSH_PAIR 0xa9bf07e0u   // stp x0, x1, [sp, #-16]!
#define POP_PAIR 0xa8c107e0u    // ldp x0, x1, [sp], #16
#define PUSH_ONE 0xf81f0fe3u    // str x3, [sp, #-16]!
#define POP_ONE 0xf84107e3u     // ldr x3, [sp], #16
#define POP_VECTORS 0xacc107e0u // ldp q0, q1, [sp], #32
#define CBZ 0xb4000040u         // cbz x0
#define TBNZ 0x37000088u        // tbnz w8, #0
#define ADR_X8 0x10fffe08u      // adr x8
#define STR_POLL 0xf901af88u    // str x8, [x28, #856]
#define LDR_X9_POLL 0xf9401389u // ldr x9, [x28, #32]
#define LDR_X9_PAGE 0xb940013fu // ldr wzr, [x9]
#define RETAA 0xd65f0bffu       // retaa

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__})

// From `words` on: as leaves, frees the frame, restores the frame pointer.
static void exits(const uint32_t* words, size_t size, bool leaves, bool frees, bool restores) {
    struct processor_exit e = arm64_exit((const uint8_t*)words, size);
    cr_expect_eq(e.leaves, leaves, "%08x: leaves %d", words[0], e.leaves);
    cr_expect_eq(e.frees_frame, frees, "%08x: frees %d", words[0], e.frees_frame);
    cr_expect_eq(e.restores_fp, restores, "%08x: restores %d", words[0], e.restores_fp);
    cr_expect_eq(arm64_stands(&e, 2), frees, "%08x", words[0]);
}

Test(arm64, the_exit_of_a_small_frame_is_known_from_each_of_its_instructions) {
    exits(WORDS(LDP_SP, ADD_SP, LDR_POLL, CMP_SP, B_HI, RET), true, true, true);
    exits(WORDS(ADD_SP, LDR_POLL, CMP_SP, B_HI, RET), true, true, false);
    exits(WORDS(LDR_POLL, CMP_SP, B_HI, RET), true, false, false);
    exits(WORDS(CMP_SP, B_HI, RET), true, false, false);
    exits(WORDS(B_HI, RET), true, false, false);
    exits(WORDS(RET), true, false, false);
}

Test(arm64, the_exit_of_a_large_frame_frees_first) {
    exits(WORDS(ADD_SP, LDP_POST, RET), true, true, true);
    exits(WORDS(MOVZ_X8, MOVK_X8, ADD_SP_X8, LDP_POST, RET), true, true, true);
    exits(WORDS(ADD_SP_X8, LDP_POST, RET), true, true, true);
    exits(WORDS(LDP_POST, RET), true, false, true);
}

Test(arm64, polls_of_all_releases_and_signed_returns_belong_to_an_exit) {
    exits(WORDS(LDP_SP, ADD_SP, ADRP_X8, LDR_PAGE, RET), true, true, true);        // 8
    exits(WORDS(LDP_SP, ADD_SP, LDR_X9_POLL, LDR_X9_PAGE, RET), true, true, true); // 11
    exits(WORDS(LDP_SP, ADD_SP, LDR_POLL, TBNZ, RET), true, true, true);           // 14 to 16
    exits(WORDS(LDP_SP, ADD_SP, AUTIAZ, RET), true, true, true);
    exits(WORDS(LDP_SP, ADD_SP, RETAA), true, true, true);
}

Test(arm64, a_rethrow_is_an_exit_while_the_frame_is_being_freed) {
    exits(WORDS(LDP_SP, ADD_SP, B), true, true, true);
    exits(WORDS(LDP_SP, ADD_SP, ADRP_X8, ADD_X8, BR_X8), true, true, true);
    exits(WORDS(B), false, false, false);
}

static bool jumps_out(const uint32_t* words, size_t size, size_t at) {
    return arm64_leaves_by_jump((const uint8_t*)(words + at), 4 * at, size - 4 * at);
}

Test(arm64, a_jump_right_behind_a_frame_that_was_given_back_leaves) {
    cr_expect(jumps_out(WORDS(LDP_SP, ADD_SP, B), 2));
    cr_expect(jumps_out(WORDS(ADD_SP, LDP_POST, B), 2));
    cr_expect_not(jumps_out(WORDS(LDP_SP, ADD_SP, RET), 2), "no jump");
    cr_expect_not(jumps_out(WORDS(ADD_SP, LDP_SP, B), 2), "the frame is there");
    cr_expect_not(jumps_out(WORDS(LDP_SP, MOV, B), 2), "other code between");
    cr_expect_not(jumps_out(WORDS(B), 0), "the code begins there");
    cr_expect_not(jumps_out(WORDS(LDP_SP, ADD_SP), 2), "the code ends");
}

Test(arm64, the_last_instructions_of_the_polls_slow_path_leave) {
    cr_expect(jumps_out(WORDS(ADR_X8, STR_POLL, B), 2));
    for (size_t at = 2; at <= 4; at++)
        cr_expect(jumps_out(WORDS(ADR_X8, STR_POLL, ADRP_X8, ADD_X8, BR_X8), at), "%zu", at);
    cr_expect_not(jumps_out(WORDS(STR_POLL, B), 1), "the code begins there");
    cr_expect_not(jumps_out(WORDS(MOV, STR_POLL, B), 2), "no address was taken");
    cr_expect_not(jumps_out(WORDS(ADR_X8, STR_POLL, MOV, B), 3), "other code between");
    cr_expect_not(jumps_out(WORDS(ADR_X8, STR_POLL, RET), 2), "no jump");
}

Test(arm64, the_slow_path_of_the_poll_before_a_return_has_no_frame) {
    exits(WORDS(ADR_X8, STR_POLL, B), true, false, false);
    exits(WORDS(STR_POLL, B), true, false, false);
    exits(WORDS(STR_POLL, ADRP_X8, ADD_X8, BR_X8), true, false, false);
    exits(WORDS(ADR_X8, B), false, false, false);
    exits(WORDS(STR_POLL, MOV), false, false, false);
    exits(WORDS(STR_POLL), false, false, false);
}

Test(arm64, a_poll_before_the_exit_and_other_code_are_none) {
    exits(WORDS(LDR_POLL, TBNZ, LDP_SP, ADD_SP, RET), false, true, true);
    exits(WORDS(MOV, RET), false, false, false);
    exits(WORDS(LDR_POLL, LDR_PAGE, MOV, RET), false, false, false);
    exits(WORDS(SUB_SP, RET), false, false, false);
    exits(WORDS(LDP_SP, ADD_SP), false, false, false); // the code ends
    struct processor_exit e = arm64_exit((const uint8_t*)"\xc0\x03\x5f", 3);
    cr_expect_not(e.leaves, "half an instruction");
}

static uint32_t set_at(const uint32_t* words, size_t size) {
    return arm64_frame_set((const uint8_t*)words, size);
}

Test(arm64, a_function_sets_its_frame_pointer_behind_the_store_of_both) {
    cr_expect_eq(set_at(WORDS(STP_PRE, MOV_FP, MOV)), 8);
    cr_expect_eq(set_at(WORDS(PACIASP, STP_PRE, MOV_FP)), 12);
    cr_expect_eq(set_at(WORDS(SUB_SP, STP_SP, MOV, ADD_FP)), 16);
    cr_expect_eq(set_at(WORDS(MOV, RET)), 0, "a leaf");
    cr_expect_eq(set_at(WORDS(STP_PRE)), 0, "not yet read");
    cr_expect_eq(set_at(WORDS(MOV_FP, RET)), 0, "nothing is saved");
    cr_expect_not(arm64_aligns((const uint8_t*)"", 0));
}

Test(arm64, a_frame_is_gone_behind_the_load_of_both) {
    static const uint32_t code[] = {MOV, LDP_SP, ADD_SP, RET, MOV};
    cr_expect_not(arm64_frame_gone((uintptr_t)(code + 1)), "the load itself");
    cr_expect(arm64_frame_gone((uintptr_t)(code + 2)));
    cr_expect(arm64_frame_gone((uintptr_t)(code + 3)));
    cr_expect_not(arm64_frame_gone((uintptr_t)(code + 4)));
    static const uint32_t tail[] = {LDP_POST, AUTIAZ, B, MOV};
    cr_expect(arm64_frame_gone((uintptr_t)(tail + 1)));
    cr_expect(arm64_frame_gone((uintptr_t)(tail + 2)), "a jump to another function");
    cr_expect_not(arm64_frame_gone((uintptr_t)(tail + 3)));
    cr_expect_not(arm64_frame_gone(8), "not readable");
}

Test(arm64, a_call_through_a_pointer_is_known_behind_it) {
    static const uint32_t code[] = {0xd63f0100, 0x94000010, 0xd61f0100,
                                    0xd503201f}; // blr x8; bl; br x8
    cr_expect(arm64_called_pointer((uintptr_t)(code + 1)));
    cr_expect_not(arm64_called_pointer((uintptr_t)(code + 2)),
                  "a call of a function that it names");
    cr_expect_not(arm64_called_pointer((uintptr_t)(code + 3)), "a jump");
    cr_expect_not(arm64_called_pointer(8), "not readable");
}

Test(arm64, a_system_call_is_known_behind_it) {
    static const uint32_t code[] = {0xd4000001, 0xd4000021, 0xd503201f}; // svc #0; svc #1; nop
    cr_expect(arm64_system_call((uintptr_t)(code + 1)));
    cr_expect_not(arm64_system_call((uintptr_t)(code + 2)), "another supervisor call");
    cr_expect_not(arm64_system_call((uintptr_t)code + sizeof code));
    cr_expect_not(arm64_system_call(8), "not readable");
}

static bool half_made(const uint32_t* words, size_t size) {
    return arm64_half_made((const uint8_t*)words, size);
}

// Whether the frame is given back at words[at].
static bool given_back(const uint32_t* words, size_t at) {
    return arm64_given_back((uintptr_t)(words + at));
}

Test(arm64, the_interpreter_has_given_a_frame_back_until_it_goes_elsewhere) {
    static uint32_t code[40];
    for (size_t i = 0; i < 40; i++) code[i] = MOV;
    code[25] = LDP_POST;
    code[28] = BLR_X8;
    cr_expect_not(given_back(code, 25), "it comes next");
    cr_expect(given_back(code, 26));
    cr_expect(given_back(code, 29), "C++ was asked where to go on");
    code[30] = RET;
    cr_expect(given_back(code, 30));
    cr_expect_not(given_back(code, 31), "other code");
    cr_expect_not(given_back(code, 24), "no frame is given back");
    cr_expect_not(arm64_given_back(8), "not readable");
}

Test(arm64, each_instruction_of_a_linkage_tables_entry_is_in_it) {
    // nop; adrp x16, page; ldr x17, [x16, #0xc58]; add x16, x16, #0xc58; br x17; nop
    static const uint32_t table[] = {MOV,        MOV,        MOV, MOV, 0x90009650, 0xf9462e11,
                                     0x91316210, 0xd61f0220, MOV, MOV, MOV,        MOV};
    for (size_t i = 3; i < 9; i++)
        cr_expect_eq(arm64_linkage((uintptr_t)(table + i)), i >= 4 && i < 8, "%zu", i);
    static const uint32_t others[][4] = {{0x90009651, 0xf9462e11, 0x91316210, 0xd61f0220},
                                         {0x90009650, 0xf9462e12, 0x91316210, 0xd61f0220},
                                         {0x90009650, 0xf9462e11, 0x91316211, 0xd61f0220},
                                         {0x90009650, 0xf9462e11, 0x91316210, 0xd61f0200}};
    for (size_t i = 0; i < 4; i++)
        cr_expect_not(arm64_linkage((uintptr_t)others[i]), "another register: %zu", i);
    cr_expect_not(arm64_linkage(8), "not readable");
}

Test(arm64, an_interpreted_frame_is_half_made_until_the_senders_stack_pointer_is_stored) {
    cr_expect(half_made(WORDS(MOV, 0xa9044fff)), "stp xzr, x19, [sp, #64]");
    cr_expect(half_made(WORDS(0xa90437ff, MOV)), "stp xzr, x13, [sp, #64]");
    cr_expect_not(half_made(WORDS(ADD_FP, 0xa9044fff)), "the frame pointer is another frame's");
    cr_expect_not(half_made(WORDS(MOV, CBZ, 0xa9044fff)), "who knows");
    cr_expect_not(half_made(WORDS(MOV, RET)));
    cr_expect_not(half_made(WORDS(PUSH_PAIR, MOV)), "the code ends");
}

Test(arm64, an_address_of_code_is_itself) {
    cr_expect_eq(processor_code(0x551dc32f80), 0x551dc32f80);
    cr_expect_eq(processor_code(0), 0);
}

static bool gives(const uint32_t* words, size_t size) {
    bool back;
    return arm64_slow_path((const uint8_t*)words, size, &back) && back;
}

Test(arm64, a_slow_path_gives_stack_back_and_jumps) {
    cr_expect(gives(WORDS(MOV, POP_ONE, B)));
    cr_expect(gives(WORDS(POP_VECTORS, MOV, POP_PAIR, B)));
    cr_expect(gives(WORDS(ADD_SP, B)));
    cr_expect_not(gives(WORDS(POP_ONE, MOV, B)), "the last one gives nothing back");
    cr_expect_not(gives(WORDS(LDP_SP, ADD_SP, B)), "a rethrow");
    cr_expect_not(gives(WORDS(POP_PAIR, RET)));
    cr_expect_not(gives(WORDS(POP_PAIR, BL, B)), "a call comes first");
    cr_expect_not(gives(WORDS(CBZ, ADD_SP, B)), "a branch comes first");
    cr_expect_not(gives(WORDS(MOV)), "the code ends");
}

static bool more(const uint32_t* words, size_t size) {
    return arm64_pops_more((const uint8_t*)words, size);
}

Test(arm64, pops_of_what_was_pushed_before_are_seen) {
    cr_expect(more(WORDS(BL, POP_PAIR, MOV)));
    cr_expect(more(WORDS(PUSH_ONE, BL, POP_ONE, POP_PAIR)));
    cr_expect_not(more(WORDS(PUSH_PAIR, BL, POP_PAIR, LDP_SP, ADD_SP, RET)));
    cr_expect_not(more(WORDS(MOV, ADD_SP, LDP_POST, RET)), "an exit");
    cr_expect_not(more(WORDS(MOV, LDP_POST, RET)), "the end of one");
    cr_expect_not(more(WORDS(MOV, MOV)), "the code ends");
}

static void shapes(uint32_t word, uint32_t wanted) {
    uint8_t bytes[4];
    memcpy(bytes, &word, sizeof word);
    cr_expect_eq(arm64_shape(bytes, sizeof bytes), 4);
    memcpy(&word, bytes, sizeof word);
    cr_expect_eq(word, wanted, "%08x", word);
}

Test(arm64, an_instruction_is_kept_without_displacement_and_immediate) {
    shapes(B, 0x14000000);
    shapes(BL, 0x94000000);
    shapes(B_HI, 0x54000008);
    shapes(CBZ, 0xb4000000);
    shapes(TBNZ, 0x37000008);
    shapes(ADRP_X8, 0x90000008);
    shapes(ADD_SP, 0x910003ff);
    shapes(MOVZ_X8, 0xd2800008);
    shapes(LDP_SP, 0xa9407bfd);
    shapes(STP_PRE, 0xa9807bfd);
    shapes(0xf9400441, 0xf9400041); // ldr x1, [x2, #8]
    shapes(0xf85f8041, 0xf8400041); // ldur x1, [x2, #-8]
    shapes(MOV, MOV);
    uint8_t few[3] = {0xc0, 0x03, 0x5f};
    cr_expect_eq(arm64_shape(few, sizeof few), 0);
}

Test(arm64, a_native_wrapper_is_left_by_its_ldp_before_it_polls) {
    static const uint32_t pending = 0xb5000048u; // cbnz x8
    exits(WORDS(LDP_POST, LDR_POLL, TBNZ, ADR_X8, STR_POLL, B), true, false, true);
    exits(WORDS(LDR_POLL, TBNZ, ADR_X8, STR_POLL, B), true, false, false);
    exits(WORDS(LDR_POLL, pending, RET), true, false, false);
    exits(WORDS(LDR_POLL, TBNZ, ADR_X8, B), false, false, false);
    exits(WORDS(LDP_POST, MOV, ADR_X8, STR_POLL, B), false, false, false);
}

// Of `count` instructions from code[1] on: each is known, and none where one of them differs.
static void stub_is_known(uint32_t* code, int count) {
    for (int i = 1; i <= count; i++) cr_expect(arm64_call_stub((uintptr_t)(code + i)), "%d", i);
    cr_expect_not(arm64_call_stub((uintptr_t)code), "another stub's end");
    cr_expect_not(arm64_call_stub((uintptr_t)(code + count + 1)));
    for (int i = 1; i <= count; i++) {
        uint32_t kept = code[i];
        code[i] = MOV;
        for (int k = 1; k <= count; k++)
            cr_expect_not(arm64_call_stub((uintptr_t)(code + k)), "%d, %d", i, k);
        code[i] = kept;
    }
}

Test(arm64, the_stub_of_a_static_call_is_known_from_each_of_its_instructions) {
    static uint32_t far[] = {BR_X8,      0xd5033fdf, 0xd283f50c, 0xf2ac080c, 0xf2c00aac,
                             0xd29f3a88, 0xf2a3bbc8, 0xf2c00aa8, BR_X8,      MOV};
    static uint32_t near[] = {BR_X8,      0xd5033fdf, 0xd29b100c, 0xf2a005ac, 0xf2c01fec,
                              0x17fde551, MOV,        MOV,        MOV,        MOV}; // 27, mode c2
    stub_is_known(far, 8);
    stub_is_known(near, 5);
    cr_expect_not(arm64_call_stub(8), "not readable");
}
