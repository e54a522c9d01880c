// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Limits: code that no compiler emits, and code that only just fits.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum {
    NOP = 0,
    ICONST_0 = 3,
    ALOAD_0 = 42,
    ASTORE_0 = 75,
    POP = 87,
    IFEQ = 153,
    IFNE = 154,
    GOTO = 167,
    JSR = 168,
    RET = 169,
    TABLESWITCH = 170,
    LOOKUPSWITCH = 171,
    RETURN = 177,
    SUPER = 183,
    WIDE = 196,
    GOTO_W = 200,
    JSR_W = 201,
    IINC = 132,
    PUSH_LENGTH = 6
};

// Rewrites a class of one method with that code, and returns the description of the method. The
// caller frees the rewriting.
static const struct instrument_method* rewrite_code(struct rewriting* rewriting, unsigned major,
                                                    const struct bytes* code) {
    struct test_method method = {
        .max_stack = 2, .max_locals = 1, .code = code->data, .code_length = code->length};
    struct test_class class = {.major = major, .methods = &method, .method_count = 1};
    rewriting->next = 7;
    rewrite(rewriting, &class);
    cr_assert_eq(rewriting->status, 0);
    return rewriting->result.methods;
}

static void put_nops(struct bytes* code, size_t count) {
    for (size_t i = 0; i < count; i++) put_u1(code, NOP);
}

// ---- Jumps ---------------------------------------------------------------------------------

// A jump over a return and nops to a return. The inserted pops move its target out of reach.
static void expect_widened(unsigned opcode, unsigned wide, uint32_t major) {
    struct bytes code = {0};
    put_u1(&code, opcode);
    put_u2(&code, 32767);
    put_u1(&code, RETURN);
    put_nops(&code, 32767 - 4);
    put_u1(&code, RETURN);
    struct rewriting rewriting = {0};
    cr_assert_eq(rewrite_code(&rewriting, major, &code)->refusal, INSTRUMENT_NONE);
    struct found found = find_code(&rewriting.result, 0);
    cr_expect_eq(found.code[PUSH_LENGTH], wide);
    cr_expect_eq(get_u4(found.code + PUSH_LENGTH + 1), 32767u + 2 + 6); // its own growth, one pop
    rewriting_free(&rewriting);
    bytes_free(&code);
}

Test(limits, forward_jumps_that_stop_reaching_become_wide) {
    expect_widened(GOTO, GOTO_W, 49);
    expect_widened(JSR, JSR_W, 48);
}

Test(limits, jump_that_still_reaches_is_kept) {
    struct bytes code = {0};
    put_u1(&code, GOTO);
    put_u2(&code, 32761);
    put_u1(&code, RETURN);
    put_nops(&code, 32761 - 4);
    put_u1(&code, RETURN);
    struct rewriting rewriting = {0};
    cr_assert_eq(rewrite_code(&rewriting, 49, &code)->refusal, INSTRUMENT_NONE);
    struct found found = find_code(&rewriting.result, 0);
    expect_bytes(found.code + PUSH_LENGTH, 3, BYTES(GOTO, 0x7f, 0xff));
    rewriting_free(&rewriting);
    bytes_free(&code);
}

Test(limits, backward_branch_that_stops_reaching_is_inverted) {
    // return; nops; iconst_0; ifeq to the return; return
    struct bytes code = {0};
    put_u1(&code, RETURN);
    put_nops(&code, 32766);
    put_u1(&code, ICONST_0);
    put_u1(&code, IFEQ);
    put_u2(&code, 0x8000); // -32768
    put_u1(&code, RETURN);
    struct rewriting rewriting = {0};
    cr_assert_eq(rewrite_code(&rewriting, 49, &code)->refusal, INSTRUMENT_NONE);
    struct found found = find_code(&rewriting.result, 0);
    const uint8_t* branch = found.code + PUSH_LENGTH + 6 + 32768;
    expect_bytes(branch, 4, BYTES(IFNE, 0, 8, GOTO_W));
    cr_expect_eq(get_u4(branch + 4), (uint32_t) - (32768 + 6 + 3));
    rewriting_free(&rewriting);
    bytes_free(&code);
}

// Jumps, each of which stops reaching only after all those behind it have grown.
static struct bytes chain_of_jumps(unsigned count) {
    struct bytes code = {0};
    for (unsigned i = 0; i < count; i++) {
        put_u1(&code, GOTO);
        put_u2(&code, 32762 - 2 * (count - 1 - i));
    }
    put_u1(&code, RETURN);
    put_nops(&code, 33000);
    put_u1(&code, RETURN);
    return code;
}

