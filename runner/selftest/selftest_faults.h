// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What each seeded fault may be called: the faults that the self-test expects to be found, and the
// verdicts under which that is right. The library that makes them (cases/faults) is known here by
// its options and its file only.
#ifndef RUNNER_SELFTEST_FAULTS_H
#define RUNNER_SELFTEST_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/oracle.h"

enum selftest_kind {
    SELFTEST_FRAMES,  // wrong frames: a mismatch
    SELFTEST_REFUSAL, // an error code
    SELFTEST_CRASH,
    SELFTEST_HANG
};

struct selftest_fault {
    const char* name; // as the library knows it
    enum selftest_kind kind;
    uint32_t verdicts; // FRAMES: bits 1 << enum oracle_verdict that are right
    const char* why;
};

extern const struct selftest_fault selftest_faults[];
extern const size_t selftest_fault_count;
// NULL: there is none of this name, of `length` bytes.
const struct selftest_fault* selftest_fault_find(const char* name, size_t length);

// ---- What the library counted -----------------------------------------------------------------

struct selftest_counts;
// Maps the file that the library counts in. NULL with errno set; EPROTO: it is not such a file, or
// not yet.
const struct selftest_counts* selftest_counts_map(const char* path);
void selftest_counts_unmap(const struct selftest_counts* counts);
uint64_t selftest_counts_answers(const struct selftest_counts* counts);
// How often the row of this name was injected, and (unless NULL) could have been. 0 where there is
// no such row.
uint64_t selftest_counts_injected(const struct selftest_counts* counts, const char* name,
                                  uint64_t* eligible);

#endif
