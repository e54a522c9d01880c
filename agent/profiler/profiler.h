// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The profiler that is judged beside the walker (JFR, async-profiler). It samples by itself, in a
// signal handler, and writes a file that is read after the JVM's end. Here its handler is wrapped:
// each of its signals on a Java thread is an instant, at which the truth goes into the record with
// the time before and after the profiler's own handler. Where its handler can be driven, the
// agent's own samples call it.
//
// A handler is found in two ways. What is installed when the agent is loaded is asked of the
// system (the JVM's SIGUSR2, by which JFR suspends threads up to release 24). What is installed
// later goes through `sigaction` as the profiler's library calls it: its entry in the library's
// table of imported functions (the ELF relocation R_X86_64_JUMP_SLOT or GLOB_DAT) is replaced. The
// library is told its own handler when it asks for it, so it sees no difference.
#ifndef AGENT_PROFILER_H
#define AGENT_PROFILER_H

#include <jni.h>

// At Agent_OnLoad: wraps the handlers of the option `profiler-signals` that are installed already,
// and interposes on the profiler's library where that is loaded. Does nothing where no profiler is
// judged. Tells the run's file the profiler's name.
void profiler_open(void);
// At VMInit, before the profiler's own agent hears of it: interposes on a library that was loaded
// since. 0, or -1: no library of that name imports sigaction, and no handler was found before.
int profiler_ready(void);
// At the JVM's death: writes how the times in the profiler's file become CLOCK_MONOTONIC into the
// run's file.
void profiler_clock(JNIEnv* env);

#endif
