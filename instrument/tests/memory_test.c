// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Allocations that fail. The linker redirects the room's allocations to this file (--wrap).
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* old, size_t size);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* old, size_t size);

static long allowed = -1; // allocations before one fails; negative: all succeed
static long failures;

static bool refuse(void) {
    if (allowed < 0 || allowed-- > 0) return false;
    allowed = -1;
    failures++;
    return true;
}

void* __wrap_malloc(size_t size) {
    return refuse() ? NULL : __real_malloc(size);
}

void* __wrap_calloc(size_t count, size_t size) {
    return refuse() ? NULL : __real_calloc(count, size);
}

void* __wrap_realloc(void* old, size_t size) {
    return refuse() ? NULL : __real_realloc(old, size);
}

Test(memory, rewriter_that_gets_none_is_not_opened) {
    int tries = 0;
    for (;; tries++) {
        failures = 0;
        allowed = tries;
        struct instrument* instrument = instrument_open();
        allowed = -1;
        if (failures == 0) {
            cr_expect_not_null(instrument);
            instrument_close(instrument);
            break;
        }
        cr_expect_null(instrument, "allocation %d", tries);
    }
    cr_expect_gt(tries, 5);
}

Test(memory, closing_nothing_is_nothing) {
    instrument_close(NULL);
    cr_expect_eq(failures, 0);
}

static uint32_t number(void* context, uint32_t count) {
    (void)context;
    (void)count;
    return 40000;
}

// A class whose methods consist of returns, each method with that many LineNumberTable entries and
// exception ranges. The tests choose the sizes so that each buffer of the rewriter must grow.
static struct bytes class_of(unsigned lines, unsigned ranges, unsigned returns, unsigned methods) {
    struct bytes attributes = {0}, code = {0};
    if (lines) {
        put_u2(&attributes, P_LINES);
        put_u4(&attributes, 2 + 4 * lines);
        put_u2(&attributes, lines);
        for (unsigned i = 0; i < lines; i++) put_u4(&attributes, i);
        for (unsigned i = 0; i < lines; i++) memset(attributes.data + 8 + 4 * (size_t)i, 0, 2);
    }
    for (unsigned i = 0; i < returns; i++) put_u1(&code, 177);
    uint16_t(*table)[4] = calloc(ranges + 1, sizeof *table);
    cr_assert_not_null(table);
    for (unsigned i = 0; i < ranges; i++) table[i][1] = 1;
    struct test_method* all = calloc(methods, sizeof *all);
    cr_assert_not_null(all);
    for (unsigned i = 0; i < methods; i++)
        all[i] = (struct test_method){.code = code.data,
                                      .code_length = code.length,
                                      .exceptions = (const uint16_t(*)[4])table,
                                      .exception_count = ranges,
                                      .attributes = &attributes,
                                      .attribute_count = lines > 0};
    struct test_class class = {.methods = all, .method_count = methods};
    struct bytes bytes = assemble(&class);
    free(all);
    free(table);
    bytes_free(&attributes);
    bytes_free(&code);
    return bytes;
}

// Makes every allocation of a rewriting fail once. The class must be refused and the result
// untouched, and the same rewriter must succeed afterwards.
static void expect_refused(unsigned lines, unsigned ranges, unsigned returns, unsigned methods) {
    struct bytes bytes = class_of(lines, ranges, returns, methods);
    struct instrument_options options = {.reserve = number};
    for (int tries = 0;; tries++) {
        struct instrument* instrument = instrument_open();
        cr_assert_not_null(instrument);
        struct instrument_class result = {.method_count = 4711};
        failures = 0;
        allowed = tries;
        int status = instrument_rewrite(instrument, bytes.data, bytes.length, &options, &result);
        allowed = -1;
        cr_expect_eq(status, failures ? -INSTRUMENT_MEMORY : 0, "allocation %d", tries);
        if (failures) cr_expect_eq(result.method_count, 4711u);
        status = instrument_rewrite(instrument, bytes.data, bytes.length, &options, &result);
        cr_expect_eq(status, 0);
        cr_expect_eq(result.instrumented, methods);
        instrument_close(instrument);
        if (tries >= 3 && failures == 0) break;
    }
    bytes_free(&bytes);
}

Test(memory, rewriting_that_gets_none_is_refused_and_can_be_repeated) {
    expect_refused(0, 0, 1, 1);
    expect_refused(3000, 0, 1, 1);
    expect_refused(0, 900, 1, 1);
    expect_refused(0, 0, 513, 1); // the last insertion makes the buffer grow
    // The output buffer grows at a different place in a method for each number of methods.
    for (unsigned methods = 200; methods < 260; methods++) expect_refused(2, 1, 6, methods);
}
