// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Bisections over made-up builds, thousands of them. `--verbose=1` prints what they took.
#include <criterion/criterion.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "bisect_parts.h"
#include "oracle/oracle.h"

#define BUILDS 16
#define SLICE 500u // samples in the 0.2 s between two looks

// What builds are like.
struct world {
    double good, bad; // rates of events
    double clump;     // events come in clumps of so many on average
    double wander;    // each JVM's rate has up to so many times the odds, or as few
    double error, spread;
    unsigned unusable; // bits: builds that do not start
};

struct builds {
    struct world world;
    size_t first_bad;
    gsl_rng* random;
    double trials; // in steps, not at the ends
    double limit;  // trials, after which a question is undecided; 0: none
    size_t asked[64];
    unsigned count;
};

static double rate_of(struct builds* builds, size_t build) {
    const struct world* world = &builds->world;
    double rate = build >= builds->first_bad ? world->bad : world->good;
    double factor = exp((2 * gsl_rng_uniform(builds->random) - 1) * log(fmax(world->wander, 1)));
    return rate == 0 ? 0 : bisect_odds(rate, factor);
}

static uint64_t draw(struct builds* builds, double rate) {
    double clump = builds->world.clump;
    if (clump <= 1) return gsl_ran_binomial(builds->random, rate, SLICE);
    uint64_t events = 0;
    for (unsigned n = gsl_ran_binomial(builds->random, rate / clump, SLICE); n > 0; n--)
        events += gsl_ran_geometric(builds->random, 1 / clump);
    return events < SLICE ? events : SLICE;
}

static void answer(void* context, struct bisect_question* question) {
    struct builds* builds = context;
    builds->asked[builds->count++ % 64] = question->build;
    if ((builds->world.unusable & 1u << question->build) != 0) {
        question->answer = BISECT_UNUSABLE;
        snprintf(question->note, sizeof question->note, "it does not start");
        return;
    }
    double rate = rate_of(builds, question->build);
    question->answer = BISECT_UNANSWERED;
    while (!bisect_question_add(question, draw(builds, rate), SLICE))
        if (builds->limit > 0 && (double)question->count.trials >= builds->limit) {
            question->answer = BISECT_UNDECIDED;
            break;
        }
    question->seconds = (double)question->count.trials / (SLICE * 5);
    if (question->target == 0) builds->trials += (double)question->count.trials;
}

static enum bisect_end bisect(struct builds* builds, struct bisect_search* search,
                              enum bisect_state state[BUILDS]) {
    const struct world* world = &builds->world;
    memset(state, 0, BUILDS * sizeof *state);
    builds->count = 0;
    search->count = BUILDS;
    search->state = state;
    search->error = world->error;
    search->spread = world->spread;
    search->ask = answer;
    search->context = builds;
    return bisect_search_run(search);
}

// ---- Thousands --------------------------------------------------------------------------------

struct tally {
    unsigned wrong, unanswered, right;
    double trials, decisions;
    double fixed, ideal; // a fixed size: with the same hypotheses; with the true rates, if known
};

// Trials of a test of fixed size with the same errors (normal approximation).
static double fixed_trials(const struct bisect_test* test) {
    double deviations = sqrt(test->good * (1 - test->good)) + sqrt(test->bad * (1 - test->bad));
    double root = gsl_cdf_ugaussian_Qinv(test->error) * deviations / (test->bad - test->good);
    return test->dispersion * root * root;
}

static struct tally repeat(const struct world* world, unsigned times, unsigned long seed) {
    struct tally tally = {0};
    struct builds builds = {.world = *world, .random = gsl_rng_alloc(gsl_rng_mt19937)};
    gsl_rng_set(builds.random, seed);
    for (unsigned i = 0; i < times; i++) {
        enum bisect_state state[BUILDS];
        struct bisect_search search = {0};
        builds.first_bad = 1 + i % (BUILDS - 1);
        builds.trials = 0;
        if (bisect(&builds, &search, state) != BISECT_FOUND) {
            tally.unanswered++;
            continue;
        }
        bool right = search.last_good < builds.first_bad && search.first_bad >= builds.first_bad;
        tally.right += right;
        tally.wrong += !right;
        cr_assert_leq(search.wrong, world->error);
        struct bisect_test test = search.test;
        test.error = world->error / 7; // as the share of each step of 16 builds
        tally.trials += builds.trials;
        tally.decisions += search.decisions - 2;
        tally.fixed += fixed_trials(&test) * (search.decisions - 2);
        test.good = fmax(world->good, 1e-12);
        test.bad = world->bad;
        tally.ideal += fixed_trials(&test) * (search.decisions - 2);
    }
    gsl_rng_free(builds.random);
    return tally;
}

