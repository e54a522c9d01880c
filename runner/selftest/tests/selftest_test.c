// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "fake_java.h"
#include "selftest.h"
#include "selftest_parts.h"
#include "runner/base/base.h"
#include "made_up.h"

// ---- Statistics -------------------------------------------------------------------------------

static void chance_is(double wanted, uint64_t events, uint64_t trials, uint64_t before,
                      uint64_t of) {
    double found = selftest_chance((struct selftest_count){events, trials},
                                   (struct selftest_count){before, of});
    cr_expect(fabs(found - wanted) <= 1e-9 * wanted + 1e-300, "%llu/%llu, %llu/%llu: %.12g",
              (unsigned long long)events, (unsigned long long)trials, (unsigned long long)before,
              (unsigned long long)of, found);
}

// The wanted ones are sums of exact fractions.
Test(selftest, the_chance_of_an_excess_is_fishers) {
    chance_is(0.10526315789473684, 3, 10, 0, 10);
    chance_is(0.10582392634786585, 5, 100, 1, 100);
    chance_is(0.0005306562044518262, 10, 1000, 2, 2000);
    chance_is(0.14014288786018703, 40, 5000, 30, 5000);
    chance_is(5.412544112234515e-06, 10, 10, 0, 10);
}

Test(selftest, nothing_follows_from_no_events_or_no_trials) {
    chance_is(1, 0, 10, 5, 10);
    chance_is(1, 0, 0, 0, 10);
    chance_is(1, 5, 10, 0, 0);
}

Test(selftest, the_chance_stays_a_number_with_millions_of_trials) {
    double same = selftest_chance((struct selftest_count){20000, 1000000},
                                  (struct selftest_count){20000, 1000000});
    cr_expect(same > 0.49 && same < 0.51, "%g", same);
    double more = selftest_chance((struct selftest_count){22000, 1000000},
                                  (struct selftest_count){20000, 1000000});
    cr_expect(more > 0 && more < 1e-15, "%g", more);
}

Test(selftest, what_is_spoilt_always_is_an_excess_of_one_whatever_was_there_before) {
    struct selftest_estimate all =
        selftest_excess((struct selftest_count){5000, 5000}, (struct selftest_count){100, 5000});
    cr_expect(fabs(all.value - 1) < 1e-12, "%g", all.value);
    cr_expect(all.low < 1 && all.low > 0.99, "%g", all.low);
    struct selftest_estimate none =
        selftest_excess((struct selftest_count){100, 5000}, (struct selftest_count){100, 5000});
    cr_expect(none.low < 0 && none.value == 0 && none.high > 0);
}

static void inside(bool wanted, double value, double half, double injected, double seen) {
    struct selftest_estimate excess = {value, value - half, value + half};
    bool found = selftest_is_inside(excess, injected,
                                    (struct selftest_estimate){seen, seen - 0.01, seen + 0.01});
    cr_expect_eq(found, wanted, "%g +- %g, %g * %g", value, half, injected, seen);
}

Test(selftest, a_rate_is_inside_where_the_intervals_allow_no_difference) {
    inside(true, 0.010, 0.001, 0.0105, 1);
    inside(false, 0.010, 0.001, 0.0120, 1);
    inside(true, 0.010, 0.001, 0.0200, 0.5);
    inside(false, 0.010, 0.001, 0.0200, 0.7);
    // What can be seen is known to a hundredth only.
    inside(true, 0.500, 0.001, 1, 0.509);
    inside(false, 0.500, 0.001, 1, 0.512);
}

