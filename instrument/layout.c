// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Where everything goes. Calls come before returns and at the start of handlers; nops come before a
// switch where they keep its distance from a multiple of four, so that its padding and length stay
// what they were; branches that reach too far for 16 bits grow, which may put others out of reach,
// until nothing changes.
#include "code.h"
#include "opcodes.h"

enum {
    REACH = 32767,         // a branch offset's largest value; -32768 is left unused
    GOTO_GROWTH = 2,       // goto to goto_w, jsr to jsr_w
    IF_GROWTH = 5,         // an inverted branch over a goto_w
    LAYOUT_ROUNDS_MAX = 64 // enough for anything but code made to be hostile
};

static bool grows(uint8_t kind) {
    return kind == OPCODE_IF || kind == OPCODE_GOTO || kind == OPCODE_JSR;
}

// Fixes the nops before switches; the length of the rewritten instructions, entry call included.
static uint32_t place_points(struct code* code) {
    uint32_t shift = CODE_CALL_LENGTH;
    for (uint32_t i = 0; i < code->point_count; i++) {
        struct code_point* point = &code->points[i];
        if (point->kind == OPCODE_TABLE || point->kind == OPCODE_LOOKUP) {
            uint32_t call = point->caught ? CODE_CALL_LENGTH : 0;
            point->before = (uint8_t)(call + (-(shift + call) & 3));
            code->flags[point->bci] = (uint8_t)(CODE_START | point->before * CODE_BEFORE);
        }
        shift += point->before + point->after;
    }
    return code->length + shift;
}

static void fill_map(struct code* code) {
    uint32_t bci = 0;
    uint32_t shift = CODE_CALL_LENGTH;
    for (uint32_t i = 0; i < code->point_count; i++) {
        const struct code_point* point = &code->points[i];
        for (; bci <= point->bci; bci++) code->map[bci] = (uint16_t)(bci + shift);
        shift += point->before;
        if (point->after) { // the operands of a branch that grew; what follows is beyond the growth
            for (; bci < point->bci + 3u; bci++) code->map[bci] = (uint16_t)(bci + shift);
            shift += point->after;
        }
    }
    for (; bci <= code->length; bci++) code->map[bci] = (uint16_t)(bci + shift);
}

// Marks the branches that do not reach their target. True if there is a new one.
static bool widen(struct code* code) {
    bool changed = false;
    for (uint32_t i = 0; i < code->point_count; i++) {
        struct code_point* point = &code->points[i];
        if (!grows(point->kind) || point->after) continue;
        int32_t target = point->bci + (int16_t)load_u2(code->bytes + point->bci + 1);
        if (target < 0 || !code_is_start(code, (uint32_t)target)) continue; // emit refuses it
        int32_t distance = code->map[target] - (int32_t)code_own(code, point->bci);
        if (distance <= REACH && distance >= -REACH) continue;
        point->after = point->kind == OPCODE_IF ? IF_GROWTH : GOTO_GROWTH;
        changed = true;
    }
    return changed;
}

// An inverted branch has a new target, the instruction after it: there must be one (dead code may
// end in a branch), and from version 50 on a frame.
static bool inverted_can_land(const struct code* code) {
    for (uint32_t i = 0; i < code->point_count; i++) {
        const struct code_point* point = &code->points[i];
        if (point->after != IF_GROWTH) continue;
        if (point->bci + 3u == code->length) return false;
        if (code->major >= 50 && !frames_has(code, point->bci + 3u)) return false;
    }
    return true;
}

enum instrument_refusal code_layout(struct code* code) {
    for (int round = 0; round < LAYOUT_ROUNDS_MAX; round++) {
        code->handlers_at = place_points(code);
        code->new_length = code->handlers_at + CODE_HANDLER_LENGTH * code->handler_count;
        if (code->new_length > CODE_LENGTH_MAX) return INSTRUMENT_CODE_TOO_LARGE;
        fill_map(code);
        if (code->handlers_at <= REACH) return INSTRUMENT_NONE;
        if (!widen(code))
            return inverted_can_land(code) ? INSTRUMENT_NONE : INSTRUMENT_CODE_TOO_LARGE;
    }
    return INSTRUMENT_CODE_TOO_LARGE;
}
