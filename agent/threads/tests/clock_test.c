// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Intervals that a machine's signals leave no time for.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "agent/state/state.h"
#include "parts.h"

// Of CPU time.
#define WHILE_NS 20000000u
// A timer ends with a tick of the kernel alone, of 1 to 10 ms.
#define TIMER_NS (10 * WHILE_NS)
#define LINGER_NS 2000000u

static volatile uint32_t signals; // of the clock
static volatile bool stays_away;  // the handler forgets clock_again
static volatile uint32_t lingers; // so many ns in the handler of another's signal
static struct agent_thread sampled = {.perf_fd = -1};

static void turn_round(uint32_t ns) {
    for (uint64_t end = agent_thread_ns() + ns; agent_thread_ns() < end;)
        for (volatile uint32_t turn = 0; turn < 1000; turn = turn + 1) {
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

static void take_signals(uint32_t ns) {
    begin_signals();
    turn_round(ns);
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
    take_signals(WHILE_NS);
    if (has_no_event()) return;
    cr_expect_eq(signals, 1);
}

// Where signals are dear, this thread would take signals for ever.
Test(clock, a_thread_makes_progress_at_the_shortest_interval) {
    prepare(10);
    clock_settle();
    alarm(30); // else for ever
    cr_expect_geq(agent.options.interval_us, 10);
    take_signals(TIMER_NS);
    cr_expect_gt(signals, has_no_event() ? 0 : 10, "it goes on behind the first: %u", signals);
    cr_expect_neq(agent.run->source[0], 0);
    cr_expect_eq(strstr(agent.run->source, ", every ") != NULL, agent.options.interval_us != 10,
                 "%s", agent.run->source);
}

// As in a container: it answers EACCES. Not under an emulator, where there are no events either.
static bool refuse_events(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

Test(clock, a_timer_goes_on_where_events_are_refused) {
    bool refused = refuse_events();
    prepare(199);
    clock_settle();
    take_signals(TIMER_NS);
    if (!refused && !has_no_event()) return;
    cr_expect_gt(signals, 1, "%u", signals);
    cr_expect_eq(sampled.perf_fd, -1);
    cr_expect_neq(strstr(agent.run->source, "timers, as perf events are not permitted"), NULL, "%s",
                  agent.run->source);
    if (refused)
        cr_expect_neq(strstr(agent.run->source, strerror(EACCES)), NULL, "%s", agent.run->source);
}

// The limit is the user's, so that of others is used up as well. An emulator's host has another.
Test(clock, a_thread_that_gets_no_timer_is_counted) {
    struct rlimit none = {0, 0};
    bool refused = refuse_events();
    prepare(199);
    clock_settle();
    take_signals(WHILE_NS);
    cr_expect_eq(agent.run->threads_clockless, 0);
    cr_assert_eq(setrlimit(RLIMIT_SIGPENDING, &none), 0);
    begin_signals();
    bool got = sampled.has_timer || sampled.perf_fd >= 0;
    clock_disarm(&sampled);
    if (refused && got) cr_skip_test("the limit holds for no timer here");
    cr_expect_eq(agent.run->threads_clockless, got ? 0 : 1);
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
    turn_round(WHILE_NS);
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
static void others_linger(int others) {
    begin_short();
    lingers = LINGER_NS;
    for (int i = 0; i < others; i++) send_own();
    if (has_no_event()) return;
    cr_expect_geq(signals, (uint32_t)others / 2);
    expect_one_left();
}

Test(clock, a_signal_that_waits_for_the_sandwichs_handler_leaves_no_more_than_one) {
    others_linger(OTHERS);
}

// One too many may be given in every second handler.
Test(clock, an_odd_number_of_such_signals_leaves_no_more_than_one) {
    others_linger(OTHERS + 1);
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
    turn_round(WHILE_NS);
    signals = 0;
    sigprocmask(SIG_UNBLOCK, &own, NULL);
    if (has_no_event()) return; // timers' signals queue
    turn_round(WHILE_NS);
    clock_disarm(&sampled);
    cr_expect_gt(signals, 1, "%u", signals);
}
