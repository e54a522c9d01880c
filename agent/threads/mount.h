// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// For thread.c and virtual.c. threads.h has the rest of mount.c.
#ifndef AGENT_MOUNT_H
#define AGENT_MOUNT_H

#include <stdint.h>

#include "oracle/oracle.h"

struct agent_thread;

// The thread is a carrier from now on: NONE -> AWAY. What is on its own trace stack is dropped, and
// may not be used again before mount_leave. On that thread, outside its handler.
void mount_become_carrier(struct agent_thread* thread);
// The thread ends: the slot is as it was before it was a carrier's. On that thread, outside its
// handler.
void mount_leave(struct agent_thread* thread);

// Where a virtual thread's frames end: at the youngest frame of one of these methods, which are its
// carrier's. 0: not known.
struct mount_end {
    uintptr_t enter_special; // Continuation.enterSpecial: the carrier's youngest frame
    uintptr_t run;           // Continuation.run, its caller: a walk may have lost the former
};

// Of frames[0, count), a walk, youngest first: how many are the virtual thread's own.
uint32_t mount_own_frames(const struct oracle_frame* frames, uint32_t count,
                          const struct mount_end* end) HANDLER_SAFE;

#endif
