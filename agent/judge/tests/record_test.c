// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What checks put into the record is what they were judged by: judged again, it gives the verdict.
// Traces are written youngest first, a letter a frame: a and b are methods 1 and 2, c is the
// constructor 3, f is a method that is not instrumented.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "agent/classes/classes.h"
#include "agent/evidence/evidence.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "parts.h"
#include "fakejvm.h"

enum { A = 1, B, C };

static void open_methods(void) {
    static const struct oracle_code method = {.length = 10};
    static const struct oracle_code constructor = {.length = 10, .may_vanish = true};
    agent.methods = oracle_methods_open();
    cr_assert_not_null(agent.methods);
    for (uint32_t number = A; number <= C; number++) {
        oracle_methods_bind(agent.methods, fake_id((char)('a' + number - A)), number);
        oracle_methods_describe(agent.methods, number, number == C ? &constructor : &method);
    }
    oracle_methods_bind(agent.methods, fake_id('f'), ORACLE_FOREIGN);
}

// The agent's state with one in `record` recorded, and the calling thread registered: a called b.
static struct agent_thread* open_thread(uint32_t record) {
    static const struct jvmtiInterface_1_ jvmti = {.GetStackTrace = fake_get_stack_trace,
                                                   .GetThreadInfo = fake_get_thread_info,
                                                   .Deallocate = fake_deallocate};
    agent.options.record = record;
    snprintf(agent.options.file, sizeof agent.options.file, "/tmp/plumbline-record-%d.plumbline",
             (int)getpid());
    open_methods();
    struct agent_thread* t = fake_thread_begin(&jvmti);
    cr_assert_eq(evidence_start(), 0);
    oracle_push(&t->stack, A, 1);
    oracle_push(&t->stack, B, 2);
    return t;
}

// ---- Reading what was recorded ------------------------------------------------------------------

struct again {
    struct results_replay* replay;
    struct results_record* record;
    uint32_t count[ORACLE_LAYER_COUNT][ORACLE_VERDICT_COUNT]; // by the verdict counted
    uint32_t samples, evidence;
    uint32_t slots[8]; // of the first samples
};

static void judge_again(void* context, const struct results_sample* s, bool lost) {
    struct again* again = context;
    struct oracle_judgement judgement;
    cr_assert(!lost);
    cr_assert(results_replay_judge(again->replay, again->record, s, &judgement));
    cr_expect_eq(judgement.verdict, s->judgement.verdict, "%s was %s, is %s",
                 oracle_layer_text((enum oracle_layer)s->layer),
                 oracle_verdict_text(s->judgement.verdict), oracle_verdict_text(judgement.verdict));
    again->count[s->layer][s->verdict]++;
    cr_expect_eq(s->evidence != NULL, oracle_is_mismatch((enum oracle_verdict)s->verdict));
    again->evidence += s->evidence != NULL;
    if (again->samples < 8) again->slots[again->samples] = s->slot_count;
    again->samples++;
    cr_expect_eq(s->sequence, again->samples, "numbers go up by 1");
}

// Ends the record and opens it, the caller's to close; its file is gone.
static struct results_record* end_record(void) {
    char path[64];
    evidence_stop(NULL);
    snprintf(path, sizeof path, "/tmp/plumbline-record-%d.lz4", (int)getpid());
    struct results_record* record = results_record_open_file(path);
    unlink(path);
    cr_assert_not_null(record);
    return record;
}

// Ends the record, reads it and judges it again.
static struct again judge_recorded(void) {
    struct again again = {.replay = results_replay_open(0), .record = end_record()};
    const struct results_record_visitor visitor = {&again, judge_again, NULL, NULL};
    cr_assert_eq(results_record_each(again.record, &visitor), 0);
    results_replay_close(again.replay);
    results_record_close(again.record);
    return again;
}

static uint32_t all_of(const struct again* again, enum oracle_layer layer) {
    uint32_t count = 0;
    for (int i = 0; i < ORACLE_VERDICT_COUNT; i++) count += again->count[layer][i];
    return count;
}

static void check(struct agent_thread* t, const char* walker, const char* gst) {
    fake_walker_text = walker;
    fake_gst_text = gst;
    t->countdown = 0;
    check_push(t);
}

