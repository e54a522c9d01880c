// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The machine stack around a pc: who called C++.
#include "code.h"

#include <string.h>

#include "codetables.h"
#include "parts.h"

static HANDLER_SAFE bool is_generated(uintptr_t pc, struct code_place* place) {
    code_find(pc, place);
    return place->kind != RESULTS_CODE_NATIVE && place->kind != RESULTS_CODE_JVM &&
           place->kind != RESULTS_CODE_UNKNOWN;
}

// ---- A function of a library --------------------------------------------------------------------

#define FIRST_BYTES 48u // in which a function that keeps a frame pointer has set it

// Where `mov rbp, rsp` ends in bytes[0, size), 0: nowhere. Both encodings.
static HANDLER_SAFE uint32_t frame_set_at(const uint8_t* bytes, size_t size) {
    for (uint32_t i = 0; i + 3 <= size; i++)
        if (bytes[i] == 0x48 && ((bytes[i + 1] == 0x89 && bytes[i + 2] == 0xe5) ||
                                 (bytes[i + 1] == 0x8b && bytes[i + 2] == 0xec)))
            return i + 3;
    return 0;
}

HANDLER_SAFE uint32_t function_shape(uintptr_t begin, uintptr_t end, uintptr_t pc, uint32_t* edge) {
    uint8_t first[FIRST_BYTES], before = 0, here = 0;
    *edge = RESULTS_EDGE_NONE;
#if defined(__x86_64__)
    size_t length = end - begin < sizeof first ? end - begin : sizeof first;
    size_t size = memory_copy(first, (const void*)begin, length);
    if (size == 0) return RESULTS_FUNCTION_NONE;
    uint32_t set = frame_set_at(first, size);
    if (set == 0) return RESULTS_FUNCTION_LEAF;
    *edge = RESULTS_EDGE_MIDDLE;
    if (pc - begin < set) *edge = RESULTS_EDGE_FIRST;
    else if (memory_copy(&before, (const void*)(pc - 1), 1) == 1 &&
             memory_copy(&here, (const void*)pc, 1) == 1 &&
             (before == 0x5d || before == 0xc9 || here == 0xc3)) // pop rbp, leave; ret
        *edge = RESULTS_EDGE_LAST;
    return RESULTS_FUNCTION_FRAME;
#else
    (void)begin, (void)end, (void)pc, (void)first, (void)before, (void)here;
    return RESULTS_FUNCTION_NONE;
#endif
}

HANDLER_SAFE bool function_aligns(uintptr_t begin, uintptr_t end) {
#if defined(__x86_64__)
    uint8_t first[FIRST_BYTES];
    size_t length = end - begin < sizeof first ? end - begin : sizeof first;
    uint32_t set = frame_set_at(first, memory_copy(first, (const void*)begin, length));
    for (uint32_t i = 0; i + 4 <= set; i++) // and rsp, -16 to -128
        if (first[i] == 0x48 && first[i + 1] == 0x83 && first[i + 2] == 0xe4 &&
            first[i + 3] >= 0x80)
            return true;
#else
    (void)begin, (void)end;
#endif
    return false;
}

HANDLER_SAFE uint32_t code_function(uintptr_t pc, uint32_t* edge) {
    uintptr_t begin, end;
    *edge = RESULTS_EDGE_NONE;
    return library_bounds(pc, &begin, &end) ? function_shape(begin, end, pc, edge)
                                            : (uint32_t)RESULTS_FUNCTION_NONE;
}

// Whether pc is in a library's function that has set the frame pointer and not given it back, as
// far as its instructions tell.
static HANDLER_SAFE bool has_set_frame(uintptr_t pc, const struct code_place* place) {
    uint32_t edge;
    bool in_library = place->kind == RESULTS_CODE_JVM || place->kind == RESULTS_CODE_NATIVE;
    return in_library && code_function(pc, &edge) == RESULTS_FUNCTION_FRAME &&
           edge == RESULTS_EDGE_MIDDLE;
}

// ---- C++ that calls Java ------------------------------------------------------------------------

// Whether the instruction before `pc` is a call through a register or memory (ff /2).
static HANDLER_SAFE bool is_behind_pointer_call(uintptr_t pc) {
#if defined(__x86_64__)
    uint8_t bytes[7];
    if (memory_copy(bytes, (const void*)(pc - sizeof bytes), sizeof bytes) != sizeof bytes)
        return false;
    for (size_t i = 0; i + 2 <= sizeof bytes; i++) {
        if (bytes[i] != 0xff || ((bytes[i + 1] >> 3) & 7) != 2) continue;
        uint32_t mod = bytes[i + 1] >> 6, base = bytes[i + 1] & 7;
        bool no_base =
            mod == 0 &&
            (base == 5 || (base == 4 && i + 3 <= sizeof bytes && (bytes[i + 2] & 7) == 5));
        size_t length = 2u + (mod != 3 && base == 4) +
                        (mod == 1              ? 1u
                         : mod == 2 || no_base ? 4u
                                               : 0u);
        if (i + length == sizeof bytes) return true;
    }
#else
    (void)pc;
#endif
    return false;
}

