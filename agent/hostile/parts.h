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

// ---- Rescue -------------------------------------------------------------------------------------

// Installs the handlers of the signals that a walker dies of. `died` books a question of the
// calling thread that ended in a signal in the walker, at `ucontext`, or hung there. 0, or -1 with
// errno set.
typedef void (*rescue_died)(struct agent_thread* thread, const void* ucontext, bool hung);
int rescue_install(rescue_died died);
// Has the walker walk the calling thread, into its raw buffer. *count: the walker's. False: it died
// or hung, which was booked.
bool rescue_call(struct agent_thread* thread, ucontext_t* context, int32_t* count) HANDLER_SAFE;
// Wakes a thread that does not come back from a question.
void rescue_wake(const struct agent_thread* thread);

#endif
