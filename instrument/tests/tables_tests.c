// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What points at code: exception tables, frames, lines, variables, annotations.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "support.h"

enum { RETURN = 177, NOP = 0, NEW = 187, GOTO = 167 };

// iconst_0; ifeq +4 (to 5); return (4); nop (5); return (6): old 4 is new 10 (the call) and 16.
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
    expect_range(&found, 0, 6, 16, 25); // up to the first return, pop included
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
    expect_range(&found, 0, 6, 10, 6);  // behind the push, up to the first pop
    expect_range(&found, 1, 16, 18, 6); // the return and the nop
    expect_range(&found, 2, 24, 25, 6); // the last return
    cr_expect_eq(get_u2(found.exceptions + 6), P_OBJECT);
    expect_range(&found, 3, 6, 16, 25);
    expect_range(&found, 4, 17, 24, 25);
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
    expect_range(&found, 0, 6, 10, 17);
    expect_range(&found, 1, 16, 17, 10); // of the return alone; the handler is the pop before it
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

// Rewrites code with a table and the option `caught`, and looks at the result.
static struct found rewrite_catches(struct rewriting* rewriting, const uint8_t* code, size_t length,
                                    const uint16_t (*table)[4], size_t count) {
    struct test_method method = {.max_stack = 1,
                                 .code = code,
                                 .code_length = length,
                                 .exceptions = table,
                                 .exception_count = count};
    *rewriting = (struct rewriting){.caught = true};
    rewrite_one(rewriting, 49, &method);
    return find_code(&rewriting->result, 0);
}

// The call sequences of number 7; 32 is caught's Methodref.
#define CAUGHT 0x11, 0, 7, 184, 0, 32
#define POP 0x11, 0, 7, 184, 0, 29

Test(handlers, caught_is_called_where_the_program_catches_a_type) {
    // nop; return; -- 2: athrow, the handler; another range covers it
    const uint16_t table[][4] = {{0, 2, 2, P_OBJECT}, {0, 3, 0, 0}, {2, 3, 0, 0}};
    struct rewriting rewriting;
    struct found found = rewrite_catches(&rewriting, BYTES(NOP, RETURN, 191), table, 3);
    cr_assert_eq(found.code_length, 3 + 6 + 6 + 6 + 7u);
    expect_bytes(found.code + 14, 7, BYTES(CAUGHT, 191));
    expect_range(&found, 0, 6, 7, 14);
    expect_range(&found, 1, 13, 14, 14);
    expect_range(&found, 2, 6, 7, 6);
    expect_range(&found, 3, 13, 21, 6); // caught is part of the handler
    expect_range(&found, 4, 14, 21, 6);
    expect_range(&found, 5, 6, 13, 21); // the catch-all
    expect_range(&found, 6, 14, 21, 21);
    const struct instrument_method* result = rewriting.result.methods;
    cr_expect_eq(result->insertion_count, 4u);
    cr_expect_eq(instrument_old_bci(result->insertions, 4, 14), 2u);
    cr_expect_eq(instrument_old_bci(result->insertions, 4, 20), 2u);
    rewriting_free(&rewriting);
}

Test(handlers, caught_is_not_called_where_it_could_do_harm) {
    static const uint16_t tables[][2][4] = {
        {{0, 2, 2, 0}, {0, 1, 2, 0}},               // any exception: a monitor's, a finally block
        {{0, 2, 2, P_OBJECT}, {0, 1, 2, 0}},        // the same handler for a type as well
        {{0, 3, 2, P_OBJECT}, {0, 1, 2, P_OBJECT}}, // covers itself
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct rewriting rewriting;
        struct found found = rewrite_catches(&rewriting, BYTES(NOP, RETURN, 191), tables[i], 2);
        cr_expect_eq(found.code_length, 3 + 6 + 6 + 7u, "table %zu", i);
        rewriting_free(&rewriting);
    }
}

Test(handlers, handler_that_begins_with_a_return_calls_both) {
    const uint16_t table[][4] = {{0, 1, 1, P_OBJECT}};
    struct rewriting rewriting;
    struct found found = rewrite_catches(&rewriting, BYTES(RETURN, 176), table, 1);
    expect_bytes(found.code + 13, 13, BYTES(CAUGHT, POP, 176));
    expect_range(&found, 0, 12, 13, 13);
    rewriting_free(&rewriting);
}

