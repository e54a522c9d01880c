// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What modes and cases need and not every JVM has: flags, a collector that was built in, WhiteBox.
// No table of releases knows that: the JVM itself is started and asked, once for each question.
#ifndef RUNNER_ABILITY_H
#define RUNNER_ABILITY_H

#include <stdbool.h>

#include "command.h"
#include "modes.h"

// All zero: nothing was asked.
struct ability {
    struct ability_answer {
        bool known;
        char why[200]; // empty: it has it
    } modes[MODE_COUNT], whitebox, flags;
    bool interrupted; // by the user, while a JVM was asked: no use going on
};

// Why this JVM cannot run that command: a text to show, *ability's. NULL: it can, or it dies over
// the question (crashes, hangs), which the run itself is to show.
const char* ability_lacks(struct ability* ability, const struct command* command);

#endif
