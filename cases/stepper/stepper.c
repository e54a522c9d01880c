// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "stepper.h"

#include <signal.h>
#include <stddef.h>

#include "processor.h"

static volatile sig_atomic_t stepping;
static volatile uint64_t looks;
static stepper_look* look_now;
static void* argument_now;

bool stepper_comes_to(uintptr_t pc) {
    if (!stepping) return false;
    looks++;
    look_now(pc, argument_now);
    return true;
}

static void on_trap(int signal, siginfo_t* info, void* context) {
    (void)signal;
    (void)info;
    processor_trapped(context);
}

// Those that an instruction causes stay open.
static void close_signals(sigset_t* set) {
    static const int synchronous[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
    sigfillset(set);
    for (size_t i = 0; i < sizeof synchronous / sizeof synchronous[0]; i++)
        sigdelset(set, synchronous[i]);
}

uint64_t stepper_run(void (*code)(void* argument), stepper_look* look, void* argument) {
    struct sigaction action = {.sa_sigaction = on_trap,
                               .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    struct sigaction action_before;
    sigset_t signals_before;
    if (!processor_open()) return 0;
    close_signals(&action.sa_mask);
    pthread_sigmask(SIG_BLOCK, &action.sa_mask, &signals_before);
    sigaction(SIGTRAP, &action, &action_before);
    look_now = look;
    argument_now = argument;
    looks = 0;
    stepping = 1;
    raise(SIGTRAP); // from here on
    code(argument);
    stepping = 0; // to here
    sigaction(SIGTRAP, &action_before, NULL);
    pthread_sigmask(SIG_SETMASK, &signals_before, NULL);
    return looks;
}
