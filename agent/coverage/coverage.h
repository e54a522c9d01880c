// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the samples of the asynchronous layer reached, and the mismatches that are alike: counts in
// the run's file. Both can be taken back, as accusations are.
#ifndef AGENT_COVERAGE_H
#define AGENT_COVERAGE_H

#include "agent/code/code.h"
#include "oracle/oracle.h"
#include "results/results.h"

// Where one sample is counted.
struct coverage_cells {
    uint8_t code, region, depth, state;
    uint16_t stub; // index + 1; 0: in no stub that has a name
};

struct coverage_cells coverage_cells(const struct code_place* place, uint32_t depth,
                                     enum results_thread_state state) HANDLER_SAFE;
// The JVM has a stub of this name: it gets its place before any sample is in it.
void coverage_name_stub(const char* name);
// AGREE, TRANSITION and the mismatches are judged, REFUSED is refused, the rest is not counted.
void coverage_count(struct coverage_cells cells, enum oracle_verdict verdict) HANDLER_SAFE;
// `n` mismatches are undecided now: no longer judged.
void coverage_take_back(struct coverage_cells cells, uint32_t n);

// What clusters tell mismatches apart by. `pc` 0: a check at a push; place then NULL.
struct cluster_case {
    enum oracle_layer layer;
    const struct oracle_judgement* judgement;
    uintptr_t pc;
    const struct code_place* place;
    enum results_thread_state state;
};
// Counts a mismatch; returns its cluster's index + 1, 0 where there was no room (counted).
uint32_t cluster_count(const struct cluster_case* c) HANDLER_SAFE;
// The kept mismatch `evidence` is an example of the cluster, unless it has one.
void cluster_example(uint32_t cluster, int32_t evidence) HANDLER_SAFE;
// `n` mismatches of the cluster are undecided now.
void cluster_take_back(uint32_t cluster, uint32_t n);
// A kept mismatch is no example of anything any more.
void cluster_forget(uint32_t cluster, int32_t evidence);

#endif
