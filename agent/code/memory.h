// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Reads memory that may not be mapped, in a handler, without a fault.
#ifndef AGENT_MEMORY_H
#define AGENT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "oracle/oracle.h"

// Whether all of [at, at + size) can be read now. One system call a page.
bool memory_readable(const void* at, size_t size) HANDLER_SAFE;
// Copies as many bytes from `at` on as can be read without a gap, at most `size`. Returns how many.
size_t memory_copy(void* to, const void* at, size_t size) HANDLER_SAFE;
// Copies a text, cut to fit and ended by a NUL. False if it cannot be read or is not printable
// ASCII.
bool memory_text(char* to, size_t size, const char* at) HANDLER_SAFE;

#endif
