// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A trace that was found possible is known to be possible again, counts the same, and makes no
// other trace possible. a calls anything at bci 5, b nothing.
#include <stdlib.h>

#include <criterion/criterion.h>

#include "agent/state/state.h"
#include "parts.h"
#include "fakejvm.h"

static struct agent_thread* thread;

static void open_all(void) {
    static const struct oracle_site call = {.bci = 5, .callee = ORACLE_CALLS_ANY};
    static const struct oracle_sites a = {.length = 10, .count = 1, .sites = &call};
    static const struct oracle_sites b = {.length = 10};
    static const struct oracle_sites main = {.length = 10,
                                             .count = 1,
                                             .sites = &call,
                                             .flags = ORACLE_METHOD_LAUNCHED | ORACLE_METHOD_MAIN};
    static const struct oracle_sites early = {
        .length = 10, .count = 1, .sites = &call, .flags = ORACLE_METHOD_LAUNCHING};
    agent.options.layers = 1u << ORACLE_LAYER_ASYNC | 1u << ORACLE_LAYER_STRUCTURE;
    agent.options.depth = 64;
    agent.run = calloc(1, sizeof *agent.run);
    agent.methods = oracle_methods_open();
    thread = calloc(1, sizeof *thread);
    cr_assert(agent.run != NULL && agent.methods != NULL && thread != NULL);
    thread->frames = calloc(agent.options.depth, sizeof *thread->frames);
    cr_assert_not_null(thread->frames);
    for (char c = 'a'; c <= 'd'; c++)
        oracle_methods_bind(agent.methods, fake_id(c), ORACLE_FOREIGN);
    cr_assert_eq(oracle_methods_describe_sites(agent.methods, fake_id('a'), &a), 0);
    cr_assert_eq(oracle_methods_describe_sites(agent.methods, fake_id('b'), &b), 0);
    cr_assert_eq(oracle_methods_describe_sites(agent.methods, fake_id('c'), &main), 0);
    cr_assert_eq(oracle_methods_describe_sites(agent.methods, fake_id('d'), &early), 0);
    thread->frames[0] = (struct oracle_frame){.method = fake_id('b'), .bci = 3};
    for (int i = 1; i < 4; i++)
        thread->frames[i] = (struct oracle_frame){.method = fake_id('a'), .bci = 5};
}

static void close_all(void) {
    free(thread->frames);
    free(thread);
    oracle_methods_close(agent.methods);
    free(agent.run);
}

TestSuite(structure, .init = open_all, .fini = close_all);

#define FRAMES 4

static enum oracle_verdict judged(void) {
    const struct oracle_context context = {0};
    const struct evidence_case about = {.context = &context};
    return structure_judge(thread, FRAMES, FRAMES, false, &about);
}

static bool is_known(void) {
    return structure_is_known(thread, FRAMES, FRAMES, false);
}

Test(structure, what_was_found_possible_is_known_and_counts_the_same) {
    const struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_STRUCTURE];
    cr_expect_not(is_known());
    cr_expect_eq(layer->answered, 0, "what is not known counts nothing");
    cr_expect_eq(judged(), ORACLE_AGREE);
    struct results_layer once = *layer;
    uint64_t sites = agent.run->call_sites, frames = agent.run->structure_frames;
    cr_expect_eq(sites, FRAMES - 1);
    cr_expect(is_known());
    cr_expect_eq(layer->answered, 2 * once.answered);
    cr_expect_eq(layer->verdict[ORACLE_AGREE], 2);
    cr_expect_eq(layer->frames_seen, 2 * once.frames_seen);
    cr_expect_eq(layer->frames_judged, 2 * once.frames_judged);
    cr_expect_eq(agent.run->call_sites, 2 * sites);
    cr_expect_eq(agent.run->structure_frames, 2 * frames);
    cr_expect(structure_is_known(thread, FRAMES, FRAMES, true));
    cr_expect_eq(layer->own[ORACLE_AGREE], 1);
    cr_expect_eq(layer->frames_seen, 2 * once.frames_seen, "our own code's frames do not count");
}

Test(structure, the_youngest_frame_may_be_anywhere_in_its_method) {
    cr_expect_eq(judged(), ORACLE_AGREE);
    thread->frames[0].bci = 9;
    cr_expect(is_known());
    thread->frames[0].bci = 10;
    cr_expect_not(is_known());
    cr_expect_eq(judged(), ORACLE_WRONG_BCI);
    cr_expect_not(is_known());
}

Test(structure, another_trace_or_thread_is_not_known) {
    cr_expect_eq(judged(), ORACLE_AGREE);
    thread->frames[2].bci = 6;
    cr_expect_not(is_known());
    cr_expect_eq(judged(), ORACLE_IMPOSSIBLE_CALL);
    cr_expect_not(is_known(), "no error is ever known");
    thread->frames[2].bci = 5;
    cr_expect(is_known());
    cr_expect_not(structure_is_known(thread, FRAMES - 1, FRAMES - 1, false));
    cr_expect_not(structure_is_known(thread, (int32_t)agent.options.depth, FRAMES, false));
    cr_expect_not(structure_is_known(thread, 0, 0, false));
    thread->base = 1;
    cr_expect_not(is_known());
    thread->base = 0;
    thread->root = ORACLE_ROOT_STARTED;
    cr_expect_not(is_known());
}

Test(structure, what_runs_before_main_begins_no_trace_once_main_was_seen) {
    thread->root = ORACLE_ROOT_LAUNCHING;
    thread->frames[FRAMES - 1].method = fake_id('d');
    cr_expect_eq(judged(), ORACLE_AGREE);
    cr_expect(is_known());
    thread->frames[FRAMES - 1].method = fake_id('a');
    cr_expect_eq(judged(), ORACLE_IMPOSSIBLE_ROOT);
    cr_expect_eq(thread->root, ORACLE_ROOT_LAUNCHING);
    thread->frames[FRAMES - 1].method = fake_id('c');
    cr_expect_eq(judged(), ORACLE_AGREE);
    cr_expect_eq(thread->root, ORACLE_ROOT_LAUNCHED);
    cr_expect(is_known());
    thread->frames[FRAMES - 1].method = fake_id('d');
    cr_expect_not(is_known());
    cr_expect_eq(judged(), ORACLE_IMPOSSIBLE_ROOT);
}
