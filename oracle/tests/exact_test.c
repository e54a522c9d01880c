// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The statistical tests of two sides: against values summed in exact fractions, and against their
// stated properties.
#include <math.h>

#include <criterion/criterion.h>

#include "oracle/oracle.h"

#define SIDES(a, b) ((const uint64_t[2]){a, b})

static void near(double value, double expected, const char* what) {
    cr_expect(fabs(value - expected) <= 1e-6 * expected + 1e-15, "%s: %.12g, expected %.12g", what,
              value, expected);
}

// ---- One run a side ---------------------------------------------------------------------------

static void fisher(uint64_t a, uint64_t of_a, uint64_t b, uint64_t of_b, double expected) {
    near(oracle_fisher(SIDES(a, b), SIDES(of_a, of_b)), expected, "fisher");
    near(oracle_fisher(SIDES(b, a), SIDES(of_b, of_a)), expected, "fisher, sides exchanged");
    near(oracle_fisher(SIDES(of_a - a, of_b - b), SIDES(of_a, of_b)), expected,
         "fisher, of trials without event");
}

Test(exact, fisher_gives_the_values_of_summed_tables) {
    fisher(3, 4, 1, 4, 0.4857142857142857); // the lady tasting tea
    fisher(1, 10, 11, 14, 0.0027594561852200836);
    fisher(12, 34567, 40, 30001, 9.605949589304894e-06);
    fisher(0, 20000, 5, 20000, 0.06248437519536133);
    fisher(0, 10, 10, 10, 1.082508822446903e-05);
    fisher(500, 1000, 560, 1000, 0.008193461025460338);
    fisher(3000, 8000, 3300, 8000, 1.306424277769394e-06);
    fisher(0, 100, 3, 300, 0.5763592398080629);
}

Test(exact, fisher_says_1_where_nothing_can_differ) {
    cr_expect_eq(oracle_fisher(SIDES(2, 2), SIDES(100, 100)), 1);
    cr_expect_eq(oracle_fisher(SIDES(7, 7), SIDES(7, 7)), 1, "all of all");
    cr_expect_eq(oracle_fisher(SIDES(0, 0), SIDES(5, 900)), 1);
    cr_expect_eq(oracle_fisher(SIDES(0, 5), SIDES(0, 10)), 1, "no trials on a side");
}

Test(exact, fisher_copes_with_a_day_of_samples) {
    double p = oracle_fisher(SIDES(400000000, 400100000), SIDES(1000000000, 1000000000));
    double z = 100000 / sqrt(2 * 1e9 * 0.40005 * 0.59995);
    double normal = erfc(z / sqrt(2)); // close, with this many trials
    cr_expect(fabs(p - normal) < 1e-3 * normal, "%.12g, normal %.12g", p, normal);
    cr_expect_lt(oracle_fisher(SIDES(0, 1000000), SIDES(1000000000, 1000000000)), 1e-300);
}

static void share(uint64_t a, uint64_t b, double expected_share, double spread, double expected) {
    double p = oracle_share_test(SIDES(a, b), expected_share, spread);
    // The test covers six standard deviations of the spread, the reference eight.
    cr_expect(fabs(p - expected) <= 1e-3 * expected, "%.12g, expected %.12g", p, expected);
}

Test(exact, without_spread_the_share_is_binomial) {
    share(2, 12, 0.5, 0, 0.012939453125);
    share(0, 6, 0.25, 0, 0.00048828125);
    share(5, 5, 0.5, 0, 1);
    share(10, 0, 1.0 / 3, 0, 0.034683059831665225);
}

Test(exact, a_spread_between_runs_takes_surety_away) {
    share(2, 12, 0.5, 0.5, 0.11599975978763294);
    share(0, 30, 0.3, 0.4, 6.671593153392156e-07);
    share(100, 60, 0.5, 0.2, 0.12724474716769063);
    cr_expect_eq(oracle_share_test(SIDES(0, 0), 0.5, 0.5), 1);
    cr_expect_eq(oracle_share_test(SIDES(3, 4), 1, 0.5), 1, "one side can have no events");
}

