// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The parts of the command behind the door: statistics, and the table.
#ifndef RUNNER_BENCH_PARTS_H
#define RUNNER_BENCH_PARTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// ---- statistics.c ------------------------------------------------------------------------------
// The statistics of bench: medians of samples' costs.

#define BENCH_BUCKETS 512      // of results_run's timing histograms
#define BENCH_BUCKET_CYCLES 64 // the last bucket holds everything above
#define BENCH_OVERFLOW_CYCLES ((BENCH_BUCKETS - 1) * BENCH_BUCKET_CYCLES)
// Fewer samples than these give no median, and no rate.
#define BENCH_MINIMUM_SAMPLES 100

// The samples in a histogram.
uint64_t bench_total(const uint64_t histogram[BENCH_BUCKETS]);
// The median of cycles in a histogram, linear within its bucket. INFINITY if it lies in the last
// bucket, NAN if there are too few samples.
double bench_median_cycles(const uint64_t histogram[BENCH_BUCKETS]);
// The share of samples in the last bucket. NAN if there are none.
double bench_overflow(const uint64_t histogram[BENCH_BUCKETS]);
// Sorts the values and gives their median. NAN if count is 0.
double bench_median(double* values, size_t count);

// ---- table.c -----------------------------------------------------------------------------------
// The table of bench: a row for each number, with its reference and its bar.

// The bars that numbers should meet. NAME, sense, limit, unit.
#define BARS(B)                                                                                    \
    B(NONE, NO_BAR, 0, "")                                                                         \
    B(SAMPLES, AT_LEAST, 0.8, "")                                                                  \
    B(RANDOM_RATE, AT_LEAST, 4000, "/s")                                                           \
    B(CLOCK_RATE, AT_LEAST, 9000, "/s")                                                            \
    B(CYCLES, AT_MOST, 1.3, "")                                                                    \
    B(PUSHPOP, AT_MOST, 1.3, "")                                                                   \
    B(SLOW_DOWN_APP, AT_MOST, 1.5, "")                                                             \
    B(SLOW_DOWN_ALL, AT_MOST, 5, "")

enum bar {
#define BAR_ENUM(name, sense, limit, unit) BAR_##name,
    BARS(BAR_ENUM)
#undef BAR_ENUM
        BAR_COUNT
};

enum column { MEASURE, VALUE, AGAINST, RATIO, RANGE, BAR, OUTCOME, COLUMNS };
enum outcome { STATED, MET, NOT_MET, NOT_MEASURED };

#define ROWS 24
#define NOTES 4
struct table { // all zero: empty
    struct row {
        char cells[COLUMNS][64];
        enum outcome outcome;
    } rows[ROWS];
    size_t count;
    char notes[NOTES][160]; // the samples behind the numbers
    size_t note_count;
};

// A new row for this measure; its other cells are "-".
struct row* table_add(struct table* table, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
void table_set(struct row* row, enum column column, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
void table_set_ratio(struct row* row, double ratio); // NAN: none
// Compares `value` with the bar. NAN was not measured, whether there is a bar or not.
void table_judge(struct row* row, double value, enum bar bar);
void table_note(struct table* table, const char* format, ...) __attribute__((format(printf, 2, 3)));

size_t table_count(const struct table* table, enum outcome outcome);
void table_print(const struct table* table, FILE* out);
// One line: how many bars are met, and which are not.
void table_print_summary(const struct table* table, FILE* out);

#endif
