// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The jobs of a session: of the plan's cases or listed programs, or of the user's own program.
#ifndef RUNNER_ROSTER_H
#define RUNNER_ROSTER_H

#include <stddef.h>

#include "runner/launch/launch.h"
#include "runner/lists/lists.h"
#include "plan.h"

struct roster {
    struct job* jobs;
    size_t count;
};

// What jobs are made of; all of it outlives them.
struct roster_source {
    const struct options* options;
    const struct home* home;
    const struct jdk* jdk;
    const struct expectations* expectations; // NULL: none
    struct ability* ability;                 // asked for what the JVM has not
    const char* out;
};

// Each fills *roster with opened jobs. 0; or a runner exit status with the reason in `error`.
int roster_of_plan(const struct roster_source* source, const struct plan* plan,
                   struct roster* roster, char* error, size_t error_size);
int roster_of_user(const struct roster_source* source, struct roster* roster, char* error,
                   size_t error_size);
void roster_free(struct roster* roster);

#endif
