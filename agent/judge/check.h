// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The checks that a Java thread makes on itself inside a push or pop, where it is in native code
// and may call JVMTI: the layers ground, gst and safepoint, and the question for
// blame.
#ifndef AGENT_CHECK_H
#define AGENT_CHECK_H

#include "agent/threads/threads.h"

// A check is due at this push, or a mismatch waits for blame.
void check_push(struct agent_thread* thread);
// A mismatch waits for blame at this pop, or at the unmount of a virtual thread.
void check_pop(struct agent_thread* thread);
// A pop of `method` does not fit the trace stack: drops constructors that vanished (oracle_caught);
// where that does not explain it, the ground layer has failed, and is counted so.
void check_misfit(struct agent_thread* thread, uint32_t method);
// An exception arrived in a handler of `method`.
void check_caught(struct agent_thread* thread, uint32_t method);

#endif
