// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"
#include "shape.h"

void check_that(bool holds, const char* what) {
    if (holds) return;
    fprintf(stderr, "finding: this does not hold: %s\n", what);
    abort();
}

static uint32_t reserve(void* context, uint32_t count) {
    (void)count;
    return *(uint32_t*)context;
}

// A method number: one that sipush can hold, one that it cannot, or one that leads to both in one
// class.
static uint32_t number_of(const uint8_t* data, size_t size) {
    static const uint32_t numbers[] = {1, 32766, 40000, 7, 100000, 0xfffffff0, 300, 32767};
    return size > 4 ? numbers[(data[size - 1] ^ data[size / 2]) & 7] : 1;
}

// Whether a refusal is one of a method, not of a class.
static bool refuses_method(enum instrument_refusal refusal) {
    return refusal == INSTRUMENT_CODE_TOO_LARGE || refusal == INSTRUMENT_BAD_CODE ||
           refusal == INSTRUMENT_STACK_TOO_DEEP || refusal == INSTRUMENT_TABLE_FULL ||
           refusal == INSTRUMENT_UNINITIALIZED_THIS || refusal == INSTRUMENT_MANY_HOMES;
}

static int rewrite(struct instrument* instrument, const uint8_t* data, size_t size,
                   struct instrument_class* result) {
    uint32_t number = number_of(data, size);
    struct instrument_options options = {.reserve = reserve, .context = &number};
    memset(result, 0x5a, sizeof *result);
    struct instrument_class untouched;
    memset(&untouched, 0x5a, sizeof untouched);
    int status = instrument_rewrite(instrument, data, size, &options, result);
    check_that(status <= 0 && status > -(int)INSTRUMENT_REFUSAL_COUNT,
               "the status is 0 or a refusal of the list");
    check_that(status != -INSTRUMENT_MEMORY, "there is memory");
    if (!status) return 0;
    check_that(!refuses_method((enum instrument_refusal) - status),
               "a class is refused for a reason of classes");
    check_that(memcmp(result, &untouched, sizeof untouched) == 0,
               "a refusal leaves the result untouched");
    return status;
}

static struct check_totals totals;

struct check_totals check_totals(void) {
    return totals;
}

static void count(const struct instrument_class* result) {
    totals.classes++;
    for (uint32_t i = 0; i < result->method_count; i++) {
        totals.methods += result->methods[i].has_code;
        totals.refused += result->methods[i].refusal != INSTRUMENT_NONE;
    }
}

// ---- The description -----------------------------------------------------------------------

static void check_text(struct instrument_text text, const uint8_t* data, size_t size) {
    if (!text.text) return;
    const uint8_t* at = (const uint8_t*)text.text;
    check_that(at >= data && at + text.length <= data + size, "a text points into the input");
}

static void check_method(const struct instrument_method* method) {
    check_that(method->refusal == INSTRUMENT_NONE || refuses_method(method->refusal),
               "a method is refused for a reason of methods");
    check_that(method->has_code || (!method->refusal && !method->insertion_count),
               "a method without code has no refusal and no insertions");
    if (method->refusal) {
        check_that(method->insertion_count == 0, "a refused method has no insertions");
        check_that(method->code_length == method->old_code_length,
                   "a refused method keeps its length");
    }
    check_that(method->code_length <= 65535 || method->refusal, "code has at most 65,535 bytes");
    const struct instrument_line* lines = method->lines;
    for (uint32_t i = 0; i < method->line_count; i++) {
        if (i == 0 || lines[i].old_bci != lines[i - 1].old_bci)
            check_that(instrument_line_of(lines, method->line_count, lines[i].old_bci) ==
                           lines[i].line,
                       "instrument_line_of finds a line");
        check_that(lines[i].old_bci < method->old_code_length || method->refusal,
                   "a line lies in the code");
        check_that(i == 0 || lines[i].old_bci >= lines[i - 1].old_bci, "lines ascend");
    }
}

