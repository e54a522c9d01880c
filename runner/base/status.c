// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Messages and exit statuses.
#include "base.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/report/report.h"

static void complain(const char* format, va_list arguments) {
    char* text = NULL;
    fputs("plumbline: ", stderr);
    // Names in archives, classes and results are not ours: they must not speak to the terminal.
    if (vasprintf(&text, format, arguments) < 0) fputs("no memory for a message", stderr);
    else results_plain(text, stderr);
    free(text);
    fputc('\n', stderr);
}

void runner_complain(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
}

int runner_refuse(int status, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
    return status;
}

int base_reason(int status, char* error, size_t size, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, size, format, arguments);
    va_end(arguments);
    return status;
}

void base_last_line(FILE* stream, const char* none, char* line, size_t size) {
    char* read = NULL;
    size_t room = 0;
    snprintf(line, size, "%s", none);
    rewind(stream);
    while (getline(&read, &room, stream) > 0) {
        read[strcspn(read, "\r\n")] = '\0';
        if (read[strspn(read, " \t")] != '\0') snprintf(line, size, "%s", read);
    }
    free(read);
}

int runner_worse(int one, int other) {
    static const int order[] = {RUNNER_EXIT_FAIL, RUNNER_EXIT_USAGE, RUNNER_EXIT_HARNESS,
                                RUNNER_EXIT_INCONCLUSIVE};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (one == order[i] || other == order[i]) return order[i];
    return RUNNER_EXIT_PASS;
}

bool runner_flushed(void) {
    return fflush(stdout) == 0 && !ferror(stdout);
}

int runner_printed(int status) {
    if (runner_flushed()) return status;
    runner_complain("cannot print: %s", strerror(errno));
    return runner_worse(status, RUNNER_EXIT_HARNESS);
}
