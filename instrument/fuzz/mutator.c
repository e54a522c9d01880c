// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer's custom mutator. It makes up to three changes of a class file and mostly leaves a
// class file, so that the inputs reach the rewriter and not only the parser. If the bytes are not a
// class file, and once in eight times, it calls libFuzzer's own mutator instead.
#include <string.h>

#include "frames.h"
#include "mutate.h"
#include "opcodes.h"
#include "reader.h"

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t size_max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t size_max); // libFuzzer's own

enum { FAR = 32768, ANNOTATION_LENGTH = 32 };

// ---- The class and the constant pool -------------------------------------------------------

static bool change_version(struct edit* edit) {
    static const uint8_t versions[] = {44, 45, 46, 47, 48, 49, 50, 50, 51,
                                       52, 55, 61, 65, 69, 71, 72, 73};
    edit->bytes[7] = versions[edit_random(edit, sizeof versions)];
    return true;
}

static const char* const names[] = {"Code",
                                    "StackMapTable",
                                    "LineNumberTable",
                                    "LocalVariableTable",
                                    "LocalVariableTypeTable",
                                    "RuntimeVisibleTypeAnnotations",
                                    "RuntimeInvisibleTypeAnnotations",
                                    "SourceFile",
                                    "<init>",
                                    "java/lang/Object",
                                    "()V",
                                    "(JLjava/lang/Object;[[DI)J",
                                    "(",
                                    "[[[",
                                    "L;",
                                    "()"};
enum { NAMES = sizeof names / sizeof *names };

static bool change_utf8(struct edit* edit, uint32_t at) {
    uint32_t length = load_u2(edit->bytes + at + 1);
    if (length && edit_random(edit, 2)) {
        edit->bytes[at + 3 + edit_random(edit, length)] = (uint8_t)edit_number(edit);
        return true;
    }
    const char* text = names[edit_random(edit, NAMES)];
    uint32_t new_length = (uint32_t)strlen(text);
    if (!edit_splice(edit, at + 3, length, text, new_length)) return false;
    store_u2(edit->bytes + at + 1, new_length);
    return true;
}

static bool change_entry(struct edit* edit) {
    static const uint8_t tags[] = {3, 4, 9, 10, 11, 12, 17, 18, 7, 8, 16, 19, 20, 0, 2, 5, 6};
    uint32_t at = edit->shape.entries[edit_random(edit, edit->shape.pool_count)];
    if (at == 0) return false;
    if (edit->bytes[at] == 1) return change_utf8(edit, at);
    if (edit_random(edit, 4) == 0) {
        edit->bytes[at] = tags[edit_random(edit, sizeof tags)];
        return true;
    }
    uint32_t place = at + 1;
    if (edit->bytes[at] >= 9 && edit->bytes[at] <= 18 && edit_random(edit, 2)) place += 2;
    if (place + 2 > edit->shape.pool_end) return false;
    store_u2(edit->bytes + place, edit_random(edit, edit->shape.pool_count + 2) & 0xffff);
    return true;
}

static bool add_name(struct edit* edit) {
    const char* text = names[edit_random(edit, NAMES)];
    uint8_t entry[64] = {1};
    uint32_t length = (uint32_t)strlen(text);
    memcpy(store_u2(entry + 1, length), text, length);
    if (!edit_splice(edit, edit->shape.pool_end, 0, entry, 3 + length)) return false;
    edit_add_u2(edit, 8, 1);
    return true;
}

// ---- Methods -------------------------------------------------------------------------------

static struct shape_code* any_code(struct edit* edit) {
    if (edit->shape.code_count == 0) return NULL;
    return &edit->shape.codes[edit_random(edit, edit->shape.code_count)];
}

static bool change_method(struct edit* edit, const struct shape_code* code) {
    uint32_t init = edit_find_name(edit, "<init>");
    switch (edit_random(edit, 4)) {
    case 0: edit->bytes[code->method + edit_random(edit, 2)] ^= 1 << edit_random(edit, 8); break;
    case 1:
        if (!init) return false;
        store_u2(edit->bytes + code->method + 2, init);
        edit->bytes[code->method + 1] &= (uint8_t)~8;
        break;
    default:
        store_u2(edit->bytes + code->method + 2 + 2 * edit_random(edit, 2),
                 edit_random(edit, edit->shape.pool_count));
    }
    return true;
}

static bool change_limits(struct edit* edit, const struct shape_code* code) {
    uint32_t place = code->attribute.at + SHAPE_ATTRIBUTE_HEAD + 2 * edit_random(edit, 2);
    store_u2(edit->bytes + place, edit_number(edit) & 0xffff);
    return true;
}

