// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Tables that refer to code: exception tables, frames, lines, variables, annotations.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "support.h"

enum { RETURN = 177, NOP = 0, NEW = 187, GOTO = 167 };

// iconst_0; ifeq +4 (to 5); return (at 4); nop (at 5); return (at 6). For the return at 4 the new
// bci of its pop is 10, its own is 16.
static const uint8_t two_returns[] = {3, 153, 0, 4, RETURN, NOP, RETURN};

static void put_head(struct bytes* out, unsigned name, uint32_t length) {
    put_u2(out, name);
    put_u4(out, length);
}

// ---- Exception tables ----------------------------------------------------------------------

Test(handlers, catch_all_comes_last_and_leaves_out_the_returns) {
    struct test_method method = {.max_stack = 1, .code = two_returns, .code_length = 7};
    struct rewriting rewriting = {0};
    rewrite_one(&rewriting, 49, &method);
    struct found found = find_code(&rewriting.result, 0);
    cr_assert_eq(found.exception_count, 2);
    expect_range(&found, 0, 6, 16, 25); // up to the first return, including its pop
    expect_range(&found, 1, 17, 24, 25);
    cr_expect_eq(get_u2(found.exceptions + 6), 0);
    rewriting_free(&rewriting);
}

Test(handlers, ranges_of_the_program_leave_out_what_was_inserted) {
    const uint16_t table[][4] = {{0, 7, 0, P_OBJECT}};
    struct test_method method = {.max_stack = 1,
                                 .code = two_returns,
                                 .code_length = 7,
                                 .exceptions = table,
                                 .exception_count = 1};
    struct rewriting rewriting = {0};
    rewrite_one(&rewriting, 49, &method);
    struct found found = find_code(&rewriting.result, 0);
    cr_assert_eq(found.exception_count, 5);
    expect_range(&found, 0, 12, 16, 6); // behind push and caught, up to the first pop
    expect_range(&found, 1, 22, 24, 6); // the return and the nop
    expect_range(&found, 2, 30, 31, 6); // the last return
    cr_expect_eq(get_u2(found.exceptions + 6), P_OBJECT);
    expect_range(&found, 3, 6, 22, 31);
    expect_range(&found, 4, 23, 30, 31);
    rewriting_free(&rewriting);
}

Test(handlers, range_that_ends_at_a_return_ends_before_its_pop) {
    const uint16_t table[][4] = {{0, 4, 5, 0}, {4, 5, 4, 0}};
    struct test_method method = {.max_stack = 1,
                                 .code = two_returns,
                                 .code_length = 7,
                                 .exceptions = table,
                                 .exception_count = 2};
    struct rewriting rewriting = {0};
    rewrite_one(&rewriting, 49, &method);
    struct found found = find_code(&rewriting.result, 0);
    expect_range(&found, 0, 6, 10, 23);
    expect_range(&found, 1, 22, 23, 10); // the return alone; its handler begins at its pop
    rewriting_free(&rewriting);
}

// Ranges of earlier and later handlers that contain a handler, in nop; return; nop; return.
Test(handlers, range_covers_the_caught_calls_of_handlers_before_its_own) {
    const uint16_t table[][4] = {{0, 1, 1, 0}, {0, 3, 3, 0}, {1, 2, 3, 0},
                                 {3, 4, 1, 0}, {1, 2, 1, 0}, {0, 4, 1, 0}};
    struct test_method method = {.max_stack = 1,
                                 .code = (uint8_t[]){NOP, RETURN, NOP, RETURN},
                                 .code_length = 4,
                                 .exceptions = table,
                                 .exception_count = 6};
    struct rewriting rewriting = {0};
    rewrite_one(&rewriting, 49, &method);
    struct found found = find_code(&rewriting.result, 0);
    cr_assert_eq(found.exception_count, 12);
    expect_range(&found, 0, 6, 7, 7);
    expect_range(&found, 1, 6, 13, 21); // with the caught call at 7, without the pop at 13
    expect_range(&found, 2, 19, 21, 21);
    expect_range(&found, 3, 7, 13, 21); // begins at a handler
    expect_range(&found, 4, 19, 20, 21);
    expect_range(&found, 5, 33, 34, 7); // its handler is earlier: without the call
    expect_range(&found, 6, 19, 20, 7); // its handler is the same
    expect_range(&found, 7, 6, 7, 7);
    expect_range(&found, 8, 19, 21, 7);
    expect_range(&found, 9, 33, 34, 7);
    expect_range(&found, 10, 6, 19, 34); // the catch-all leaves out only the returns
    expect_range(&found, 11, 20, 33, 34);
    rewriting_free(&rewriting);
}

