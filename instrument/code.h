// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One method's Code attribute on its way through the rewriter. The steps, in order:
//
//   code_parse          finds the attribute's parts                        code.c
//   attributes_scan     finds the StackMapTable, collects the lines        attributes.c
//   code_decode         finds instructions, branches, returns              code.c
//   constructor_follow  finds where `this` is uninitialized; constructors  constructor.c
//   code_layout         computes the new positions                         layout.c
//   code_emit           writes the instructions                            emit.c
//   handlers_emit       writes the exception table                         handlers.c
//   attributes_emit     writes lines, locals, frames, annotations          attributes.c, frames.c,
//                                                                          annotations.c
//
// Each step returns INSTRUMENT_NONE or the reason to leave the method as it was. The writing steps
// append to `out`, which the caller winds back after a refusal. Private to the room.
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
    CODE_HANDLERS_MAX = 8,    // catch-all handlers of one method; only constructors have several
};

// The flags of each byte of the original code.
enum {
    CODE_START = 1,  // an instruction begins here
    CODE_NEW = 2,    // that instruction is a `new`
    CODE_BEFORE = 4, // times the number of bytes inserted right before it (calls, nops): 0 to 12
};

// An instruction that is not merely copied (a branch, a switch or a return), or that begins one of
// the program's handlers.
struct code_point {
    uint16_t bci;
    uint8_t opcode;
    uint8_t kind;   // enum opcode_kind
    uint8_t before; // bytes inserted before it: a caught sequence, then a pop sequence or nops
    bool caught;    // one of the program's handlers begins here and gets a caught sequence
    uint8_t after;  // bytes by which widening made it grow
};

// The catch-all handler that covers the code from an original bci on: an index into `homes`, or
// CODE_UNCOVERED.
enum { CODE_UNCOVERED = 0xff };
struct code_segment {
    uint16_t start;
    uint8_t handler;
};

// The home of `this` is the local that holds the uninitialized `this`. CODE_NO_HOME: the frame of
// the handler has no such local.
enum { CODE_NO_HOME = 0xffff };

struct code {
    // Facts about the class and the method.
    struct pool* pool;
    const struct pool_symbols* symbols;
    uint16_t major;
    uint16_t access_flags;
    bool tracked; // a constructor in which `this` starts uninitialized
    // The constructor of java/lang/Object, which gets no handler. At its return C2 registers a
    // finalizer; C2 parses that return as if all handlers of the method covered it, and a catch-all
    // handler makes C2 crash.
    bool bare;
    struct instrument_text descriptor;
    // The attribute as it was read. All pointers lead into the class file.
    const uint8_t* bytes; // the instructions
    uint32_t length;
    uint16_t max_stack, max_locals;
    const uint8_t* exceptions; // exception_count times 8 bytes
    uint32_t exception_count;
    struct reader attributes; // from attributes_count on
    struct reader frames;     // the StackMapTable from number_of_entries on, if has_frames
    bool has_frames;
    // Scratch memory, allocated once for the largest possible code.
    uint8_t* flags;            // by bci
    uint16_t* map;             // by bci: the new bci, where the insertions before it begin
    struct code_point* points; // ascending by bci
    uint16_t* calls;           // bcis of the instructions with a call before them, ascending
    uint16_t* pops;            // by index in `calls`: the first index from there on with a pop
    struct code_segment* segments;
    uint16_t* exception_map; // by index of the old entry: the first new entry made from it
    uint8_t* types;          // the locals and stack of constructor.c
    uint32_t point_count, call_count, segment_count;
    bool last_falls_through;
    // The catch-all handlers, in their order at the end of the code.
    uint16_t homes[CODE_HANDLERS_MAX];
    uint32_t handler_count;
    uint32_t new_length;  // with the catch-all handlers
    uint32_t handlers_at; // the bci of the first catch-all handler; equals map[length]
    // For tests, which bound them: elements of `calls` that handlers_emit visited, and frames that
    // code_layout read.
    uint32_t handler_steps, frame_steps;
    // The inserted sequences.
    uint8_t push[CODE_CALL_LENGTH], pop[CODE_CALL_LENGTH], caught[CODE_CALL_LENGTH];
    // The output of the steps; the buffers are the caller's.
    struct buffer* out;
    struct buffer* insertions; // of struct instrument_insertion
    struct buffer* lines;      // of struct instrument_line
};

// Allocates the scratch memory. False without memory. Call code_close either way.
bool code_open(struct code* code);
void code_close(struct code* code);

// The steps, as listed above.
enum instrument_refusal code_parse(struct code* code, const uint8_t* bytes, size_t length);
enum instrument_refusal code_decode(struct code* code);
enum instrument_refusal code_layout(struct code* code);
enum instrument_refusal code_emit(struct code* code);

// Makes the segments of a tracked constructor. Returns NONE, UNINITIALIZED_THIS if it loses track
// of `this`, or MANY_HOMES.
enum instrument_refusal constructor_follow(struct code* code);

// Writes exception_table_length and the exception table.
enum instrument_refusal handlers_emit(struct code* code);

// Finds the StackMapTable and collects the lines.
enum instrument_refusal attributes_scan(struct code* code);
// Writes attributes_count and every attribute that is kept.
enum instrument_refusal attributes_emit(struct code* code);
// Adjusts the positions in type annotations on code, in place. bytes[0, length) is the content of
// the attribute.
enum instrument_refusal annotations_mend(const struct code* code, uint8_t* bytes, size_t length);

// Writes a whole StackMapTable attribute, for a class of version 50 or above.
enum instrument_refusal frames_emit(struct code* code);

// A walk over the original code's frames.
struct frames_walk {
    struct code* code;
    struct reader reader; // behind the last frame that was read
    int32_t position;     // the bci of that frame; -1 before the first
    uint32_t left;        // the number of frames behind it
};
struct frames_walk frames_walk(struct code* code);
// Whether there is a frame at that bci. The bcis asked for in one walk must ascend.
bool frames_has(struct frames_walk* walk, uint32_t bci);

static inline bool code_is_start(const struct code* code, uint32_t bci) {
    return bci < code->length && (code->flags[bci] & CODE_START) != 0;
}

// The new bci of the instruction itself; `map` has the bci of the insertions before it.
static inline uint32_t code_own(const struct code* code, uint32_t bci) {
    return (uint32_t)code->map[bci] + code->flags[bci] / CODE_BEFORE;
}

// The new bci at which debug information begins or ends that did so at `bci`. The start of the
// method stays its start.
static inline uint32_t code_debug(const struct code* code, uint32_t bci) {
    return bci == 0 ? 0 : code->map[bci];
}

#endif
