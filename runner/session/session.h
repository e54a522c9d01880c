// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Sessions: all runs of a plan on one JDK, judged and reported together. Here are sessions of one
// JDK and of several, sessions that go on after an interruption, and sessions joined from shares.
#ifndef RUNNER_SESSION_H
#define RUNNER_SESSION_H

#include "runner/base/base.h"

// plumbline validate, run and merge. Each does everything and returns the exit status; a failure of
// the JVM outweighs the harness's trouble, and that outweighs an inconclusive result.
int validate_command(const struct base_call* call);
int run_command(const struct base_call* call);
int merge_command(const struct base_call* call);

#endif
