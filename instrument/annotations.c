// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// RuntimeVisibleTypeAnnotations and RuntimeInvisibleTypeAnnotations on code (JVMS 4.7.20). Their
// targets name positions and exception table entries, which are adjusted. No length changes.
#include "code.h"

// The target_type values that the rewriter must distinguish (JVMS tables 4.7.20-A and B).
enum {
    TARGET_LOCAL = 0x40,
    TARGET_RESOURCE = 0x41,
    TARGET_CATCH = 0x42,
    TARGET_OFFSET_FIRST = 0x43, // instanceof, new, two kinds of method reference
    TARGET_OFFSET_LAST = 0x46,
    TARGET_ARGUMENT_FIRST = 0x47, // cast, four kinds of type argument
    TARGET_ARGUMENT_LAST = 0x4b,
    DEPTH_MAX = 64 // of nested annotations and arrays; compilers nest a handful
};

struct walk {
    const struct code* code;
    struct reader reader; // over `bytes`
    uint8_t* bytes;       // the attribute's content, to be adjusted
    const uint8_t* start; // the same address, to compute offsets
};

// Reads a number of two bytes that is to be adjusted; *at is its place.
static uint32_t read_place(struct walk* walk, uint8_t** at) {
    *at = walk->bytes + (walk->reader.at - walk->start);
    return read_u2(&walk->reader);
}

static void mend_offset(struct walk* walk) {
    uint8_t* at;
    uint32_t bci = read_place(walk, &at);
    if (walk->reader.failed) return;
    if (code_is_start(walk->code, bci)) store_u2(at, code_own(walk->code, bci));
    else walk->reader.failed = true;
}

static void mend_local(struct walk* walk) {
    uint32_t count = read_u2(&walk->reader);
    for (uint32_t i = 0; i < count && !walk->reader.failed; i++) {
        uint8_t* at;
        uint32_t start = read_place(walk, &at);
        uint32_t end = start + read_u2(&walk->reader);
        read_u2(&walk->reader); // the local's index
        if (walk->reader.failed || end > walk->code->length) {
            walk->reader.failed = true;
            return;
        }
        uint32_t new = code_debug(walk->code, start);
        store_u2(store_u2(at, new), code_debug(walk->code, end) - new);
    }
}

// The first part stands for an exception table entry that was split.
static void mend_catch(struct walk* walk) {
    uint8_t* at;
    uint32_t index = read_place(walk, &at);
    if (walk->reader.failed) return;
    if (index < walk->code->exception_count) store_u2(at, walk->code->exception_map[index]);
    else walk->reader.failed = true;
}

static void mend_target(struct walk* walk) {
    uint8_t type = read_u1(&walk->reader);
    if (type == TARGET_LOCAL || type == TARGET_RESOURCE) mend_local(walk);
    else if (type == TARGET_CATCH) mend_catch(walk);
    else if (type >= TARGET_OFFSET_FIRST && type <= TARGET_ARGUMENT_LAST) mend_offset(walk);
    else walk->reader.failed = true; // not a target in code
    if (type >= TARGET_ARGUMENT_FIRST) read_u1(&walk->reader);
}

static void skip_annotation(struct reader* reader, int depth);

static void skip_value(struct reader* reader, int depth) {
    if (depth > DEPTH_MAX) reader->failed = true;
    if (reader->failed) return;
    uint8_t tag = read_u1(reader);
    if (tag == '@') {
        skip_annotation(reader, depth + 1);
    } else if (tag == '[') {
        uint32_t count = read_u2(reader);
        for (uint32_t i = 0; i < count && !reader->failed; i++) skip_value(reader, depth + 1);
    } else {
        read_bytes(reader, tag == 'e' ? 4 : 2);
    }
}

static void skip_annotation(struct reader* reader, int depth) {
    read_u2(reader); // its type
    uint32_t pairs = read_u2(reader);
    for (uint32_t i = 0; i < pairs && !reader->failed; i++) {
        read_u2(reader); // the element's name
        skip_value(reader, depth);
    }
}

enum instrument_refusal annotations_mend(const struct code* code, uint8_t* bytes, size_t length) {
    struct walk walk = {
        .code = code, .reader = reader_over(bytes, length), .bytes = bytes, .start = bytes};
    uint32_t count = read_u2(&walk.reader);
    for (uint32_t i = 0; i < count && !walk.reader.failed; i++) {
        mend_target(&walk);
        read_bytes(&walk.reader, 2 * (size_t)read_u1(&walk.reader)); // the path into the type
        skip_annotation(&walk.reader, 0);
    }
    if (walk.reader.failed || walk.reader.at != walk.reader.end) return INSTRUMENT_BAD_CODE;
    return INSTRUMENT_NONE;
}
