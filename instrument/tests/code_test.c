// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The instructions: the insertions, and the targets of branches and switches.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

// The sequences of method number 7; 26, 29 and 32 are the Methodrefs added to the assembler's pool.
#define NUMBER 0x11, 0, 7
#define PUSH NUMBER, 184, 0, 26
#define POP NUMBER, 184, 0, 29
#define CAUGHT NUMBER, 184, 0, 32
#define HANDLER CAUGHT, POP, 191

enum { RETURN = 177, NOP = 0, GOTO = 167, GOTO_W = 200, IFEQ = 153, IFNE = 154, ICONST_0 = 3 };

static void expect_code(unsigned major, const uint8_t* code, size_t length, const uint8_t* expected,
                        size_t expected_length) {
    struct test_method method = {.max_stack = 2, .code = code, .code_length = length};
    struct rewriting rewriting = {0};
    rewrite_one(&rewriting, major, &method);
    struct found found = find_code(&rewriting.result, 0);
    expect_bytes(found.code, found.code_length, expected, expected_length);
    rewriting_free(&rewriting);
}

Test(code, entry_is_pushed_and_each_return_popped) {
    expect_code(52, BYTES(RETURN), BYTES(PUSH, POP, RETURN, HANDLER));
    expect_code(49, BYTES(RETURN), BYTES(PUSH, POP, RETURN, HANDLER));
    expect_code(52, BYTES(ICONST_0, 172), BYTES(PUSH, ICONST_0, POP, 172, HANDLER));
    expect_code(52, BYTES(9, 173), BYTES(PUSH, 9, POP, 173, HANDLER));
    expect_code(52, BYTES(11, 174), BYTES(PUSH, 11, POP, 174, HANDLER));
    expect_code(52, BYTES(14, 175), BYTES(PUSH, 14, POP, 175, HANDLER));
    expect_code(52, BYTES(1, 176), BYTES(PUSH, 1, POP, 176, HANDLER));
}

Test(code, athrow_is_left_to_the_handler) {
    expect_code(52, BYTES(1, 191), BYTES(PUSH, 1, 191, HANDLER));
}

Test(code, branch_to_the_start_goes_behind_the_push) {
    expect_code(49, BYTES(NOP, GOTO, 0xff, 0xff), BYTES(PUSH, NOP, GOTO, 0xff, 0xff, HANDLER));
}

Test(code, branch_to_a_return_goes_to_its_pop) {
    // iconst_0; ifeq +4; return; return
    expect_code(49, BYTES(ICONST_0, IFEQ, 0, 4, RETURN, RETURN),
                BYTES(PUSH, ICONST_0, IFEQ, 0, 10, POP, RETURN, POP, RETURN, HANDLER));
}

Test(code, far_branches_keep_their_form) {
    expect_code(49, BYTES(GOTO_W, 0, 0, 0, 6, RETURN, RETURN),
                BYTES(PUSH, GOTO_W, 0, 0, 0, 12, POP, RETURN, POP, RETURN, HANDLER));
}

Test(code, subroutines_are_kept) {
    // jsr +4; return; astore_0; ret 0
    struct test_method method = {.max_stack = 1,
                                 .max_locals = 1,
                                 .code = (uint8_t[]){168, 0, 4, RETURN, 75, 169, 0},
                                 .code_length = 7};
    struct rewriting rewriting = {0};
    rewrite_one(&rewriting, 48, &method);
    struct found found = find_code(&rewriting.result, 0);
    expect_bytes(found.code, found.code_length,
                 BYTES(PUSH, 168, 0, 10, POP, RETURN, 75, 169, 0, HANDLER));
    rewriting_free(&rewriting);
}

Test(code, wide_instructions_are_copied) {
    expect_code(49, BYTES(196, 132, 1, 0, 0, 1, 196, 21, 1, 0, 87, RETURN),
                BYTES(PUSH, 196, 132, 1, 0, 0, 1, 196, 21, 1, 0, 87, POP, RETURN, HANDLER));
}

