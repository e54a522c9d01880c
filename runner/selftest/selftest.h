// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline selftest: does the oracle notice? Each seeded fault (cases/faults) is put in front of a
// JDK's AsyncGetCallTrace, at each of several rates, while a case runs: `mixed`, or other cases one
// after the other. Each fault must be found under a right verdict, and its rate must be measured
// rightly. selftest_parts.h explains how a run is judged.
#ifndef RUNNER_SELFTEST_H
#define RUNNER_SELFTEST_H

#include "runner/base/base.h"

// Runs everything, prints the table, and writes selftest.json and the JVMs' files to --out (default
// selftest-VERSION-TIME below home_results), of several cases each into a directory of its own.
// Returns the exit status: 0 everything is as it must be; 1 it is not; 3 the harness failed; 4
// interrupted.
int selftest_command(const struct base_call* call);

#endif
