// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline expect: proposes lines of expectations.ini from the counts of measured runs. The
// README.md explains how a ceiling is made of counts.
#ifndef RUNNER_EXPECT_H
#define RUNNER_EXPECT_H

#include "runner/base/base.h"

// Prints the proposal to standard output. Returns the exit status.
int expect_command(const struct base_call* call);

#endif
