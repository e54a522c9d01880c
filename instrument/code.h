// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One method's Code attribute on its way through the rewriter, and the steps it takes in order:
//
//   code_parse      the attribute's parts            code.c
//   code_decode     instructions, points, returns    code.c
//   constructor_follow  where `this` is uninitialized   constructor.c (constructors only)
//   code_layout     new positions                    layout.c
//   code_emit       the instructions                 emit.c
//   handlers_emit   the exception table              handlers.c
//   attributes_emit lines, locals, frames, ...       attributes.c, frames.c
//
// Each step gives INSTRUMENT_NONE or the reason to leave the method as it was. What they write goes
// to `out`, which the caller winds back after a refusal.
#ifndef INSTRUMENT_CODE_H
#define INSTRUMENT_CODE_H

#include "buffer.h"
#include "instrument.h"
#include "pool.h"
#include "reader.h"

enum {
    CODE_LENGTH_MAX = 65535,  // JVMS 4.7.3
    CODE_CALL_LENGTH = 6,     // a push, pop or caught sequence: sipush or ldc_w, invokestatic
    CODE_HANDLER_LENGTH = 13, // a caught sequence, a pop sequence and athrow
    CODE_HANDLERS_MAX = 8, // catch-all handlers of one method; more than one in constructors only
};

// Of each byte of the original code.
enum {
    CODE_START = 1,  // an instruction begins here
    CODE_NEW = 2,    // and it is a `new`
    CODE_BEFORE = 4, // times the number of bytes inserted right before it (calls, nops): 0 to 12
};

// An instruction that is not just copied (a branch, a switch or a return), or that begins a
// handler.
struct code_point {
    uint16_t bci;
    uint8_t opcode;
    uint8_t kind;   // enum opcode_kind
    uint8_t before; // bytes inserted before it: a caught sequence, then a pop sequence or nops
    bool caught;    // a handler of the program's begins here
    uint8_t after;  // bytes by which it grew (widening)
};

// From an original bci on, which handler covers the code: an index into `homes`, or none.
enum { CODE_UNCOVERED = 0xff };
struct code_segment {
    uint16_t start;
    uint8_t handler;
};

// What a handler's frame must say: that a local holds the uninitialized `this`, or nothing.
enum { CODE_NO_HOME = 0xffff };

struct code {
    // Of the class and the method.
    struct pool* pool;
    const struct pool_symbols* symbols;
    uint16_t major;
    uint16_t access_flags;
    bool tracked; // a constructor in whose code `this` starts uninitialized
    // The constructor of java/lang/Object, which gets no handler: C2 parses its return, where it
    // registers a finalizer, as if all of the method's handlers covered it, and dies of a
    // catch-all.
    bool bare;
    struct instrument_text descriptor;
    // The attribute as it was read.
    const uint8_t* bytes; // the instructions
    uint32_t length;
    uint16_t max_stack, max_locals;
    const uint8_t* exceptions; // exception_count times 8 bytes
    uint32_t exception_count;
    struct reader attributes; // from attributes_count on
    struct reader frames;     // the StackMapTable from number_of_entries on, if has_frames
    bool has_frames;
    // Scratch, allocated once for the largest code there can be.
    uint8_t* flags; // by bci
    uint16_t* map;  // by bci: where what was there begins now, insertions before included
    struct code_point* points; // ascending
    uint16_t* calls;           // bcis of the instructions with a call before them, ascending
    uint16_t* pops; // by index of `calls`: the first at or behind it that a pop stands before
    struct code_segment* segments;
    uint16_t* exception_map; // by index: the first entry of the new table that came from it
    uint8_t* types;          // constructor.c's locals and stack
    uint32_t point_count, call_count, segment_count;
    bool last_falls_through;
    // The handlers, in the order they stand at the end of the code.
    uint16_t homes[CODE_HANDLERS_MAX]; // the local that holds `this`, or CODE_NO_HOME
    uint32_t handler_count;
    uint32_t new_length;    // with the handlers
    uint32_t handlers_at;   // where the first begins; map[length] as well
    uint32_t handler_steps; // calls that handlers_emit has looked at; for tests of its bound
    uint8_t push[CODE_CALL_LENGTH], pop[CODE_CALL_LENGTH],
        caught[CODE_CALL_LENGTH]; // the sequences
    // What the steps fill.
    struct buffer* out;
    struct buffer* insertions; // of struct instrument_insertion
    struct buffer* lines;      // of struct instrument_line
};

bool code_open(struct code* code);
void code_close(struct code* code);

enum instrument_refusal code_parse(struct code* code, const uint8_t* bytes, size_t length);
enum instrument_refusal code_decode(struct code* code);
enum instrument_refusal code_layout(struct code* code);
enum instrument_refusal code_emit(struct code* code);

// Makes the segments of a tracked constructor; of the refusals only UNINITIALIZED_THIS, where it
// loses the object, and MANY_HOMES.
enum instrument_refusal constructor_follow(struct code* code);

// Writes exception_table_length and the table.
enum instrument_refusal handlers_emit(struct code* code);

// attributes_scan finds the StackMapTable and collects the lines; attributes_emit writes
// attributes_count and all that is kept.
enum instrument_refusal attributes_scan(struct code* code);
enum instrument_refusal attributes_emit(struct code* code);
// Type annotations on code, mended where they lie in bytes[0, length).
enum instrument_refusal annotations_mend(const struct code* code, uint8_t* bytes, size_t length);

// Writes a whole StackMapTable attribute, for classes of version 50 and above.
enum instrument_refusal frames_emit(struct code* code);
// Whether the original has a frame at that bci.
bool frames_has(const struct code* code, uint32_t bci);

static inline bool code_is_start(const struct code* code, uint32_t bci) {
    return bci < code->length && (code->flags[bci] & CODE_START) != 0;
}

// Where the instruction itself is now (map says where what was inserted before it begins).
static inline uint32_t code_own(const struct code* code, uint32_t bci) {
    return (uint32_t)code->map[bci] + code->flags[bci] / CODE_BEFORE;
}

// Where debug information that began or ended at `bci` does now: the method's start stays its
// start.
static inline uint32_t code_debug(const struct code* code, uint32_t bci) {
    return bci == 0 ? 0 : code->map[bci];
}

#endif