// ---- Checks at pushes ---------------------------------------------------------------------------

Test(record, one_in_n_of_the_checks_is_taken_of_each_layer_for_itself) {
    struct agent_thread* t = open_thread(2);
    for (int i = 0; i < 9; i++) check(t, "bfa", "bfa");
    agent.options.layers = 1u << ORACLE_LAYER_GST;
    for (int i = 0; i < 9; i++) check(t, "bfa", "bfa");
    struct again again = judge_recorded();
    cr_expect_eq(again.count[ORACLE_LAYER_GST][ORACLE_AGREE], 9);
    cr_expect_eq(again.count[ORACLE_LAYER_SAFEPOINT][ORACLE_AGREE], 5);
    cr_expect_eq(agent.run->recorded, 14);
    oracle_stack_free(&t->stack);
}

Test(record, every_check_that_fails_is_taken_with_what_it_was_judged_by) {
    struct agent_thread* t = open_thread(1u << 30);
    check(t, "fa", "a");                // the first of each is chosen anyway
    check(t, "ba", "bfa");              // the walker lacks f
    check(t, "bfa", "fa");              // GetStackTrace lacks b, the walker has it
    check(t, "bafffffff", "bffffffff"); // both fill the buffer
    t->base = 2;
    check(t, "bfaff", "bfaff"); // as are frames older than instrumentation
    check(t, "ff", "bfaff");    // of which nothing is left
    struct again again = judge_recorded();
    cr_expect_eq(all_of(&again, ORACLE_LAYER_GST), 2);
    cr_expect_eq(again.count[ORACLE_LAYER_GST][ORACLE_AGREE], 0);
    cr_expect_eq(all_of(&again, ORACLE_LAYER_SAFEPOINT), 5);
    cr_expect_eq(again.count[ORACLE_LAYER_SAFEPOINT][ORACLE_MISSING], 1);
    cr_expect_eq(again.count[ORACLE_LAYER_SAFEPOINT][ORACLE_TRUNCATED], 1);
    cr_expect_eq(again.count[ORACLE_LAYER_SAFEPOINT][ORACLE_PHANTOM], 3);
    oracle_stack_free(&t->stack);
}

// Which the user asks for by --record 0.
Test(record, where_no_sample_is_wanted_mismatches_are_taken_all_the_same_and_nothing_else) {
    struct agent_thread* t = open_thread(0);
    for (int i = 0; i < 9; i++) check(t, "bfa", "bfa");
    check(t, "ba", "bfa"); // the walker lacks f
    check(t, "bfa", "bfa");
    check_misfit(t, C); // c is nowhere
    struct again again = judge_recorded();
    cr_expect_eq(again.samples, 2);
    cr_expect_eq(again.evidence, 2);
    cr_expect_eq(again.count[ORACLE_LAYER_SAFEPOINT][ORACLE_MISSING], 1);
    cr_expect_eq(again.count[ORACLE_LAYER_GROUND][ORACLE_WRONG_METHOD], 1);
    cr_expect_eq(agent.run->recorded, 2);
    cr_expect_eq(agent.run->sequence, 2);
    oracle_stack_free(&t->stack);
}

// The second question, put to mend the trace stack, is for more frames and brings others behind.
Test(record, what_could_not_be_mended_is_taken_as_it_was_judged) {
    struct agent_thread* t = open_thread(1);
    agent.options.layers = 1u << ORACLE_LAYER_GST;
    check(t, "", "fa");
    struct again again = judge_recorded();
    cr_expect_eq(fake_gst_asked, 2);
    cr_expect_eq(again.count[ORACLE_LAYER_GST][ORACLE_MISSING], 1);
    oracle_stack_free(&t->stack);
}

Test(record, a_check_that_dropped_constructors_is_not_taken) {
    struct agent_thread* t = open_thread(1);
    oracle_push(&t->stack, C, 3);
    check(t, "bfa", "bfa");
    cr_assert_eq(agent.run->layers[ORACLE_LAYER_GST].verdict[ORACLE_UNDECIDED], 1);
    check(t, "bfa", "bfa");
    struct again again = judge_recorded();
    cr_expect_eq(again.count[ORACLE_LAYER_SAFEPOINT][ORACLE_AGREE], 2);
    cr_expect_eq(again.count[ORACLE_LAYER_GST][ORACLE_AGREE], 1);
    cr_expect_eq(all_of(&again, ORACLE_LAYER_GST), 1);
    oracle_stack_free(&t->stack);
}

