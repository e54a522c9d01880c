// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Who is wrong: asynchronous mismatches are accusations until GetStackTrace has been compared with
// the trace stack, at the thread's next push or pop.
#ifndef AGENT_BLAME_H
#define AGENT_BLAME_H

#include "agent/threads/threads.h"

// Books a mismatch as open to blame, counted as our own code's or in its cells and cluster. False
// where no more can be taken back: then it must not be counted in cells and cluster.
bool blame_has_room(const struct agent_thread* thread) HANDLER_SAFE;
void blame_accuse(struct agent_thread* thread, enum oracle_verdict verdict, bool own,
                  const struct thread_accused* accused) HANDLER_SAFE;

// GetStackTrace was judged by the trace stack to be `gst`: settles all accusations of this thread.
// `witness` is what it gave, NULL where that is not at hand.
void blame_settle(struct agent_thread* thread, enum oracle_verdict gst,
                  const struct oracle_frame* witness, uint32_t count);
// The trace stack is about to be another's: accusations that nobody settled are taken back. Those
// of our own code in checks stand.
void blame_leave(struct agent_thread* thread);

#endif
