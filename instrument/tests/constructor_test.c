// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Constructors: the instructions that each handler covers before and after super().
#include <criterion/criterion.h>

#include "support.h"

enum { RETURN = 177, NOP = 0, ALOAD_0 = 42, SUPER = 183, CALL = 184, ATHROW = 191 };

struct constructor {
    const char* class;
    unsigned major, descriptor, max_locals;
    const uint8_t* code;
    size_t length;
    const uint8_t* frames; // the content of a StackMapTable, or NULL
    size_t frames_length;
    const uint16_t (*exceptions)[4]; // one entry, or NULL
};

static void rewrite_constructor(struct rewriting* rewriting, const struct constructor* given) {
    struct bytes attributes = {0};
    if (given->frames) {
        put_u2(&attributes, P_FRAMES);
        put_u4(&attributes, (uint32_t)given->frames_length);
        put(&attributes, given->frames, given->frames_length);
    }
    struct test_method method = {.access = ACC_PUBLIC,
                                 .name = P_INIT,
                                 .descriptor = given->descriptor,
                                 .max_stack = 6,
                                 .max_locals = given->max_locals ? given->max_locals : 1,
                                 .code = given->code,
                                 .code_length = given->length,
                                 .exceptions = given->exceptions,
                                 .exception_count = given->exceptions != NULL,
                                 .attributes = &attributes,
                                 .attribute_count = given->frames != NULL};
    struct test_class class = {
        .major = given->major, .name = given->class, .methods = &method, .method_count = 1};
    rewriting->next = 7;
    rewrite(rewriting, &class);
    cr_assert_eq(rewriting->status, 0);
    bytes_free(&attributes);
}

static struct found rewritten(struct rewriting* rewriting, const struct constructor* given) {
    rewrite_constructor(rewriting, given);
    enum instrument_refusal refusal = rewriting->result.methods[0].refusal;
    cr_assert_eq(refusal, INSTRUMENT_NONE, "%s", instrument_refusal_text(refusal));
    return find_code(&rewriting->result, 0);
}

static void expect_lost(const struct constructor* given) {
    struct rewriting rewriting = {0};
    rewrite_constructor(&rewriting, given);
    enum instrument_refusal refusal = rewriting.result.methods[0].refusal;
    cr_expect_eq(refusal, INSTRUMENT_UNINITIALIZED_THIS, "%s", instrument_refusal_text(refusal));
    rewriting_free(&rewriting);
}

Test(constructor, plain_one_needs_only_the_handler_after_super) {
    struct rewriting rewriting = {0};
    struct found found = rewritten(
        &rewriting, &(struct constructor){.code = (uint8_t[]){ALOAD_0, SUPER, 0, P_SUPER, RETURN},
                                          .length = 5});
    cr_expect_eq(found.code_length, 5 + 6 + 6 + 13u);
    cr_assert_eq(found.exception_count, 1);
    expect_range(&found, 0, 10, 16, 17); // from behind super() on
    rewriting_free(&rewriting);
}

Test(constructor, call_before_super_gets_a_handler_that_knows_this) {
    struct rewriting rewriting = {0};
    struct found found = rewritten(
        &rewriting, &(struct constructor){.code = (uint8_t[]){ALOAD_0, CALL, 0, P_CALL, NOP, SUPER,
                                                              0, P_SUPER, RETURN},
                                          .length = 9});
    cr_assert_eq(found.exception_count, 2);
    expect_range(&found, 0, 7, 11, 34); // the call and the nop, but neither the load nor super()
    expect_range(&found, 1, 14, 20, 21);
    uint32_t length = 0;
    const uint8_t* frames = find_attribute(&rewriting.result, &found, "StackMapTable", &length);
    cr_assert_not_null(frames);
    expect_bytes(frames, length,
                 BYTES(0, 2,                             //
                       255, 0, 21, 0, 0, 0, 1, 7, 0, 34, //
                       255, 0, 12, 0, 1, 6, 0, 1, 7, 0, 34));
    rewriting_free(&rewriting);
}

