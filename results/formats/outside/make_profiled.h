// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A made-up run of a profiler: a record with instants, a profiler's samples of them, and what
// results/profile makes of the two.
#ifndef RESULTS_FORMATS_OUTSIDE_MAKE_PROFILED_H
#define RESULTS_FORMATS_OUTSIDE_MAKE_PROFILED_H

#include "results/record/record.h"

struct make_profiled {
    uint32_t samples; // instants; every fifth leads to no sample
    uint32_t methods;
    uint32_t depth; // of the deepest stack
    uint64_t seed;
};

// Into the directory: the run's file, its record, and its call tree. One of 50 samples lacks a
// caller, one of 50 has another youngest method. Ends the process where something fails.
struct results_run* make_profiled(const char* directory, const struct make_profiled* wanted);

#endif
