// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The bytes that writing a malformed StackMapTable may touch.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "support.h"

enum { RETURN = 177, FULL = 255, OBJECT = 7, TYPES = 3000, HEAD_LENGTH = 8, BEHIND = 3 * TYPES };

// The content of a Code attribute: a return, no exception table, no attributes.
static const uint8_t code_bytes[] = {0, 1, 0, 1, 0, 0, 0, 1, RETURN, 0, 0, 0, 0};

// A table of one full frame, which announces more types than there are: each has three bytes.
static struct bytes announce(unsigned locals) {
    struct bytes table = {0};
    put_u2(&table, 1);
    put_u1(&table, FULL);
    put_u2(&table, 0);
    put_u2(&table, locals);
    for (int i = 0; i < TYPES; i++) {
        put_u1(&table, OBJECT);
        put_u2(&table, P_OBJECT);
    }
    return table;
}

// Gives the table room for all of its bytes and for their growth, which is what frames_emit asks
// for, and no more; then counts the bytes that it has changed behind that.
static size_t written_behind(const struct bytes* table) {
    struct buffer insertions = {0}, lines = {0};
    struct buffer out = {.capacity = HEAD_LENGTH + table->length + 2};
    struct code code = {.major = 52, .out = &out, .insertions = &insertions, .lines = &lines};
    out.data = calloc(1, out.capacity + BEHIND);
    cr_assert_not_null(out.data);
    memset(out.data + out.capacity, 0x5a, BEHIND);
    cr_assert(code_open(&code));
    cr_assert_eq(code_parse(&code, code_bytes, sizeof code_bytes), INSTRUMENT_NONE);
    cr_assert_eq(code_decode(&code), INSTRUMENT_NONE);
    cr_assert_eq(code_layout(&code), INSTRUMENT_NONE);
    code.has_frames = true;
    code.frames = reader_over(table->data, table->length);
    const uint8_t* behind = out.data + out.capacity;
    cr_expect_eq(frames_emit(&code), INSTRUMENT_BAD_CODE);
    cr_assert(out.data + out.capacity == behind, "the room sufficed");
    size_t count = 0;
    for (size_t i = 0; i < BEHIND; i++) count += behind[i] != 0x5a;
    buffer_free(&out);
    buffer_free(&insertions);
    buffer_free(&lines);
    code_close(&code);
    return count;
}

Test(frames, types_that_are_announced_and_not_there_are_not_written) {
    for (unsigned locals = TYPES + 1; locals <= 3 * TYPES; locals += TYPES / 3) {
        struct bytes table = announce(locals);
        cr_expect_eq(written_behind(&table), 0, "%u types", locals);
        bytes_free(&table);
    }
}
