// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Constructs that compilers rarely write, with the frames and handlers that they need. They leave
// the stack and the locals as they were.
#include <string.h>

#include "frames.h"
#include "mutate.h"
#include "opcodes.h"
#include "reader.h"

enum { LENGTH_MAX = 36, FRAMES_MAX = 5, HANDLERS_MAX = 2, STACK = 5 };
// The stack of a frame: empty; an exception; the object made by the `new` at a place in the
// construct (MADE + 4: at 4).
enum { SAME, CAUGHT, MADE };
// The requirements of a construct.
enum {
    OBJECT = 1,   // an instance method other than a constructor, so that local 0 is an object
    VOID = 2,     // a void method other than a constructor
    OLD = 4,      // a class version without frames
    ANYWHERE = 8, // none: it fits at any instruction that is fallen into
    ALIGNED = 16  // it fits only where a switch has the same padding as here
};
#define THROWABLE 0xfe, 0xfe // stands for the index of Throwable's Class entry
#define LOCAL 0xfd, 0xfd     // stands for the index of a new local
#define U2(value) (value) >> 8 & 0xff, (value)&0xff

struct prologue {
    const char* name;
    uint8_t needs, length; // requirements; bytes, a multiple of four
    uint8_t bytes[LENGTH_MAX];
    uint8_t frame_count, handler_count;
    struct {
        uint8_t at, kind;
    } frames[FRAMES_MAX];
    struct {
        uint8_t start, end, handler;
    } handlers[HANDLERS_MAX];
};