static void expect_bad_table(const uint16_t (*table)[4]) {
    struct test_method method = {.max_stack = 1,
                                 .code = two_returns,
                                 .code_length = 7,
                                 .exceptions = table,
                                 .exception_count = 1};
    struct test_class class = {.major = 49, .methods = &method, .method_count = 1};
    struct rewriting rewriting = {.next = 7};
    rewrite(&rewriting, &class);
    cr_assert_eq(rewriting.status, 0);
    cr_expect_eq(rewriting.result.methods[0].refusal, INSTRUMENT_BAD_CODE);
    rewriting_free(&rewriting);
}

Test(handlers, ranges_that_are_none_are_refused) {
    expect_bad_table((const uint16_t[][4]){{0, 0, 0, 0}});
    expect_bad_table((const uint16_t[][4]){{4, 1, 0, 0}});
    expect_bad_table((const uint16_t[][4]){{2, 4, 0, 0}});
    expect_bad_table((const uint16_t[][4]){{0, 2, 0, 0}});
    expect_bad_table((const uint16_t[][4]){{0, 8, 0, 0}});
    expect_bad_table((const uint16_t[][4]){{0, 4, 7, 0}});
    expect_bad_table((const uint16_t[][4]){{0, 4, 65535, 0}});
    expect_bad_table((const uint16_t[][4]){{0, 4, 3, 0}});
}

Test(handlers, table_that_would_pass_the_limit_is_refused) {
    uint16_t(*table)[4] = calloc(65535, sizeof *table);
    cr_assert_not_null(table);
    for (int i = 0; i < 65535; i++) table[i][1] = 4;
    struct test_method method = {.max_stack = 1,
                                 .code = two_returns,
                                 .code_length = 7,
                                 .exceptions = (const uint16_t(*)[4])table,
                                 .exception_count = 65535};
    struct test_class class = {.major = 49, .methods = &method, .method_count = 1};
    struct rewriting rewriting = {.next = 7};
    rewrite(&rewriting, &class);
    cr_assert_eq(rewriting.status, 0);
    cr_expect_eq(rewriting.result.methods[0].refusal, INSTRUMENT_TABLE_FULL);
    rewriting_free(&rewriting);
    free(table);
}

// ---- Frames --------------------------------------------------------------------------------

// Rewrites `code` with the given StackMapTable entries and expects the given new entries, followed
// by the catch-all handler's frame.
static void expect_frames(const uint8_t* code, size_t code_length, const struct bytes* entries,
                          const uint8_t* expected, size_t expected_length) {
    struct bytes attributes = {0};
    put_head(&attributes, P_FRAMES, (uint32_t)entries->length);
    put(&attributes, entries->data, entries->length);
    struct test_method method = {.max_stack = 2,
                                 .max_locals = 4,
                                 .code = code,
                                 .code_length = code_length,
                                 .attributes = &attributes,
                                 .attribute_count = 1};
    struct rewriting rewriting = {0};
    rewrite_one(&rewriting, 52, &method);
    struct found found = find_code(&rewriting.result, 0);
    uint32_t length = 0;
    const uint8_t* body = find_attribute(&rewriting.result, &found, "StackMapTable", &length);
    cr_assert_not_null(body);
    cr_expect_eq(get_u2(body), get_u2(entries->data) + 1);
    cr_assert_geq(length, 2 + 10u);
    expect_bytes(body + 2, length - 2 - 10, expected, expected_length);
    const uint8_t* last = body + length - 10; // full_frame, no locals, one Throwable (34)
    cr_expect_eq(last[0], 255);
    expect_bytes(last + 3, 7, BYTES(0, 0, 0, 1, 7, 0, 34));
    rewriting_free(&rewriting);
    bytes_free(&attributes);
}