Test(constructor, handler_looks_for_this_where_it_was_moved) {
    // aload_0; astore 2; aconst_null; astore_0; invokestatic; aload_2; invokespecial; return
    struct rewriting rewriting = {0};
    struct found found = rewritten(
        &rewriting, &(struct constructor){.max_locals = 3,
                                          .code = (uint8_t[]){ALOAD_0, 77, 1, 75, CALL, 0, P_CALL,
                                                              44, SUPER, 0, P_SUPER, RETURN},
                                          .length = 12});
    uint32_t length = 0;
    const uint8_t* frames = find_attribute(&rewriting.result, &found, "StackMapTable", &length);
    cr_assert_not_null(frames);
    expect_bytes(frames + 12, length - 12, BYTES(255, 0, 12, 0, 3, 0, 0, 6, 0, 1, 7, 0, 34));
    rewriting_free(&rewriting);
}

Test(constructor, every_way_of_moving_this_on_the_stack_is_followed) {
    // The code before `invokespecial; return`. It leaves `this` on top of the stack.
    static const struct {
        uint8_t code[12];
        size_t length;
    } ways[] = {
        {{ALOAD_0, 89, 87}, 3},                                      // dup, pop
        {{1, ALOAD_0, 90, 87, 87}, 5},                               // dup_x1
        {{1, 1, ALOAD_0, 91, 88, 87}, 6},                            // dup_x2
        {{ALOAD_0, 3, 92, 87, 87, 87}, 6},                           // dup2
        {{1, 3, ALOAD_0, 93, 88, 87}, 6},                            // dup2_x1
        {{1, ALOAD_0, 95, 87}, 4},                                   // swap
        {{25, 0}, 2},                                                // aload 0
        {{196, 25, 0, 0}, 4},                                        // wide aload 0
        {{ALOAD_0, 196, 58, 0, 1, 43}, 6},                           // wide astore 1, aload_1
        {{9, 88, ALOAD_0}, 3},                                       // a long comes and goes
        {{187, 0, P_OBJECT, 89, SUPER, 0, P_SUPER, 87, ALOAD_0}, 9}, // another object first
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct bytes code = {0};
        put(&code, ways[i].code, ways[i].length);
        unsigned end = (unsigned)code.length;
        put(&code, BYTES(SUPER, 0, P_SUPER, RETURN));
        struct rewriting rewriting = {0};
        struct found found = rewritten(
            &rewriting,
            &(struct constructor){.max_locals = 2, .code = code.data, .length = code.length});
        expect_range(&found, found.exception_count - 1, end + 9, end + 15, end + 16);
        rewriting_free(&rewriting);
        bytes_free(&code);
    }
}

Test(constructor, frames_say_where_this_is_again_uninitialized) {
    // iconst_0; ifeq 10; aload_0; super(); return; -- 9: aload_0; super(); return
    struct rewriting rewriting = {0};
    const uint8_t code[] = {3,       153,    0,       8,     ALOAD_0, SUPER,   0,
                            P_SUPER, RETURN, ALOAD_0, SUPER, 0,       P_SUPER, RETURN};
    struct found found = rewritten(&rewriting, &(struct constructor){.code = code,
                                                                     .length = sizeof code,
                                                                     .frames = (uint8_t[]){0, 1, 9},
                                                                     .frames_length = 3});
    // The ranges: ifeq and the code after it (handler at 39), the code after the first super(), the
    // load, the code after the second super().
    unsigned after = 6 + 8;
    cr_assert_geq(found.exception_count, 3);
    bool first = false, second = false;
    for (unsigned i = 0; i < found.exception_count; i++) {
        const uint8_t* at = found.exceptions + 8 * (size_t)i;
        first = first || (get_u2(at) == after && get_u2(at + 2) == after + 6);
        second = second || get_u2(at) == after + 7 + 4;
    }
    cr_expect(first);
    cr_expect(second);
    rewriting_free(&rewriting);
}

Test(constructor, arguments_of_two_slots_are_counted_as_such) {
    // (IJ)V: this, int, long. One chop frame removes the long, another removes the int.
    const uint8_t code[] = {3, 153, 0, 3, 3, 153, 0, 3, ALOAD_0, SUPER, 0, P_SUPER, RETURN};
    const uint8_t frames[] = {0, 2, 250, 0, 4, 250, 0, 3};
    struct rewriting rewriting = {0};
    struct found found =
        rewritten(&rewriting, &(struct constructor){.descriptor = P_IJ,
                                                    .max_locals = 4,
                                                    .code = code,
                                                    .length = sizeof code,
                                                    .frames = frames,
                                                    .frames_length = sizeof frames});
    expect_range(&found, found.exception_count - 1, 18, 24, 25);
    rewriting_free(&rewriting);
}

