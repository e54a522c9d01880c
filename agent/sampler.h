// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The agent's own threads: the random sampler, the sandwich layer, and housekeeping (which threads
// run, names for evidence, bench phases). They are Java threads, as they call JVMTI, and are never
// judged themselves.
#ifndef AGENT_SAMPLER_H
#define AGENT_SAMPLER_H

#include <jni.h>
#include <stdint.h>

// At VMInit: starts the threads that the options ask for. 0, or -1.
int sampler_start(JNIEnv* env);
// At VMDeath: ends them, waits for them, and books signals that were never answered.
void sampler_stop(JNIEnv* env);

// ---- Inside the sampler -------------------------------------------------------------------------

struct agent_thread;

// A random running thread without a signal under way, pinned; NULL where there is none.
struct agent_thread* sampler_pick(uint64_t* random);
// One turn of the sandwich layer.
void sandwich_turn(uint64_t* random);
// Allocates the sandwich's buffers. 0, or -1 without memory.
int sandwich_open(void);

#endif
