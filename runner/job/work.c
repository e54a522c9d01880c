// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What a case says of its work.
#include <math.h>

#include "job_parts.h"

#define UNITS_MAX (1ull << 50) // no case comes near it, and the sum of all fits into 64 bits

bool job_is_time(double seconds) {
    return isfinite(seconds) && seconds >= 0;
}

bool job_is_work(unsigned long long units, double seconds) {
    return units <= UNITS_MAX && job_is_time(seconds);
}

void work_read(FILE* file, struct results_execution* execution) {
    char line[512];
    while (fgets(line, sizeof line, file) != NULL) {
        unsigned long long units;
        double seconds = 0;
        if (sscanf(line, "units %llu seconds %lf", &units, &seconds) < 1 ||
            !job_is_work(units, seconds))
            continue;
        execution->units = units;
        execution->unit_seconds = seconds;
    }
    execution->work = execution->units > 0 ? RESULTS_WORK_DONE : RESULTS_WORK_NONE;
}