static struct bytes entries_of(unsigned count, const uint8_t* data, size_t length) {
    struct bytes entries = {0};
    put_u2(&entries, count);
    put(&entries, data, length);
    return entries;
}

// Returns at 0, 1, 60 and 139, and nops between them: far enough apart for every kind of frame.
Test(frames, offsets_follow_the_code_and_change_the_kind_where_they_must) {
    uint8_t code[140] = {RETURN, RETURN};
    code[60] = RETURN;
    code[139] = RETURN;
    // One frame of every kind.
    const uint8_t old[] = {1,                                 // same, at 1
                           64 + 59, 1,                        // same_locals_1 int, at 61
                           250,     0, 3,                     // chop 1, at 65
                           252,     0, 3,  7, 0, 4,           // append an Object, at 69
                           251,     0, 66,                    // same_extended, at 136
                           247,     0, 0,  5,                 // same_locals_1_extended null, at 137
                           255,     0, 0,  0, 1, 4, 0, 1, 2}; // full long, float, at 138
    // New positions: 1 becomes 13 (its pop), 61 becomes 61 + 6 + 12 + 6 = 85, and all further ones
    // move by 24, too.
    const uint8_t new[] = {13,  247, 0,  71, 1, 250, 0, 3, 252, 0, 3, 7, 0, 4,
                           251, 0,   66, 64, 5, 255, 0, 0, 0,   1, 4, 0, 1, 2};
    struct bytes entries = entries_of(7, old, sizeof old);
    expect_frames(code, sizeof code, &entries, new, sizeof new);
    bytes_free(&entries);
}

Test(frames, uninitialized_names_the_new_position_of_its_new) {
    // new Object (0); return (3); nop (4); new Object (5); return (8)
    const uint8_t code[] = {NEW, 0, 4, RETURN, NOP, NEW, 0, 4, RETURN};
    const uint8_t old[] = {255, 0, 4, 0, 1, 8, 0, 0, 0, 0, 67, 8, 0, 5};
    const uint8_t new[] = {255, 0, 16, 0, 1, 8, 0, 6, 0, 0, 67, 8, 0, 17};
    struct bytes entries = entries_of(2, old, sizeof old);
    expect_frames(code, sizeof code, &entries, new, sizeof new);
    bytes_free(&entries);
}

Test(frames, frame_at_the_start_goes_behind_the_push) {
    const uint8_t code[] = {NOP, GOTO, 0xff, 0xff};
    struct bytes entries = entries_of(1, BYTES(0));
    expect_frames(code, sizeof code, &entries, BYTES(6));
    bytes_free(&entries);
}

Test(frames, handlers_frame_is_at_its_call_and_a_new_behind_it) {
    // 0: nop; -- 1: new Object; nop; pop2; return. The frame at 5 holds the object made at 1.
    const uint8_t code[] = {NOP, NEW, 0, P_OBJECT, NOP, 88, RETURN};
    const uint16_t table[][4] = {{0, 1, 1, 0}};
    struct bytes attributes = {0};
    put_head(&attributes, P_FRAMES, 2 + 4 + 13);
    put(&attributes, BYTES(0, 2, 65, 7, 0, P_OBJECT));
    put(&attributes, BYTES(255, 0, 3, 0, 0, 0, 2, 7, 0, P_OBJECT, 8, 0, 1));
    struct test_method method = {.max_stack = 2,
                                 .code = code,
                                 .code_length = sizeof code,
                                 .exceptions = table,
                                 .exception_count = 1,
                                 .attributes = &attributes,
                                 .attribute_count = 1};
    struct rewriting rewriting = {0};
    rewrite_one(&rewriting, 52, &method);
    struct found found = find_code(&rewriting.result, 0);
    uint32_t length = 0;
    const uint8_t* body = find_attribute(&rewriting.result, &found, "StackMapTable", &length);
    cr_assert_not_null(body);
    cr_expect_eq(found.code[13], NEW);
    expect_range(&found, 0, 6, 7, 7);
    expect_bytes(body, length,
                 BYTES(0, 3, 64 + 7, 7, 0, P_OBJECT,                    // at 7, the call
                       255, 0, 9, 0, 0, 0, 2, 7, 0, P_OBJECT, 8, 0, 13, // at 17, of the new at 13
                       255, 0, 7, 0, 0, 0, 1, 7, 0, 34));               // the catch-all's, at 25
    rewriting_free(&rewriting);
    bytes_free(&attributes);
}

