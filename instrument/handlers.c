// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Writes the exception table. The program's ranges cover no push or pop, because an exception there
// must not run the program's handlers. The ranges of the catch-all handlers come last. They leave
// out the push (if it throws, nothing has been pushed), the return instructions (the pop before
// them has been made) and the catch-all handlers themselves.
#include "code.h"
#include "opcodes.h"

enum { ENTRY_LENGTH = 8, ENTRIES_MAX = 65535 };

struct table {
    struct code* code;
    uint32_t count;
    uint16_t handler, catch_type; // of the ranges being added
};

static enum instrument_refusal add_range(struct table* table, uint32_t start, uint32_t end) {
    if (table->count == ENTRIES_MAX) return INSTRUMENT_TABLE_FULL;
    struct buffer* out = table->code->out;
    if (!buffer_reserve(out, ENTRY_LENGTH)) return INSTRUMENT_MEMORY;
    uint8_t* at = out->data + out->used;
    at = store_u2(store_u2(at, start), end);
    store_u2(store_u2(at, table->handler), table->catch_type);
    out->used += ENTRY_LENGTH;
    table->count++;
    return INSTRUMENT_NONE;
}

// The index in `calls` of the first instruction at or after `bci` that has a call before it.
static uint32_t first_call(const struct code* code, uint32_t bci) {
    uint32_t low = 0, high = code->call_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (code->calls[middle] < bci) low = middle + 1;
        else high = middle;
    }
    return low;
}

// The inserted calls before an instruction that a range must not cover, [start, end). A range does
// cover the caught call of a handler inside it if the range's own handler comes later. Then an
// exception of that call still runs the program's finally blocks and releases its monitors. The
// exception only ever goes on to later handlers, so it cannot return to the same call for ever.
struct hole {
    uint32_t start, end;
};

static struct hole hole_before(const struct code* code, uint32_t bci, uint32_t handler) {
    uint32_t pop = opcode_table[code->bytes[bci]].kind == OPCODE_RETURN ? CODE_CALL_LENGTH : 0;
    uint32_t length = code_own(code, bci) - code->map[bci]; // includes the nops of a switch
    uint32_t caught = length >= pop + CODE_CALL_LENGTH ? CODE_CALL_LENGTH : 0;
    uint32_t start = code->map[bci];
    return (struct hole){.start = start + (handler > bci ? caught : 0),
                         .end = start + caught + pop};
}

// The index in `calls`, from `index` on, of the next call that a range must not cover. `later` is
// the first index at or after the range's handler; before it, only calls at returns must not be
// covered. Skipping to them bounds the time: nearly every call visited ends a range that is
// written. Without it, a hostile table would take time proportional to the product of its length
// and the number of handlers.
static uint32_t next_hole(struct code* code, uint32_t index, uint32_t later) {
    code->handler_steps++;
    if (index >= later) return index;
    return code->pops[index] < later ? code->pops[index] : later;
}

// Adds an entry of the original table, split around calls. The last part is never empty: it covers
// the instruction with which it begins.
static enum instrument_refusal add_entry(struct table* table, const uint8_t* entry) {
    struct code* code = table->code;
    uint32_t start = load_u2(entry), end = load_u2(entry + 2), handler = load_u2(entry + 4);
    if (start >= end || end > code->length || !code_is_start(code, start) ||
        !code_is_start(code, handler) || (end < code->length && !code_is_start(code, end)))
        return INSTRUMENT_BAD_CODE;
    table->handler = code->map[handler];
    table->catch_type = load_u2(entry + 6);
    uint32_t from = code->map[start], later = first_call(code, handler);
    for (uint32_t i = first_call(code, start);; i++) {
        i = next_hole(code, i, later);
        if (i >= code->call_count || code->calls[i] >= end) break;
        struct hole hole = hole_before(code, code->calls[i], handler);
        enum instrument_refusal refusal = INSTRUMENT_NONE;
        if (from < hole.start) refusal = add_range(table, from, hole.start);
        if (refusal) return refusal;
        from = hole.end;
    }
    return add_range(table, from, code->map[end]);
}

// Adds the ranges that a catch-all handler covers in the original [start, end).
static enum instrument_refusal add_segment(struct table* table, uint32_t start, uint32_t end) {
    const struct code* code = table->code;
    uint32_t from = code->map[start];
    for (uint32_t i = first_call(code, start); i < code->call_count; i++) {
        uint32_t bci = code->calls[i];
        if (bci >= end) break;
        if (opcode_table[code->bytes[bci]].kind != OPCODE_RETURN) continue;
        uint32_t own = code_own(code, bci);
        enum instrument_refusal refusal = add_range(table, from, own);
        if (refusal) return refusal;
        from = own + 1;
    }
    return from < code->map[end] ? add_range(table, from, code->map[end]) : INSTRUMENT_NONE;
}

static enum instrument_refusal add_catch_all(struct table* table) {
    const struct code* code = table->code;
    enum instrument_refusal refusal = INSTRUMENT_NONE;
    table->catch_type = 0;
    for (uint32_t i = 0; i < code->segment_count && !refusal; i++) {
        const struct code_segment* segment = &code->segments[i];
        if (segment->handler == CODE_UNCOVERED) continue;
        uint32_t end = i + 1 < code->segment_count ? segment[1].start : code->length;
        table->handler = (uint16_t)(code->handlers_at + segment->handler * CODE_HANDLER_LENGTH);
        refusal = add_segment(table, segment->start, end);
    }
    return refusal;
}

enum instrument_refusal handlers_emit(struct code* code) {
    struct table table = {.code = code};
    size_t head = code->out->used;
    code->handler_steps = 0;
    if (!buffer_reserve(code->out, 2)) return INSTRUMENT_MEMORY;
    code->out->used += 2;
    enum instrument_refusal refusal = INSTRUMENT_NONE;
    for (uint32_t i = 0; i < code->exception_count && !refusal; i++) {
        code->exception_map[i] = (uint16_t)table.count;
        refusal = add_entry(&table, code->exceptions + (size_t)ENTRY_LENGTH * i);
    }
    if (!refusal) refusal = add_catch_all(&table);
    store_u2(code->out->data + head, table.count);
    return refusal;
}
