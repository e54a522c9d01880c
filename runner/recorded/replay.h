// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline replay RUN [--rules RULE=off,...]: recorded samples judged again, offline.
#ifndef RUNNER_REPLAY_H
#define RUNNER_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

// argv[0] is the subcommand's name. The exit status: 0; 1 where a verdict differs though no rule
// was changed; 2 wrong usage; 3 no record, or none of it can be judged.
int replay_run(int argc, char** argv);

// "transition=off,gaps=off" as bits 1 << enum oracle_rule. False: *wrong is the word that is not
// understood.
bool replay_rules(const char* text, uint32_t* off, const char** wrong);

#endif
