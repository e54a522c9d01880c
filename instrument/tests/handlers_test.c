// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The cost of writing any exception table.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "code.h"
#include "support.h"

enum { ATHROW = 191, RETURN = 177, HANDLERS = 4000, ENTRIES = 60000, CODE_LENGTH = HANDLERS + 2 };

// The content of a Code attribute: nops, a return and athrow. Each of the first HANDLERS
// instructions begins a handler. Further exception table entries cover [0, end) with the given
// handler.
static struct bytes hostile_code(unsigned end, unsigned handler) {
    struct bytes bytes = {0};
    put_u2(&bytes, 2);
    put_u2(&bytes, 1);
    put_u4(&bytes, CODE_LENGTH);
    for (int i = 0; i < HANDLERS; i++) put_u1(&bytes, 0);
    put_u1(&bytes, RETURN);
    put_u1(&bytes, ATHROW);
    put_u2(&bytes, ENTRIES);
    for (unsigned i = 0; i < ENTRIES; i++) {
        put_u2(&bytes, 0);
        put_u2(&bytes, i < HANDLERS ? 1 : end);
        put_u2(&bytes, i < HANDLERS ? i : handler);
        put_u2(&bytes, 0);
    }
    put_u2(&bytes, 0);
    return bytes;
}

// Each visit of a call writes an entry, except the first visit of each original entry and the last.
static void expect_bounded(unsigned end, unsigned handler, enum instrument_refusal refusal) {
    struct bytes bytes = hostile_code(end, handler);
    struct buffer out = {0}, insertions = {0}, lines = {0};
    struct code code = {.major = 49, .out = &out, .insertions = &insertions, .lines = &lines};
    cr_assert(code_open(&code));
    cr_assert_eq(code_parse(&code, bytes.data, bytes.length), INSTRUMENT_NONE);
    cr_assert_eq(code_decode(&code), INSTRUMENT_NONE);
    cr_assert_eq(code_layout(&code), INSTRUMENT_NONE);
    cr_expect_eq(handlers_emit(&code), refusal);
    cr_expect_leq(code.handler_steps, 2 * ENTRIES + 65535);
    cr_expect_geq(code.handler_steps, ENTRIES);
    buffer_free(&out);
    buffer_free(&insertions);
    buffer_free(&lines);
    code_close(&code);
    bytes_free(&bytes);
}

Test(handlers, ranges_over_thousands_of_earlier_handlers_are_written_in_linear_time) {
    expect_bounded(HANDLERS, HANDLERS + 1, INSTRUMENT_NONE);
}

Test(handlers, ranges_up_to_a_return_behind_thousands_of_handlers_too) {
    expect_bounded(CODE_LENGTH - 1, HANDLERS + 1, INSTRUMENT_TABLE_FULL);
}
