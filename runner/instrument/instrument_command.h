// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The arguments of plumbline instrument.
#ifndef RUNNER_INSTRUMENT_COMMAND_H
#define RUNNER_INSTRUMENT_COMMAND_H

#include "runner/base/base.h"

struct instrument_command_options {
    const char *in, *out;
    bool report;
};

// 0 and *options complete; else as arguments_parse.
int instrument_command_parse(const struct base_call* call,
                             struct instrument_command_options* options);
int instrument_command_run(const struct instrument_command_options* options);

#endif
