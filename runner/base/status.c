// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One voice for all messages.
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
