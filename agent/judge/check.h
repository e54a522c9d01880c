// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The checks that a Java thread makes on itself inside a push or pop, where it is in native code
// and may call JVMTI. They are the layers ground, gst and safepoint, and they settle accusations
// (blame.h). Each is called on the thread whose slot is given.
#ifndef AGENT_CHECK_H
#define AGENT_CHECK_H

#include "agent/threads/threads.h"

// At a push: a check is due, or an accusation waits to be settled.
void check_push(struct agent_thread* thread);
// At a pop, or at the unmount of a virtual thread: an accusation waits to be settled.
void check_pop(struct agent_thread* thread);
// A pop of `method` does not fit the trace stack. Drops constructors that vanished (oracle_caught).
// Where that does not explain the misfit, counts a mismatch of the layer ground.
void check_misfit(struct agent_thread* thread, uint32_t method);
// An exception arrived in a handler of `method`.
void check_caught(struct agent_thread* thread, uint32_t method);

#endif
