// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The sampler source `clock`: each thread is signalled by its own CPU clock. A perf_event software
// clock per thread where the system permits it, else a POSIX timer on the thread's CPU-time clock,
// whose resolution is the kernel's tick.
#ifndef AGENT_CLOCK_H
#define AGENT_CLOCK_H

#include "threads.h"

// Starts the calling thread's clock. Which kind works is found out at the first call and written
// into the run's `source`.
void clock_arm(struct agent_thread* thread);
// Stops it; also where none was started. Any thread.
void clock_disarm(struct agent_thread* thread);

#endif
