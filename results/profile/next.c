// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Where a profiler's walk ended: what had called the method of its oldest frame.
#include "parts.h"

static bool is_method(struct profile_names* names, const struct results_sample_frame* frame,
                      uint64_t id) {
    return profile_id(profile_names_of_method(names, frame->id, frame->number)) == id;
}

// The frame of AsyncGetCallTrace's walk that is the oldest of the profiler's. Inside a frame that
// is made or left just then, the one may have more than the other.
static uint32_t find(struct profile_names* names, const struct results_sample* instant,
                     const struct results_sample* given) {
    static const int shifts[] = {0, 1, -1};
    const int64_t oldest = (int64_t)given->frame_count - 1;
    for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++) {
        int64_t at = oldest + shifts[i];
        if (at >= 0 && at < (int64_t)instant->frame_count &&
            is_method(names, &instant->frames[at], given->frames[oldest].id))
            return (uint32_t)at;
    }
    return UINT32_MAX;
}

enum results_next profile_next(struct profile_names* names, const struct results_sample* instant,
                               const struct results_sample* given) {
    const enum oracle_verdict walk = (enum oracle_verdict)instant->verdict;
    if (walk == ORACLE_REFUSED) return RESULTS_NEXT_REFUSED;
    if (oracle_is_mismatch(walk)) return RESULTS_NEXT_WRONG;
    if (given->frame_count == 0 || walk > ORACLE_TRANSITION) return RESULTS_NEXT_NONE;
    uint32_t at = find(names, instant, given);
    if (at == UINT32_MAX || at + 1 >= instant->frame_count) return RESULTS_NEXT_NONE;
    uint32_t index = profile_index(given->frames[given->frame_count - 1].id);
    if (results_called_by_vm(profile_names_at(names, index)->text)) return RESULTS_NEXT_VM;
    return instant->frames[at + 1].bci == ORACLE_BCI_NATIVE ? RESULTS_NEXT_NATIVE
                                                            : RESULTS_NEXT_JAVA;
}
