// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Compares frames, lines and variables before and after rewriting: they must be the same, at the
// new positions.
#include <string.h>

#include "check.h"
#include "frames.h"
#include "reader.h"
#include "shape.h"

// ---- Frames --------------------------------------------------------------------------------

// The kind of a frame, with the short form counted as the extended one.
static uint8_t kind_of(uint8_t type) {
    if (type < FRAME_SAME_1) return FRAME_SAME_EXTENDED;
    return type < FRAME_RESERVED ? FRAME_SAME_1_EXTENDED : type;
}

static void compare_types(const struct compared* compared, struct reader* old, struct reader* new,
                          uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint8_t tag = read_u1(old);
        check_that(read_u1(new) == tag, "a type is the same type");
        if (tag < TYPE_OBJECT) continue;
        uint32_t operand = read_u2(old), new_operand = read_u2(new);
        check_that(!old->failed && !new->failed, "a table is whole");
        if (tag == TYPE_UNINITIALIZED) operand = compare_own(compared, operand);
        check_that(operand == new_operand, "a type names the same thing");
    }
}

static void compare_frame(const struct compared* compared, struct reader* old, struct reader* new,
                          uint8_t kind) {
    if (kind == FRAME_SAME_1_EXTENDED) {
        compare_types(compared, old, new, 1);
    } else if (kind == FRAME_FULL) {
        for (int part = 0; part < 2; part++) {
            uint32_t count = read_u2(old);
            check_that(read_u2(new) == count, "a frame has as many types");
            compare_types(compared, old, new, count);
        }
    } else if (kind >= FRAME_APPEND) {
        compare_types(compared, old, new, kind - FRAME_SAME_EXTENDED);
    }
}

static void compare_frames(const struct compared* compared, struct reader old, struct reader new) {
    uint32_t count = read_u2(&old), new_count = read_u2(&new);
    int32_t position = -1, new_position = -1;
    check_that(count <= new_count, "no frame is lost");
    for (uint32_t i = 0; i < count; i++) {
        struct frame frame = frame_read(&old), new_frame = frame_read(&new);
        position = frame_position(position, frame.delta);
        new_position = frame_position(new_position, new_frame.delta);
        check_that(!old.failed && !new.failed, "a table is whole");
        check_that(kind_of(frame.type) == kind_of(new_frame.type), "a frame is of the same kind");
        check_that(position < (int32_t)compared->method->old_code_length, "a frame is in the code");
        check_that(new_position == (int32_t)compare_landing((uint32_t)position),
                   "a frame is at the same instruction");
        compare_frame(compared, &old, &new, kind_of(frame.type));
    }
    uint32_t handlers = compare_landing(compared->method->old_code_length);
    for (uint32_t i = count; i < new_count; i++) {
        check_that(read_u1(&new) == FRAME_FULL, "the catch-all handlers' frames are full");
        new_position = frame_position(new_position, read_u2(&new));
        check_that(new_position >= (int32_t)handlers,
                   "the catch-all handlers' frames are at these handlers");
        uint32_t locals = read_u2(&new);
        read_bytes(&new, locals + 2 + 3); // locals without operands; one object on the stack
    }
    check_that(!new.failed&& new.at == new.end, "a table has no further bytes");
}

// ---- Lines and variables -------------------------------------------------------------------

static uint32_t debug_position(uint32_t bci) {
    return bci == 0 ? 0 : compare_landing(bci);
}

// Compares tables whose entries begin with a position; `variables`: with a position and a length.
static void compare_debug(struct reader old, struct reader new, bool variables) {
    uint32_t count = read_u2(&old);
    check_that(read_u2(&new) == count, "a table is as long");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t start = read_u2(&old), new_start = read_u2(&new);
        uint32_t place = debug_position(start);
        if (place != COMPARE_NOWHERE) check_that(place == new_start, "an entry keeps its place");
        if (variables) {
            uint32_t end = start + read_u2(&old), new_end = new_start + read_u2(&new);
            place = debug_position(end);
            if (place != COMPARE_NOWHERE) check_that(place == new_end, "an entry keeps its end");
        }
        size_t rest = variables ? 6 : 2; // a line, or name, type and local
        const uint8_t *old_rest = read_bytes(&old, rest), *new_rest = read_bytes(&new, rest);
        check_that(old_rest && new_rest && memcmp(old_rest, new_rest, rest) == 0,
                   "an entry says the same");
    }
}

// ---- All tables of a method ----------------------------------------------------------------

static struct reader body_of(const uint8_t* bytes, const struct shape_attribute* part) {
    return reader_over(bytes + part->at + SHAPE_ATTRIBUTE_HEAD, part->length);
}

static bool is(const struct shape* shape, const uint8_t* bytes, const struct shape_attribute* part,
               const char* name) {
    return shape_name_is(shape, bytes, load_u2(bytes + part->at), name);
}

void compare_tables(const struct compared* compared) {
    const struct shape_code *old = compared->old_parts, *new = compared->new_parts;
    // A longer list is not known in full.
    if (old->attribute_count == SHAPE_ATTRIBUTES_MAX) return;
    const uint8_t* bytes = compared->old_bytes;
    bool framed = load_u2(bytes + 6) >= 50;
    uint32_t at = 0; // in the new list
    const struct shape_attribute* frames = NULL;
    for (uint32_t i = 0; i < old->attribute_count; i++) {
        const struct shape_attribute* part = &old->parts[i];
        bool lines = is(compared->old_shape, bytes, part, "LineNumberTable");
        bool variables = is(compared->old_shape, bytes, part, "LocalVariableTable") ||
                         is(compared->old_shape, bytes, part, "LocalVariableTypeTable");
        bool annotations = is(compared->old_shape, bytes, part, "RuntimeVisibleTypeAnnotations") ||
                           is(compared->old_shape, bytes, part, "RuntimeInvisibleTypeAnnotations");
        if (framed && is(compared->old_shape, bytes, part, "StackMapTable")) frames = part;
        if (!lines && !variables && !annotations) continue;
        check_that(at < new->attribute_count, "an attribute is kept");
        const struct shape_attribute* new_part = &new->parts[at++];
        check_that(part->length == new_part->length, "an attribute keeps its length");
        if (!annotations)
            compare_debug(body_of(bytes, part), body_of(compared->new_bytes, new_part), variables);
    }
    if (!framed || at == new->attribute_count) {
        check_that(!frames && at == new->attribute_count, "no other attribute is kept");
        return;
    }
    check_that(at + 1 == new->attribute_count, "the frames come last");
    static const uint8_t none[2];
    struct reader old_frames = frames ? body_of(bytes, frames) : reader_over(none, sizeof none);
    compare_frames(compared, old_frames, body_of(compared->new_bytes, &new->parts[at]));
}