static const struct prologue prologues[] = {
    {"nops", ANYWHERE, 4, {0}, 0, 0, {{0, 0}}, {{0, 0, 0}}},
    {"shuffle",
     ANYWHERE,
     8,
     {OP_iconst_0, OP_dup, OP_dup2, OP_dup_x1, OP_pop2, OP_pop2, OP_pop},
     0,
     0,
     {{0, 0}},
     {{0, 0, 0}}},
    {"branch_to_next", 0, 8, {OP_iconst_0, OP_ifeq, U2(3), OP_nop}, 1, 0, {{4, SAME}}, {{0, 0, 0}}},
    {"loop_at_start", 0, 4, {OP_iconst_0, OP_ifne, U2(-1)}, 1, 0, {{0, SAME}}, {{0, 0, 0}}},
    {"loop_entered_below",
     0,
     12,
     {OP_goto, U2(6), OP_nop, OP_nop, OP_nop, OP_iconst_0, OP_ifne, U2(-4)},
     2,
     0,
     {{3, SAME}, {6, SAME}},
     {{0, 0, 0}}},
    {"dead_throw",
     0,
     12,
     {OP_goto, U2(8), OP_nop, OP_aconst_null, OP_athrow, OP_nop, OP_nop},
     3,
     0,
     {{3, SAME}, {6, SAME}, {8, SAME}},
     {{0, 0, 0}}},
    {"throw_or_go_on",
     0,
     8,
     {OP_iconst_0, OP_ifeq, U2(5), OP_aconst_null, OP_athrow},
     1,
     0,
     {{6, SAME}},
     {{0, 0, 0}}},
    {"goto_next",
     0,
     12,
     {OP_goto, U2(3), OP_goto_w, U2(0), U2(5)},
     2,
     0,
     {{3, SAME}, {8, SAME}},
     {{0, 0, 0}}},
    {"rethrow",
     0,
     8,
     {OP_nop, OP_nop, OP_goto, U2(4), OP_athrow},
     2,
     1,
     {{5, CAUGHT}, {6, SAME}},
     {{0, 5, 5}}},
    {"catch_and_go_on",
     0,
     12,
     {OP_aconst_null, OP_pop, OP_goto, U2(7), OP_pop, OP_goto, U2(3)},
     2,
     1,
     {{5, CAUGHT}, {9, SAME}},
     {{0, 2, 5}}},
    {"self_covering",
     0,
     8,
     {OP_goto, U2(6), OP_nop, OP_nop, OP_athrow},
     2,
     1,
     {{3, CAUGHT}, {6, SAME}},
     {{0, 6, 3}}},
    {"handlers_of_each_other",
     0,
     12,
     {OP_nop, OP_goto, U2(7), OP_nop, OP_athrow, OP_nop, OP_athrow},
     3,
     2,
     {{4, CAUGHT}, {6, CAUGHT}, {8, SAME}},
     {{0, 6, 6}, {6, 8, 4}}},
    {"handler_jumped_to",
     0,
     8,
     {OP_aconst_null, OP_nop, OP_goto, U2(3), OP_pop},
     1,
     1,
     {{5, CAUGHT}},
     {{1, 5, 5}}},
    {"handler_fallen_into",
     0,
     8,
     {OP_nop, OP_aconst_null, OP_pop, OP_aconst_null, OP_pop},
     1,
     1,
     {{4, CAUGHT}},
     {{0, 3, 4}}},
    {"handler_that_loops",
     0,
     12,
     {OP_nop, OP_goto, U2(8), OP_pop, OP_aconst_null, OP_goto, U2(-2)},
     2,
     1,
     {{4, CAUGHT}, {9, SAME}},
     {{0, 4, 4}}},
    {"handler_that_makes",
     0,
     12,
     {OP_nop, OP_goto, U2(8), OP_new, THROWABLE, OP_pop, OP_athrow},
     2,
     2,
     {{4, CAUGHT}, {9, SAME}},
     {{0, 1, 4}, {4, 9, 4}}},
    {"handler_that_makes_and_branches",
     0,
     16,
     {OP_nop, OP_goto, U2(14), OP_new, THROWABLE, OP_swap, OP_pop, OP_iconst_0, OP_ifeq, U2(4),
      OP_nop, OP_pop},
     3,
     1,
     {{4, CAUGHT}, {14, MADE + 4}, {15, SAME}},
     {{0, 1, 4}}},
    {"handler_that_returns",
     VOID,
     8,
     {OP_nop, OP_nop, OP_goto, U2(4), OP_return},
     2,
     1,
     {{5, CAUGHT}, {6, SAME}},
     {{0, 5, 5}}},
    {"range_of_a_return",
     VOID,
     8,
     {OP_iconst_0, OP_ifeq, U2(5), OP_return, OP_athrow},
     2,
     2,
     {{5, CAUGHT}, {6, SAME}},
     {{4, 5, 5}, {0, 5, 5}}},
    {"monitor",
     OBJECT,
     12,
     {OP_aload_0, OP_monitorenter, OP_nop, OP_aload_0, OP_monitorexit, OP_goto, U2(6), OP_aload_0,
      OP_monitorexit, OP_athrow},
     2,
     2,
     {{8, CAUGHT}, {11, SAME}},
     {{2, 5, 8}, {8, 10, 8}}},
    {"monitor_in_handler",
     OBJECT,
     12,
     {OP_nop, OP_goto, U2(8), OP_aload_0, OP_monitorenter, OP_aload_0, OP_monitorexit, OP_athrow},
     2,
     1,
     {{4, CAUGHT}, {9, SAME}},
     {{0, 1, 4}}},
    {"tableswitch",
     ALIGNED,
     28,
     {OP_iconst_0, OP_tableswitch, 0, 0, U2(0), U2(23), U2(0), U2(0), U2(0), U2(1), U2(0), U2(23),
      U2(0), U2(24)},
     2,
     0,
     {{24, SAME}, {25, SAME}},
     {{0, 0, 0}}},
    {"lookupswitch",
     ALIGNED,
     32,
     {OP_iconst_0, OP_lookupswitch, 0, 0, U2(0), U2(27), U2(0), U2(2), U2(0), U2(1), U2(0), U2(28),
      U2(0), U2(7), U2(0), U2(27)},
     2,
     0,
     {{28, SAME}, {29, SAME}},
     {{0, 0, 0}}},
    {"object_in_a_frame",
     0,
     12,
     {OP_new, THROWABLE, OP_iconst_0, OP_ifeq, U2(4), OP_nop, OP_pop},
     1,
     0,
     {{8, MADE}},
     {{0, 0, 0}}},
    {"jsr_to_next", OLD | ANYWHERE, 4, {OP_jsr, U2(3), OP_pop}, 0, 0, {{0, 0}}, {{0, 0, 0}}},
    {"jsr",
     OLD | ANYWHERE,
     16,
     {OP_jsr, U2(6), OP_goto, U2(11), OP_wide, OP_astore, LOCAL, OP_wide, OP_ret, LOCAL},
     0,
     0,
     {{0, 0}},
     {{0, 0, 0}}},
    {"jsr_w",
     OLD | ANYWHERE,
     20,
     {OP_jsr_w, U2(0), U2(8), OP_goto, U2(11), OP_wide, OP_astore, LOCAL, OP_wide, OP_ret, LOCAL},
     0,
     0,
     {{0, 0}},
     {{0, 0, 0}}},
    {"jsr_finally",
     OLD,
     24,
     {OP_nop, OP_jsr, U2(12), OP_goto, U2(17), OP_pop, OP_jsr, U2(5), OP_aconst_null, OP_athrow,
      OP_wide, OP_astore, LOCAL, OP_wide, OP_ret, LOCAL},
     0,
     2,
     {{0, 0}},
     {{0, 4, 7}, {7, 11, 7}}},
};
enum { PROLOGUES = sizeof prologues / sizeof *prologues };