Test(code, nops_keep_the_padding_of_a_tableswitch) {
    // iconst_0; tableswitch (2 bytes of padding) default +15 0..0: +15... all to the return at 20
    const uint8_t code[] = {ICONST_0, 170, 0, 0, 0, 0, 0, 19, 0,  0,     0,
                            0,        0,   0, 0, 0, 0, 0, 0,  19, RETURN};
    expect_code(49, code, sizeof code,
                BYTES(PUSH, ICONST_0, NOP, NOP, 170, 0, 0, 0, 0, 0, 19, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                      0, 0, 19, POP, RETURN, HANDLER));
}

Test(code, lookupswitch_offsets_follow_their_targets) {
    // iconst_0; lookupswitch default +19 (20), 5: +20 (21)
    const uint8_t code[] = {ICONST_0, 171, 0, 0, 0, 0, 0, 19, 0,  0,      0,
                            1,        0,   0, 0, 5, 0, 0, 0,  20, RETURN, RETURN};
    expect_code(49, code, sizeof code,
                BYTES(PUSH, ICONST_0, NOP, NOP, 171, 0, 0, 0, 0, 0, 19, 0, 0, 0, 1, 0, 0, 0, 5, 0,
                      0, 0, 26, POP, RETURN, POP, RETURN, HANDLER));
}

Test(code, number_that_sipush_cannot_hold_comes_from_the_pool) {
    struct test_method method = {.code = (uint8_t[]){RETURN}, .code_length = 1};
    struct rewriting rewriting = {.next = 32768};
    rewrite_one(&rewriting, 52, &method);
    struct found found = find_code(&rewriting.result, 0);
    expect_bytes(found.code, 6, BYTES(0x13, 0, 36, 184, 0, 26));
    expect_bytes(find_entry(&rewriting.result, 36), 5, BYTES(3, 0, 0, 128, 0));
    cr_expect_eq(rewriting.result.methods[0].number, 32768u);
    rewriting_free(&rewriting);
}

Test(code, last_number_of_sipush_is_pushed_by_it) {
    struct test_method method = {.code = (uint8_t[]){RETURN}, .code_length = 1};
    struct rewriting rewriting = {.next = 32767};
    rewrite_one(&rewriting, 52, &method);
    struct found found = find_code(&rewriting.result, 0);
    expect_bytes(found.code, 6, BYTES(0x11, 0x7f, 0xff, 184, 0, 26));
    rewriting_free(&rewriting);
}

Test(code, stack_grows_by_the_number) {
    struct test_method method = {.max_stack = 5, .code = (uint8_t[]){RETURN}, .code_length = 1};
    struct rewriting rewriting = {0};
    rewrite_one(&rewriting, 52, &method);
    cr_expect_eq(find_code(&rewriting.result, 0).max_stack, 6);
    rewriting_free(&rewriting);
    method.max_stack = 0;
    rewriting = (struct rewriting){0};
    rewrite_one(&rewriting, 52, &method);
    cr_expect_eq(find_code(&rewriting.result, 0).max_stack, 2);
    rewriting_free(&rewriting);
}

// ---- Handlers of the program ---------------------------------------------------------------

static struct found rewrite_handler(struct rewriting* rewriting, const uint8_t* code, size_t length,
                                    const uint16_t (*table)[4], size_t count) {
    struct test_method method = {.max_stack = 2,
                                 .max_locals = 1,
                                 .code = code,
                                 .code_length = length,
                                 .exceptions = table,
                                 .exception_count = count};
    rewrite_one(rewriting, 49, &method);
    return find_code(&rewriting->result, 0);
}

// Expects a caught call before the handler, which is at 1. The handler covers the nop at 0.
static void expect_handler(const uint8_t* code, size_t length, const uint8_t* expected,
                           size_t expected_length) {
    const uint16_t table[][4] = {{0, 1, 1, 0}};
    struct rewriting rewriting = {0};
    struct found found = rewrite_handler(&rewriting, code, length, table, 1);
    expect_bytes(found.code, found.code_length, expected, expected_length);
    expect_range(&found, 0, 6, 7, 7);
    cr_expect_eq(found.max_stack, 3);
    rewriting_free(&rewriting);
}

