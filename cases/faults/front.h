// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The function in front of AsyncGetCallTrace (front.c), and what puts it there: as a preloaded
// library (preload.c) or as a directory's libjvm.so (jvm.c). Each of the two libraries has one.
#ifndef CASES_FAULTS_FRONT_H
#define CASES_FAULTS_FRONT_H

#include "faults.h"

#define FRONT_EXPORT __attribute__((visibility("default")))

typedef void (*front_walker)(struct fault_trace* trace, int32_t depth, void* ucontext);

// Reads the faults and opens the file of counts, which the environment variable
// PLUMBLINE_FAULT_COUNTS names. NULL: no fault, all answers pass. Ends the process, with a message,
// where that fails: a fault that silently does nothing would be worse.
void front_open(const char* faults);
// From now on calls go to this function. Before, they are refused (-1, as by a JVM that has not
// enabled anything).
void front_found(front_walker real);
bool front_is_found(void);
_Noreturn void front_fail(const char* what, const char* why);

// The next AsyncGetCallTrace is the real one; what callers find is this.
FRONT_EXPORT void AsyncGetCallTrace(struct fault_trace* trace, int32_t depth, void* ucontext);

#endif
