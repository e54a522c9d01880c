// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Functions of libraries by their place in the file: of the JDK's, found by name under its home,
// and of those that the system's loader knows. From .symtab where there is one, else from .dynsym;
// C++ names are demangled.
#ifndef RUNNER_SYMBOLS_H
#define RUNNER_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

struct symbols;

// For the JDK at `home`. Nothing is read yet. Ends the process where there is no memory.
struct symbols* symbols_open(const char* home);
void symbols_close(struct symbols* symbols);

// "libjvm.so+0x8a1c2e", or a path in the place of the name, to "frame::sender+0x1e" in text (the
// parameters are left out; +0 is not). `symbols` is what symbols_open gave. False, text untouched:
// it is not of that form, the library is not found, or no symbol covers the place.
bool symbols_name(void* symbols, const char* where, char* text, size_t size);

#endif
