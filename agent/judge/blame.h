// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Which party is wrong: an asynchronous mismatch is an accusation until the thread's next push or
// pop, where GetStackTrace is compared with the trace stack.
#ifndef AGENT_BLAME_H
#define AGENT_BLAME_H

#include "agent/threads/threads.h"

// Whether the thread can remember one more accusation. Where it cannot, the mismatch must not be
// counted in cells and cluster, because these counts could not be taken back.
bool blame_has_room(const struct agent_thread* thread) HANDLER_SAFE;
// Books a mismatch as an accusation, as our own code's if `own`. `accused`: the cells, the cluster
// and the evidence that it was counted in; NULL where it was counted in none.
void blame_accuse(struct agent_thread* thread, enum oracle_verdict verdict, bool own,
                  const struct thread_accused* accused) HANDLER_SAFE;

// Settles all accusations of this thread. `gst`: the verdict on GetStackTrace, judged by the trace
// stack. `witness`: the `count` frames that GetStackTrace gave, NULL where they are not at hand.
void blame_settle(struct agent_thread* thread, enum oracle_verdict gst,
                  const struct oracle_frame* witness, uint32_t count);
// The trace stack is about to become another thread's: takes back the accusations that nobody
// settled. Those of our own code in checks stand.
void blame_leave(struct agent_thread* thread);

#endif