HANDLER_SAFE const uintptr_t* around_entry_caller(const uintptr_t* at, const uintptr_t* end) {
    while (at < end && *at != code.call_return) at++;
    if (end - at < 3) return NULL;
    for (at += 2; at < end; at++)
        if (codetables_inside(code.jvm_text, *at) && at[-1] > (uintptr_t)at &&
            at[-1] < (uintptr_t)end && (at[-1] & 7) == 0 && is_behind_pointer_call(*at))
            return at;
    return NULL;
}

// JavaCalls::call_helper calls the call stub, which calls Java. Nothing names that function. But
// every Java thread's stack has the stub's frame, found by Java's return address into it, and the
// stub keeps a frame pointer.
static HANDLER_SAFE bool learn_caller(const struct code_called* c) {
    uintptr_t begin, stop;
    if (code.call_return == 0) return false;
    const uintptr_t* at = around_entry_caller((const uintptr_t*)c->sp, (const uintptr_t*)c->end);
    if (at == NULL || !library_bounds(*at, &begin, &stop)) return false;
    __atomic_store_n(&code.caller.begin, begin, __ATOMIC_RELAXED);
    __atomic_store_n(&code.caller.end, stop, __ATOMIC_RELEASE);
    return true;
}

#define CALLER_FRAMES 4 // of functions that it calls itself

HANDLER_SAFE bool code_calls_java(const struct code_called* c) {
    struct code_place place;
    const uintptr_t* words = (const uintptr_t*)c->sp;
    uintptr_t fp = c->fp;
    if (c->place->kind != RESULTS_CODE_JVM || (c->sp & 7) != 0 || c->sp + 16 > c->end) return false;
    if (__atomic_load_n(&code.caller.end, __ATOMIC_ACQUIRE) == 0 && !learn_caller(c)) return false;
    if (codetables_inside(code.caller, c->pc)) return true;
    if (!has_set_frame(c->pc, c->place)) {
        // No frame, or not yet, or no more: the return address is the youngest word, or the one
        // behind the saved frame pointer, which is the caller's.
        if (is_generated(words[0], &place)) return false;
        if (codetables_inside(code.caller, words[0]) || codetables_inside(code.caller, words[1]))
            return true;
        if (!codetables_inside(code.jvm_text, words[0])) return false;
    }
    for (int i = 0; i < CALLER_FRAMES; i++) {
        if (fp < c->sp || fp > c->end - 2 * sizeof fp || (fp & 7) != 0) return false;
        const uintptr_t* frame = (const uintptr_t*)fp;
        if (codetables_inside(code.caller, frame[1])) return true;
        if (!codetables_inside(code.jvm_text, frame[1]) || frame[0] <= fp) return false;
        fp = frame[0];
    }
    return false;
}

// ---- C++ under Java -----------------------------------------------------------------------------

#define LEAF_FRAMES 64    // of the library's
#define LEAF_BYTES 16384u // of stack that they may take

// A stub that makes its frame as C++ does, or makes none (StubRoutines). It is never a Java frame,
// and its caller has left a return address as well.
static HANDLER_SAFE bool is_plain_stub(const struct code_place* place) {
    return place->kind == RESULTS_CODE_STUB && place->frame_words == 0;
}

// Where the chain of frame pointers finds a return address into generated code; 0: nowhere.
static HANDLER_SAFE uintptr_t follow_chain(uintptr_t sp, uintptr_t fp, uintptr_t end) {
    struct code_place place;
    for (int i = 0; i < LEAF_FRAMES; i++) {
        if (fp < sp || fp > end - 2 * sizeof(uintptr_t) || (fp & 7) != 0) return 0;
        const uintptr_t* frame = (const uintptr_t*)fp;
        if (is_generated(frame[1], &place) && !is_plain_stub(&place)) return fp + sizeof(uintptr_t);
        if (frame[0] <= fp) return 0;
        fp = frame[0];
    }
    return 0;
}

static HANDLER_SAFE bool aligns(uintptr_t pc) {
    uintptr_t begin, end;
    return library_bounds(pc, &begin, &end) && function_aligns(begin, end);
}

