// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Compares one method's code before and after rewriting. Without the insertions the instructions
// must be the same. Every jump must lead to the same instruction, or to the insertion right before
// it. Every exception range must cover the same instructions.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "opcodes.h"
#include "reader.h"
#include "shape.h"

enum { CODE_MAX = 65536, CALL_LENGTH = 6, HANDLER_LENGTH = 13 };

static uint32_t landing[CODE_MAX + 1]; // by old bci: the target of a jump, or COMPARE_NOWHERE
static uint8_t inserted[CODE_MAX + 1]; // by new bci: 1 for inserted bytes
static uint8_t covered[CODE_MAX + 1];  // by new bci: 1 if a catch-all handler covers it

// ---- New positions -------------------------------------------------------------------------

static void mark_inserted(const struct instrument_method* method) {
    memset(inserted, 0, method->code_length + 1);
    uint32_t from = 0, total = 0;
    uint32_t old_bci = 0;
    for (uint32_t i = 0; i < method->insertion_count; i++) {
        const struct instrument_insertion* insertion = &method->insertions[i];
        check_that(insertion->length > 0, "an insertion is not empty");
        check_that(insertion->start >= from, "insertions ascend");
        check_that(insertion->old_bci >= old_bci, "original positions ascend");
        from = insertion->start + (uint32_t)insertion->length;
        check_that(from <= method->code_length, "insertions lie in the code");
        memset(inserted + insertion->start, 1, insertion->length);
        total += insertion->length;
        old_bci = insertion->old_bci;
    }
    check_that(method->old_code_length + total == method->code_length, "lengths add up");
    check_that(old_bci <= method->old_code_length, "original positions lie in the code");
}

// One step of a walk over both codes: fills landing[bci] and returns the new position of the
// instruction at `bci`. `at` is the position after the instruction before it.
static uint32_t walk(const struct compared* compared, uint32_t* insertion, uint32_t bci,
                     uint32_t at) {
    const struct instrument_method* method = compared->method;
    const struct instrument_insertion* all = method->insertions;
    uint32_t count = method->insertion_count;
    // First comes the growth of the instruction before.
    while (*insertion < count && all[*insertion].start == at && all[*insertion].old_bci < bci)
        at += all[(*insertion)++].length;
    landing[bci] = at;
    while (*insertion < count && all[*insertion].start == at && all[*insertion].old_bci == bci)
        at += all[(*insertion)++].length;
    return at;
}

// ---- Instructions --------------------------------------------------------------------------

static void expect_target(const struct compared* compared, uint32_t old, int64_t old_offset,
                          uint32_t new, int64_t new_offset) {
    int64_t target = old + old_offset, new_target = new + new_offset;
    check_that(target >= 0 && target < compared->method->old_code_length, "a jump stays inside");
    check_that(landing[target] != COMPARE_NOWHERE, "a jump leads to an instruction");
    check_that(new_target == (int64_t)landing[target], "a jump leads to the same instruction");
    uint32_t back = instrument_old_bci(compared->method->insertions,
                                       compared->method->insertion_count, (uint32_t)new_target);
    check_that(back == target, "a target leads back");
}

static bool grew(const struct compared* compared, uint32_t old, uint32_t new) {
    return inserted[new + 3] &&
           instrument_old_bci(compared->method->insertions, compared->method->insertion_count,
                              new + 3) == old;
}

static void expect_branch(const struct compared* compared, uint32_t old, uint32_t new) {
    const uint8_t *from = compared->old_code + old, *to = compared->new_code + new;
    int64_t offset = (int16_t)load_u2(from + 1);
    if (!grew(compared, old, new)) {
        check_that(*from == *to, "a branch is the same branch");
        expect_target(compared, old, offset, new, (int16_t)load_u2(to + 1));
    } else if (*from == OP_goto || *from == OP_jsr) {
        check_that(*to == (*from == OP_goto ? OP_goto_w : OP_jsr_w), "goto became goto_w");
        expect_target(compared, old, offset, new, (int32_t)load_u4(to + 1));
    } else {
        uint8_t even = *from >= OP_ifnull ? 0 : 1; // the pairs begin at 198 and at 153
        check_that(((*from + even) ^ 1) == *to + even, "the branch was inverted");
        check_that(load_u2(to + 1) == 8 && to[3] == OP_goto_w,
                   "the inverted branch skips a goto_w");
        expect_target(compared, old, offset, new + 3, (int32_t)load_u4(to + 4));
    }
}

