// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// `plumbline plan`: what validate would do, as commands that are independent of each other.
#ifndef RUNNER_PLAN_COMMAND_H
#define RUNNER_PLAN_COMMAND_H

#include "runner/base/base.h"
#include "runner/options/options.h"

// Prints a line for each run of the plan: the same command with --shard I/N and --out OUT/I, and
// what it runs behind #, for a shell. argv is what options_parse has read. Returns the exit status.
int plan_command(const struct options* options, const struct home* home, int argc, char** argv);

#endif
