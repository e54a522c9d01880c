// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "parts.h"

#include <string.h>

#include "agent/walker/walker.h"

// ---- Answers with too many frames ---------------------------------------------------------------

// What stands behind the room that a walker has, to see whether it was written over.
#define MARK 0xa5
// Of an answer that says more frames than there was room for, so many are kept, for the reader.
#define KEPT_MAX 256

static HANDLER_SAFE bool is_marked(const unsigned char* at, uint32_t size) {
    for (uint32_t i = 0; i < size; i++)
        if (at[i] != MARK) return false;
    return true;
}

HANDLER_SAFE void walk_judge_too_many(uint32_t frames, struct oracle_judgement* judgement) {
    *judgement = (struct oracle_judgement){
        .verdict = ORACLE_PHANTOM, .observed = frames, .difference = frames != 0 ? frames - 1 : 0};
}

// ---- Walking ------------------------------------------------------------------------------------

HANDLER_SAFE int32_t walk_call(struct agent_thread* t, void* raw, int32_t depth, void* context,
                               enum oracle_layer layer) {
    uint32_t size = walker_under_test.description.frame_size;
    unsigned char* behind = (unsigned char*)raw + (size_t)depth * size;
    memset(behind, MARK, size);
    __atomic_store_n(&t->now->in_walker, 1u + layer, __ATOMIC_RELAXED);
    int32_t count = walker_call(&walker_under_test, t->env, raw, depth, context, t->thread_id);
    __atomic_store_n(&t->now->in_walker, 0, __ATOMIC_RELAXED);
    // Whatever it says, it has written one frame too many at least.
    return count <= depth && !is_marked(behind, size) ? depth + 1 : count;
}

HANDLER_SAFE uint32_t walk_frames(const struct agent_thread* t, const void* raw, int32_t depth,
                                  int32_t* count, struct oracle_frame* to) {
    if (*count > depth)
        return walker_frames(&walker_under_test, raw, depth < KEPT_MAX ? depth : KEPT_MAX, to);
    uint32_t frames = *count > 0 ? walker_frames(&walker_under_test, raw, *count, to) : 0;
    if (t->mount == MOUNT_NONE) return frames;
    uint32_t own = virtual_own_frames(to, frames);
    if (own < frames) *count = own > 0 ? (int32_t)own : 1;
    return own;
}