static void check_description(const struct instrument_class* result, const uint8_t* data,
                              size_t size) {
    check_text(result->name, data, size);
    check_text(result->source_file, data, size);
    uint32_t instrumented = 0;
    for (uint32_t i = 0; i < result->method_count; i++) {
        check_method(&result->methods[i]);
        check_text(result->methods[i].name, data, size);
        check_text(result->methods[i].descriptor, data, size);
        instrumented += result->methods[i].has_code && !result->methods[i].refusal;
    }
    check_that(instrumented == result->instrumented, "the instrumented methods are counted");
}

// ---- The code ------------------------------------------------------------------------------

static struct shape old_shape, new_shape;

static void compare_codes(const struct instrument_class* result, const uint8_t* data, size_t size) {
    check_that(shape_read(&old_shape, data, size), "the input is a class file");
    check_that(shape_read(&new_shape, result->bytes, result->length), "the result is a class file");
    check_that(old_shape.code_count <= new_shape.code_count, "no code is lost");
    for (uint32_t i = 0, j = 0; i < old_shape.code_count && j < new_shape.code_count; i++, j++) {
        const struct shape_code *old = &old_shape.codes[i], *new = &new_shape.codes[j];
        // A malformed Code attribute (read_code) is refused, and is in neither list.
        check_that(old->method_index == new->method_index, "methods keep their order");
        const struct instrument_method* method = &result->methods[old->method_index];
        check_that(new->code_length == method->code_length || method->refusal,
                   "code lengths are right");
        if (method->refusal) {
            check_that(old->attribute.length ==
                           new->attribute.length&& memcmp(
                               data + old->attribute.at, result->bytes + new->attribute.at,
                               old->attribute.length + SHAPE_ATTRIBUTE_HEAD) == 0,
                       "a refused method is copied");
            continue;
        }
        struct compared compared = {.method = method,
                                    .old_bytes = data,
                                    .new_bytes = result->bytes,
                                    .old_shape = &old_shape,
                                    .new_shape = &new_shape,
                                    .old_parts = old,
                                    .new_parts = new,
                                    .old_code = data + old->code,
                                    .new_code = result->bytes + new->code};
        compare_method(&compared);
        compare_tables(&compared);
    }
}

// ---- The result as input -------------------------------------------------------------------

// Whether a refusal is a limit. Only limits may keep a rewritten method from being rewritten again.
static bool is_limit(enum instrument_refusal refusal) {
    return refusal == INSTRUMENT_CODE_TOO_LARGE || refusal == INSTRUMENT_STACK_TOO_DEEP ||
           refusal == INSTRUMENT_TABLE_FULL || refusal == INSTRUMENT_MANY_HOMES;
}

static void check_again(struct instrument* other, const struct instrument_class* result) {
    struct instrument_class again;
    int status = rewrite(other, result->bytes, result->length, &again);
    check_that(status == 0 || status == -INSTRUMENT_POOL_FULL || status == -INSTRUMENT_NUMBERS,
               "the result can be rewritten");
    if (status) return;
    check_that(again.method_count == result->method_count, "no method is lost");
    for (uint32_t i = 0; i < result->method_count; i++) {
        const struct instrument_method* method = &again.methods[i];
        if (!result->methods[i].has_code || result->methods[i].refusal) continue;
        check_that(method->has_code, "a method keeps its code");
        check_that(!method->refusal || is_limit(method->refusal),
                   "a rewritten method is refused for a limit only");
        check_that(method->old_code_length == result->methods[i].code_length,
                   "code lengths are right");
    }
}

static void check_same(struct instrument* other, const struct instrument_class* result,
                       const uint8_t* data, size_t size) {
    struct instrument_class same;
    check_that(rewrite(other, data, size, &same) == 0, "another rewriter accepts the class, too");
    check_that(same.length == result->length && memcmp(same.bytes, result->bytes, same.length) == 0,
               "another rewriter gives the same bytes");
}

void check_rewriting(const uint8_t* data, size_t size) {
    static struct instrument *first, *other;
    if (!first) first = instrument_open();
    if (!other) other = instrument_open();
    check_that(first && other, "there is memory");
    struct instrument_class result;
    if (rewrite(first, data, size, &result)) return;
    count(&result);
    check_description(&result, data, size);
    compare_codes(&result, data, size);
    check_again(other, &result);
    check_same(other, &result, data, size);
}
