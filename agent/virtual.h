// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Virtual threads (JDK 21 and newer): each has a trace stack of its own, which is in its carrier's
// slot while it is mounted. Here is what the JVM tells of them; mount.h has the stacks.
#ifndef AGENT_VIRTUAL_H
#define AGENT_VIRTUAL_H

#include <jvmti.h>
#include <stdbool.h>

#include "thread.h"

// JVMTI_EVENT_VIRTUAL_THREAD_START and _END, which a header older than JDK 21 does not name.
#define VIRTUAL_THREAD_START 87
#define VIRTUAL_THREAD_END 88

// jvmtiEventCallbacks as JDK 21 has it, an entry for each number.
union virtual_events {
    void (*all[VIRTUAL_THREAD_END - JVMTI_MIN_EVENT_TYPE_VAL + 1])(void);
    jvmtiEventCallbacks known;
};

// Sets the capability that JDK 21 gave its bit; harmless where the JVM is older.
void virtual_want(jvmtiCapabilities* wanted);
// The agent's callbacks with those for virtual threads, where this JVM has such: how many bytes of
// *all to give it.
jint virtual_callbacks(const jvmtiEventCallbacks* known, union virtual_events* all);
// Watches virtual threads. 0, also where this JVM has none; -1 where it has and they cannot be
// watched.
int virtual_watch(void);
// The JVM is initialised: learns where a virtual thread's frames end.
void virtual_learn(JNIEnv* env);

// Of a walk on a thread with a virtual thread mounted: so many of the youngest frames are the
// virtual thread's, and what follows is its carrier's.
uint32_t virtual_own_frames(const struct oracle_frame* frames, uint32_t count) HANDLER_SAFE;
// Whether JVMTI, asked for the current thread, would speak of the one whose trace stack is in the
// slot. For checks.
bool virtual_is_itself(struct agent_thread* thread);

#endif
