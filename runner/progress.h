// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// How far a command is, on standard error: one line that is rewritten where that is a terminal,
// else a plain line now and then.
#ifndef RUNNER_PROGRESS_H
#define RUNNER_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job.h"

// Rewrites the line: run `number` of `total`, with the job's counts so far. Nothing where standard
// error is no terminal.
void progress_show(size_t number, size_t total, const struct job* job);
// Takes the line away.
void progress_clear(void);

// ---- A plan of many runs ----------------------------------------------------------------------

// What all its jobs come to; a row is a layer of a run.
struct progress_counts {
    size_t rows, rows_done;
    uint64_t judged, mismatched; // samples; those of runs that go on too
    double left;                 // seconds that it will still take; below 0: nobody knows
    const struct job* running;   // the first of those that run, NULL: none
};

// Counts jobs[0..count), `next` of which were started or left out, at most `parallel` at a time.
// `expected`: seconds that a run takes, until some have ended and show it.
struct progress_counts progress_count(const struct job* jobs, size_t count, size_t next,
                                      unsigned parallel, double expected, double now);

// "12 of 72 rows done, 123456 samples judged, 17 mismatches, 1:20 left" into text; returns it.
#define PROGRESS_TEXT 160
const char* progress_text(const struct progress_counts* counts, char text[PROGRESS_TEXT]);

// Seconds between two plain lines: an hour's run shall not fill a log. The first comes after as
// many.
#define PROGRESS_INTERVAL 30.0
// Shows them, if it is time; `last` is when it was last done (begin: when the plan began).
void progress_show_plan(const struct progress_counts* counts, double now, double* last);

#endif
