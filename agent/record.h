// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The record of the run (results/FORMAT.md): samples are copied into a ring where they are judged,
// and one thread of the agent's own encodes and writes them. Nobody waits for it; what finds no
// room in the ring is counted (unrecorded). Whether anything is recorded changes no verdict.
#ifndef AGENT_RECORD_H
#define AGENT_RECORD_H

#include "evidence.h"
#include "thread.h"

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
