// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The room's inside: numbers of the record format that writer and reader share (FORMAT.md).
#ifndef RESULTS_RECORD_WRITE_H
#define RESULTS_RECORD_WRITE_H

#include "record.h"

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
    RECORD_SITES
};

// How numbers of methods stand in the file.
enum {
    RECORD_NUMBER_FOREIGN,
    RECORD_NUMBER_UNKNOWN,
    RECORD_NUMBER_OWN,
    RECORD_NUMBER_FIRST = 2 // number 1 is 3
};

#endif
