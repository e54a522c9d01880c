// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The instrumenter: class-file bytes in, class-file bytes out. Into every method with code it
// inserts a call of plumbline.Trace.push(int) at the entry, of plumbline.Trace.pop(int) at every
// exit, and of plumbline.Trace.caught(int) where an exception is caught. It adjusts everything that
// refers to positions in the code. It is pure C over memory: no JVM, no I/O. No function is for
// signal handlers. instrument/README.md says what is inserted where, and why the result verifies.
//
// Input is hostile. The result is either a class that the JVM's verifier accepts whenever it
// accepts the original, and that behaves as before; or a refusal with a reason. It is never a crash
// and never a half-written class.
#ifndef INSTRUMENT_INSTRUMENT_H
#define INSTRUMENT_INSTRUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The runtime class that inserted code calls, in internal form (JVMS 4.2.1), and its methods.
#define INSTRUMENT_RUNTIME_CLASS "plumbline/Trace"
#define INSTRUMENT_PUSH "push" // (I)V, static
#define INSTRUMENT_POP "pop"   // (I)V, static
// Called first in every exception handler, except in handlers that release a monitor. It drops the
// entries of constructors that left without a pop: no handler can cover a constructor's call of
// super(), because HotSpot's verifier compares the handler's frame with the state before that call
// and with the state after it, and no frame fits both. So an exception that leaves super() also
// leaves the constructor's entry behind.
#define INSTRUMENT_CAUGHT "caught" // (I)V, static

// Reasons for not rewriting a class, or one method of it. Columns: NAME, text (the key in reports),
// explanation. instrument_rewrite returns the refusal of a class, negated; the refusal of a method
// is in its struct instrument_method.
#define INSTRUMENT_REFUSALS(R)                                                                     \
    R(NONE, "none", "not refused")                                                                 \
    R(MALFORMED, "malformed", "the bytes are not a class file")                                    \
    R(VERSION, "version", "the rewriter does not know this class-file version")                    \
    R(POOL_FULL, "constant_pool_full", "the constant pool has no room for the added entries")      \
    R(MEMORY, "memory", "no memory")                                                               \
    R(NUMBERS, "numbers", "the caller gave no method numbers")                                     \
    R(CODE_TOO_LARGE, "code_too_large",                                                            \
      "the rewritten code would exceed 65,535 bytes (JVMS 4.7.3), or a branch cannot be widened")  \
    R(BAD_CODE, "bad_code", "the Code attribute contradicts itself")                               \
    R(STACK_TOO_DEEP, "stack_too_deep", "max_stack would exceed 65,535")                           \
    R(TABLE_FULL, "table_full", "an exception table or StackMapTable would exceed 65,535 entries") \
    R(UNINITIALIZED_THIS, "uninitialized_this",                                                    \
      "the uninitialized `this` of a constructor cannot be followed up to the super() call")       \
    R(MANY_HOMES, "many_homes",                                                                    \
      "a constructor keeps the uninitialized `this` in more than 7 different locals")              \
    R(EVENT, "event", "a class of JFR's events: JFR writes its methods anew, behind every agent")  \
    R(NOT_CHOSEN, "not_chosen", "the caller wants this method left as it is")

enum instrument_refusal {
#define INSTRUMENT_REFUSAL_ENUM(name, text, explanation) INSTRUMENT_##name,
    INSTRUMENT_REFUSALS(INSTRUMENT_REFUSAL_ENUM)
#undef INSTRUMENT_REFUSAL_ENUM
        INSTRUMENT_REFUSAL_COUNT
};
// Each gives static text, never NULL; a fixed text for a value outside the list.
const char* instrument_refusal_text(enum instrument_refusal refusal);
const char* instrument_refusal_explanation(enum instrument_refusal refusal);

// The reason why a class of this name must not be rewritten at all, or NULL. Static text, from the
// one table of exclusions (excluded.c). `name` is in internal form and not terminated.
const char* instrument_excluded(const char* name, size_t length);

// Text inside the class file: modified UTF-8, not terminated. It points into the input bytes.
struct instrument_text {
    const char* text;
    uint32_t length;
};

// A run of inserted bytes: [start, start + length) of the rewritten code. The growth of a widened
// instruction (a goto that became goto_w) is an insertion right after the original instruction.
struct instrument_insertion {
    uint16_t start;  // new bci
    uint16_t length; // in bytes
    // The original instruction to which the insertion belongs: the following one, or the widened
    // one. For the catch-all handlers at the end it is the original code length.
    uint16_t old_bci;
    // 1: a push, pop or caught sequence, or a catch-all handler. 0: growth by widening, or nops
    // before a switch.
    uint16_t call;
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
    enum instrument_refusal refusal; // with code only: NONE if it was instrumented
    uint32_t number; // with code only: the number it pushes; set even if refused, 0 if NOT_CHOSEN
    uint32_t code_length; // of the rewritten code, or of the original if refused; 0 if NOT_CHOSEN
    uint32_t old_code_length;
    const struct instrument_insertion* insertions; // ascending by start
    uint32_t insertion_count;
    const struct instrument_line* lines; // of all LineNumberTables, sorted by old_bci
    uint32_t line_count;
};

