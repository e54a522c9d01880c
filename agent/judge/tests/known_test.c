// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What was found at a pc is found again in the same case, and in no other. Traces and trace stacks
// are written youngest first, a letter a frame: a to e are instrumented, f is not.
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "agent/state/state.h"
#include "parts.h"
#include "fakejvm.h"

#define PC 0x7000u
#define FRAMES_MOST 32

static struct agent_thread* thread;
static struct oracle_frame frames[FRAMES_MOST];
static struct oracle_trace trace = {frames, 0};
static struct oracle_context context;
static const struct code_place compiled = {
    .kind = RESULTS_CODE_C2, .region = RESULTS_REGION_AFTER, .method = "a", .compile_id = 7};
static struct code_place place;

static void observe(const char* text) {
    trace.count = (uint32_t)strlen(text);
    for (uint32_t i = 0; i < trace.count; i++)
        frames[i] = (struct oracle_frame){.method = fake_id(text[i]), .bci = (int32_t)i};
}

static void stack_is(const char* text) {
    oracle_stack_reset(&thread->stack);
    for (size_t i = strlen(text); i-- > 0;)
        oracle_push(&thread->stack, (uint32_t)(text[i] - 'a') + 1, 0);
}

static void open_all(void) {
    static const struct oracle_code code = {.length = 100};
    agent.methods = oracle_methods_open();
    thread = calloc(1, sizeof *thread);
    cr_assert(agent.methods != NULL && thread != NULL);
    cr_assert_eq(oracle_stack_init(&thread->stack, FRAMES_MOST), 0);
    for (char c = 'a'; c <= 'e'; c++) {
        uint32_t number = (uint32_t)(c - 'a') + 1;
        oracle_methods_bind(agent.methods, fake_id(c), number);
        oracle_methods_describe(agent.methods, number, &code);
    }
    oracle_methods_bind(agent.methods, fake_id('f'), ORACLE_FOREIGN);
    place = compiled;
    context =
        (struct oracle_context){.in_transition_allowed = true,
                                .place = {.kind = ORACLE_PLACE_MERGED, .method = fake_id('a')}};
}

static void close_all(void) {
    oracle_stack_free(&thread->stack);
    oracle_methods_close(agent.methods);
    free(thread);
}

TestSuite(known, .init = open_all, .fini = close_all);

static struct known_case case_at(uintptr_t pc) {
    return (struct known_case){thread, &trace, &place, pc};
}

static enum oracle_verdict decided(uintptr_t pc) {
    struct oracle_judgement judgement;
    enum results_region region = RESULTS_REGION_NONE;
    struct known_case c = case_at(pc);
    if (!known_decides(&c, &context, &judgement, &region)) {
        cr_expect_eq(region, RESULTS_REGION_NONE, "nothing is known, and the region is told");
        return ORACLE_NO_ANSWER;
    }
    cr_expect_eq(region, RESULTS_REGION_AFTER);
    return judgement.verdict;
}

// The frame at the pc is a's, with b inlined; b has pushed, and the trace lacks it.
static void learn_attribution(void) {
    struct known_case c = case_at(PC);
    observe("acde");
    stack_is("bacde");
    known_learn(&c, KNOWN_ATTRIBUTION, 1, 2);
}

Test(known, an_attribution_is_found_again) {
    learn_attribution();
    cr_expect_eq(decided(PC), ORACLE_ATTRIBUTION);
}

Test(known, what_is_below_may_be_another_stack) {
    learn_attribution();
    observe("afde");
    stack_is("bade");
    cr_expect_eq(decided(PC), ORACLE_ATTRIBUTION);
    place.kind = RESULTS_CODE_C1_3; // a glance's place has no region, and its kind is the code's
    place.region = RESULTS_REGION_NONE;
    cr_expect_eq(decided(PC), ORACLE_ATTRIBUTION);
}

Test(known, an_error_below_is_none) {
    learn_attribution();
    observe("ade");
    cr_expect_eq(decided(PC), ORACLE_NO_ANSWER);
    observe("acd");
    cr_expect_eq(decided(PC), ORACLE_NO_ANSWER);
    observe("acdef");
    cr_expect_eq(decided(PC), ORACLE_ATTRIBUTION, "f is not instrumented");
    thread->stack.beyond = 1;
    cr_expect_eq(decided(PC), ORACLE_NO_ANSWER);
}

Test(known, other_frames_entries_or_code_are_another_case) {
    learn_attribution();
    frames[0].bci++;
    cr_expect_eq(decided(PC), ORACLE_NO_ANSWER);
    frames[0].bci--;
    stack_is("cacde");
    cr_expect_eq(decided(PC), ORACLE_NO_ANSWER);
    stack_is("bacde");
    cr_expect_eq(decided(PC + 1), ORACLE_NO_ANSWER);
    place.compile_id++;
    cr_expect_eq(decided(PC), ORACLE_NO_ANSWER);
    place = compiled;
    place.method = "b";
    cr_expect_eq(decided(PC), ORACLE_NO_ANSWER);
    place = compiled;
    cr_expect_eq(decided(PC), ORACLE_ATTRIBUTION);
    trace.count = 0;
    cr_expect_eq(decided(PC), ORACLE_NO_ANSWER);
}

Test(known, nothing_is_learnt_of_other_code_or_of_captured_gaps) {
    place.compile_id = 0;
    learn_attribution();
    cr_expect_eq(decided(PC), ORACLE_NO_ANSWER);
    place = compiled;
    place.kind = RESULTS_CODE_INTERPRETER;
    learn_attribution();
    cr_expect_eq(decided(PC), ORACLE_NO_ANSWER);
    place = compiled;
    observe("afcde");
    stack_is("acde");
    cr_assert_gt(oracle_capture(&thread->stack, agent.methods, frames, trace.count, &context), 0);
    oracle_push(&thread->stack, 2, 0);
    struct known_case c = case_at(PC);
    known_learn(&c, KNOWN_ATTRIBUTION, 1, 2);
    cr_expect_eq(decided(PC), ORACLE_NO_ANSWER);
}

Test(known, a_transition_is_found_again_if_the_owner_of_the_code_is_the_same_frame) {
    struct known_case c = case_at(PC);
    observe("bacde"); // b, inlined into a, has not pushed yet
    stack_is("acde");
    known_learn_transition(&c, &context);
    cr_expect_eq(decided(PC), ORACLE_TRANSITION);
    frames[1].bci++;
    cr_expect_eq(decided(PC), ORACLE_NO_ANSWER);
    frames[1].bci--;
    frames[2].bci++;
    cr_expect_eq(decided(PC), ORACLE_TRANSITION);
    stack_is("aacde");
    cr_expect_eq(decided(PC), ORACLE_NO_ANSWER);
}

Test(known, scopes_are_found_again_whatever_is_on_the_stack) {
    enum results_region region = RESULTS_REGION_NONE;
    struct known_case c = case_at(PC);
    observe("bacde");
    cr_expect_eq(known_scopes(&c, &region), 0);
    known_learn(&c, KNOWN_SCOPES, 2, 0);
    stack_is("c");
    cr_expect_eq(known_scopes(&c, &region), 2);
    cr_expect_eq(region, RESULTS_REGION_AFTER);
    cr_expect_eq(decided(PC), ORACLE_NO_ANSWER);
    frames[1].bci++;
    cr_expect_eq(known_scopes(&c, &region), 0);
}
