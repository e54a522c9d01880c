// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Where Plumbline's own parts are: beside its executable.
#ifndef RUNNER_HOME_H
#define RUNNER_HOME_H

#include <limits.h>
#include <stddef.h>

#define HOME_PATH (PATH_MAX + 64)

struct home {
    char executable[PATH_MAX];
    char agent[HOME_PATH];         // libplumbline.so
    char cases_list[HOME_PATH];    // cases/cases.ini
    char programs_list[HOME_PATH]; // cases/programs.ini
    char programs[HOME_PATH];      // cases/programs: their inputs
    char cache[HOME_PATH];         // cases/cache: inputs that are made once
    char expectations[HOME_PATH];  // cases/expectations.ini
    char classes[HOME_PATH];       // cases/classes
    char boot[HOME_PATH];          // cases/boot: what WhiteBox needs
    char libraries[HOME_PATH];     // cases
    char walkers_list[HOME_PATH];  // walkers.ini
};

// Fills *home from /proc/self/exe. 0, or -1 with the reason.
int home_find(struct home* home, char* error, size_t error_size);

#endif
