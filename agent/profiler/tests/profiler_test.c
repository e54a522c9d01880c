// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The profiler's handler is wrapped, and its library sees no difference.
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/judge/judge.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "agent/walker/walker.h"
#include "fakejvm.h"
#include "parts.h"
#include "profiler.h"

static struct results_run run;
static int calls, inside_calls;
static const void* context_seen;

static void own_handler(int signal, siginfo_t* info, void* context) {
    cr_expect_eq(info->si_signo, signal);
    context_seen = context;
    calls++;
}

// As JFR's: the signal that ends the suspension arrives inside the handler.
static void nested_handler(int signal, siginfo_t* info, void* context) {
    (void)info, (void)context;
    calls++;
    if (inside_calls++ == 0) raise(signal);
}

static void plain_handler(int signal) {
    calls += signal == SIGUSR2;
}

static void judge(const char* name, int signal) {
    agent.run = &run;
    agent.options.profiler_signals = UINT64_C(1) << (signal - 1);
    snprintf(agent.options.profiler, sizeof agent.options.profiler, "%s", name);
    snprintf(agent.options.profiler_library, sizeof agent.options.profiler_library, "no such");
    sample_begin();
}

static struct sigaction action_of(void (*handler)(int, siginfo_t*, void*), int flags) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | flags;
    sigemptyset(&action.sa_mask);
    return action;
}

Test(profiler, is_called_at_each_of_its_signals_which_is_an_instant) {
    struct sigaction action = action_of(own_handler, SA_RESTART);
    judge("p", SIGUSR2);
    cr_assert_eq(profiler_sigaction(SIGUSR2, &action, NULL), 0);
    raise(SIGUSR2);
    raise(SIGUSR2);
    cr_expect_eq(calls, 2);
    cr_expect_not_null(context_seen);
    cr_expect_eq(run.instants_stray, 2, "this thread has no slot");
    cr_expect_eq(run.strays[1].thread, (uint32_t)gettid());
    cr_expect_geq(run.strays[1].begin_ns, run.strays[0].begin_ns + run.strays[0].length_ns);
    cr_expect_eq(run.instants, 0);
}

// A process may be stopped inside the handler.
Test(profiler, a_stray_that_lasts_too_long_for_its_field_has_the_longest_time) {
    const uint64_t second = 1000000000u;
    judge("p", SIGUSR2);
    sample_instant(NULL, second, 5 * second);
    sample_instant(NULL, 6 * second, 11 * second);
    cr_expect_eq(run.strays[0].length_ns, 4 * second);
    cr_expect_eq(run.strays[1].length_ns, UINT32_MAX);
}

Test(profiler, a_signal_inside_its_handler_is_no_instant_of_its_own) {
    struct sigaction action = action_of(nested_handler, SA_NODEFER);
    judge("p", SIGUSR2);
    cr_assert_eq(profiler_sigaction(SIGUSR2, &action, NULL), 0);
    raise(SIGUSR2);
    cr_expect_eq(calls, 2);
    cr_expect_eq(run.instants_stray, 1);
}

// As a timer's signal is delivered that expired three times more while it was pending.
static void overrun(void) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = SIGUSR2;
    info.si_code = SI_TIMER;
    info.si_overrun = 3;
    cr_assert_eq(syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGUSR2, &info), 0);
}

struct raw_trace {
    void* env;
    int32_t count;
    void* frames;
};

static void refuse(struct raw_trace* trace, int32_t depth, void* context) {
    (void)depth, (void)context;
    trace->count = -3;
}

Test(profiler, the_kernels_overruns_are_counted_where_the_signal_is_an_instant) {
    static const struct jvmtiInterface_1_ jvmti = {.GetThreadInfo = fake_get_thread_info,
                                                   .Deallocate = fake_deallocate};
    struct sigaction action = action_of(own_handler, 0);
    judge("p", SIGUSR2);
    cr_assert_eq(profiler_sigaction(SIGUSR2, &action, NULL), 0);
    overrun();
    cr_expect_eq(run.instants_stray, 1, "this thread has no slot");
    cr_expect_eq(run.instants_coalesced, 0);
    agent.methods = oracle_methods_open();
    struct agent_thread* t = fake_thread_begin(&jvmti);
    walker_under_test.function = (void (*)(void))refuse;
    overrun();
    raise(SIGUSR2);
    cr_expect_eq(calls, 3);
    cr_expect_eq(agent.run->instants, 2);
    cr_expect_eq(agent.run->instants_coalesced, 3);
    oracle_stack_free(&t->stack);
    oracle_methods_close(agent.methods);
    free(agent.run);
}

Test(profiler, is_told_its_own_action_and_not_the_wrapper) {
    struct sigaction action = action_of(own_handler, SA_RESTART), now, real;
    judge("p", SIGUSR2);
    sigaddset(&action.sa_mask, SIGTERM);
    cr_assert_eq(profiler_sigaction(SIGUSR2, &action, &now), 0);
    cr_expect_eq(now.sa_handler, SIG_DFL);
    cr_assert_eq(profiler_sigaction(SIGUSR2, NULL, &now), 0);
    cr_expect(now.sa_sigaction == own_handler);
    cr_expect_eq(now.sa_flags & SA_RESTART, SA_RESTART);
    cr_expect(sigismember(&now.sa_mask, SIGTERM));
    sigaction(SIGUSR2, NULL, &real);
    cr_expect(real.sa_sigaction != own_handler, "the wrapper is installed");
    cr_expect(sigismember(&real.sa_mask, SIGTERM));
    action.sa_handler = SIG_IGN;
    action.sa_flags = 0;
    cr_assert_eq(profiler_sigaction(SIGUSR2, &action, &now), 0);
    cr_expect(now.sa_sigaction == own_handler);
    sigaction(SIGUSR2, NULL, &real);
    cr_expect_eq(real.sa_handler, SIG_IGN);
    raise(SIGUSR2);
    cr_expect_eq(calls, 0);
}

Test(profiler, other_signals_are_left_to_the_system) {
    struct sigaction action = action_of(own_handler, 0), real;
    judge("p", SIGUSR2);
    cr_assert_eq(profiler_sigaction(SIGUSR1, &action, NULL), 0);
    sigaction(SIGUSR1, NULL, &real);
    cr_expect(real.sa_sigaction == own_handler);
    cr_expect_eq(profiler_sigaction(0, &action, NULL), -1);
    cr_expect_eq(profiler_sigaction(SIGKILL, &action, NULL), -1);
}

Test(profiler, a_handler_that_was_there_before_is_wrapped) {
    struct sigaction action, now;
    memset(&action, 0, sizeof action);
    action.sa_handler = plain_handler;
    judge("p", SIGUSR2);
    sigaction(SIGUSR2, &action, NULL);
    profiler_open();
    cr_expect_str_eq(run.profiler, "p");
    cr_expect_eq(profiler_ready(), 0);
    raise(SIGUSR2);
    cr_expect_eq(calls, 1);
    cr_expect_eq(run.instants_stray, 1);
    cr_assert_eq(profiler_sigaction(SIGUSR2, NULL, &now), 0);
    cr_expect_eq(now.sa_handler, plain_handler);
    cr_expect_eq(now.sa_flags & SA_SIGINFO, 0);
}

Test(profiler, that_cannot_be_found_is_refused) {
    judge("p", SIGUSR2);
    profiler_open();
    cr_expect_eq(profiler_ready(), -1);
    agent.options.profiler[0] = '\0';
    cr_expect_eq(profiler_ready(), 0, "none is judged");
}
