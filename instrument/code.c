// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "code.h"

#include <stdlib.h>
#include <string.h>

#include "opcodes.h"

bool code_open(struct code* code) {
    const size_t n = CODE_LENGTH_MAX + 1;
    code->flags = malloc(n + 1);
    code->map = malloc((n + 1) * sizeof *code->map);
    code->points = malloc(n * sizeof *code->points);
    code->calls = malloc(n * sizeof *code->calls);
    code->pops = malloc((n + 1) * sizeof *code->pops);
    code->segments = malloc(n * sizeof *code->segments);
    code->exception_map = malloc(n * sizeof *code->exception_map);
    code->types = malloc(4 * n);
    return code->flags && code->map && code->points && code->calls && code->pops &&
           code->segments && code->exception_map && code->types;
}

void code_close(struct code* code) {
    free(code->flags);
    free(code->map);
    free(code->points);
    free(code->calls);
    free(code->pops);
    free(code->segments);
    free(code->exception_map);
    free(code->types);
}

enum instrument_refusal code_parse(struct code* code, const uint8_t* bytes, size_t length) {
    struct reader reader = reader_over(bytes, length);
    code->max_stack = read_u2(&reader);
    code->max_locals = read_u2(&reader);
    code->length = read_u4(&reader);
    if (reader.failed || code->length == 0 || code->length > CODE_LENGTH_MAX)
        return INSTRUMENT_BAD_CODE;
    code->bytes = read_bytes(&reader, code->length);
    code->exception_count = read_u2(&reader);
    code->exceptions = read_bytes(&reader, 8 * (size_t)code->exception_count);
    code->attributes = reader;
    return reader.failed ? INSTRUMENT_BAD_CODE : INSTRUMENT_NONE;
}

// The length of the switch at `bci`, or 0 if it does not fit into the code.
static uint32_t switch_length(const struct code* code, uint32_t bci, bool table) {
    uint32_t at = (bci + 4) & ~3u; // of the default offset
    uint32_t fixed = table ? 12 : 8;
    if (at + fixed > code->length) return 0;
    int64_t count;
    if (table) {
        int64_t low = (int32_t)load_u4(code->bytes + at + 4);
        int64_t high = (int32_t)load_u4(code->bytes + at + 8);
        count = high - low + 1;
        if (count < 1) return 0;
    } else {
        count = (int32_t)load_u4(code->bytes + at + 4);
        if (count < 0) return 0;
    }
    int64_t length = (int64_t)at + fixed + (table ? 4 : 8) * count - bci;
    return length <= (int64_t)(code->length - bci) ? (uint32_t)length : 0;
}

static uint32_t wide_length(const struct code* code, uint32_t bci) {
    if (bci + 1 >= code->length) return 0;
    uint8_t opcode = code->bytes[bci + 1];
    if (opcode == OP_iinc) return 6;
    bool local = (opcode >= OP_iload && opcode <= OP_aload) ||
                 (opcode >= OP_istore && opcode <= OP_astore) || opcode == OP_ret;
    return local ? 4 : 0;
}

static void add_point(struct code* code, uint32_t bci, uint8_t opcode, uint8_t kind, bool caught) {
    uint8_t before = (uint8_t)(CODE_CALL_LENGTH * (caught + (kind == OPCODE_RETURN)));
    code->flags[bci] = (uint8_t)(code->flags[bci] + before * CODE_BEFORE);
    code->points[code->point_count++] = (struct code_point){
        .bci = (uint16_t)bci, .opcode = opcode, .kind = kind, .before = before, .caught = caught};
}

// Marks the starts of the program's handlers. Runs before decoding, while no other flag is set.
static void mark_handlers(struct code* code) {
    for (uint32_t i = 0; i < code->exception_count; i++) {
        uint32_t handler = load_u2(code->exceptions + 8 * (size_t)i + 4);
        if (handler < code->length) code->flags[handler] = CODE_START;
    }
}