Test(limits, jumps_that_put_each_other_out_of_reach_grow_one_by_one) {
    struct bytes code = chain_of_jumps(40);
    struct rewriting rewriting = {0};
    const struct instrument_method* method = rewrite_code(&rewriting, 49, &code);
    cr_assert_eq(method->refusal, INSTRUMENT_NONE);
    cr_expect_eq(method->code_length, method->old_code_length + 6 + 40 * 2 + 2 * 6 + 13);
    rewriting_free(&rewriting);
    bytes_free(&code);
}

Test(limits, chain_of_jumps_without_end_is_refused) {
    struct bytes code = chain_of_jumps(100);
    struct rewriting rewriting = {0};
    cr_expect_eq(rewrite_code(&rewriting, 49, &code)->refusal, INSTRUMENT_CODE_TOO_LARGE);
    rewriting_free(&rewriting);
    bytes_free(&code);
}

// ---- Instructions --------------------------------------------------------------------------

// A switch behind `before` nops, with one case. Both targets are the return behind it.
static void expect_switch(unsigned opcode, unsigned before) {
    struct bytes code = {0};
    put_nops(&code, before);
    put_u1(&code, RETURN); // push and pop move the switch by 12 bytes
    unsigned bci = (unsigned)code.length;
    put_u1(&code, opcode);
    while (code.length % 4) put_u1(&code, 0);
    unsigned head = (unsigned)code.length - bci;
    uint32_t target = head + 16;
    put_u4(&code, target);
    put_u4(&code, opcode == LOOKUPSWITCH ? 1 : 3); // npairs, or low
    put_u4(&code, 3);                              // the key, or high
    put_u4(&code, target);
    put_u1(&code, RETURN);
    struct rewriting rewriting = {0};
    cr_assert_eq(rewrite_code(&rewriting, 49, &code)->refusal, INSTRUMENT_NONE);
    struct found found = find_code(&rewriting.result, 0);
    unsigned new = bci + 12;
    while (found.code[new] == NOP) new ++;
    cr_expect_eq(new % 4, bci % 4, "%u nops before", before);
    expect_bytes(found.code + new, head + 16, code.data + bci, head + 16);
    cr_expect_eq(found.code[new + target], 0x11); // the pop before the return
    rewriting_free(&rewriting);
    bytes_free(&code);
}

Test(limits, switches_keep_each_of_the_four_paddings) {
    for (unsigned before = 0; before < 4; before++) {
        expect_switch(TABLESWITCH, before);
        expect_switch(LOOKUPSWITCH, before);
    }
}

Test(limits, every_wide_instruction_is_kept_whole) {
    static const uint8_t opcodes[] = {21, 22, 23, 24, 25, 54, 55, 56, 57, 58, RET, IINC};
    for (size_t i = 0; i < sizeof opcodes; i++) {
        struct bytes code = {0};
        put(&code, BYTES(WIDE, opcodes[i], RETURN, RETURN)); // operands that look like returns
        if (opcodes[i] == IINC) put(&code, BYTES(RETURN, RETURN));
        size_t length = code.length;
        put_u1(&code, RETURN);
        struct rewriting rewriting = {0};
        const struct instrument_method* method = rewrite_code(&rewriting, 48, &code);
        cr_assert_eq(method->refusal, INSTRUMENT_NONE);
        cr_expect_eq(method->code_length, code.length + 6 + 6 + 13);
        struct found found = find_code(&rewriting.result, 0);
        expect_bytes(found.code + PUSH_LENGTH, length, code.data, length);
        rewriting_free(&rewriting);
        bytes_free(&code);
    }
}

Test(limits, dead_code_may_fall_off_the_end_of_old_classes_only) {
    struct bytes code = {0};
    put(&code, BYTES(RETURN, NOP));
    struct rewriting rewriting = {0};
    cr_expect_eq(rewrite_code(&rewriting, 49, &code)->refusal, INSTRUMENT_NONE);
    rewriting_free(&rewriting);
    rewriting = (struct rewriting){0};
    cr_expect_eq(rewrite_code(&rewriting, 50, &code)->refusal, INSTRUMENT_BAD_CODE);
    rewriting_free(&rewriting);
    bytes_free(&code);
}

Test(limits, loop_without_end_is_covered_and_has_no_pop) {
    struct bytes code = {0};
    put(&code, BYTES(NOP, GOTO, 0, 0));
    struct rewriting rewriting = {0};
    const struct instrument_method* method = rewrite_code(&rewriting, 49, &code);
    cr_assert_eq(method->refusal, INSTRUMENT_NONE);
    cr_expect_eq(method->insertion_count, 2u); // the push, the handler
    struct found found = find_code(&rewriting.result, 0);
    cr_assert_eq(found.exception_count, 1);
    expect_range(&found, 0, 6, 10, 10);
    expect_bytes(found.code + 7, 3, BYTES(GOTO, 0, 0));
    rewriting_free(&rewriting);
    bytes_free(&code);
}

