// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The libraries in this process: libjvm's exported symbols, and where the agent itself lies.
#ifndef AGENT_LIBRARY_H
#define AGENT_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/oracle.h"

// Remembers libjvm by an address inside it (any JNI or JVMTI function of this JVM).
void library_jvm_found(const void* address_inside);
// A symbol that libjvm exports, or NULL.
void* library_jvm_symbol(const char* name);
// The function that a walker is called by: the one that everybody in this process gets who asks for
// it by name, which is libjvm's unless somebody stands in front of that. Where somebody does,
// `front` says so in words ("of build/libfaults.so, not
// server/libjvm.so"); else it is empty. NULL: there is
// none.
void* library_walker_symbol(const char* name, char* front, size_t size);
// Says in words what lies at an address outside the code cache: "libjvm.so+0x1f2e3 (symbol+0x10)".
// 0, or -1 where no library lies there.
int library_describe(const void* address, char* text, size_t size);
// Notes which libraries are loaded, for library_function. One thread at a time.
void library_refresh(void);
// The library at an address and where the function around it begins there, told by the library's
// unwind table: "libjvm.so+0x1f2e0"; *offset: of the address from there. Without such a table, the
// library alone, and 0. False, and 0: no library that has been noted.
bool library_function(uintptr_t address, char* text, size_t size, uint32_t* offset) HANDLER_SAFE;
// A path beside the agent's own library: its directory, then `name`. 0, or -1 where it is too long.
int library_beside(const char* name, char* path, size_t size);

#endif
