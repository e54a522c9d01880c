// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The class file as a whole, the map of positions, and input that is not a class file.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { RETURN = 177 };

static const uint8_t returns[] = {RETURN};
// iconst_0; ifeq +4; return; nop; return
static const uint8_t two_returns[] = {3, 153, 0, 4, RETURN, 0, RETURN};

// ---- The class -----------------------------------------------------------------------------

Test(class, methods_are_numbered_and_described_in_order) {
    const struct test_method methods[] = {
        {.access = ACC_PUBLIC | ACC_ABSTRACT},
        {.code = returns, .code_length = 1},
        {.access = ACC_STATIC | ACC_NATIVE},
        {.code = two_returns, .code_length = 7, .max_stack = 1, .descriptor = P_IJ}};
    struct test_class class = {.major = 49, .methods = methods, .method_count = 4};
    struct rewriting rewriting = {.next = 100};
    rewrite(&rewriting, &class);
    cr_assert_eq(rewriting.status, 0);
    const struct instrument_class* result = &rewriting.result;
    cr_expect_eq(rewriting.reserved, 2u);
    cr_expect_eq(rewriting.calls, 1u);
    cr_expect_eq(result->method_count, 4u);
    cr_expect_eq(result->instrumented, 2u);
    cr_expect_eq(result->major_version, 49);
    cr_expect(result->name.length == 1 && result->name.text[0] == 'T');
    cr_expect(result->source_file.length == 6 && !memcmp(result->source_file.text, "T.java", 6));
    cr_expect_not(result->methods[0].has_code);
    cr_expect_not(result->methods[2].has_code);
    cr_expect_eq(result->methods[1].number, 100u);
    cr_expect_eq(result->methods[3].number, 101u);
    cr_expect_eq(result->methods[3].old_code_length, 7u);
    cr_expect_eq(result->methods[3].code_length, 38u);
    cr_expect_eq(result->methods[3].descriptor.length, 5u);
    cr_expect_eq(result->methods[0].access_flags, ACC_PUBLIC | ACC_ABSTRACT);
    cr_expect_eq(find_code(result, 3).code_length, 38u);
    rewriting_free(&rewriting);
}

static bool chooses_second(void* unused, struct instrument_text class_name,
                           struct instrument_text name, struct instrument_text descriptor) {
    (void)unused;
    cr_expect(class_name.length == 1 && class_name.text[0] == 'T');
    cr_expect(name.length == 1 && name.text[0] == 'm');
    return descriptor.length == 5;
}

static bool chooses_none(void* unused, struct instrument_text class_name,
                         struct instrument_text name, struct instrument_text descriptor) {
    (void)unused, (void)class_name, (void)name, (void)descriptor;
    return false;
}

static const uint8_t broken[] = {0xff};
static const struct test_method chosen_methods[] = {
    {.code = broken, .code_length = 1},
    {.code = two_returns, .code_length = 7, .max_stack = 1, .descriptor = P_IJ},
    {.access = ACC_PUBLIC | ACC_ABSTRACT}};

Test(class, methods_that_are_not_chosen_keep_every_byte) {
    struct test_class class = {.methods = chosen_methods, .method_count = 3};
    struct rewriting rewriting = {.next = 100, .choose = chooses_second};
    rewrite(&rewriting, &class);
    cr_assert_eq(rewriting.status, 0);
    const struct instrument_class* result = &rewriting.result;
    cr_expect_eq(rewriting.reserved, 1u);
    cr_expect_eq(result->instrumented, 1u);
    cr_expect_eq(result->methods[0].refusal, INSTRUMENT_NOT_CHOSEN);
    cr_expect_eq(result->methods[0].number, 0u);
    cr_expect_eq(result->methods[1].refusal, INSTRUMENT_NONE);
    cr_expect_eq(result->methods[1].number, 100u);
    struct found kept = find_code(result, 0);
    expect_bytes(kept.code, kept.code_length, broken, 1);
    cr_expect_eq(find_code(result, 1).code_length, 38u);
    rewriting_free(&rewriting);
}

