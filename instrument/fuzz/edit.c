// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "edit.h"

#include <string.h>

#include "frames.h"
#include "opcodes.h"
#include "reader.h"

// ---- Numbers -------------------------------------------------------------------------------

uint32_t edit_random(struct edit* edit, uint32_t limit) {
    uint32_t state = edit->random;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    edit->random = state;
    return (uint32_t)((uint64_t)state * limit >> 32);
}

uint32_t edit_number(struct edit* edit) {
    static const uint32_t numbers[] = {0,     1,     2,     3,          4,          5,
                                       7,     8,     63,    64,         127,        128,
                                       251,   255,   256,   32767,      32768,      65533,
                                       65534, 65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff};
    uint32_t count = sizeof numbers / sizeof *numbers;
    uint32_t index = edit_random(edit, count + 8);
    return index < count ? numbers[index] : edit_random(edit, 0xffffffff);
}

// ---- Bytes ---------------------------------------------------------------------------------

bool edit_splice(struct edit* edit, uint32_t at, uint32_t removed, const void* bytes,
                 uint32_t inserted) {
    if (at > edit->size || removed > edit->size - at) return false;
    if (edit->size - removed + inserted > edit->size_max) return false;
    uint8_t* place = edit->bytes + at;
    memmove(place + inserted, place + removed, edit->size - at - removed);
    if (inserted) memcpy(place, bytes, inserted);
    edit->size += inserted;
    edit->size -= removed;
    return true;
}

void edit_add_u2(struct edit* edit, uint32_t at, int32_t amount) {
    store_u2(edit->bytes + at, (uint32_t)(load_u2(edit->bytes + at) + amount));
}

void edit_add_u4(struct edit* edit, uint32_t at, int32_t amount) {
    store_u4(edit->bytes + at, load_u4(edit->bytes + at) + (uint32_t)amount);
}

bool edit_in_code(struct edit* edit, const struct shape_code* code, uint32_t at, uint32_t removed,
                  const void* bytes, uint32_t inserted) {
    if (!edit_splice(edit, at, removed, bytes, inserted)) return false;
    edit_add_u4(edit, code->attribute.at + 2, (int32_t)inserted - (int32_t)removed);
    return true;
}

bool edit_reread(struct edit* edit) {
    return shape_read(&edit->shape, edit->bytes, edit->size);
}

uint32_t edit_find_name(const struct edit* edit, const char* text) {
    for (uint32_t i = 1; i < edit->shape.pool_count; i++)
        if (shape_name_is(&edit->shape, edit->bytes, i, text)) return i;
    return 0;
}

uint32_t edit_boundary(struct edit* edit, const struct shape_code* code) {
    const uint8_t* bytes = edit->bytes + code->code;
    uint32_t wanted = edit_random(edit, code->code_length + 1);
    for (uint32_t bci = 0; bci < code->code_length;) {
        if (bci >= wanted) return bci;
        uint32_t length = shape_instruction(bytes, code->code_length, bci);
        bci += length ? length : 1;
    }
    return code->code_length;
}

bool edit_add_part(struct edit* edit, const struct shape_code* code, const char* name,
                   const uint8_t* body, uint32_t length) {
    uint8_t bytes[SHAPE_ATTRIBUTE_HEAD + EDIT_PART_MAX];
    uint32_t index = edit_find_name(edit, name);
    if (!index || length > EDIT_PART_MAX) return false;
    store_u4(store_u2(bytes, index), length);
    memcpy(bytes + SHAPE_ATTRIBUTE_HEAD, body, length);
    length += SHAPE_ATTRIBUTE_HEAD;
    if (!edit_in_code(edit, code, code->attributes + 2, 0, bytes, length)) return false;
    edit_add_u2(edit, code->attributes, 1);
    return true;
}

// ---- Inserting instructions ----------------------------------------------------------------

// An insertion. Everything at or behind `bci` moves by `length`.
struct shift {
    struct edit* edit;
    const struct shape_code* code;
    uint32_t bci, length;
};

static int64_t moved(const struct shift* shift, int64_t bci) {
    return bci >= (int64_t)shift->bci ? bci + shift->length : bci;
}

static int64_t new_offset(const struct shift* shift, uint32_t from, int64_t offset) {
    return moved(shift, from + offset) - moved(shift, from);
}

static void shift_switch(const struct shift* shift, uint32_t bci, uint32_t length) {
    uint8_t* at = shift->edit->bytes + shift->code->code + bci;
    uint32_t fixed = ((bci + 4) & ~3u) - bci;
    bool table = *at == OP_tableswitch;
    store_u4(at + fixed, (uint32_t)new_offset(shift, bci, (int32_t)load_u4(at + fixed)));
    for (uint32_t i = fixed + 12; i + 4 <= length; i += table ? 4 : 8)
        store_u4(at + i, (uint32_t)new_offset(shift, bci, (int32_t)load_u4(at + i)));
}

static void shift_jumps(const struct shift* shift) {
    uint8_t* code = shift->edit->bytes + shift->code->code;
    for (uint32_t bci = 0; bci < shift->code->code_length;) {
        uint32_t length = shape_instruction(code, shift->code->code_length, bci);
        if (length == 0) return;
        uint8_t* at = code + bci;
        uint8_t kind = opcode_table[*at].kind;
        if (kind == OPCODE_IF || kind == OPCODE_GOTO || kind == OPCODE_JSR)
            store_u2(at + 1, (uint32_t)new_offset(shift, bci, (int16_t)load_u2(at + 1)) & 0xffff);
        if (kind == OPCODE_GOTO_W || kind == OPCODE_JSR_W)
            store_u4(at + 1, (uint32_t)new_offset(shift, bci, (int32_t)load_u4(at + 1)));
        if (kind == OPCODE_TABLE || kind == OPCODE_LOOKUP) shift_switch(shift, bci, length);
        bci += length;
    }
}

