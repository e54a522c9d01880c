// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The handlers of the signals that a walker dies of.
#include <criterion/criterion.h>
#include <signal.h>

#include "agent/state/state.h"
#include "rescue.h"

static int met_within;
static int given_on;

static void sampler(int signal) {
    (void)signal;
    met_within += given_on == 1;
}

// As HotSpot's, which is interrupted by nothing but errors.
static void jvms_handler(int signal, siginfo_t* info, void* context) {
    (void)signal, (void)info, (void)context;
    given_on = 1;
    raise(agent.options.signal);
    given_on = 2;
}

Test(rescue, the_jvms_handler_is_interrupted_by_no_sampler) {
    struct sigaction action = {.sa_handler = sampler}, now;
    agent.options.rescue = true;
    agent.options.signal = SIGUSR1;
    agent.options.survive_signal = SIGRTMIN + 5;
    cr_assert_eq(sigaction(SIGUSR1, &action, NULL), 0);
    action = (struct sigaction){.sa_sigaction = jvms_handler, .sa_flags = SA_SIGINFO};
    cr_assert_eq(sigaction(SIGFPE, &action, NULL), 0);
    cr_assert_eq(rescue_install(), 0);
    raise(SIGFPE);
    cr_expect_eq(given_on, 2);
    cr_expect_eq(met_within, 0);
    // Errors within it must come through, and what gives a question up that hangs in it.
    cr_assert_eq(sigaction(SIGSEGV, NULL, &now), 0);
    const int open[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGRTMIN + 5};
    for (size_t i = 0; i < sizeof open / sizeof open[0]; i++)
        cr_expect_not(sigismember(&now.sa_mask, open[i]), "%d", open[i]);
    int closed = 0;
    for (int signal = SIGRTMIN + 1; signal < SIGRTMAX; signal++)
        closed += sigismember(&now.sa_mask, signal);
    cr_expect_eq(closed, SIGRTMAX - SIGRTMIN - 1 - 2, "survive's, and the one that wakes");
}
