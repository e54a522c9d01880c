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
// The library at an address and where the function around it begins there, told by the library's
// unwind table: "libjvm.so+0x1f2e0"; *offset: of the address from there. Without such a table: the
// library alone, and offset 0. False, and offset 0: no library that has been noted.
bool library_function(uintptr_t address, char* text, size_t size, uint32_t* offset) HANDLER_SAFE;

#endif
