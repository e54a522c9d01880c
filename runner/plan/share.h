// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Cuts a plan into shares that take about equal times, for --shard. The cut depends only on the
// plan, the seconds and the JDK's release, so it is the same on every machine.
#ifndef RUNNER_SHARE_H
#define RUNNER_SHARE_H

#include "runner/lists/lists.h"
#include "runner/options/options.h"

// Expected seconds of one run with its start, as measured in preset full of a release build.
// `left_out`: the JDK's release cannot run it, so it takes no time.
double share_seconds(const struct options* options, const struct mode* mode, const char* scope,
                     bool left_out);
// The same for a listed program, which runs to its own end: about the seconds in the list. Only the
// proportions matter.
double share_seconds_of_program(const struct program* program, const struct mode* mode,
                                const char* scope, bool left_out);

// shares[i] becomes the share, from 1 to `shards`, of the run that takes seconds[i]. The longest
// run goes first, each to the share with the fewest seconds so far. With as many shares as runs,
// each share has one. 0, or -1 without memory.
int share_cut(const double* seconds, size_t count, unsigned shards, unsigned* shares);

#endif
