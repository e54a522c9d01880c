// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The rows of several results.json side by side.
#ifndef RUNNER_MATRIX_TABLE_H
#define RUNNER_MATRIX_TABLE_H

#include <stddef.h>
#include <stdio.h>

struct matrix_column {
    const char* label; // one word
    const char* path;  // the session's results.json; NULL: there is none
};

// Prints the rows of all columns, in the order of their first appearance, with verdict and rate:
// "XFAIL 0.12 %"; "-" if a column has no such row. 0, or -1 without memory.
int matrix_table(const struct matrix_column* columns, size_t count, FILE* out);

#endif
