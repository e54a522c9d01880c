// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Writes the rewritten instructions.
#include <string.h>

#include "code.h"
#include "opcodes.h"

// The conditional branch that is taken exactly when this one is not. ifeq to if_acmpne form pairs
// of which the first opcode is odd; ifnull and ifnonnull form a pair of which the first one is
// even.
static uint8_t inverted(uint8_t opcode) {
    if (opcode == OP_ifnull || opcode == OP_ifnonnull) return opcode ^ 1;
    return (uint8_t)(((opcode + 1) ^ 1) - 1);
}

static bool note_insertion(struct code* code, uint32_t start, uint32_t length, uint32_t old_bci,
                           bool call) {
    struct instrument_insertion insertion = {.start = (uint16_t)start,
                                             .length = (uint16_t)length,
                                             .old_bci = (uint16_t)old_bci,
                                             .call = call};
    return buffer_append(code->insertions, &insertion, sizeof insertion);
}

// Computes the new offset of a branch at `bci` whose old offset is `offset`. False if there is no
// instruction at the target.
static bool new_offset(const struct code* code, uint32_t bci, int32_t offset, int32_t* result) {
    int64_t target = (int64_t)bci + offset;
    if (target < 0 || target >= code->length || !code_is_start(code, (uint32_t)target))
        return false;
    *result = code->map[target] - (int32_t)code_own(code, bci);
    return true;
}

static uint8_t* emit_branch(const struct code* code, const struct code_point* point, uint8_t* to) {
    const uint8_t* from = code->bytes + point->bci;
    bool far = point->kind == OPCODE_GOTO_W || point->kind == OPCODE_JSR_W;
    int32_t offset = far ? (int32_t)load_u4(from + 1) : (int16_t)load_u2(from + 1);
    if (!new_offset(code, point->bci, offset, &offset)) return NULL;
    if (far) {
        *to = point->opcode;
        return store_u4(to + 1, (uint32_t)offset);
    }
    if (!point->after) {
        *to = point->opcode;
        return store_u2(to + 1, (uint32_t)offset & 0xffff);
    }
    if (point->kind == OPCODE_IF) {
        *to = inverted(point->opcode);
        to = store_u2(to + 1, 8); // over itself and the goto_w
        *to = OP_goto_w;
        return store_u4(to + 1, (uint32_t)(offset - 3));
    }
    *to = point->kind == OPCODE_GOTO ? OP_goto_w : OP_jsr_w;
    return store_u4(to + 1, (uint32_t)offset);
}

static bool mend_offset(const struct code* code, uint32_t bci, uint8_t* at) {
    int32_t offset;
    if (!new_offset(code, bci, (int32_t)load_u4(at), &offset)) return false;
    store_u4(at, (uint32_t)offset);
    return true;
}

// The nops before the switch keep its distance from a multiple of four, so its padding stays.
static uint8_t* emit_switch(const struct code* code, const struct code_point* point, uint8_t* to) {
    uint32_t bci = point->bci;
    uint32_t at = (bci + 4) & ~3u;
    bool table = point->kind == OPCODE_TABLE;
    const uint8_t* fixed = code->bytes + at;
    uint32_t count = table ? load_u4(fixed + 8) - load_u4(fixed + 4) + 1 : load_u4(fixed + 4);
    uint32_t head = at - bci + (table ? 12 : 8);
    uint32_t stride = table ? 4 : 8;
    memcpy(to, code->bytes + bci, head + stride * count);
    if (!mend_offset(code, bci, to + (at - bci))) return NULL;
    uint8_t* offset = to + head + (table ? 0 : 4);
    for (uint32_t i = 0; i < count; i++, offset += stride)
        if (!mend_offset(code, bci, offset)) return NULL;
    return to + head + stride * count;
}

// Writes the instruction of a point; *next is the bci after it. NULL if it refers to a place that
// is no instruction.
static uint8_t* emit_point(const struct code* code, const struct code_point* point, uint8_t* to,
                           uint32_t* next) {
    const uint8_t* before = to;
    uint8_t* after;
    if (point->kind == OPCODE_PLAIN) {
        after = to; // it is copied together with the code that follows
    } else if (point->kind == OPCODE_RETURN) {
        *to = point->opcode;
        after = to + 1;
    } else if (point->kind == OPCODE_TABLE || point->kind == OPCODE_LOOKUP) {
        after = emit_switch(code, point, to);
    } else {
        after = emit_branch(code, point, to);
    }
    if (after) *next = point->bci + (uint32_t)(after - before) - point->after;
    return after;
}

static uint8_t* emit_handlers(const struct code* code, uint8_t* to) {
    for (uint32_t i = 0; i < code->handler_count; i++) {
        memcpy(to, code->caught, CODE_CALL_LENGTH);
        memcpy(to + CODE_CALL_LENGTH, code->pop, CODE_CALL_LENGTH);
        to[2 * CODE_CALL_LENGTH] = OP_athrow;
        to += CODE_HANDLER_LENGTH;
    }
    return to;
}

// Notes the insertions before an instruction: the calls first, then the nops of a switch.
static bool note_before(struct code* code, const struct code_point* point, uint32_t at) {
    uint32_t calls = CODE_CALL_LENGTH * (point->caught + (point->kind == OPCODE_RETURN));
    uint32_t nops = point->before - calls;
    return (!calls || note_insertion(code, at, calls, point->bci, true)) &&
           (!nops || note_insertion(code, at + calls, nops, point->bci, false));
}

static uint8_t* emit_before(const struct code* code, const struct code_point* point, uint8_t* to) {
    uint8_t* end = to + point->before;
    if (point->caught) {
        memcpy(to, code->caught, CODE_CALL_LENGTH);
        to += CODE_CALL_LENGTH;
    }
    if (point->kind == OPCODE_RETURN) memcpy(to, code->pop, CODE_CALL_LENGTH);
    else memset(to, OP_nop, (size_t)(end - to));
    return end;
}

enum instrument_refusal code_emit(struct code* code) {
    uint8_t* const start = code->out->data + code->out->used; // the caller has made room
    uint8_t* to = start;
    memcpy(to, code->push, CODE_CALL_LENGTH);
    to += CODE_CALL_LENGTH;
    bool noted = note_insertion(code, 0, CODE_CALL_LENGTH, 0, true);
    uint32_t bci = 0;
    for (uint32_t i = 0; i < code->point_count && noted; i++) {
        const struct code_point* point = &code->points[i];
        memcpy(to, code->bytes + bci, point->bci - bci);
        to += point->bci - bci;
        if (point->before) {
            noted = note_before(code, point, (uint32_t)(to - start));
            to = emit_before(code, point, to);
        }
        to = emit_point(code, point, to, &bci);
        if (!to) return INSTRUMENT_BAD_CODE;
        if (point->after && noted)
            noted = note_insertion(code, (uint32_t)(to - start) - point->after, point->after,
                                   point->bci, false);
    }
    if (!noted) return INSTRUMENT_MEMORY;
    memcpy(to, code->bytes + bci, code->length - bci);
    to = emit_handlers(code, to + (code->length - bci));
    code->out->used += code->new_length;
    for (uint32_t i = 0; i < code->handler_count; i++)
        if (!note_insertion(code, code->handlers_at + i * CODE_HANDLER_LENGTH, CODE_HANDLER_LENGTH,
                            code->length, true))
            return INSTRUMENT_MEMORY;
    return INSTRUMENT_NONE;
}
