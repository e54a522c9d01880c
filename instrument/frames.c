// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Writes the StackMapTable. The frames stay as they are, except for their positions (which may
// change their kind) and the positions of `new` instructions in them. The frames of the catch-all
// handlers follow the last one.
#include "frames.h"

#include <string.h>

#include "code.h"

enum {
    FRAMES_MAX = 65535,
    FRAME_GROWTH_MAX = 2, // bytes, if an offset_delta becomes explicit
    HEAD_LENGTH = 8       // attribute name and length, number of entries
};

struct frame frame_read(struct reader* reader) {
    struct frame frame = {.type = read_u1(reader)};
    if (frame.type < FRAME_SAME_1) frame.delta = frame.type;
    else if (frame.type < FRAME_RESERVED) frame.delta = frame.type - FRAME_SAME_1;
    else if (frame.type < FRAME_SAME_1_EXTENDED) reader->failed = true;
    else frame.delta = read_u2(reader);
    return frame;
}

static uint8_t* write_head(uint8_t* to, const struct frame* frame, uint32_t delta) {
    bool compact = frame->type < FRAME_RESERVED || frame->type == FRAME_SAME_EXTENDED ||
                   frame->type == FRAME_SAME_1_EXTENDED;
    if (!compact) {
        *to = frame->type;
        return store_u2(to + 1, delta);
    }
    bool one = (frame->type >= FRAME_SAME_1 && frame->type < FRAME_RESERVED) ||
               frame->type == FRAME_SAME_1_EXTENDED;
    if (delta < FRAME_SAME_1) {
        *to = (uint8_t)((one ? FRAME_SAME_1 : FRAME_SAME) + delta);
        return to + 1;
    }
    *to = one ? FRAME_SAME_1_EXTENDED : FRAME_SAME_EXTENDED;
    return store_u2(to + 1, delta);
}

// Copies `count` verification types and returns the place after them. NULL if they are malformed.
static uint8_t* copy_types(const struct code* code, struct reader* reader, uint8_t* to,
                           uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint8_t tag = read_u1(reader);
        if (reader->failed) return NULL; // the room behind `to` ends with what can be read
        *to++ = tag;
        if (tag < TYPE_OBJECT) continue;
        uint32_t operand = read_u2(reader);
        if (reader->failed || tag > TYPE_UNINITIALIZED) return NULL;
        if (tag == TYPE_UNINITIALIZED) {
            if (operand >= code->length || !(code->flags[operand] & CODE_NEW)) return NULL;
            operand = code_own(code, operand);
        }
        to = store_u2(to, operand);
    }
    return reader->failed ? NULL : to;
}

static uint8_t* copy_full(const struct code* code, struct reader* reader, uint8_t* to) {
    for (int part = 0; part < 2 && to; part++) { // the locals, the stack
        uint32_t count = read_u2(reader);
        if (reader->failed || reader_left(reader) < count) return NULL;
        to = copy_types(code, reader, store_u2(to, count), count);
    }
    return to;
}

static uint8_t* copy_body(const struct code* code, const struct frame* frame, struct reader* reader,
                          uint8_t* to) {
    if (frame->type == FRAME_FULL) return copy_full(code, reader, to);
    if (frame->type >= FRAME_APPEND)
        return copy_types(code, reader, to, frame->type - FRAME_SAME_EXTENDED);
    if ((frame->type >= FRAME_SAME_1 && frame->type < FRAME_RESERVED) ||
        frame->type == FRAME_SAME_1_EXTENDED)
        return copy_types(code, reader, to, 1);
    return to;
}

// Writes the full frame of a catch-all handler: all locals are top, except the home of `this`.
static uint8_t* write_handler(const struct code* code, uint8_t* to, uint32_t home, uint32_t delta) {
    *to = FRAME_FULL;
    to = store_u2(to + 1, delta);
    uint32_t locals = home == CODE_NO_HOME ? 0 : home + 1;
    to = store_u2(to, locals);
    if (locals) {
        memset(to, TYPE_TOP, locals - 1);
        to += locals - 1;
        *to++ = TYPE_UNINITIALIZED_THIS;
    }
    to = store_u2(to, 1);
    *to = TYPE_OBJECT;
    return store_u2(to + 1, code->symbols->throwable);
}

