// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "launch_parts.h"

#include <time.h>

double launch_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void launch_leave_out(struct launch_child* child, double seconds) {
    child->started += seconds;
    child->deadline += seconds;
}
