// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Functions of libraries by their instructions.
#include <criterion/criterion.h>

#include <string.h>

#include "code.h"
#include "parts.h"

#if defined(__x86_64__)

// endbr64; push rbp; mov rbp, rsp; nop; pop rbp; ret
static const uint8_t frame[64] = {0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48,
                                  0x89, 0xe5, 0x90, 0x90, 0x5d, 0xc3};
// mov rax, rdi; cqo; idiv rsi; ret
static const uint8_t leaf[64] = {0x48, 0x89, 0xf8, 0x48, 0x99, 0x48, 0xf7, 0xfe, 0xc3};

static uint32_t edge_at(uint32_t offset) {
    uint32_t edge = RESULTS_EDGE_COUNT;
    cr_expect_eq(function_shape((uintptr_t)frame, (uintptr_t)(frame + sizeof frame),
                                (uintptr_t)frame + offset, &edge),
                 RESULTS_FUNCTION_FRAME);
    return edge;
}

Test(around, a_frame_pointer_is_set_and_given_back) {
    cr_expect_eq(edge_at(0), RESULTS_EDGE_FIRST);
    cr_expect_eq(edge_at(4), RESULTS_EDGE_FIRST, "push rbp");
    cr_expect_eq(edge_at(5), RESULTS_EDGE_FIRST, "mov rbp, rsp");
    cr_expect_eq(edge_at(8), RESULTS_EDGE_MIDDLE);
    cr_expect_eq(edge_at(10), RESULTS_EDGE_MIDDLE, "pop rbp itself");
    cr_expect_eq(edge_at(11), RESULTS_EDGE_LAST, "ret");
}

Test(around, a_leaf_sets_none) {
    uint32_t edge = RESULTS_EDGE_COUNT;
    cr_expect_eq(function_shape((uintptr_t)leaf, (uintptr_t)(leaf + sizeof leaf),
                                (uintptr_t)leaf + 5, &edge),
                 RESULTS_FUNCTION_LEAF);
    cr_expect_eq(edge, RESULTS_EDGE_NONE);
}

// endbr64; push r13; lea r13, [rsp+0x10]; and rsp, -32; push [r13-8]; push rbp; mov rbp, rsp
static const uint8_t aligned[64] = {0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0x55, 0x4c, 0x8d,
                                    0x6c, 0x24, 0x10, 0x48, 0x83, 0xe4, 0xe0, 0x41,
                                    0xff, 0x75, 0xf8, 0x55, 0x48, 0x89, 0xe5, 0xc3};
// push rbp; mov rbp, rsp; and rsp, -32
static const uint8_t aligned_behind[64] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xe4, 0xe0, 0xc3};

Test(around, a_function_may_align_its_stack_before_it_sets_the_frame_pointer) {
    cr_expect(function_aligns((uintptr_t)aligned, (uintptr_t)(aligned + sizeof aligned)));
    cr_expect_not(function_aligns((uintptr_t)aligned, (uintptr_t)(aligned + 20)), "cut off");
    cr_expect_not(function_aligns((uintptr_t)aligned_behind,
                                  (uintptr_t)(aligned_behind + sizeof aligned_behind)),
                  "the frame pointer comes first");
    cr_expect_not(function_aligns((uintptr_t)frame, (uintptr_t)(frame + sizeof frame)));
    cr_expect_not(function_aligns((uintptr_t)leaf, (uintptr_t)(leaf + sizeof leaf)));
    cr_expect_not(function_aligns(8, 64), "not readable");
}

Test(around, the_next_functions_frame_is_none_of_the_leafs) {
    uint8_t two[64] = {0xc3};
    uint32_t edge;
    memcpy(two + 16, frame, sizeof two - 16);
    uintptr_t begin = (uintptr_t)two;
    cr_expect_eq(function_shape(begin, begin + 16, begin, &edge), RESULTS_FUNCTION_LEAF);
    cr_expect_eq(function_shape(begin, begin + 64, begin, &edge), RESULTS_FUNCTION_FRAME);
}

Test(around, a_function_that_cannot_be_read_or_found_is_none) {
    uint32_t edge;
    cr_expect_eq(code_function((uintptr_t)frame, &edge), RESULTS_FUNCTION_NONE, "no function");
    cr_expect_eq(function_shape(8, 64, 8, &edge), RESULTS_FUNCTION_NONE);
}