// ---- Instructions --------------------------------------------------------------------------

static bool change_opcode(struct edit* edit, const struct shape_code* code) {
    uint8_t* bytes = edit->bytes + code->code;
    uint32_t bci = edit_boundary(edit, code);
    uint32_t length = shape_instruction(bytes, code->code_length, bci);
    if (length == 0) return false;
    for (int tries = 0; tries < 20; tries++) {
        uint8_t opcode = (uint8_t)edit_random(edit, 204);
        uint8_t old = bytes[bci];
        bytes[bci] = opcode;
        if (shape_instruction(bytes, code->code_length, bci) == length) return true;
        bytes[bci] = old;
    }
    return false;
}

static bool change_operand(struct edit* edit, const struct shape_code* code) {
    uint8_t* bytes = edit->bytes + code->code;
    uint32_t bci = edit_boundary(edit, code);
    uint32_t length = shape_instruction(bytes, code->code_length, bci);
    if (length < 2) return false;
    uint32_t number =
        edit_random(edit, 2) ? edit_number(edit) : edit_random(edit, edit->shape.pool_count);
    if (length == 2) bytes[bci + 1] = (uint8_t)number;
    else store_u2(bytes + bci + 1, number & 0xffff);
    return true;
}

// The offset of a jump from `bci` to a random instruction, rarely to another place.
static uint32_t any_offset(struct edit* edit, const struct shape_code* code, uint32_t bci) {
    if (edit_random(edit, 16) == 0) return edit_number(edit);
    return edit_boundary(edit, code) - bci;
}

// Finds the first branch or switch at or after a random instruction. Returns its length, or 0.
static uint32_t any_branch(struct edit* edit, const struct shape_code* code, uint32_t* bci) {
    const uint8_t* bytes = edit->bytes + code->code;
    uint32_t length;
    for (*bci = edit_boundary(edit, code);
         (length = shape_instruction(bytes, code->code_length, *bci)) > 0; *bci += length) {
        uint8_t kind = opcode_table[bytes[*bci]].kind;
        if (kind >= OPCODE_IF && kind <= OPCODE_LOOKUP) return length;
    }
    return 0;
}

static bool change_branch(struct edit* edit, const struct shape_code* code) {
    uint32_t bci, length = any_branch(edit, code, &bci);
    if (length == 0) return false;
    uint8_t* at = edit->bytes + code->code + bci;
    uint8_t kind = opcode_table[*at].kind;
    uint32_t offset = any_offset(edit, code, bci);
    if (kind == OPCODE_TABLE || kind == OPCODE_LOOKUP) {
        uint32_t first = ((bci + 4) & ~3u) - bci;
        store_u4(at + first + 4 * edit_random(edit, (length - first) / 4), offset);
    } else if (kind == OPCODE_GOTO_W || kind == OPCODE_JSR_W) {
        store_u4(at + 1, offset);
    } else {
        store_u2(at + 1, offset & 0xffff);
    }
    return true;
}

// Instructions to insert. Nops fill them up to a multiple of four.
static const struct {
    uint8_t length;
    uint8_t bytes[24];
} snippets[] = {
    {1, {OP_return}},
    {2, {OP_iconst_0, OP_ireturn}},
    {2, {OP_aconst_null, OP_athrow}},
    {3, {OP_goto, 0, 4}},
    {4, {OP_iconst_0, OP_ifeq, 0, 3}},
    {4, {OP_aconst_null, OP_ifnonnull, 0, 3}},
    {5, {OP_goto_w, 0, 0, 0, 5}},
    {4, {OP_jsr, 0, 3, OP_pop}},
    {3, {OP_astore_0, OP_ret, 0}},
    {4, {OP_wide, OP_aload, 0, 0}},
    {8, {OP_wide, OP_iinc, 0, 0, 0, 1}},
    {4, {OP_aload_0, OP_monitorenter, OP_aload_0, OP_monitorexit}},
    {3, {OP_pop, OP_aload_0, OP_monitorexit}},
    {4, {OP_aload_0, OP_invokespecial, 0, 1}},
    {4, {OP_new, 0, 1, OP_dup}},
    {4, {OP_aload_0, OP_dup, OP_pop2}},
    {3, {OP_aload_0, OP_astore_1, OP_aload_1}},
    {20, {OP_tableswitch, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20}},
    {20, {OP_lookupswitch, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 20}},
};

