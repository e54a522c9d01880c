// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the files of this room ask of each other. threads.h has what other rooms ask.
#ifndef AGENT_THREADS_PARTS_H
#define AGENT_THREADS_PARTS_H

#include <stdint.h>

#include "oracle/oracle.h"
#include "threads.h"

// ---- A thread's clock --------------------------------------------------------------------------

// The sampler source `clock`: each thread is signalled by its own CPU clock. A perf_event software
// clock per thread where the system permits it, else a POSIX timer on the thread's CPU-time clock,
// whose resolution is the kernel's tick.

// The interval, in us, at which a thread whose signals take taken_ns of its CPU time keeps a third
// of that time for itself: asked_us, or longer.
uint32_t clock_interval_us(uint32_t asked_us, uint64_t taken_ns);

// Starts the calling thread's clock. The first call finds out which kind works, and writes it to
// `source` in the run's file.
void clock_arm(struct agent_thread* thread);
// Stops a thread's clock; does nothing where none was started. Any thread.
void clock_disarm(struct agent_thread* thread);

// ---- Mounts ------------------------------------------------------------------------------------

// For thread.c and virtual.c. threads.h has the rest of mount.c.

struct agent_thread;

// The thread is a carrier from now on: NONE -> AWAY. Its own trace stack is dropped: it stays in
// the slot, shut, while no virtual thread's is there, and may not be used again before mount_leave.
// On that thread, outside its handler.
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
