// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Messages and exit statuses.
#include "base.h"

#include <stdarg.h>
#include <stdio.h>

void runner_complain(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("plumbline: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

int runner_worse(int one, int other) {
    static const int order[] = {RUNNER_EXIT_FAIL, RUNNER_EXIT_USAGE, RUNNER_EXIT_HARNESS,
                                RUNNER_EXIT_INCONCLUSIVE};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (one == order[i] || other == order[i]) return order[i];
    return RUNNER_EXIT_PASS;
}
