// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The commands that look at what earlier runs left: report, show and replay.
#ifndef RUNNER_RECORDED_H
#define RUNNER_RECORDED_H

// Each takes argv[0] as the subcommand's name, and gives the exit status.
//
// plumbline show RUN: what a run's record holds, and single samples as evidence. 0; 2 wrong usage;
// 3 no record, or nothing in it of what is asked for.
int show_run(int argc, char** argv);
// plumbline replay RUN [--rules RULE=off,...]: recorded samples judged again, offline. 0; 1 where a
// verdict differs though no rule was changed; 2 wrong usage; 3 no record, or none of it can be
// judged.
int replay_run(int argc, char** argv);

#endif
