// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Accusing, settling and taking back, on a run's file in memory; and what a record says of it.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "agent/coverage/coverage.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "parts.h"
#include "recorded.h"

static struct agent_thread* thread;

static void open_run(void) {
    agent.run = calloc(1, sizeof *agent.run);
    agent.methods = oracle_methods_open();
    thread = calloc(1, sizeof *thread);
    cr_assert(agent.run != NULL && agent.methods != NULL && thread != NULL);
    thread->index = 7;
    thread->settled = 40;
}

static void close_run(void) {
    oracle_methods_close(agent.methods);
    free(agent.run);
    free(thread);
}

TestSuite(blame, .init = open_run, .fini = close_run);

static const struct code_place place = {.kind = RESULTS_CODE_C2, .region = RESULTS_REGION_BODY};

static uint32_t count_one(enum oracle_verdict verdict) {
    static const uint8_t code[] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90};
    struct oracle_judgement judgement = {
        .verdict = verdict, .expected = 5, .observed = 4, .difference = 1};
    return cluster_count(&(struct cluster_case){.layer = ORACLE_LAYER_ASYNC,
                                                .judgement = &judgement,
                                                .pc = (uintptr_t)code,
                                                .place = &place});
}

// The phantoms have another cause than the rest.
#define CAUSE_OF(verdict) ((verdict) == ORACLE_PHANTOM ? 3u : 1u)

static void accuse(enum oracle_verdict verdict) {
    struct thread_accused accused = {.cells = coverage_cells(&place, 7, RESULTS_THREAD_IN_JAVA),
                                     .covered = true};
    agent.run->layers[ORACLE_LAYER_ASYNC].verdict[verdict]++;
    facts_count(thread, ORACLE_LAYER_ASYNC, verdict, CAUSE_OF(verdict));
    coverage_count(accused.cells, verdict);
    accused.cluster = count_one(verdict);
    blame_accuse(thread, verdict, false, CAUSE_OF(verdict), &accused);
}

// The walk that was recorded as the accusation which is settled next: 5 frames, of which the
// youngest two are doubted.
static struct results_sample recorded_walk(void) {
    static const struct results_sample_frame frames[] = {
        {101, 1, 0}, {102, 2, 0}, {103, 3, 0}, {104, 4, 0}, {105, 5, 0}};
    return (struct results_sample){.sequence = 1,
                                   .layer = ORACLE_LAYER_ASYNC,
                                   .verdict = ORACLE_MISSING,
                                   .judgement = {.verdict = ORACLE_MISSING, .difference = 1},
                                   .thread_slot = thread->index,
                                   .epoch = thread->settled,
                                   .frames = frames,
                                   .frame_count = 5};
}

// What the record makes of that accusation, now that it was settled.
static void expect_settled(const struct results_sample* walk, uint32_t blame,
                           enum results_vote vote) {
    struct recorded recorded = recorded_take(walk);
    cr_expect_eq(recorded.settlements, 1);
    cr_expect_eq(results_record_blame(recorded.record, walk), blame);
    cr_expect_eq(results_record_vote(recorded.record, walk), vote);
    struct results_sample other = *walk;
    other.epoch++;
    cr_expect_eq(results_record_blame(recorded.record, &other), RESULTS_BLAME_OPEN, "the next one");
    other = *walk;
    other.thread_slot++;
    cr_expect_eq(results_record_blame(recorded.record, &other), RESULTS_BLAME_OPEN, "another's");
    other = *walk;
    other.layer = ORACLE_LAYER_SAFEPOINT;
    cr_expect_eq(results_record_blame(recorded.record, &other), RESULTS_BLAME_OPEN,
                 "no accusation");
    cr_expect_eq(results_record_vote(recorded.record, &other), RESULTS_VOTE_OPEN);
    recorded_free(&recorded);
}

Test(blame, accusations_taken_back_leave_every_count) {
    const struct results_sample walk = recorded_walk();
    const struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_ASYNC];
    const struct results_cell* cell =
        &agent.run->coverage.code[RESULTS_CODE_C2][RESULTS_REGION_BODY];
    accuse(ORACLE_MISSING);
    for (int i = 0; i < 5; i++) accuse(ORACLE_MISSING);
    accuse(ORACLE_PHANTOM);
    cr_expect_eq(thread->accused_list_count, 2, "equal accusations stand together");
    cr_expect_eq(thread->accused_count, 7);
    cr_expect_eq(layer->cause[1], 6);
    cr_expect_eq(layer->cause[3], 1);
    blame_settle(thread, ORACLE_MISSING, NULL, 0);
    cr_expect_eq(layer->verdict[ORACLE_MISSING], 0);
    cr_expect_eq(layer->verdict[ORACLE_PHANTOM], 0);
    cr_expect_eq(layer->verdict[ORACLE_UNDECIDED], 7);
    for (int i = 0; i < RESULTS_CAUSES; i++) cr_expect_eq(layer->cause[i], 0);
    cr_expect_eq(cell->judged, 0);
    cr_expect_eq(cell->mismatched, 0);
    for (uint32_t i = 0; i < RESULTS_CLUSTERS; i++) cr_expect_eq(agent.run->clusters[i].count, 0);
    expect_settled(&walk, RESULTS_BLAME_ORACLE, RESULTS_VOTE_OPEN);
    cr_expect_eq(thread->accused_count, 0);
    cr_expect_eq(thread->accused_list_count, 0);
}

