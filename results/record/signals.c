// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "record.h"

#include <signal.h>
#include <stddef.h>

// glibc keeps the first two real-time signals of the kernel to itself.
#define KERNEL_RTMIN 32

const char* results_signal_taken(int number) {
    switch (number) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP: return "tells the JVM of faults in its own code";
    case SIGKILL:
    case SIGSTOP: return "has no handler";
    case SIGABRT: return "ends the JVM";
    case SIGQUIT: return "makes the JVM print its threads";
    case SIGHUP:
    case SIGINT:
    case SIGTERM: return "makes the JVM end";
    case SIGPIPE:
    case SIGXFSZ: return "is handled by the JVM: a write failed";
    case SIGUSR2: return "suspends the JVM's threads";
    case SIGCHLD: return "tells of children's ends";
    case SIGCONT:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU: return "stops and continues the process";
    default: break;
    }
    // Where the JDK wakes threads that wait for I/O (NativeThread.c, linux_close.c).
    if (number == SIGRTMAX - 2) return "wakes the JDK's threads that wait for I/O";
    return number >= KERNEL_RTMIN && number < SIGRTMIN ? "belongs to the C library" : NULL;
}
