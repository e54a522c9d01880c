// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Changes after which a class mostly still verifies.
#include <string.h>

#include "frames.h"
#include "mutate.h"
#include "opcodes.h"
#include "reader.h"

enum { FRAMES_MAX = 512, NOPS_MAX = 32768, SWITCH_GROWTH_MAX = 64 };

// ---- The class -----------------------------------------------------------------------------

static bool set_version(struct edit* edit, const struct shape_code* code) {
    static const uint8_t versions[] = {50, 50, 51, 52, 52, 53, 55, 61, 65, 69, 71};
    (void)code;
    if (edit_random(edit, 3) == 0) return mutate_make_old(edit);
    // Versions that the oldest JVM cannot read are rare.
    uint32_t count = edit_random(edit, 4) ? 5 : sizeof versions;
    store_u2(edit->bytes + 4, 0);
    store_u2(edit->bytes + 6, versions[edit_random(edit, count)]);
    return true;
}

static bool grow_limits(struct edit* edit, const struct shape_code* code) {
    uint8_t* at = edit->bytes + code->attribute.at + SHAPE_ATTRIBUTE_HEAD;
    at += 2 * edit_random(edit, 2);
    static const uint32_t amounts[] = {1, 2, 250, 256, 4000, 65534, 65535};
    uint32_t value = load_u2(at) + amounts[edit_random(edit, 7)];
    store_u2(at, value > 65535 ? 65535 : value);
    return true;
}

// ---- Wider instructions --------------------------------------------------------------------

// Writes the wide form of the instruction at `at`, four bytes longer than before, and returns the
// number of bytes written; 0 if it has no wide form. Nops fill up the length; they come first if
// the instruction must be the last.
static uint32_t widen_one(const uint8_t* at, uint8_t* to) {
    uint8_t opcode = *at;
    memset(to, OP_nop, 8);
    bool local = (opcode >= OP_iload && opcode <= OP_aload) ||
                 (opcode >= OP_istore && opcode <= OP_astore) || opcode == OP_ret;
    if (local) {
        to[0] = OP_wide;
        to[1] = opcode;
        to[3] = at[1];
        return 6;
    }
    bool load = opcode >= OP_iload_0 && opcode <= OP_aload_3;
    if (load || (opcode >= OP_istore_0 && opcode <= OP_astore_3)) {
        uint8_t which = opcode - (load ? OP_iload_0 : OP_istore_0);
        to[0] = OP_wide;
        to[1] = (uint8_t)((load ? OP_iload : OP_istore) + which / 4);
        to[3] = which % 4;
        return 5;
    }
    if (opcode == OP_iinc) {
        to[0] = OP_wide;
        to[1] = opcode;
        to[3] = at[1];
        store_u2(to + 4, (uint32_t)(int8_t)at[2]);
        return 7;
    }
    if (opcode == OP_ldc) {
        to[0] = OP_ldc_w;
        to[2] = at[1];
        return 6;
    }
    if (opcode != OP_goto) return 0;
    to[2] = OP_goto_w;
    store_u4(to + 3, (uint32_t)((int16_t)load_u2(at + 1) - 2));
    return 7;
}

static bool widen(struct edit* edit, const struct shape_code* code) {
    uint8_t wide[8], none[4] = {0};
    uint32_t bci = edit_boundary(edit, code), length = 0, wide_length = 0;
    for (; (length = shape_instruction(edit->bytes + code->code, code->code_length, bci)) > 0;
         bci += length) {
        wide_length = widen_one(edit->bytes + code->code + bci, wide);
        if (wide_length) break;
    }
    if (!wide_length) return false;
    // References to places behind the instruction move, including the branch's own offset.
    if (!edit_insert_code(edit, code, bci + length, none, sizeof none) || !edit_reread(edit))
        return false;
    uint8_t* at = edit->bytes + code->code + bci;
    widen_one(at, wide);
    memcpy(at, wide, wide_length);
    return true;
}

