// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The room's inside: numbers of the record format that writer and reader share (FORMAT.md).
#ifndef RESULTS_RECORD_WRITE_H
#define RESULTS_RECORD_WRITE_H

#include "record.h"

#define RESULTS_RECORD_VERSION 2u
#define RESULTS_RECORD_OLDEST 1u          // the oldest version that is read
#define RESULTS_BLOCK_MAX (4u << 20)      // content: what a reader must be ready to hold
#define RESULTS_BLOCK_CLOSED (128u << 10) // a recorder closes a block that is larger
#define RESULTS_METHODS_MAX (1u << 22)    // indexes of methods and call sites are below this

#define RECORD_BLOCK_MAGIC 0x42524C50u // "PLRB"
#define RECORD_BLOCK_HEAD_BYTES 28u

enum record_block_type { RECORD_BLOCK_HEAD = 1, RECORD_BLOCK_BATCH, RECORD_BLOCK_END };

enum record_type {
    RECORD_PROPERTY = 1,
    RECORD_LIST,
    RECORD_METHOD,
    RECORD_NAMES,
    RECORD_SAMPLE,
    RECORD_COUNTERS,
    RECORD_SETTLED,
    RECORD_SITES,
    RECORD_REWRITTEN
};

// How numbers of methods stand in the file.
enum {
    RECORD_NUMBER_FOREIGN,
    RECORD_NUMBER_UNKNOWN,
    RECORD_NUMBER_OWN,
    RECORD_NUMBER_FIRST = 2 // number 1 is 3
};

// A rewritten method by its number, as the file has it.
struct record_rewritten {
    uint32_t number, length;
    bool may_vanish;
    uint32_t range_count;
    const struct oracle_range* ranges;
    struct results_names names;
};

// As results_recorder_sample does for samples. A number or an index that the record has is not put
// a second time.
int record_put_rewritten(struct results_recorder* recorder, const struct record_rewritten* method);
int record_put_sites(struct results_recorder* recorder, uint32_t index,
                     const struct oracle_sites* sites);
int record_put_settled(struct results_recorder* recorder,
                       const struct results_settled_piece* settled,
                       const struct results_sample_frame* witness);
// The recorder goes on where the record ends: the next block's number, and all that is defined. 0,
// or -1 without memory. At once after results_recorder_open.
int record_put_behind(struct results_recorder* recorder, const struct results_record* record);

#endif
