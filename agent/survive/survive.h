// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The layer survive: the walker is asked about a thread from its first instruction to its last,
// also where no other layer may ask: before ThreadStart, behind ThreadEnd, on threads that the JVM
// does not know yet or no longer, and while the JVM ends. It has to come back. And where a thread
// can have no Java frames, it has to show none.
//
// A thread's first instruction is ours: the libraries' calls of pthread_create(3) lead through this
// room. Each thread has a timer of its own (timer_create(2), CLOCK_MONOTONIC, SIGEV_THREAD_ID),
// which is wound up anew behind each question, and in POSIX's last round of destructors taken away.
// The environment of the thread is the one that a profiler gets in its handler, from GetEnv.
#ifndef AGENT_SURVIVE_H
#define AGENT_SURVIVE_H

#include <stdbool.h>

// At Agent_OnLoad: chooses the signal. Does nothing where the layer is off. 0; -1: there is none.
int survive_open(void);
// At VMInit, after HotSpot has installed its handlers: threads that begin from now on are asked,
// and the calling one. 0, or -1 with errno set.
int survive_start(void);
// The JVM told of the calling thread's start (before any Java code of its own), or of its end
// (behind all). Does nothing where the layer is off.
void survive_tell(bool ends);
// The calling thread is the agent's own, and is not asked any more.
void survive_mute(void);
// For the housekeeping thread, where libraries were loaded: finds their calls.
void survive_look(void);
// The JVM has announced its death. The questions go on.
void survive_exiting(void);

#endif
