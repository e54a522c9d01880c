// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What a run's record says of its mismatches, gathered in one pass: how many there are in each
// cluster, their votes, and the best one to show. Accusations that were taken back have votes, but
// are never shown.
#ifndef RESULTS_REPORT_DIGEST_H
#define RESULTS_REPORT_DIGEST_H

#include "report.h"

#define DIGEST_PLACES 4 // functions of a cluster that are told apart
#define DIGEST_PLACE 96

// The recorded mismatches of one of the run file's clusters.
struct digest_cluster {
    uint32_t cluster; // index + 1
    uint64_t kept;
    uint64_t votes[RESULTS_VOTE_COUNT];
    uint64_t best;  // the number of the one to show; 0: all were taken back
    int best_worth; // the more the better
    uint8_t state;  // of the thread; 0: not known, or they differ
    // Of those in libraries, a place in each function: "libjvm.so+0x8a1c2e". More functions than
    // these: place_count is DIGEST_PLACES + 1.
    char functions[DIGEST_PLACES][64]; // by their beginnings
    char places[DIGEST_PLACES][DIGEST_PLACE];
    unsigned place_count;
};

// The digest of an execution's record, made at the first call. NULL: it has no record, or no
// memory. It is the report's.
const struct digest* digest_of(const struct results_report* report,
                               const struct results_execution* execution);
// Of a cluster, index + 1. NULL: none of its mismatches is recorded.
const struct digest_cluster* digest_cluster(const struct digest* digest, uint32_t cluster);
// The mismatch of the layer that shows most; 0: there is none.
uint64_t digest_worst(const struct digest* digest, enum oracle_layer layer);
// The votes on the layer's mismatches.
const uint64_t* digest_votes(const struct digest* digest, enum oracle_layer layer);

void digest_free(struct digest* digest);

#endif