Test(caught, comes_first_in_a_handler_whatever_it_begins_with) {
    expect_handler(BYTES(NOP, 87, RETURN), BYTES(PUSH, NOP, CAUGHT, 87, POP, RETURN, HANDLER));
    expect_handler(BYTES(NOP, RETURN), BYTES(PUSH, NOP, CAUGHT, POP, RETURN, HANDLER));
    expect_handler(BYTES(NOP, 191), BYTES(PUSH, NOP, CAUGHT, 191, HANDLER));
    expect_handler(BYTES(NOP, 196, 58, 0, 0, RETURN), // wide astore
                   BYTES(PUSH, NOP, CAUGHT, 196, 58, 0, 0, POP, RETURN, HANDLER));
    expect_handler(BYTES(NOP, 198, 0, 4, NOP, RETURN), // ifnull to the return
                   BYTES(PUSH, NOP, CAUGHT, 198, 0, 4, NOP, POP, RETURN, HANDLER));
    expect_handler(BYTES(NOP, GOTO_W, 0, 0, 0, 5, RETURN),
                   BYTES(PUSH, NOP, CAUGHT, GOTO_W, 0, 0, 0, 5, POP, RETURN, HANDLER));
    expect_handler(BYTES(NOP, 168, 0, 3, RETURN), // jsr
                   BYTES(PUSH, NOP, CAUGHT, 168, 0, 3, POP, RETURN, HANDLER));
    expect_handler(BYTES(NOP, 187, 0, P_OBJECT, RETURN),
                   BYTES(PUSH, NOP, CAUGHT, 187, 0, P_OBJECT, POP, RETURN, HANDLER));
}

Test(caught, branch_to_a_handler_goes_to_its_call) {
    expect_handler(BYTES(NOP, NOP, GOTO, 0xff, 0xff),
                   BYTES(PUSH, NOP, CAUGHT, NOP, GOTO, 0xff, 0xf9, HANDLER));
}

Test(caught, handler_at_the_start_has_its_call_behind_the_push) {
    const uint16_t table[][4] = {{1, 2, 0, 0}};
    const uint8_t code[] = {NOP, RETURN};
    struct rewriting rewriting = {0};
    struct found found = rewrite_handler(&rewriting, code, sizeof code, table, 1);
    expect_bytes(found.code, found.code_length, BYTES(PUSH, CAUGHT, NOP, POP, RETURN, HANDLER));
    expect_range(&found, 0, 19, 20, 6);
    const struct instrument_method* method = rewriting.result.methods;
    cr_expect_eq(method->insertion_count, 4u);
    cr_expect_eq(method->insertions[1].start, 6);
    cr_expect_eq(method->insertions[1].length, 6);
    cr_expect_eq(instrument_old_bci(method->insertions, 4, 11), 0u);
    cr_expect_eq(instrument_old_bci(method->insertions, 4, 12), 0u);
    cr_expect_eq(instrument_old_bci(method->insertions, 4, 13), 1u);
    rewriting_free(&rewriting);
}

Test(caught, call_stands_before_the_nops_of_a_switch) {
    // return; tableswitch (2 bytes of padding) default +19 0..0: +19
    const uint8_t code[] = {RETURN, 170, 0, 0, 0, 0, 0, 19, 0,  0,     0,
                            0,      0,   0, 0, 0, 0, 0, 0,  19, RETURN};
    const uint16_t table[][4] = {{0, 1, 1, 0}};
    struct rewriting rewriting = {0};
    struct found found = rewrite_handler(&rewriting, code, sizeof code, table, 1);
    expect_bytes(found.code, found.code_length,
                 BYTES(PUSH, POP, RETURN, CAUGHT, NOP, NOP, 170, 0, 0, 0, 0, 0, 19, 0, 0, 0, 0, 0,
                       0, 0, 0, 0, 0, 0, 19, POP, RETURN, HANDLER));
    const struct instrument_insertion* insertions = rewriting.result.methods[0].insertions;
    cr_assert_eq(rewriting.result.methods[0].insertion_count, 6u);
    cr_expect(insertions[2].start == 13 && insertions[2].length == 6 && insertions[2].call == 1);
    cr_expect(insertions[3].start == 19 && insertions[3].length == 2 && insertions[3].call == 0);
    cr_expect(insertions[2].old_bci == 1 && insertions[3].old_bci == 1);
    rewriting_free(&rewriting);
    // Without the return the call moves the switch by a multiple of four: no nops.
    uint8_t even[sizeof code];
    memcpy(even, code, sizeof even);
    even[0] = NOP;
    expect_handler(even, sizeof even,
                   BYTES(PUSH, NOP, CAUGHT, 170, 0, 0, 0, 0, 0, 19, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                         19, POP, RETURN, HANDLER));
}

