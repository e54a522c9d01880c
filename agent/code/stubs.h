// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The names and ends of the VM's stubs, as JVMTI's DynamicCodeGenerated tells them: a blob of stubs
// holds many, and the structure tables name few of them.
#ifndef AGENT_STUBS_H
#define AGENT_STUBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/oracle.h"

#define STUBS_NAME 64

struct stub {
    uintptr_t begin, end;
    char name[STUBS_NAME];
};

// Remembers a stub; drops it where there is no more room.
void stubs_add(const char* name, uintptr_t begin, size_t length);
// Forgets all stubs. No handler may be asking meanwhile.
void stubs_forget(void);
// Copies the name of the smallest stub around pc, cut to fit. False: there is no such stub.
bool stubs_name(uintptr_t pc, char* text, size_t size) HANDLER_SAFE;
// The index-th stub, oldest first; NULL: there are no more.
const struct stub* stubs_at(uint32_t index);

#endif
