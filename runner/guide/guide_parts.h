// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The parts of the guide behind the door.
#ifndef RUNNER_GUIDE_PARTS_H
#define RUNNER_GUIDE_PARTS_H

#include "guide.h"

// ---- usage.c -----------------------------------------------------------------------------------

#define GUIDE_PURPOSE                                                                              \
    "Measures how often, and how, the stack traces that a JVM gives to profilers are wrong."

// Exit statuses of most commands.
struct guide_status {
    int status;
    const char* meaning;
};
extern const struct guide_status guide_statuses[];
extern const size_t guide_status_count;

// ---- page.c ------------------------------------------------------------------------------------

// Has the command say which arguments it takes: `described` is called with its argp and `context`.
void guide_describe(const struct base_call* call, const struct base_command* command,
                    void (*described)(const struct argp* argp, void* context), void* context);
// The command of that name that is for users; NULL: there is none.
const struct base_command* guide_find(const struct base_command* commands, const char* name);

#endif
