// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "agent/evidence/evidence.h"
#include "agent/state/state.h"
#include "parts.h"

// GetStackTrace in every handler of a constructor that calls itself took a third of the time of the
// case exceptions. A stale entry that is missed comes to light later: a walk that lacks it is
// accused, and the next check or misfit compares the stack before it lets the accusation stand.
#define VANISH_ONE_IN 16

// ---- Accusations --------------------------------------------------------------------------------

// Entries of methods that had left were on the trace stack. Samples since the last check were
// judged by these, so the accusations are taken back.
static void acquit(struct agent_thread* t) {
    if (t->accused_all != 0) blame_settle(t, ORACLE_MISSING, NULL, 0);
}

void heal_acquit_unwound(struct agent_thread* t) {
    if (t->stack.unwound > t->unwound_before) acquit(t);
}

// ---- Entries that left without a pop ------------------------------------------------------------

// Constructors, and any method at the end of the machine stack. There the call of pop may overflow,
// and the handler's too: the method leaves, its entry stays.

void heal_look_for_end(struct agent_thread* t) {
    uintptr_t here = MACHINE_ENTRY();
    if (here - t->stack_low < THREAD_NEAR_END) thread_tear(t);
}

// The exception may have passed that end in frames of methods that are not instrumented, which call
// no `caught`. Then the entries tell how near to the end they were pushed.
static void look_for_deep_entries(struct agent_thread* t) {
    uint32_t end = natives_position(t->stack_low);
    for (uint32_t at = oracle_top(&t->stack); at != 0; at = oracle_below(&t->stack, at)) {
        uint32_t position = t->stack.frames[at - 1].position;
        if (t->stack_low == 0 || position == 0) continue;
        if (end - position < THREAD_NEAR_END / 16) thread_tear(t);
        // Below an entry that left, a push may lie less deep by no more than the slack.
        if (end - position > THREAD_NEAR_END / 16 + ORACLE_POSITION_SLACK) return;
    }
}

// Whether entries without a frame may be the reason: the verdict is TRUNCATED where the oldest
// entry is one of them, else MISSING.
static bool may_be_mended(enum oracle_verdict verdict) {
    return verdict == ORACLE_MISSING || verdict == ORACLE_TRUNCATED;
}

static void count_torn(const struct agent_thread* t, uint64_t vanished_before) {
    if (t->stack.torn && t->stack.vanished > vanished_before)
        agent_count(&agent.run->torn, t->stack.vanished - vanished_before);
}

// Drops such entries if that makes the trace stack fit GetStackTrace.
static bool drop_vanished(struct agent_thread* t) {
    struct oracle_context context = {.base = t->base};
    uint64_t before = t->stack.vanished;
    int32_t count = ask_gst(t, (int32_t)agent.options.depth);
    if (count < 0 || count >= (int32_t)agent.options.depth) return false;
    t->mending = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    bool mended =
        oracle_mend(&t->stack, agent.methods, t->check_witness, (uint32_t)count, &context);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->mending = false;
    if (!mended) return false;
    count_torn(t, before);
    t->stack.torn = 0; // every entry has a frame
    acquit(t);
    return true;
}

enum heal heal_stack(struct agent_thread* t, enum oracle_verdict verdict,
                     const struct oracle_context* context) {
    if (oracle_is_mismatch(verdict)) look_for_deep_entries(t);
    if (may_be_mended(verdict) && drop_vanished(t)) return HEAL_MENDED;
    if (t->stack.torn && verdict == ORACLE_AGREE && !context->depth_limit && t->stack.beyond == 0)
        t->stack.torn = 0;
    return t->stack.torn && oracle_is_mismatch(verdict) ? HEAL_TORN : HEAL_NONE;
}

static void compare_whole(struct agent_thread* t) {
    struct oracle_judgement judgement;
    int32_t depth = (int32_t)agent.options.depth;
    int32_t count = ask_gst(t, depth);
    if (count < 0) return;
    struct oracle_context context = ask_judge_gst(t, count, depth, &judgement);
    heal_stack(t, judgement.verdict, &context);
}

// ---- Pops and exceptions ------------------------------------------------------------------------

static void count_ground_failure(struct agent_thread* t, uint32_t method) {
    struct oracle_judgement judgement = {.verdict = ORACLE_WRONG_METHOD};
    agent_count(&agent.run->layers[ORACLE_LAYER_GROUND].verdict[ORACLE_WRONG_METHOD], 1);
    facts_count(t, ORACLE_LAYER_GROUND, ORACLE_WRONG_METHOD, RESULTS_UNEXPLAINED);
    int32_t count = ask_gst(t, (int32_t)agent.options.depth);
    if (count < 0) return;
    evidence_take(t, &(struct evidence_case){.layer = ORACLE_LAYER_GROUND,
                                             .judgement = &judgement,
                                             .given = judgement.verdict,
                                             .observed = t->check_witness,
                                             .observed_count = (uint32_t)count,
                                             .count = (int32_t)count,
                                             .context = &(struct oracle_context){.base = t->base},
                                             .leaving = method});
}

void check_misfit(struct agent_thread* t, uint32_t method) {
    const uint64_t vanished_before = t->stack.vanished;
    t->in_check = true;
    look_for_deep_entries(t);
    // Before entries are dropped, so that the record has them.
    if (!oracle_may_catch(&t->stack, agent.methods, method)) count_ground_failure(t, method);
    oracle_caught(&t->stack, agent.methods, method);
    count_torn(t, vanished_before);
    acquit(t);
    if (t->stack.torn) compare_whole(t); // equal methods may have stood for each other
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->in_check = false;
}

// What overflowed leaves entries from deeper behind, and a `beyond` that nobody takes back.
static void unwind_torn(struct agent_thread* t) {
    uint64_t before = t->stack.unwound;
    uintptr_t here = MACHINE_ENTRY();
    oracle_stack_unwind(&t->stack, natives_position(here));
    if (t->stack.unwound != before) acquit(t);
}

// The common case is a handler of the youngest entry's method. Only in a constructor that has an
// older entry, too, that is not enough: the youngest may be an inner call's, which vanished. One in
// so many such handlers compares the stack. In a torn stack it may be that of any inner call, but
// to look there at every level of a deep recursion would take too long: the next misfit or check
// finds it.
void check_caught(struct agent_thread* t, uint32_t method) {
    heal_look_for_end(t);
    if (t->stack.torn) unwind_torn(t);
    if (!oracle_fits(&t->stack, method)) check_misfit(t, method);
    if (!oracle_top_may_vanish(&t->stack, agent.methods)) return;
    if (random_below(&t->random, VANISH_ONE_IN) != 0) return;
    t->in_check = true;
    compare_whole(t);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->in_check = false;
}
