// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Functions of libraries by their instructions.
#include <criterion/criterion.h>

#include <string.h>

#include "code.h"
#include "codetables.h"
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

// As os::javaTimeMillis of 17: push rbp; mov rbp, rsp; nop; leave; imul rcx; sar rcx, 63; ret; then
// a body that returns behind `leave`; and one that calls before it returns
static const uint8_t delayed[64] = {0x55, 0x48, 0x89, 0xe5, 0x90, 0xc9, 0x48, 0xf7,
                                    0xe9, 0x48, 0xc1, 0xf9, 0x3f, 0xc3, 0x90, 0x90,
                                    0xe8, 0x00, 0x00, 0x00, 0x00, 0x90, 0xc9, 0xc3};

Test(around, a_frame_pointer_may_be_given_back_some_instructions_before_the_return) {
    static const struct {
        uint32_t offset, edge;
    } places[] = {{4, RESULTS_EDGE_MIDDLE},  {5, RESULTS_EDGE_MIDDLE},  {6, RESULTS_EDGE_LAST},
                  {9, RESULTS_EDGE_LAST},    {13, RESULTS_EDGE_LAST},   {16, RESULTS_EDGE_MIDDLE},
                  {21, RESULTS_EDGE_MIDDLE}, {22, RESULTS_EDGE_MIDDLE}, {23, RESULTS_EDGE_LAST}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        uint32_t edge = RESULTS_EDGE_COUNT;
        function_shape((uintptr_t)delayed, (uintptr_t)(delayed + sizeof delayed),
                       (uintptr_t)delayed + places[i].offset, &edge);
        cr_expect_eq(edge, places[i].edge, "at %u", places[i].offset);
    }
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
// sub rsp, 0x10; mov [rsp], r8; lea rsi, [r10+0x10]; call; mov r11, rax; mov r8, [rsp]; vzeroupper;
// add rsp, 0x10; jmp back
static const uint8_t spill[1024] = {0x48, 0x83, 0xec, 0x10, 0x4c, 0x89, 0x04, 0x24, 0x49,
                                    0x8d, 0x72, 0x10, 0xe8, 0x00, 0x01, 0x00, 0x00, 0x4c,
                                    0x8b, 0xd8, 0x4c, 0x8b, 0x04, 0x24, 0xc5, 0xf8, 0x77,
                                    0x48, 0x83, 0xc4, 0x10, 0xe9, 0x81, 0xee, 0xff, 0xff};
// push rax; sub rsp, 0x10; mov [rsp], rdi; call; add rsp, 0x10; mov rdi, rax; pop rax; jmp back
static const uint8_t c1_spill[1024] = {0x50, 0x48, 0x83, 0xec, 0x10, 0x48, 0x89, 0x3c, 0x24,
                                       0xe8, 0x48, 0xbc, 0x5c, 0x07, 0x48, 0x83, 0xc4, 0x10,
                                       0x48, 0x8b, 0xf8, 0x58, 0xe9, 0x5b, 0xf5, 0xff, 0xff};
// add rsp, 0x20; pop rbp; jmp elsewhere
static const uint8_t rethrow[1024] = {0x48, 0x83, 0xc4, 0x20, 0x5d, 0xe9, 0x00, 0x01, 0x00, 0x00};
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
    uintptr_t at = (uintptr_t)spill;
    cr_expect_not(code_gives_back(at), "nothing is taken yet");
    cr_expect(code_gives_back(at + 4), "behind the taking");
    cr_expect(code_gives_back(at + 12), "at the call");
    cr_expect(code_gives_back(at + 17), "behind the call");
    cr_expect(code_gives_back(at + 27), "at the giving");
    cr_expect_not(code_gives_back(at + 31), "all is given back");
    at = (uintptr_t)c1_spill;
    cr_expect(code_gives_back(at + 5), "behind the taking");
    cr_expect(code_gives_back(at + 14), "behind the call");
    cr_expect(code_gives_back(at + 18), "what was pushed first is left");
    cr_expect(code_gives_back(at + 21), "at the pop");
    cr_expect_not(code_gives_back(at + 22), "all is given back");
    cr_expect_not(code_gives_back((uintptr_t)rethrow), "a rethrow");
}

// mov rdx, rax; vzeroupper; jmp back
static const uint8_t no_spill[1024] = {0x48, 0x8b, 0xd0, 0xc5, 0xf8, 0x77,
                                       0xe9, 0x9e, 0xf6, 0xff, 0xff};

Test(around, a_slow_path_that_saves_nothing_jumps_away) {
    cr_expect(code_jumps_away((uintptr_t)no_spill));
    cr_expect_not(code_gives_back((uintptr_t)no_spill));
    cr_expect(code_jumps_away((uintptr_t)slow_path));
    cr_expect_not(code_jumps_away((uintptr_t)epilogue), "it returns");
    cr_expect_not(code_jumps_away((uintptr_t)branch), "a branch comes first");
    cr_expect_not(code_jumps_away(8), "no code");
    cr_expect_not(code_gives_back(8), "no code");
}

// call [rax]; nop; call rdx; nop; call [r12+8]; nop; call [rip+16]; nop; call 0; nop; jmp [rax];
// nop
static const uint8_t calls[64] = {0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0x10, 0x90, 0xff, 0xd2, 0x90,
                                  0x41, 0xff, 0x54, 0x24, 0x08, 0x90, 0xff, 0x15, 0x10, 0x00, 0x00,
                                  0x00, 0x90, 0xe8, 0x00, 0x00, 0x00, 0x00, 0x90, 0xff, 0x20, 0x90};