static void expect_bad_frames(unsigned count, const uint8_t* data, size_t length) {
    struct bytes attributes = {0};
    put_head(&attributes, P_FRAMES, (uint32_t)length + 2);
    put_u2(&attributes, count);
    put(&attributes, data, length);
    struct test_method method = {.max_stack = 1,
                                 .code = two_returns,
                                 .code_length = 7,
                                 .attributes = &attributes,
                                 .attribute_count = 1};
    struct test_class class = {.methods = &method, .method_count = 1};
    struct rewriting rewriting = {.next = 7};
    rewrite(&rewriting, &class);
    cr_assert_eq(rewriting.status, 0);
    cr_expect_eq(rewriting.result.methods[0].refusal, INSTRUMENT_BAD_CODE);
    rewriting_free(&rewriting);
    bytes_free(&attributes);
}

Test(frames, malformed_frames_are_refused) {
    expect_bad_frames(1, BYTES(2));                        // inside an instruction
    expect_bad_frames(1, BYTES(7));                        // at the end
    expect_bad_frames(2, BYTES(5));                        // one is missing
    expect_bad_frames(1, BYTES(5, 5));                     // one too many
    expect_bad_frames(1, BYTES(200));                      // a reserved kind
    expect_bad_frames(1, BYTES(69, 9));                    // no such type
    expect_bad_frames(1, BYTES(69, 8, 0, 0));              // not a `new`
    expect_bad_frames(1, BYTES(255, 0, 5, 0xff, 0xff, 1)); // more types than bytes
    expect_bad_frames(1, BYTES(251, 0));                   // cut off
}

Test(frames, old_classes_get_none) {
    struct test_method method = {.max_stack = 1, .code = two_returns, .code_length = 7};
    struct rewriting rewriting = {0};
    rewrite_one(&rewriting, 49, &method);
    struct found found = find_code(&rewriting.result, 0);
    cr_expect_eq(get_u2(found.attributes), 0);
    rewriting_free(&rewriting);
}

// ---- Attributes ----------------------------------------------------------------------------

// Rewrites two_returns with one attribute and expects its new content; NULL: that it is dropped.
static void expect_attribute(unsigned name, const char* text, const uint8_t* body, size_t length,
                             const uint8_t* expected) {
    static const uint16_t table[][4] = {{0, 7, 5, 0}, {0, 4, 5, 0}};
    struct bytes attributes = {0};
    put_head(&attributes, name, (uint32_t)length);
    put(&attributes, body, length);
    struct test_method method = {.max_stack = 1,
                                 .max_locals = 1,
                                 .code = two_returns,
                                 .code_length = 7,
                                 .exceptions = table,
                                 .exception_count = 2,
                                 .attributes = &attributes,
                                 .attribute_count = 1};
    struct rewriting rewriting = {0};
    rewrite_one(&rewriting, 49, &method);
    struct found found = find_code(&rewriting.result, 0);
    uint32_t new_length = 0;
    const uint8_t* new_body = find_attribute(&rewriting.result, &found, text, &new_length);
    cr_expect_eq(new_body != NULL, expected != NULL);
    if (expected && new_body) expect_bytes(new_body, new_length, expected, length);
    rewriting_free(&rewriting);
    bytes_free(&attributes);
}

Test(attributes, lines_follow_their_code_and_the_first_keeps_the_push) {
    expect_attribute(P_LINES, "LineNumberTable", BYTES(0, 3, 0, 0, 0, 9, 0, 4, 0, 8, 0, 5, 0, 7),
                     (uint8_t[]){0, 3, 0, 0, 0, 9, 0, 10, 0, 8, 0, 17, 0, 7});
}

