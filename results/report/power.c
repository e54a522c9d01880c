// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// How small an error a row would have noticed, given what it saw.
#include "rows.h"

// Additional events are binomial at some rate. At the upper bound of `more - 1` events' interval,
// `more` events or more have the probability of the bound: Clopper and Pearson's own definition.
double power_rate(uint64_t seen, uint64_t needed, uint64_t trials) {
    if (seen >= needed) return 0;
    if (needed > trials) return 1;
    return oracle_interval(needed - seen - 1, trials, 0.90).high;
}

// The least number from 1 to trials for which `over` holds, by halving: it holds from there on.
static uint64_t least(uint64_t trials, bool (*over)(uint64_t events, const void* what),
                      const void* what) {
    uint64_t low = 1, high = trials + 1;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (over(middle, what)) high = middle;
        else low = middle + 1;
    }
    return low;
}

struct limit {
    uint64_t trials;
    double limit;
};

static bool over_limit(uint64_t events, const void* what) {
    const struct limit* limit = what;
    return oracle_interval_above(events, limit->trials, 0.95, limit->limit);
}

uint64_t power_over_limit(uint64_t trials, double limit) {
    const struct limit what = {trials, limit};
    return least(trials, over_limit, &what);
}

struct measured {
    uint64_t trials;
    const struct results_ceiling* ceiling;
    double floor;
};

static bool over_measured(uint64_t events, const void* what) {
    const struct measured* measured = what;
    return ceilings_above(events, measured->trials, measured->ceiling, measured->floor);
}

static double beyond(const struct results_row* row, const struct results_ceiling* ceiling,
                     uint64_t seen, uint64_t trials) {
    const struct measured what = {trials, ceiling, ceilings_floor(row, ceiling)};
    return power_rate(seen, least(trials, over_measured, &what), trials);
}

// The additional rate of stacks without frames: a profiler gives no reason, and only what was
// measured is a limit.
static double without_frames(const struct results_row* row) {
    const struct results_ceiling* ceiling = ceilings_find(row, RESULTS_SUBJECT_EMPTY, 0);
    uint64_t seen = row->counts.verdict[ORACLE_REFUSED], trials = row->counts.answered;
    if (ceiling == NULL || trials == 0 || seen > trials) return 1;
    return beyond(row, ceiling, seen, trials);
}

// The additional rate of refusals of one code that this row would have noticed.
static double refusals_of(const struct results_row* row, uint32_t code) {
    const struct results_ceiling* ceiling = ceilings_find(row, RESULTS_SUBJECT_REFUSAL, code);
    uint64_t seen = row->counts.refused[code], trials = row->counts.answered;
    if (code != ORACLE_REFUSAL_OTHER && waiting_may_be_asked(row->execution->run)) return 1;
    if (trials == 0 || seen > trials) return 1;
    if (code == ORACLE_REFUSAL_OTHER) return power_rate(seen, 1, trials);
    if (ceiling == NULL) {
        double limit = results_refusal_limit((enum oracle_refusal)code);
        return power_rate(seen, power_over_limit(trials, limit), trials);
    }
    return beyond(row, ceiling, seen, trials);
}

static double refusals(const struct results_row* row) {
    double most = 0;
    if (row->layer == ORACLE_LAYER_PROFILER) return without_frames(row);
    for (uint32_t code = 0; code < ORACLE_REFUSAL_COUNT; code++) {
        if (oracle_refusal_is_due((enum oracle_refusal)code)) continue;
        double rate = refusals_of(row, code);
        if (rate > most) most = rate;
    }
    return most;
}

void results_row_power(struct results_row* row) {
    uint64_t trials = exact_compares_nothing(row) ? 0 : row->judged;
    row->notices = 1;
    if (row->judged != 0)
        row->notices =
            power_rate(exact_others(row), power_over_limit(row->judged, row->limit), trials);
    row->notices_refusals = refusals(row);
}