// The result of one rewriting. All memory belongs to the instrumenter or to the input. It is valid
// until the next call on that instrumenter, and as long as the input is.
struct instrument_class {
    const uint8_t* bytes; // the rewritten class
    size_t length;
    struct instrument_text name, source_file; // source_file is empty if the class names none
    uint16_t major_version;
    const struct instrument_method* methods; // all methods, in the order of the class file
    uint32_t method_count;
    uint32_t instrumented; // number of methods that were instrumented
};

struct instrument_options {
    // Reserves `count` consecutive method numbers, for the chosen methods in the order of the class
    // file, and returns the first; 0 refuses the class with NUMBERS. Called once for each class,
    // after it was parsed; not called for a class without a chosen method. Required.
    uint32_t (*reserve)(void* context, uint32_t count);
    // Whether this method with code is to be instrumented. The code of the others is copied as it
    // is, unread. NULL: all are.
    bool (*choose)(void* context, struct instrument_text class_name, struct instrument_text name,
                   struct instrument_text descriptor);
    void* context;
};

// A reusable rewriter. Its buffers grow with the largest class it has seen and are kept. One thread
// at a time may use it. The caller owns it and closes it; closing NULL does nothing. NULL without
// memory.
struct instrument;
struct instrument* instrument_open(void);
void instrument_close(struct instrument* instrument);

// Rewrites the class file bytes[0, length). Returns 0 and fills *result, even if every method was
// refused: the bytes are an equivalent class then. Returns -(enum instrument_refusal) and leaves
// *result untouched if the class is refused: use the class as it was.
int instrument_rewrite(struct instrument* instrument, const uint8_t* bytes, size_t length,
                       const struct instrument_options* options, struct instrument_class* result);

// ---- Names ------------------------------------------------------------------------------------

// A text of the constant pool, whole, and what is to stand there instead.
struct instrument_renaming {
    const char *from, *to;
};
// Copies the class file bytes[0, length) to `to`, which has room for `size` bytes and is the
// caller's, with these texts in its constant pool. The texts alone are compared, not what refers to
// them. Returns the copy's length; 0 if the constant pool is malformed, if the copy has no room, or
// without memory.
size_t instrument_rename(const uint8_t* bytes, size_t length,
                         const struct instrument_renaming* renamings, size_t count, uint8_t* to,
                         size_t size);

// ---- Call sites -------------------------------------------------------------------------------

// An instruction that can call other code.
struct instrument_call {
    uint16_t bci;
    enum instrument_call_kind {
        INSTRUMENT_CALLS_VM, // only the VM can call code here: to load or initialise a class, make
                             // an exception, or compile (a branch back)
        INSTRUMENT_CALLS_NAMED, // the instruction names its callee
        INSTRUMENT_CALLS_ANY // invokedynamic, method and variable handles: anything may be called
    } kind;
    struct instrument_text name, descriptor; // NAMED only; valid as long as the list
};

// A reusable reader of call sites. One thread at a time may use it. The caller owns it and closes
// it; closing NULL does nothing. NULL without memory.
struct instrument_calls;
struct instrument_calls* instrument_calls_open(void);
void instrument_calls_close(struct instrument_calls* calls);
// Finds the call sites of code[0, code_length). `pool` holds the entries of the class's constant
// pool, as JVMTI's GetConstantPool gives them; `pool_count` is its constant_pool_count. Returns the
// number of call sites and sets *list, ascending by bci and valid until the next call on `calls`.
// Returns -1 and leaves *list untouched if the input is malformed, or without memory.
int32_t instrument_calls_find(struct instrument_calls* calls, const uint8_t* pool,
                              size_t pool_length, uint32_t pool_count, const uint8_t* code,
                              size_t code_length, const struct instrument_call** list);

// ---- Positions --------------------------------------------------------------------------------

// The original bytecode index that belongs to a rewritten one. Inside an insertion it is the
// insertion's old_bci.
uint32_t instrument_old_bci(const struct instrument_insertion* insertions, uint32_t count,
                            uint32_t new_bci);
// The source line of an original bytecode index; 0 if it is unknown.
uint32_t instrument_line_of(const struct instrument_line* lines, uint32_t count, uint32_t old_bci);

#endif