static bool insert_code(struct edit* edit, const struct shape_code* code) {
    static uint8_t bytes[FAR + 64];
    uint32_t index = edit_random(edit, sizeof snippets / sizeof *snippets);
    uint32_t length = (snippets[index].length + 3u) & ~3u;
    // Once in eight times so much that branches no longer reach, or that the code is too large.
    if (edit_random(edit, 8) == 0) length = FAR - (4 * edit_random(edit, 512));
    memset(bytes, OP_nop, length);
    memcpy(bytes, snippets[index].bytes, snippets[index].length);
    return edit_insert_code(edit, code, edit_boundary(edit, code), bytes, length);
}

// Inserts so many nops between a branch and its target that it only just reaches.
static bool stretch_branch(struct edit* edit, const struct shape_code* code) {
    static uint8_t nops[FAR + 4];
    uint32_t bci, length = any_branch(edit, code, &bci);
    uint8_t* bytes = edit->bytes + code->code;
    if (length != 3) return false;
    int32_t offset = (int16_t)load_u2(bytes + bci + 1);
    int32_t distance = offset < 0 ? -offset : offset;
    if (offset < 0 ? -offset > (int32_t)bci : offset < 3) return false;
    int32_t more = FAR - 1 - distance - (int32_t)edit_random(edit, 40);
    if (more < 4) return false;
    // In a version without frames a conditional branch may be inverted.
    if (edit_random(edit, 2)) edit->bytes[7] = 49;
    uint32_t at = offset < 0 ? bci : bci + 3;
    return edit_insert_code(edit, code, at, nops, (uint32_t)more & ~3u);
}

static bool remove_code(struct edit* edit, const struct shape_code* code) {
    uint32_t bci = edit_boundary(edit, code);
    uint32_t length = shape_instruction(edit->bytes + code->code, code->code_length, bci);
    if (length == 0 || !edit_in_code(edit, code, code->code + bci, length, NULL, 0)) return false;
    edit_add_u4(edit, code->code - 4, -(int32_t)length);
    return true;
}

// ---- Exception tables ----------------------------------------------------------------------

static bool change_exception(struct edit* edit, const struct shape_code* code) {
    if (code->exception_count == 0) return false;
    uint32_t place = code->exceptions + 2 * edit_random(edit, 4 * code->exception_count);
    uint32_t value = edit_random(edit, 16) ? edit_boundary(edit, code) : edit_number(edit);
    store_u2(edit->bytes + place, value & 0xffff);
    return true;
}

static bool add_exception(struct edit* edit, const struct shape_code* code) {
    uint8_t entry[SHAPE_EXCEPTION_LENGTH];
    uint32_t start = edit_boundary(edit, code), end = edit_boundary(edit, code);
    store_u2(store_u2(entry, start < end ? start : end), start < end ? end : start);
    store_u2(store_u2(entry + 4, edit_boundary(edit, code)), 0);
    if (!edit_in_code(edit, code, code->exceptions, 0, entry, sizeof entry)) return false;
    edit_add_u2(edit, code->exceptions - 2, 1);
    return true;
}

static bool remove_exception(struct edit* edit, const struct shape_code* code) {
    if (code->exception_count == 0) return false;
    if (!edit_in_code(edit, code, code->exceptions, SHAPE_EXCEPTION_LENGTH, NULL, 0)) return false;
    edit_add_u2(edit, code->exceptions - 2, -1);
    return true;
}

// ---- The Code attribute's attributes -------------------------------------------------------

static const struct shape_attribute* any_part(struct edit* edit, const struct shape_code* code) {
    if (code->attribute_count == 0) return NULL;
    return &code->parts[edit_random(edit, code->attribute_count)];
}

// Changes one or two bytes of any attribute.
static bool change_part(struct edit* edit, const struct shape_code* code) {
    const struct shape_attribute* part = any_part(edit, code);
    if (!part || part->length < 2) return false;
    uint8_t* place =
        edit->bytes + part->at + SHAPE_ATTRIBUTE_HEAD + edit_random(edit, part->length - 1);
    uint32_t number = edit_random(edit, 2) ? edit_boundary(edit, code) : edit_number(edit);
    if (edit_random(edit, 2)) *place = (uint8_t)number;
    else store_u2(place, number & 0xffff);
    return true;
}

static bool rename_part(struct edit* edit, const struct shape_code* code) {
    const struct shape_attribute* part = any_part(edit, code);
    uint32_t name = edit_find_name(edit, names[edit_random(edit, NAMES)]);
    if (!part || !name) return false;
    store_u2(edit->bytes + part->at, name);
    return true;
}

