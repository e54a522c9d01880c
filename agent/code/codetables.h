// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The tables that codeopen.c fills, and in which code.c, where.c and around.c look up: private to
// this folder.
#ifndef AGENT_CODETABLES_H
#define AGENT_CODETABLES_H

#include "code.h"
#include "layout.h"
#include "parts.h"

#define CODETABLES_HEAPS_MAX 8
#define CODETABLES_SEGMENTS_MAX 8
#define INVOCATION_BCI (-1) // nmethod._entry_bci of what is entered at its beginning

struct code_range {
    uintptr_t begin, end;
};

// The numbers of CodeBlobKind that are asked for.
enum {
    CODETABLES_METHOD,
    CODETABLES_ADAPTER,
    CODETABLES_VTABLE,
    CODETABLES_KINDS_END,
    CODETABLES_KINDS
};

// Written by code_prepare, then read-only.
struct code_tables {
    bool usable; // atomic
    // Each heap as it was seen last, all zero before: a heap grows, and keeps its place. Atomic.
    struct codeheap seen[CODETABLES_HEAPS_MAX];
    struct layout layout;
    const char* heaps[CODETABLES_HEAPS_MAX]; // CodeHeap*
    struct code_range reserved[CODETABLES_HEAPS_MAX];
    uint32_t heap_count;
    uint32_t block_header, blob_size, method_size;
    uint32_t const_method_size; // a method's bytecodes begin behind it; 0: not known
    uint32_t pc_size;           // of a PcDesc; 0: scopes are not known
    struct code_range interpreter, jvm_text;
    struct code_range jvm[CODETABLES_SEGMENTS_MAX]; // libjvm's mapped segments
    uint32_t jvm_count;
    bool has_kinds;
    int32_t kinds[CODETABLES_KINDS];
    uintptr_t call_return; // where Java returns to in the stub by which C++ calls it; 0: not known
    struct code_range caller; // the C++ function that calls this stub; its end is written last and
                              // atomic, 0: not known yet
    uintptr_t handler_return; // where signal handlers return to; atomic, 0: not known yet
    ptrdiff_t env_offset;     // of the JNIEnv in HotSpot's thread, 0: not known
};
extern struct code_tables code;

static inline __attribute__((always_inline)) bool codetables_inside(struct code_range r,
                                                                    uintptr_t at) {
    return at >= r.begin && at < r.end;
}

struct memory_pages;
// A field of an object that may be gone: a pointer or a number, 0 where it cannot be read. `pages`:
// what this look-up knows (parts.h); NULL: the object is alive, because the thread is running its
// code, and nothing is asked.
uint64_t codetables_get(struct memory_pages* pages, uint64_t object,
                        enum layout_field field) HANDLER_SAFE;
// code_owner, by what the look-up knows; NULL as above.
uintptr_t codetables_owner(struct memory_pages* pages, uintptr_t method) HANDLER_SAFE;
// The same where it was found before and still holds, which proves that the method is alive; else
// 0. Asks the kernel for nothing.
uintptr_t codetables_known_owner(uintptr_t method) HANDLER_SAFE;
// Finds the place of pc, and whether that is code that the JVM has generated.
bool codetables_generated(uintptr_t pc, struct code_place* place) HANDLER_SAFE;
// Given a frame's stack pointer and the place of its pc: finds the compiled frame, which is that
// frame itself or, where it is a stub's, its caller.
bool codetables_compiled(struct code_place* place, uintptr_t* sp) HANDLER_SAFE;
// The Method* of a jmethodID that is alive. 0: this release's ids do not tell.
uintptr_t codetables_method_of(uintptr_t id);
// Whether the code copies an interpreted native method's arguments: the interpreter calls it with
// the method's frame complete, and it makes none.
bool codetables_is_signature(const struct code_place* place) HANDLER_SAFE;
// Whether the thread left Java by the rules: it is in the VM, in native code or blocked.
bool codetables_has_left(const char* thread) HANDLER_COMMON;
// The anchor of the calling thread, which is `thread`: the place of its pc, its stack pointer, its
// frame pointer (0: it has none). `glance`: by code_glance.
// False: the thread has left no anchor, or it cannot be read.
bool codetables_anchor(const char* thread, bool glance, struct code_place* place, uintptr_t* sp,
                       uintptr_t* fp) HANDLER_COMMON;

#endif
