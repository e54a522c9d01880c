// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The agent's way into the record (results/record/FORMAT.md). A judged sample is copied into the
// ring of the run's file, where it is judged. One thread of the agent's own takes it from there,
// encodes it and writes it. Nobody waits for that thread: a sample that finds no room in the ring
// is counted (unrecorded). Whether a sample is recorded changes no verdict.
#ifndef AGENT_EVIDENCE_H
#define AGENT_EVIDENCE_H

#include <jni.h>

#include "agent/code/code.h"
#include "agent/threads/threads.h"

// ---- Judged samples -----------------------------------------------------------------------------

// The same context walked twice more.
struct evidence_again {
    int32_t count[2]; // as the walker returned it
    uint8_t same[2];  // whether its frames were those of the judged walk
};

// At an instant, a signal of the profiler that is judged: the time before and after its handler.
struct evidence_window {
    uint64_t begin_ns, end_ns; // agent_now_ns
};

// A trace that a verdict was given on. `witness` is what it was compared with where that is not the
// thread's trace stack.
struct evidence_case {
    enum oracle_layer layer;
    const struct oracle_judgement* judgement; // `verdict` as it was counted
    enum oracle_verdict given;                // the oracle's own verdict
    const struct oracle_frame* observed;
    uint32_t observed_count;
    int32_t count;                      // the walker's answer
    bool chosen;                        // layer async: by evidence_is_chosen
    bool own;                           // counted as our own code's: in no cluster
    const struct oracle_frame* witness; // NULL: the trace stack
    uint32_t witness_count;
    // Of an instant: the scopes of the record at the very pc, no witness.
    const struct oracle_frame* at_pc;
    uint32_t at_pc_count;
    // Layer sandwich: the walk after the witness. Layer async: the scopes of the youngest compiled
    // frame, NULL where they are not known. Else NULL.
    const struct oracle_frame* third;
    uint32_t third_count;
    bool exact;     // layer sandwich: the thread was held
    uint32_t state; // where pc is 0: enum results_thread_state, if it is known
    const struct oracle_context* context; // what it was judged by; NULL: not to be told
    const struct oracle_owner* owner; // what oracle_attribute was given; NULL or method 0: nothing
    uint32_t leaving;                 // layer ground: the number of the method that did not fit
    // Asynchronous samples only.
    uint64_t pc;                          // 0: none of these
    const void* ucontext;                 // the handler's third argument
    const struct code_place* place;       // what the pc lies in
    uint32_t cluster;                     // layer async: index + 1, 0 none. Other layers: made here
    uint32_t cause;                       // of a mismatch: its index
    const struct results_facts* facts;    // by which that was decided; NULL: none
    const struct evidence_again* again;   // NULL: it was not walked again
    const struct evidence_window* window; // NULL: no instant
    bool blank; // the trace stack is not to be told: it may be another thread's, or is changing
};

// Whether the layer's next sample is one of the one in N that are recorded whatever they are (of
// structure only where async is off; of ground never).
bool evidence_is_chosen(enum oracle_layer layer) HANDLER_COMMON;
// The one way into the record. Takes the sample if it is a mismatch, also in our own code, or if it
// is chosen. Layer async asks that beforehand; for the other layers it is asked here. A
// mismatch of another layer than async is counted in its cluster.
void evidence_take(struct agent_thread* thread, const struct evidence_case* c) HANDLER_SAFE;
// Whether the next mismatch of this kind is to be walked twice more, which costs two walks. It
// depends on the number of those before it alone, so no time and no thread is preferred but the
// early ones.
bool evidence_is_asked_again(enum oracle_layer layer, enum oracle_verdict verdict) HANDLER_SAFE;
// Whether the next mismatch of layer async with this verdict goes into the record: all but a part
// of the attributions where pushes are inlined.
bool evidence_is_kept(enum oracle_verdict verdict) HANDLER_SAFE;
// The thread's accusations were settled. `witness`: the frames of the GetStackTrace that
// contradicted the trace stack, NULL: it did not, or they are not at hand. On that thread.
void evidence_settled(struct agent_thread* thread, uint32_t blame,
                      const struct oracle_frame* witness, uint32_t count);

// ---- The writer ---------------------------------------------------------------------------------

// Opens the file beside the run's and starts the writer. After the JVM is initialised. 0, or -1:
// neither is possible, errno says why.
int evidence_start(void);
// Asks the JVM for the names of methods that the writer has met. Housekeeping thread only.
void evidence_resolve(JNIEnv* env);
// Writes what is there, names and counters, and the end. At the JVM's death.
void evidence_stop(JNIEnv* env);

#endif