// GCC gives a function that aligns its stack a frame pointer only after that, and pushes a copy of
// the return address in front of it: `lea r13, [rsp+16]; and rsp, -32; push [r13-8]; push rbp; mov
// rbp, rsp`. So the frame pointer finds a return address, but not where the caller pushed it. The
// original lies so many words above at most: an alignment of 64 bytes, and a saved register. Where
// it is, if there is such a function between sp and `found`; 0: `found` is no copy.
#define COPY_WORDS 10
static HANDLER_SAFE uintptr_t original_of(const struct code_called* c, uintptr_t found) {
    const uintptr_t* copy = (const uintptr_t*)found;
    uintptr_t original = 0;
    for (uintptr_t i = 1; i <= COPY_WORDS && original == 0; i++)
        if (found + (i + 1) * sizeof i <= c->end && copy[i] == *copy)
            original = found + i * sizeof i;
    if (original == 0 || aligns(c->pc)) return original;
    for (uintptr_t at = c->sp; at < found; at += sizeof at)
        if (aligns(*(const uintptr_t*)at)) return original;
    return 0;
}

// Whether a word between the stack pointer and the frame pointer looks like a return address into
// generated code that has a frame.
static HANDLER_SAFE bool has_nearer(const struct code_called* c) {
    struct code_place place;
    for (uintptr_t at = c->sp; at < c->fp; at += sizeof at)
        if (is_generated(*(const uintptr_t*)at, &place) && !is_plain_stub(&place)) return true;
    return false;
}

HANDLER_SAFE bool code_under_library(const struct code_called* c, struct code_place* place,
                                     uintptr_t* caller_sp) {
    if ((c->sp & 7) != 0 || c->sp >= c->end) return false;
    uintptr_t found = follow_chain(c->sp, c->fp, c->end);
    if (found == 0 || found - c->sp > LEAF_BYTES) return false;
    // Behind the frame pointer left-overs may lie: C++ that was called by the rules keeps the
    // chain.
    if (has_nearer(c) && !has_set_frame(c->pc, c->place)) return false;
    code_find(*(const uintptr_t*)found, place);
    uintptr_t original = original_of(c, found);
    *caller_sp = (original != 0 ? original : found) + sizeof found;
    return codetables_compiled(place, caller_sp);
}

HANDLER_SAFE bool code_under_stub(const struct code_called* c, struct code_place* place,
                                  uintptr_t* caller_sp) {
    struct code_call call;
    uintptr_t at = c->sp + (uintptr_t)(c->place->frame_words - 1) * sizeof at;
    if (is_plain_stub(c->place) || (c->sp & 7) != 0 || c->sp >= c->end) return false;
    bool stands = at < c->end && is_generated(*(const uintptr_t*)at, place);
    // The interpreter, or C by the call stub: what else looks like a return address is a left-over.
    if (stands && !results_is_compiled(place->kind)) return false;
    if (stands) {
        *caller_sp = at + sizeof at;
    } else {
        if (!code_call_of(c, &call)) return false;
        *place = call.caller;
        *caller_sp = call.caller_sp;
    }
    return codetables_compiled(place, caller_sp);
}

HANDLER_SAFE bool code_call_of(const struct code_called* c, struct code_call* call) {
    if ((c->sp & 7) != 0 || c->sp >= c->end) return false;
    uintptr_t limit = c->end - c->sp < LEAF_BYTES ? c->end : c->sp + LEAF_BYTES;
    uintptr_t at = c->sp;
    while (at < limit && !is_generated(*(const uintptr_t*)at, &call->caller)) at += sizeof at;
    if (at >= limit) return false;
    uintptr_t found = follow_chain(c->sp, c->fp, c->end);
    bool past = c->fp < at || has_set_frame(c->pc, c->place);
    call->chain = found == 0    ? RESULTS_CHAIN_BROKEN
                  : found == at ? RESULTS_CHAIN_OWN
                  : past        ? RESULTS_CHAIN_PAST
                                : RESULTS_CHAIN_OTHER;
    if (call->chain == RESULTS_CHAIN_PAST) {
        at = found;
        code_find(*(const uintptr_t*)at, &call->caller);
    }
    uintptr_t original = at == found ? original_of(c, found) : 0;
    call->aligned = original != 0;
    call->caller_sp = (original != 0 ? original : at) + sizeof at;
    return true;
}

HANDLER_SAFE bool code_has_sender(const struct code_place* place, uintptr_t sp) {
    struct code_place sender;
    const uintptr_t* word = (const uintptr_t*)sp + place->frame_words - 1;
    return place->frame_words != 0 && memory_readable(word, sizeof *word) &&
           is_generated(*word, &sender);
}

