// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Computes the new positions. Calls are inserted before returns and at the start of handlers. Nops
// are inserted before a switch, to keep its distance from a multiple of four, so that its padding
// and length stay the same. A branch that no longer reaches its target with 16 bits grows. That may
// put other branches out of reach, so this is repeated until nothing changes.
#include "code.h"
#include "opcodes.h"

enum {
    REACH = 32767,         // the largest branch offset; -32768 is not used
    GOTO_GROWTH = 2,       // goto to goto_w, jsr to jsr_w
    IF_GROWTH = 5,         // an inverted branch over a goto_w
    LAYOUT_ROUNDS_MAX = 64 // enough for all code that is not made to be hostile
};

static bool grows(uint8_t kind) {
    return kind == OPCODE_IF || kind == OPCODE_GOTO || kind == OPCODE_JSR;
}

// Sets the number of nops before each switch. Returns the length of the rewritten instructions,
// including the push sequence.
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
        if (point->after) { // the operands of a branch that grew; the growth comes after them
            for (; bci < point->bci + 3u; bci++) code->map[bci] = (uint16_t)(bci + shift);
            shift += point->after;
        }
    }
    for (; bci <= code->length; bci++) code->map[bci] = (uint16_t)(bci + shift);
}

// Widens the branches that do not reach their target. True if there was any.
static bool widen(struct code* code) {
    bool changed = false;
    for (uint32_t i = 0; i < code->point_count; i++) {
        struct code_point* point = &code->points[i];
        if (!grows(point->kind) || point->after) continue;
        int32_t target = point->bci + (int16_t)load_u2(code->bytes + point->bci + 1);
        if (target < 0 || !code_is_start(code, (uint32_t)target)) continue; // code_emit refuses it
        int32_t distance = code->map[target] - (int32_t)code_own(code, point->bci);
        if (distance <= REACH && distance >= -REACH) continue;
        point->after = point->kind == OPCODE_IF ? IF_GROWTH : GOTO_GROWTH;
        changed = true;
    }
    return changed;
}

// An inverted branch makes the instruction after it a branch target. There must be an instruction
// (dead code may end in a branch), and from version 50 on it must have a frame. One walk over the
// frames serves all branches: a hostile table has megabytes, and a method thousands of branches.
static bool inverted_can_land(struct code* code) {
    struct frames_walk walk = frames_walk(code);
    code->frame_steps = 0;
    for (uint32_t i = 0; i < code->point_count; i++) {
        const struct code_point* point = &code->points[i];
        if (point->after != IF_GROWTH) continue;
        if (point->bci + 3u == code->length) return false;
        if (code->major >= 50 && !frames_has(&walk, point->bci + 3u)) return false;
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
