// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Counts in the run's file: where the samples of the asynchronous layer were taken (coverage), and
// which mismatches are alike (clusters). Both can be taken back, when accusations are. This room
// knows nothing of threads.
#ifndef AGENT_COVERAGE_H
#define AGENT_COVERAGE_H

#include "agent/code/code.h"
#include "oracle/oracle.h"
#include "results/record/record.h"

// Where one sample is counted.
struct coverage_cells {
    uint8_t code, region, depth, state;
    uint16_t stub; // index + 1; 0: in no stub that has a name
};

// The cells of a sample at `place`, on a stack of `depth` frames, in a thread in `state`.
struct coverage_cells coverage_cells(const struct code_place* place, uint32_t depth,
                                     enum results_thread_state state) HANDLER_SAFE;
// The JVM has a stub of this name: gives it a place before any sample is in the stub.
void coverage_name_stub(const char* name);
// Counts a sample. AGREE, TRANSITION and the mismatches count as judged, REFUSED as refused; other
// verdicts are not counted.
void coverage_count(struct coverage_cells cells, enum oracle_verdict verdict) HANDLER_SAFE;
// `n` mismatches are undecided now, so they no longer count as judged.
void coverage_take_back(struct coverage_cells cells, uint32_t n);

// What tells the mismatches of one cluster from those of another. `pc` 0: a check at a push;
// `place` is NULL then.
struct cluster_case {
    enum oracle_layer layer;
    const struct oracle_judgement* judgement;
    uintptr_t pc;
    const struct code_place* place;
    enum results_thread_state state;
    uint32_t cause; // its index
};
// Counts a mismatch. Returns its cluster's index + 1; 0 where there was no room, which is counted
// (clusters_lost).
uint32_t cluster_count(const struct cluster_case* c) HANDLER_SAFE;
// `n` mismatches of the cluster are undecided now.
void cluster_take_back(uint32_t cluster, uint32_t n);

#endif