// mov rax, [rsp+8]; mov rcx, [rsp+16]; add rsp, 0x40; jmp back
static const uint8_t slow_path[512] = {0x48, 0x8b, 0x44, 0x24, 0x08, 0x48, 0x8b, 0x4c, 0x24, 0x10,
                                       0x48, 0x83, 0xc4, 0x40, 0xe9, 0x00, 0x01, 0x00, 0x00};
// the same, add rsp with 32 bits; jmp short
static const uint8_t long_path[512] = {0x48, 0x81, 0xc4, 0x00, 0x01, 0x00, 0x00, 0xeb, 0x10};
// mov rax, rdx; add rsp, 0x20; pop rbp; ret
static const uint8_t epilogue[512] = {0x48, 0x89, 0xd0, 0x48, 0x83, 0xc4, 0x20, 0x5d, 0xc3};
// test eax, eax; je +4; add rsp, 0x20; jmp back
static const uint8_t branch[512] = {0x85, 0xc0, 0x74, 0x04, 0x48, 0x83, 0xc4,
                                    0x20, 0xe9, 0x00, 0x01, 0x00, 0x00};

// As C1 checks types for arraycopy: push rsi; push rcx; cmp rsi, rcx; je; push rsi; push rcx; call;
// pop rcx; pop rsi; test rcx, rcx; jne; pop rcx; pop rsi; add rsp, 0x40; pop rbp; ret
static const uint8_t type_check[512] = {0x56, 0x51, 0x48, 0x3b, 0xf1, 0x74, 0x10, 0x56, 0x51, 0xe8,
                                        0x00, 0x01, 0x00, 0x00, 0x59, 0x5e, 0x48, 0x85, 0xc9, 0x75,
                                        0x02, 0x59, 0x5e, 0x48, 0x83, 0xc4, 0x40, 0x5d, 0xc3};
// xor eax, eax; pop rbp; ret
static const uint8_t smallest[512] = {0x31, 0xc0, 0x5d, 0xc3};

Test(around, a_type_check_pops_what_was_pushed_before) {
    uintptr_t at = (uintptr_t)type_check;
    cr_expect_not(code_pops_more(at), "nothing is pushed yet");
    cr_expect(code_pops_more(at + 1));
    cr_expect(code_pops_more(at + 2), "at the comparison");
    cr_expect(code_pops_more(at + 9), "at the call");
    cr_expect(code_pops_more(at + 14), "behind the call");
    cr_expect(code_pops_more(at + 21), "at the last two");
    cr_expect_not(code_pops_more(at + 23), "all is popped");
    cr_expect_not(code_pops_more((uintptr_t)smallest), "an epilogue");
    cr_expect_not(code_pops_more((uintptr_t)slow_path), "no pops");
    cr_expect_not(code_pops_more(8), "no code");
}

Test(around, a_slow_path_gives_stack_back_and_jumps) {
    cr_expect(code_gives_back((uintptr_t)slow_path));
    cr_expect(code_gives_back((uintptr_t)long_path));
    cr_expect_not(code_gives_back((uintptr_t)epilogue), "an epilogue");
    cr_expect_not(code_gives_back((uintptr_t)branch), "a branch comes first");
    cr_expect_not(code_gives_back(8), "no code");
}

#endif

Test(around, without_generated_code_nothing_lies_on_the_stack) {
    uintptr_t words[4] = {1, (uintptr_t)&words, UINTPTR_MAX, 0};
    struct code_call call;
    const struct code_place none = {.kind = RESULTS_CODE_UNKNOWN};
    uintptr_t low = (uintptr_t)words, high = (uintptr_t)(words + 4);
    cr_expect_eq(code_under(low, high, high, false), 0);
    cr_expect_eq(code_under(high, low, high, false), 0, "an empty range");
    cr_expect_not(code_call_of(&(struct code_called){0, &none, low, low, high, 0}, &call));
    cr_expect_not(code_call_of(&(struct code_called){0, &none, low + 1, low, high, 0}, &call),
                  "no stack pointer");
}