Test(caught, call_and_pop_of_a_return_are_one_insertion) {
    const uint16_t table[][4] = {{0, 1, 1, 0}};
    const uint8_t code[] = {NOP, RETURN};
    struct rewriting rewriting = {0};
    rewrite_handler(&rewriting, code, sizeof code, table, 1);
    const struct instrument_method* method = rewriting.result.methods;
    cr_assert_eq(method->insertion_count, 3u);
    cr_expect_eq(method->insertions[1].start, 7);
    cr_expect_eq(method->insertions[1].length, 12);
    cr_expect_eq(method->insertions[1].old_bci, 1);
    cr_expect_eq(method->insertions[1].call, 1);
    cr_expect_eq(method->insertions[2].start, 20);
    cr_expect_eq(method->insertions[2].length, 13);
    rewriting_free(&rewriting);
}

Test(caught, one_call_serves_all_entries_of_a_handler) {
    const uint16_t table[][4] = {{0, 1, 2, P_OBJECT}, {1, 2, 2, 0}, {0, 2, 2, 0}};
    const uint8_t code[] = {NOP, NOP, 87, RETURN};
    struct rewriting rewriting = {0};
    struct found found = rewrite_handler(&rewriting, code, sizeof code, table, 3);
    expect_bytes(found.code, found.code_length,
                 BYTES(PUSH, NOP, NOP, CAUGHT, 87, POP, RETURN, HANDLER));
    rewriting_free(&rewriting);
}

Test(caught, handler_that_releases_a_monitor_begins_as_it_did) {
    // aconst_null; monitorenter; nop; aconst_null; monitorexit; return; -- 6: astore_0;
    // aconst_null; monitorexit; aload_0; athrow
    const uint8_t code[] = {1, 194, NOP, 1, 195, RETURN, 75, 1, 195, 42, 191};
    const uint16_t table[][4] = {{2, 5, 6, 0}, {6, 9, 6, 0}};
    struct rewriting rewriting = {0};
    struct found found = rewrite_handler(&rewriting, code, sizeof code, table, 2);
    expect_bytes(found.code, found.code_length,
                 BYTES(PUSH, 1, 194, NOP, 1, 195, POP, RETURN, 75, 1, 195, 42, 191, HANDLER));
    expect_range(&found, 0, 8, 11, 18);
    expect_range(&found, 1, 18, 21, 18); // covers itself, but no inserted code
    rewriting_free(&rewriting);
}

Test(caught, handlers_beside_monitors_keep_their_call) {
    // 0: nop; return; -- 2: pop; return; -- 4: pop; aconst_null; monitorenter; aconst_null;
    // monitorexit; return; -- 10: nop; 11: aconst_null; monitorexit; athrow
    const uint8_t code[] = {NOP, RETURN, 87, RETURN, 87, 1, 194, 1, 195, RETURN, NOP, 1, 195, 191};
    const uint16_t table[][4] = {{0, 1, 2, 0}, {0, 1, 4, 0}, {0, 1, 10, 0}, {0, 1, 11, 0}};
    struct rewriting rewriting = {0};
    struct found found = rewrite_handler(&rewriting, code, sizeof code, table, 4);
    expect_bytes(found.code, found.code_length,
                 BYTES(PUSH, NOP, POP, RETURN, CAUGHT, 87, POP, RETURN, CAUGHT, 87, 1, 194, 1, 195,
                       POP, RETURN, NOP, 1, 195, 191, HANDLER));
    rewriting_free(&rewriting);
}