Test(limits, deepest_stack_that_fits_is_kept) {
    struct test_method method = {.max_stack = 65534, .code = (uint8_t[]){RETURN}, .code_length = 1};
    struct rewriting rewriting = {0};
    rewrite_one(&rewriting, 52, &method);
    cr_expect_eq(find_code(&rewriting.result, 0).max_stack, 65535);
    rewriting_free(&rewriting);
}

Test(limits, all_stack_slots_are_had_where_no_call_needs_one_more) {
    struct test_method method = {
        .max_stack = 65535, .code = (uint8_t[]){GOTO, 0, 0}, .code_length = 3};
    struct rewriting rewriting = {0};
    rewrite_one(&rewriting, 49, &method);
    cr_expect_eq(find_code(&rewriting.result, 0).max_stack, 65535);
    rewriting_free(&rewriting);
}

// ---- Tables --------------------------------------------------------------------------------

Test(limits, handler_that_covers_itself_does_not_cover_its_call) {
    const uint16_t table[][4] = {{0, 3, 1, 0}};
    struct test_method method = {.max_stack = 2,
                                 .code = (uint8_t[]){NOP, POP, NOP, RETURN},
                                 .code_length = 4,
                                 .exceptions = table,
                                 .exception_count = 1};
    struct rewriting rewriting = {0};
    rewrite_one(&rewriting, 49, &method);
    struct found found = find_code(&rewriting.result, 0);
    cr_assert_eq(found.exception_count, 3);
    expect_range(&found, 0, 6, 7, 7);
    expect_range(&found, 1, 13, 15, 7);
    expect_range(&found, 2, 6, 21, 22);
    rewriting_free(&rewriting);
}

// Rewrites the code with a StackMapTable of `count` frames, encoded in `body`.
static enum instrument_refusal rewrite_frames(struct rewriting* rewriting, const struct bytes* code,
                                              unsigned count, const struct bytes* body) {
    struct bytes attributes = {0};
    put_u2(&attributes, P_FRAMES);
    put_u4(&attributes, (uint32_t)body->length + 2);
    put_u2(&attributes, count);
    put(&attributes, body->data, body->length);
    struct test_method method = {.max_stack = 2,
                                 .max_locals = 4,
                                 .code = code->data,
                                 .code_length = code->length,
                                 .attributes = &attributes,
                                 .attribute_count = 1};
    struct test_class class = {.methods = &method, .method_count = 1};
    rewriting->next = 7;
    rewrite(rewriting, &class);
    cr_assert_eq(rewriting->status, 0);
    bytes_free(&attributes);
    return rewriting->result.methods[0].refusal;
}

Test(limits, frame_at_each_of_60000_instructions_is_kept) {
    enum { FRAMES = 60000 };
    struct bytes code = {0}, body = {0};
    put_nops(&code, FRAMES);
    put_u1(&code, RETURN);
    put_nops(&body, FRAMES); // same_frame, one after the other
    struct rewriting rewriting = {0};
    cr_assert_eq(rewrite_frames(&rewriting, &code, FRAMES, &body), INSTRUMENT_NONE);
    struct found found = find_code(&rewriting.result, 0);
    uint32_t length = 0;
    const uint8_t* frames = find_attribute(&rewriting.result, &found, "StackMapTable", &length);
    cr_assert_not_null(frames);
    cr_assert_eq(length, 2 + FRAMES + 10u);
    cr_expect_eq(get_u2(frames), FRAMES + 1);
    cr_expect_eq(frames[2], 6); // behind the push
    cr_expect_eq(memcmp(frames + 3, body.data, FRAMES - 1), 0);
    rewriting_free(&rewriting);
    bytes_free(&code);
    bytes_free(&body);
}

Test(limits, frame_table_without_room_for_the_handlers_is_refused) {
    struct bytes code = {0}, body = {0};
    put_u1(&code, RETURN);
    struct rewriting rewriting = {0};
    cr_expect_eq(rewrite_frames(&rewriting, &code, 65535, &body), INSTRUMENT_TABLE_FULL);
    rewriting_free(&rewriting);
    bytes_free(&code);
}

