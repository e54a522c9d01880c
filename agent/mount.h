// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The trace stacks of virtual threads, and how a carrier's slot takes one and gives it up. It knows
// nothing of events: virtual.c, which does, says when.
#ifndef AGENT_MOUNT_H
#define AGENT_MOUNT_H

#include <pthread.h>
#include <stdint.h>

#include "oracle/oracle.h"

struct agent_thread;

// Whose trace stack a thread's slot holds, in one word that its handler reads (agent_thread.mount).
// README.md, "Virtual threads", says what lies between AWAY and MOUNTED.
enum {
    MOUNT_NONE,    // its own: no virtual thread was ever seen on it
    MOUNT_AWAY,    // none: a carrier between two virtual threads, or in transition to or from one
    MOUNT_MOUNTED, // that of the virtual thread which is mounted
    MOUNT_LOST     // none: the virtual thread which is mounted has no trace stack
};

// ---- Trace stacks -----------------------------------------------------------------------------

struct mount_stack {
    struct oracle_stack stack; // in use while unmounted
    struct mount_stack* next;  // in the list of those given back
};

// Virtual threads that may be alive at once and be judged. More are counted and run as they would.
// Each takes 320 KB of addresses (21 GB for all), of which only what its frames reach is committed:
// 8 KB at least. The system's own limit of mappings is not met, as many share one.
#define MOUNT_STACKS_MAX 65536u

// All zero but `max`: none was made yet. Memory is never given back to the system.
struct mount_pool {
    pthread_mutex_t lock;
    struct mount_stack* given_back;
    char* fresh;         // the rest of the mapping made last
    uint32_t fresh_left; // stacks in it
    uint32_t made, max;
};
#define MOUNT_POOL(limit)                                                                          \
    { .lock = PTHREAD_MUTEX_INITIALIZER, .max = (limit) }

// An empty trace stack; NULL where `max` are in use, or the system has no more addresses to give.
// Any thread, no handler.
struct mount_stack* mount_take(struct mount_pool* pool);
// Takes it back, whatever is on it.
void mount_give(struct mount_pool* pool, struct mount_stack* stack);

// ---- Slots ------------------------------------------------------------------------------------

// What of a slot is the platform thread's own, put aside while a virtual thread is mounted.
struct mount_own {
    struct oracle_stack stack;
    uint32_t base, root;
};

// All of these are for the thread whose slot it is, outside its handler. A handler that interrupts
// one sees the state before or that after, or AWAY, in which it looks at no trace stack.

// The thread is a carrier from now on: NONE -> AWAY. What is on its own trace stack is dropped, and
// may not be used again before mount_leave.
void mount_become_carrier(struct agent_thread* thread);
// A virtual thread is mounted: AWAY -> MOUNTED, or LOST where it has no stack (NULL).
void mount_in(struct agent_thread* thread, struct mount_stack* stack);
// It is about to be unmounted. In this order, as between them the trace stack is still there to be
// compared with and no handler books anything any more: mount_close, MOUNTED or LOST -> AWAY; and
// mount_out, after which the stack is kept where it came from, without its machine positions.
void mount_close(struct agent_thread* thread);
void mount_out(struct agent_thread* thread);
// The thread ends: the slot is as it was before it was a carrier's.
void mount_leave(struct agent_thread* thread);

// ---- Traces -----------------------------------------------------------------------------------

// Where a virtual thread's frames end: at the youngest frame of one of these methods, which are its
// carrier's. 0: not known.
struct mount_end {
    uintptr_t enter_special; // Continuation.enterSpecial: the carrier's youngest frame
    uintptr_t run;           // Continuation.run, its caller: a walk may have lost the former
};

// Of frames[0, count), a walk, youngest first: how many are the virtual thread's own.
uint32_t mount_own_frames(const struct oracle_frame* frames, uint32_t count,
                          const struct mount_end* end) HANDLER_SAFE;

#endif