Test(attributes, variables_follow_their_code) {
    expect_attribute(P_LOCALS, "LocalVariableTable",
                     BYTES(0, 2, 0, 0, 0, 7, 0, 1, 0, 1, 0, 0, 0, 1, 0, 3, 0, 1, 0, 1, 0, 0),
                     (uint8_t[]){0, 2, 0, 0, 0, 31, 0, 1, 0, 1, 0, 0, //
                                 0, 7, 0, 3, 0, 1,  0, 1, 0, 0});
}

Test(attributes, annotations_follow_their_code) {
    const uint8_t old[] = {0,    4,                                             // their number
                           0x40, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0,  7,   0,   0,    // a variable
                           0x44, 0, 5, 1, 3, 0, 0, 7, 0, 1, 0,  14,  'I', 0, 2, // a new
                           0x42, 0, 1, 0, 0, 7, 0, 0,                           // a catch
                           0x47, 0, 4, 2, 0, 0, 7, 0, 1, 0, 14, '[', 0,   1, '@', 0, 7, 0, 0};
    // The catch now names exception table entry 4, because entry 0 was split into four.
    const uint8_t new[] = {0,    4,                                               // their number
                           0x40, 0, 1,  0, 0, 0, 31, 0, 0, 0, 0,  7,   0,   0,    // a variable
                           0x44, 0, 23, 1, 3, 0, 0,  7, 0, 1, 0,  14,  'I', 0, 2, // a new
                           0x42, 0, 4,  0, 0, 7, 0,  0,                           // a catch
                           0x47, 0, 16, 2, 0, 0, 7,  0, 1, 0, 14, '[', 0,   1, '@', 0, 7, 0, 0};
    expect_attribute(P_ANNOTATIONS, "RuntimeVisibleTypeAnnotations", old, sizeof old, new);
}

Test(attributes, unknown_ones_are_dropped) {
    expect_attribute(P_EXOTIC, "Exotic", BYTES(0, 5), NULL);
}

static void expect_bad_attribute(unsigned name, const uint8_t* body, size_t length) {
    struct bytes attributes = {0};
    put_head(&attributes, name, (uint32_t)length);
    put(&attributes, body, length);
    struct test_method method = {.max_stack = 1,
                                 .code = two_returns,
                                 .code_length = 7,
                                 .attributes = &attributes,
                                 .attribute_count = 1};
    struct test_class class = {.methods = &method, .method_count = 1};
    struct rewriting rewriting = {.next = 7};
    rewrite(&rewriting, &class);
    cr_assert_eq(rewriting.status, 0);
    cr_expect_eq(rewriting.result.methods[0].refusal, INSTRUMENT_BAD_CODE);
    rewriting_free(&rewriting);
    bytes_free(&attributes);
}

Test(attributes, malformed_ones_are_refused) {
    expect_bad_attribute(P_LINES, BYTES(0, 1, 0, 7, 0, 1));                    // beyond the code
    expect_bad_attribute(P_LINES, BYTES(0, 2, 0, 0, 0, 1));                    // one is missing
    expect_bad_attribute(P_LINES, BYTES(0));                                   // no count
    expect_bad_attribute(P_LOCALS, BYTES(0, 1, 0, 4, 0, 4, 0, 1, 0, 1, 0, 0)); // too long
    expect_bad_attribute(P_LOCALS, BYTES(0));
    expect_bad_attribute(P_ANNOTATIONS, BYTES(0, 1, 0x44, 0, 2, 0, 0, 7, 0, 0)); // no instruction
    expect_bad_attribute(P_ANNOTATIONS, BYTES(0, 1, 0x42, 0, 0, 0, 0, 7, 0, 0)); // no such entry
    expect_bad_attribute(P_ANNOTATIONS, BYTES(0, 1, 0x13, 0, 0, 7, 0, 0)); // the target of a field
    expect_bad_attribute(P_ANNOTATIONS, BYTES(0, 1, 0x44));
}

Test(attributes, annotations_nested_without_end_are_refused) {
    struct bytes body = {0};
    put(&body, BYTES(0, 1, 0x44, 0, 0, 0, 0, 7, 0, 1, 0, 14));
    for (int i = 0; i < 100000; i++) put(&body, BYTES('[', 0, 1));
    expect_bad_attribute(P_ANNOTATIONS, body.data, body.length);
    bytes_free(&body);
}
