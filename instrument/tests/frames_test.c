// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The bytes that writing a malformed StackMapTable may touch, and the cost of reading a large one.
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

// ---- The frames behind inverted branches --------------------------------------------------------

enum { IFEQ = 153, REACH = 32767, NOPS = 9000, BRANCHES = 2000, FRAMES = NOPS + BRANCHES - 1 };

// The content of a Code attribute: nops, then branches that just reach, then what they jump over,
// and then what they jump to. The pop in between moves all targets out of reach.
static struct bytes far_branches(void) {
    struct bytes bytes = {0};
    unsigned length = NOPS + 3 * BRANCHES + REACH + 1;
    put_u2(&bytes, 2);
    put_u2(&bytes, 1);
    put_u4(&bytes, length);
    for (int i = 0; i < NOPS; i++) put_u1(&bytes, 0);
    for (int i = 0; i < BRANCHES; i++) {
        put_u1(&bytes, IFEQ);
        put_u2(&bytes, REACH);
    }
    put_u1(&bytes, RETURN);
    while (bytes.length < 8 + length - 1) put_u1(&bytes, 0);
    put_u1(&bytes, RETURN);
    put_u4(&bytes, 0); // no exception table, no attributes
    return bytes;
}

// A frame at each nop but the first, and behind each branch.
static struct bytes frames_of_branches(void) {
    struct bytes table = {0};
    put_u2(&table, FRAMES);
    put_u1(&table, 1);
    for (int i = 2; i < NOPS; i++) put_u1(&table, 0);
    put_u1(&table, 3);
    for (int i = 1; i < BRANCHES; i++) put_u1(&table, 2);
    return table;
}

Test(frames, the_frames_behind_thousands_of_inverted_branches_are_found_in_linear_time) {
    struct bytes bytes = far_branches(), table = frames_of_branches();
    struct buffer out = {0}, insertions = {0}, lines = {0};
    struct code code = {.major = 52, .out = &out, .insertions = &insertions, .lines = &lines};
    cr_assert(code_open(&code));
    cr_assert_eq(code_parse(&code, bytes.data, bytes.length), INSTRUMENT_NONE);
    cr_assert_eq(code_decode(&code), INSTRUMENT_NONE);
    code.has_frames = true;
    code.frames = reader_over(table.data, table.length);
    cr_expect_eq(code_layout(&code), INSTRUMENT_NONE);
    cr_expect_eq(code.frame_steps, FRAMES);
    cr_expect_geq(code.new_length, code.length + 5 * BRANCHES, "all branches are inverted");
    table.data[table.length - 1] = 3; // behind the last branch there is none now
    cr_expect_eq(code_layout(&code), INSTRUMENT_CODE_TOO_LARGE);
    code_close(&code);
    bytes_free(&bytes);
    bytes_free(&table);
}
