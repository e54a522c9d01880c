// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Many runs over builds or nights as one page: the rate of errors by cause over time.
#ifndef RUNNER_HISTORY_H
#define RUNNER_HISTORY_H

#include "runner/base/base.h"

// plumbline history. 0; 2 wrong usage; 3 a result cannot be read, or a file not be written.
int history_command(const struct base_call* call);

#endif
