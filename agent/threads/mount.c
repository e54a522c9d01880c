// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "parts.h"

#include <stddef.h>
#include <sys/mman.h>

#include "agent/state/state.h"
#include "threads.h"

// ---- Trace stacks -----------------------------------------------------------------------------

#define STACKS_AT_ONCE 256u

// Whole pages, so that the frames of one stack do not commit memory of another.
static size_t stack_bytes(void) {
    return agent_whole_pages(sizeof(struct mount_stack) + oracle_stack_size(ORACLE_STACK_FRAMES));
}

static bool make_more(struct mount_pool* pool) {
    uint32_t count = pool->max - pool->made;
    if (count > STACKS_AT_ONCE) count = STACKS_AT_ONCE;
    if (count == 0) return false;
    void* memory = mmap(NULL, count * stack_bytes(), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    // A huge page would hold eight stacks of which a page each is used. Not all kernels have them.
    (void)madvise(memory, count * stack_bytes(), MADV_NOHUGEPAGE);
    pool->fresh = memory;
    pool->fresh_left = count;
    pool->made += count;
    return true;
}

static struct mount_stack* take_fresh(struct mount_pool* pool) {
    if (pool->fresh_left == 0 && !make_more(pool)) return NULL;
    struct mount_stack* taken = (struct mount_stack*)(void*)pool->fresh;
    pool->fresh += stack_bytes();
    pool->fresh_left--;
    oracle_stack_place(&taken->stack, taken + 1, ORACLE_STACK_FRAMES);
    return taken;
}

struct mount_stack* mount_take(struct mount_pool* pool) {
    pthread_mutex_lock(&pool->lock);
    struct mount_stack* taken = pool->given_back;
    if (taken != NULL) pool->given_back = taken->next;
    else taken = take_fresh(pool);
    pthread_mutex_unlock(&pool->lock);
    if (taken != NULL) oracle_stack_reset(&taken->stack);
    return taken;
}

void mount_give(struct mount_pool* pool, struct mount_stack* stack) {
    pthread_mutex_lock(&pool->lock);
    stack->next = pool->given_back;
    pool->given_back = stack;
    pthread_mutex_unlock(&pool->lock);
}

// ---- Slots ------------------------------------------------------------------------------------

// Handlers run on this very thread, so a compiler fence is enough on both sides.
static void set_state(struct agent_thread* t, uint32_t state) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&t->mount, state, __ATOMIC_RELAXED); // the sandwich's thread reads it too
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

void mount_become_carrier(struct agent_thread* t) {
    set_state(t, MOUNT_AWAY);
    thread_shut(t);
    t->own = (struct mount_own){t->stack, t->base, t->root, t->java_thread};
}

void mount_in(struct agent_thread* t, struct mount_stack* stack) {
    t->mounted = stack;
    if (stack == NULL) {
        set_state(t, MOUNT_LOST);
        return;
    }
    t->stack = stack->stack;
    t->base = 0; // every virtual thread was seen from its start
    t->root = ORACLE_ROOT_VIRTUAL;
    t->java_thread = stack->java_thread;
    t->first_method = 0; // another kind of root
    set_state(t, MOUNT_MOUNTED);
}

void mount_close(struct agent_thread* t) {
    set_state(t, MOUNT_AWAY);
    thread_shut(t);
}

void mount_out(struct agent_thread* t) {
    if (t->mounted == NULL) return;
    oracle_stack_move(&t->stack);
    t->mounted->stack = t->stack;
    t->mounted = NULL;
    // The frames are another carrier's from now on, or another virtual thread's.
    t->stack = t->own.stack;
}

void mount_leave(struct agent_thread* t) {
    if (t->mount == MOUNT_NONE) return;
    mount_close(t);
    mount_out(t);
    t->base = t->own.base;
    t->root = t->own.root;
    t->java_thread = t->own.java_thread;
    t->first_method = 0;
    set_state(t, MOUNT_NONE);
}

// ---- Traces -----------------------------------------------------------------------------------

HANDLER_SAFE uint32_t mount_own_frames(const struct oracle_frame* frames, uint32_t count,
                                       const struct mount_end* end) {
    uint32_t at = 0;
    while (at < count && (frames[at].method == 0 || (frames[at].method != end->enter_special &&
                                                     frames[at].method != end->run)))
        at++;
    return at;
}
