// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline show RUN: what a run's record holds, and single mismatches as evidence.
#ifndef RUNNER_SHOW_H
#define RUNNER_SHOW_H

// argv[0] is the subcommand's name. The exit status: 0; 2 wrong usage; 3 no record, or nothing in
// it of what is asked for.
int show_run(int argc, char** argv);

#endif
