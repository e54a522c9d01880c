// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Counting and taking back, on a run's file in memory.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "blame.h"
#include "coverage.h"
#include "state.h"
#include "stubs.h"

static uint8_t code[] = {0x48, 0x8b, 0x84, 0x24, 0x10, 0x01, 0x00, 0x00, // mov rax, [rsp + 0x110]
                         0x48, 0x8b, 0x84, 0x24, 0x20, 0x01, 0x00, 0x00, // mov rax, [rsp + 0x120]
                         0x48, 0x8b, 0x94, 0x24, 0x20, 0x01, 0x00, 0x00, // mov rdx, [rsp + 0x120]
                         0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90};
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

TestSuite(coverage, .init = open_run, .fini = close_run);

static const struct code_place place = {.kind = RESULTS_CODE_C2, .region = RESULTS_REGION_BODY};

static uint32_t count_at(uint32_t offset, enum oracle_verdict verdict, uint32_t difference) {
    struct oracle_judgement judgement = {
        .verdict = verdict, .expected = 5, .observed = 4, .difference = difference};
    return cluster_count(&(struct cluster_case){.layer = ORACLE_LAYER_ASYNC,
                                                .judgement = &judgement,
                                                .pc = (uintptr_t)code + offset,
                                                .place = &place});
}

