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

static volatile uint32_t signals; // of the clock
static volatile bool stays_away;  // the handler forgets clock_again
static volatile uint32_t lingers; // so many turns in the handler of another's signal
static struct agent_thread sampled = {.perf_fd = -1};

static void turn_round(uint32_t turns) {
    for (volatile uint32_t turn = 0; turn < turns; turn = turn + 1) {
    }
}

static void on_signal(int signal, siginfo_t* info, void* context) {
    (void)signal, (void)context;
    if (info->si_code == SI_TKILL) turn_round(lingers);
    else signals++;
    if (!stays_away) clock_again(&sampled, info);
}

static void prepare(uint32_t interval_us) {
    static struct results_run run;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
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

static void begin_signals(void) {
    signals = 0;
    sampled.thread_id = (int32_t)syscall(SYS_gettid);
    clock_arm(&sampled);
}

static void take_signals(void) {
    begin_signals();
    turn_round(TURNS);
    clock_disarm(&sampled);
}

// No events here.
static bool has_no_event(void) {
    return sampled.has_timer || strstr(agent.run->source, "timers") != NULL;
}

// One that went on could take a processor for ever, its thread's exit included.
Test(clock, the_event_of_a_short_interval_waits_for_its_handler) {
    prepare(199);
    clock_settle();
    stays_away = true;
    take_signals();
    if (has_no_event()) return;
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

// ---- Beside signals of others -------------------------------------------------------------------

#define OTHERS 50

static void begin_short(void) {
    prepare(199);
    clock_settle();
    begin_signals();
}

static void send_own(void) {
    syscall(SYS_tgkill, getpid(), sampled.thread_id, SIGPROF);
}

// The event has one signal to give, whatever came before.
static void expect_one_left(void) {
    stays_away = true;
    signals = 0;
    turn_round(TURNS);
    cr_expect_leq(signals, 1);
    clock_disarm(&sampled);
}

Test(clock, the_sandwichs_signals_leave_the_event_no_more_than_one) {
    begin_short();
    for (int i = 0; i < OTHERS; i++) send_own();
    if (has_no_event()) return;
    expect_one_left();
}

// The event's signal comes in the handler of the sandwich's, and is taken right behind it.
Test(clock, a_signal_that_waits_for_the_sandwichs_handler_leaves_no_more_than_one) {
    begin_short();
    lingers = TURNS / 10;
    for (int i = 0; i < OTHERS; i++) send_own();
    if (has_no_event()) return;
    cr_expect_gt(signals, 1);
    expect_one_left();
}

// While the sandwich's signal is pending the event's is dropped: signals of one number do not
// queue.
Test(clock, goes_on_behind_a_signal_that_the_sandwichs_has_swallowed) {
    sigset_t own;
    begin_short();
    sigemptyset(&own);
    sigaddset(&own, SIGPROF);
    sigprocmask(SIG_BLOCK, &own, NULL);
    send_own();
    turn_round(TURNS);
    signals = 0;
    sigprocmask(SIG_UNBLOCK, &own, NULL);
    cr_expect_eq(signals, 0);
    turn_round(TURNS);
    clock_disarm(&sampled);
    cr_expect_gt(signals, 1, "%u", signals);
}
