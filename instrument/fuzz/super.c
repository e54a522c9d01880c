// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Makes a constructor call super() in each of two branches.
#include <string.h>

#include "frames.h"
#include "mutate.h"
#include "opcodes.h"
#include "reader.h"

enum { CALL = 4, BRANCHES = 16 }; // bytes of aload_0 and invokespecial, and of the new code

// The index of the Class entry of a reference type, which is [start, end) of the descriptor.
static uint32_t class_of(struct edit* edit, const char* start, const char* end) {
    if (*start == '[') return edit_class(edit, start, (uint32_t)(end - start));
    return edit_class(edit, start + 1, (uint32_t)(end - start) - 2);
}

// The end of the type at `at`, or NULL.
static const char* type_end(const char* at, const char* end) {
    while (at < end && *at == '[') at++;
    if (at < end && *at == 'L') at = memchr(at, ';', (size_t)(end - at));
    return at && at < end ? at + 1 : NULL;
}

// Appends the verification types of the descriptor's arguments to a full frame's locals. Returns
// the end, or NULL without room. The descriptor does not move, because the pool grows at its end.
static uint8_t* put_arguments(struct edit* edit, const char* at, const char* end, uint8_t* to,
                              const uint8_t* limit, uint32_t* count) {
    static const char kinds[] = "IFDJ"; // types 1 to 4
    for (const char* next; at < end && *at != ')'; at = next, ++*count) {
        next = type_end(at, end);
        if (!next || limit - to < 3) return NULL;
        if (*at == 'L' || *at == '[') {
            *to = TYPE_OBJECT;
            to = store_u2(to + 1, class_of(edit, at, next));
        } else {
            const char* kind = memchr(kinds, *at, 4);
            *to++ = kind ? (uint8_t)(1 + (kind - kinds)) : 1; // smaller types are int
        }
    }
    return to;
}

// Adds the frame where the branches meet: `this` and the arguments.
static bool put_meeting(struct edit* edit, const struct shape_code* code) {
    uint8_t body[EDIT_PART_MAX - 8] = {FRAME_FULL, 0, 0, TYPE_OBJECT};
    uint32_t count = 1, length;
    store_u2(body + 4, load_u2(edit->bytes + edit->shape.pool_end + 2));
    const char* text = mutate_descriptor(edit, code, &length);
    if (!text) return false;
    const uint8_t* limit = body + sizeof body - 2;
    uint8_t* to = put_arguments(edit, text + 1, text + length, body + 6, limit, &count);
    if (!to) return false;
    store_u2(body + 1, count);
    to = store_u2(to, 0);
    return edit_put_frame(edit, code, BRANCHES - 1, body, (uint32_t)(to - body));
}

bool mutate_super(struct edit* edit, const struct shape_code* code) {
    uint8_t* at = edit->bytes + code->code;
    if (!mutate_is_constructor(edit, code) || code->code_length <= CALL) return false;
    if (at[0] != OP_aload_0 || at[1] != OP_invokespecial) return false;
    uint8_t bytes[BRANCHES] = {OP_iconst_0, OP_ifeq, 0, 10, OP_aload_0, OP_invokespecial, 0,
                               0,           OP_goto, 0, 7,  OP_aload_0, OP_invokespecial};
    memcpy(bytes + 6, at + 2, 2);
    memcpy(bytes + 13, at + 2, 2);
    memset(at, OP_nop, CALL);
    if (!edit_insert_code(edit, code, 0, bytes, sizeof bytes) || !edit_reread(edit)) return false;
    if (!mutate_has_frames(edit)) return true;
    uint8_t same = FRAME_SAME_EXTENDED;
    return edit_put_frame(edit, code, 11, &same, 1) && put_meeting(edit, code);
}
