// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The agent's own threads: the random sampler, the sandwich layer, and housekeeping (which threads
// run, names for evidence, bench phases). They are Java threads, as they call JVMTI, and are never
// judged themselves. Nobody in this room runs in a handler.
#ifndef AGENT_SAMPLER_H
#define AGENT_SAMPLER_H

#include <jni.h>

// At VMInit: starts the threads that the options ask for. 0, or -1.
int sampler_start(JNIEnv* env);
// At VMDeath: ends them, waits for them, and books signals that were never answered.
void sampler_stop(void);

#endif
