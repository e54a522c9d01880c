// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The machine stack around a pc: who called C++.
#include "code.h"

#include <string.h>

#include "codetables.h"
#include "parts.h"
#include "processor.h"

// The frame at fp, which is the saved frame pointer and the return address, on the stack from sp to
// `end`. NULL: fp leads to none.
static HANDLER_SAFE const uintptr_t* frame_at(uintptr_t fp, uintptr_t sp, uintptr_t end) {
    bool is_frame = fp >= sp && fp <= end - 2 * sizeof fp && (fp & 7) == 0;
    return is_frame ? (const uintptr_t*)fp : NULL;
}

// ---- A function of a library --------------------------------------------------------------------

#define FIRST_BYTES 48u // in which a function that keeps a frame pointer has set it

// The first bytes of a function to first[0, FIRST_BYTES). Returns how many.
static HANDLER_SAFE size_t first_of(uintptr_t begin, uintptr_t end, uint8_t* first) {
    size_t length = end - begin < FIRST_BYTES ? end - begin : FIRST_BYTES;
    return memory_copy(first, (const void*)begin, length);
}

HANDLER_SAFE uint32_t function_shape(uintptr_t begin, uintptr_t end, uintptr_t pc, uint32_t* edge) {
    uint8_t first[FIRST_BYTES];
    *edge = RESULTS_EDGE_NONE;
    size_t size = first_of(begin, end, first);
    if (size == 0) return RESULTS_FUNCTION_NONE;
    uint32_t set = processor_frame_set(first, size);
    if (set == 0) return RESULTS_FUNCTION_LEAF;
    *edge = pc - begin < set           ? RESULTS_EDGE_FIRST
            : processor_frame_gone(pc) ? RESULTS_EDGE_LAST
                                       : RESULTS_EDGE_MIDDLE;
    return RESULTS_FUNCTION_FRAME;
}

HANDLER_SAFE bool function_aligns(uintptr_t begin, uintptr_t end) {
    uint8_t first[FIRST_BYTES];
    return processor_aligns(first, first_of(begin, end, first));
}

HANDLER_SAFE uint32_t code_function(uintptr_t pc, uint32_t* edge) {
    uintptr_t begin, end;
    *edge = RESULTS_EDGE_NONE;
    if (library_bounds(pc, &begin, &end)) return function_shape(begin, end, pc, edge);
    return processor_linkage(pc) ? RESULTS_FUNCTION_LEAF : RESULTS_FUNCTION_NONE;
}

// Whether pc is in a library's function that has set the frame pointer and not given it back, as
// far as its instructions tell.
static HANDLER_SAFE bool has_set_frame(uintptr_t pc, const struct code_place* place) {
    uint32_t edge;
    bool in_library = results_is_library(place->kind);
    return in_library && code_function(pc, &edge) == RESULTS_FUNCTION_FRAME &&
           edge == RESULTS_EDGE_MIDDLE;
}

// ---- C++ that calls Java ------------------------------------------------------------------------

HANDLER_SAFE const uintptr_t* around_entry_caller(const uintptr_t* at, const uintptr_t* end) {
    while (at < end && processor_code(*at) != code.call_return) at++;
    if (end - at < 3) return NULL;
    for (at += 2; at < end; at++) {
        uintptr_t to = processor_code(*at);
        if (codetables_inside(code.jvm_text, to) && at[-1] > (uintptr_t)at &&
            at[-1] < (uintptr_t)end && (at[-1] & 7) == 0 && processor_called_pointer(to))
            return at;
    }
    return NULL;
}

HANDLER_SAFE const uintptr_t* around_oldest_caller(const uintptr_t* at, const uintptr_t* end) {
    const uintptr_t* oldest = NULL;
    while ((at = around_entry_caller(at, end)) != NULL) oldest = at++;
    return oldest;
}

// JavaCalls::call_helper calls the call stub, which calls Java. Nothing names that function. But
// every Java thread's stack has the stub's frame, found by Java's return address into it, and the
// stub keeps a frame pointer. The oldest is taken: younger words may be left-overs of frames that
// are gone, and what is learnt holds for the run (seen on 11, jni: another function was learnt).
static HANDLER_SAFE bool learn_caller(const struct code_called* c) {
    uintptr_t begin, stop;
    if (code.call_return == 0) return false;
    const uintptr_t* at = around_oldest_caller((const uintptr_t*)c->sp, (const uintptr_t*)c->end);
    if (at == NULL || !library_bounds(processor_code(*at), &begin, &stop)) return false;
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
    if (PROCESSOR_HAS_LR && !has_set_frame(c->pc, c->place)) {
        if (codetables_inside(code.caller, c->lr)) return true;
        if (!codetables_inside(code.jvm_text, c->lr)) return false;
    } else if (!has_set_frame(c->pc, c->place)) {
        // No frame, or not yet, or no more: the return address is the youngest word, or the one
        // behind the saved frame pointer, which is the caller's.
        if (codetables_generated(words[0], &place)) return false;
        if (codetables_inside(code.caller, words[0]) || codetables_inside(code.caller, words[1]))
            return true;
        if (!codetables_inside(code.jvm_text, words[0])) return false;
    }
    for (int i = 0; i < CALLER_FRAMES; i++) {
        const uintptr_t* frame = frame_at(fp, c->sp, c->end);
        if (frame == NULL) return false;
        uintptr_t to = processor_code(frame[1]);
        if (codetables_inside(code.caller, to)) return true;
        if (!codetables_inside(code.jvm_text, to) || frame[0] <= fp) return false;
        fp = frame[0];
    }
    return false;
}

