// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "agent/state/state.h"
#include "agent/walker/walker.h"
#include "parts.h"

int32_t ask_gst(struct agent_thread* t, int32_t depth) {
    jint count = 0;
    if (!virtual_is_itself(t)) return -1;
    jvmtiError error =
        (*agent.jvmti)->GetStackTrace(agent.jvmti, NULL, 0, depth, t->check_gst, &count);
    if (error != JVMTI_ERROR_NONE) return -1;
    walker_gst_frames(t->check_gst, count, t->check_witness);
    return count;
}

struct oracle_context ask_judge_gst(struct agent_thread* t, int32_t count, int32_t depth,
                                    struct oracle_judgement* judgement) {
    struct oracle_context context = {.base = t->base, .depth_limit = count >= depth};
    oracle_judge(&t->stack, agent.methods, t->check_witness, (uint32_t)count, &context, judgement);
    return context;
}