// Makes an attribute longer or shorter; sometimes changes only its length field.
static bool resize_part(struct edit* edit, const struct shape_code* code) {
    const struct shape_attribute* part = any_part(edit, code);
    if (!part || part->length == 0) return false;
    uint32_t amount = 1 + edit_random(edit, part->length < 16 ? part->length : 16);
    uint32_t body = part->at + SHAPE_ATTRIBUTE_HEAD;
    bool longer = edit_random(edit, 2);
    uint32_t from = body + edit_random(edit, part->length - amount + 1);
    uint8_t copy[16];
    memcpy(copy, edit->bytes + from, amount);
    if (edit_random(edit, 8) &&
        !edit_in_code(edit, code, from, longer ? 0 : amount, copy, longer ? amount : 0))
        return false;
    edit_add_u4(edit, part->at + 2, longer ? (int32_t)amount : -(int32_t)amount);
    if (edit_random(edit, 2)) edit_add_u2(edit, body, longer ? 1 : -1);
    return true;
}

static bool remove_part(struct edit* edit, const struct shape_code* code) {
    const struct shape_attribute* part = any_part(edit, code);
    if (!part) return false;
    if (!edit_in_code(edit, code, part->at, SHAPE_ATTRIBUTE_HEAD + part->length, NULL, 0))
        return false;
    edit_add_u2(edit, code->attributes, -1);
    return true;
}

static bool add_debug(struct edit* edit, const struct shape_code* code) {
    uint8_t body[12] = {0, 1};
    store_u2(body + 2, edit_boundary(edit, code));
    if (edit_random(edit, 2)) return edit_add_part(edit, code, "LineNumberTable", body, 6);
    store_u2(body + 4, edit_random(edit, code->code_length + 1));
    bool types = edit_random(edit, 2);
    return edit_add_part(edit, code, types ? "LocalVariableTypeTable" : "LocalVariableTable", body,
                         12);
}

// Writes the content of an annotation: a type, and at most one element. Returns its length.
static uint32_t any_elements(struct edit* edit, uint8_t* to) {
    static const struct {
        uint8_t length;
        uint8_t bytes[12];
    } elements[] = {{2, {0, 0}},
                    {7, {0, 1, 0, 1, 'I', 0, 1}},
                    {9, {0, 1, 0, 1, 'e', 0, 1, 0, 1}},
                    {9, {0, 1, 0, 1, '@', 0, 1, 0, 0}},
                    {10, {0, 1, 0, 1, '[', 0, 1, 's', 0, 1}},
                    {7, {0, 1, 0, 1, '[', 0xff, 0xff}}};
    uint32_t index = edit_random(edit, sizeof elements / sizeof *elements);
    memcpy(store_u2(to, 1), elements[index].bytes, elements[index].length);
    return 2u + elements[index].length;
}

static bool add_annotation(struct edit* edit, const struct shape_code* code) {
    uint8_t body[ANNOTATION_LENGTH] = {0, 1, (uint8_t)(0x40 + edit_random(edit, 13))};
    uint32_t length = 5;
    if (body[2] <= 0x41) { // a variable: one range
        store_u2(body + 3, 1);
        store_u2(body + 5, edit_boundary(edit, code));
        length = 11;
    } else {
        store_u2(body + 3, body[2] == 0x42 ? edit_random(edit, code->exception_count + 1)
                                           : edit_boundary(edit, code));
        length += body[2] >= 0x47;
    }
    length++; // no path
    length += any_elements(edit, body + length);
    bool visible = edit_random(edit, 2);
    return edit_add_part(
        edit, code, visible ? "RuntimeVisibleTypeAnnotations" : "RuntimeInvisibleTypeAnnotations",
        body, length);
}

// The StackMapTable, or NULL.
static const struct shape_attribute* frames_of(const struct edit* edit,
                                               const struct shape_code* code) {
    for (uint32_t i = 0; i < code->attribute_count; i++)
        if (shape_name_is(&edit->shape, edit->bytes, load_u2(edit->bytes + code->parts[i].at),
                          "StackMapTable") &&
            code->parts[i].length > 2)
            return &code->parts[i];
    return NULL;
}

// Writes a random verification type, with its operand if it has one: a `new` of the code, or a
// class. Returns its length.
static uint32_t any_type(struct edit* edit, const struct shape_code* code, uint8_t* to) {
    *to = (uint8_t)edit_random(edit, TYPE_UNINITIALIZED + 1);
    if (*to < TYPE_OBJECT) return 1;
    store_u2(to + 1, edit_random(edit, edit->shape.pool_count));
    if (*to == TYPE_OBJECT) return 3;
    const uint8_t* bytes = edit->bytes + code->code;
    uint32_t bci = edit_boundary(edit, code), length;
    for (; (length = shape_instruction(bytes, code->code_length, bci)) > 0; bci += length)
        if (bytes[bci] == OP_new) break;
    store_u2(to + 1, bci & 0xffff);
    return 3;
}

