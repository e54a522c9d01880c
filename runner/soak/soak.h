// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline soak: hours of everything at once. Cases and programs on several JDKs, in modes, scopes
// and surroundings that are chosen at random, several JVMs at a time; and a ledger of what was done
// that adds up over runs. README.md says how to read it.
#ifndef RUNNER_SOAK_H
#define RUNNER_SOAK_H

#include "runner/base/base.h"

// Does everything and returns the exit status.
int soak_command(const struct base_call* call);

#endif
