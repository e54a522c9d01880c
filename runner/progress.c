// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The counts come from the run's file, which the agent is counting in at this very moment.
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

void progress_show(size_t number, size_t total, const struct job* job) {
    if (!isatty(STDERR_FILENO) || job->run == NULL) return;
    uint64_t judged = 0, mismatched = 0;
    bool async = (job->execution.layers & 1u << ORACLE_LAYER_ASYNC) != 0;
    for (int layer = ORACLE_LAYER_ASYNC; layer < ORACLE_LAYER_COUNT; layer++) {
        // Structure judges the same samples as async.
        if (async && layer == ORACLE_LAYER_STRUCTURE) continue;
        judged += results_judged(&job->run->layers[layer]);
        mismatched += results_mismatched(&job->run->layers[layer]);
    }
    fprintf(stderr, "\r\033[K[%zu/%zu] %s %s %.1f s: %llu samples judged, %llu mismatches", number,
            total, job->name, job->execution.mode, launch_now() - job->child.started,
            (unsigned long long)judged, (unsigned long long)mismatched);
}

void progress_clear(void) {
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
}
