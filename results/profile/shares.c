// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The profile as a whole: who has how much self and total time, by the truth and by the profiler,
// and how far the two lie apart.
#include <stdlib.h>
#include <string.h>

#include "parts.h"

#define REPLICATES 500
#define SEED 0x506c756d626c696eu

// ---- Adding ------------------------------------------------------------------------------------

static bool room_for(struct profile_shares* shares, uint32_t method) {
    if (method < shares->name_room) return true;
    size_t room = shares->name_room == 0 ? 256 : shares->name_room;
    while (room <= method) room *= 2;
    struct results_share* by_name = realloc(shares->by_name, room * sizeof *by_name);
    if (by_name == NULL) return false;
    shares->by_name = by_name;
    uint32_t* seen = realloc(shares->seen, room * sizeof *seen);
    if (seen == NULL) return false;
    shares->seen = seen;
    memset(by_name + shares->name_room, 0, (room - shares->name_room) * sizeof *by_name);
    memset(seen + shares->name_room, 0, (room - shares->name_room) * sizeof *seen);
    shares->name_room = shares->seen_room = room;
    return true;
}

static uint32_t self_of(const struct profile_stack* stack) {
    for (size_t i = 0; i < stack->count; i++)
        if (stack->methods[i] != PROFILE_NO_METHOD) return stack->methods[i];
    return PROFILE_NO_METHOD;
}

enum side { TRUTH, SAMPLED, GIVEN };

static uint64_t* total_of(struct results_share* share, enum side side) {
    return side == TRUTH     ? &share->truth_total
           : side == SAMPLED ? &share->sampled_total
                             : &share->given_total;
}

// Each method once, however often it is on the stack.
static bool add_total(struct profile_shares* shares, const struct profile_stack* stack,
                      enum side side) {
    shares->stamp++;
    for (size_t i = 0; i < stack->count; i++) {
        uint32_t method = stack->methods[i];
        if (!room_for(shares, method)) return false;
        if (method == PROFILE_NO_METHOD || shares->seen[method] == shares->stamp) continue;
        shares->seen[method] = shares->stamp;
        ++*total_of(&shares->by_name[method], side);
    }
    return true;
}

bool profile_shares_add(struct profile_shares* shares, const struct profile_stack* truth,
                        const struct profile_stack* given) {
    struct profile_pair pair = {self_of(truth), given != NULL ? self_of(given) : PROFILE_NO_STACK};
    if (!profile_grow((void**)&shares->pairs, shares->pair_count, &shares->pair_room,
                      sizeof *shares->pairs) ||
        !room_for(shares, pair.truth) || (given != NULL && !room_for(shares, pair.given)) ||
        !add_total(shares, truth, TRUTH))
        return false;
    shares->pairs[shares->pair_count++] = pair;
    shares->by_name[pair.truth].truth_self++;
    if (given == NULL) return true;
    shares->by_name[pair.truth].sampled_self++;
    shares->by_name[pair.given].given_self++;
    return add_total(shares, truth, SAMPLED) && add_total(shares, given, GIVEN);
}

// ---- Distances ---------------------------------------------------------------------------------

static double absolute(double x) {
    return x < 0 ? -x : x;
}

static double part(uint64_t n, uint64_t of) {
    return of == 0 ? 0 : (double)n / (double)of;
}

// Of the counts of one sample of instants: all of `truths`, `stacks` of which led to a stack.
static void distances(const struct results_share* by_name, size_t count, uint64_t truths,
                      uint64_t stacks, double value[RESULTS_DISTANCE_COUNT]) {
    memset(value, 0, RESULTS_DISTANCE_COUNT * sizeof *value);
    if (stacks == 0) return;
    for (size_t i = 0; i < count; i++) {
        double truth = part(by_name[i].truth_self, truths);
        double sampled = part(by_name[i].sampled_self, stacks);
        double given = part(by_name[i].given_self, stacks);
        value[RESULTS_DISTANCE_WALK] += absolute(given - sampled) / 2;
        value[RESULTS_DISTANCE_CHOICE] += absolute(sampled - truth) / 2;
        value[RESULTS_DISTANCE_WHOLE] += absolute(given - truth) / 2;
    }
}

