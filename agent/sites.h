// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The layer `structure`: what is known of methods' call sites, and of how threads began. A method's
// code is read when it is first met in a trace, by the housekeeping thread: reading them all would
// cost every start, and few are ever seen.
#ifndef AGENT_SITES_H
#define AGENT_SITES_H

#include "evidence.h"
#include "thread.h"

// Prepares the tables. 0, or -1 without memory.
int sites_open(void);

// ---- In the handler ---------------------------------------------------------------------------

// A sample was asked for.
void sites_asked(void) HANDLER_SAFE;
// The walker answered a sample of this thread by `count`; where that is positive, with the frames
// in t->frames, of which there are `frames`. Judges and counts, as our own code's if `own`. Of
// `about`, pc, ucontext and place are asked. The verdict; NO_ANSWER where the layer is off.
enum oracle_verdict sites_judge(struct agent_thread* t, int32_t count, uint32_t frames, bool own,
                                const struct evidence_case* about) HANDLER_SAFE;
// Counts what an asynchronous judgement could compare besides the instrumented frames.
void sites_count_gaps(const struct oracle_judgement* judgement, bool own) HANDLER_SAFE;

// ---- Elsewhere --------------------------------------------------------------------------------

// Reads the code of methods that handlers have met since. Housekeeping thread only.
void sites_describe_wanted(JNIEnv* env);
// The class's code is about to change: its methods are not judged any more, as frames of the old
// code may live on.
void sites_forget(jclass klass);
// Learns how the calling thread began: `first` at VMInit, else at the thread's start.
void sites_learn_root(struct agent_thread* t, bool first);

#endif
