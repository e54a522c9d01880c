// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The tables that codeopen.c fills and code.c looks up in: private to the two.
#ifndef AGENT_CODETABLES_H
#define AGENT_CODETABLES_H

#include "code.h"
#include "layout.h"

#define CODETABLES_HEAPS_MAX 8
#define CODETABLES_SEGMENTS_MAX 8

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
    struct layout layout;
    const char* heaps[CODETABLES_HEAPS_MAX]; // CodeHeap*
    struct code_range reserved[CODETABLES_HEAPS_MAX];
    uint32_t heap_count;
    uint32_t block_header, blob_size, method_size;
    struct code_range interpreter, jvm_text;
    struct code_range jvm[CODETABLES_SEGMENTS_MAX]; // libjvm's mapped segments
    uint32_t jvm_count;
    bool has_kinds;
    int32_t kinds[CODETABLES_KINDS];
    uintptr_t
        call_return; // in the stub by which C++ calls Java: where Java returns to; 0: not known
    ptrdiff_t env_offset; // of the JNIEnv in HotSpot's thread, 0: not known
};
extern struct code_tables code;

// Whether pc lies in generated code; *place is then what code_find says.
bool codetables_generated(uintptr_t pc, struct code_place* place) HANDLER_SAFE;
// Where the chain of frame pointers from `fp` on, above `sp` and below `end`, finds a return
// address into generated code; 0: nowhere.
uintptr_t codetables_follow(uintptr_t sp, uintptr_t fp, uintptr_t end) HANDLER_SAFE;
// How far below a library's frames a caller is looked for, in bytes of stack.
#define CODETABLES_LEAF_BYTES 16384u

static inline __attribute__((always_inline)) bool codetables_inside(struct code_range r,
                                                                    uintptr_t at) {
    return at >= r.begin && at < r.end;
}

#endif