static size_t size_bound(const struct code* code, uint32_t count) {
    size_t size = HEAD_LENGTH + reader_left(&code->frames) + FRAME_GROWTH_MAX * (size_t)count;
    for (uint32_t i = 0; i < code->handler_count; i++)
        size += 16 + (code->homes[i] == CODE_NO_HOME ? 0 : code->homes[i]);
    return size;
}

enum instrument_refusal frames_emit(struct code* code) {
    struct reader reader = code->has_frames ? code->frames : reader_over(code->bytes, 0);
    uint32_t count = code->has_frames ? read_u2(&reader) : 0;
    if (reader.failed) return INSTRUMENT_BAD_CODE;
    if (count + code->handler_count > FRAMES_MAX) return INSTRUMENT_TABLE_FULL;
    if (!buffer_reserve(code->out, size_bound(code, count))) return INSTRUMENT_MEMORY;
    uint8_t* const start = code->out->data + code->out->used;
    uint8_t* to = start + HEAD_LENGTH;
    int32_t old = -1, new = -1;
    for (uint32_t i = 0; i < count; i++) {
        struct frame frame = frame_read(&reader);
        old = frame_position(old, frame.delta);
        if (reader.failed || !code_is_start(code, (uint32_t)old)) return INSTRUMENT_BAD_CODE;
        to = write_head(to, &frame, (uint32_t)(code->map[old] - new - 1));
        new = code->map[old];
        to = copy_body(code, &frame, &reader, to);
        if (!to) return INSTRUMENT_BAD_CODE;
    }
    if (reader.at != reader.end) return INSTRUMENT_BAD_CODE;
    for (uint32_t i = 0; i < code->handler_count; i++) {
        int32_t at = (int32_t)(code->handlers_at + i * CODE_HANDLER_LENGTH);
        to = write_handler(code, to, code->homes[i], (uint32_t)(at - new - 1));
        new = at;
    }
    store_u2(start, code->symbols->frames);
    store_u4(start + 2, (uint32_t)(to - start) - 6);
    store_u2(start + 6, count + code->handler_count);
    code->out->used += (size_t)(to - start);
    return INSTRUMENT_NONE;
}

// Passes over `count` verification types.
static void skip_types(struct reader* reader, uint32_t count) {
    for (uint32_t i = 0; i < count && !reader->failed; i++)
        if (read_u1(reader) >= TYPE_OBJECT) read_u2(reader);
}

// Passes over the verification types of a frame.
static void skip_body(struct reader* reader, const struct frame* frame) {
    if (frame->type == FRAME_FULL) {
        skip_types(reader, read_u2(reader));
        skip_types(reader, read_u2(reader));
    } else if (frame->type >= FRAME_APPEND) {
        skip_types(reader, frame->type - FRAME_SAME_EXTENDED);
    } else if ((frame->type >= FRAME_SAME_1 && frame->type < FRAME_RESERVED) ||
               frame->type == FRAME_SAME_1_EXTENDED) {
        skip_types(reader, 1);
    }
}

struct frames_walk frames_walk(struct code* code) {
    struct frames_walk walk = {.code = code, .position = -1};
    walk.reader = code->has_frames ? code->frames : reader_over(code->bytes, 0);
    walk.left = code->has_frames ? read_u2(&walk.reader) : 0;
    return walk;
}

bool frames_has(struct frames_walk* walk, uint32_t bci) {
    for (; walk->left > 0 && walk->position < (int32_t)bci && !walk->reader.failed; walk->left--) {
        struct frame frame = frame_read(&walk->reader);
        walk->position = frame_position(walk->position, frame.delta);
        skip_body(&walk->reader, &frame);
        walk->code->frame_steps++;
    }
    return walk->position == (int32_t)bci && !walk->reader.failed;
}
