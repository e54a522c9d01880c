// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The seeded faults that the self-test expects to be found, and the verdicts that are right for
// each. The library that injects them (cases/faults) is known here only by its options and its
// file.
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
// The fault with this name, of `length` bytes; NULL: none.
const struct selftest_fault* selftest_fault_find(const char* name, size_t length);

// ---- The library's counts ---------------------------------------------------------------------

struct selftest_counts;
// Maps the file that the library counts in. NULL with errno set; EPROTO: it is not such a file, or
// not yet.
const struct selftest_counts* selftest_counts_map(const char* path);
void selftest_counts_unmap(const struct selftest_counts* counts);
uint64_t selftest_counts_answers(const struct selftest_counts* counts);
// How often the row of this name was injected, and (unless NULL) could have been injected. 0 if
// there is no such row.
uint64_t selftest_counts_injected(const struct selftest_counts* counts, const char* name,
                                  uint64_t* eligible);

#endif