static bool grow_switch(struct edit* edit, const struct shape_code* code) {
    static const uint8_t none[8 * SWITCH_GROWTH_MAX];
    const uint8_t* bytes = edit->bytes + code->code;
    uint32_t bci = edit_random(edit, 2) ? edit_boundary(edit, code) : 0, length;
    for (; (length = shape_instruction(bytes, code->code_length, bci)) > 0; bci += length)
        if (bytes[bci] == OP_tableswitch || bytes[bci] == OP_lookupswitch) break;
    if (length == 0) return false;
    bool table = bytes[bci] == OP_tableswitch;
    uint32_t more = 1 + edit_random(edit, SWITCH_GROWTH_MAX), size = table ? 4 : 8;
    if (!edit_insert_code(edit, code, bci + length, none, more * size) || !edit_reread(edit))
        return false;
    uint8_t* at = edit->bytes + code->code + bci;
    uint32_t fixed = ((bci + 4) & ~3u) - bci, otherwise = load_u4(at + fixed);
    edit_add_u4(edit, code->code + bci + fixed + (table ? 8 : 4), (int32_t)more);
    uint32_t key = length >= fixed + 16 ? load_u4(at + length - 8) : 0;
    for (uint8_t* to = at + length; more-- > 0;) {
        if (!table) to = store_u4(to, ++key);
        to = store_u4(to, otherwise);
    }
    return true;
}

// ---- More code -----------------------------------------------------------------------------

static bool add_nops(struct edit* edit, const struct shape_code* code) {
    static const uint8_t nops[NOPS_MAX];
    // It is rare that branches no longer reach their targets.
    uint32_t length = 4 * (1 + edit_random(edit, edit_random(edit, 8) ? 70 : NOPS_MAX / 4));
    return edit_insert_code(edit, code, mutate_fallen_into(edit, code), nops, length);
}

// The frames of the code, at most FRAMES_MAX.
static uint32_t frames_of(const struct edit* edit, const struct shape_code* code,
                          const struct shape_attribute** table, struct edit_frame* frames) {
    return edit_frames(edit, code, table, frames, FRAMES_MAX);
}

// Whether the instruction before `bci` falls into the one at `bci`.
static bool is_fallen_into(const struct edit* edit, const struct shape_code* code, uint32_t bci) {
    const uint8_t* bytes = edit->bytes + code->code;
    uint32_t length;
    uint8_t kind = OPCODE_PLAIN;
    for (uint32_t at = 0; at < bci; at += length) {
        length = shape_instruction(bytes, code->code_length, at);
        if (length == 0) return false;
        kind = opcode_table[bytes[at]].kind;
    }
    return opcode_falls_through(kind);
}

// A random bci that has a frame and is fallen into; code_length if none was found.
static uint32_t any_join(struct edit* edit, const struct shape_code* code) {
    static struct edit_frame frames[FRAMES_MAX];
    const struct shape_attribute* table;
    if (!mutate_has_frames(edit)) return mutate_fallen_into(edit, code);
    uint32_t count = frames_of(edit, code, &table, frames);
    for (uint32_t tries = 0; count && tries < 4; tries++) {
        uint32_t bci = frames[edit_random(edit, count)].bci;
        if (is_fallen_into(edit, code, bci)) return bci;
    }
    return code->code_length;
}

// Inserts a jump to the next instruction, at a place where a frame allows it.
static bool jump_to_join(struct edit* edit, const struct shape_code* code) {
    static const struct {
        uint8_t length, bytes[8];
    } jumps[] = {{4, {OP_nop, OP_goto, 0, 3}},
                 {4, {OP_iconst_0, OP_ifeq, 0, 3}},
                 {4, {OP_aconst_null, OP_ifnonnull, 0, 3}},
                 {8, {OP_nop, OP_nop, OP_nop, OP_goto_w, 0, 0, 0, 5}},
                 {8, {OP_iconst_0, OP_iconst_1, OP_if_icmplt, 0, 6, OP_nop, OP_nop, OP_nop}}};
    uint32_t bci = any_join(edit, code), index = edit_random(edit, 5);
    if (bci >= code->code_length) return false;
    mutate_grow_stack(edit, code, 2);
    return edit_insert_code(edit, code, bci, jumps[index].bytes, jumps[index].length);
}