Test(blame, what_was_not_counted_in_coverage_is_not_taken_out_of_it) {
    struct thread_accused unseen = {.cells = coverage_cells(&place, 7, RESULTS_THREAD_IN_JAVA)};
    const struct results_cell* cell =
        &agent.run->coverage.code[RESULTS_CODE_C2][RESULTS_REGION_BODY];
    accuse(ORACLE_MISSING);
    blame_settle(thread, ORACLE_AGREE, NULL, 0);
    unseen.cluster = count_one(ORACLE_MISSING);
    blame_accuse(thread, ORACLE_MISSING, false, 1, &unseen);
    accuse(ORACLE_MISSING);
    cr_expect_eq(thread->accused_list_count, 2, "the two are of one cluster");
    blame_settle(thread, ORACLE_MISSING, NULL, 0);
    cr_expect_eq(cell->judged, 1);
    cr_expect_eq(cell->mismatched, 1);
}

// Accused `n` times in a stub of that name, in no cluster.
static struct results_cell* accuse_in_stub(const char* name, uint32_t n) {
    struct thread_accused accused = {.covered = true};
    coverage_name_stub(name);
    while (strcmp(agent.run->coverage.stubs[accused.cells.stub].name, name) != 0)
        accused.cells.stub++;
    struct results_cell* cell = &agent.run->coverage.stubs[accused.cells.stub++].cell;
    for (uint32_t i = 0; i < n; i++) {
        coverage_count(accused.cells, ORACLE_ATTRIBUTION);
        blame_accuse(thread, ORACLE_ATTRIBUTION, false, RESULTS_UNEXPLAINED, &accused);
    }
    return cell;
}

Test(blame, what_is_taken_back_leaves_the_stub_that_it_was_counted_in) {
    const struct results_cell *one = accuse_in_stub("one", 1), *other = accuse_in_stub("other", 2);
    cr_expect_eq(one->mismatched, 1);
    cr_expect_eq(other->mismatched, 2);
    blame_settle(thread, ORACLE_MISSING, NULL, 0);
    cr_expect_eq(one->judged, 0);
    cr_expect_eq(one->mismatched, 0);
    cr_expect_eq(other->judged, 0);
    cr_expect_eq(other->mismatched, 0);
}

Test(blame, accusations_that_are_confirmed_stand) {
    const struct results_sample walk = recorded_walk();
    accuse(ORACLE_MISSING);
    blame_settle(thread, ORACLE_AGREE, NULL, 0);
    cr_expect_eq(agent.run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING], 1);
    cr_expect_eq(agent.run->layers[ORACLE_LAYER_ASYNC].cause[1], 1);
    accuse(ORACLE_ATTRIBUTION);
    cr_expect_eq(agent.run->layers[ORACLE_LAYER_ASYNC].cause[1], 1, "no walking error");
    cr_expect_eq(agent.run->confirmed, 1);
    expect_settled(&walk, RESULTS_BLAME_WALKER, RESULTS_VOTE_AGAINST_WALKER);
}

Test(blame, accusations_that_nobody_could_judge_stay_open) {
    const struct results_sample walk = recorded_walk();
    static const struct oracle_frame witness[] = {{.method = 104}, {.method = 105}};
    accuse(ORACLE_MISSING);
    blame_settle(thread, ORACLE_UNDECIDED, witness, 2);
    cr_expect_eq(agent.run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING], 1);
    cr_expect_eq(agent.run->confirmed, 0, "nobody did: it counts as open");
    expect_settled(&walk, RESULTS_BLAME_OPEN, RESULTS_VOTE_OPEN);
}

Test(blame, a_settlement_that_finds_no_room_is_counted_and_leaves_the_blame_open) {
    const struct results_sample walk = recorded_walk();
    struct results_ring ring = results_run_ring(agent.run);
    for (size_t size = 1 << 16; size != 0; size /= 2)
        while (results_ring_reserve(&ring, size) != NULL) {
        }
    accuse(ORACLE_MISSING);
    blame_settle(thread, ORACLE_AGREE, NULL, 0);
    cr_expect_eq(agent.run->unrecorded, 1);
    cr_expect_eq(agent.run->recorded, 0);
    cr_expect_eq(thread->settled, walk.epoch + 1, "what comes now is another's");
}

static void vote_with(const uintptr_t* witness, uint32_t count, enum results_vote vote) {
    const struct results_sample walk = recorded_walk();
    struct oracle_frame frames[8] = {{0}};
    for (uint32_t i = 0; i < count; i++) frames[i].method = witness[i];
    accuse(ORACLE_MISSING);
    blame_settle(thread, ORACLE_WRONG_METHOD, frames, count);
    expect_settled(&walk, RESULTS_BLAME_ORACLE, vote);
}

Test(blame, a_third_witness_votes_with_the_walk_or_with_nobody) {
    static const uintptr_t same[] = {9, 9, 103, 104, 105}, shorter[] = {103, 104, 105},
                           other[] = {9, 9, 103, 9, 105}, cut[] = {104, 105};
    vote_with(same, 5, RESULTS_VOTE_AGAINST_STACK);
    vote_with(shorter, 3, RESULTS_VOTE_AGAINST_STACK);
    vote_with(other, 5, RESULTS_VOTE_ALL_DIFFER);
    vote_with(cut, 2, RESULTS_VOTE_ALL_DIFFER);
}

Test(blame, a_thread_remembers_no_more_than_it_has_room_for) {
    struct thread_accused accused = {.cluster = 0};
    for (uint32_t i = 0; i < THREAD_ACCUSED_MAX; i++) {
        cr_expect(blame_has_room(thread));
        accused.cluster = i + 1;
        blame_accuse(thread, ORACLE_MISSING, false, RESULTS_UNEXPLAINED, &accused);
    }
    cr_expect_not(blame_has_room(thread));
    blame_accuse(thread, ORACLE_MISSING, false, RESULTS_UNEXPLAINED, &accused);
    cr_expect_eq(thread->accused_list_count, THREAD_ACCUSED_MAX);
    cr_expect_eq(thread->accused_count, THREAD_ACCUSED_MAX + 1);
}
