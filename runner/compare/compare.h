// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline compare: do the rates of two JVMs differ, and is the second one's worse? It reads
// results that sessions wrote, and starts nothing.
#ifndef RUNNER_COMPARE_H
#define RUNNER_COMPARE_H

#include "runner/base/base.h"

// Spreads of the logarithms of rates of walking errors between runs of one JVM, as measured and
// rounded up (ACCURACY.md): 0.1 is about 10 %.
#define COMPARE_SPREAD_INTERPRETED 0.2
#define COMPARE_SPREAD_COMPILED 0.5

// Prints the comparison, and with --json writes it. Returns the exit status: 0 B is not worse; 1 B
// is worse, or crashes or hangs where A does not; 3 a result cannot be read; 4 nothing could be
// compared.
int compare_command(const struct base_call* call);

#endif
