// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The function in front of AsyncGetCallTrace (front.c). There are two ways to put it there, each a
// library of its own: a preloaded library (preload.c), or the libjvm.so of a directory (jvm.c).
#ifndef CASES_FAULTS_FRONT_H
#define CASES_FAULTS_FRONT_H

#include "faults.h"

#define FRONT_EXPORT __attribute__((visibility("default")))

typedef void (*front_walker)(struct fault_trace* trace, int32_t depth, void* ucontext);

// Reads the faults and opens the file of counts, which the environment variable
// PLUMBLINE_FAULT_COUNTS names. NULL: no fault, all answers pass. On failure it ends the process
// with a message: a fault that silently does nothing would be worse.
void front_open(const char* faults);
// From now on calls go to this function. Earlier calls are refused with -1, as by a JVM that has
// not enabled anything.
void front_found(front_walker real);
bool front_is_found(void);
// Ends the process with status 3 and a message on standard error.
_Noreturn void front_fail(const char* what, const char* why);

// Callers find this function. It calls the real one. May run in a signal handler.
FRONT_EXPORT void AsyncGetCallTrace(struct fault_trace* trace, int32_t depth, void* ucontext);

#endif