static void expect_jump_back(unsigned nops, unsigned opcode, uint32_t offset) {
    struct bytes code = {0};
    for (unsigned i = 0; i < nops; i++) put_u1(&code, NOP);
    put_u1(&code, GOTO);
    put_u2(&code, 65536 - nops);
    const uint16_t table[][4] = {{0, 1, (uint16_t)nops, 0}};
    struct rewriting rewriting = {0};
    struct found found = rewrite_handler(&rewriting, code.data, code.length, table, 1);
    const uint8_t* jump = found.code + 6 + nops + 6; // behind push and caught
    cr_expect_eq(jump[0], opcode);
    uint32_t actual = jump[0] == GOTO ? get_u2(jump + 1) | 0xffff0000 : get_u4(jump + 1);
    cr_expect_eq(actual, offset);
    rewriting_free(&rewriting);
    bytes_free(&code);
}

// The caught call lies between the branch and its target, so the branch may no longer reach.
Test(caught, backward_branch_at_the_start_of_a_handler_counts_the_call) {
    expect_jump_back(32761, GOTO, (uint32_t)-32767);
    expect_jump_back(32762, GOTO_W, (uint32_t)-32768);
    expect_jump_back(32767, GOTO_W, (uint32_t)-32773);
}

// ---- Widening ------------------------------------------------------------------------------

// Code: `first` (3 bytes, a branch to the last instruction), nops with a return after every 1,000
// of them, and a return.
static struct bytes long_code(unsigned opcode, unsigned nops) {
    struct bytes code = {0};
    put_u1(&code, opcode);
    put_u2(&code, 0);
    for (unsigned i = 1; i <= nops; i++) {
        put_u1(&code, NOP);
        if (i % 1000) continue;
        put(&code, BYTES(ICONST_0, IFEQ, 0, 4, RETURN));
    }
    put_u1(&code, RETURN);
    unsigned target = (unsigned)code.length - 1;
    code.data[1] = (uint8_t)(target >> 8);
    code.data[2] = (uint8_t)target;
    return code;
}

static void rewrite_long(struct rewriting* rewriting, unsigned major, unsigned opcode,
                         unsigned nops, const struct bytes* attributes) {
    struct bytes code = long_code(opcode, nops);
    struct test_method method = {.max_stack = 1,
                                 .code = code.data,
                                 .code_length = code.length,
                                 .attributes = attributes,
                                 .attribute_count = attributes != NULL};
    struct test_class class = {.major = major, .methods = &method, .method_count = 1};
    rewriting->next = 7;
    rewrite(rewriting, &class);
    cr_assert_eq(rewriting->status, 0);
    bytes_free(&code);
}

Test(code, goto_that_reaches_too_far_becomes_goto_w) {
    struct rewriting rewriting = {0};
    rewrite_long(&rewriting, 49, GOTO, 32500, NULL);
    cr_assert_eq(rewriting.result.methods[0].refusal, INSTRUMENT_NONE);
    struct found found = find_code(&rewriting.result, 0);
    cr_expect_eq(found.code[6], GOTO_W);
    cr_expect_eq(6 + get_u4(found.code + 7), found.code_length - 20); // the last pop
    const struct instrument_insertion* widened = &rewriting.result.methods[0].insertions[1];
    cr_expect_eq(widened->start, 9);
    cr_expect_eq(widened->length, 2);
    cr_expect_eq(widened->old_bci, 0);
    cr_expect_eq(widened->call, 0);
    rewriting_free(&rewriting);
}

Test(code, conditional_branch_that_reaches_too_far_is_inverted) {
    struct rewriting rewriting = {0};
    rewrite_long(&rewriting, 49, IFEQ, 32500, NULL);
    cr_assert_eq(rewriting.result.methods[0].refusal, INSTRUMENT_NONE);
    struct found found = find_code(&rewriting.result, 0);
    expect_bytes(found.code + 6, 4, BYTES(IFNE, 0, 8, GOTO_W));
    cr_expect_eq(9 + get_u4(found.code + 10), found.code_length - 20);
    rewriting_free(&rewriting);
}

