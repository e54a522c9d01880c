// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "parts.h"

#include "agent/coverage/coverage.h"
#include "agent/evidence/evidence.h"
#include "agent/state/state.h"

// ---- Accusing ---------------------------------------------------------------------------------

HANDLER_SAFE bool blame_has_room(const struct agent_thread* t) {
    return t->accused_list_count < THREAD_ACCUSED_MAX;
}

static HANDLER_SAFE bool is_same(const struct thread_accused* a, const struct thread_accused* b) {
    return a->cluster == b->cluster && a->covered == b->covered && a->cells.code == b->cells.code &&
           a->cells.region == b->cells.region && a->cells.depth == b->cells.depth &&
           a->cells.state == b->cells.state && a->cells.stub == b->cells.stub;
}

// A thread that neither pushes nor pops for long is accused of the same mismatch many times.
static HANDLER_SAFE void remember(struct agent_thread* t, const struct thread_accused* accused) {
    for (uint32_t i = 0; i < t->accused_list_count; i++) {
        if (!is_same(&t->accused_list[i], accused)) continue;
        t->accused_list[i].count++;
        return;
    }
    t->accused_list[t->accused_list_count] = *accused;
    t->accused_list[t->accused_list_count++].count = 1;
}

static HANDLER_SAFE void begin(struct agent_thread* t) {
    if (t->accused_all == 0) t->unwound_before = t->stack.unwound;
}

HANDLER_SAFE void blame_await(struct agent_thread* t) {
    if (t->in_check) return;
    begin(t);
    t->accused_all++;
}

// The handler books on the very thread that settles later, so a compiler fence is enough.
HANDLER_SAFE void blame_accuse(struct agent_thread* t, enum oracle_verdict verdict, bool own,
                               uint32_t cause, const struct thread_accused* accused) {
    begin(t);
    t->accused[own][verdict]++;
    if (!own && oracle_is_walking_error(verdict)) t->accused_causes[cause]++;
    if (!own && t->waits) {
        t->accused_waits[verdict]++;
        if (oracle_is_walking_error(verdict)) t->waits_causes[cause]++;
    }
    if (accused != NULL && blame_has_room(t)) remember(t, accused);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    // A sample inside a check asks for no further check: slow checks, such as those of deep stacks,
    // would follow one another without end.
    if (t->in_check) return;
    t->accused_all++;
    // Where pushes are inlined attribution is common. The next check that comes settles it.
    if (agent.inlined && verdict == ORACLE_ATTRIBUTION) return;
    t->accused_count++;
    thread_want_check(t); // which settles it
}

// ---- Settling ---------------------------------------------------------------------------------

static void take_back_virtual(enum oracle_verdict verdict, uint32_t n) {
    agent_count(&agent.run->virtual_judged, (uint64_t) - (int64_t)n);
    if (oracle_is_walking_error(verdict))
        agent_count(&agent.run->virtual_mismatched, (uint64_t) - (int64_t)n);
}

// What was accused is undecided from now on.
static void take_back_verdicts(uint64_t counts[ORACLE_VERDICT_COUNT],
                               const uint32_t accused[ORACLE_VERDICT_COUNT]) {
    for (uint32_t v = 0; v < ORACLE_VERDICT_COUNT; v++) {
        if (accused[v] == 0) continue;
        agent_count(&counts[v], (uint64_t) - (int64_t)accused[v]);
        agent_count(&counts[ORACLE_UNDECIDED], accused[v]);
    }
}

static void take_back_causes(uint64_t counts[RESULTS_CAUSES],
                             const uint32_t accused[RESULTS_CAUSES]) {
    for (uint32_t i = 0; i < RESULTS_CAUSES; i++)
        if (accused[i] != 0) agent_count(&counts[i], (uint64_t) - (int64_t)accused[i]);
}

static void take_back_waiting(const struct agent_thread* t) {
    struct results_layer* layer = &agent.run->waiting[ORACLE_LAYER_ASYNC];
    take_back_verdicts(layer->verdict, t->accused_waits);
    take_back_causes(layer->cause, t->waits_causes);
}

// All accusations were booked since the last mount: on the virtual thread that is mounted now, or
// on none.
static void take_back(struct agent_thread* t, bool own) {
    bool virtual = t->mounted != NULL;
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_ASYNC];
    take_back_verdicts(own ? layer->own : layer->verdict, t->accused[own]);
    if (own) return;
    take_back_causes(layer->cause, t->accused_causes);
    for (uint32_t v = 0; v < ORACLE_VERDICT_COUNT; v++) {
        uint32_t n = t->accused[own][v];
        if (n == 0) continue;
        agent_count(&layer->undecided[RESULTS_UNDECIDED_BLAME], n);
        if (virtual) take_back_virtual((enum oracle_verdict)v, n);
    }
}

static void take_back_cells(const struct thread_accused* a) {
    if (a->covered) coverage_take_back(a->cells, a->count);
    cluster_take_back(a->cluster, a->count);
}

static void count_confirmed(const struct agent_thread* t) {
    uint64_t n = 0;
    for (uint32_t v = 0; v < ORACLE_VERDICT_COUNT; v++) n += t->accused[false][v];
    if (n != 0) agent_count(&agent.run->confirmed, n);
}

void blame_leave(struct agent_thread* t) {
    if (t->accused_all != 0) blame_settle(t, ORACLE_MISSING, NULL, 0);
    else thread_forget_accused(t);
}

// Where GetStackTrace agrees with the trace stack, the walker was wrong. Where it does not, we do
// not know, and the counts are taken back. Where that could not be decided, the accusation stands
// and its blame is open.
void blame_settle(struct agent_thread* t, enum oracle_verdict gst,
                  const struct oracle_frame* witness, uint32_t count) {
    bool right = gst == ORACLE_AGREE || gst == ORACLE_TRANSITION;
    uint32_t blame = right                     ? RESULTS_BLAME_WALKER
                     : gst == ORACLE_UNDECIDED ? RESULTS_BLAME_OPEN
                                               : RESULTS_BLAME_ORACLE;
    if (blame == RESULTS_BLAME_ORACLE) {
        take_back(t, false);
        take_back(t, true);
        take_back_waiting(t);
    }
    if (blame == RESULTS_BLAME_WALKER) count_confirmed(t);
    for (uint32_t i = 0; i < t->accused_list_count && blame == RESULTS_BLAME_ORACLE; i++)
        take_back_cells(&t->accused_list[i]);
    evidence_settled(t, blame, blame == RESULTS_BLAME_ORACLE ? witness : NULL, count);
    thread_forget_accused(t);
}
