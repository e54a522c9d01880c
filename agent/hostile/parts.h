// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the files of this room ask of each other. hostile.h has what other rooms ask.
#ifndef AGENT_HOSTILE_PARTS_H
#define AGENT_HOSTILE_PARTS_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "hostile.h"
#include "results/record/record.h"

// ---- Changes ------------------------------------------------------------------------------------

// Makes the change in *context, a copy of the thread's own. *by: the new value of what was changed
// (of several, of pc) less the old. False: there is no such place now, and nothing was changed.
bool spoil(const struct agent_thread* thread, enum results_change change, uint64_t* random,
           ucontext_t* context, int64_t* by) HANDLER_SAFE;

#endif
