// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline profile: any Java program, once under each profiler, and one page that says how far to
// trust each of them on it.
#ifndef RUNNER_PROFILE_H
#define RUNNER_PROFILE_H

#include "runner/base/base.h"

// Does everything and returns the exit status: the worst of the profilers' sessions.
int profile_command(const struct base_call* call);

#endif
