// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Which part of the samples the layer structure and coverage look at.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "agent/state/state.h"
#include "judge.h"

#define ASKED 1000000
#define STEP_NS 5000000u

static int steps = 1000; // five seconds
static bool in_phases;   // every other hundred milliseconds no sample is judged
static bool takes_back;  // in every tenth step accusations, more than it has samples

// The part of a thread's samples that are looked at while there are `rate` a second.
static double part_of(uint32_t rate) {
    static struct agent_thread thread;
    uint64_t now = 1;
    int looked = 0;
    agent.run = calloc(1, sizeof *agent.run);
    cr_assert_not_null(agent.run);
    thread.looks_random = random_seed(1, 1);
    for (int i = 0; i < steps; i++, now += STEP_NS) {
        sample_judging = !in_phases || i / 20 % 2 == 0;
        looks_pace(now);
        if (!sample_judging) continue;
        agent.run->layers[ORACLE_LAYER_ASYNC].verdict[i % 2 ? ORACLE_AGREE : ORACLE_MISSING] +=
            rate / 200;
        agent.run->layers[ORACLE_LAYER_ASYNC].own[ORACLE_AGREE] += 1000;
        if (takes_back && i % 10 == 9)
            agent.run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING] -= rate / 200 + 1;
    }
    for (int i = 0; i < ASKED; i++) looked += looks_closely(&thread);
    free(agent.run);
    return (double)looked / ASKED;
}

// Criterion's comparison of floats would ask twice.
static void expect_part(uint32_t rate, double wanted) {
    double part = part_of(rate);
    cr_expect_float_eq(part, wanted, 0.02);
}

static void open_options(void) {
    agent.options.layers = 1u << ORACLE_LAYER_ASYNC | 1u << ORACLE_LAYER_STRUCTURE;
    agent.options.scope = AGENT_SCOPE_APP;
    agent.options.looks = 500;
}

TestSuite(looks, .init = open_options);

Test(looks, of_many_samples_so_many_a_second_are_looked_at) {
    expect_part(4000, 0.125);
}

Test(looks, the_time_of_a_bench_in_which_nothing_is_judged_is_none_of_the_rates) {
    in_phases = true;
    expect_part(4000, 0.125);
}

Test(looks, a_short_run_looks_at_no_more) {
    steps = 40; // a fifth of a second
    expect_part(4000, 0.125);
}

Test(looks, of_few_samples_all_are) {
    cr_expect_eq(part_of(400), 1);
}

Test(looks, accusations_that_are_taken_back_are_not_many_samples) {
    takes_back = true;
    cr_expect_eq(part_of(400), 1);
    expect_part(4000, 0.14); // of 3580
}

Test(looks, of_however_many_samples_a_few_are) {
    agent.options.looks = 1;
    cr_expect_gt(part_of(100000), 0);
}

Test(looks, all_are_where_that_is_asked_for) {
    agent.options.looks = 0;
    cr_expect_eq(part_of(4000), 1);
}

Test(looks, all_are_where_no_trace_stack_judges_them) {
    agent.options.layers = 1u << ORACLE_LAYER_STRUCTURE;
    cr_expect_eq(part_of(4000), 1);
}
