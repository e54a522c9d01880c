// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The tests. With one run a side, each item's counts are compared, and a measured spread between
// runs is allowed for, because one run cannot show its own. With several runs, the runs are
// permuted.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "comparison.h"
#include "runner/options/options.h"

// The same as those of compare.h, of attribution and refusals.
#define SPREAD_ATTRIBUTION 1.0
#define SPREAD_ATTRIBUTION_CLUSTER 1.5 // whether the JIT inlined that call at all
#define SPREAD_REFUSED 0.5
#define SPREAD_DEOPT 1.0 // refused while a frame is deoptimised: whether the JIT guessed well

static enum compare_family family_of(const struct compare_item* item) {
    return item->kind == COMPARE_REFUSAL ? COMPARE_REFUSALS : COMPARE_ERRORS;
}

static bool is_interpreted(const struct compare_item* item) {
    for (const struct compare_cell* cell = item->cells; cell != NULL; cell = cell->next)
        if (strcmp(cell->row->mode, "int") != 0) return false;
    return true;
}

double compare_spread(const struct compare_item* item) {
    if (is_interpreted(item)) return COMPARE_SPREAD_INTERPRETED;
    if (item->kind == COMPARE_REFUSAL)
        return strcmp(item->what, oracle_refusal_text(ORACLE_REFUSAL_DEOPT)) == 0 ? SPREAD_DEOPT
                                                                                  : SPREAD_REFUSED;
    if (item->verdict != ORACLE_ATTRIBUTION) return COMPARE_SPREAD_COMPILED;
    return item->kind == COMPARE_CLUSTER ? SPREAD_ATTRIBUTION_CLUSTER : SPREAD_ATTRIBUTION;
}

// ---- Counts -----------------------------------------------------------------------------------

static const uint64_t* trials_of(const struct compare_item* item, const struct compare_row* row) {
    return item->kind == COMPARE_REFUSAL ? row->answered : row->judged;
}

static uint64_t side_sum(const struct compare* compare, const uint64_t* by_run, size_t side) {
    size_t first = side == 0 ? 0 : compare->sides[0].run_count;
    uint64_t sum = 0;
    for (size_t i = 0; i < compare->sides[side].run_count; i++) sum += by_run[first + i];
    return sum;
}

bool compare_is_common(const struct compare* compare, const struct compare_row* row) {
    return side_sum(compare, row->judged, 0) != 0 && side_sum(compare, row->judged, 1) != 0;
}

static bool is_counted(const struct compare* compare, const struct compare_item* item,
                       const struct compare_cell* cell) {
    const uint64_t* trials = trials_of(item, cell->row);
    return side_sum(compare, trials, 0) != 0 && side_sum(compare, trials, 1) != 0;
}

// The item's counts by run, of the rows that both sides have. A JVM that was killed may have booked
// a mismatch, and not yet have counted it as judged.
static void count_runs(const struct compare* compare, const struct compare_item* item,
                       uint64_t* events, uint64_t* trials) {
    memset(events, 0, compare->runs * sizeof *events);
    memset(trials, 0, compare->runs * sizeof *trials);
    for (const struct compare_cell* cell = item->cells; cell != NULL; cell = cell->next) {
        if (!is_counted(compare, item, cell)) continue;
        for (size_t i = 0; i < compare->runs; i++) {
            uint64_t here = trials_of(item, cell->row)[i];
            trials[i] += here;
            events[i] += cell->events[i] < here ? cell->events[i] : here;
        }
    }
}

// The share of events that is expected on B. It is summed by rows, as one side may have judged more
// of a row that has more events.
static double share_of(const struct compare* compare, const struct compare_item* item) {
    double events = 0, on_b = 0;
    for (const struct compare_cell* cell = item->cells; cell != NULL; cell = cell->next) {
        if (!is_counted(compare, item, cell)) continue;
        double a = (double)side_sum(compare, trials_of(item, cell->row), 0);
        double b = (double)side_sum(compare, trials_of(item, cell->row), 1);
        double count =
            (double)side_sum(compare, cell->events, 0) + (double)side_sum(compare, cell->events, 1);
        events += count;
        on_b += count * b / (a + b);
    }
    return events == 0 ? 0 : on_b / events;
}

static void range(const struct compare* compare, struct compare_item* item, const uint64_t* events,
                  const uint64_t* trials) {
    for (size_t i = 0; i < compare->runs; i++) {
        int side = i >= compare->sides[0].run_count;
        if (trials[i] == 0) continue;
        double rate = (double)events[i] / (double)trials[i];
        item->low[side] = fmin(item->low[side], rate);
        item->high[side] = fmax(item->high[side], rate);
    }
}