// ---- Signal handlers ----------------------------------------------------------------------------

HANDLER_COMMON void code_handler_returns(uintptr_t to) {
    if (__atomic_load_n(&code.handler_return, __ATOMIC_RELAXED) != to)
        __atomic_store_n(&code.handler_return, to, __ATOMIC_RELAXED);
}

#define CHAIN_FRAMES 64 // of libraries

// The kernel calls a handler as a function would, with a return address to rt_sigreturn. A word of
// that value that no frame pointer leads to may be a left-over of an earlier signal, but for the
// youngest where no frame is made yet.
HANDLER_SAFE bool code_in_handler(const struct code_called* c) {
    uintptr_t to = __atomic_load_n(&code.handler_return, __ATOMIC_RELAXED), fp = c->fp;
    if (to == 0 || (c->sp & 7) != 0 || c->sp >= c->end) return false;
    uintptr_t youngest = PROCESSOR_HAS_LR ? c->lr : *(const uintptr_t*)c->sp;
    if (processor_code(youngest) == to && !has_set_frame(c->pc, c->place)) return true;
    for (int i = 0; i < CHAIN_FRAMES; i++) {
        const uintptr_t* frame = frame_at(fp, c->sp, c->end);
        if (frame == NULL) return false;
        if (processor_code(frame[1]) == to) return true;
        if (frame[0] <= fp) return false;
        fp = frame[0];
    }
    return false;
}

// ---- C++ under Java -----------------------------------------------------------------------------

#define LEAF_BYTES 16384u // of stack that the library's frames may take

// A stub that makes its frame as C++ does, or makes none (StubRoutines). It is never a Java frame,
// and its caller has left a return address as well.
static HANDLER_SAFE bool is_plain_stub(const struct code_place* place) {
    return place->kind == RESULTS_CODE_STUB && place->frame_words == 0;
}

