// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The instrumenter: class-file bytes in, class-file bytes out. It inserts into every method with
// code a call of plumbline.Trace.push(int) at the entry, of plumbline.Trace.pop(int) at every exit
// and of plumbline.Trace.caught(int) where an exception is caught, and mends everything that points
// at code. It is pure C over memory: no JVM, no I/O.
//
// Input is hostile. The result is either a class that the JVM's verifier accepts whenever it
// accepts the original, and that behaves as before, or a refusal by a named reason; never a crash,
// never a half-written class.
#ifndef INSTRUMENT_INSTRUMENT_H
#define INSTRUMENT_INSTRUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The runtime class that rewritten code calls, internal form (JVMS 4.2.1), and its methods.
#define INSTRUMENT_RUNTIME_CLASS "plumbline/Trace"
#define INSTRUMENT_PUSH "push" // (I)V, static native
#define INSTRUMENT_POP "pop"   // (I)V, static native
// Called first in exception handlers, but for those that release a monitor. No handler can cover a
// constructor's call of super() (HotSpot's verifier compares the handler's frame with the state
// before that call and with the one after it, and nothing fits both), so an exception that leaves
// super() leaves the constructor without a pop; where it is caught, what it left behind is dropped.
#define INSTRUMENT_CAUGHT "caught" // (I)V, static native

// Why a class, or one method of it, was not rewritten. NAME, text (key in reports), explanation.
// Class refusals are returned by instrument_rewrite, negated; method refusals stand in the method.
#define INSTRUMENT_REFUSALS(R)                                                                     \
    R(NONE, "none", "not refused")                                                                 \
    R(MALFORMED, "malformed", "the bytes are not a class file")                                    \
    R(VERSION, "version", "a class-file version this rewriter does not know")                      \
    R(POOL_FULL, "constant_pool_full", "the constant pool has no room for the added entries")      \
    R(MEMORY, "memory", "no memory")                                                               \
    R(NUMBERS, "numbers", "the caller gave no method numbers")                                     \
    R(CODE_TOO_LARGE, "code_too_large", "the rewritten code would pass 65,535 bytes (JVMS 4.7.3)") \
    R(BAD_CODE, "bad_code", "the Code attribute contradicts itself")                               \
    R(STACK_TOO_DEEP, "stack_too_deep", "max_stack would pass 65,535")                             \
    R(TABLE_FULL, "table_full", "an exception table or StackMapTable would pass 65,535 entries")   \
    R(UNINITIALIZED_THIS, "uninitialized_this",                                                    \
      "a constructor whose own object cannot be followed up to the super() call")                  \
    R(MANY_HOMES, "many_homes",                                                                    \
      "a constructor that keeps its own object in too many locals before the super() call")

enum instrument_refusal {
#define INSTRUMENT_REFUSAL_ENUM(name, text, explanation) INSTRUMENT_##name,
    INSTRUMENT_REFUSALS(INSTRUMENT_REFUSAL_ENUM)
#undef INSTRUMENT_REFUSAL_ENUM
        INSTRUMENT_REFUSAL_COUNT
};
// Static text, never NULL.
const char* instrument_refusal_text(enum instrument_refusal refusal);
const char* instrument_refusal_explanation(enum instrument_refusal refusal);

// Why classes of this name must not be rewritten at all, or NULL: the one table of exclusions, with
// reasons. `name` in internal form, not terminated.
const char* instrument_excluded(const char* name, size_t length);

// Text inside the class file, modified UTF-8, not terminated; points into the input bytes.
struct instrument_text {
    const char* text;
    uint32_t length;
};

// A run of inserted bytes in the rewritten code: [start, start + length) was added. Code that was
// widened (a goto that became goto_w) counts as an insertion right after the original instruction.
struct instrument_insertion {
    uint16_t start;  // new bci
    uint16_t length; // bytes added
    // The original instruction that it belongs to: the one that follows, or the one that was
    // widened. Of the handlers at the end: the original code length.
    uint16_t old_bci;
    uint16_t call; // 1: push, pop and caught sequences, or a handler; 0: widening, or nops before a
                   // switch
};