// More wrong answers than the stated probability makes likely are a defect; so is no answer where
// the difference is there.
static void holds(const char* name, struct world world, unsigned times) {
    struct tally tally = repeat(&world, times, 20261120);
    cr_log_info("%-26s %5u bisections: %u wrong, %u unanswered; %.0f samples a step, "
                "of a fixed size %.0f, and %.0f were the true rates known",
                name, times, tally.wrong, tally.unanswered, tally.trials / tally.decisions,
                tally.fixed / tally.decisions, tally.ideal / tally.decisions);
    cr_expect_leq(oracle_interval(tally.wrong, times, 0.99).low, world.error, "%s: %u of %u wrong",
                  name, tally.wrong, times);
    cr_expect_eq(tally.unanswered, 0, "%s: %u unanswered", name, tally.unanswered);
    cr_expect_lt(tally.trials, 0.7 * tally.fixed, "%s", name);
}

Test(bisect_simulated, wrong_answers_stay_within_the_stated_probability, .timeout = 300) {
    const double strict = 1e-3, spread = 1.25;
    holds("0 -> 1/10", (struct world){0, 0.1, 1, 1, strict, spread, 0}, 400);
    holds("0 -> 1/100", (struct world){0, 0.01, 1, 1, strict, spread, 0}, 400);
    holds("0 -> 1/1000", (struct world){0, 0.001, 1, 1, strict, spread, 0}, 300);
    holds("1/1000 -> 1/100", (struct world){1e-3, 1e-2, 1, 1, strict, spread, 0}, 400);
    holds("1/1000 -> 1/400", (struct world){1e-3, 2.5e-3, 1, 1, strict, spread, 0}, 200);
    holds("30 % -> 50 %", (struct world){0.3, 0.5, 1, 1, strict, spread, 0}, 400);
    holds("1/100 -> 1/1000", (struct world){1e-2, 1e-3, 1, 1, strict, spread, 0}, 400);
    // As measured on JDK 17, `mixed` in mode int, and the same with seeded faults.
    holds("measured: 1/100 seeded", (struct world){1e-4, 8e-3, 1.4, 1.1, strict, spread, 0}, 400);
    holds("measured: 1/1000 seeded", (struct world){1e-4, 8e-4, 1.4, 1.1, strict, spread, 0}, 200);
    holds("clumps of 4", (struct world){1e-3, 1e-2, 4, 1, strict, spread, 0}, 400);
    holds("runs differ by 1.25", (struct world){1e-3, 1e-2, 1, 1.25, strict, 1.5625, 0}, 400);
}

// An error of 1 in 20 is often enough to be seen, if it were more.
Test(bisect_simulated, large_errors_are_kept_too, .timeout = 300) {
    holds("5 %: 1/1000 -> 1/100", (struct world){1e-3, 1e-2, 1, 1, 0.05, 1, 0}, 1000);
    holds("5 %: 1/200 -> 1/100", (struct world){5e-3, 1e-2, 1, 1, 0.05, 1, 0}, 600);
    holds("5 %: clumps of 4", (struct world){1e-3, 1e-2, 4, 1, 0.05, 1, 0}, 1000);
    holds("5 %: 3 do not start", (struct world){1e-3, 1e-2, 1, 1, 0.05, 1, 0x1090}, 600);
}

