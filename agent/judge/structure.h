// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The layer `structure`: whether an answer is a possible trace at all, told by the methods' call
// sites (agent/classes) and by how the thread began. judge.h has structure_asked.
#ifndef AGENT_STRUCTURE_H
#define AGENT_STRUCTURE_H

#include "agent/evidence/evidence.h"
#include "agent/threads/threads.h"

// The walker answered a sample of this thread with `count`; where that is positive, t->frames holds
// the answer's `frames` frames. Judges and counts the answer, as our own code's if `own`. Of
// `about`, only pc, ucontext and place are read. Returns the verdict; NO_ANSWER where the layer is
// off.
enum oracle_verdict structure_judge(struct agent_thread* t, int32_t count, uint32_t frames,
                                    bool own, const struct evidence_case* about) HANDLER_SAFE;

#endif