// The same with a switch. The switch has no padding, so that it fills the inserted bytes exactly.
static bool switch_to_join(struct edit* edit, const struct shape_code* code) {
    enum { SWITCH = 3, OPERANDS = 4, LENGTH = 32, WORDS = (LENGTH - OPERANDS) / 4 };
    uint8_t bytes[LENGTH] = {OP_nop, OP_nop, OP_iconst_0, OP_tableswitch};
    uint32_t bci = any_join(edit, code);
    if (bci >= code->code_length || bci % 4 != 0) return false;
    for (uint32_t i = 0; i < WORDS; i++) store_u4(bytes + OPERANDS + 4 * i, LENGTH - SWITCH);
    store_u4(bytes + OPERANDS + 4, 0);
    store_u4(bytes + OPERANDS + 8, WORDS - 3 - 1);
    mutate_grow_stack(edit, code, 1);
    return edit_insert_code(edit, code, bci, bytes, LENGTH);
}

// ---- At the end of the code ----------------------------------------------------------------

// Appends instructions that no instruction falls into, with a frame. `caught`: the frame has an
// exception on the stack.
static bool append(struct edit* edit, const struct shape_code* code, const uint8_t* bytes,
                   uint32_t length, bool caught) {
    uint32_t end = code->code_length, throwable = mutate_throwable(edit);
    uint8_t body[] = {FRAME_FULL, 0, 0, 0, caught, TYPE_OBJECT, 0, 0};
    store_u2(body + 6, throwable);
    if (!throwable || end + length > 65535) return false;
    mutate_grow_stack(edit, code, 2);
    if (!edit_in_code(edit, code, code->code + end, 0, bytes, length)) return false;
    edit_add_u4(edit, code->code - 4, (int32_t)length);
    if (!edit_reread(edit) || !mutate_has_frames(edit)) return true;
    return edit_put_frame(edit, code, end, body, caught ? sizeof body : 5);
}

static bool append_dead(struct edit* edit, const struct shape_code* code) {
    static const struct {
        uint8_t length, bytes[7];
    } ends[] = {{2, {OP_aconst_null, OP_athrow}},
                {3, {OP_goto}},
                {5, {OP_goto_w}},
                {7, {OP_nop, OP_iconst_0, OP_pop, OP_nop, OP_goto, 0xff, 0xfc}}};
    uint32_t index = edit_random(edit, 4);
    return append(edit, code, ends[index].bytes, ends[index].length, false);
}

// Adds an exception table entry, as the first or the last one.
static bool put_entry(struct edit* edit, const struct shape_code* code, const uint8_t* entry) {
    uint32_t place = code->exceptions;
    if (edit_random(edit, 2)) place += SHAPE_EXCEPTION_LENGTH * code->exception_count;
    if (!edit_in_code(edit, code, place, 0, entry, SHAPE_EXCEPTION_LENGTH)) return false;
    edit_add_u2(edit, code->exceptions - 2, 1);
    return edit_reread(edit);
}

// A random range that is not empty and begins and ends at instructions.
static void any_range(struct edit* edit, const struct shape_code* code, uint8_t* entry) {
    uint32_t start = edit_boundary(edit, code), end = edit_boundary(edit, code);
    if (edit_random(edit, 4) == 0) start = 0;
    if (edit_random(edit, 4) == 0) end = code->code_length;
    if (start == end) end = code->code_length;
    if (start == end) start = 0;
    store_u2(store_u2(entry, start < end ? start : end), start < end ? end : start);
}

