// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "agent/state/state.h"
#include "judge.h"

#define ALL (1u << 16)         // a share of one
#define SMOOTH_NS 1000000000.0 // over which the rate is an average

uint32_t sample_judging = 1;
static uint32_t share = ALL; // atomic: in parts of ALL

HANDLER_COMMON bool looks_closely(struct agent_thread* t) {
    uint32_t now = __atomic_load_n(&share, __ATOMIC_RELAXED);
    return now >= ALL || random_below(&t->looks_random, ALL) < now;
}

// That were judged: refusals and what is undecided fill no floor of the reports.
static uint64_t samples_so_far(void) {
    const struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_ASYNC];
    uint64_t sum = 0;
    for (uint32_t v = ORACLE_AGREE; v <= ORACLE_MISMATCH_LAST; v++)
        sum += __atomic_load_n(&layer->verdict[v], __ATOMIC_RELAXED);
    return sum;
}

// The share follows the rate slowly, so that it does not depend on what a few samples were. At
// first the rate is the mean of all so far, so a short run's share is right, too.
void looks_pace(uint64_t now) {
    static uint64_t before_ns, before;
    static double rate, judged_ns; // a second; the time in which samples were judged
    bool all = agent.options.looks == 0 || agent.options.scope == AGENT_SCOPE_NONE ||
               !agent_layer(ORACLE_LAYER_ASYNC);
    uint64_t samples = samples_so_far();
    double passed = (double)(now - before_ns);
    // In the bare phases of bench no sample is judged, and their time is none of the rate's.
    bool judging = __atomic_load_n(&sample_judging, __ATOMIC_RELAXED) != 0;
    if (!all && before_ns != 0 && passed > 0 && judging) {
        judged_ns += passed;
        double part = passed / (judged_ns < SMOOTH_NS ? judged_ns : SMOOTH_NS);
        if (part > 1) part = 1;
        // Fewer than before where accusations were taken back.
        double more = (double)(int64_t)(samples - before);
        rate += (more / passed * 1e9 - rate) * part;
        double wanted = rate > agent.options.looks ? agent.options.looks / rate * ALL : ALL;
        if (wanted < 1) wanted = 1; // 0 would look at nothing, for as long as the rate stays
        __atomic_store_n(&share, (uint32_t)wanted, __ATOMIC_RELAXED);
    }
    before_ns = now;
    before = samples;
}