// Rewrites code with a branch at 9 that must be inverted, and expects that refusal. The needed
// frame, at 12, may stand behind frames of every kind.
static void expect_inverted(enum instrument_refusal refusal, unsigned count, const uint8_t* frames,
                            size_t length) {
    struct bytes code = {0}, body = {0};
    put_nops(&code, 8);
    put_u1(&code, ICONST_0);
    put_u1(&code, IFEQ); // at 9
    put_u2(&code, 32767);
    put_u1(&code, RETURN); // at 12
    put_nops(&code, 32767 - 4);
    put_u1(&code, RETURN);
    put(&body, frames, length);
    struct rewriting rewriting = {0};
    enum instrument_refusal actual = rewrite_frames(&rewriting, &code, count, &body);
    cr_expect_eq(actual, refusal, "%s", instrument_refusal_text(actual));
    rewriting_free(&rewriting);
    bytes_free(&code);
    bytes_free(&body);
}

Test(limits, inverting_finds_its_frame_behind_frames_of_every_kind) {
    expect_inverted(INSTRUMENT_NONE, 8,
                    BYTES(0,                                      // same, at 0
                          64, 7, 0, P_OBJECT,                     // same_locals_1, at 1
                          247, 0, 0, 1,                           // extended, at 2
                          253, 0, 0, 1, 7, 0, P_OBJECT,           // append two, at 3
                          250, 0, 0,                              // chop one, at 4
                          251, 0, 0,                              // same_extended, at 5
                          255, 0, 0, 0, 2, 1, 4, 0, 1, 2,         // full, at 6
                          5));                                    // same, at 12
    expect_inverted(INSTRUMENT_CODE_TOO_LARGE, 1, BYTES(11));     // a frame only before it
    expect_inverted(INSTRUMENT_CODE_TOO_LARGE, 1, BYTES(13));     // a frame only behind it
    expect_inverted(INSTRUMENT_CODE_TOO_LARGE, 1, BYTES(255, 0)); // a frame that is cut off
}

// ---- Constructors --------------------------------------------------------------------------

static struct found rewrite_constructor(struct rewriting* rewriting, const struct test_class* class,
                                        enum instrument_refusal refusal) {
    rewriting->next = 7;
    rewrite(rewriting, class);
    cr_assert_eq(rewriting->status, 0);
    cr_assert_eq(rewriting->result.methods[0].refusal, refusal);
    return find_code(&rewriting->result, 0);
}

// Rewrites a constructor with that descriptor and a call before super(), and expects that refusal.
static void expect_arguments(const char* descriptor, unsigned locals,
                             enum instrument_refusal refusal) {
    struct test_method method = {
        .access = ACC_PUBLIC,
        .name = P_INIT,
        .descriptor = P_TEXT,
        .max_stack = 1,
        .max_locals = locals,
        .code = (uint8_t[]){184, 0, P_CALL, ALOAD_0, SUPER, 0, P_SUPER, RETURN},
        .code_length = 8};
    struct test_class class = {.text = descriptor, .methods = &method, .method_count = 1};
    struct rewriting rewriting = {0};
    struct found found = rewrite_constructor(&rewriting, &class, refusal);
    if (!refusal) cr_expect_eq(found.exception_count, 2);
    rewriting_free(&rewriting);
}

static char* arguments_of(const char* one, unsigned count) {
    char* text = calloc(1, strlen(one) * count + 8);
    cr_assert_not_null(text);
    strcpy(text, "(");
    for (unsigned i = 0; i < count; i++) strcat(text, one);
    return strcat(text, ")V");
}

Test(limits, constructor_with_255_arguments_is_followed) {
    static const char* const kinds[] = {"I", "[[J", "Ljava/lang/Object;", "[LT;"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char* ones = arguments_of(kinds[i], 254);
        expect_arguments(ones, 255, INSTRUMENT_NONE);
        expect_arguments(ones, 254, INSTRUMENT_UNINITIALIZED_THIS); // no local for the last
        free(ones);
    }
    char* twos = arguments_of("D", 127);
    expect_arguments(twos, 255, INSTRUMENT_NONE);
    free(twos);
}

Test(limits, descriptors_that_are_none_lose_the_object) {
    static const char* const descriptors[] = {"", "V", "(", "(I", "(V)V", "(LT)V", "(I(V"};
    for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++)
        expect_arguments(descriptors[i], 9, INSTRUMENT_UNINITIALIZED_THIS);
}

