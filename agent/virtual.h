// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Virtual threads (JDK 21 and newer): a thread that mounts one is a carrier, and not judged from
// then on.
#ifndef AGENT_VIRTUAL_H
#define AGENT_VIRTUAL_H

#include <jvmti.h>

// Sets the capability that JDK 21 gave its bit; harmless where the JVM is older.
void virtual_want(jvmtiCapabilities* wanted);
// Watches mounts. 0, also where this JVM has no virtual threads; -1 where it has and they cannot be
// watched.
int virtual_watch(void);

#endif
