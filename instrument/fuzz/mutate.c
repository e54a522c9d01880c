// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "mutate.h"

#include "opcodes.h"
#include "reader.h"

enum { VERSION_FRAMES = 50 };

bool mutate_is_constructor(const struct edit* edit, const struct shape_code* code) {
    return shape_name_is(&edit->shape, edit->bytes, load_u2(edit->bytes + code->method + 2),
                         "<init>");
}

const char* mutate_descriptor(const struct edit* edit, const struct shape_code* code,
                              uint32_t* length) {
    uint32_t index = load_u2(edit->bytes + code->method + 4);
    uint32_t at = index < edit->shape.pool_count ? edit->shape.entries[index] : 0;
    if (at == 0 || edit->bytes[at] != 1) return NULL;
    *length = load_u2(edit->bytes + at + 1);
    return *length ? (const char*)edit->bytes + at + 3 : NULL;
}

bool mutate_has_frames(const struct edit* edit) {
    return load_u2(edit->bytes + 6) >= VERSION_FRAMES;
}

bool mutate_make_old(struct edit* edit) {
    const struct shape* shape = &edit->shape;
    if (!mutate_has_frames(edit)) return true;
    // Tags above 12 are method handles and later kinds of entries.
    for (uint32_t i = 1; i < shape->pool_count; i++)
        if (shape->entries[i] && edit->bytes[shape->entries[i]] > 12) return false;
    store_u2(edit->bytes + 6, 45 + edit_random(edit, 5));
    store_u2(edit->bytes + 4, 3); // the last minor version of 45
    if (edit->bytes[7] > 45) store_u2(edit->bytes + 4, 0);
    return true;
}

void mutate_grow_stack(struct edit* edit, const struct shape_code* code, uint32_t amount) {
    uint8_t* at = edit->bytes + code->attribute.at + SHAPE_ATTRIBUTE_HEAD;
    uint32_t stack = load_u2(at) + amount;
    store_u2(at, stack > 65535 ? 65535 : stack);
}

uint32_t mutate_new_local(struct edit* edit, const struct shape_code* code) {
    uint8_t* at = edit->bytes + code->attribute.at + SHAPE_ATTRIBUTE_HEAD + 2;
    uint32_t locals = load_u2(at);
    if (locals == 65535) return 0;
    store_u2(at, locals + 1);
    return locals;
}

uint32_t mutate_fallen_into(struct edit* edit, const struct shape_code* code) {
    const uint8_t* bytes = edit->bytes + code->code;
    uint32_t chosen = 0, seen = 1, length;
    for (uint32_t bci = 0; (length = shape_instruction(bytes, code->code_length, bci)) > 0;) {
        uint8_t kind = opcode_table[bytes[bci]].kind;
        bci += length;
        if (bci >= code->code_length) break;
        if (opcode_falls_through(kind) && edit_random(edit, ++seen) == 0) chosen = bci;
    }
    return chosen;
}

uint32_t mutate_throwable(struct edit* edit) {
    return edit_class(edit, "java/lang/Throwable", 19);
}