static void expect_switch(const struct compared* compared, uint32_t old, uint32_t new) {
    const uint8_t *from = compared->old_code + old, *to = compared->new_code + new;
    uint32_t length = shape_instruction(compared->old_code, compared->method->old_code_length, old);
    uint32_t new_length = shape_instruction(compared->new_code, compared->method->code_length, new);
    check_that(length == new_length && *from == *to, "a switch is the same switch");
    bool table = *from == OP_tableswitch;
    uint32_t at = ((old + 4) & ~3u) - old;
    expect_target(compared, old, (int32_t)load_u4(from + at), new, (int32_t)load_u4(to + at));
    uint32_t first = at + (table ? 12 : 8);
    check_that(memcmp(from + at + 4, to + at + 4, first - at - 4) == 0, "a switch keeps its size");
    for (uint32_t i = first; i < length; i += 4) {
        if (!table) check_that(load_u4(from + i) == load_u4(to + i), "a switch keeps its keys");
        if (!table) i += 4;
        expect_target(compared, old, (int32_t)load_u4(from + i), new, (int32_t)load_u4(to + i));
    }
}

static void expect_instruction(const struct compared* compared, uint32_t old, uint32_t new,
                               uint32_t length) {
    const uint8_t *from = compared->old_code + old, *to = compared->new_code + new;
    uint8_t kind = opcode_table[*from].kind;
    if (kind == OPCODE_IF || kind == OPCODE_GOTO || kind == OPCODE_JSR) {
        expect_branch(compared, old, new);
    } else if (kind == OPCODE_TABLE || kind == OPCODE_LOOKUP) {
        expect_switch(compared, old, new);
    } else if (kind == OPCODE_GOTO_W || kind == OPCODE_JSR_W) {
        check_that(*from == *to, "a far branch is the same branch");
        expect_target(compared, old, (int32_t)load_u4(from + 1), new, (int32_t)load_u4(to + 1));
    } else {
        check_that(memcmp(from, to, length) == 0, "an instruction is the same instruction");
    }
}

uint32_t compare_landing(uint32_t bci) {
    return landing[bci];
}

uint32_t compare_own(const struct compared* compared, uint32_t bci) {
    uint32_t at = landing[bci];
    uint32_t count = compared->method->insertion_count;
    const struct instrument_insertion* all = compared->method->insertions;
    while (inserted[at] && instrument_old_bci(all, count, at) == bci) at++;
    return at;
}

static void compare_instructions(const struct compared* compared) {
    const struct instrument_method* method = compared->method;
    const uint8_t* code = compared->old_code;
    check_that(method->insertion_count > 0 && method->insertions[0].start == 0 &&
                   method->insertions[0].length == CALL_LENGTH,
               "the push comes first");
    memset(landing, 0xff, (method->old_code_length + 1) * sizeof *landing);
    uint32_t insertion = 1, at = CALL_LENGTH, length;
    for (uint32_t bci = 0; bci < method->old_code_length; bci += length) {
        length = shape_instruction(code, method->old_code_length, bci);
        check_that(length > 0, "rewritten code consists of instructions");
        at = walk(compared, &insertion, bci, at) + length;
    }
    // A range that goes to the end of the code ends behind the last instruction's growth.
    walk(compared, &insertion, method->old_code_length, at);
    uint32_t handlers = landing[method->old_code_length];
    check_that(insertion == method->insertion_count, "insertions stand between instructions");
    for (uint32_t i = method->insertion_count; i-- > 0;) {
        if (method->insertions[i].old_bci != method->old_code_length) break;
        if (method->insertions[i].start < handlers) break;
        check_that(method->insertions[i].length == HANDLER_LENGTH, "handlers come last");
    }
    for (uint32_t bci = 0; bci < method->old_code_length; bci += length) {
        length = shape_instruction(code, method->old_code_length, bci);
        expect_instruction(compared, bci, compare_own(compared, bci), length);
    }
}

