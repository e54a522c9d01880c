// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The layer hostile: behind a sample, the walker is asked again about copies of the context in
// which pc, sp or fp were changed (results/causes/causes.h lists the changes). No answer is wrong.
// What counts is whether the walker comes back (agent/rescue).
#ifndef AGENT_HOSTILE_H
#define AGENT_HOSTILE_H

#include "agent/threads/threads.h"

// At VMInit, before the first sample and after HotSpot has installed its handlers. Does nothing
// where the layer is off. 0, or -1 with errno set.
int hostile_start(void);
// A question that has taken HOSTILE_HANG_NS of its thread's CPU time is given up. For the
// housekeeping thread, each time it has read the CPU time of a pinned thread.
void hostile_look(struct agent_thread* thread);

#endif
