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

// Methods of numbers 1 to 9 have the ids 0x1000 * number, code of 100 bytes, and push at [0, 6).
extern const struct oracle_code* made_code(void* context, uint32_t number);

// Sample number n: a stack of a few entries, one with a captured gap, and the trace that agrees
// with it; every fifth is a mismatch (missing) with evidence. Its thread_id is n. The arrays are
// static: they hold until the next call.
struct results_sample made_sample(uint32_t n);
// A whole record of `blocks` batches of `each` samples.
struct made made_record(uint32_t blocks, uint32_t each);
void made_free(struct made* made);
// A results_recorder_options.write: puts the block behind made->bytes, and minds nothing else.
int made_keep(void* made, const void* bytes, size_t size);

#endif
