// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A record made up for tests: in memory, with where each of its frames begins.
#ifndef RESULTS_TESTS_RECORD_MADE_H
#define RESULTS_TESTS_RECORD_MADE_H

#include "results/record/record.h"

#define MADE_FRAMES 64
struct made {
    uint8_t* bytes;
    size_t size;
    size_t starts[MADE_FRAMES + 1]; // of frame i; starts[frames] is the end
    uint32_t frames;
    uint32_t samples_in[MADE_FRAMES];
    uint32_t pending; // samples since the last frame
};

// Methods of numbers 1 to 9 have the ids 0x1000 * number, code of 100 bytes, push at [0, 6), and
// are named Made.m1000 and so on.
const struct oracle_code* made_code(void);
// Tells the recorder of a rewritten method as the agent does, by a piece of a ring.
void made_method(struct results_recorder* recorder, uint32_t number, const struct oracle_code* code,
                 const struct results_names* names);
// The same of the numbers 1 to 9.
void made_methods(struct results_recorder* recorder);
// The same of call sites.
void made_sites(struct results_recorder* recorder, uint32_t index,
                const struct oracle_sites* sites);

// Sample n, whose number is n + 1: a stack of a few entries, one with a captured gap, and the trace
// that agrees with it; every fifth is a mismatch (missing) with evidence. Its thread_id is n. The
// arrays are static: they hold until the next call.
struct results_sample made_sample(uint32_t n);
// Whether the two say the same, down to every array.
bool made_same(const struct results_sample* a, const struct results_sample* b);
// A whole record of `blocks` batches of `each` samples.
struct made made_record(uint32_t blocks, uint32_t each);
void made_free(struct made* made);
// A results_recorder_options.write: puts the block behind made->bytes, and minds nothing else.
int made_keep(void* made, const void* bytes, size_t size);

// A ring of that many bytes, a power of two. It is the caller's: made_ring_free.
struct results_ring made_ring(size_t size);
void made_ring_free(struct results_ring* ring);
// The sample as a piece of the ring, put there as the agent puts it. Fails the test where it does
// not fit.
void made_put(const struct results_ring* ring, const struct results_sample* sample);
// A settlement as a piece of the ring.
void made_settle(const struct results_ring* ring, const struct results_settled_piece* settled,
                 const struct results_sample_frame* witness);
// The next piece of the ring as a copy of exactly its size, taken out of it. The caller's: free().
void* made_taken(const struct results_ring* ring, size_t* size);

#endif