static void count_item(const struct compare* compare, struct compare_item* item) {
    uint64_t* events = base_must(calloc(compare->runs, sizeof *events));
    uint64_t* trials = base_must(calloc(compare->runs, sizeof *trials));
    count_runs(compare, item, events, trials);
    item->low[0] = item->low[1] = 1;
    range(compare, item, events, trials);
    for (size_t s = 0; s < 2; s++) {
        item->events[s] = side_sum(compare, events, s);
        item->trials[s] = side_sum(compare, trials, s);
        if (item->low[s] > item->high[s]) item->low[s] = item->high[s];
    }
    item->share = share_of(compare, item);
    item->p = item->adjusted = 1;
    item->tested = item->events[0] + item->events[1] != 0 &&
                   (item->kind != COMPARE_CAUSE || compare->without_causes == 0);
    free(events);
    free(trials);
}

// ---- One run a side ---------------------------------------------------------------------------

static double test_events(const struct compare* compare, const struct compare_item* item,
                          const uint64_t events[2]) {
    double spread = compare->options.spread >= 0 ? compare->options.spread : compare_spread(item);
    if (spread == 0 && item->kind != COMPARE_CLUSTER) return oracle_fisher(events, item->trials);
    return oracle_share_test(events, item->share, spread);
}

// The smallest possible p of so many events: all of them on one side.
static double floor_of(const struct compare* compare, const struct compare_item* item) {
    uint64_t all = item->events[0] + item->events[1];
    double least = 1;
    for (int s = 0; s < 2; s++) {
        uint64_t here = all < item->trials[s] ? all : item->trials[s];
        uint64_t events[2] = {s == 0 ? here : all - here, s == 0 ? all - here : here};
        least = fmin(least, test_events(compare, item, events));
    }
    return least;
}

// Chooses the items whose smallest possible p is at most level / K, for the smallest K that is not
// below their number (Tarone). An item that was seen once or twice, as most clusters are, could not
// differ whatever side it was on, and would take all strength from the rest. The choice depends on
// sums over both sides only, so it favours no outcome.
static size_t choose(const struct compare* compare, struct compare_item** items, size_t count) {
    double* floors = base_must(calloc(count + 1, sizeof *floors));
    size_t k = 0, chosen = count;
    for (size_t i = 0; i < count; i++) floors[i] = floor_of(compare, items[i]);
    while (chosen > k) {
        k++;
        chosen = 0;
        for (size_t i = 0; i < count; i++)
            chosen += floors[i] <= compare->options.level / (double)k;
    }
    for (size_t i = 0, first = 0; i < count; i++) {
        if (floors[i] > compare->options.level / (double)k) continue;
        struct compare_item* kept = items[first];
        items[first++] = items[i];
        items[i] = kept;
    }
    free(floors);
    return chosen;
}

// The number of tests that count.
static size_t test_singles(struct compare* compare, struct compare_item** items, size_t count) {
    double* p = base_must(calloc(count + 1, sizeof *p));
    for (size_t i = 0; i < count; i++)
        items[i]->p = test_events(compare, items[i], items[i]->events);
    size_t chosen = choose(compare, items, count);
    for (size_t i = 0; i < chosen; i++) p[i] = items[i]->p;
    oracle_holm(p, chosen);
    for (size_t i = 0; i < chosen; i++) items[i]->adjusted = p[i];
    free(p);
    return chosen;
}

// ---- Several runs -----------------------------------------------------------------------------

static void test_runs(struct compare* compare, struct compare_item** items, size_t count,
                      enum compare_family family) {
    uint64_t* events = base_must(calloc(count * compare->runs + 1, sizeof *events));
    uint64_t* trials = base_must(calloc(count * compare->runs + 1, sizeof *trials));
    double* p = base_must(calloc(2 * count + 1, sizeof *p));
    struct oracle_permutation test = {
        .runs = {compare->sides[0].run_count, compare->sides[1].run_count},
        .rows = count,
        .events = events,
        .trials = trials,
        .p = p,
        .adjusted = p + count};
    for (size_t i = 0; i < count; i++)
        count_runs(compare, items[i], events + i * compare->runs, trials + i * compare->runs);
    if (oracle_permute(&test) != 0) base_must(NULL);
    for (size_t i = 0; i < count; i++) {
        items[i]->p = test.p[i];
        items[i]->adjusted = test.adjusted[i];
    }
    compare->assignments[family] = test.assignments;
    compare->complete = test.complete;
    free(events);
    free(trials);
    free(p);
}

