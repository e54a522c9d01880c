// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Evidence of mismatches: copied into the run's file where the mismatch is seen, completed with
// names later by the housekeeping thread.
#ifndef AGENT_EVIDENCE_H
#define AGENT_EVIDENCE_H

#include <jni.h>

#include "thread.h"

// A trace that a verdict was given on. `witness` is what it was compared with where that is not the
// thread's trace stack.
struct evidence_case {
    enum oracle_layer layer;
    const struct oracle_judgement* judgement;
    const struct oracle_frame* observed;
    uint32_t observed_count;
    const struct oracle_frame* witness; // NULL: the trace stack
    uint32_t witness_count;
    uint64_t pc; // 0: none
};

// Keeps the case, if its kind has room. Returns its index in the run's file, or -1 (counted).
int32_t evidence_take(struct agent_thread* thread, const struct evidence_case* c) HANDLER_SAFE;
// Completes what was taken since the last call. Housekeeping thread only.
void evidence_resolve_all(JNIEnv* env);

#endif
