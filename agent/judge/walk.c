// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "parts.h"

#include "agent/walker/walker.h"

HANDLER_SAFE int32_t walk_call(struct agent_thread* t, void* raw, int32_t depth, void* context,
                               enum oracle_layer layer) {
    __atomic_store_n(&t->now->in_walker, 1u + layer, __ATOMIC_RELAXED);
    int32_t count = walker_call(&walker_under_test, t->env, raw, depth, context, t->thread_id);
    __atomic_store_n(&t->now->in_walker, 0, __ATOMIC_RELAXED);
    return count;
}

HANDLER_SAFE uint32_t walk_frames(const struct agent_thread* t, const void* raw, int32_t* count,
                                  struct oracle_frame* to) {
    uint32_t frames = *count > 0 ? walker_frames(&walker_under_test, raw, *count, to) : 0;
    if (t->mount == MOUNT_NONE) return frames;
    uint32_t own = virtual_own_frames(to, frames);
    if (own < frames) *count = own > 0 ? (int32_t)own : 1;
    return own;
}