// A stack with Java's return address into the stub, a saved register, and a saved frame pointer and
// return address. What is found where the latter is calls + offset.
static bool finds_caller(uint32_t offset, bool saved_pointer) {
    uintptr_t text = (uintptr_t)calls, stack[8] = {1, 77, 2, text + 7, 3};
    stack[5] = saved_pointer ? (uintptr_t)(stack + 7) : 5;
    stack[6] = text + offset;
    code.call_return = 77;
    code.jvm_text = (struct code_range){text, text + sizeof calls};
    const uintptr_t* at = around_entry_caller(stack, stack + 8);
    cr_expect(at == NULL || at == stack + 6);
    return at != NULL;
}

Test(around, the_function_that_enters_java_calls_through_a_pointer) {
    cr_expect(finds_caller(7, true), "call [rax]");
    cr_expect(finds_caller(10, true), "call rdx");
    cr_expect(finds_caller(16, true), "call [r12+8]");
    cr_expect(finds_caller(23, true), "call [rip+16]");
    cr_expect_not(finds_caller(29, true), "a call of a function that it names");
    cr_expect_not(finds_caller(32, true), "a jump");
    cr_expect_not(finds_caller(6, true), "within an instruction");
    cr_expect_not(finds_caller(7, false), "a saved register: no frame pointer before it");
}

Test(around, the_oldest_of_several_is_no_left_over) {
    uintptr_t text = (uintptr_t)calls, stack[12] = {1, 77, 2, 3, 4, 5, 77, 6};
    stack[3] = (uintptr_t)(stack + 8);
    stack[4] = text + 10; // of a call that has returned
    stack[8] = (uintptr_t)(stack + 11);
    stack[9] = text + 7;
    code.call_return = 77;
    code.jvm_text = (struct code_range){text, text + sizeof calls};
    cr_expect_eq(around_entry_caller(stack, stack + 12), stack + 4);
    cr_expect_eq(around_oldest_caller(stack, stack + 12), stack + 9);
    stack[6] = 5; // one alone
    cr_expect_eq(around_oldest_caller(stack, stack + 12), stack + 4);
    stack[1] = 5;
    cr_expect_null(around_oldest_caller(stack, stack + 12));
}

Test(around, a_stack_without_the_stub_has_no_such_function) {
    uintptr_t text = (uintptr_t)calls, stack[3] = {1, (uintptr_t)(stack + 2), text + 7};
    code.call_return = 77;
    code.jvm_text = (struct code_range){text, text + sizeof calls};
    cr_expect_null(around_entry_caller(stack, stack + 3));
    stack[2] = 77;
    cr_expect_null(around_entry_caller(stack, stack + 3), "at the end");
}

#endif

// ---- Signal handlers ----------------------------------------------------------------------------

// Two frames of C above a word: the handler's own, and that of the function which it called.
enum { HANDLER_TO = 0x7000 };
static bool in_handler(uintptr_t older_return) {
    uintptr_t stack[10] = {0, 0, 0, 0x5000, 0, 0, older_return, 0, 0, 0};
    const struct code_place none = {.kind = RESULTS_CODE_NATIVE};
    uintptr_t low = (uintptr_t)stack;
    stack[2] = (uintptr_t)(stack + 5);
    stack[5] = (uintptr_t)(stack + 8);
    return code_in_handler(&(struct code_called){.pc = 0x4000,
                                                 .place = &none,
                                                 .sp = low,
                                                 .fp = (uintptr_t)(stack + 2),
                                                 .end = (uintptr_t)(stack + 10)});
}

Test(around, a_handler_is_known_by_where_it_returns_to) {
    cr_expect_not(in_handler(HANDLER_TO), "before any handler of ours has run");
    code_handler_returns(HANDLER_TO);
    cr_expect(in_handler(HANDLER_TO));
    cr_expect_not(in_handler(0x6000));
}

Test(around, a_word_of_an_earlier_signal_is_no_handler) {
    uintptr_t stack[6] = {0, HANDLER_TO, 0, 0x5000, 0, 0};
    const struct code_place none = {.kind = RESULTS_CODE_NATIVE};
    struct code_called called = {.pc = 0x4000,
                                 .place = &none,
                                 .sp = (uintptr_t)stack,
                                 .fp = (uintptr_t)(stack + 2),
                                 .end = (uintptr_t)(stack + 6)};
    code_handler_returns(HANDLER_TO);
    cr_expect_not(code_in_handler(&called));
    called.fp = called.sp - 8;
    cr_expect_not(code_in_handler(&called), "a frame pointer that is none");
    called.sp += 1;
    cr_expect_not(code_in_handler(&called), "a stack pointer that is none");
}

Test(around, without_generated_code_nothing_lies_on_the_stack) {
    uintptr_t words[4] = {1, (uintptr_t)&words, UINTPTR_MAX, 0};
    struct code_call call;
    const struct code_place none = {.kind = RESULTS_CODE_UNKNOWN};
    uintptr_t low = (uintptr_t)words, high = (uintptr_t)(words + 4);
    cr_expect_eq(code_under(low, high, high, false), 0);
    cr_expect_eq(code_under(high, low, high, false), 0, "an empty range");
    cr_expect_not(code_call_of(&(struct code_called){0, &none, low, low, high, 0, 0}, &call));
    cr_expect_not(code_call_of(&(struct code_called){0, &none, low + 1, low, high, 0, 0}, &call),
                  "no stack pointer");
}
