// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The sampler source `clock`: each thread is signalled by its own CPU clock. A perf_event software
// clock per thread where the system permits it, else a POSIX timer on the thread's CPU-time clock,
// whose resolution is the kernel's tick.
#ifndef AGENT_CLOCK_H
#define AGENT_CLOCK_H

#include "threads.h"

// Starts the calling thread's clock. The first call finds out which kind works, and writes it to
// `source` in the run's file.
void clock_arm(struct agent_thread* thread);
// Stops a thread's clock; does nothing where none was started. Any thread.
void clock_disarm(struct agent_thread* thread);

#endif