Test(limits, super_in_a_try_of_its_own_keeps_its_handler) {
    // aload_0; super(); return; -- 5: pop; return
    const uint16_t table[][4] = {{0, 4, 5, 0}};
    struct test_method method = {.access = ACC_PUBLIC,
                                 .name = P_INIT,
                                 .max_stack = 1,
                                 .max_locals = 1,
                                 .code =
                                     (uint8_t[]){ALOAD_0, SUPER, 0, P_SUPER, RETURN, POP, RETURN},
                                 .code_length = 7,
                                 .exceptions = table,
                                 .exception_count = 1};
    struct test_class class = {.major = 49, .methods = &method, .method_count = 1};
    struct rewriting rewriting = {0};
    struct found found = rewrite_constructor(&rewriting, &class, INSTRUMENT_NONE);
    cr_assert_eq(found.exception_count, 3);
    expect_range(&found, 0, 6, 10, 17);
    expect_range(&found, 1, 6, 16, 31);
    expect_range(&found, 2, 17, 30, 31);
    rewriting_free(&rewriting);
    // The same with frames: then the catch-all handlers do not cover the call of super().
    struct bytes attributes = {0};
    put_u2(&attributes, P_FRAMES);
    put_u4(&attributes, 12);
    put(&attributes, BYTES(0, 1, 255, 0, 5, 0, 0, 0, 1, 7, 0, P_OBJECT));
    method.attributes = &attributes;
    method.attribute_count = 1;
    class.major = 52;
    rewriting = (struct rewriting){0};
    found = rewrite_constructor(&rewriting, &class, INSTRUMENT_NONE);
    cr_assert_eq(found.exception_count, 3);
    expect_range(&found, 0, 6, 10, 17);
    expect_range(&found, 1, 10, 16, 31);
    expect_range(&found, 2, 17, 30, 31);
    rewriting_free(&rewriting);
    bytes_free(&attributes);
}

Test(limits, second_super_in_a_row_is_code_like_any) {
    struct test_method method = {
        .access = ACC_PUBLIC,
        .name = P_INIT,
        .max_stack = 1,
        .max_locals = 1,
        .code = (uint8_t[]){ALOAD_0, SUPER, 0, P_SUPER, ALOAD_0, SUPER, 0, P_SUPER, RETURN},
        .code_length = 9};
    struct test_class class = {.methods = &method, .method_count = 1};
    struct rewriting rewriting = {0};
    struct found found = rewrite_constructor(&rewriting, &class, INSTRUMENT_NONE);
    cr_assert_eq(found.exception_count, 1);
    expect_range(&found, 0, 10, 20, 21);
    rewriting_free(&rewriting);
}

// Code in which one local after the other is the home of `this`. There is a call for each home; if
// `quiet`, there is none for the first.
static void move_object(struct bytes* code, unsigned homes, bool quiet) {
    for (unsigned i = 0; i < homes; i++) {
        if (i > 0 || !quiet) put(code, BYTES(184, 0, P_CALL));
        put(code, BYTES(25, i, 58, i + 1));
        put(code, BYTES(1, 58, i)); // overwrite the old home with null
    }
    put(code, BYTES(25, homes, SUPER, 0, P_SUPER, RETURN));
}

static void rewrite_homes(struct rewriting* rewriting, unsigned homes, bool quiet,
                          enum instrument_refusal refusal) {
    struct bytes code = {0};
    move_object(&code, homes, quiet);
    struct test_method method = {.access = ACC_PUBLIC,
                                 .name = P_INIT,
                                 .max_stack = 1,
                                 .max_locals = 20,
                                 .code = code.data,
                                 .code_length = code.length};
    struct test_class class = {.methods = &method, .method_count = 1};
    *rewriting = (struct rewriting){0};
    rewrite_constructor(rewriting, &class, refusal);
    bytes_free(&code);
}

Test(limits, object_is_followed_through_seven_locals) {
    struct rewriting rewriting;
    rewrite_homes(&rewriting, 7, false, INSTRUMENT_NONE);
    rewriting_free(&rewriting);
    rewrite_homes(&rewriting, 8, false, INSTRUMENT_MANY_HOMES);
    rewriting_free(&rewriting);
}

// On a second rewriting the inserted push is a call that needs a handler with the first home, too.
Test(limits, eighth_local_may_come_with_a_second_rewriting) {
    struct rewriting rewriting;
    rewrite_homes(&rewriting, 8, true, INSTRUMENT_NONE);
    struct rewriting again = {.next = 7};
    rewrite_again(&again, &rewriting);
    cr_assert_eq(again.status, 0);
    cr_assert_eq(again.result.method_count, 1);
    enum instrument_refusal refusal = again.result.methods[0].refusal;
    cr_expect_eq(refusal, INSTRUMENT_MANY_HOMES, "%s", instrument_refusal_text(refusal));
    rewriting_free(&again);
    rewriting_free(&rewriting);
}