// ---- Ground and sandwich ------------------------------------------------------------------------

Test(record, ground_failures_are_taken_with_the_entries_that_were_dropped) {
    struct agent_thread* t = open_thread(1);
    fake_gst_text = "fa";
    check_misfit(t, A); // b left without a pop
    cr_assert_eq(oracle_stack_depth(&t->stack), 1);
    check_misfit(t, C); // c is nowhere
    oracle_push(&t->stack, C, 3);
    check_misfit(t, A); // right: the constructor may leave so
    struct again again = judge_recorded();
    cr_expect_eq(again.count[ORACLE_LAYER_GROUND][ORACLE_WRONG_METHOD], 2);
    cr_expect_eq(agent.run->recorded, 2);
    cr_expect_eq(again.slots[0], 2, "the evidence has the entry, too");
    cr_expect_eq(again.evidence, 2);
    oracle_stack_free(&t->stack);
}

// Offers a sandwich of a thread whose trace stack has other things on it.
static void offer(struct agent_thread* t, struct oracle_frame* last_of_third) {
    const struct oracle_frame before[] = {{fake_id('b'), 1, 0}, {fake_id('a'), 6, 0}};
    const struct oracle_frame between[] = {{fake_id('f'), 4, 0}, {fake_id('f'), 4, 0}};
    const struct oracle_frame after[] = {{fake_id('b'), 2, 0}, *last_of_third};
    struct oracle_judgement judgement;
    enum oracle_verdict verdict = oracle_sandwich(before, 2, between, 2, after, 2, &judgement);
    evidence_take(t, &(struct evidence_case){.layer = ORACLE_LAYER_SANDWICH,
                                             .judgement = &judgement,
                                             .given = verdict,
                                             .observed = before,
                                             .observed_count = 2,
                                             .witness = between,
                                             .witness_count = 2,
                                             .third = after,
                                             .third_count = 2,
                                             .context = &(struct oracle_context){.base = 0}});
}

Test(record, sandwiches_are_taken_with_both_walks) {
    struct agent_thread* t = open_thread(1);
    offer(t, &(struct oracle_frame){fake_id('a'), 6, 0});
    offer(t, &(struct oracle_frame){fake_id('a'), 7, 0});
    struct again again = judge_recorded();
    cr_expect_eq(again.count[ORACLE_LAYER_SANDWICH][ORACLE_WRONG_METHOD], 1);
    cr_expect_eq(again.count[ORACLE_LAYER_SANDWICH][ORACLE_UNDECIDED], 1, "nothing is shared");
    oracle_stack_free(&t->stack);
}

// ---- Structure ----------------------------------------------------------------------------------

Test(record, a_handler_that_comes_while_entries_move_reads_none) {
    struct agent_thread* t = open_thread(1);
    static const struct oracle_judgement judgement = {.verdict = ORACLE_IMPOSSIBLE_ROOT};
    const struct oracle_frame seen[] = {{fake_id('b'), 1, 0}};
    struct results_facts facts;
    struct code_place nowhere = {.kind = RESULTS_CODE_NONE};
    t->stack.frames[oracle_top(&t->stack) - 1].gap = 1u
                                                     << 30; // a gap frame's bci stands there by now
    t->mending = true;
    facts_decide(t,
                 &(struct facts_case){.layer = ORACLE_LAYER_STRUCTURE,
                                      .judgement = &judgement,
                                      .frames = seen,
                                      .count = 1,
                                      .place = &nowhere},
                 &facts);
    evidence_take(t, &(struct evidence_case){.layer = ORACLE_LAYER_STRUCTURE,
                                             .judgement = &judgement,
                                             .given = judgement.verdict,
                                             .observed = seen,
                                             .observed_count = 1,
                                             .count = 1,
                                             .facts = &facts});
    results_record_close(end_record());
    cr_expect_eq(agent.run->recorded, 1);
    t->mending = false;
    t->stack.frames[oracle_top(&t->stack) - 1].gap = 0;
    oracle_stack_free(&t->stack);
}
