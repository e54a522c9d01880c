// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The permutation test over runs. All rows are permuted together, because they come from the same
// runs. So each assignment of runs to sides also gives the distance of the farthest of all rows by
// chance, and a comparison that is one of many has to be held against that distance.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

#define ASSIGNMENTS_MAX 20000.0 // if there are more assignments, this many are drawn

struct work {
    struct oracle_permutation* test;
    size_t runs;                // of both sides
    bool* on_b;                 // [runs] the current assignment
    double* rates;              // laid out as `events`
    double* seen;               // [rows] distances of the true assignment
    double* distance;           // [rows] distances of the current assignment
    size_t* order;              // [rows] the farthest row first
    uint64_t *alone, *together; // [rows] number of assignments that are at least as far apart
};

// ---- Distances --------------------------------------------------------------------------------

struct side {
    double runs, sum, squares, events, trials;
};

static double distance_of(const struct work* work, size_t row) {
    struct side sides[2] = {{0}};
    for (size_t i = 0; i < work->runs; i++) {
        size_t at = row * work->runs + i;
        if (work->test->trials[at] == 0) continue;
        struct side* side = &sides[work->on_b[i]];
        side->runs++;
        side->sum += work->rates[at];
        side->squares += work->rates[at] * work->rates[at];
        side->events += (double)work->test->events[at];
        side->trials += (double)work->test->trials[at];
    }
    const struct side *a = &sides[0], *b = &sides[1];
    if (a->runs == 0 || b->runs == 0) return 0;
    double within = a->squares - a->sum * a->sum / a->runs + b->squares - b->sum * b->sum / b->runs;
    double freedom = fmax(1, a->runs + b->runs - 2);
    double rate = (a->events + b->events) / (a->trials + b->trials);
    // The error is the sum of the variance between runs and the variance that counts of this size
    // have by chance. Without the second term, runs that happen to agree would make a row of three
    // events the farthest of all.
    double error = fmax(0, within) / freedom * (1 / a->runs + 1 / b->runs) +
                   rate * (1 - rate) * (1 / a->trials + 1 / b->trials);
    return error > 0 ? fabs(b->sum / b->runs - a->sum / a->runs) / sqrt(error) : 0;
}

// Distances that differ only by rounding count as equal: the order of the sums differs.
static bool as_far(double distance, double seen) {
    return distance >= seen * (1 - 1e-9);
}

static void count_assignment(struct work* work) {
    size_t rows = work->test->rows;
    for (size_t r = 0; r < rows; r++) {
        work->distance[r] = distance_of(work, r);
        work->alone[r] += as_far(work->distance[r], work->seen[r]);
    }
    // Step-down: a row is compared with the farthest of the rows that are no farther apart than it.
    double farthest = 0;
    for (size_t i = rows; i-- > 0;) {
        size_t row = work->order[i];
        farthest = fmax(farthest, work->distance[row]);
        work->together[row] += as_far(farthest, work->seen[row]);
    }
    work->test->assignments++;
}

// ---- Assignments ------------------------------------------------------------------------------

static double assignments_of(const size_t runs[2]) {
    double all = 1;
    for (size_t i = 1; i <= runs[1]; i++) all = all * (double)(runs[0] + i) / (double)i;
    return round(all);
}

// Makes the next choice of the same number of runs for side B, in lexical order. False after the
// last.
static bool next_assignment(bool* on_b, size_t runs) {
    size_t ones = 0, i = runs;
    while (i > 0 && on_b[i - 1]) i--, ones++;
    while (i > 0 && !on_b[i - 1]) i--;
    if (i == 0) return false;
    on_b[i - 1] = false;
    for (size_t j = i; j < runs; j++) on_b[j] = j <= i + ones;
    return true;
}

static void all_assignments(struct work* work) {
    for (size_t i = 0; i < work->runs; i++) work->on_b[i] = i < work->test->runs[1];
    do count_assignment(work);
    while (next_assignment(work->on_b, work->runs));
}

