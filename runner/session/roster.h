// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The jobs of a session: of the plan's cases or listed programs, or of the user's own program.
#ifndef RUNNER_ROSTER_H
#define RUNNER_ROSTER_H

#include <stddef.h>

#include "runner/job/job.h"
#include "runner/plan/plan.h"

struct roster {
    struct job* jobs;
    size_t count;
};

// The parts of every job; they outlive the jobs.
struct roster_source {
    const struct options* options;
    const struct home* home;
    const struct jdk* jdk;
    const struct ceilings* ceilings; // NULL: none
    struct ability* ability;         // asked whether the JVM can run a job
    const char* out;
};

// Each fills *roster with opened jobs. 0; or a runner exit status with the reason in `error`.
int roster_of_plan(const struct roster_source* source, const struct plan* plan,
                   struct roster* roster, char* error, size_t error_size);
int roster_of_user(const struct roster_source* source, struct roster* roster, char* error,
                   size_t error_size);
void roster_free(struct roster* roster);

#endif
