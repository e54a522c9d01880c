// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What a run's samples reached, and whether that is what its case is for.
#ifndef RESULTS_COVERAGE_H
#define RESULTS_COVERAGE_H

#include "results.h"

// Is the row one whose samples the run's coverage counts? That of layer async, or of structure
// where the run has no async.
bool coverage_is_of(const struct results_row* row);
// Could the agent tell what code the samples were in? Not if the JVM's structure tables were
// unusable, or if nothing was recorded.
bool coverage_is_known(const struct results_run* run);
// Samples, judged or refused, in one kind of code and these regions (bits 1 << enum
// results_region).
uint64_t coverage_samples(const struct results_run* run, enum results_code_kind kind,
                          uint32_t regions);
#define COVERAGE_ALL_REGIONS ((1u << RESULTS_REGION_COUNT) - 1)

// The name of a stub that the JVM has. False: the place is free, or was being filled.
bool coverage_stub_name(const struct results_stub* stub, char name[RESULTS_STUB_NAME]);

// The same over a cell that a case is for.
uint64_t coverage_wanted(const struct results_run* run, const struct results_wanted* wanted);

// True where a cell that the row's case is for has too few samples; row->reason then names it.
bool coverage_is_empty(struct results_row* row);
// True where the row's case is for a stub that this JVM has not; row->reason then says which.
bool coverage_is_impossible(struct results_row* row);
// Says in row->note that cells were wanted and could not be asked for.
void coverage_note(struct results_row* row);

// The table, a line for each run that has samples; nothing where no run has.
void coverage_print(const struct results_report* report, FILE* out);

#endif
