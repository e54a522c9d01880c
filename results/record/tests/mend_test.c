// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A run's file into which something wrote that was not the agent.
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record.h"

static struct results_run* new_run(void) {
    struct results_run* run = calloc(1, sizeof *run);
    cr_assert_not_null(run);
    return run;
}

// One field alone is mended, and it is the one of that name.
static void mends(struct results_run* run, const char* name) {
    char first[64] = "";
    cr_expect_eq(results_run_mend(run, first, sizeof first), 1, "%s", name);
    cr_expect_str_eq(first, name);
    cr_expect_eq(results_run_mend(run, first, sizeof first), 0, "%s stays", name);
}

Test(mend, leaves_what_an_agent_writes) {
    struct results_run* run = new_run();
    struct results_run* before = new_run();
    run->phase = RESULTS_PHASE_ENDED;
    run->processor = RESULTS_PROCESSOR_COUNT - 1;
    memset(run->walker, 'w', sizeof run->walker - 1);
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING] = 1ull << 40;
    run->threads_now[7].in_walker = ORACLE_LAYER_COUNT;
    run->clusters[9].verdict = ORACLE_VERDICT_COUNT - 1;
    run->clusters[9].lost = -3;
    run->library_count = RESULTS_LIBRARIES;
    run->started_ns = UINT64_MAX;
    *before = *run;
    char first[64] = "none";
    cr_expect_eq(results_run_mend(run, first, sizeof first), 0);
    cr_expect_str_eq(first, "none");
    cr_expect_eq(memcmp(run, before, sizeof *run), 0);
    free(before);
    free(run);
}

Test(mend, what_cannot_be_the_agents_becomes_zero_and_is_named) {
    struct results_run* run = new_run();
    run->phase = RESULTS_PHASE_COUNT;
    mends(run, "phase");
    char second[64]; // number of layer 1
    snprintf(second, sizeof second, "layers[%zu]", sizeof run->layers[0] / 8 + 1);
    run->layers[1].answered = UINT64_MAX; // one less than none
    mends(run, second);
    cr_expect_eq(run->layers[1].answered, 0);
    run->methods_rewritten = 1ull << 60;
    mends(run, "methods_rewritten");
    run->clusters[4095].code_kind = 255;
    mends(run, "clusters.code_kind[4095]");
    run->clusters[3].instruction_length = 9;
    mends(run, "clusters.instruction_length[3]");
    run->coverage.stubs[2].cell.judged = UINT64_MAX;
    mends(run, "coverage.stubs.cell.judged[2]");
    run->profiler_distance[1].low = NAN;
    mends(run, "profiler_distance.low[1]");
    cr_expect_eq(run->profiler_distance[1].low, 0);
    run->threads_now[RESULTS_THREADS_NOW - 1].moment = RESULTS_MOMENT_COUNT;
    mends(run, "threads_now.moment[4159]");
    run->library_count = RESULTS_LIBRARIES + 1;
    mends(run, "library_count");
    free(run);
}

Test(mend, a_text_gets_an_end_and_stays) {
    struct results_run* run = new_run();
    memset(run->error, 'e', sizeof run->error);
    mends(run, "error");
    cr_expect_eq(strlen(run->error), sizeof run->error - 1);
    memset(run->cause_names[5], 'c', RESULTS_CAUSE_NAME);
    mends(run, "cause_names[5]");
    cr_expect_eq(run->cause_names[6][0], '\0');
    free(run);
}

Test(mend, all_of_a_spoiled_file_is_mended) {
    struct results_run* run = new_run();
    char first[64] = "";
    memset((char*)run + offsetof(struct results_run, phase), 0xff,
           offsetof(struct results_run, ring) - offsetof(struct results_run, phase));
    cr_expect_gt(results_run_mend(run, first, sizeof first), 30000);
    cr_expect_str_eq(first, "phase");
    cr_expect_eq(results_run_mend(run, first, sizeof first), 0);
    free(run);
}

Test(mend, a_copy_is_mended_and_its_file_left_alone) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/plumbline-mend-%d", (int)getpid());
    struct results_run* file = results_run_create(path);
    cr_assert_not_null(file);
    file->phase = 77;
    struct results_run* copy = results_run_load(path);
    cr_assert_not_null(copy);
    cr_expect_eq(copy->phase, 0);
    cr_expect_eq(file->phase, 77);
    results_run_unmap(copy);
    results_run_unmap(file);
    unlink(path);
    cr_expect_null(results_run_load(path));
    cr_expect_eq(errno, ENOENT);
}