Test(class, without_a_chosen_method_it_comes_back_as_it_was) {
    struct test_class class = {.methods = chosen_methods, .method_count = 3};
    struct rewriting rewriting = {.next = 1, .choose = chooses_none};
    rewrite(&rewriting, &class);
    cr_assert_eq(rewriting.status, 0);
    cr_expect_eq(rewriting.calls, 0u);
    cr_expect_eq(rewriting.result.instrumented, 0u);
    expect_bytes(rewriting.result.bytes, rewriting.result.length, rewriting.input.data,
                 rewriting.input.length);
    rewriting_free(&rewriting);
}

Test(class, without_code_it_comes_back_as_it_was) {
    const struct test_method method = {.access = ACC_PUBLIC | ACC_ABSTRACT};
    struct test_class class = {.methods = &method, .method_count = 1};
    struct rewriting rewriting = {.next = 1};
    rewrite(&rewriting, &class);
    cr_assert_eq(rewriting.status, 0);
    cr_expect_eq(rewriting.calls, 0u);
    expect_bytes(rewriting.result.bytes, rewriting.result.length, rewriting.input.data,
                 rewriting.input.length);
    rewriting_free(&rewriting);
}

Test(class, rewriter_can_be_used_again) {
    const struct test_method method = {.code = returns, .code_length = 1};
    struct test_class class = {.methods = &method, .method_count = 1};
    struct rewriting rewriting = {.next = 7};
    rewrite(&rewriting, &class);
    struct bytes first = {0};
    put(&first, rewriting.result.bytes, rewriting.result.length);
    struct instrument* old = rewriting.instrument;
    bytes_free(&rewriting.input);
    struct test_class other = {.major = 48, .methods = &method, .method_count = 1};
    struct rewriting again = {.next = 9};
    rewrite(&again, &other);
    rewrite(&rewriting, &class);
    expect_bytes(rewriting.result.bytes, rewriting.result.length, first.data, first.length);
    instrument_close(old);
    rewriting_free(&again);
    rewriting_free(&rewriting);
    bytes_free(&first);
}

static void expect_status(enum instrument_refusal refusal, const struct test_class* class,
                          uint32_t next) {
    struct rewriting rewriting = {.next = next, .result = {.method_count = 4711}};
    rewrite(&rewriting, class);
    cr_expect_eq(rewriting.status, -(int)refusal, "%s",
                 instrument_refusal_text((enum instrument_refusal) - rewriting.status));
    cr_expect(refusal == INSTRUMENT_NONE || rewriting.result.method_count == 4711);
    rewriting_free(&rewriting);
}

Test(class, refusals_name_their_reason_and_leave_the_result_alone) {
    const struct test_method method = {.code = returns, .code_length = 1};
    struct test_class class = {.methods = &method, .method_count = 1};
    expect_status(INSTRUMENT_NUMBERS, &class, 0);
    expect_status(INSTRUMENT_NUMBERS, &class, UINT32_MAX);
    class.major = 44;
    expect_status(INSTRUMENT_VERSION, &class, 1);
    class.major = 73;
    expect_status(INSTRUMENT_VERSION, &class, 1);
    class.major = 45;
    expect_status(INSTRUMENT_NONE, &class, 1);
    class.major = 72;
    expect_status(INSTRUMENT_NONE, &class, 1);
    class.pool_padding = 65535 - P_COUNT;
    expect_status(INSTRUMENT_POOL_FULL, &class, 1);
    class.pool_padding = 65535 - P_COUNT - 16;
    expect_status(INSTRUMENT_NONE, &class, 1);
    expect_status(INSTRUMENT_POOL_FULL, &class, 40000); // one more entry, for the number
}

Test(class, jfrs_events_are_refused_and_classes_of_like_names_are_not) {
    const struct test_method method = {.code = returns, .code_length = 1};
    struct test_class class = {.methods = &method, .method_count = 1, .super = "jdk/jfr/Event"};
    expect_status(INSTRUMENT_EVENT, &class, 1);
    class.super = "jdk/internal/event/Event";
    expect_status(INSTRUMENT_EVENT, &class, 1);
    class.super = "jdk/jfr/Even";
    expect_status(INSTRUMENT_NONE, &class, 1);
    class.super = "jdk/jfr/Event2";
    expect_status(INSTRUMENT_NONE, &class, 1);
    class.name = "jdk/jfr/Event";
    expect_status(INSTRUMENT_NONE, &class, 1);
}

