// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A JVM that is to die: the case Mixed under the agent, for a minute.
#ifndef RUNNER_KILL_VICTIM_H
#define RUNNER_KILL_VICTIM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "results/record/record.h"

struct victim {
    const char *build, *jdk;
    // With a fault the walker spoils answers and crashes by itself, only mismatches are recorded,
    // and HotSpot dies at once without a report. NULL: every sample is recorded, and nothing is
    // wrong.
    const char* fault;
    char file[1100], record[1100];
    struct results_run* run; // mapped: what the agent counts
    pid_t pid;
};

// CLOCK_MONOTONIC.
uint64_t victim_now_ns(void);
void victim_sleep_until(uint64_t ns);

// Starts the JVM and waits until it samples. False: it does not; standard error says why.
bool victim_start(struct victim* victim, const char* build, const char* jdk, const char* fault,
                  int seed);
// Kills it, if it lives. Its end, as waitpid gives it.
int victim_kill(struct victim* victim);
// Waits until it dies by itself. -1: it does not; it is killed.
int victim_wait(struct victim* victim);
void victim_free(struct victim* victim);

#endif
