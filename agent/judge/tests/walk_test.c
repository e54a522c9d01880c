// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What a walker's refusal is booked as.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "agent/threads/threads.h"
#include "fakejvm.h"
#include "parts.h"

static const uint32_t machine_code[] = {
#if defined(__x86_64__)
    0x9090050f // syscall; nop; nop
#else
    0xd4000001, // svc #0
    0xd503201f  // nop
#endif
};
#if defined(__x86_64__)
#define BEHIND 2
#else
#define BEHIND 4
#endif

static enum oracle_refusal refusal_at(const void* pc, int32_t count) {
    uintptr_t stack[4] = {0};
    struct results_thread now = {.asked_at = (uintptr_t)pc};
    struct agent_thread* t = calloc(1, sizeof *t);
    cr_assert_not_null(t);
    t->now = &now;
    t->hotspot = fake_deoptimise(stack + 4, 300).thread;
    enum oracle_refusal refusal = judge_refusal(t, count);
    free(t);
    return refusal;
}

Test(walk, a_thread_without_java_frames_has_an_empty_trace_stack) {
    struct results_thread now = {.asked_at = 0};
    struct agent_thread* t = calloc(1, sizeof *t);
    cr_assert_not_null(t);
    cr_assert_eq(oracle_stack_init(&t->stack, 8), 0);
    t->now = &now;
    t->hotspot = fake_left_thread(0);
    cr_expect_eq(judge_refusal(t, -3), ORACLE_REFUSAL_WITHOUT_JAVA);
    cr_expect_eq(judge_refusal(t, -4), ORACLE_REFUSAL_NOT_WALKABLE_NOT_JAVA);
    oracle_push(&t->stack, 1, 0);
    cr_expect_eq(judge_refusal(t, -3), ORACLE_REFUSAL_UNKNOWN_NOT_JAVA, "it has some");
    t->hotspot = fake_left_thread(8);
    cr_expect_eq(judge_refusal(t, -3), ORACLE_REFUSAL_NO_ANCHOR);
    oracle_stack_free(&t->stack);
    free(t);
}

Test(walk, a_refusal_in_a_system_call_is_told_apart) {
    const char* code = (const char*)machine_code;
    cr_expect_eq(refusal_at(code + BEHIND, -5), ORACLE_REFUSAL_SYSTEM_CALL);
    cr_expect_eq(refusal_at(code, -5), ORACLE_REFUSAL_UNKNOWN_JAVA, "before it");
    cr_expect_eq(refusal_at(NULL, -5), ORACLE_REFUSAL_UNKNOWN_JAVA, "without a context");
    cr_expect_eq(refusal_at(code + BEHIND, -6), ORACLE_REFUSAL_NOT_WALKABLE_JAVA);
    cr_expect_eq(refusal_at(code + BEHIND, -3), ORACLE_REFUSAL_UNKNOWN_NOT_JAVA);
}