// Whether straight-line code from `bci` on releases a monitor that it has not entered. *decided is
// the bci of the instruction that decides; the result is the same for all instructions from `bci`
// to it.
static bool releases_monitor(const struct code* code, uint32_t bci, uint32_t* decided) {
    for (;;) {
        uint8_t opcode = code->bytes[bci];
        *decided = bci;
        if (opcode == OP_monitorexit) return true;
        if (opcode == OP_monitorenter || !opcode_falls_through(opcode_table[opcode].kind))
            return false;
        do bci++;
        while (bci < code->length && !code_is_start(code, bci));
        if (bci >= code->length) return false;
    }
}

// Removes the caught call from handlers that release a monitor, such as the one that ends a
// synchronized block, because there is no way to cover that call. If the handler covered it, a call
// that cannot run (StackOverflowError) would be repeated for ever. If the handler did not cover it,
// its exception would reach the catch-all handler with the monitor held, and no JIT compiles a
// method whose monitors are not balanced on every path.
static void spare_monitors(struct code* code) {
    uint32_t decided = 0;
    bool releases = releases_monitor(code, 0, &decided);
    for (uint32_t i = 0; i < code->point_count; i++) {
        struct code_point* point = &code->points[i];
        if (!point->caught) continue;
        if (point->bci > decided) releases = releases_monitor(code, point->bci, &decided);
        if (!releases) continue;
        point->caught = false;
        point->before = (uint8_t)(point->before - CODE_CALL_LENGTH);
        code->flags[point->bci] =
            (uint8_t)(code->flags[point->bci] - CODE_CALL_LENGTH * CODE_BEFORE);
    }
}

static void list_calls(struct code* code) {
    code->call_count = 0;
    for (uint32_t i = 0; i < code->point_count; i++)
        if (code->points[i].before) code->calls[code->call_count++] = code->points[i].bci;
    code->pops[code->call_count] = (uint16_t)code->call_count;
    for (uint32_t i = code->call_count; i-- > 0;) {
        bool pop = opcode_table[code->bytes[code->calls[i]]].kind == OPCODE_RETURN;
        code->pops[i] = pop ? (uint16_t)i : code->pops[i + 1];
    }
}

enum instrument_refusal code_decode(struct code* code) {
    memset(code->flags, 0, code->length + 1);
    mark_handlers(code);
    code->point_count = 0;
    const uint8_t* bytes = code->bytes;
    const uint32_t end = code->length;
    uint8_t kind = OPCODE_UNKNOWN;
    for (uint32_t bci = 0; bci < end;) {
        uint8_t opcode = bytes[bci];
        kind = opcode_table[opcode].kind;
        uint32_t length = opcode_table[opcode].length;
        bool caught = code->flags[bci] != 0;
        bool listed = kind > OPCODE_PLAIN && kind != OPCODE_WIDE && kind != OPCODE_THROW &&
                      kind != OPCODE_RET;
        code->flags[bci] = opcode == OP_new ? CODE_START | CODE_NEW : CODE_START;
        if (listed || caught) add_point(code, bci, opcode, listed ? kind : OPCODE_PLAIN, caught);
        if (kind > OPCODE_PLAIN) {
            if (kind == OPCODE_TABLE || kind == OPCODE_LOOKUP)
                length = switch_length(code, bci, kind == OPCODE_TABLE);
            if (kind == OPCODE_WIDE) length = wide_length(code, bci);
        }
        if (length == 0 || length > end - bci) return INSTRUMENT_BAD_CODE;
        // A handler cannot begin inside an instruction.
        for (uint32_t inside = 1; inside < length && code->exception_count != 0; inside++)
            if (code->flags[bci + inside] != 0) return INSTRUMENT_BAD_CODE;
        bci += length;
    }
    // The kind of `wide ret` is OPCODE_WIDE, so this says that it falls through. That does not
    // matter: only code without frames has `wide ret`, and no caller asks there.
    code->last_falls_through = opcode_falls_through(kind);
    spare_monitors(code);
    list_calls(code);
    return INSTRUMENT_NONE;
}
