// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Counting, naming stubs and finding clusters, on a run's file in memory.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "coverage.h"
#include "agent/state/state.h"

static uint8_t code[] = {0x48, 0x8b, 0x84, 0x24, 0x10, 0x01, 0x00, 0x00, // mov rax, [rsp + 0x110]
                         0x48, 0x8b, 0x84, 0x24, 0x20, 0x01, 0x00, 0x00, // mov rax, [rsp + 0x120]
                         0x48, 0x8b, 0x94, 0x24, 0x20, 0x01, 0x00, 0x00, // mov rdx, [rsp + 0x120]
                         0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90};

static void open_run(void) {
    agent.run = calloc(1, sizeof *agent.run);
    cr_assert_not_null(agent.run);
}

static void close_run(void) {
    free(agent.run);
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
    code_on_dynamic(NULL, "fill", code, 16);
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

Test(coverage, what_is_taken_back_leaves_its_cluster_and_no_other) {
    uint32_t one = count_at(0, ORACLE_MISSING, 1), other = count_at(0, ORACLE_PHANTOM, 1);
    count_at(0, ORACLE_MISSING, 1);
    cluster_take_back(one, 2);
    cr_expect_eq(agent.run->clusters[one - 1].count, 0);
    cr_expect_eq(agent.run->clusters[other - 1].count, 1);
    cluster_take_back(0, 1); // no cluster: nothing happens
    cr_expect_eq(agent.run->clusters[other - 1].count, 1);
}

Test(coverage, a_full_table_counts_what_it_loses) {
    for (uint32_t i = 0; i < RESULTS_CLUSTERS; i++) agent.run->clusters[i].key = 1 + i;
    cr_expect_eq(count_at(0, ORACLE_MISSING, 1), 0);
    cr_expect_eq(agent.run->clusters_lost, 1);
}
