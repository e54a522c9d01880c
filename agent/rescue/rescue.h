// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Questions that a walker may die of. Where it does, by a signal that HotSpot's own handler does
// not take for its own (SafeFetch's fault is one that it takes), the JVM would have died. The
// handler here books that, and lets the thread go on behind the question. So one JVM lives through
// thousands of deaths. The option `rescue=0` switches this off: then the first death ends the JVM.
#ifndef AGENT_RESCUE_H
#define AGENT_RESCUE_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/oracle.h"

// A thread's way of asking. It must not be given back while the thread asks. A thread asks one
// question at a time.
struct rescue {
    // Books a question of the calling thread that ended in a signal in the walker, at `ucontext`,
    // or hung there. In a handler.
    void (*book)(void* of, const void* ucontext, bool hung);
    void* of;            // the first argument of `book`
    uintptr_t stack_low; // the lowest address of the thread's stack, 0: not known
    // The rest is rescue.c's. All zero at first.
    uint64_t question; // atomic: other threads look whether it comes to an end; 0: none is open
    uint64_t woken;    // atomic: the question that is to be given up
    void* resume[5];   // where the handler goes on (__builtin_setjmp)
    const void* fault; // where the walker died, while the JVM is asked about it
};

// Installs the handlers of the signals that a walker dies of, after HotSpot has installed its own;
// does nothing where that was done, or with `rescue=0`. 0, or -1 with errno set.
int rescue_install(void);
// Has the walker under test walk the calling thread, as walker_call does, in it or elsewhere.
// *count: the walker's.
// False: it died or hung, which was booked.
bool rescue_call(struct rescue* rescue, void* env, void* raw, int32_t depth, void* context,
                 int32_t thread_id, int32_t* count) HANDLER_SAFE;
// Sends the thread that walks for `thread_id` (itself, or the walker's other thread), and does not
// come back from the question that is open, a signal, by which it gives that question up.
void rescue_wake(struct rescue* rescue, int32_t thread_id) HANDLER_SAFE;
// The same for the calling thread, in a handler that interrupted the walker, or the wait for it.
// `ucontext`: the handler's.
void rescue_give_up(struct rescue* rescue, void* ucontext) HANDLER_SAFE;
// A real-time signal that nobody handles, nor the agent by its options; 0: there is none.
int rescue_free_signal(void);

#endif