// Appends a handler at the end of the code, for a random range, which sometimes includes the
// handler.
static bool append_handler(struct edit* edit, const struct shape_code* code) {
    static const struct {
        uint8_t length, bytes[8];
    } ends[] = {{1, {OP_athrow}},
                {3, {OP_nop, OP_nop, OP_athrow}},
                {3, {OP_dup, OP_monitorexit, OP_athrow}},
                {4, {OP_dup, OP_monitorenter, OP_nop, OP_athrow}},
                {5, {OP_pop, OP_aconst_null, OP_goto, 0xff, 0xfe}},
                {3, {OP_goto}},
                {4, {OP_pop, OP_aconst_null, OP_nop, OP_athrow}}};
    uint8_t entry[SHAPE_EXCEPTION_LENGTH] = {0};
    uint32_t index = edit_random(edit, 7), handler = code->code_length;
    if (!append(edit, code, ends[index].bytes, ends[index].length, true)) return false;
    any_range(edit, code, entry);
    store_u2(entry + 4, handler);
    if (edit_random(edit, 3) == 0) store_u2(entry + 6, mutate_throwable(edit));
    return put_entry(edit, code, entry);
}

// ---- Exception entries ---------------------------------------------------------------------

static uint8_t* any_entry(struct edit* edit, const struct shape_code* code) {
    if (code->exception_count == 0) return NULL;
    return edit->bytes + code->exceptions +
           (size_t)SHAPE_EXCEPTION_LENGTH * edit_random(edit, code->exception_count);
}

static bool repeat_entry(struct edit* edit, const struct shape_code* code) {
    uint8_t copy[SHAPE_EXCEPTION_LENGTH];
    const uint8_t* entry = any_entry(edit, code);
    if (!entry) return false;
    memcpy(copy, entry, sizeof copy);
    return put_entry(edit, code, copy);
}

static bool swap_entries(struct edit* edit, const struct shape_code* code) {
    uint8_t copy[SHAPE_EXCEPTION_LENGTH];
    uint8_t *one = any_entry(edit, code), *other = any_entry(edit, code);
    if (!one || one == other) return false;
    memcpy(copy, one, sizeof copy);
    memcpy(one, other, sizeof copy);
    memcpy(other, copy, sizeof copy);
    return true;
}

// A random instruction strictly inside an entry's range, or 0.
static uint32_t inside(struct edit* edit, const struct shape_code* code, const uint8_t* entry) {
    for (uint32_t tries = 0; tries < 8; tries++) {
        uint32_t bci = edit_boundary(edit, code);
        if (bci > load_u2(entry) && bci < load_u2(entry + 2)) return bci;
    }
    return 0;
}

static bool shrink_entry(struct edit* edit, const struct shape_code* code) {
    uint8_t* entry = any_entry(edit, code);
    uint32_t bci = entry ? inside(edit, code, entry) : 0;
    if (!bci) return false;
    store_u2(entry + 2 * edit_random(edit, 2), bci);
    return true;
}

static bool split_entry(struct edit* edit, const struct shape_code* code) {
    uint8_t rest[SHAPE_EXCEPTION_LENGTH];
    uint8_t* entry = any_entry(edit, code);
    uint32_t bci = entry ? inside(edit, code, entry) : 0;
    if (!bci) return false;
    memcpy(rest, entry, sizeof rest);
    store_u2(entry + 2, bci);
    store_u2(rest, bci);
    return put_entry(edit, code, rest);
}

// Moves the end of a range further back in the code, sometimes to cover the range's own handler.
static bool stretch_entry(struct edit* edit, const struct shape_code* code) {
    uint8_t* entry = any_entry(edit, code);
    if (!entry) return false;
    uint32_t handler = load_u2(entry + 4);
    uint32_t length = shape_instruction(edit->bytes + code->code, code->code_length, handler);
    uint32_t end = edit_random(edit, 2) ? handler + length : edit_boundary(edit, code);
    if (end <= load_u2(entry + 2)) return false;
    store_u2(entry + 2, end);
    return true;
}

