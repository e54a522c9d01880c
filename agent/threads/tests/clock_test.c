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
static bool stays_away; // the handler forgets clock_again
static struct agent_thread sampled = {.perf_fd = -1};

static void on_signal(int signal) {
    (void)signal;
    signals++;
    if (!stays_away) clock_again(&sampled);
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
    cr_expect_eq(clock_interval_us(20, 0), 20);
}

Test(clock, a_long_interval_is_not_measured) {
    prepare(200);
    clock_settle();
    cr_expect_eq(agent.options.interval_us, 200);
    cr_expect_eq(signals, 0);
}

static void take_signals(void) {
    signals = 0;
    sampled.thread_id = (int32_t)syscall(SYS_gettid);
    clock_arm(&sampled);
    for (volatile uint32_t turn = 0; turn < TURNS; turn = turn + 1) {
    }
    clock_disarm(&sampled);
}

// One that went on could take a processor for ever, its thread's exit included.
Test(clock, the_event_of_a_short_interval_waits_for_its_handler) {
    prepare(199);
    clock_settle();
    stays_away = true;
    take_signals();
    if (sampled.has_timer || strstr(agent.run->source, "timers") != NULL) return; // no events here
    cr_expect_eq(signals, 1);
}

// Where signals are dear, this thread would take signals for ever.
Test(clock, a_thread_makes_progress_at_the_shortest_interval) {
    prepare(10);
    clock_settle();
    alarm(30); // else for ever
    cr_expect_geq(agent.options.interval_us, 10);
    take_signals();
    cr_expect_gt(signals, 10, "it goes on behind the first: %u", signals);
    cr_expect_neq(agent.run->source[0], 0);
    cr_expect_eq(strstr(agent.run->source, ", every ") != NULL, agent.options.interval_us != 10,
                 "%s", agent.run->source);
}
