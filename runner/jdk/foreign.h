// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A JDK that was built for another processor than Plumbline: what is needed to run it here. Inside
// this room; jdk.h has what other rooms ask.
#ifndef RUNNER_FOREIGN_H
#define RUNNER_FOREIGN_H

#include "jdk.h"

// e_machine of an ELF file; EM_NONE: it is none, or cannot be read.
int foreign_machine(const char* path);

// Fills jdk->foreign, emulator and root where `libjvm` is for another processor than our
// executable, and sets JDK_EMULATOR_OPTIONS in our environment, unless it is set. jdk->home and
// java must be known. 0, or -1 with what is missing, and how to get it, in `error`.
int foreign_find(struct jdk* jdk, const char* libjvm, char* error, size_t size);

#endif
