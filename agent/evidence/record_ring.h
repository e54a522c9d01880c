// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What lies in the ring between handlers (record.c) and the writer (recorder.c).
#ifndef AGENT_RECORD_RING_H
#define AGENT_RECORD_RING_H

#include "results/results.h"
#include "ring.h"

enum { RECORD_PIECE_SAMPLE, RECORD_PIECE_SETTLED };

// A sample's arrays lie behind it.
struct record_piece {
    uint32_t kind; // RECORD_PIECE_*
    uint32_t blame;
    struct results_sample sample;
};

// 8 MB are some hundred milliseconds of 20,000 samples a second of 20 frames.
#define RECORD_RING_BYTES (8u << 20)
extern struct ring record_ring;

#endif