Test(coverage, depths_fall_into_powers_of_two) {
    static const uint32_t rows[][2] = {{0, 0},    {1, 0},     {2, 1},      {3, 1},          {4, 2},
                                       {1023, 9}, {1024, 10}, {32768, 15}, {UINT32_MAX, 15}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        cr_expect_eq(coverage_cells(&place, rows[i][0], RESULTS_THREAD_IN_JAVA).depth, rows[i][1],
                     "%u", rows[i][0]);
}

Test(coverage, what_is_judged_refused_and_mismatched_is_told_apart) {
    struct coverage_cells cells = coverage_cells(&place, 7, RESULTS_THREAD_IN_JAVA);
    const struct results_cell* cell =
        &agent.run->coverage.code[RESULTS_CODE_C2][RESULTS_REGION_BODY];
    coverage_count(cells, ORACLE_AGREE);
    coverage_count(cells, ORACLE_TRANSITION);
    coverage_count(cells, ORACLE_MISSING);
    coverage_count(cells, ORACLE_ATTRIBUTION);
    coverage_count(cells, ORACLE_REFUSED);
    coverage_count(cells, ORACLE_UNDECIDED);
    cr_expect_eq(cell->judged, 4);
    cr_expect_eq(cell->mismatched, 2);
    cr_expect_eq(cell->refused, 1);
    cr_expect_eq(agent.run->coverage.depth[2].judged, 4);
    cr_expect_eq(agent.run->coverage.state[RESULTS_THREAD_IN_JAVA].judged, 4);
    coverage_take_back(cells, 2);
    cr_expect_eq(cell->judged, 2);
    cr_expect_eq(cell->mismatched, 0);
}

Test(coverage, of_stubs_is_counted_by_name) {
    const struct code_place stub = {.kind = RESULTS_CODE_STUB,
                                    .region = RESULTS_REGION_NONE,
                                    .begin = (uintptr_t)code,
                                    .end = (uintptr_t)code + 32,
                                    .offset = 8};
    const struct code_place other = {.kind = RESULTS_CODE_C2, .begin = (uintptr_t)code};
    const struct results_stub* stubs = agent.run->coverage.stubs;
    stubs_add("fill", (uintptr_t)code, 16);
    coverage_name_stub("fill");
    coverage_name_stub("fill");
    coverage_name_stub("");
    coverage_name_stub("copy, a name that is longer than all that there is room for in it");
    struct coverage_cells cells = coverage_cells(&stub, 7, RESULTS_THREAD_IN_JAVA);
    cr_assert_neq(cells.stub, 0);
    cr_expect_str_eq(stubs[cells.stub - 1].name, "fill");
    cr_expect_eq(coverage_cells(&other, 7, RESULTS_THREAD_IN_JAVA).stub, 0, "no stub");
    coverage_count(cells, ORACLE_AGREE);
    coverage_count(cells, ORACLE_MISSING);
    coverage_count(cells, ORACLE_REFUSED);
    coverage_take_back(cells, 1);
    unsigned named = 0;
    for (unsigned i = 0; i < RESULTS_STUBS; i++) {
        named += stubs[i].state == RESULTS_STUB_READY;
        cr_expect_eq(stubs[i].name[RESULTS_STUB_NAME - 1], 0);
        cr_expect_eq(stubs[i].cell.judged, i + 1 == cells.stub ? 1 : 0);
        cr_expect_eq(stubs[i].cell.refused, i + 1 == cells.stub ? 1 : 0);
    }
    cr_expect_eq(named, 2);
    stubs_forget();
}

Test(coverage, a_full_table_of_stubs_counts_what_it_loses) {
    for (unsigned i = 0; i < RESULTS_STUBS; i++)
        agent.run->coverage.stubs[i].state = RESULTS_STUB_FILLING;
    coverage_name_stub("fill");
    cr_expect_eq(agent.run->coverage.stubs_lost, 1);
}

Test(coverage, mismatches_that_differ_in_operands_alone_are_one_cluster) {
    uint32_t first = count_at(0, ORACLE_MISSING, 1);
    cr_assert_neq(first, 0);
    const struct results_cluster* c = &agent.run->clusters[first - 1];
    cr_expect_eq(c->ready, 1);
    cr_expect_eq(c->example, -1);
    cr_expect_eq(c->place, 1);
    cr_expect_eq(c->lost, 1);
#if defined(__x86_64__)
    static const uint8_t bare[] = {0x48, 0x8b, 0x84, 0x24, 0, 0, 0, 0};
    cr_expect_eq(count_at(8, ORACLE_MISSING, 1), first);
    cr_expect_eq(c->instruction_length, 8);
    cr_expect_eq(memcmp(c->instruction, bare, 8), 0);
    cr_expect_eq(c->count, 2);
    cr_expect_neq(count_at(16, ORACLE_MISSING, 1), first, "another register");
#endif
    cr_expect_neq(count_at(0, ORACLE_PHANTOM, 1), first);
    cr_expect_neq(count_at(0, ORACLE_MISSING, 0), first);
}

Test(coverage, a_cluster_keeps_its_first_example_until_that_is_forgotten) {
    uint32_t cluster = count_at(0, ORACLE_MISSING, 1);
    const struct results_cluster* c = &agent.run->clusters[cluster - 1];
    cluster_example(cluster, 7);
    cluster_example(cluster, 8);
    cr_expect_eq(c->example, 7);
    cluster_forget(cluster, 8);
    cr_expect_eq(c->example, 7);
    cluster_forget(cluster, 7);
    cr_expect_eq(c->example, -1);
    cluster_example(0, 3); // no cluster: nothing happens
    cluster_take_back(0, 1);
}

Test(coverage, a_full_table_counts_what_it_loses) {
    for (uint32_t i = 0; i < RESULTS_CLUSTERS; i++) agent.run->clusters[i].key = 1 + i;
    cr_expect_eq(count_at(0, ORACLE_MISSING, 1), 0);
    cr_expect_eq(agent.run->clusters_lost, 1);
}

// ---- Blame --------------------------------------------------------------------------------------

static void accuse(enum oracle_verdict verdict, int32_t evidence) {
    struct thread_accused accused = {.cells = coverage_cells(&place, 7, RESULTS_THREAD_IN_JAVA),
                                     .evidence = evidence};
    agent.run->layers[ORACLE_LAYER_ASYNC].verdict[verdict]++;
    coverage_count(accused.cells, verdict);
    accused.cluster = count_at(0, verdict, 1);
    if (evidence >= 0) cluster_example(accused.cluster, evidence);
    blame_accuse(thread, verdict, false, &accused);
}

Test(coverage, accusations_taken_back_leave_every_count) {
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

Test(coverage, accusations_that_are_confirmed_stand) {
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

Test(coverage, a_third_witness_votes_with_the_walk_or_with_nobody) {
    static const uintptr_t same[] = {9, 9, 103, 104, 105}, shorter[] = {103, 104, 105},
                           other[] = {9, 9, 103, 9, 105}, cut[] = {104, 105};
    cr_expect_eq(vote_with(same, 5), RESULTS_VOTE_AGAINST_STACK);
    cr_expect_eq(vote_with(shorter, 3), RESULTS_VOTE_AGAINST_STACK);
    cr_expect_eq(vote_with(other, 5), RESULTS_VOTE_ALL_DIFFER);
    cr_expect_eq(vote_with(cut, 2), RESULTS_VOTE_ALL_DIFFER);
}

Test(coverage, a_thread_remembers_no_more_than_it_has_room_for) {
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
