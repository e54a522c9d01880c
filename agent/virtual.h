// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Virtual threads (JDK 21 and newer): a thread that mounts one is a carrier, and its samples are
// not judged from then on. In scope app the layer safepoint goes on at its pushes.
#ifndef AGENT_VIRTUAL_H
#define AGENT_VIRTUAL_H

#include <jvmti.h>

// Sets the capability that JDK 21 gave its bit; harmless where the JVM is older.
void virtual_want(jvmtiCapabilities* wanted);
// Watches mounts. 0, also where this JVM has no virtual threads; -1 where it has and they cannot be
// watched.
int virtual_watch(void);
// The JVM is initialised: learns where a virtual thread's frames end.
void virtual_learn(JNIEnv* env);
// A push on a thread without a slot. Checks now and then, if the thread is a carrier.
void virtual_push(JNIEnv* env);

#endif