// splitmix64
static uint64_t next(uint64_t* state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void draw(const struct profile_shares* shares, uint64_t* state,
                 struct results_share* by_name, size_t count,
                 double value[RESULTS_DISTANCE_COUNT]) {
    uint64_t stacks = 0;
    memset(by_name, 0, count * sizeof *by_name);
    for (size_t i = 0; i < shares->pair_count; i++) {
        uint64_t at = (uint64_t)(((__uint128_t)next(state) * shares->pair_count) >> 64);
        const struct profile_pair* pair = &shares->pairs[at];
        by_name[pair->truth].truth_self++;
        if (pair->given == PROFILE_NO_STACK) continue;
        stacks++;
        by_name[pair->truth].sampled_self++;
        by_name[pair->given].given_self++;
    }
    distances(by_name, count, shares->pair_count, stacks, value);
}

static int compare_doubles(const void* a, const void* b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

// The percentile interval over samples of instants, drawn with a fixed seed.
static bool bootstrap(const struct profile_shares* shares, size_t count,
                      struct results_distance distance[RESULTS_DISTANCE_COUNT]) {
    static const size_t low = REPLICATES / 40, high = REPLICATES - 1 - REPLICATES / 40;
    struct results_share* by_name = calloc(count + 1, sizeof *by_name);
    double(*all)[REPLICATES] = malloc(RESULTS_DISTANCE_COUNT * sizeof *all);
    uint64_t state = SEED;
    bool whole = by_name != NULL && all != NULL;
    for (size_t r = 0; whole && r < REPLICATES; r++) {
        double value[RESULTS_DISTANCE_COUNT];
        draw(shares, &state, by_name, count, value);
        for (int d = 0; d < RESULTS_DISTANCE_COUNT; d++) all[d][r] = value[d];
    }
    for (int d = 0; whole && d < RESULTS_DISTANCE_COUNT; d++) {
        qsort(all[d], REPLICATES, sizeof all[d][0], compare_doubles);
        distance[d].low = all[d][low];
        distance[d].high = all[d][high];
    }
    free(by_name);
    free(all);
    return whole;
}

// ---- The end -----------------------------------------------------------------------------------

static int compare_shares(const void* a, const void* b) {
    const struct results_share *x = a, *y = b;
    if (x->truth_self != y->truth_self) return x->truth_self > y->truth_self ? -1 : 1;
    if (x->given_self != y->given_self) return x->given_self > y->given_self ? -1 : 1;
    return strcmp(x->name, y->name);
}

static bool is_seen(const struct results_share* share) {
    return share->truth_self + share->truth_total + share->given_self + share->given_total != 0;
}

static bool list_shares(const struct profile_shares* shares, const struct profile_names* names,
                        struct results_profile* profile) {
    profile->shares = calloc(shares->name_room + 1, sizeof *profile->shares);
    if (profile->shares == NULL) return false;
    for (size_t i = 0; i < shares->name_room; i++) {
        struct results_share share = shares->by_name[i];
        if (!is_seen(&share)) continue;
        share.name = i == PROFILE_NO_METHOD ? "(no instrumented method)"
                                            : profile_names_at(names, (uint32_t)i - 1)->text;
        profile->shares[profile->share_count++] = share;
    }
    qsort(profile->shares, profile->share_count, sizeof *profile->shares, compare_shares);
    return true;
}

bool profile_shares_finish(struct profile_shares* shares, const struct profile_names* names,
                           struct results_profile* profile) {
    double value[RESULTS_DISTANCE_COUNT];
    profile->truths = shares->pair_count;
    for (size_t i = 0; i < shares->pair_count; i++)
        profile->stacks += shares->pairs[i].given != PROFILE_NO_STACK;
    distances(shares->by_name, shares->name_room, profile->truths, profile->stacks, value);
    for (int d = 0; d < RESULTS_DISTANCE_COUNT; d++) profile->distance[d].value = value[d];
    if (profile->stacks != 0 && !bootstrap(shares, shares->name_room, profile->distance))
        return false;
    return list_shares(shares, names, profile);
}

void profile_shares_close(struct profile_shares* shares) {
    free(shares->by_name);
    free(shares->pairs);
    free(shares->seen);
    *shares = (struct profile_shares){0};
}
