// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "stepper.h"

#include <signal.h>
#include <string.h>
#include <ucontext.h>

#if defined(__x86_64__)

#define TRAP_FLAG 0x100

static volatile sig_atomic_t stepping;
static volatile uint64_t looks;
static stepper_look* look_now;
static void* argument_now;

// The kernel clears the flag while the handler runs, and takes it from the context on the way back.
static void on_trap(int signal, siginfo_t* info, void* context) {
    ucontext_t* machine = context;
    greg_t* flags = &machine->uc_mcontext.gregs[REG_EFL];
    (void)signal;
    (void)info;
    if (!stepping) {
        *flags &= ~(greg_t)TRAP_FLAG;
        return;
    }
    *flags |= TRAP_FLAG;
    looks++;
    look_now((uintptr_t)machine->uc_mcontext.gregs[REG_RIP], argument_now);
}

bool stepper_works(void) {
    return true;
}

uint64_t stepper_run(void (*code)(void* argument), stepper_look* look, void* argument) {
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_trap;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &action, &before);
    look_now = look;
    argument_now = argument;
    looks = 0;
    stepping = 1;
    __asm__ volatile("int3" ::: "memory"); // the handler raises the flag
    code(argument);
    stepping = 0; // and lowers it, one instruction from here
    __asm__ volatile("nop" ::: "memory");
    sigaction(SIGTRAP, &before, NULL);
    return looks;
}

#else

bool stepper_works(void) {
    return false;
}

uint64_t stepper_run(void (*code)(void* argument), stepper_look* look, void* argument) {
    (void)code;
    (void)look;
    (void)argument;
    return 0;
}

#endif