// ---- Outcomes ---------------------------------------------------------------------------------

static void decide(struct compare* compare, struct compare_item* item) {
    item->outcome = COMPARE_SAME;
    if (item->adjusted > compare->options.level) return; // always, where more runs are needed
    double expected = item->share * (double)(item->events[0] + item->events[1]);
    if (compare->by_runs)
        item->outcome = (double)item->events[1] / (double)item->trials[1] >
                                (double)item->events[0] / (double)item->trials[0]
                            ? COMPARE_WORSE
                            : COMPARE_BETTER;
    else item->outcome = (double)item->events[1] > expected ? COMPARE_WORSE : COMPARE_BETTER;
    compare->worse[family_of(item)] += item->outcome == COMPARE_WORSE;
    compare->better[family_of(item)] += item->outcome == COMPARE_BETTER;
}

static bool is_dead(const char* verdict) {
    return strcmp(verdict, "CRASH") == 0 || strcmp(verdict, "XCRASH") == 0 ||
           strcmp(verdict, "HANG") == 0;
}

// Was the row's JVM started at all?
static bool is_made(const char* verdict) {
    return verdict[0] != '\0' && strcmp(verdict, "SKIP") != 0 && strcmp(verdict, "HARNESS") != 0;
}

bool compare_is_death(const struct compare* compare, const struct compare_row* row) {
    bool made = false, dead = false;
    for (size_t i = 0; i < compare->sides[0].run_count; i++) {
        if (is_dead(row->verdicts[i])) return false;
        made |= is_made(row->verdicts[i]);
    }
    for (size_t i = compare->sides[0].run_count; i < compare->runs; i++)
        dead |= is_dead(row->verdicts[i]);
    return made && dead;
}

// The ratio of samples judged in a run, in the rows that both sides have; at least 1.
static double uneven(const struct compare* compare) {
    struct compare_row *row, *next;
    double judged[2] = {0, 0};
    HASH_ITER(hh, compare->rows, row, next)
    for (size_t s = 0; s < 2 && compare_is_common(compare, row); s++)
        judged[s] += (double)side_sum(compare, row->judged, s);
    double a = judged[0] / (double)compare->sides[0].run_count;
    double b = judged[1] / (double)compare->sides[1].run_count;
    return compare->common == 0 ? 1 : fmax(a / b, b / a);
}

static void begin(struct compare* compare) {
    const size_t runs[2] = {compare->sides[0].run_count, compare->sides[1].run_count};
    if (compare->options.level == 0) compare->options.level = COMPARE_LEVEL;
    compare->by_runs = compare->runs > 2;
    if (compare->by_runs && oracle_permutation_floor(runs) > compare->options.level)
        compare->runs_needed = oracle_permutation_runs(compare->options.level);
    struct compare_row *row, *next;
    HASH_ITER(hh, compare->rows, row, next) {
        compare->common += compare_is_common(compare, row);
        compare->deaths += compare_is_death(compare, row);
    }
    compare->uneven = uneven(compare);
}

void compare_judge(struct compare* compare) {
    struct compare_item *item, *next;
    compare_settle(compare);
    begin(compare);
    HASH_ITER(hh, compare->items, item, next) count_item(compare, item);
    struct compare_item** family =
        base_must(calloc(HASH_COUNT(compare->items) + 1, sizeof *family));
    for (int f = 0; f < COMPARE_FAMILIES; f++) {
        size_t count = 0;
        HASH_ITER(hh, compare->items, item, next)
        if (item->tested && (int)family_of(item) == f) family[count++] = item;
        compare->candidates[f] = compare->tests[f] = count;
        if (compare->by_runs) test_runs(compare, family, count, (enum compare_family)f);
        else compare->tests[f] = test_singles(compare, family, count);
    }
    free(family);
    HASH_ITER(hh, compare->items, item, next) decide(compare, item);
}

bool compare_lacks_causes(const struct compare* compare) {
    const char* cause = compare->options.cause;
    size_t length = cause == NULL ? 0 : strlen(cause);
    return cause != NULL && names_refused(cause, &length) == NULL && compare->without_causes != 0;
}

int compare_status(const struct compare* compare) {
    if (compare->worse[COMPARE_ERRORS] + compare->worse[COMPARE_REFUSALS] + compare->deaths != 0)
        return RUNNER_EXIT_FAIL;
    if (compare->common == 0 || compare->runs_needed != 0 || compare_lacks_causes(compare))
        return RUNNER_EXIT_INCONCLUSIVE;
    return RUNNER_EXIT_PASS;
}
