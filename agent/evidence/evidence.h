// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the agent writes down of its samples. Evidence of mismatches is copied into the run's file
// where the mismatch is seen; the housekeeping thread completes it with names later. The record
// (results/FORMAT.md) is copied into a ring where a sample is judged; one thread of the agent's own
// encodes and writes it. Nobody waits for that thread: what finds no room in the ring is counted
// (unrecorded). Whether anything is recorded changes no verdict.
#ifndef AGENT_EVIDENCE_H
#define AGENT_EVIDENCE_H

#include <jni.h>

#include "agent/code/code.h"
#include "agent/threads/threads.h"

// ---- Evidence of mismatches ---------------------------------------------------------------------

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
static inline HANDLER_SAFE const struct oracle_stack*
evidence_stack(const struct agent_thread* thread, const struct evidence_case* c) {
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

// ---- The record ---------------------------------------------------------------------------------

// A judged sample. Of `about`, layer, judgement (as counted), observed, witness, third, stack,
// leaving, pc, ucontext, place and cluster are asked.
struct record_case {
    const struct evidence_case* about;
    const struct oracle_context* context; // what it was judged by, NULL: not to be told
    const struct oracle_owner* owner;     // what oracle_attribute was given; method 0: nothing
    enum oracle_verdict given;            // the oracle's own verdict
    int32_t count;                        // the walker's
    bool own;
    int32_t kept; // index of the kept mismatch, -1: none
};

// Records the sample if it is a mismatch (not in our own code), or chosen as one in N of its layer
// (of structure only where async is off; of ground never). Nothing where no record is kept.
void record_take(struct agent_thread* thread, const struct record_case* c) HANDLER_SAFE;
// The thread's accusations were settled. On that thread.
void record_settled(struct agent_thread* thread, uint32_t blame);

// Opens the file beside the run's and starts the writer. After the JVM is initialised. 0, or -1:
// neither is possible, errno says why.
int record_start(void);
// Names of methods for the record, as far as they are asked for. Housekeeping thread only.
void record_resolve(JNIEnv* env);
// Writes what is there, names and counters, and the end. At the JVM's death.
void record_stop(JNIEnv* env);

#endif
