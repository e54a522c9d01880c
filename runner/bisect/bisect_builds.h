// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The builds of a bisection, in order.
#ifndef RUNNER_BISECT_BUILDS_H
#define RUNNER_BISECT_BUILDS_H

#include "runner/base/base.h"

// Adds the builds of a list as absolute paths. Of a directory: its entries in the order of versions
// (jdk-9 before jdk-10), without files and names that begin with a dot. Of a file: its lines,
// relative to the file's directory, without empty lines and lines that begin with #. 0, or -1 with
// the reason.
int bisect_builds_read(const char* list, struct words* builds, char* error, size_t size);

// Keeps the builds from `good` to `bad`, in this direction. Each is named by its path or the last
// part of it; NULL: the first, the last. 0, or -1 with the reason.
int bisect_builds_between(struct words* builds, const char* good, const char* bad, char* error,
                          size_t size);

#endif