Test(exact, holm_multiplies_the_smallest_by_all_and_keeps_the_order) {
    double p[] = {0.01, 0.04, 0.03, 0.005};
    const double expected[] = {0.03, 0.06, 0.06, 0.02};
    oracle_holm(p, 4);
    for (int i = 0; i < 4; i++) cr_expect_float_eq(p[i], expected[i], 1e-12, "%d: %g", i, p[i]);
    double large[] = {0.9, 0.6};
    oracle_holm(large, 2);
    cr_expect_eq(large[0], 1);
    cr_expect_eq(large[1], 1);
    oracle_holm(p, 0);
}

// ---- Several runs a side ----------------------------------------------------------------------

#define ROWS 3
static const uint64_t events[ROWS * 8] = {1, 2, 1, 3, 9, 12, 8, 11, //
                                          5, 2, 7, 3, 4, 6,  2, 9,  //
                                          0, 0, 1, 0, 3, 2,  1, 3};
static const uint64_t trials[ROWS * 8] = {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, //
                                          1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, //
                                          1000, 1000, 1000, 0,    900,  1100, 1000, 1000};

// Another program enumerated the expected values.
Test(permutation, all_assignments_are_counted_and_rows_are_held_against_all_rows) {
    double p[ROWS], adjusted[ROWS];
    struct oracle_permutation test = {.runs = {4, 4},
                                      .rows = ROWS,
                                      .events = events,
                                      .trials = trials,
                                      .p = p,
                                      .adjusted = adjusted};
    cr_assert_eq(oracle_permute(&test), 0);
    cr_expect_eq(test.assignments, 70);
    cr_expect(test.complete);
    const double alone[] = {2 / 70.0, 48 / 70.0, 6 / 70.0};
    const double together[] = {2 / 70.0, 48 / 70.0, 8 / 70.0};
    for (int r = 0; r < ROWS; r++) {
        cr_expect_float_eq(p[r], alone[r], 1e-12, "%d: %g", r, p[r]);
        cr_expect_float_eq(adjusted[r], together[r], 1e-12, "%d: %g", r, adjusted[r]);
    }
}

Test(permutation, one_run_more_on_one_side_is_no_matter) {
    uint64_t few[ROWS * 5], of[ROWS * 5];
    for (int i = 0; i < ROWS * 5; i++) {
        few[i] = events[i / 5 * 8 + i % 5];
        of[i] = trials[i / 5 * 8 + i % 5];
    }
    double p[ROWS], adjusted[ROWS];
    struct oracle_permutation test = {
        .runs = {2, 3}, .rows = ROWS, .events = few, .trials = of, .p = p, .adjusted = adjusted};
    cr_assert_eq(oracle_permute(&test), 0);
    const double alone[] = {0.7, 0.7, 0.3};
    const double together[] = {0.8, 0.8, 0.4}; // none is below that of a farther row
    for (int r = 0; r < ROWS; r++) {
        cr_expect_float_eq(p[r], alone[r], 1e-12, "%d: %g", r, p[r]);
        cr_expect_float_eq(adjusted[r], together[r], 1e-12, "%d: %g", r, adjusted[r]);
    }
}

Test(permutation, too_many_assignments_are_drawn_and_always_the_same) {
    uint64_t counts[24], of[24];
    double p[2], adjusted[2];
    for (int i = 0; i < 24; i++) {
        counts[i] = i < 12 ? 10 + (unsigned)i % 5 : 30 + (unsigned)i % 7;
        of[i] = 10000;
    }
    for (int i = 0; i < 2; i++) {
        struct oracle_permutation test = {.runs = {12, 12},
                                          .rows = 1,
                                          .events = counts,
                                          .trials = of,
                                          .p = &p[i],
                                          .adjusted = &adjusted[i]};
        cr_assert_eq(oracle_permute(&test), 0);
        cr_expect_eq(test.assignments, 20000);
        cr_expect_not(test.complete);
    }
    cr_expect_geq(p[0], 1 / 20000.0, "the true assignment is one of them");
    cr_expect_lt(p[0], 0.001);
    cr_expect_eq(p[0], p[1]);
}

