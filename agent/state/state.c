// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct agent_state agent;

static HANDLER_SAFE uint64_t read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

HANDLER_COMMON uint64_t agent_now_ns(void) {
    return read_clock(CLOCK_MONOTONIC);
}

HANDLER_SAFE uint64_t agent_thread_ns(void) {
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void agent_assert_failed(const char* condition, const char* file, int line) {
    char text[512];
    int n = snprintf(text, sizeof text, "plumbline agent: assert failed: %s (%s:%d)\n", condition,
                     file, line);
    if (n > 0 && write(STDERR_FILENO, text, (size_t)n) < 0) _exit(RESULTS_EXIT_ASSERT);
    _exit(RESULTS_EXIT_ASSERT);
}

void agent_refuse(const char* format, ...) {
    char text[sizeof agent.run->error];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "plumbline agent: %s\n", text);
    if (agent.run == NULL) return;
    memcpy(agent.run->error, text, sizeof text);
    __atomic_store_n(&agent.run->phase, RESULTS_PHASE_REFUSED, __ATOMIC_RELEASE);
}
