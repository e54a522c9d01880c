// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Private to the room: the gap between two entries of the trace stack, that is, the frames of
// methods that are not instrumented. gaps.c captures and compares gaps; judge.c finds the frames to
// compare. oracle.h describes how the trace stack stores a gap.
#ifndef ORACLE_GAPS_H
#define ORACLE_GAPS_H

#include "oracle.h"

// A captured gap and the frames that a trace shows in its place.
struct gap {
    const struct oracle_slot* frames; // captured, oldest first
    uint32_t count;
    const struct oracle_frame* seen; // in the trace, youngest first
    uint32_t seen_count;
    bool open; // the walker's buffer was full: the frames seen may end early
    bool root; // nothing lies below the gap: if the frames seen end early, the trace is truncated
};

// Whether the gap of the entry that ends at `end` was captured.
static inline bool gaps_captured(const struct oracle_stack* stack, uint32_t end) {
    return stack->frames[end - 1].gap != 0;
}

// Whether a method with this code, standing at this bci, has not pushed yet: its code begins with
// an inserted range, the push sequence, and the bci lies in it or before it.
static inline bool gaps_before_push(const struct oracle_code* code, int32_t bci) {
    return code != NULL && code->range_count > 0 && code->ranges[0].start == 0 &&
           (bci == ORACLE_BCI_ENTRY || (bci >= 0 && (uint32_t)bci < code->ranges[0].end));
}

// Whether the frame seen stands where the captured one stood: GetStackTrace, which was captured,
// says 0 of a frame that has not begun.
static inline bool gaps_is_at(const struct oracle_frame* seen, const struct oracle_slot* captured) {
    return seen->bci == captured->bci || oracle_is_entry(seen->bci, captured->bci);
}

// Returns AGREE, TRUNCATED, MISSING, PHANTOM, WRONG_METHOD, WRONG_KIND or WRONG_BCI. For a mismatch
// *at is the index in gap->seen of the first frame that differs, or seen_count if only the end
// does.
enum oracle_verdict gaps_compare(const struct gap* gap, uint32_t* at) HANDLER_SAFE;

#endif