Test(permutation, rows_without_anything_say_nothing) {
    const uint64_t none[4] = {0}, of[4] = {100, 100, 100, 100};
    double p, adjusted;
    struct oracle_permutation test = {
        .runs = {2, 2}, .rows = 1, .events = none, .trials = of, .p = &p, .adjusted = &adjusted};
    cr_assert_eq(oracle_permute(&test), 0);
    cr_expect_eq(p, 1);
    test.trials = none;
    cr_assert_eq(oracle_permute(&test), 0);
    cr_expect_eq(adjusted, 1);
    test.rows = 0;
    cr_expect_eq(oracle_permute(&test), 0);
}

Test(permutation, what_few_runs_cannot_reach_is_known) {
    cr_expect_float_eq(oracle_permutation_floor((const size_t[2]){3, 3}), 0.1, 1e-12);
    cr_expect_float_eq(oracle_permutation_floor((const size_t[2]){4, 4}), 2 / 70.0, 1e-12);
    cr_expect_float_eq(oracle_permutation_floor((const size_t[2]){1, 19}), 0.05, 1e-12);
    cr_expect_float_eq(oracle_permutation_floor((const size_t[2]){19, 1}), 0.05, 1e-12);
    cr_expect_eq(oracle_permutation_runs(0.05), 4);
    cr_expect_eq(oracle_permutation_runs(0.01), 5);
}

// Wanted: the sum of the binomial's own terms (logarithms of factorials), averaged over 1,501 rates
// within ten spreads by the rectangle rule, in another language. Only what is above 1e-12 counts.
static void against(uint64_t count, uint64_t of, double mean, double spread, double excess,
                    double deficit) {
    double more = oracle_excess(count, of, mean, spread);
    double less = oracle_deficit(count, of, mean, spread);
    cr_expect_float_eq(more / excess, 1, 1e-4, "%g, not %g", more, excess);
    cr_expect_float_eq(less / deficit, 1, 1e-4, "%g, not %g", less, deficit);
}

Test(exact, counts_are_held_against_a_rate_that_varies_between_runs) {
    against(12, 1000, 0.01, 0, 0.30265, 0.792512);
    against(40, 1000, 0.01, 0, 4.68855e-13, 1);
    against(40, 1000, 0.01, 0.5, 0.00442985, 0.996187);
    against(1, 5000, 1e-9, 0.1, 5.02505e-06, 1);
    against(300, 2000, 0.02, 0.7, 0.00206956, 0.997961);
    against(0, 1000, 0.01, 0, 1, 4.31712e-05);
    against(0, 20000, 0.01, 1, 1, 3.94521e-06);
    against(3, 1000, 0.02, 0.8, 0.982683, 0.0324775);
    against(900, 10000, 0.03, 0.3, 0.000136568, 0.999865);
}

// With very many trials only the spread between runs is left: the tail of the normal distribution.
Test(exact, of_many_trials_only_the_spread_counts) {
    double z = log(0.03 / 0.01) / 0.3;
    double wanted = erfc(z / sqrt(2)) / 2;
    cr_expect_float_eq(oracle_excess(600000, 20000000, 0.01, 0.3) / wanted, 1, 1e-3);
    cr_expect_float_eq(oracle_deficit(66667, 20000000, 0.01, 0.3) / wanted, 1, 1e-2);
}

Test(exact, no_event_is_no_excess_and_a_rate_of_zero_forgives_none) {
    cr_expect_eq(oracle_excess(0, 1000, 0.01, 0.5), 1);
    cr_expect_eq(oracle_excess(1, 1000, 0, 0.5), 0);
    cr_expect_eq(oracle_deficit(0, 1000, 0, 0.5), 1);
    cr_expect_eq(oracle_deficit(1000, 1000, 0.01, 0.5), 1);
    cr_expect_eq(oracle_deficit(0, 0, 0.01, 0.5), 1);
    cr_expect_float_eq(oracle_excess(1000, 1000, 5, 0), 1, 1e-12, "a rate is at most 1");
}
