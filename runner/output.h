// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The output directory: where a session writes, and one folder in it for each JVM run.
#ifndef RUNNER_OUTPUT_H
#define RUNNER_OUTPUT_H

#include <stddef.h>

// Makes `wanted`, or, where it is NULL, out/<version>-<time> and the link out/latest to it. Writes
// its absolute path to `path`. 0, or -1 with a reason that names the directory.
int output_make(const char* wanted, const char* version, char* path, size_t size, char* error,
                size_t error_size);

// Makes a directory and those above it. 0, or -1 with errno set.
int output_make_directories(const char* path);

// Removes a directory with all that is in it; it need not be there. 0, or -1 with errno set.
int output_remove(const char* path);

#endif
