// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the counts of a run mean: beside those of the unspoilt JVM, and of a calibration. Pure.
#ifndef RUNNER_SELFTEST_JUDGE_H
#define RUNNER_SELFTEST_JUDGE_H

#include "selftest_trial.h"

// ---- The unspoilt JVM: pure -------------------------------------------------------------------

// The counts of its runs up to one mark, or up to their ends. A starting JVM errs at other rates
// than one that has run for long, so each run is compared with an equally long beginning.
struct selftest_beginning {
    unsigned count; // runs that reached it
    struct selftest_tally runs[SELFTEST_PLAIN_RUNS], sum;
};
struct selftest_plain {
    unsigned count;
    struct selftest_beginning beginnings[SELFTEST_MARKS + 1]; // the last: the ends
};

// Adds a run that has ended.
void selftest_plain_add(struct selftest_plain* plain, const struct selftest_trial* run);
// The beginnings nearest in length to a run in which `asked` samples were asked; the ends, if it is
// longer or not all runs reached that mark.
const struct selftest_beginning* selftest_plain_like(const struct selftest_plain* plain,
                                                     uint64_t asked);
const struct selftest_tally* selftest_plain_sum(const struct selftest_plain* plain);

// ---- Judging a run: pure ----------------------------------------------------------------------

// Is there more than in the unspoilt JVM, with this probability of error? Sets the trial's layer.
bool selftest_detects(struct selftest_trial* trial, const struct selftest_tally* now,
                      const struct selftest_plain* plain, double error);
// Fills in the result from the tallies. `calibration` is a run of the same fault that shows which
// share of it can be seen, or NULL; if it is the trial itself, one half shows it for the other.
void selftest_conclude(struct selftest_trial* trial, const struct selftest_plain* plain,
                       const struct selftest_trial* calibration);
// How much the unspoilt runs differ in a verdict, see selftest_spread.
double selftest_spread_of(const struct selftest_plain* plain, enum oracle_layer layer,
                          uint32_t verdicts);
// Adds the counts since the last look to the run's slices.
void selftest_slice(struct selftest_trial* trial, const struct selftest_tally* more);
// late - early.
struct selftest_tally selftest_difference(const struct selftest_tally* late,
                                          const struct selftest_tally* early);
void selftest_sum(struct selftest_tally* sum, const struct selftest_tally* more);
// The probability that of `count` intervals, which each hold the truth with 0.95, `misses` or more
// do not.
double selftest_misses_chance(uint64_t misses, uint64_t count);

#endif
