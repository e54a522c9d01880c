// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The libraries of this process, for this room. code.h has what other rooms ask of them.
#ifndef AGENT_LIBRARY_H
#define AGENT_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/oracle.h"

// A symbol that libjvm exports, or NULL.
void* library_jvm_symbol(const char* name);
// Writes the library at an address and the beginning of the function around it, which the library's
// unwind table tells, to `text`: "libjvm.so+0x1f2e0". *offset is the address's from that beginning.
// Without such a table: the library alone, and offset 0. False, and offset 0: no library that
// library_refresh has noted lies there.
bool library_function(uintptr_t address, char* text, size_t size, uint32_t* offset) HANDLER_SAFE;

#endif
