// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What earlier runs left, shown again: their reports in several formats, the samples and mismatches
// of their records, and those samples judged anew. It starts no JVM.
#ifndef RUNNER_RECORDED_H
#define RUNNER_RECORDED_H

#include "runner/base/base.h"

// plumbline report, show and replay. Each returns the exit status.
int report_command(const struct base_call* call);
int show_command(const struct base_call* call);
int replay_command(const struct base_call* call);

#endif
