// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// For thread.c and virtual.c. threads.h has the rest of mount.c.
#ifndef AGENT_MOUNT_H
#define AGENT_MOUNT_H

#include <stdint.h>

#include "oracle/oracle.h"

struct agent_thread;

// The thread is a carrier from now on: NONE -> AWAY. Its own trace stack is dropped, and may not be
// used again before mount_leave. On that thread, outside its handler.
void mount_become_carrier(struct agent_thread* thread);
// The thread ends: makes the slot as it was before the thread was a carrier. On that thread,
// outside its handler.
void mount_leave(struct agent_thread* thread);

// A virtual thread's frames end at the youngest frame of one of these methods, which belong to its
// carrier. 0: not known.
struct mount_end {
    uintptr_t enter_special; // Continuation.enterSpecial: the carrier's youngest frame
    uintptr_t run;           // Continuation.run, its caller: a walk may lack enterSpecial
};

// How many of frames[0, count), a walk, youngest first, are the virtual thread's own.
uint32_t mount_own_frames(const struct oracle_frame* frames, uint32_t count,
                          const struct mount_end* end) HANDLER_SAFE;

#endif