// The first instruction of the handler cannot throw; the call before it can.
Test(constructor, caught_call_before_super_is_covered) {
    // invokestatic; aload_0; super(); return; -- 8: pop; aload_0; super(); return
    const uint8_t code[] = {CALL,   0,  P_CALL,  ALOAD_0, SUPER, 0,       P_SUPER,
                            RETURN, 87, ALOAD_0, SUPER,   0,     P_SUPER, RETURN};
    const uint8_t frames[] = {0, 1, 64 + 8, 7, 0, P_OBJECT};
    const uint16_t table[][4] = {{0, 3, 8, 0}};
    struct rewriting rewriting = {0};
    struct found found = rewritten(&rewriting, &(struct constructor){.code = code,
                                                                     .length = sizeof code,
                                                                     .frames = frames,
                                                                     .frames_length = sizeof frames,
                                                                     .exceptions = table});
    cr_assert_eq(found.exception_count, 5);
    expect_range(&found, 0, 6, 9, 20);
    expect_range(&found, 1, 6, 10, 51); // the call, up to super()
    expect_range(&found, 2, 13, 19, 38);
    expect_range(&found, 3, 20, 28, 51); // from caught on, up to super()
    expect_range(&found, 4, 31, 37, 38);
    expect_bytes(found.code + 20, 7, BYTES(0x11, 0, 7, 184, 0, 32, 87));
    rewriting_free(&rewriting);
}

Test(constructor, object_that_gets_lost_is_refused) {
    // When a call may throw, `this` is only on the stack.
    expect_lost(&(struct constructor){
        .code = (uint8_t[]){ALOAD_0, 1, 75, CALL, 0, P_CALL, SUPER, 0, P_SUPER, RETURN},
        .length = 10});
    // The code after a throw has no frame.
    expect_lost(&(struct constructor){
        .code = (uint8_t[]){1, ATHROW, ALOAD_0, SUPER, 0, P_SUPER, RETURN}, .length = 7});
    // The stack is empty.
    expect_lost(&(struct constructor){.code = (uint8_t[]){SUPER, 0, P_SUPER, RETURN}, .length = 4});
    // A local beyond max_locals.
    expect_lost(&(struct constructor){.code = (uint8_t[]){25, 9, RETURN}, .length = 3});
    // A call of an entry that is not a method.
    expect_lost(&(struct constructor){.code = (uint8_t[]){CALL, 0, P_M, RETURN}, .length = 4});
    // Frames without content.
    expect_lost(&(struct constructor){.code = (uint8_t[]){ALOAD_0, NOP, RETURN},
                                      .length = 3,
                                      .frames = (uint8_t[]){0, 2, 0},
                                      .frames_length = 3});
}

Test(constructor, old_classes_get_one_handler_over_everything) {
    const uint8_t code[] = {ALOAD_0, CALL, 0, P_CALL, SUPER, 0, P_SUPER, RETURN};
    struct rewriting rewriting = {0};
    struct found found = rewritten(
        &rewriting, &(struct constructor){.major = 49, .code = code, .length = sizeof code});
    cr_assert_eq(found.exception_count, 1);
    expect_range(&found, 0, 6, 19, 20);
    rewriting_free(&rewriting);
}

Test(constructor, version_50_without_frames_is_left_to_the_inferring_verifier) {
    const uint8_t code[] = {1, ATHROW, ALOAD_0, SUPER, 0, P_SUPER, RETURN};
    struct rewriting rewriting = {0};
    struct found found = rewritten(
        &rewriting, &(struct constructor){.major = 50, .code = code, .length = sizeof code});
    cr_assert_eq(found.exception_count, 1);
    expect_range(&found, 0, 6, 18, 19);
    rewriting_free(&rewriting);
}

Test(constructor, that_of_object_has_no_handler) {
    struct rewriting rewriting = {0};
    struct found found = rewritten(&rewriting, &(struct constructor){.class = "java/lang/Object",
                                                                     .code = (uint8_t[]){RETURN},
                                                                     .length = 1});
    cr_expect_eq(found.code_length, 13u);
    cr_expect_eq(found.exception_count, 0);
    cr_expect_eq(get_u2(found.attributes), 0);
    rewriting_free(&rewriting);
}