Test(code, every_conditional_branch_has_its_opposite) {
    static const uint8_t pairs[][2] = {{153, 154}, {155, 156}, {157, 158}, {159, 160},
                                       {161, 162}, {163, 164}, {165, 166}, {198, 199}};
    for (size_t i = 0; i < 2 * sizeof pairs / sizeof *pairs; i++) {
        struct rewriting rewriting = {0};
        rewrite_long(&rewriting, 49, pairs[i / 2][i % 2], 32500, NULL);
        cr_expect_eq(find_code(&rewriting.result, 0).code[6], pairs[i / 2][1 - i % 2]);
        rewriting_free(&rewriting);
    }
}

Test(code, inverting_without_a_frame_to_land_on_is_refused) {
    struct rewriting rewriting = {0};
    rewrite_long(&rewriting, 52, IFEQ, 32500, NULL);
    cr_expect_eq(rewriting.result.methods[0].refusal, INSTRUMENT_CODE_TOO_LARGE);
    rewriting_free(&rewriting);
}

Test(code, inverting_lands_on_the_frame_that_is_there) {
    struct bytes attributes = {0};
    put_u2(&attributes, P_FRAMES);
    put_u4(&attributes, 3);
    put_u2(&attributes, 1);
    put_u1(&attributes, 3); // same, at the instruction after the branch
    struct rewriting rewriting = {0};
    rewrite_long(&rewriting, 52, IFEQ, 32500, &attributes);
    cr_expect_eq(rewriting.result.methods[0].refusal, INSTRUMENT_NONE);
    cr_expect_eq(find_code(&rewriting.result, 0).code[6], IFNE);
    rewriting_free(&rewriting);
    bytes_free(&attributes);
}

// The code ends with an unreachable branch back to its start, which the insertions move out of
// reach. Inverted, the branch would have to land behind the code.
Test(code, last_branch_that_would_have_to_be_inverted_is_refused) {
    struct bytes code = {0};
    put(&code, BYTES(RETURN));
    for (unsigned i = 0; i < 32767; i++) put_u1(&code, NOP);
    put(&code, BYTES(IFEQ, 0x80, 0));
    struct test_method method = {.max_stack = 1, .code = code.data, .code_length = code.length};
    struct test_class class = {.major = 49, .methods = &method, .method_count = 1};
    struct rewriting rewriting = {.next = 7};
    rewrite(&rewriting, &class);
    cr_assert_eq(rewriting.status, 0);
    cr_expect_eq(rewriting.result.methods[0].refusal, INSTRUMENT_CODE_TOO_LARGE);
    rewriting_free(&rewriting);
    bytes_free(&code);
}

// Nops, and at the end a goto back to the start; an exception range over the last part, whose
// handler is at the start.
Test(code, range_to_the_end_holds_a_last_goto_that_grew) {
    struct bytes code = {0};
    for (unsigned i = 0; i < 32763; i++) put_u1(&code, NOP);
    put(&code, BYTES(IFEQ, 0, 4, RETURN, GOTO, 0x80, 1));
    uint16_t end = (uint16_t)code.length;
    const uint16_t table[][4] = {{(uint16_t)(end - 3), end, 0, 0}};
    struct test_method method = {.max_stack = 1,
                                 .code = code.data,
                                 .code_length = code.length,
                                 .exceptions = table,
                                 .exception_count = 1};
    struct rewriting rewriting = {.next = 7};
    rewrite_one(&rewriting, 49, &method);
    struct found found = find_code(&rewriting.result, 0);
    unsigned handlers = found.code_length - 13; // where the program's code ends
    cr_expect_eq(found.code[handlers - 5], GOTO_W);
    expect_range(&found, 0, handlers - 5, handlers, 6);
    cr_expect_eq(get_u2(found.exceptions + 8 * (found.exception_count - 1) + 2), handlers);
    rewriting_free(&rewriting);
    bytes_free(&code);
}

// ---- Refusals ------------------------------------------------------------------------------

static void expect_refusal(enum instrument_refusal refusal, unsigned major, const uint8_t* code,
                           size_t length) {
    struct test_method method = {.max_stack = 2, .code = code, .code_length = length};
    struct test_class class = {.major = major, .methods = &method, .method_count = 1};
    struct rewriting rewriting = {.next = 7};
    rewrite(&rewriting, &class);
    cr_assert_eq(rewriting.status, 0);
    const struct instrument_method* result = rewriting.result.methods;
    cr_expect_eq(result->refusal, refusal, "%s", instrument_refusal_text(result->refusal));
    cr_expect_eq(result->number, 7u);
    cr_expect_eq(result->insertion_count, 0u);
    cr_expect_eq(rewriting.result.instrumented, 0u);
    struct found found = find_code(&rewriting.result, 0);
    expect_bytes(found.code, found.code_length, code, length);
    rewriting_free(&rewriting);
}

