// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Where the template interpreter's code lies, read from the structure tables that libjvm exports
// for the serviceability agent.
#ifndef AGENT_INTERPRETER_H
#define AGENT_INTERPRETER_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/oracle.h"

// Reads the tables. Where they are missing or not as expected, no address counts as the
// interpreter's.
void interpreter_find(void);
bool interpreter_contains(uintptr_t pc) HANDLER_SAFE;

#endif