Test(class, every_refusal_has_a_text) {
    for (int i = 0; i < INSTRUMENT_REFUSAL_COUNT; i++) {
        cr_expect_gt(strlen(instrument_refusal_text((enum instrument_refusal)i)), 0u);
        cr_expect_gt(strlen(instrument_refusal_explanation((enum instrument_refusal)i)), 0u);
    }
    cr_expect_not_null(instrument_refusal_text(INSTRUMENT_REFUSAL_COUNT));
    cr_expect_not_null(instrument_refusal_explanation(INSTRUMENT_REFUSAL_COUNT));
    cr_expect_str_eq(instrument_refusal_text(INSTRUMENT_MANY_HOMES), "many_homes");
}

// ---- Positions -----------------------------------------------------------------------------

Test(positions, insertions_lead_back_to_the_original) {
    struct test_method method = {.max_stack = 1, .code = two_returns, .code_length = 7};
    struct rewriting rewriting = {0};
    rewrite_one(&rewriting, 49, &method);
    const struct instrument_method* result = rewriting.result.methods;
    static const uint32_t expected[][2] = {{0, 0},  {3, 0},  {5, 0},  {6, 0},  {7, 1},
                                           {10, 4}, {13, 4}, {16, 4}, {17, 5}, {18, 6},
                                           {23, 6}, {24, 6}, {25, 7}, {31, 7}, {37, 7}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        cr_expect_eq(
            instrument_old_bci(result->insertions, result->insertion_count, expected[i][0]),
            expected[i][1], "of %u", expected[i][0]);
    cr_expect_eq(result->insertion_count, 4u);
    for (uint32_t i = 0; i < result->insertion_count; i++)
        cr_expect_eq(result->insertions[i].call, 1);
    rewriting_free(&rewriting);
}

Test(positions, without_insertions_nothing_moves) {
    cr_expect_eq(instrument_old_bci(NULL, 0, 17), 17u);
}

Test(positions, widening_belongs_to_its_instruction) {
    const struct instrument_insertion insertions[] = {
        {.start = 0, .length = 6, .old_bci = 0, .call = 1},
        {.start = 13, .length = 5, .old_bci = 4, .call = 0}};
    cr_expect_eq(instrument_old_bci(insertions, 2, 10), 4u);
    cr_expect_eq(instrument_old_bci(insertions, 2, 13), 4u);
    cr_expect_eq(instrument_old_bci(insertions, 2, 18), 7u);
}

Test(positions, line_is_that_of_the_nearest_entry_before) {
    const struct instrument_line lines[] = {{2, 10}, {5, 11}, {5, 12}, {9, 8}};
    cr_expect_eq(instrument_line_of(lines, 4, 0), 0u);
    cr_expect_eq(instrument_line_of(lines, 4, 2), 10u);
    cr_expect_eq(instrument_line_of(lines, 4, 4), 10u);
    cr_expect_eq(instrument_line_of(lines, 4, 5), 11u);
    cr_expect_eq(instrument_line_of(lines, 4, 7), 12u);
    cr_expect_eq(instrument_line_of(lines, 4, 70), 8u);
    cr_expect_eq(instrument_line_of(NULL, 0, 3), 0u);
}

Test(positions, lines_of_all_tables_are_given_sorted) {
    struct bytes attributes = {0};
    put_u2(&attributes, P_LINES);
    put_u4(&attributes, 10);
    put(&attributes, BYTES(0, 2, 0, 5, 0, 3, 0, 0, 0, 1));
    put_u2(&attributes, P_LINES);
    put_u4(&attributes, 6);
    put(&attributes, BYTES(0, 1, 0, 4, 0, 2));
    struct test_method method = {.max_stack = 1,
                                 .code = two_returns,
                                 .code_length = 7,
                                 .attributes = &attributes,
                                 .attribute_count = 2};
    struct rewriting rewriting = {0};
    rewrite_one(&rewriting, 49, &method);
    const struct instrument_method* result = rewriting.result.methods;
    cr_assert_eq(result->line_count, 3u);
    for (uint16_t i = 0; i < 3; i++) cr_expect_eq(result->lines[i].line, i + 1);
    cr_expect_eq(result->lines[1].old_bci, 4);
    rewriting_free(&rewriting);
    bytes_free(&attributes);
}

// ---- Exclusions ----------------------------------------------------------------------------

static bool excluded(const char* name) {
    const char* reason = instrument_excluded(name, strlen(name));
    return reason && *reason;
}

Test(excluded, classes_that_must_not_be_rewritten_have_a_reason) {
    cr_expect(excluded("plumbline/Trace"));
    cr_expect(excluded("java/lang/ref/Reference"));
    cr_expect_not(excluded("java/lang/ref/Reference$ReferenceHandler"));
    cr_expect_not(excluded("java/lang/ref/ReferenceQueue"));
    cr_expect(excluded("java/lang/VirtualThread"));
    cr_expect(excluded("java/lang/VirtualThread$VThreadContinuation"));
    cr_expect(excluded("java/lang/BaseVirtualThread"));
    cr_expect(excluded("java/lang/ThreadBuilders$BoundVirtualThread"));
    cr_expect(excluded("jdk/internal/vm/Continuation"));
    cr_expect(excluded("jdk/internal/vm/ContinuationScope"));
    cr_expect(excluded("jdk/internal/reflect/GeneratedMethodAccessor1"));
    cr_expect(excluded("sun/reflect/GeneratedConstructorAccessor12"));
}

Test(excluded, all_others_are_not) {
    cr_expect_null(instrument_excluded("java/lang/Object", 16));
    cr_expect_null(instrument_excluded("plumbline/Tracer", 16));
    cr_expect_null(instrument_excluded("plumbline/Trac", 14));
    cr_expect_null(instrument_excluded("java/lang/Thread", 16));
    cr_expect_null(instrument_excluded("", 0));
}

// ---- Input that is not a class file --------------------------------------------------------

static uint32_t one(void* context, uint32_t count) {
    (void)count;
    return *(uint32_t*)context;
}

// A class with every part that the rewriter handles.
static struct bytes rich_class(void) {
    struct bytes attributes = {0};
    put_u2(&attributes, P_LINES);
    put_u4(&attributes, 6);
    put(&attributes, BYTES(0, 1, 0, 4, 0, 2));
    put_u2(&attributes, P_FRAMES);
    put_u4(&attributes, 12);
    put(&attributes, BYTES(0, 1, 255, 0, 5, 0, 1, 7, 0, 4, 0, 0));
    put(&attributes, BYTES(0, P_LOCALS, 0, 0, 0, 12, 0, 1, 0, 0, 0, 7, 0, 1, 0, 1, 0, 0));
    put(&attributes, BYTES(0, P_ANNOTATIONS, 0, 0, 0, 10, 0, 1, 0x44, 0, 5, 0, 0, 7, 0, 0));
    const uint16_t table[][4] = {{0, 6, 5, 0}};
    const uint8_t choose[] = {3, 170, 0, 0, 0, 0, 0, 19, 0,  0,     0,
                              0, 0,   0, 0, 0, 0, 0, 0,  19, RETURN};
    const uint8_t construct[] = {42, 184, 0, P_CALL, 183, 0, P_SUPER, RETURN};
    const struct test_method methods[] = {
        {.max_stack = 1,
         .max_locals = 1,
         .code = two_returns,
         .code_length = 7,
         .exceptions = table,
         .exception_count = 1,
         .attributes = &attributes,
         .attribute_count = 4},
        {.max_stack = 1, .code = choose, .code_length = sizeof choose},
        {.access = ACC_PUBLIC,
         .name = P_INIT,
         .max_stack = 1,
         .max_locals = 1,
         .code = construct,
         .code_length = sizeof construct}};
    struct test_class class = {.major = 61, .methods = methods, .method_count = 3};
    struct bytes bytes = assemble(&class);
    bytes_free(&attributes);
    return bytes;
}

// Rewrites a copy of the bytes in its own memory block, so that a sanitizer detects a read beyond
// them.
static int try_bytes(struct instrument* instrument, const uint8_t* data, size_t length) {
    uint8_t* copy = malloc(length + (length == 0));
    cr_assert_not_null(copy);
    memcpy(copy, data, length);
    uint32_t number = 40000;
    struct instrument_options options = {.reserve = one, .context = &number};
    struct instrument_class result;
    int status = instrument_rewrite(instrument, copy, length, &options, &result);
    cr_expect_leq(status, 0);
    cr_expect_gt(status, -(int)INSTRUMENT_REFUSAL_COUNT);
    free(copy);
    return status;
}

// A class with one abstract method that has code.
static void rewrite_abstract(struct rewriting* rewriting, const char* name) {
    static const uint8_t code[] = {177};
    const struct test_method method = {.access = ACC_STATIC | ACC_ABSTRACT,
                                       .name = P_TEXT,
                                       .code = code,
                                       .code_length = sizeof code};
    const struct test_class class = {.text = name, .methods = &method, .method_count = 1};
    rewriting->next = 1;
    rewrite(rewriting, &class);
}

Test(hostile, abstract_method_with_code_is_malformed) {
    struct rewriting rewriting = {0};
    rewrite_abstract(&rewriting, "other");
    cr_expect_eq(rewriting.status, -INSTRUMENT_MALFORMED);
    rewriting_free(&rewriting);
}

Test(hostile, abstract_flag_of_a_static_initializer_means_nothing) {
    struct rewriting rewriting = {0};
    rewrite_abstract(&rewriting, "<clinit>");
    cr_assert_eq(rewriting.status, 0);
    cr_expect_eq(rewriting.result.instrumented, 1);
    rewriting_free(&rewriting);
}

Test(hostile, every_proper_prefix_of_a_class_is_malformed) {
    struct instrument* instrument = instrument_open();
    struct bytes bytes = rich_class();
    for (size_t length = 0; length < bytes.length; length++)
        cr_expect_eq(try_bytes(instrument, bytes.data, length), -INSTRUMENT_MALFORMED);
    cr_expect_eq(try_bytes(instrument, bytes.data, bytes.length), 0);
    put_u1(&bytes, 0);
    cr_expect_eq(try_bytes(instrument, bytes.data, bytes.length), -INSTRUMENT_MALFORMED);
    bytes_free(&bytes);
    instrument_close(instrument);
}

Test(hostile, rich_class_is_rewritten_whole) {
    struct instrument* instrument = instrument_open();
    struct bytes bytes = rich_class();
    uint32_t number = 1;
    struct instrument_options options = {.reserve = one, .context = &number};
    struct instrument_class result;
    cr_assert_eq(instrument_rewrite(instrument, bytes.data, bytes.length, &options, &result), 0);
    cr_expect_eq(result.instrumented, 3u);
    bytes_free(&bytes);
    instrument_close(instrument);
}

Test(hostile, no_change_of_one_byte_does_harm) {
    struct instrument* instrument = instrument_open();
    struct bytes bytes = rich_class();
    for (size_t i = 0; i < bytes.length; i++) {
        uint8_t kept = bytes.data[i];
        for (unsigned value = 0; value < 256; value++) {
            bytes.data[i] = (uint8_t)value;
            try_bytes(instrument, bytes.data, bytes.length);
        }
        bytes.data[i] = kept;
    }
    cr_expect_eq(try_bytes(instrument, bytes.data, bytes.length), 0);
    bytes_free(&bytes);
    instrument_close(instrument);
}

Test(hostile, no_random_changes_do_harm) {
    struct instrument* instrument = instrument_open();
    struct bytes bytes = rich_class();
    uint32_t state = 2463534242; // xorshift, with a fixed seed
    for (int round = 0; round < 100000; round++) {
        uint8_t copy[2048];
        cr_assert_leq(bytes.length, sizeof copy);
        memcpy(copy, bytes.data, bytes.length);
        for (int change = 0; change < 3; change++) {
            state ^= state << 13, state ^= state >> 17, state ^= state << 5;
            copy[state % bytes.length] = (uint8_t)(state >> 24);
        }
        try_bytes(instrument, copy, bytes.length);
    }
    cr_expect_eq(try_bytes(instrument, bytes.data, bytes.length), 0);
    bytes_free(&bytes);
    instrument_close(instrument);
}
