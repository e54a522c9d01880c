// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the files of this room ask of each other. profiler.h has what other rooms ask.
#ifndef AGENT_PROFILER_PARTS_H
#define AGENT_PROFILER_PARTS_H

#include <signal.h>

// sigaction(2) as the profiler's library is to see it. Of its own signals the wrapper is installed,
// and the library is told its own action; of all others it is the system's.
int profiler_sigaction(int signal, const struct sigaction* action, struct sigaction* old);

#endif
