// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The builds of a bisection, in order.
#ifndef RUNNER_BISECT_BUILDS_H
#define RUNNER_BISECT_BUILDS_H

#include "runner/base/base.h"

// Appends the paths, made absolute: the entries of a directory (without those
// that begin with a dot, and files), in the order of versions (jdk-9 before jdk-10); or the lines
// of a file, empty ones and those that begin with # left out, taken from the file's directory. 0,
// or -1 with the reason.
int bisect_builds_read(const char* list, struct words* builds, char* error, size_t size);

// Leaves those from `good` to `bad` (paths as they were written, or last parts; NULL: the first,
// the last), in this direction. 0, or -1 with the reason.
int bisect_builds_between(struct words* builds, const char* good, const char* bad, char* error,
                          size_t size);

#endif
