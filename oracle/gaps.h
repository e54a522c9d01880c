// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The room's inside: what lies between two entries of the trace stack (gaps.c captures and
// compares, judge.c says which frames are to be compared).
#ifndef ORACLE_GAPS_H
#define ORACLE_GAPS_H

#include "oracle.h"

// A captured gap, and the frames observed in its place, youngest first.
struct gap {
    const struct oracle_slot* frames; // oldest first
    uint32_t count;
    const struct oracle_frame* seen;
    uint32_t seen_count;
    bool open; // the buffer was full: what is seen may end early
    bool root; // nothing lies below the gap: what ends early is truncated
};

// Whether the gap of the entry that ends at `end` was captured.
static inline bool gaps_captured(const struct oracle_stack* stack, uint32_t end) {
    return stack->previous[end - 1] != end - 1;
}

// Whether a method that stands at this bci has not pushed yet.
static inline bool gaps_before_push(const struct oracle_code* code, int32_t bci) {
    return code != NULL && code->range_count > 0 && code->ranges[0].start == 0 && bci >= 0 &&
           (uint32_t)bci < code->ranges[0].end;
}

// AGREE or a mismatch; *at is then the index of the first frame seen that differs.
enum oracle_verdict gaps_compare(const struct gap* gap, uint32_t* at) HANDLER_SAFE;

#endif