static uint64_t next(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

static struct selftest_count draw(uint64_t* state, double rate, uint64_t trials) {
    struct selftest_count count = {0, trials};
    for (uint64_t i = 0; i < trials; i++)
        count.events += (double)(next(state) >> 11) * 0x1p-53 < rate;
    return count;
}

// 95 of 100 are promised; the bound lies three standard deviations below that.
Test(selftest, the_true_rate_lies_in_95_of_100_intervals) {
    uint64_t state = 20261120;
    unsigned held = 0;
    for (int i = 0; i < 1000; i++) {
        struct selftest_estimate excess =
            selftest_excess(draw(&state, 0.011 - 0.01 * 0.001, 6000), draw(&state, 0.001, 12000));
        held += excess.low <= 0.01 && 0.01 <= excess.high;
    }
    cr_expect(held >= 930, "%u of 1000", held);
    cr_expect(held < 1000, "intervals that hold everything say nothing");
}

Test(selftest, a_run_without_a_fault_is_not_detected) {
    uint64_t state = 20261121;
    unsigned detected = 0;
    for (int i = 0; i < 300; i++)
        detected += selftest_chance(draw(&state, 0.01, 6000), draw(&state, 0.01, 12000)) < 0.01;
    cr_expect(detected <= 9, "%u of 300 at an error of 0.01", detected);
}

Test(selftest, misses_beyond_chance_are_told) {
    cr_expect(fabs(selftest_misses_chance(5, 50) - 0.10361681) < 1e-7);
    cr_expect(fabs(selftest_misses_chance(0, 50) - 1) < 1e-9);
    cr_expect(selftest_misses_chance(0, 0) == 1);
    cr_expect(selftest_misses_chance(14, 200) > 0.1);
    cr_expect(selftest_misses_chance(30, 200) < 0.001);
}

// ---- Faults -----------------------------------------------------------------------------------

Test(selftest, every_fault_of_frames_has_right_verdicts_and_all_of_them_are_mismatches) {
    cr_expect_eq(selftest_fault_count, 23u);
    for (size_t i = 0; i < selftest_fault_count; i++) {
        const struct selftest_fault* fault = &selftest_faults[i];
        cr_expect_eq(selftest_fault_find(fault->name, strlen(fault->name)), fault);
        cr_expect_eq(fault->verdicts != 0, fault->kind == SELFTEST_FRAMES, "%s", fault->name);
        for (int v = 0; v < ORACLE_VERDICT_COUNT; v++)
            if (fault->verdicts & 1u << v)
                cr_expect(oracle_is_walking_error((enum oracle_verdict)v), "%s", fault->name);
    }
    cr_expect_null(selftest_fault_find("trunc", 5));
}

// ---- Judging ----------------------------------------------------------------------------------

static struct selftest_tally tally(uint64_t judged, enum oracle_verdict verdict, uint64_t count) {
    struct selftest_tally made = {.asked = judged, .answers = judged};
    made.judged[ORACLE_LAYER_ASYNC] = judged;
    made.verdicts[ORACLE_LAYER_ASYNC][verdict] = count;
    return made;
}

// The unspoilt JVM that counted this in one run.
static const struct selftest_plain* plain_of(struct selftest_tally counted) {
    static struct selftest_plain plain;
    struct selftest_trial run = {.purpose = SELFTEST_PLAIN, .end = counted};
    plain = (struct selftest_plain){0};
    selftest_plain_add(&plain, &run);
    return &plain;
}

// Runs of which every other has 1.4 % truncated, the rest 1 %.
static const struct selftest_plain* plain_that_differs(void) {
    static struct selftest_plain plain;
    plain = (struct selftest_plain){0};
    for (unsigned i = 0; i < SELFTEST_PLAIN_RUNS; i++) {
        struct selftest_trial run = {.purpose = SELFTEST_PLAIN};
        run.end = tally(60000, ORACLE_TRUNCATED, i % 2 == 0 ? 840 : 600);
        run.end.shapes[ORACLE_TRUNCATED][20] =
            run.end.verdicts[ORACLE_LAYER_ASYNC][ORACLE_TRUNCATED];
        selftest_plain_add(&plain, &run);
    }
    return &plain;
}

static struct selftest_trial trial_of(const struct selftest_wanted* wanted, double rate) {
    return (struct selftest_trial){.purpose = SELFTEST_FAULT, .wanted = wanted, .rate = rate};
}

static struct selftest_wanted wanted_of(const char* text) {
    struct selftest_wanted wanted = {.fault = selftest_fault_find(text, strcspn(text, "="))};
    strcpy(wanted.text, text);
    return wanted;
}

// Judges a run of `fault` at 1/100 in which `verdict` was counted so often; all of it can be seen.
static struct selftest_trial conclude(const char* fault, enum oracle_verdict verdict,
                                      uint64_t count, uint64_t injected) {
    static struct selftest_wanted wanted;
    wanted = wanted_of(fault);
    const struct selftest_plain* plain = plain_of(tally(20000, ORACLE_MISSING, 4));
    struct selftest_trial full = trial_of(&wanted, 1), trial = trial_of(&wanted, 0.01);
    full.layer = ORACLE_LAYER_ASYNC;
    full.end = tally(10000, verdict, 10000);
    full.end.injected = 10000;
    trial.end = tally(10000, verdict, count);
    trial.end.injected = injected;
    trial.detected = selftest_detects(&trial, &trial.end, plain, 1e-6);
    selftest_conclude(&trial, plain, &full);
    return trial;
}

Test(selftest, a_fault_is_detected_under_a_right_verdict_and_measured) {
    struct selftest_trial trial = conclude("truncate", ORACLE_TRUNCATED, 100, 104);
    cr_expect(trial.detected && trial.right && trial.measured && trial.inside && trial.passed);
    cr_expect_eq(trial.most, ORACLE_TRUNCATED);
    cr_expect_eq(trial.layer, ORACLE_LAYER_ASYNC);
    cr_expect(fabs(trial.injected - 0.0104) < 1e-12);
}

Test(selftest, a_wrong_verdict_is_no_detection) {
    struct selftest_trial trial = conclude("null-id", ORACLE_TRUNCATED, 100, 104);
    cr_expect(!trial.detected && !trial.right && !trial.passed);
}

Test(selftest, a_rate_that_is_far_off_fails_a_run_that_is_detected) {
    struct selftest_trial trial = conclude("truncate", ORACLE_TRUNCATED, 100, 200);
    cr_expect(trial.detected && trial.right && trial.measured);
    cr_expect(!trial.inside && trial.far && !trial.passed);
}

Test(selftest, what_the_unspoilt_jvm_does_as_often_is_not_detected) {
    struct selftest_trial trial = conclude("drop-middle", ORACLE_MISSING, 3, 3);
    cr_expect(!trial.detected && !trial.passed);
}

Test(selftest, a_verdict_that_the_jvm_gives_often_does_not_hide_another_right_one) {
    struct selftest_wanted wanted = wanted_of("truncate");
    const struct selftest_plain* plain = plain_of(tally(50000, ORACLE_MISSING, 200));
    struct selftest_tally now = tally(50000, ORACLE_MISSING, 200);
    struct selftest_trial trial = trial_of(&wanted, 0.001);
    cr_expect(!selftest_detects(&trial, &now, plain, 1e-5));
    now.verdicts[ORACLE_LAYER_ASYNC][ORACLE_TRUNCATED] = 30;
    cr_expect(selftest_detects(&trial, &now, plain, 1e-5));
}

Test(selftest, without_a_fault_any_verdict_that_grew_is_detected) {
    const struct selftest_plain* plain = plain_of(tally(20000, ORACLE_MISSING, 4));
    struct selftest_tally worse = tally(10000, ORACLE_WRONG_KIND, 40);
    struct selftest_tally same = tally(10000, ORACLE_MISSING, 4);
    struct selftest_trial trial = {.purpose = SELFTEST_NONE};
    cr_expect(!selftest_detects(&trial, &same, plain, 1e-4));
    cr_expect(selftest_detects(&trial, &worse, plain, 1e-4));
    trial.detected = true;
    trial.end = worse;
    selftest_conclude(&trial, plain, NULL);
    cr_expect(!trial.passed);
    cr_expect_eq(trial.most, ORACLE_WRONG_KIND, "%s", oracle_verdict_text(trial.most));
    cr_expect(!selftest_plain_differs(plain));
    cr_expect(selftest_plain_differs(plain_that_differs()));
}

// ---- How runs differ ---------------------------------------------------------------------------

Test(selftest, what_runs_differ_by_beyond_chance_grows_with_their_length) {
    const struct selftest_count same[] = {{100, 10000}, {100, 10000}, {100, 10000}};
    cr_expect_eq(selftest_spread(same, 3, 10000), 1);
    // Each is 2 or 4 times sqrt(99) away from 100 of 10,000: (4 + 16 + 4) / 2 and none for the
    // fourth.
    const double deviation = sqrt(99);
    const uint64_t two = (uint64_t)lround(2 * deviation), four = (uint64_t)lround(4 * deviation);
    const struct selftest_count runs[] = {
        {100 - two, 10000}, {100 + four, 10000}, {100 - two, 10000}};
    double beyond = selftest_spread(runs, 3, 10000) - 1;
    cr_expect_float_eq(beyond, 11, 0.3);
    cr_expect_float_eq(selftest_spread(runs, 3, 40000), 1 + 4 * beyond, 1e-9);
    cr_expect_float_eq(selftest_spread(runs, 3, 500), 1 + beyond, 1e-9);
    // Twice 20 or 21 away from 220 of 20,000: chi-squared of 1 is 3.7 or 4.1, and passes 3.84 once
    // in 20 times.
    const struct selftest_count near[] = {{220 - 20, 20000}, {220 + 20, 20000}};
    const struct selftest_count far[] = {{220 - 21, 20000}, {220 + 21, 20000}};
    cr_expect_eq(selftest_spread(near, 2, 20000), 1);
    cr_expect_gt(selftest_spread(far, 2, 20000), 4);
    const struct selftest_count few[] = {{19, 10000}, {0, 10000}};
    cr_expect_eq(selftest_spread(few, 2, 10000), 1, "19 events tell nothing");
    cr_expect_eq(selftest_spread(runs, 1, 10000), 1, "one run differs from none");
}

// Eight runs and one more, each with a rate of its own around 10 % (2 % of deviation), 20,000
// samples each.
static void draw_runs(uint64_t* state, struct selftest_count runs[9]) {
    for (int i = 0; i < 9; i++) {
        double sum = -6; // of twelve: nearly normal
        for (int k = 0; k < 12; k++) sum += (double)(next(state) >> 11) * 0x1p-53;
        runs[i] = (struct selftest_count){(uint64_t)(20000 * (0.1 + 0.02 * sum)), 20000};
    }
}

Test(selftest, a_run_that_differs_as_the_unspoilt_ones_do_is_not_detected) {
    uint64_t state = 20261129;
    unsigned detected = 0, by_normal = 0;
    for (int i = 0; i < 5000; i++) {
        struct selftest_count runs[9], sum = {0, 0};
        draw_runs(&state, runs);
        for (int k = 0; k < 8; k++) {
            sum.events += runs[k].events;
            sum.trials += runs[k].trials;
        }
        double spread = selftest_spread(runs, 8, 20000);
        detected += selftest_chance_beyond(runs[8], sum, spread, 8) < 0.001;
        by_normal +=
            selftest_chance(selftest_thin(runs[8], spread), selftest_thin(sum, spread)) < 0.001;
    }
    cr_expect(detected <= 12, "%u of 5000 at an error of 0.001", detected);
    cr_expect(by_normal > 25, "%u of 5000: then Student's t would not be needed", by_normal);
    // Where eight runs have shown the deviation, the same growth says less.
    const struct selftest_count few = {200, 20000}, more = {300, 20000};
    cr_expect_gt(selftest_growth(more, few, 1, 8), 4);
    cr_expect_lt(selftest_growth(more, few, 1.5, 8), 3);
    cr_expect_lt(selftest_growth(few, more, 1.5, 8), -2);
}

Test(selftest, thinned_counts_keep_their_rate) {
    struct selftest_count thin = selftest_thin((struct selftest_count){70, 10000}, 7);
    cr_expect(thin.events == 10 && thin.trials == 1429, "%llu of %llu",
              (unsigned long long)thin.events, (unsigned long long)thin.trials);
}

Test(selftest, a_rate_that_differs_from_run_to_run_is_not_detected) {
    const struct selftest_plain* plain = plain_that_differs();
    struct selftest_trial trial = {.purpose = SELFTEST_NONE};
    struct selftest_tally now = tally(60000, ORACLE_TRUNCATED, 900);
    cr_expect(!selftest_detects(&trial, &now, plain, 1e-5));
    cr_expect(selftest_detects(&trial, &now, plain_of(tally(480000, ORACLE_TRUNCATED, 5760)), 1e-5),
              "were it not known to differ");
    now = tally(60000, ORACLE_TRUNCATED, 3000);
    cr_expect(selftest_detects(&trial, &now, plain, 1e-5));
}

Test(selftest, traces_that_are_wrong_in_another_way_are_detected_in_a_noisy_verdict) {
    const struct selftest_plain* plain = plain_that_differs();
    struct selftest_wanted wanted = wanted_of("truncate");
    struct selftest_trial trial = trial_of(&wanted, 0.001);
    struct selftest_tally now = tally(60000, ORACLE_TRUNCATED, 780);
    now.shapes[ORACLE_TRUNCATED][20] = 780;
    cr_expect(!selftest_detects(&trial, &now, plain, 1e-5));
    now.shapes[ORACLE_TRUNCATED][20] = 750;
    now.shapes[ORACLE_TRUNCATED][14] = 30;
    cr_expect(selftest_detects(&trial, &now, plain, 1e-5));
}

Test(selftest, shapes_that_nobody_knows_are_detected_together) {
    const struct selftest_plain* plain = plain_that_differs();
    struct selftest_wanted wanted = wanted_of("cut");
    struct selftest_trial trial = trial_of(&wanted, 0.001);
    struct selftest_tally now = tally(600000, ORACLE_TRUNCATED, 7800);
    now.shapes[ORACLE_TRUNCATED][20] = 7760;
    for (int i = 0; i < 8; i++) now.shapes[ORACLE_TRUNCATED][i] = 5;
    cr_expect(selftest_detects(&trial, &now, plain, 1e-5));
    // Unspoilt runs have strange ones, too: each its own.
    static struct selftest_plain odd;
    odd = (struct selftest_plain){0};
    for (unsigned i = 0; i < SELFTEST_PLAIN_RUNS; i++) {
        struct selftest_trial run = {.purpose = SELFTEST_PLAIN};
        run.end = tally(60000, ORACLE_TRUNCATED, 800);
        run.end.shapes[ORACLE_TRUNCATED][20] = 796;
        run.end.shapes[ORACLE_TRUNCATED][40 + i] = 4;
        selftest_plain_add(&odd, &run);
    }
    cr_expect(!selftest_detects(&trial, &now, &odd, 1e-5));
}

Test(selftest, a_noisy_verdict_that_grew_does_not_name_the_fault) {
    const struct selftest_plain* plain = plain_that_differs();
    struct selftest_wanted wanted = wanted_of("bci-next");
    struct selftest_trial trial = trial_of(&wanted, 0.001);
    trial.layer = ORACLE_LAYER_ASYNC;
    trial.end = tally(60000, ORACLE_TRUNCATED, 880);
    trial.end.verdicts[ORACLE_LAYER_ASYNC][ORACLE_WRONG_BCI] = 20;
    trial.detected = selftest_detects(&trial, &trial.end, plain, 1e-5);
    selftest_conclude(&trial, plain, NULL);
    cr_expect(trial.detected && trial.right, "most: %s", oracle_verdict_text(trial.most));
}

// Fewer truncated than in the unspoilt runs, but some of them in another way; and no phantom.
Test(selftest, a_shape_names_the_fault_where_its_verdict_did_not_grow) {
    const struct selftest_plain* plain = plain_that_differs();
    struct selftest_wanted wanted = wanted_of("cut");
    struct selftest_trial trial = trial_of(&wanted, 0.001);
    trial.layer = ORACLE_LAYER_ASYNC;
    trial.end = tally(60000, ORACLE_TRUNCATED, 660);
    trial.end.shapes[ORACLE_TRUNCATED][20] = 630;
    trial.end.shapes[ORACLE_TRUNCATED][14] = 30;
    trial.detected = selftest_detects(&trial, &trial.end, plain, 1e-5);
    selftest_conclude(&trial, plain, NULL);
    cr_expect(trial.detected && trial.right, "one shape: most: %s",
              oracle_verdict_text(trial.most));
    trial.end.shapes[ORACLE_TRUNCATED][14] = 0;
    for (int i = 0; i < 10; i++) trial.end.shapes[ORACLE_TRUNCATED][i] = 3;
    trial.detected = selftest_detects(&trial, &trial.end, plain, 1e-5);
    selftest_conclude(&trial, plain, NULL);
    cr_expect(trial.detected && trial.right, "ten shapes: most: %s",
              oracle_verdict_text(trial.most));
}

Test(selftest, an_interval_knows_what_the_unspoilt_runs_differ_by) {
    struct selftest_wanted wanted = wanted_of("truncate");
    struct selftest_trial trial = trial_of(&wanted, 0.001);
    trial.layer = ORACLE_LAYER_ASYNC;
    trial.end = tally(60000, ORACLE_TRUNCATED, 900);
    trial.end.injected = 60;
    selftest_conclude(&trial, plain_of(tally(480000, ORACLE_TRUNCATED, 5760)), NULL);
    cr_expect_gt(trial.excess.low, 0.001);
    selftest_conclude(&trial, plain_that_differs(), NULL);
    cr_expect(trial.excess.low < 0.001 && trial.excess.high > 0.003, "[%g, %g]", trial.excess.low,
              trial.excess.high);
}

Test(selftest, runs_are_compared_with_as_long_a_beginning) {
    static struct selftest_plain plain;
    plain = (struct selftest_plain){0};
    for (unsigned i = 0; i < 2; i++) {
        struct selftest_trial run = {.purpose = SELFTEST_PLAIN, .mark_count = 1 + i};
        run.marks[0] = tally(4000, ORACLE_MISSING, 4);
        run.marks[1] = tally(8000, ORACLE_MISSING, 80);
        run.end = tally(60000, ORACLE_MISSING, 600);
        selftest_plain_add(&plain, &run);
    }
    cr_expect_eq(selftest_plain_like(&plain, 5000)->sum.asked, 8000u);
    cr_expect_eq(selftest_plain_like(&plain, 5000)->count, 2u);
    cr_expect_eq(selftest_plain_like(&plain, 8000)->sum.asked, 120000u, "one run came so far");
    cr_expect_eq(selftest_plain_like(&plain, 1000000)->sum.asked, 120000u);
    cr_expect_eq(selftest_plain_sum(&plain)->verdicts[ORACLE_LAYER_ASYNC][ORACLE_MISSING], 1200u);
}

// The width of the measured interval of a run of 40 looks, in which `even` and `odd` of 500 samples
// were found wrong by turns.
static double width_of(uint64_t even, uint64_t odd, unsigned looks) {
    static struct selftest_wanted wanted;
    wanted = wanted_of("null-id");
    const struct selftest_plain* plain = plain_of(tally(20000, ORACLE_MISSING, 4));
    struct selftest_trial trial = trial_of(&wanted, 0.1), all = trial_of(&wanted, 0.1);
    trial.layer = all.layer = ORACLE_LAYER_ASYNC;
    all.end = tally(10000, ORACLE_INVALID_ID, 10000);
    all.end.injected = 10000;
    trial.end = tally(500 * looks, ORACLE_INVALID_ID, looks / 2 * (even + odd));
    trial.end.injected = looks / 2 * (even + odd);
    for (unsigned i = 0; i < looks; i++) {
        struct selftest_tally more = tally(500, ORACLE_INVALID_ID, i % 2 == 0 ? even : odd);
        selftest_slice(&trial, &more);
    }
    selftest_conclude(&trial, plain, &all);
    return trial.excess.high - trial.excess.low;
}

Test(selftest, intervals_are_stretched_where_slices_differ_more_than_chance) {
    double even = width_of(50, 50, 40);
    // Every slice is 5 of its 6.7 standard deviations from the rate, or 30 of them.
    cr_expect_float_eq(width_of(45, 55, 40) / even, 1, 1e-6);
    cr_expect_float_eq(width_of(20, 80, 40) / even, 30 / 6.71 * sqrt(40.0 / 39), 0.02);
    // An accusation was taken back between two looks.
    cr_expect_float_eq(width_of((uint64_t)-1, 101, 40) / even, 51 / 6.71 * sqrt(40.0 / 39), 0.02);
    cr_expect_gt(width_of(20, 80, 300) / width_of(50, 50, 300), 0.9, "joined slices count");
}

// ---- Counts below 0 -----------------------------------------------------------------------------

#define TAKEN_BACK ((uint64_t)-1)

Test(selftest, an_accusation_of_before_that_was_taken_back_is_no_event) {
    struct selftest_wanted wanted = wanted_of("null-id");
    const struct selftest_plain* plain = plain_of(tally(20000, ORACLE_MISSING, 4));
    struct selftest_trial trial = trial_of(&wanted, 1);
    trial.layer = ORACLE_LAYER_ASYNC;
    trial.end = tally(10000, ORACLE_INVALID_ID, TAKEN_BACK);
    trial.end.shapes[ORACLE_INVALID_ID][3] = TAKEN_BACK;
    trial.parts[0] = trial.parts[1] = tally(5000, ORACLE_INVALID_ID, TAKEN_BACK);
    trial.parts[0].injected = 1;
    cr_expect(!selftest_detects(&trial, &trial.end, plain, 1e-5));
    selftest_conclude(&trial, plain, &trial);
    cr_expect_eq(trial.excess.value, 0, "%g", trial.excess.value);
    cr_expect(trial.excess.low > -0.001 && trial.excess.high < 0.001, "[%g, %g]", trial.excess.low,
              trial.excess.high);
    trial.parts[1] = tally(TAKEN_BACK, ORACLE_INVALID_ID, TAKEN_BACK);
    selftest_conclude(&trial, plain, &trial);
    cr_expect_eq(trial.excess.value, 0, "nothing else was judged: %g", trial.excess.value);
}

Test(selftest, what_the_unspoilt_jvm_took_back_counts_as_nothing) {
    struct selftest_tally before = tally(20000, ORACLE_MISSING, TAKEN_BACK);
    before.shapes[ORACLE_MISSING][3] = TAKEN_BACK;
    const struct selftest_plain* plain = plain_of(before);
    struct selftest_tally now = tally(10000, ORACLE_MISSING, 50);
    struct selftest_trial trial = {.purpose = SELFTEST_NONE};
    cr_expect(selftest_detects(&trial, &now, plain, 1e-5));
    struct selftest_tally one = tally(10000, ORACLE_MISSING, 1);
    one.shapes[ORACLE_MISSING][5] = 1;
    cr_expect(!selftest_detects(&trial, &one, plain, 1e-5));
    struct selftest_options options = {.run = {.scope = "all", .modes = 1}};
    const struct jdk jdk = {.feature = 17};
    const struct selftest_report report = {
        .test = "mixed", .jdk = &jdk, .options = &options, .plain = plain};
    char* text = NULL;
    size_t size;
    FILE* out = open_memstream(&text, &size);
    selftest_table(&report, out);
    fclose(out);
    cr_expect(strstr(text, "unspoilt, 1 runs:\n") != NULL, "%s", text);
    free(text);
}

Test(selftest, a_run_progresses_from_0_to_a_number_that_can_be_doubled) {
    struct selftest_wanted frames = wanted_of("truncate"), refusal = wanted_of("refuse");
    struct selftest_trial trial = trial_of(&frames, 1);
    struct selftest_tally taken = {.asked = 5};
    taken.judged[ORACLE_LAYER_ASYNC] = TAKEN_BACK;
    cr_expect_eq(selftest_progress(&trial, &taken), 0u);
    trial.wanted = &refusal;
    cr_expect_eq(selftest_progress(&trial, &taken), 5u);
    cr_expect_eq(selftest_needed(1), 20000u);
    cr_expect_eq(selftest_needed(0.1), 4000u);
    cr_expect_eq(selftest_needed(0.001), 60000u);
    cr_expect_eq(selftest_needed(1e-18), 1000000000000000u);
}

static struct selftest_trial conclude_refusals(const char* fault, double rate, uint64_t each,
                                               int missing) {
    static struct selftest_wanted wanted;
    wanted = wanted_of(fault);
    struct selftest_tally healthy = {.asked = 20000, .answers = 18000};
    healthy.refused[ORACLE_REFUSAL_NOT_WALKABLE_JAVA] = 2000;
    const struct selftest_plain* plain = plain_of(healthy);
    struct selftest_trial trial = trial_of(&wanted, rate);
    trial.end = (struct selftest_tally){.asked = 20000, .answers = 18000};
    trial.end.refused[ORACLE_REFUSAL_NOT_WALKABLE_JAVA] = 2000;
    for (int code = 0; code > -SELFTEST_CODES; code--) {
        trial.end.codes[-code] = each;
        trial.end.injected += each;
        if (code != missing) trial.end.refused[oracle_refusal_of(code)] += each;
    }
    trial.detected = selftest_detects(&trial, &trial.end, plain, 1e-6);
    selftest_conclude(&trial, plain, NULL);
    return trial;
}

Test(selftest, refusals_are_counted_by_code) {
    struct selftest_trial trial = conclude_refusals("refuse", 0.02, 30, 1);
    cr_expect(trial.detected && trial.right && trial.inside && trial.passed, "%s", trial.note);
    trial = conclude_refusals("refuse", 0.02, 30, -7);
    cr_expect(trial.detected && !trial.right && !trial.passed);
    cr_expect(strstr(trial.note, "code -7") != NULL, "%s", trial.note);
}

// At rate 1, where the JVM gives -9 itself now and then and a part of all falls into our own code.
static bool codes_came(double of_all, double of_deopt) {
    static struct selftest_wanted wanted;
    wanted = wanted_of("refuse");
    struct selftest_tally healthy = {.asked = 20000, .answers = 18000};
    healthy.refused[ORACLE_REFUSAL_DEOPT] = 40;
    const struct selftest_plain* plain = plain_of(healthy);
    struct selftest_trial trial = trial_of(&wanted, 1);
    trial.end = (struct selftest_tally){.asked = 20000, .answers = 18000};
    for (int code = 0; code > -SELFTEST_CODES; code--) {
        trial.end.codes[-code] = 1800;
        trial.end.refused[oracle_refusal_of(code)] =
            (uint64_t)(1800 * (code == -9 ? of_deopt : of_all));
    }
    trial.detected = true;
    selftest_conclude(&trial, plain, NULL);
    cr_expect(trial.right || strstr(trial.note, "code -9") != NULL, "%s", trial.note);
    return trial.right;
}

Test(selftest, a_code_must_come_as_often_as_the_others_not_as_it_was_injected) {
    cr_expect(codes_came(1, 1));
    cr_expect(codes_came(0.85, 0.85));
    cr_expect_not(codes_came(1, 0.85));
    cr_expect_not(codes_came(0.85, 0.7));
}

static int verdict_of(bool failed, bool passed, bool interrupted) {
    struct selftest_wanted wanted = wanted_of("swap");
    struct selftest_trial trial = trial_of(&wanted, 1);
    char text[256];
    trial.failed = failed;
    trial.passed = passed;
    const struct selftest_report report = {
        .trials = &trial, .count = 1, .interrupted = interrupted};
    return selftest_verdict(&report, text, sizeof text);
}

Test(selftest, the_verdict_is_that_of_the_worst_run) {
    cr_expect_eq(verdict_of(false, true, false), RUNNER_EXIT_PASS);
    cr_expect_eq(verdict_of(false, false, true), RUNNER_EXIT_FAIL, "found before the interruption");
    cr_expect_eq(verdict_of(true, false, false), RUNNER_EXIT_HARNESS);
    cr_expect_eq(verdict_of(true, false, true), RUNNER_EXIT_INCONCLUSIVE,
                 "its JVM was ended by us");
}

// ---- The library's file -----------------------------------------------------------------------

// As cases/README.md lays it out.
struct made_counts {
    char magic[8];
    uint32_t row_size, row_count;
    uint64_t calls, answers, passed, unused;
    struct {
        char name[40];
        uint64_t eligible, injected;
        double rate;
    } rows[2];
};

Test(selftest, the_librarys_counts_are_found_by_name) {
    struct made_counts made = {.magic = "PLMBFLT1", .row_size = 64, .row_count = 2, .answers = 7};
    strcpy(made.rows[0].name, "swap");
    strcpy(made.rows[1].name, "refuse=-10");
    made.rows[0].eligible = 5;
    made.rows[1].injected = 3;
    const char* directory = made_directory();
    const char* path = made_path(directory, "counts");
    made_write(path, &made, sizeof made);
    const struct selftest_counts* counts = selftest_counts_map(path);
    cr_assert_not_null(counts);
    uint64_t eligible;
    cr_expect_eq(selftest_counts_answers(counts), 7u);
    cr_expect_eq(selftest_counts_injected(counts, "swap", &eligible), 0u);
    cr_expect_eq(eligible, 5u);
    cr_expect_eq(selftest_counts_injected(counts, "refuse=-10", NULL), 3u);
    cr_expect_eq(selftest_counts_injected(counts, "spin", &eligible), 0u);
    cr_expect_eq(eligible, 0u);
    selftest_counts_unmap(counts);
    made_remove(directory);
}

static void is_no_file(size_t length, uint32_t row_count, char first) {
    struct made_counts made = {.magic = "PLMBFLT1", .row_size = 64, .row_count = row_count};
    made.magic[0] = first;
    const char* directory = made_directory();
    const char* path = made_path(directory, "counts");
    made_write(path, &made, length);
    cr_expect_null(selftest_counts_map(path), "%zu bytes, %u rows", length, row_count);
    made_remove(directory);
}

Test(selftest, what_is_no_file_of_counts_is_refused) {
    is_no_file(sizeof(struct made_counts), 3, 'P');
    is_no_file(sizeof(struct made_counts), 2, 'Q');
    is_no_file(40, 0, 'P');
    is_no_file(0, 0, 'P');
    cr_expect_null(selftest_counts_map("/nowhere/at/all"));
}

// ---- Options ----------------------------------------------------------------------------------

static struct words words; // the options point into them

static void forget_words(void) {
    words_free(&words);
    words = (struct words){0};
}

static int parse(struct selftest_options* options, const char* text) {
    forget_words();
    cr_assert(words_split(&words, text));
    const struct base_call call = {.argc = (int)words.count, .argv = words.list, .stays = true};
    return selftest_options_parse(&call, options);
}

Test(selftest, options_say_which_faults_and_rates, .fini = forget_words) {
    struct selftest_options options;
    cr_assert_eq(parse(&options, "selftest --jdk J"), 0);
    cr_expect_eq(options.fault_count, 23u);
    cr_expect_eq(options.rate_count, 3u);
    cr_expect_eq(options.repeat, 1u);
    cr_assert_eq(parse(&options, "selftest --jdk J --faults swap,refuse=-5 --rates 0.5 --repeat 9"),
                 0);
    cr_assert_eq(options.fault_count, 2u);
    cr_expect_str_eq(options.faults[1].text, "refuse=-5");
    cr_expect_str_eq(options.faults[1].fault->name, "refuse");
    cr_expect_eq(options.rates[0], 0.5);
    cr_expect_eq(options.repeat, 9u);
    cr_expect_str_eq(options.run.cases, "mixed");
    cr_assert_eq(parse(&options, "selftest --jdk J --cases deep,j*"), 0);
    cr_expect_str_eq(options.run.cases, "deep,j*");
    cr_assert_eq(parse(&options, "selftest --jdk J --preset quick"), 0);
    cr_expect(options.run.cases == NULL && !options.run.full);
    cr_assert_eq(parse(&options, "selftest --jdk J --preset full"), 0);
    cr_expect(options.run.cases == NULL && options.run.full);
}

Test(selftest, options_that_are_wrong_are_refused, .fini = forget_words) {
    static const char* const wrong[] = {"selftest --jdk J --faults swop",
                                        "selftest --jdk J --faults ''",
                                        "selftest --jdk J --rates 2",
                                        "selftest --jdk J --rates 0",
                                        "selftest --jdk J --rates x",
                                        "selftest --jdk J --repeat 0",
                                        "selftest --jdk J --mode fast",
                                        "selftest --jdk J --scope none",
                                        "selftest --jdk J --preset programs",
                                        "selftest --jdk J more",
                                        "selftest --jdk J --preset quick --cases deep",
                                        "selftest --jdk J --cases deep --preset quick"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct selftest_options options;
        cr_expect_eq(parse(&options, wrong[i]), RUNNER_EXIT_USAGE, "%s", wrong[i]);
    }
}

Test(selftest, an_interruption_before_the_first_run_is_no_fault_of_the_harness, .timeout = 60) {
    struct home home;
    cr_redirect_stdout();
    cr_redirect_stderr();
    const char* house = fake_make(&home);
    fake_interrupting(house, "one");
    cr_expect_eq(
        fake_call(selftest_command, &home, "selftest --jdk %s/one --out %s/out", house, house),
        RUNNER_EXIT_INCONCLUSIVE);
    fake_remove(house);
}