// ---- Frames --------------------------------------------------------------------------------

static bool extend_frame(struct edit* edit, const struct shape_code* code) {
    static struct edit_frame frames[FRAMES_MAX];
    const struct shape_attribute* table;
    uint32_t count = frames_of(edit, code, &table, frames);
    if (!count) return false;
    const struct edit_frame* frame = &frames[edit_random(edit, count)];
    uint8_t type = edit->bytes[frame->at];
    if (type >= FRAME_RESERVED) return false;
    bool one = type >= FRAME_SAME_1;
    uint8_t extended[3] = {one ? FRAME_SAME_1_EXTENDED : FRAME_SAME_EXTENDED};
    store_u2(extended + 1, type % FRAME_SAME_1);
    edit_add_u4(edit, table->at + 2, 2);
    return edit_in_code(edit, code, frame->at, 1, extended, 3);
}

// Inserts nops before a place with a frame, and the same frame before the nops.
static bool repeat_frame(struct edit* edit, const struct shape_code* code) {
    static struct edit_frame frames[FRAMES_MAX];
    const struct shape_attribute* table;
    uint8_t body[64], nops[8] = {0};
    if (!mutate_has_frames(edit)) return false;
    uint32_t count = frames_of(edit, code, &table, frames);
    if (!count) return false;
    const struct edit_frame* frame = &frames[edit_random(edit, count)];
    uint8_t type = edit->bytes[frame->at];
    bool relative = type >= FRAME_CHOP && type < FRAME_FULL && type != FRAME_SAME_EXTENDED;
    if (frame->length > sizeof body || relative || frame->bci == 0) return false;
    if (!is_fallen_into(edit, code, frame->bci)) return false;
    uint32_t head = type < FRAME_RESERVED ? 1 : 3, bci = frame->bci;
    body[0] = type;
    if (type < FRAME_RESERVED)
        body[0] = type < FRAME_SAME_1 ? FRAME_SAME_EXTENDED : FRAME_SAME_1_EXTENDED;
    memcpy(body + 1, edit->bytes + frame->at + head, frame->length - head);
    uint32_t length = frame->length - head + 1;
    if (!edit_insert_code(edit, code, bci, nops, edit_random(edit, 2) ? 4 : 8)) return false;
    return edit_reread(edit) && edit_put_frame(edit, code, bci, body, length);
}

// ---- Any of these --------------------------------------------------------------------------

#define CHANGES(C)                                                                                 \
    C(set_version)                                                                                 \
    C(grow_limits)                                                                                 \
    C(widen)                                                                                       \
    C(grow_switch)                                                                                 \
    C(add_nops)                                                                                    \
    C(jump_to_join)                                                                                \
    C(switch_to_join)                                                                              \
    C(append_dead)                                                                                 \
    C(append_handler)                                                                              \
    C(repeat_entry)                                                                                \
    C(swap_entries)                                                                                \
    C(shrink_entry)                                                                                \
    C(split_entry)                                                                                 \
    C(stretch_entry)                                                                               \
    C(extend_frame)                                                                                \
    C(repeat_frame)                                                                                \
    C(mutate_super)

static const struct {
    const char* name;
    bool (*change)(struct edit*, const struct shape_code*);
} changes[] = {
#define CHANGE_ROW(function) {#function, function},
    CHANGES(CHANGE_ROW)
#undef CHANGE_ROW
};

bool mutate_valid(struct edit* edit, const char** name) {
    if (edit->shape.code_count == 0) return false;
    const struct shape_code* code = &edit->shape.codes[edit_random(edit, edit->shape.code_count)];
    if (edit_random(edit, 2)) return mutate_prologue(edit, code, name);
    uint32_t index = edit_random(edit, sizeof changes / sizeof *changes);
    *name = changes[index].name;
    return changes[index].change(edit, code);
}