// ---- Exceptions ----------------------------------------------------------------------------

static void expect_inserted(uint32_t from, uint32_t to) {
    for (; from < to; from++) check_that(inserted[from], "a range loses no instruction");
}

static const uint8_t* new_entry(const struct compared* compared, uint32_t index) {
    return compared->new_bytes + compared->new_parts->exceptions +
           (size_t)SHAPE_EXCEPTION_LENGTH * index;
}

// Passes over the parts into which an entry was split. Returns their number.
static uint32_t expect_parts(const struct compared* compared, const uint8_t* old, uint32_t index) {
    uint32_t from = landing[load_u2(old)], end = landing[load_u2(old + 2)];
    uint32_t first = index;
    while (from < end) {
        check_that(index < compared->new_parts->exception_count, "a range is kept");
        const uint8_t* new = new_entry(compared, index++);
        check_that(load_u2(new + 4) == landing[load_u2(old + 4)], "a handler is kept");
        check_that(load_u2(new + 6) == load_u2(old + 6), "a catch type is kept");
        check_that(load_u2(new) >= from && load_u2(new) < load_u2(new + 2), "parts ascend");
        check_that(load_u2(new + 2) <= end, "a part lies in its range");
        expect_inserted(from, load_u2(new));
        from = load_u2(new + 2);
    }
    return index - first;
}

// The catch-all handlers must cover everything from behind the push on, except returns. In
// constructors they may cover less.
static void expect_cover(const struct compared* compared, uint32_t handlers) {
    const struct instrument_method* method = compared->method;
    bool constructor = method->name.length == 6 && memcmp(method->name.text, "<init>", 6) == 0;
    for (uint32_t at = 0; at < CALL_LENGTH; at++) check_that(!covered[at], "no push is covered");
    if (!constructor)
        for (uint32_t at = CALL_LENGTH; at < handlers; at++)
            check_that(covered[at] || !inserted[at], "everything behind the push is covered");
    for (uint32_t bci = 0; bci < method->old_code_length; bci++) {
        if (landing[bci] == COMPARE_NOWHERE) continue;
        bool leaves = opcode_table[compared->old_code[bci]].kind == OPCODE_RETURN;
        uint32_t at = compare_own(compared, bci);
        check_that(!leaves || !covered[at], "no return is covered");
        check_that(leaves || covered[at] || constructor, "every other instruction is covered");
    }
}

static void compare_exceptions(const struct compared* compared) {
    const uint8_t* old = compared->old_bytes + compared->old_parts->exceptions;
    uint32_t at = 0;
    for (uint32_t i = 0; i < compared->old_parts->exception_count; i++)
        at += expect_parts(compared, old + (size_t)SHAPE_EXCEPTION_LENGTH * i, at);
    uint32_t handlers = landing[compared->method->old_code_length];
    memset(covered, 0, handlers);
    for (; at < compared->new_parts->exception_count; at++) {
        const uint8_t* new = new_entry(compared, at);
        uint32_t start = load_u2(new), end = load_u2(new + 2), handler = load_u2(new + 4);
        check_that(start < end && end <= handlers, "a catch-all range lies in the program's code");
        check_that(load_u2(new + 6) == 0, "the catch-all handlers catch everything");
        check_that(handler >= handlers && handler < compared->method->code_length &&
                       (handler - handlers) % HANDLER_LENGTH == 0,
                   "the catch-all handlers are at the end");
        memset(covered + start, 1, end - start);
    }
    expect_cover(compared, handlers);
}

void compare_method(const struct compared* compared) {
    mark_inserted(compared->method);
    compare_instructions(compared);
    compare_exceptions(compared);
}
