// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Finds the instructions of a method that can call other code.
#include <stdlib.h>

#include "code.h"
#include "opcodes.h"

struct instrument_calls {
    struct pool pool;
    struct buffer bytes; // the constant pool behind its count, as in a class file
    struct buffer list;  // of struct instrument_call
    // The current method.
    const uint8_t* code;
    uint32_t length;
    bool failed;
};

struct instrument_calls* instrument_calls_open(void) {
    struct instrument_calls* calls = calloc(1, sizeof *calls);
    if (calls == NULL || pool_open(&calls->pool)) return calls;
    instrument_calls_close(calls);
    return NULL;
}

void instrument_calls_close(struct instrument_calls* calls) {
    if (calls == NULL) return;
    pool_close(&calls->pool);
    buffer_free(&calls->bytes);
    buffer_free(&calls->list);
    free(calls);
}

static void add(struct instrument_calls* calls, struct instrument_call call) {
    if (!buffer_append(&calls->list, &call, sizeof call)) calls->failed = true;
}

static void add_vm(struct instrument_calls* calls, uint32_t bci) {
    add(calls, (struct instrument_call){.bci = (uint16_t)bci, .kind = INSTRUMENT_CALLS_VM});
}

// A method with a polymorphic signature calls whatever is behind the handle. The other methods of
// these classes are not distinguished from it.
static bool is_handle(struct instrument_text class) {
    return text_equals(class, "java/lang/invoke/MethodHandle") ||
           text_equals(class, "java/lang/invoke/VarHandle");
}

static void add_invoke(struct instrument_calls* calls, uint32_t bci, uint8_t opcode) {
    uint32_t index = load_u2(calls->code + bci + 1);
    struct instrument_call call = {.bci = (uint16_t)bci, .kind = INSTRUMENT_CALLS_ANY};
    if (opcode != OP_invokedynamic && !is_handle(pool_member_class(&calls->pool, index))) {
        call.kind = INSTRUMENT_CALLS_NAMED;
        if (!pool_member(&calls->pool, index, &call.name, &call.descriptor)) calls->failed = true;
    }
    add(calls, call);
}

// Adds a plain instruction, one that continues with the next instruction and may throw, resolve or
// call, unless it is a constant that needs no resolving.
static void add_plain(struct instrument_calls* calls, uint32_t bci, uint8_t opcode) {
    const uint8_t* operand = calls->code + bci + 1;
    if (opcode >= OP_invokevirtual && opcode <= OP_invokedynamic) add_invoke(calls, bci, opcode);
    else if (opcode == OP_ldc && !pool_is_resolved(&calls->pool, *operand)) return;
    else if (opcode == OP_ldc_w && !pool_is_resolved(&calls->pool, load_u2(operand))) return;
    else if (opcode == OP_ldc2_w && !pool_is_resolved(&calls->pool, load_u2(operand))) return;
    else add_vm(calls, bci);
}

// The length of a switch; 0 if it is cut off or has too many cases. *back: it can jump backwards.
static uint32_t switch_length(const struct instrument_calls* calls, uint32_t bci, bool table,
                              bool* back) {
    uint32_t at = (bci + 4) & ~3u;
    struct reader reader = reader_over(calls->code, calls->length);
    read_bytes(&reader, at);
    *back = (int32_t)read_u4(&reader) < 0;
    int64_t low = (int32_t)read_u4(&reader);
    int64_t count = table ? (int64_t)(int32_t)read_u4(&reader) - low + 1 : low;
    if (reader.failed || count < 0 || count > CODE_LENGTH_MAX) return 0;
    for (int64_t i = 0; i < count; i++) {
        if (!table) read_u4(&reader);
        if ((int32_t)read_u4(&reader) < 0) *back = true;
    }
    return reader.failed ? 0 : (uint32_t)(reader.at - calls->code) - bci;
}

static uint32_t wide_length(const struct instrument_calls* calls, uint32_t bci) {
    if (bci + 1 >= calls->length) return 0;
    return calls->code[bci + 1] == OP_iinc ? 6 : 4;
}

static bool jumps_back(const uint8_t* at, uint8_t kind) {
    if (kind == OPCODE_GOTO_W || kind == OPCODE_JSR_W) return (int32_t)load_u4(at + 1) < 0;
    return (int16_t)load_u2(at + 1) < 0;
}

// Adds the call site of the instruction, if it is one. Returns its length, or 0 if there is no
// instruction.
static uint32_t read_instruction(struct instrument_calls* calls, uint32_t bci) {
    uint8_t opcode = calls->code[bci];
    enum opcode_kind kind = (enum opcode_kind)opcode_table[opcode].kind;
    uint32_t length = opcode_table[opcode].length;
    bool back = false;
    if (kind == OPCODE_TABLE || kind == OPCODE_LOOKUP)
        length = switch_length(calls, bci, kind == OPCODE_TABLE, &back);
    if (kind == OPCODE_WIDE) length = wide_length(calls, bci);
    if (length == 0 || length > calls->length - bci) return 0;
    switch (kind) {
    case OPCODE_PLAIN: add_plain(calls, bci, opcode); break;
    case OPCODE_RETURN:
    case OPCODE_THROW:
    case OPCODE_RET: add_vm(calls, bci); break;
    case OPCODE_IF:
    case OPCODE_GOTO:
    case OPCODE_JSR:
    case OPCODE_GOTO_W:
    case OPCODE_JSR_W:
        if (jumps_back(calls->code + bci, (uint8_t)kind)) add_vm(calls, bci);
        break;
    case OPCODE_TABLE:
    case OPCODE_LOOKUP:
        if (back) add_vm(calls, bci);
        break;
    case OPCODE_QUIET:
    case OPCODE_WIDE: break;
    case OPCODE_UNKNOWN: return 0;
    }
    return length;
}

static bool read_pool(struct instrument_calls* calls, const uint8_t* pool, size_t length,
                      uint32_t count) {
    uint8_t head[2];
    if (count > UINT16_MAX) return false;
    store_u2(head, count);
    calls->bytes.used = 0;
    if (!buffer_append(&calls->bytes, head, sizeof head) ||
        !buffer_append(&calls->bytes, pool, length))
        return false;
    struct reader reader = reader_over(calls->bytes.data, calls->bytes.used);
    return pool_parse(&calls->pool, calls->bytes.data, &reader);
}

int32_t instrument_calls_find(struct instrument_calls* calls, const uint8_t* pool,
                              size_t pool_length, uint32_t pool_count, const uint8_t* code,
                              size_t code_length, const struct instrument_call** list) {
    if (code_length > CODE_LENGTH_MAX || !read_pool(calls, pool, pool_length, pool_count))
        return -1;
    calls->code = code;
    calls->length = (uint32_t)code_length;
    calls->failed = false;
    calls->list.used = 0;
    for (uint32_t bci = 0; bci < calls->length;) {
        uint32_t length = read_instruction(calls, bci);
        if (length == 0 || calls->failed) return -1;
        bci += length;
    }
    *list = (const struct instrument_call*)(const void*)calls->list.data;
    return (int32_t)(calls->list.used / sizeof **list);
}
