// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Accusing, settling and taking back, on a run's file in memory.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "agent/coverage/coverage.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "blame.h"

static struct agent_thread* thread;

static void open_run(void) {
    agent.run = calloc(1, sizeof *agent.run);
    thread = calloc(1, sizeof *thread);
    cr_assert(agent.run != NULL && thread != NULL);
}

static void close_run(void) {
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

static void accuse(enum oracle_verdict verdict, int32_t evidence) {
    struct thread_accused accused = {.cells = coverage_cells(&place, 7, RESULTS_THREAD_IN_JAVA),
                                     .evidence = evidence};
    agent.run->layers[ORACLE_LAYER_ASYNC].verdict[verdict]++;
    coverage_count(accused.cells, verdict);
    accused.cluster = count_one(verdict);
    if (evidence >= 0) cluster_example(accused.cluster, evidence);
    blame_accuse(thread, verdict, false, &accused);
}

Test(blame, accusations_taken_back_leave_every_count) {
    const struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_ASYNC];
    const struct results_cell* cell =
        &agent.run->coverage.code[RESULTS_CODE_C2][RESULTS_REGION_BODY];
    accuse(ORACLE_MISSING, 3);
    for (int i = 0; i < 5; i++) accuse(ORACLE_MISSING, -1);
    accuse(ORACLE_PHANTOM, -1);
    cr_expect_eq(thread->accused_list_count, 3, "equal accusations stand together");
    cr_expect_eq(thread->accused_count, 7);
    blame_settle(thread, ORACLE_MISSING, NULL, 0);
    cr_expect_eq(layer->verdict[ORACLE_MISSING], 0);
    cr_expect_eq(layer->verdict[ORACLE_PHANTOM], 0);
    cr_expect_eq(layer->verdict[ORACLE_UNDECIDED], 7);
    cr_expect_eq(cell->judged, 0);
    cr_expect_eq(cell->mismatched, 0);
    for (uint32_t i = 0; i < RESULTS_CLUSTERS; i++) {
        cr_expect_eq(agent.run->clusters[i].count, 0);
        if (agent.run->clusters[i].key != 0) cr_expect_eq(agent.run->clusters[i].example, -1);
    }
    cr_expect_eq(agent.run->mismatches[3].blame, RESULTS_BLAME_ORACLE);
    cr_expect_eq(agent.run->mismatches[3].vote, RESULTS_VOTE_OPEN);
    cr_expect_eq(thread->accused_count, 0);
    cr_expect_eq(thread->accused_list_count, 0);
}

Test(blame, accusations_that_are_confirmed_stand) {
    accuse(ORACLE_MISSING, 3);
    blame_settle(thread, ORACLE_AGREE, NULL, 0);
    cr_expect_eq(agent.run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING], 1);
    cr_expect_eq(agent.run->mismatches[3].blame, RESULTS_BLAME_WALKER);
    cr_expect_eq(agent.run->mismatches[3].vote, RESULTS_VOTE_AGAINST_WALKER);
}

// The kept walk is 5 frames, of which the youngest two are doubted.
static enum results_vote vote_with(const uintptr_t* witness, uint32_t count) {
    struct results_mismatch* m = &agent.run->mismatches[3];
    struct oracle_frame frames[8] = {{0}};
    m->observed_count = m->observed_kept = 5;
    m->difference = 1;
    for (uint32_t i = 0; i < 5; i++) m->observed[i].id = 101 + i;
    for (uint32_t i = 0; i < count; i++) frames[i].method = witness[i];
    accuse(ORACLE_MISSING, 3);
    blame_settle(thread, ORACLE_WRONG_METHOD, frames, count);
    return (enum results_vote)m->vote;
}

Test(blame, a_third_witness_votes_with_the_walk_or_with_nobody) {
    static const uintptr_t same[] = {9, 9, 103, 104, 105}, shorter[] = {103, 104, 105},
                           other[] = {9, 9, 103, 9, 105}, cut[] = {104, 105};
    cr_expect_eq(vote_with(same, 5), RESULTS_VOTE_AGAINST_STACK);
    cr_expect_eq(vote_with(shorter, 3), RESULTS_VOTE_AGAINST_STACK);
    cr_expect_eq(vote_with(other, 5), RESULTS_VOTE_ALL_DIFFER);
    cr_expect_eq(vote_with(cut, 2), RESULTS_VOTE_ALL_DIFFER);
}

Test(blame, a_thread_remembers_no_more_than_it_has_room_for) {
    struct thread_accused accused = {.evidence = -1};
    for (uint32_t i = 0; i < THREAD_ACCUSED_MAX; i++) {
        cr_expect(blame_has_room(thread));
        accused.cluster = i + 1;
        blame_accuse(thread, ORACLE_MISSING, false, &accused);
    }
    cr_expect_not(blame_has_room(thread));
    blame_accuse(thread, ORACLE_MISSING, false, &accused);
    cr_expect_eq(thread->accused_list_count, THREAD_ACCUSED_MAX);
    cr_expect_eq(thread->accused_count, THREAD_ACCUSED_MAX + 1);
}
