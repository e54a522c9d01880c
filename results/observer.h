// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the instrumentation changed: the same case and mode in several scopes, beside each other.
#ifndef RESULTS_OBSERVER_H
#define RESULTS_OBSERVER_H

#include "results.h"

// One case and mode in one scope. Rows are NULL where the scope has no such layer.
struct observer_cell {
    const struct results_execution* execution;
    const struct results_row *async, *structure, *sandwich;
    uint64_t refused, answered; // of the sampled layer: async, or structure where there is none
    double speed;               // units of work a second; 0: not known
    double relative;            // to scope none; 0: not known
};

// Is there more than one scope in the report?
bool observer_is_asked(const struct results_report* report);
// Fills the cells of the case and mode that executions[first] is the first of, in the executions'
// order; gives their number (at most `room`), 0 where an earlier execution is of the same two.
size_t observer_cells(const struct results_report* report, size_t first,
                      struct observer_cell* cells, size_t room);
#define OBSERVER_SCOPES 8

// The table; nothing where only one scope was run.
void observer_print(const struct results_report* report, FILE* out);

#endif
