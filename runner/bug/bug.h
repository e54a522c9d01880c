// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One error of a run as a package for a bug tracker: a report, the case's source, and, for causes
// that have one, a stand-alone reproducer, tried on the JDK that the run judged. README.md
// describes the package.
#ifndef RUNNER_BUG_H
#define RUNNER_BUG_H

#include "runner/base/base.h"

// plumbline bug. Returns the exit status.
int bug_command(const struct base_call* call);

#endif
