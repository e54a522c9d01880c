// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What fuzz targets share that read results.json from a file. Not for handlers.
#ifndef RUNNER_TESTS_FUZZED_H
#define RUNNER_TESTS_FUZZED_H

#include <stdbool.h>
#include <stddef.h>

// Ends the process by SIGABRT, as libFuzzer expects of a finding, unless it is right.
void fuzzed_must(bool right);
// Makes the file `path` anew with these bytes.
void fuzzed_put(const char* path, const void* data, size_t size);
// Makes the file `to` a copy of the seed of this name, of less than 64 KB, beside the fuzzer
// `program`.
void fuzzed_seed(const char* program, const char* name, const char* to);

#endif