// Writes a random frame with that offset_delta. Returns its length.
static uint32_t any_frame(struct edit* edit, const struct shape_code* code, uint8_t* frame,
                          uint32_t delta) {
    static const uint8_t kinds[] = {FRAME_SAME_1_EXTENDED, FRAME_CHOP, FRAME_SAME_EXTENDED,
                                    FRAME_APPEND, FRAME_FULL};
    *frame = kinds[edit_random(edit, sizeof kinds)];
    store_u2(frame + 1, delta & 0xffff);
    if (*frame == FRAME_CHOP || *frame == FRAME_SAME_EXTENDED) return 3;
    if (*frame != FRAME_FULL) return 3 + any_type(edit, code, frame + 3);
    store_u2(frame + 3, 1);
    uint32_t length = 5 + any_type(edit, code, frame + 5);
    store_u2(frame + length, 0);
    return length + 2;
}

// Adds a frame before the first one, which becomes relative to the new one.
static bool add_frame(struct edit* edit, const struct shape_code* code) {
    uint8_t body[16] = {0, 1};
    uint32_t bci = edit_boundary(edit, code);
    uint32_t length = any_frame(edit, code, body + 2, bci);
    const struct shape_attribute* part = frames_of(edit, code);
    if (!part) return edit_add_part(edit, code, "StackMapTable", body, 2 + length);
    uint32_t first = part->at + SHAPE_ATTRIBUTE_HEAD + 2;
    struct reader reader = reader_over(edit->bytes + first, part->length - 2);
    struct frame frame = frame_read(&reader);
    if (reader.failed || frame.delta <= bci) return false;
    if (frame.type < FRAME_RESERVED) edit->bytes[first] -= (uint8_t)(bci + 1);
    else edit_add_u2(edit, first + 1, -(int32_t)(bci + 1));
    if (!edit_in_code(edit, code, first, 0, body + 2, length)) return false;
    edit_add_u4(edit, part->at + 2, (int32_t)length);
    edit_add_u2(edit, first - 2, 1);
    return true;
}

// ---- The list of changes -------------------------------------------------------------------

static const struct {
    const char* name;
    bool (*of_class)(struct edit*);
    bool (*of_code)(struct edit*, const struct shape_code*);
} changes[] = {
    {"change_version", change_version, NULL},
    {"change_entry", change_entry, NULL},
    {"add_name", add_name, NULL},
    {"stretch_branch", NULL, stretch_branch},
    {"change_method", NULL, change_method},
    {"change_limits", NULL, change_limits},
    {"change_opcode", NULL, change_opcode},
    {"change_opcode", NULL, change_opcode},
    {"change_operand", NULL, change_operand},
    {"change_branch", NULL, change_branch},
    {"change_branch", NULL, change_branch},
    {"insert_code", NULL, insert_code},
    {"insert_code", NULL, insert_code},
    {"remove_code", NULL, remove_code},
    {"add_exception", NULL, add_exception},
    {"change_exception", NULL, change_exception},
    {"change_part", NULL, change_part},
    {"change_part", NULL, change_part},
    {"rename_part", NULL, rename_part},
    {"remove_exception", NULL, remove_exception},
    {"resize_part", NULL, resize_part},
    {"remove_part", NULL, remove_part},
    {"add_debug", NULL, add_debug},
    {"add_frame", NULL, add_frame},
    {"add_frame", NULL, add_frame},
    {"add_annotation", NULL, add_annotation},
};

bool mutate_any(struct edit* edit, const char** name) {
    uint32_t index = edit_random(edit, sizeof changes / sizeof *changes);
    *name = changes[index].name;
    if (changes[index].of_class) return changes[index].of_class(edit);
    const struct shape_code* code = any_code(edit);
    return code && changes[index].of_code(edit, code);
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t size_max, unsigned seed) {
    static struct edit edit;
    edit.bytes = data;
    edit.size = size;
    edit.size_max = size_max;
    edit.random = seed | 1;
    edit_random(&edit, 2);
    if (edit_random(&edit, 8) == 0) return LLVMFuzzerMutate(data, size, size_max);
    bool changed = false;
    const char* name;
    for (uint32_t changes_left = 1 + edit_random(&edit, 3), tries = 10; changes_left && tries;
         tries--) {
        if (!shape_read(&edit.shape, data, edit.size)) break;
        bool done = edit_random(&edit, 3) ? mutate_any(&edit, &name) : mutate_valid(&edit, &name);
        changed |= done;
        changes_left -= done;
    }
    return changed ? edit.size : LLVMFuzzerMutate(data, size, size_max);
}