// ---- Frames --------------------------------------------------------------------------------

static bool put_frames(struct edit* edit, const struct shape_code* code,
                       const struct prologue* prologue, uint32_t bci) {
    if (!mutate_has_frames(edit)) return true;
    uint32_t throwable = mutate_throwable(edit);
    if (!throwable) return false;
    for (uint32_t i = 0; i < prologue->frame_count; i++) {
        uint8_t body[4] = {FRAME_SAME_EXTENDED};
        uint8_t kind = prologue->frames[i].kind;
        if (kind != SAME) {
            body[0] = FRAME_SAME_1_EXTENDED;
            body[1] = kind == CAUGHT ? TYPE_OBJECT : TYPE_UNINITIALIZED;
            store_u2(body + 2, kind == CAUGHT ? throwable : bci + kind - MADE);
        }
        if (!edit_put_frame(edit, code, bci + prologue->frames[i].at, body, kind == SAME ? 1 : 4))
            return false;
    }
    return true;
}

static bool put_handlers(struct edit* edit, const struct shape_code* code,
                         const struct prologue* prologue, uint32_t bci) {
    uint8_t entries[HANDLERS_MAX * SHAPE_EXCEPTION_LENGTH] = {0};
    uint32_t count = prologue->handler_count;
    uint8_t* at = entries;
    for (uint32_t i = 0; i < count; i++) {
        at = store_u2(at, bci + prologue->handlers[i].start);
        at = store_u2(at, bci + prologue->handlers[i].end);
        at = store_u2(at, bci + prologue->handlers[i].handler);
        at = store_u2(at, edit_random(edit, 3) ? 0 : mutate_throwable(edit));
    }
    // The entries go before those of the program or behind them.
    uint32_t place = code->exceptions;
    if (edit_random(edit, 2)) place += SHAPE_EXCEPTION_LENGTH * code->exception_count;
    if (!edit_in_code(edit, code, place, 0, entries, count * SHAPE_EXCEPTION_LENGTH)) return false;
    edit_add_u2(edit, code->exceptions - 2, (int32_t)count);
    return edit_reread(edit);
}

// ---- Code ----------------------------------------------------------------------------------

static bool fits(const struct edit* edit, const struct shape_code* code,
                 const struct prologue* prologue) {
    bool constructor = mutate_is_constructor(edit, code);
    uint32_t length;
    const char* descriptor = mutate_descriptor(edit, code, &length);
    bool returns_void = descriptor && descriptor[length - 1] == 'V';
    bool is_static = edit->bytes[code->method + 1] & 8;
    if (prologue->needs & VOID && (constructor || !returns_void)) return false;
    return !(prologue->needs & OBJECT) || (!constructor && !is_static);
}

static void fill_in(uint8_t* bytes, uint32_t length, uint8_t marker, uint32_t value) {
    for (uint32_t i = 0; i + 1 < length; i++)
        if (bytes[i] == marker && bytes[i + 1] == marker) store_u2(bytes + i, value);
}

bool mutate_prologue(struct edit* edit, const struct shape_code* code, const char** name) {
    const struct prologue* prologue = &prologues[edit_random(edit, PROLOGUES)];
    *name = prologue->name;
    if (!fits(edit, code, prologue)) return false;
    if (prologue->needs & OLD && !mutate_make_old(edit)) return false;
    // In a class without frames, a construct without handlers fits nearly anywhere.
    bool anywhere =
        prologue->needs & ANYWHERE ||
        (!mutate_has_frames(edit) && !prologue->handler_count && !(prologue->needs & ALIGNED));
    uint32_t bci = anywhere ? mutate_fallen_into(edit, code) : 0;
    uint8_t bytes[LENGTH_MAX];
    memcpy(bytes, prologue->bytes, sizeof bytes);
    fill_in(bytes, prologue->length, 0xfe, mutate_throwable(edit));
    if (prologue->needs & OLD) fill_in(bytes, prologue->length, 0xfd, mutate_new_local(edit, code));
    mutate_grow_stack(edit, code, STACK);
    if (!edit_insert_code(edit, code, bci, bytes, prologue->length)) return false;
    if (!edit_reread(edit) || !put_frames(edit, code, prologue, bci)) return false;
    return put_handlers(edit, code, prologue, bci);
}