// One LineNumberTable entry of the original code.
struct instrument_line {
    uint16_t old_bci;
    uint16_t line;
};

struct instrument_method {
    struct instrument_text name, descriptor;
    uint16_t access_flags;
    bool has_code;
    enum instrument_refusal refusal; // has_code only: NONE if it was instrumented
    uint32_t number;                 // has_code only: what it pushes; given even if refused
    uint32_t code_length;            // of the rewritten code (of the original if refused)
    uint32_t old_code_length;
    const struct instrument_insertion* insertions; // ascending by start
    uint32_t insertion_count;
    const struct instrument_line* lines; // as in the file, sorted by old_bci
    uint32_t line_count;
};

// The result of one rewriting. All memory is the instrumenter's (or the input's) and valid until
// the next call on it.
struct instrument_class {
    const uint8_t* bytes; // the rewritten class
    size_t length;
    struct instrument_text name, source_file; // source_file empty where the class names none
    uint16_t major_version;
    const struct instrument_method* methods; // all of the class file's, in its order
    uint32_t method_count;
    uint32_t instrumented; // methods that were
};

struct instrument_options {
    // Gives `count` consecutive method numbers (of the methods with code, in class-file order) and
    // returns the first; 0 refuses the class with NUMBERS. Called once per class, after it is
    // parsed, and not for a class without code.
    uint32_t (*reserve)(void* context, uint32_t count);
    void* context;
};

// A reusable rewriter: buffers grow with the largest class it has seen and are kept. Use by one
// thread at a time. NULL without memory.
struct instrument;
struct instrument* instrument_open(void);
void instrument_close(struct instrument* instrument);

// Rewrites bytes[0, length). 0 and *result filled (also where every method was refused: the bytes
// then are an equivalent class), or -(enum instrument_refusal) and *result untouched: use the class
// as it was.
int instrument_rewrite(struct instrument* instrument, const uint8_t* bytes, size_t length,
                       const struct instrument_options* options, struct instrument_class* result);

// ---- Call sites -------------------------------------------------------------------------------

// An instruction from which other code can be called.
struct instrument_call {
    uint16_t bci;
    enum instrument_call_kind {
        INSTRUMENT_CALLS_VM, // it names nothing: the VM may load or initialise a class, make an
                             // exception, or compile (a branch back)
        INSTRUMENT_CALLS_NAMED,
        INSTRUMENT_CALLS_ANY // invokedynamic, method and variable handles: anything may be called
    } kind;
    struct instrument_text name, descriptor; // NAMED; valid as long as the list
};

// A reusable reader of call sites. Use by one thread at a time. NULL without memory.
struct instrument_calls;
struct instrument_calls* instrument_calls_open(void);
void instrument_calls_close(struct instrument_calls* calls);
// Finds the call sites of code[0, code_length). `pool` holds the class's constant pool from its
// first entry on, as JVMTI's GetConstantPool gives it, of constant_pool_count `pool_count`.
// *list, ascending, is valid until the next call. Returns how many, or -1: malformed, or no memory.
int32_t instrument_calls_find(struct instrument_calls* calls, const uint8_t* pool,
                              size_t pool_length, uint32_t pool_count, const uint8_t* code,
                              size_t code_length, const struct instrument_call** list);

// ---- Positions --------------------------------------------------------------------------------

// The original bytecode index of a rewritten one: that of the original instruction it belongs to;
// inside an inserted call, that of the original instruction that follows.
uint32_t instrument_old_bci(const struct instrument_insertion* insertions, uint32_t count,
                            uint32_t new_bci);
// The source line of an original bytecode index, 0 where none is known.
uint32_t instrument_line_of(const struct instrument_line* lines, uint32_t count, uint32_t old_bci);

#endif
