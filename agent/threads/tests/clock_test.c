// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Intervals that a machine's signals leave no time for.
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "agent/state/state.h"
#include "parts.h"

#define TURNS 20000000u // some 20 ms without signals

static uint32_t signals;

static void on_signal(int signal) {
    (void)signal;
    signals++;
}

static void prepare(uint32_t interval_us) {
    static struct results_run run;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    cr_assert_eq(sigaction(SIGPROF, &action, NULL), 0);
    agent.run = &run;
    agent.options.source = AGENT_SOURCE_CLOCK;
    agent.options.layers = 1u << ORACLE_LAYER_ASYNC;
    agent.options.signal = SIGPROF;
    agent.options.interval_us = interval_us;
}

Test(clock, an_interval_leaves_a_thread_a_third_of_its_time) {
    cr_expect_eq(clock_interval_us(200, 60000), 200);
    cr_expect_eq(clock_interval_us(90, 60000), 90);
    cr_expect_eq(clock_interval_us(89, 60000), 90);
    cr_expect_eq(clock_interval_us(20, 60001), 91);
    cr_expect_eq(clock_interval_us(20, 0), 20); // not measured
}

Test(clock, a_long_interval_is_not_measured) {
    prepare(200);
    clock_settle();
    cr_expect_eq(agent.options.interval_us, 200);
    cr_expect_eq(signals, 0);
}

// Where signals are dear, this thread would take signals for ever.
Test(clock, a_thread_makes_progress_at_the_shortest_interval) {
    struct agent_thread t = {.thread_id = (int32_t)syscall(SYS_gettid), .perf_fd = -1};
    prepare(10);
    clock_settle();
    alarm(30); // else for ever
    cr_expect_geq(agent.options.interval_us, 10);
    clock_arm(&t);
    for (volatile uint32_t turn = 0; turn < TURNS; turn = turn + 1) {
    }
    clock_disarm(&t);
    cr_expect_neq(agent.run->source[0], 0);
    cr_expect_eq(strstr(agent.run->source, "as a signal takes") != NULL,
                 agent.options.interval_us != 10, "%s", agent.run->source);
}
