// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Adds frames to a StackMapTable without moving the others.
#include <string.h>

#include "edit.h"
#include "frames.h"
#include "reader.h"

enum { FRAMES_MAX = 4096, CLASS_NAME_MAX = 512 };

// ---- The constant pool ---------------------------------------------------------------------

static uint32_t find_class(const struct edit* edit, uint32_t name) {
    const struct shape* shape = &edit->shape;
    for (uint32_t i = 1; i < shape->pool_count; i++) {
        const uint8_t* at = edit->bytes + shape->entries[i];
        if (shape->entries[i] && *at == 7 && load_u2(at + 1) == name) return i;
    }
    return 0;
}

static bool add_entry(struct edit* edit, const uint8_t* bytes, uint32_t length) {
    if (edit->shape.pool_count >= 65000) return false;
    if (!edit_splice(edit, edit->shape.pool_end, 0, bytes, length)) return false;
    edit_add_u2(edit, 8, 1);
    return edit_reread(edit);
}

// The index of the Utf8 entry, which is added if there is none; 0: no room.
static uint32_t utf8_of(struct edit* edit, const char* text, uint32_t length) {
    char terminated[CLASS_NAME_MAX];
    uint8_t entry[CLASS_NAME_MAX + 3] = {1};
    if (length >= sizeof terminated) return 0;
    memcpy(terminated, text, length);
    terminated[length] = 0;
    uint32_t index = edit_find_name(edit, terminated);
    if (index) return index;
    memcpy(store_u2(entry + 1, length), text, length);
    return add_entry(edit, entry, 3 + length) ? edit->shape.pool_count - 1 : 0;
}

uint32_t edit_class(struct edit* edit, const char* name, uint32_t length) {
    uint32_t text = utf8_of(edit, name, length);
    uint32_t index = text ? find_class(edit, text) : 0;
    if (index || !text) return index;
    uint8_t entry[3] = {7};
    store_u2(entry + 1, text);
    return add_entry(edit, entry, sizeof entry) ? edit->shape.pool_count - 1 : 0;
}

// ---- Frames --------------------------------------------------------------------------------

static void skip_types(struct reader* reader, uint32_t count) {
    for (uint32_t i = 0; i < count && !reader->failed; i++)
        if (read_u1(reader) >= TYPE_OBJECT) read_u2(reader);
}

static void skip_body(struct reader* reader, uint8_t type) {
    if (type == FRAME_FULL) {
        skip_types(reader, read_u2(reader));
        skip_types(reader, read_u2(reader));
    } else if (type >= FRAME_APPEND) {
        skip_types(reader, type - FRAME_SAME_EXTENDED);
    } else if ((type >= FRAME_SAME_1 && type < FRAME_RESERVED) || type == FRAME_SAME_1_EXTENDED) {
        skip_types(reader, 1);
    }
}

uint32_t edit_frames(const struct edit* edit, const struct shape_code* code,
                     const struct shape_attribute** table, struct edit_frame* frames,
                     uint32_t max) {
    *table = NULL;
    for (uint32_t i = 0; i < code->attribute_count && !*table; i++)
        if (shape_name_is(&edit->shape, edit->bytes, load_u2(edit->bytes + code->parts[i].at),
                          "StackMapTable"))
            *table = &code->parts[i];
    if (!*table) return 0;
    uint32_t start = (*table)->at + SHAPE_ATTRIBUTE_HEAD;
    struct reader reader = reader_over(edit->bytes + start, (*table)->length);
    uint32_t count = read_u2(&reader), found = 0;
    int32_t bci = -1;
    while (found < count && found < max) {
        uint32_t at = (uint32_t)(reader.at - edit->bytes);
        struct frame frame = frame_read(&reader);
        skip_body(&reader, frame.type);
        if (reader.failed) break;
        bci = frame_position(bci, frame.delta);
        frames[found++] = (struct edit_frame){
            .bci = (uint32_t)bci, .at = at, .length = (uint32_t)(reader.at - edit->bytes) - at};
    }
    return found;
}

bool edit_put_frame(struct edit* edit, const struct shape_code* code, uint32_t bci,
                    const uint8_t* body, uint32_t length) {
    static struct edit_frame frames[FRAMES_MAX];
    const struct shape_attribute* table;
    uint8_t bytes[EDIT_PART_MAX] = {0, 1, *body};
    if (length + 4 > sizeof bytes) return false;
    memcpy(bytes + 5, body + 1, length - 1);
    uint32_t count = edit_frames(edit, code, &table, frames, FRAMES_MAX), next = 0;
    if (count == FRAMES_MAX) return false;
    while (next < count && frames[next].bci < bci) next++;
    if (next < count && frames[next].bci == bci) return false;
    int32_t before = next > 0 ? (int32_t)frames[next - 1].bci : -1;
    store_u2(bytes + 3, (uint32_t)((int32_t)bci - before - 1));
    if (!table)
        return utf8_of(edit, "StackMapTable", 13) &&
               edit_add_part(edit, code, "StackMapTable", bytes, length + 4) && edit_reread(edit);
    uint32_t at = table->at + SHAPE_ATTRIBUTE_HEAD + 2; // of the first
    if (next > 0) at = frames[next - 1].at + frames[next - 1].length;
    if (next < count) {
        uint32_t less = (uint32_t)((int32_t)bci - before);
        if (edit->bytes[at] < FRAME_RESERVED) edit->bytes[at] -= (uint8_t)less;
        else edit_add_u2(edit, at + 1, -(int32_t)less);
    }
    edit_add_u4(edit, table->at + 2, (int32_t)length + 2);
    edit_add_u2(edit, table->at + SHAPE_ATTRIBUTE_HEAD, 1);
    return edit_in_code(edit, code, at, 0, bytes + 2, length + 2) && edit_reread(edit);
}
