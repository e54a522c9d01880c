// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The attributes of the Code attribute. Those named below are adjusted. Any other may hold bytecode
// indexes in an unknown place and is dropped (README.md has the table).
#include <stdlib.h>
#include <string.h>

#include "code.h"

enum { LINE_LENGTH = 4, LOCAL_LENGTH = 10 };

// ---- Reading -------------------------------------------------------------------------------

static enum instrument_refusal collect_lines(struct code* code, struct reader body) {
    uint32_t count = read_u2(&body);
    if (body.failed || reader_left(&body) != (size_t)LINE_LENGTH * count)
        return INSTRUMENT_BAD_CODE;
    if (!buffer_reserve(code->lines, count * sizeof(struct instrument_line)))
        return INSTRUMENT_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        struct instrument_line line = {.old_bci = read_u2(&body)};
        line.line = read_u2(&body);
        if (line.old_bci >= code->length) return INSTRUMENT_BAD_CODE;
        memcpy(code->lines->data + code->lines->used, &line, sizeof line);
        code->lines->used += sizeof line;
    }
    return INSTRUMENT_NONE;
}

enum instrument_refusal attributes_scan(struct code* code) {
    struct reader reader = code->attributes;
    uint32_t count = read_u2(&reader);
    code->has_frames = false;
    code->frames = reader_over(code->bytes, 0);
    enum instrument_refusal refusal = INSTRUMENT_NONE;
    for (uint32_t i = 0; i < count && !refusal; i++) {
        uint32_t name = read_u2(&reader);
        struct reader body = read_part(&reader, read_u4(&reader));
        if (reader.failed) return INSTRUMENT_BAD_CODE;
        switch ((int)pool_name_of(code->pool, name)) {
        case POOL_NAME_LINES: refusal = collect_lines(code, body); break;
        case POOL_NAME_FRAMES:
            if (code->major < 50) break; // ignored, as by the JVM
            if (code->has_frames) return INSTRUMENT_BAD_CODE;
            code->has_frames = true;
            code->frames = body;
            break;
        default: break;
        }
    }
    if (refusal) return refusal;
    return reader.failed || reader.at != reader.end ? INSTRUMENT_BAD_CODE : INSTRUMENT_NONE;
}

// ---- Writing -------------------------------------------------------------------------------
// Line tables, variable tables and annotations keep their length: they are copied, and the copy is
// adjusted in place.

static bool mend_lines(const struct code* code, uint8_t* bytes) {
    uint32_t count = load_u2(bytes); // attributes_scan has checked the lines
    for (uint8_t* at = bytes + 2; count > 0; count--, at += LINE_LENGTH)
        store_u2(at, code_debug(code, load_u2(at)));
    return true;
}

static bool mend_locals(const struct code* code, uint8_t* bytes, size_t length) {
    if (length < 2) return false;
    uint32_t count = load_u2(bytes);
    if (length != 2 + (size_t)LOCAL_LENGTH * count) return false;
    for (uint8_t* at = bytes + 2; count > 0; count--, at += LOCAL_LENGTH) {
        uint32_t start = load_u2(at), end = start + load_u2(at + 2);
        if (end > code->length) return false;
        uint32_t new = code_debug(code, start);
        store_u2(store_u2(at, new), code_debug(code, end) - new);
    }
    return true;
}

// Copies one attribute and adjusts the copy.
static enum instrument_refusal emit_attribute(struct code* code, enum pool_name kind,
                                              const uint8_t* attribute, size_t length) {
    size_t at = code->out->used;
    if (!buffer_append(code->out, attribute, length)) return INSTRUMENT_MEMORY;
    uint8_t* body = code->out->data + at + 6;
    switch ((int)kind) {
    case POOL_NAME_LINES: return mend_lines(code, body) ? INSTRUMENT_NONE : INSTRUMENT_BAD_CODE;
    case POOL_NAME_LOCALS:
    case POOL_NAME_LOCAL_TYPES:
        return mend_locals(code, body, length - 6) ? INSTRUMENT_NONE : INSTRUMENT_BAD_CODE;
    default: return annotations_mend(code, body, length - 6);
    }
}

static bool kept(enum pool_name kind) {
    return kind == POOL_NAME_LINES || kind == POOL_NAME_LOCALS || kind == POOL_NAME_LOCAL_TYPES ||
           kind == POOL_NAME_VISIBLE_ANNOTATIONS || kind == POOL_NAME_INVISIBLE_ANNOTATIONS;
}

enum instrument_refusal attributes_emit(struct code* code) {
    struct reader reader = code->attributes;
    uint32_t count = read_u2(&reader), written = 0;
    size_t head = code->out->used;
    if (!buffer_reserve(code->out, 2)) return INSTRUMENT_MEMORY;
    code->out->used += 2;
    enum instrument_refusal refusal = INSTRUMENT_NONE;
    for (uint32_t i = 0; i < count && !refusal; i++) {
        const uint8_t* start = reader.at;
        enum pool_name kind = pool_name_of(code->pool, read_u2(&reader));
        read_part(&reader, read_u4(&reader));
        if (!kept(kind)) continue;
        refusal = emit_attribute(code, kind, start, (size_t)(reader.at - start));
        written++;
    }
    if (!refusal && code->major >= 50 && (code->has_frames || code->handler_count > 0)) {
        if (written == 65535) return INSTRUMENT_TABLE_FULL;
        refusal = frames_emit(code);
        written++;
    }
    store_u2(code->out->data + head, written);
    return refusal;
}