// Where the chain of frame pointers finds a return address into generated code; 0: nowhere.
// *above is where the chain's frames end that are younger than the one it was found in: `sp`, where
// that is the youngest.
static HANDLER_SAFE uintptr_t follow_chain(uintptr_t sp, uintptr_t fp, uintptr_t end,
                                           uintptr_t* above) {
    struct code_place place;
    *above = sp;
    for (int i = 0; i < CHAIN_FRAMES; i++) {
        const uintptr_t* frame = frame_at(fp, sp, end);
        if (frame == NULL) return 0;
        if (codetables_generated(frame[1], &place) && !is_plain_stub(&place))
            return fp + sizeof(uintptr_t);
        if (frame[0] <= fp) return 0;
        *above = fp + sizeof *frame;
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
// it is, if the frame of `found` is such a function's; 0: `found` is no copy. The return address
// into that function lies between the younger frames of the chain, which end at `above`, and
// `found`; or the pc is in it, where there is none.
#define COPY_WORDS 10
static HANDLER_SAFE uintptr_t original_of(const struct code_called* c, uintptr_t above,
                                          uintptr_t found) {
    const uintptr_t* copy = (const uintptr_t*)found;
    uintptr_t original = 0;
    for (uintptr_t i = 1; i <= COPY_WORDS && original == 0; i++)
        if (found + (i + 1) * sizeof i <= c->end && copy[i] == *copy)
            original = found + i * sizeof i;
    if (original == 0 || (above == c->sp && aligns(c->pc))) return original;
    for (uintptr_t at = found - sizeof at; at >= above; at -= sizeof at)
        if (aligns(*(const uintptr_t*)at)) return original;
    return 0;
}

// Whether a word between the stack pointer and the frame pointer looks like a return address into
// generated code that has a frame.
static HANDLER_SAFE bool has_nearer(const struct code_called* c) {
    struct code_place place;
    for (uintptr_t at = c->sp; at < c->fp; at += sizeof at)
        if (codetables_generated(*(const uintptr_t*)at, &place) && !is_plain_stub(&place))
            return true;
    return false;
}

// The interpreter's entries have the caller's stack pointer in a register, and call nothing before
// the frame is made: a frame pointer above that is an older frame's. So is each one after the frame
// was given back. In a recursion such a frame may well have the same return address.
static HANDLER_SAFE bool is_older(const struct code_called* c) {
    if (c->place->kind != RESULTS_CODE_INTERPRETER) return false;
    return (c->sender_sp >= c->sp && c->sender_sp <= c->fp) || processor_given_back(c->pc);
}

// Whether the register of the return address leads into generated code outside of the pc's own: the
// code that was called has called nothing, or has restored the register. In a recursion of the
// interpreter it leads into the pc's own, too.
static HANDLER_SAFE bool called_by_lr(const struct code_called* c, struct code_place* place) {
    bool own = c->lr >= c->place->begin && c->lr < c->place->end && !is_older(c);
    return PROCESSOR_HAS_LR && !own && codetables_generated(c->lr, place);
}

// Behind the frame that HotSpot's stubs make first, fp and the return address; before that, the
// stack pointer itself. 0: not known, because C++ saves these two at the lower end of its frame.
static HANDLER_SAFE uintptr_t sp_of_caller(const struct code_called* c) {
    const uintptr_t* frame = frame_at(c->fp, c->sp, c->end);
    bool stub = c->place->kind == RESULTS_CODE_STUB;
    bool framed = frame != NULL && processor_code(frame[1]) == c->lr;
    return !stub ? 0 : framed ? c->fp + 2 * sizeof *frame : c->sp;
}

// Whether the chain, which follow_chain has followed to `found`, passes the function that calls
// Java: no frame of Java is younger. An exception that leaves the oldest one comes there through a
// stub without a frame, so the thread counts as in Java, and code_calls_java does not see it.
static HANDLER_SAFE bool passes_caller(uintptr_t fp, uintptr_t found) {
    while (fp + sizeof fp < found) {
        const uintptr_t* frame = (const uintptr_t*)fp;
        if (codetables_inside(code.caller, processor_code(frame[1]))) return true;
        fp = frame[0];
    }
    return false;
}

HANDLER_SAFE bool code_under_library(const struct code_called* c, struct code_place* place,
                                     uintptr_t* caller_sp) {
    if ((c->sp & 7) != 0 || c->sp >= c->end) return false;
    if (called_by_lr(c, place) && !is_plain_stub(place)) {
        *caller_sp = 0;
        return codetables_compiled(place, caller_sp);
    }
    uintptr_t above, found = follow_chain(c->sp, c->fp, c->end, &above);
    if (found == 0 || found - c->sp > LEAF_BYTES) return false;
    // A native method called it, and often without a frame pointer: the chain passes its wrapper
    // by.
    if (code_calls_java(c) || passes_caller(c->fp, found)) return false;
    // Behind the frame pointer left-overs may lie: C++ that was called by the rules keeps the
    // chain.
    if (has_nearer(c) && !has_set_frame(c->pc, c->place)) return false;
    code_find(*(const uintptr_t*)found, place);
    if (PROCESSOR_HAS_LR) {
        *caller_sp = 0;
        return codetables_compiled(place, caller_sp);
    }
    uintptr_t original = original_of(c, above, found);
    *caller_sp = (original != 0 ? original : found) + sizeof found;
    return codetables_compiled(place, caller_sp);
}

HANDLER_SAFE bool code_under_stub(const struct code_called* c, struct code_place* place,
                                  uintptr_t* caller_sp) {
    struct code_call call;
    uintptr_t at = c->sp + (uintptr_t)(c->place->frame_words - 1) * sizeof at;
    if (is_plain_stub(c->place) || (c->sp & 7) != 0 || c->sp >= c->end) return false;
    bool stands = at < c->end && codetables_generated(*(const uintptr_t*)at, place);
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

// Whether the youngest return address into generated code is where the frame pointer leads.
// `youngest` and `found`, which is 0 where it leads nowhere: of the two.
static HANDLER_SAFE uint32_t chain_of(const struct code_called* c, uintptr_t youngest,
                                      uintptr_t found) {
    bool past = c->fp < youngest || has_set_frame(c->pc, c->place);
    return found == 0          ? RESULTS_CHAIN_BROKEN
           : found == youngest ? RESULTS_CHAIN_OWN
           : past              ? RESULTS_CHAIN_PAST
                               : RESULTS_CHAIN_OTHER;
}

// Where the youngest return address into generated code lies, and its place; 0: not near.
static HANDLER_SAFE uintptr_t youngest_call(const struct code_called* c, struct code_place* place) {
    uintptr_t limit = c->end - c->sp < LEAF_BYTES ? c->end : c->sp + LEAF_BYTES;
    for (uintptr_t at = c->sp; at < limit; at += sizeof at)
        if (codetables_generated(*(const uintptr_t*)at, place)) return at;
    return 0;
}

// `found`: where the return address to the caller is, behind the frame pointer that C++ saved. On
// aarch64 the rest of that C++ frame lies behind it, too, and is looked at with the caller's: an
// older frame cannot pass for the caller's own, but a left-over there can make the own one older.
static HANDLER_SAFE uint32_t chain_of_caller(const struct code_called* c,
                                             const struct code_call* call, uintptr_t found) {
    struct code_place place;
    uintptr_t above;
    const struct code_called caller = {.pc = *(const uintptr_t*)found,
                                       .place = &call->caller,
                                       .sp = PROCESSOR_HAS_LR ? found + sizeof found
                                                              : call->caller_sp,
                                       .fp = ((const uintptr_t*)found)[-1],
                                       .end = c->end};
    if (caller.sp == 0 || caller.sp >= caller.end) return RESULTS_CHAIN_NONE;
    uintptr_t youngest = youngest_call(&caller, &place);
    if (youngest == 0) return RESULTS_CHAIN_NONE;
    return chain_of(&caller, youngest, follow_chain(caller.sp, caller.fp, caller.end, &above));
}

HANDLER_SAFE bool code_call_of(const struct code_called* c, struct code_call* call) {
    uintptr_t above;
    call->caller_chain = RESULTS_CHAIN_NONE;
    if ((c->sp & 7) != 0 || c->sp >= c->end) return false;
    // A stub's caller is told by the stub's frame, which is where the chain leads once the function
    // has its own.
    bool by_lr = called_by_lr(c, &call->caller);
    if (by_lr && is_plain_stub(&call->caller)) by_lr = !has_set_frame(c->pc, c->place);
    if (by_lr) {
        uintptr_t saved = follow_chain(c->sp, c->fp, c->end, &above);
        bool own = saved != 0 && processor_code(*(const uintptr_t*)saved) == c->lr && !is_older(c);
        call->chain = saved == 0 ? RESULTS_CHAIN_BROKEN
                      : own      ? RESULTS_CHAIN_OWN
                                 : RESULTS_CHAIN_OTHER;
        call->caller_sp = sp_of_caller(c);
        call->aligned = false;
        return true;
    }
    uintptr_t at = youngest_call(c, &call->caller);
    if (at == 0) return false;
    uintptr_t found = follow_chain(c->sp, c->fp, c->end, &above);
    call->chain = chain_of(c, at, found);
    if (call->chain == RESULTS_CHAIN_PAST) {
        at = found;
        code_find(*(const uintptr_t*)at, &call->caller);
    }
    uintptr_t original = at == found ? original_of(c, above, found) : 0;
    call->aligned = original != 0;
    call->caller_sp = (original != 0 ? original : at) + sizeof at;
    if (PROCESSOR_HAS_LR && c->place->kind != RESULTS_CODE_STUB) call->caller_sp = 0;
    if (call->chain == RESULTS_CHAIN_OWN || call->chain == RESULTS_CHAIN_PAST)
        call->caller_chain = chain_of_caller(c, call, found);
    return true;
}

HANDLER_SAFE bool code_has_sender(const struct code_place* place, uintptr_t sp) {
    struct code_place sender;
    const uintptr_t* word = (const uintptr_t*)sp + place->frame_words - 1;
    return place->frame_words != 0 && memory_readable(word, sizeof *word) &&
           codetables_generated(*word, &sender);
}

#define SLOW_PATH_BYTES 1024u
#define HALF_MADE_BYTES 64u

static HANDLER_SAFE bool is_slow_path(uintptr_t pc, bool* gives) {
    uint8_t bytes[SLOW_PATH_BYTES];
    return processor_slow_path(bytes, memory_copy(bytes, (const void*)pc, sizeof bytes), gives);
}

HANDLER_SAFE bool code_gives_back(uintptr_t pc) {
    bool gives;
    return is_slow_path(pc, &gives) && gives;
}

HANDLER_SAFE bool code_jumps_away(uintptr_t pc) {
    bool gives;
    return is_slow_path(pc, &gives);
}

HANDLER_SAFE bool code_in_system_call(uintptr_t pc) {
    struct code_place place;
    code_find(pc, &place); // first: to read code asks the kernel
    return place.kind == RESULTS_CODE_NATIVE && processor_system_call(pc);
}

HANDLER_SAFE bool code_in_call_stub(uintptr_t pc) {
    return processor_call_stub(pc);
}

HANDLER_SAFE bool code_pops_more(uintptr_t pc) {
    uint8_t bytes[SLOW_PATH_BYTES];
    return processor_pops_more(bytes, memory_copy(bytes, (const void*)pc, sizeof bytes));
}

HANDLER_SAFE bool code_half_made(uintptr_t pc) {
    uint8_t bytes[HALF_MADE_BYTES];
    return processor_half_made(bytes, memory_copy(bytes, (const void*)pc, sizeof bytes));
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
