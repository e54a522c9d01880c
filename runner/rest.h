// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A command line made of another one, less some of its options.
#ifndef RUNNER_REST_H
#define RUNNER_REST_H

#include <stddef.h>

#include "words.h"

// Adds to *words what of argv[first..argc) is not an option with one of `values`: pointers into
// argv, as options_parse leaves them, so that it is no matter how the option was written. NULLs
// among them are nothing.
void rest_add(int first, int argc, char* const* argv, const char* const* values, size_t count,
              struct words* words);

#endif
