// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One walk of the calling thread by the walker under test, and its frames.
#ifndef AGENT_WALK_H
#define AGENT_WALK_H

#include <stdint.h>

#include "agent/threads/threads.h"
#include "oracle/oracle.h"

// Has the walker walk the calling thread, whose slot is `thread`, into `raw`, which has room for
// `depth` raw frames. `context` as walker_call wants it. The run's file says meanwhile that the
// thread is in the walker, for `layer`. Returns the walker's count.
int32_t walk_call(struct agent_thread* thread, void* raw, int32_t depth, void* context,
                  enum oracle_layer layer) HANDLER_SAFE;
// The frames of a walk's answer, in the oracle's form, and how many they are. Of a virtual thread
// only those before its carrier's: *count, the walker's, is then made the number of these (1 where
// there are none, because 0 would be a refusal), so that a trace that was cut there is not at the
// buffer's limit.
uint32_t walk_frames(const struct agent_thread* thread, const void* raw, int32_t* count,
                     struct oracle_frame* to) HANDLER_SAFE;

#endif