Test(bisect_simulated, the_test_alone_errs_as_often_as_it_says, .timeout = 60) {
    const double error = 0.05;
    gsl_rng* random = gsl_rng_alloc(gsl_rng_mt19937);
    unsigned wrong = 0, times = 4000;
    for (unsigned i = 0; i < times; i++) {
        bool bad = i % 2 == 0;
        struct bisect_question question = {.test = {0.01, 0.02, error, 1}};
        while (!bisect_question_add(&question, gsl_ran_binomial(random, bad ? 0.02 : 0.01, 20), 20))
            continue;
        wrong += (question.answer == BISECT_IS_BAD) != bad;
    }
    gsl_rng_free(random);
    cr_expect_leq(wrong, error * times);
    cr_expect_gt(wrong, error * times / 4, "%u: so cautious that it wastes samples", wrong);
}

// ---- Single ones ------------------------------------------------------------------------------

// One bisection; the good end's and the bad end's builds, or why there are none.
static enum bisect_end once(struct world world, size_t first_bad, double limit,
                            struct bisect_search* search, enum bisect_state state[BUILDS]) {
    struct builds builds = {.world = world,
                            .first_bad = first_bad,
                            .limit = limit,
                            .random = gsl_rng_alloc(gsl_rng_mt19937)};
    enum bisect_end end = bisect(&builds, search, state);
    gsl_rng_free(builds.random);
    return end;
}

static const struct world plain = {1e-3, 1e-2, 1, 1, 1e-3, 1.25, 0};

Test(bisect_search, the_first_bad_build_is_found_in_every_place) {
    for (size_t k = 1; k < BUILDS; k++) {
        enum bisect_state state[BUILDS];
        struct bisect_search search = {0};
        cr_assert_eq(once(plain, k, 0, &search, state), BISECT_FOUND, "%zu", k);
        cr_expect_eq(search.last_good, k - 1, "%zu", k);
        cr_expect_eq(search.first_bad, k, "%zu", k);
        cr_expect_leq(search.decisions, 2 + 4);
    }
}

Test(bisect_search, builds_that_do_not_start_are_left_out_and_neighbours_asked) {
    struct world world = plain;
    enum bisect_state state[BUILDS];
    struct bisect_search search = {0};
    world.unusable = 1u << 7 | 1u << 8;
    cr_assert_eq(once(world, 7, 0, &search, state), BISECT_FOUND);
    cr_expect_eq(search.last_good, 6);
    cr_expect_eq(search.first_bad, 9);
    cr_expect_eq(state[7], BISECT_LEFT_OUT);
    cr_expect_eq(state[8], BISECT_LEFT_OUT);
}

Test(bisect_search, an_end_that_does_not_start_ends_it) {
    struct world world = plain;
    enum bisect_state state[BUILDS];
    struct bisect_search search = {0};
    world.unusable = 1u << 15;
    cr_assert_eq(once(world, 7, 0, &search, state), BISECT_END_UNUSABLE);
    cr_expect_neq(strstr(search.why, "the bad end cannot be used: it does not start"), NULL);
}

Test(bisect_search, ends_that_do_not_differ_are_told) {
    struct world world = plain;
    enum bisect_state state[BUILDS];
    struct bisect_search search = {.seconds = 20};
    world.bad = world.good;
    cr_assert_eq(once(world, 7, 50000, &search, state), BISECT_SAME);
    cr_expect_neq(strstr(search.why, "do not differ"), NULL, "%s", search.why);
}

Test(bisect_search, a_difference_within_the_spread_is_too_small) {
    struct world world = plain;
    enum bisect_state state[BUILDS];
    struct bisect_search search = {.seconds = 400};
    world.good = 0.3;
    world.bad = 0.33;
    cr_assert_eq(once(world, 7, 1e6, &search, state), BISECT_TOO_SMALL);
    cr_expect_neq(strstr(search.why, "--spread"), NULL, "%s", search.why);
}

Test(bisect_search, a_difference_that_is_not_sure_is_not_called_none) {
    struct world world = plain;
    enum bisect_state state[BUILDS];
    struct bisect_search search = {.seconds = 1};
    world.bad = 8e-3;
    cr_assert_eq(once(world, 7, 4000, &search, state), BISECT_TOO_SMALL, "%s", search.why);
    cr_expect_neq(strstr(search.why, "seem to differ"), NULL, "%s", search.why);
    cr_expect_neq(strstr(search.why, "a step would take about"), NULL, "%s", search.why);
}