static void shift_place(const struct shift* shift, uint8_t* at) {
    store_u2(at, (uint32_t)moved(shift, load_u2(at)));
}

static void shift_exceptions(const struct shift* shift) {
    uint8_t* at = shift->edit->bytes + shift->code->exceptions;
    for (uint32_t i = 0; i < 4 * shift->code->exception_count; i++, at += 2)
        if (i % 4 != 3) shift_place(shift, at);
}

static void shift_lines(const struct shift* shift, const struct shape_attribute* part) {
    uint8_t* at = shift->edit->bytes + part->at + SHAPE_ATTRIBUTE_HEAD + 2;
    for (uint32_t left = part->length; left >= 2 + 4; left -= 4, at += 4) shift_place(shift, at);
}

static void shift_variables(const struct shift* shift, const struct shape_attribute* part) {
    uint8_t* at = shift->edit->bytes + part->at + SHAPE_ATTRIBUTE_HEAD + 2;
    for (uint32_t left = part->length; left >= 2 + 10; left -= 10, at += 10) {
        int64_t start = load_u2(at), end = moved(shift, start + load_u2(at + 2));
        shift_place(shift, at);
        store_u2(at + 2, (uint32_t)(end - load_u2(at)));
    }
}

// Passes over verification types and adjusts the positions of `new` instructions.
static void shift_types(const struct shift* shift, struct reader* reader, uint8_t* bytes,
                        uint32_t count) {
    for (uint32_t i = 0; i < count && !reader->failed; i++) {
        uint8_t tag = read_u1(reader);
        uint8_t* at = bytes + (reader->at - bytes);
        if (tag >= TYPE_OBJECT) read_u2(reader);
        if (tag == TYPE_UNINITIALIZED && !reader->failed) shift_place(shift, at);
    }
}

static void shift_body(const struct shift* shift, struct reader* reader, uint8_t* bytes,
                       uint8_t type) {
    if (type == FRAME_FULL) {
        shift_types(shift, reader, bytes, read_u2(reader));
        shift_types(shift, reader, bytes, read_u2(reader));
    } else if (type >= FRAME_APPEND) {
        shift_types(shift, reader, bytes, type - FRAME_SAME_EXTENDED);
    } else if ((type >= FRAME_SAME_1 && type < FRAME_RESERVED) || type == FRAME_SAME_1_EXTENDED) {
        shift_types(shift, reader, bytes, 1);
    }
}

// Adjusts the types of all frames. Returns the offset in the file of the first frame that moves, or
// 0. Only that frame needs a larger offset_delta, because the later ones are relative to it.
static uint32_t shift_frames(const struct shift* shift, const struct shape_attribute* part) {
    uint8_t* bytes = shift->edit->bytes;
    struct reader reader = reader_over(bytes + part->at + SHAPE_ATTRIBUTE_HEAD, part->length);
    uint32_t count = read_u2(&reader), found = 0;
    int32_t position = -1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = (uint32_t)(reader.at - bytes);
        struct frame frame = frame_read(&reader);
        position = frame_position(position, frame.delta);
        if (reader.failed) return 0;
        if (position >= (int32_t)shift->bci && found == 0) found = at;
        shift_body(shift, &reader, bytes, frame.type);
    }
    return reader.failed ? 0 : found;
}

// Enlarges the offset_delta of the frame, in the extended form if the frame has a short one.
static bool grow_frame(const struct shift* shift, const struct shape_attribute* part, uint32_t at) {
    struct edit* edit = shift->edit;
    uint8_t type = edit->bytes[at];
    if (type >= FRAME_RESERVED) {
        edit_add_u2(edit, at + 1, (int32_t)shift->length);
        return true;
    }
    bool one = type >= FRAME_SAME_1;
    uint8_t extended[3] = {one ? FRAME_SAME_1_EXTENDED : FRAME_SAME_EXTENDED};
    store_u2(extended + 1, shift->length + type - (one ? FRAME_SAME_1 : 0));
    if (!edit_in_code(edit, shift->code, at, 1, extended, 3)) return false;
    edit_add_u4(edit, part->at + 2, 2);
    return true;
}

bool edit_insert_code(struct edit* edit, const struct shape_code* code, uint32_t bci,
                      const uint8_t* bytes, uint32_t length) {
    struct shift shift = {.edit = edit, .code = code, .bci = bci, .length = length};
    shift_jumps(&shift);
    shift_exceptions(&shift);
    // From the last attribute to the first, because one that grows moves only those behind it.
    for (uint32_t i = code->attribute_count; i-- > 0;) {
        const struct shape_attribute* part = &code->parts[i];
        uint32_t name = load_u2(edit->bytes + part->at);
        if (shape_name_is(&edit->shape, edit->bytes, name, "LineNumberTable"))
            shift_lines(&shift, part);
        if (shape_name_is(&edit->shape, edit->bytes, name, "LocalVariableTable") ||
            shape_name_is(&edit->shape, edit->bytes, name, "LocalVariableTypeTable"))
            shift_variables(&shift, part);
        if (!shape_name_is(&edit->shape, edit->bytes, name, "StackMapTable")) continue;
        uint32_t at = shift_frames(&shift, part);
        if (at && !grow_frame(&shift, part, at)) return false;
    }
    if (!edit_in_code(edit, code, code->code + bci, 0, bytes, length)) return false;
    edit_add_u4(edit, code->code - 4, (int32_t)length);
    return true;
}
