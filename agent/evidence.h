// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Evidence of mismatches: copied into the run's file where the mismatch is seen, completed with
// names later by the housekeeping thread.
#ifndef AGENT_EVIDENCE_H
#define AGENT_EVIDENCE_H

#include <jni.h>

#include "code.h"
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
    const struct oracle_frame* third; // layer sandwich: the walk after the witness; else NULL
    uint32_t third_count;
    const struct oracle_context* context; // what was judged by, for the record; NULL: not told
    // Layer ground: the trace stack as it was (its frames are the thread's, what was dropped since
    // among them), and the number of the method that did not fit. NULL: the thread's as it is.
    const struct oracle_stack* stack;
    uint32_t leaving;
    // Asynchronous samples only.
    uint64_t pc;                    // 0: none of these
    const void* ucontext;           // the handler's third argument
    const struct code_place* place; // what the pc lies in
    uint32_t cluster;               // index + 1, 0: none
    const struct evidence_again* again;
};

// The trace stack that the verdict was given by, where it was one.
static inline HANDLER_SAFE const struct oracle_stack* evidence_stack(
    const struct agent_thread* thread, const struct evidence_case* c) {
    return c->stack != NULL ? c->stack : &thread->stack;
}

// The same context walked twice more.
struct evidence_again {
    int32_t count[2]; // as the walker returned it
    uint8_t same[2];  // whether its frames were those of the judged walk
};

// A place for one more mismatch of its kind, or -1 (counted): which ones are kept depends on their
// number alone, so no kind of mismatch, no time and no thread is preferred but the early ones.
int32_t evidence_reserve(enum oracle_layer layer, enum oracle_verdict verdict) HANDLER_SAFE;
// Keeps the case in a place reserved for it.
void evidence_keep(struct agent_thread* thread, int32_t place,
                   const struct evidence_case* c) HANDLER_SAFE;
// All of `m` but its traces and its state: thread, code, registers, stack.
void evidence_describe(struct agent_thread* thread, struct results_mismatch* m,
                       const struct evidence_case* c) HANDLER_SAFE;
// Both in one, and counted in its cluster. Returns the case's index in the run's file, or -1.
int32_t evidence_take(struct agent_thread* thread, const struct evidence_case* c) HANDLER_SAFE;
// A judged answer of a layer that does not ask in a handler: a mismatch is taken as above, any
// other goes into the record if it is chosen. `given`: the oracle's own verdict, where it was
// counted as UNDECIDED.
void evidence_offer(struct agent_thread* thread, const struct evidence_case* c,
                    enum oracle_verdict given);
// Completes what was taken since the last call. Housekeeping thread only.
void evidence_resolve_all(JNIEnv* env);

#endif