Test(bisect_search, a_difference_too_small_for_the_time_is_told_before_any_step) {
    struct world world = plain;
    enum bisect_state state[BUILDS];
    struct bisect_search search = {.seconds = 0.2};
    world.bad = 4e-2;
    world.spread = 1;
    cr_assert_eq(once(world, 7, 0, &search, state), BISECT_TOO_SMALL, "%s", search.why);
    cr_expect_eq(search.questions, 2);
    cr_expect_neq(strstr(search.why, "too small for the time allowed"), NULL, "%s", search.why);
}

Test(bisect_search, given_rates_are_verified_at_both_ends) {
    enum bisect_state state[BUILDS];
    struct bisect_search search = {.given = true, .test = {2e-3, 8e-3, 0, 1}};
    cr_assert_eq(once(plain, 5, 0, &search, state), BISECT_FOUND);
    cr_expect_eq(search.first_bad, 5);
    search = (struct bisect_search){.given = true, .test = {2e-2, 8e-2, 0, 1}};
    cr_assert_eq(once(plain, 5, 0, &search, state), BISECT_SAME);
    cr_expect_neq(strstr(search.why, "the bad end is good"), NULL, "%s", search.why);
}

// ---- Rates ------------------------------------------------------------------------------------

Test(bisect_rate, no_event_at_the_good_end_gives_its_upper_bound) {
    struct bisect_count good = {0}, bad = {0};
    struct bisect_test test = {0};
    bisect_count_add(&good, 0, 10000);
    bisect_count_add(&bad, 100, 10000);
    cr_assert(bisect_test_between(&good, &bad, 1e-4, 1, &test));
    cr_expect_float_eq(test.good, -log(1e-4) / 10000, 1e-5);
    cr_expect_lt(test.bad, 0.01);
    cr_expect_gt(test.bad, test.good);
}

Test(bisect_rate, the_worse_end_may_have_the_lower_rate) {
    struct bisect_count good = {0}, bad = {0};
    struct bisect_test test = {0};
    bisect_count_add(&good, 5000, 10000);
    bisect_count_add(&bad, 1000, 10000);
    cr_assert(bisect_test_between(&good, &bad, 1e-4, 1.25, &test));
    test.error = 1e-3;
    cr_expect_gt(test.good, test.bad);
    cr_expect_eq(bisect_test_side(&test, &good), BISECT_GOOD);
    cr_expect_eq(bisect_test_side(&test, &bad), BISECT_BAD);
    cr_expect_eq(bisect_test_side(&test, &(struct bisect_count){0}), BISECT_OPEN);
}

Test(bisect_rate, clumps_show_as_dispersion_and_chance_does_not) {
    struct bisect_count even = {0}, clumps = {0};
    gsl_rng* random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int i = 0; i < 2000; i++) {
        unsigned events = gsl_ran_binomial(random, 0.02, 100);
        bisect_count_add(&even, events, 100);
        bisect_count_add(&clumps, 4 * gsl_ran_binomial(random, 0.005, 100), 100);
    }
    gsl_rng_free(random);
    cr_expect_float_eq(bisect_dispersion(&even), 1, 0.15);
    cr_expect_float_eq(bisect_dispersion(&clumps), 4, 0.6);
    cr_expect_eq(bisect_dispersion(&(struct bisect_count){0}), 1);
}

Test(bisect_rate, what_dispersion_leaves_of_an_event_counts_as_one) {
    struct bisect_count good = {0}, bad = {0};
    struct bisect_test test = {0};
    bisect_count_add(&good, 0, 10000);
    bisect_count_add(&good, 9, 10000);
    bisect_count_add(&bad, 9000, 20000);
    cr_assert(bisect_test_between(&good, &bad, 1e-4, 1, &test));
    cr_assert_gt(test.dispersion, 9, "less than an event is left of nine");
    uint64_t trials = (uint64_t)floor(20000 / test.dispersion);
    cr_expect_float_eq(test.good, oracle_interval(1, trials, 1 - 2e-4).high, 1e-9);
}