Test(code, code_that_contradicts_itself_is_refused_and_kept) {
    expect_refusal(INSTRUMENT_BAD_CODE, 49, BYTES(GOTO, 0, 9));               // beyond the end
    expect_refusal(INSTRUMENT_BAD_CODE, 49, BYTES(GOTO, 0xff, 0xff));         // before the start
    expect_refusal(INSTRUMENT_BAD_CODE, 49, BYTES(GOTO, 0, 1));               // into itself
    expect_refusal(INSTRUMENT_BAD_CODE, 49, BYTES(GOTO, 0));                  // cut off
    expect_refusal(INSTRUMENT_BAD_CODE, 49, BYTES(202));                      // breakpoint
    expect_refusal(INSTRUMENT_BAD_CODE, 49, BYTES(255, RETURN));              // no such instruction
    expect_refusal(INSTRUMENT_BAD_CODE, 49, BYTES(196, NOP, 0, 0));           // wide nop
    expect_refusal(INSTRUMENT_BAD_CODE, 49, BYTES(196));                      // wide nothing
    expect_refusal(INSTRUMENT_BAD_CODE, 49, BYTES(170, 0, 0, 0, 0, 0, 0, 0)); // cut-off switch
    expect_refusal(INSTRUMENT_BAD_CODE, 52, BYTES(NOP));                      // falls off the end
}

Test(code, switch_of_impossible_size_is_refused) {
    const uint8_t table[] = {170, 0, 0, 0,    0,    0,    0,    0,     0x80,
                             0,   0, 0, 0x7f, 0xff, 0xff, 0xff, RETURN};
    expect_refusal(INSTRUMENT_BAD_CODE, 49, table, sizeof table);
    const uint8_t backwards[] = {170, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 4, RETURN};
    expect_refusal(INSTRUMENT_BAD_CODE, 49, backwards, sizeof backwards);
    const uint8_t negative[] = {171, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, RETURN};
    expect_refusal(INSTRUMENT_BAD_CODE, 49, negative, sizeof negative);
}

Test(code, code_that_would_pass_the_limit_is_refused) {
    uint8_t* code = calloc(65535, 1);
    cr_assert_not_null(code);
    code[65534 - 25] = RETURN;
    expect_refusal(INSTRUMENT_CODE_TOO_LARGE, 49, code, 65535 - 24); // 25 more, and 24 fit
    struct test_method method = {.code = code, .code_length = 65535 - 25};
    code[65535 - 26] = RETURN;
    struct rewriting rewriting = {0};
    rewrite_one(&rewriting, 49, &method);
    cr_expect_eq(rewriting.result.methods[0].code_length, 65535u);
    rewriting_free(&rewriting);
    free(code);
}

Test(code, empty_code_is_refused) {
    struct test_method method = {.code = (uint8_t[]){0}, .code_length = 0};
    struct test_class class = {.methods = &method, .method_count = 1};
    struct rewriting rewriting = {.next = 7};
    rewrite(&rewriting, &class);
    cr_assert_eq(rewriting.status, 0);
    cr_expect_eq(rewriting.result.methods[0].refusal, INSTRUMENT_BAD_CODE);
    rewriting_free(&rewriting);
}

Test(code, stack_that_would_pass_the_limit_is_refused) {
    struct test_method method = {.max_stack = 65535, .code = (uint8_t[]){RETURN}, .code_length = 1};
    struct test_class class = {.methods = &method, .method_count = 1};
    struct rewriting rewriting = {.next = 7};
    rewrite(&rewriting, &class);
    cr_assert_eq(rewriting.status, 0);
    cr_expect_eq(rewriting.result.methods[0].refusal, INSTRUMENT_STACK_TOO_DEEP);
    rewriting_free(&rewriting);
}