// splitmix64. Any good generator would do; a fixed one gives the same result on every machine.
static uint64_t next_random(uint64_t* state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// The true assignment is counted first: chance could have given it, too.
static void drawn_assignments(struct work* work) {
    uint64_t state = 1;
    count_assignment(work);
    while ((double)work->test->assignments < ASSIGNMENTS_MAX) {
        for (size_t i = work->runs; i > 1; i--) {
            size_t j = next_random(&state) % i;
            bool kept = work->on_b[i - 1];
            work->on_b[i - 1] = work->on_b[j];
            work->on_b[j] = kept;
        }
        count_assignment(work);
    }
}

double oracle_permutation_floor(const size_t runs[2]) {
    // If both sides have the same number of runs, exchanging the sides gives the same distance.
    return (runs[0] == runs[1] ? 2 : 1) / assignments_of(runs);
}

size_t oracle_permutation_runs(double level) {
    size_t runs[2] = {1, 1};
    while (oracle_permutation_floor(runs) > level) runs[0]++, runs[1]++;
    return runs[0];
}

// ---- The test ---------------------------------------------------------------------------------

static void close_work(struct work* work) {
    free(work->on_b);
    free(work->rates);
    free(work->seen);
    free(work->distance);
    free(work->order);
    free(work->alone);
    free(work->together);
}

static int open_work(struct work* work, struct oracle_permutation* test) {
    size_t rows = test->rows + 1; // so that calloc never gets 0
    *work = (struct work){.test = test, .runs = test->runs[0] + test->runs[1]};
    work->on_b = calloc(work->runs + 1, sizeof *work->on_b);
    work->rates = calloc(rows * work->runs, sizeof *work->rates);
    work->seen = calloc(rows, sizeof *work->seen);
    work->distance = calloc(rows, sizeof *work->distance);
    work->order = calloc(rows, sizeof *work->order);
    work->alone = calloc(rows, sizeof *work->alone);
    work->together = calloc(rows, sizeof *work->together);
    if (work->on_b != NULL && work->rates != NULL && work->seen != NULL && work->distance != NULL &&
        work->order != NULL && work->alone != NULL && work->together != NULL)
        return 0;
    close_work(work);
    return -1;
}

static int compare_farthest(const void* left, const void* right, void* context) {
    const size_t *a = left, *b = right;
    const double* seen = context;
    if (seen[*a] != seen[*b]) return seen[*a] > seen[*b] ? -1 : 1;
    return *a < *b ? -1 : *a > *b;
}

static void look(struct work* work) {
    const struct oracle_permutation* test = work->test;
    for (size_t i = 0; i < test->rows * work->runs; i++)
        if (test->trials[i] != 0)
            work->rates[i] = (double)test->events[i] / (double)test->trials[i];
    for (size_t i = 0; i < work->runs; i++) work->on_b[i] = i >= test->runs[0];
    for (size_t r = 0; r < test->rows; r++) {
        work->seen[r] = distance_of(work, r);
        work->order[r] = r;
    }
    qsort_r(work->order, test->rows, sizeof *work->order, compare_farthest, work->seen);
}

int oracle_permute(struct oracle_permutation* test) {
    struct work work;
    if (open_work(&work, test) != 0) return -1;
    look(&work);
    test->assignments = 0;
    test->complete = assignments_of(test->runs) <= ASSIGNMENTS_MAX;
    if (test->complete) all_assignments(&work);
    else drawn_assignments(&work);
    double least = 0; // the adjusted value of a row is not below that of a farther row
    for (size_t i = 0; i < test->rows; i++) {
        size_t row = work.order[i];
        test->p[row] = (double)work.alone[row] / (double)test->assignments;
        least = fmax(least, (double)work.together[row] / (double)test->assignments);
        test->adjusted[row] = least;
    }
    close_work(&work);
    return 0;
}
