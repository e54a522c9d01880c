// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The function that stands in front of AsyncGetCallTrace, called as some profilers call it outside
// a signal handler: without a context.
#include <criterion/criterion.h>

#include "front.h"

#define FRAMES 4

static void answer(struct fault_trace* trace, int32_t depth, void* ucontext) {
    (void)depth, (void)ucontext;
    trace->count = FRAMES;
    for (int i = 0; i < FRAMES; i++)
        trace->frames[i] = (struct fault_frame){.method = (uint64_t)i + 1, .bci = i};
    trace->frames[0].bci = FAULT_BCI_NATIVE;
}

static int32_t frames_without_context(const char* faults) {
    struct fault_frame frames[2 * FRAMES] = {{0}};
    struct fault_trace trace = {.frames = frames};
    front_open(faults);
    front_found(answer);
    AsyncGetCallTrace(&trace, 2 * FRAMES, NULL);
    return trace.count;
}

Test(front, a_call_without_a_context_is_spoiled_by_faults_that_need_none) {
    cr_expect_eq(frames_without_context("cut=2"), 2);
}

Test(front, and_left_alone_by_the_fault_that_asks_for_an_interrupted_system_call) {
    cr_expect_eq(frames_without_context("young-native"), FRAMES);
}