Test(handlers, handler_that_begins_with_a_switch_keeps_its_padding) {
    uint8_t code[21] = {NOP, 170}; // tableswitch of one, all to the return at 20
    code[7] = code[19] = 19;
    code[20] = RETURN;
    const uint16_t table[][4] = {{0, 1, 1, P_OBJECT}};
    struct rewriting rewriting;
    struct found found = rewrite_catches(&rewriting, code, sizeof code, table, 1);
    cr_expect_eq(found.code[13], 170); // 6 of push, the nop, 6 of caught: no nops at all
    cr_expect_eq(found.code_length, sizeof code + 6 + 6 + 6 + 7);
    expect_range(&found, 0, 6, 7, 7);
    rewriting_free(&rewriting);
}

// ---- Frames --------------------------------------------------------------------------------

// Rewrites `code` with the given StackMapTable entries; expects the entries of the new one. The
// handler's frame, which follows, is checked apart.
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
    const uint8_t* last = body + length - 10; // full_frame, no locals, one Throwable (31)
    cr_expect_eq(last[0], 255);
    expect_bytes(last + 3, 7, BYTES(0, 0, 0, 1, 7, 0, 31));
    rewriting_free(&rewriting);
    bytes_free(&attributes);
}

static struct bytes entries_of(unsigned count, const uint8_t* data, size_t length) {
    struct bytes entries = {0};
    put_u2(&entries, count);
    put(&entries, data, length);
    return entries;
}

// return, 70 nops, goto 0 and so on: positions far enough apart for every kind.
Test(frames, offsets_follow_the_code_and_change_the_kind_where_they_must) {
    uint8_t code[140] = {RETURN, RETURN};
    code[60] = RETURN;
    code[139] = RETURN;
    // Each at: same 1 (new 13), same_1 61 (delta 59; new 13+..), chop, append, same_extended.
    const uint8_t old[] = {1,                                 // same, at 1
                           64 + 59, 1,                        // same_locals_1 int, at 61
                           250,     0, 3,                     // chop 1, at 65
                           252,     0, 3,  7, 0, 4,           // append an Object, at 69
                           251,     0, 66,                    // same_extended, at 136
                           247,     0, 0,  5,                 // same_locals_1_extended null, at 137
                           255,     0, 0,  0, 1, 4, 0, 1, 2}; // full long, float, at 138
    // New: 1 is 13 (its pop), 61 is 61+6+12+6 = 85, the rest 24 further on.
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

// Rewrites two_returns with one attribute and expects its new body; expected NULL: it is dropped.
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
                     (uint8_t[]){0, 2, 0, 0, 0, 25, 0, 1, 0, 1, 0, 0, //
                                 0, 7, 0, 3, 0, 1,  0, 1, 0, 0});
}

Test(attributes, annotations_follow_their_code) {
    const uint8_t old[] = {0,    4,                                             // four of them
                           0x40, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0,  7,   0,   0,    // a variable
                           0x44, 0, 5, 1, 3, 0, 0, 7, 0, 1, 0,  14,  'I', 0, 2, // a new
                           0x42, 0, 1, 0, 0, 7, 0, 0,                           // a catch
                           0x47, 0, 4, 2, 0, 0, 7, 0, 1, 0, 14, '[', 0,   1, '@', 0, 7, 0, 0};
    const uint8_t new[] = {0, 4, 0x40, 0, 1, 0, 0, 0, 25, 0, 0, 0, 0, 7, 0, 0, 0x44, 0, 17, 1, 3, 0,
                           0, 7, 0, 1, 0, 14, 'I', 0, 2, 0x42, 0, 3, 0, 0, 7, 0,
                           0, // the first entry is now
                              // three
                           0x47, 0, 16, 2, 0, 0, 7, 0, 1, 0, 14, '[', 0, 1, '@', 0, 7, 0, 0};
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
    expect_bad_attribute(P_ANNOTATIONS, BYTES(0, 1, 0x13, 0, 0, 7, 0, 0));       // a field's
    expect_bad_attribute(P_ANNOTATIONS, BYTES(0, 1, 0x44));
}

Test(attributes, annotations_nested_without_end_are_refused) {
    struct bytes body = {0};
    put(&body, BYTES(0, 1, 0x44, 0, 0, 0, 0, 7, 0, 1, 0, 14));
    for (int i = 0; i < 100000; i++) put(&body, BYTES('[', 0, 1));
    expect_bad_attribute(P_ANNOTATIONS, body.data, body.length);
    bytes_free(&body);
}
