// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// validate with several JDKs: a session for each, one after the other, and a table with a column
// for each, the oldest build first.
#ifndef RUNNER_MATRIX_H
#define RUNNER_MATRIX_H

#include "runner/base/base.h"
#include "runner/options/options.h"

// Each session is the command with one of its JDKs, in a process of its own, and in OUT/VERSION;
// further JDKs with the same version get "-2" and so on, in the order given. Writes and prints
// OUT/matrix.txt. A JDK that cannot be examined has a column that gives the reason. With --resume,
// and in preset full, finished sessions are kept. Returns the exit status: a failure of any JDK
// outweighs the harness's trouble, and that outweighs an inconclusive result.
int matrix_run(const struct options* options, const struct base_call* call);

#endif
