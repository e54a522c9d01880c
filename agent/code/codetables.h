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
    ptrdiff_t env_offset; // of the JNIEnv in HotSpot's thread, 0: not known
};
extern struct code_tables code;

static inline __attribute__((always_inline)) bool codetables_inside(struct code_range r,
                                                                    uintptr_t at) {
    return at >= r.begin && at < r.end;
}

#endif
