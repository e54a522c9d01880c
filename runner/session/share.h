// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A plan cut into shares that take about as long as each other, for --shard. The cut depends on the
// plan, the seconds and the JDK's release alone, so that it is the same on every machine.
#ifndef RUNNER_SHARE_H
#define RUNNER_SHARE_H

#include <stddef.h>

#include "runner/options/options.h"
#include "runner/lists/lists.h"

// Expected seconds of one run, with its start: what was measured in the preset full of a release
// build. `left_out`: the release has not what it needs, so that it takes no time.
double share_seconds(const struct options* options, const struct mode* mode, const char* scope,
                     bool left_out);
// The same of a listed program, which takes as long as it takes: about what the list says. Only the
// proportions matter.
double share_seconds_of_program(const struct program* program, const struct mode* mode,
                                const char* scope, bool left_out);

// shares[i] becomes the share, from 1 to `shards`, of the run that takes seconds[i]. The longest go
// first, each to the share that has least so far. With as many shares as runs each has one. 0, or
// -1 without memory.
int share_cut(const double* seconds, size_t count, unsigned shards, unsigned* shares);

#endif