#define RESTORES_MAX 64u // instructions: sixteen registers, as many vectors, and what lies between
#define SLOW_PATH_BYTES 512u

// `add rsp, N` in both lengths.
static HANDLER_SAFE bool adds_to_sp(const uint8_t* at, const struct x86_instruction* x) {
    return x->map == 0 && (x->opcode == 0x81 || x->opcode == 0x83) && x->wide && x->modrm == 0xc4 &&
           at[0] == 0x48;
}

HANDLER_SAFE bool code_gives_back(uintptr_t pc) {
#if defined(__x86_64__)
    uint8_t code_bytes[SLOW_PATH_BYTES];
    size_t size = memory_copy(code_bytes, (const void*)pc, sizeof code_bytes), at = 0;
    bool given = false;
    struct x86_instruction x;
    for (uint32_t i = 0; i < RESTORES_MAX && x86_decode(code_bytes + at, size - at, &x); i++) {
        bool jump = x.map == 0 && (x.opcode == 0xe9 || x.opcode == 0xeb);
        if (given) return jump;
        // Anything that goes elsewhere ends the slow path, or is none.
        bool leaves =
            jump ||
            (x.map == 0 && (x.opcode == 0xc3 || x.opcode == 0xe8 || (x.opcode & 0xf0) == 0x70)) ||
            (x.map == 1 && !x.vector && (x.opcode & 0xf0) == 0x80);
        if (leaves) return false;
        given = adds_to_sp(code_bytes + at, &x);
        at += x.length;
    }
#else
    (void)pc;
#endif
    return false;
}

HANDLER_SAFE bool code_pops_more(uintptr_t pc) {
#if defined(__x86_64__)
    uint8_t code_bytes[SLOW_PATH_BYTES];
    size_t size = memory_copy(code_bytes, (const void*)pc, sizeof code_bytes), at = 0;
    uint32_t pushed = 0;
    struct x86_instruction x;
    while (x86_decode(code_bytes + at, size - at, &x)) {
        bool pops = x.map == 0 && !x.vector && (x.opcode & 0xf8) == 0x58;
        if (pops && pushed == 0) return !x86_exit(code_bytes + at, size - at).leaves;
        pushed -= pops;
        pushed += x.map == 0 && !x.vector && (x.opcode & 0xf8) == 0x50;
        // The frame is given back: nothing was on top of it.
        if (adds_to_sp(code_bytes + at, &x) || (x.map == 0 && (x.opcode & 0xfe) == 0xc2)) break;
        at += x.length;
    }
#else
    (void)pc;
#endif
    return false;
}

// ---- The collector ------------------------------------------------------------------------------

// JVMFlag (Flag before 11) has a name and an address; the table `flags` has numFlags of them.
static const char* read_pointer(const char* at) {
    const char* value = NULL;
    memcpy(&value, at, sizeof value);
    return value;
}

static bool find_flags(struct vmstructs* v, const char* type, struct vmstructs_field fields[4],
                       uint64_t* size) {
    static const char* const names[] = {"_name", "_addr", "flags", "numFlags"};
    for (int i = 0; i < 4; i++)
        if (!vmstructs_field(v, type, names[i], &fields[i])) return false;
    *size = vmstructs_size(v, type);
    return *size != 0 && fields[2].address != NULL && fields[3].address != NULL;
}

// Whether the flag of that name is true.
static bool flag_is_true(const struct vmstructs_field fields[4], uint64_t size, const char* name) {
    const char* flags = read_pointer(fields[2].address);
    uint64_t count = 0;
    memcpy(&count, fields[3].address, sizeof count);
    for (uint64_t i = 0; i < count && i < 4096; i++) {
        const char* flag = flags + i * size;
        const char* text = read_pointer(flag + fields[0].offset);
        const char* value = read_pointer(flag + fields[1].offset);
        if (text != NULL && value != NULL && strcmp(text, name) == 0) return *value != 0;
    }
    return false;
}

enum results_collector code_collector(void) {
    struct vmstructs v;
    struct vmstructs_field fields[4];
    uint64_t size;
    if (!vmstructs_open(&v, library_jvm_symbol)) return RESULTS_COLLECTOR_UNKNOWN;
    if (!find_flags(&v, "JVMFlag", fields, &size) && !find_flags(&v, "Flag", fields, &size))
        return RESULTS_COLLECTOR_UNKNOWN;
    for (int c = RESULTS_COLLECTOR_COUNT - 1; c > RESULTS_COLLECTOR_UNKNOWN; c--)
        if (flag_is_true(fields, size, results_collector_flag((enum results_collector)c)))
            return (enum results_collector)c;
    return RESULTS_COLLECTOR_UNKNOWN;
}
