// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "parts.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "agent/code/code.h"
#include "agent/state/state.h"
#include "agent/walker/walker.h"
#include "judge.h"

// ---- Answers with too many frames ---------------------------------------------------------------

// What stands behind the room that a walker has, to see whether it was written over.
#define MARK 0xa5
// Of an answer that says more frames than there was room for, so many are kept, for the reader.
#define KEPT_MAX 256

static HANDLER_COMMON bool is_marked(const unsigned char* at, uint32_t size) {
    for (uint32_t i = 0; i < size; i++)
        if (at[i] != MARK) return false;
    return true;
}

HANDLER_SAFE void walk_judge_too_many(uint32_t frames, struct oracle_judgement* judgement) {
    *judgement = (struct oracle_judgement){
        .verdict = ORACLE_PHANTOM, .observed = frames, .difference = frames != 0 ? frames - 1 : 0};
}

// ---- Walking ------------------------------------------------------------------------------------

HANDLER_COMMON int32_t walk_call(struct agent_thread* t, void* raw, int32_t depth, void* context,
                                 enum oracle_layer layer) {
    uint32_t size = walker_under_test.description.frame_size;
    unsigned char* behind = (unsigned char*)raw + (size_t)depth * size;
    memset(behind, MARK, size);
    __atomic_store_n(&t->now->asked_at, context != NULL ? machine_pc(context) : 0,
                     __ATOMIC_RELAXED);
    __atomic_store_n(&t->now->in_walker, 1u + layer, __ATOMIC_RELAXED);
    int32_t count = walker_call(&walker_under_test, t->env, raw, depth, context, t->thread_id);
    __atomic_store_n(&t->now->in_walker, 0, __ATOMIC_RELAXED);
    // Whatever it says, it has written one frame too many at least.
    return count <= depth && !is_marked(behind, size) ? depth + 1 : count;
}

static HANDLER_COMMON uint32_t frames_of(const void* raw, int32_t depth, int32_t count,
                                         struct oracle_frame* to) {
    if (count > depth) count = depth < KEPT_MAX ? depth : KEPT_MAX;
    return count > 0 ? walker_frames(&walker_under_test, raw, count, to) : 0;
}

HANDLER_COMMON uint32_t walk_frames(const struct agent_thread* t, const void* raw, int32_t depth,
                                    int32_t* count, struct oracle_frame* to) {
    uint32_t frames = frames_of(raw, depth, *count, to);
    if (*count > depth || t->mount == MOUNT_NONE) return frames;
    uint32_t own = virtual_own_frames(to, frames);
    if (own < frames) *count = own > 0 ? (int32_t)own : 1;
    return own;
}

HANDLER_COMMON void judge_count_frames(enum oracle_layer layer, uint32_t frames,
                                       const struct oracle_judgement* judgement) {
    uint32_t entries =
        judgement->expected < judgement->observed ? judgement->expected : judgement->observed;
    agent_count(&agent.run->layers[layer].frames_seen, frames);
    if (judgement->verdict == ORACLE_UNDECIDED) return;
    agent_count(&agent.run->layers[layer].frames_judged, entries + judgement->gap_frames);
}

HANDLER_SAFE enum oracle_refusal judge_refusal(const struct agent_thread* t, int32_t count) {
    enum oracle_refusal refusal = oracle_refusal_of(count);
    if (refusal == ORACLE_REFUSAL_UNKNOWN_NOT_JAVA) {
        enum code_lack lack = code_anchor_lacks(t->hotspot);
        if (lack == CODE_LACKS_SP && oracle_top(&t->stack) == 0) return ORACLE_REFUSAL_WITHOUT_JAVA;
        return lack == CODE_LACKS_PC ? ORACLE_REFUSAL_NO_ANCHOR : refusal;
    }
    if (refusal == ORACLE_REFUSAL_UNKNOWN_JAVA &&
        code_in_system_call(__atomic_load_n(&t->now->asked_at, __ATOMIC_RELAXED)))
        return ORACLE_REFUSAL_SYSTEM_CALL;
    if (refusal != ORACLE_REFUSAL_NOT_WALKABLE_NOT_JAVA) return refusal;
    if (code_is_at_runtime_stub(t->hotspot)) return ORACLE_REFUSAL_RUNTIME_STUB;
    if (code_is_under_deoptimised(t->hotspot)) return ORACLE_REFUSAL_DEOPT_CALLER;
    return refusal;
}

HANDLER_RARE void judge_count_waiting(const struct agent_thread* t, enum oracle_layer layer,
                                      enum oracle_verdict verdict, int32_t count) {
    struct results_layer* waiting = &agent.run->waiting[layer];
    agent_count(&waiting->answered, 1);
    agent_count(&waiting->verdict[verdict], 1);
    if (verdict == ORACLE_REFUSED) agent_count(&waiting->refused[judge_refusal(t, count)], 1);
}

// ---- For the layer sandwich ---------------------------------------------------------------------

// The longest that a thread is kept waiting in its handler. GetStackTrace takes a tenth of a
// millisecond if no other thread delays it. A thread may hold a lock that GetStackTrace needs
// (malloc's, say), and then nothing but this time ends the wait.
#define HOLD_NS 5000000ull

static HANDLER_SAFE uint32_t decide(struct agent_thread* t, enum oracle_layer layer,
                                    const struct oracle_judgement* judgement,
                                    const struct code_place* place, void* ucontext,
                                    struct results_facts* facts) {
    return facts_decide(t,
                        &(struct facts_case){.layer = layer,
                                             .judgement = judgement,
                                             .frames = t->walk.frames,
                                             .count = (uint32_t)t->walk.count,
                                             .pc = machine_pc(ucontext),
                                             .place = place,
                                             .ucontext = ucontext},
                        facts);
}

// Without a trace stack nobody knows here whether the walk errs. The machine's facts are kept for
// the sandwich, which does; what lies under the walk is a fact of walks that are cut.
static HANDLER_SAFE void keep_facts(struct agent_thread* t, void* ucontext) {
    struct oracle_judgement cut = {.verdict = ORACLE_TRUNCATED,
                                   .difference = (uint32_t)t->walk.count};
    struct code_place place;
    code_find(machine_pc(ucontext), &place);
    decide(t, ORACLE_LAYER_SANDWICH, &cut, &place, ucontext, &t->walk.facts);
}

// The sandwich compares walks with GetStackTrace. Where one of them errs, the trace stack tells by
// what cause.
static HANDLER_SAFE void judge_walk(struct agent_thread* t, void* ucontext) {
    struct oracle_context context = {.base = t->base, .in_transition_allowed = true};
    struct oracle_judgement judgement;
    struct oracle_owner owner;
    struct code_place place;
    struct results_facts facts;
    uint32_t count = (uint32_t)t->walk.count;
    if (t->mount != MOUNT_NONE) return;
    if (!agent_layer(ORACLE_LAYER_ASYNC) || t->mending) {
        keep_facts(t, ucontext);
        return;
    }
    oracle_judge(&t->stack, agent.methods, t->walk.frames, count, &context, &judgement);
    t->walk.stack = RESULTS_STACK_AGREE;
    if (!oracle_is_mismatch(judgement.verdict)) return;
    code_find(machine_pc(ucontext), &place);
    attribution_decide(t, &(struct oracle_trace){t->walk.frames, count}, &context, &place, ucontext,
                       &judgement, &owner);
    t->walk.stack = results_stack_of(judgement.verdict);
    t->walk.cause = decide(t, ORACLE_LAYER_ASYNC, &judgement, &place, ucontext, &facts);
}

static HANDLER_SAFE void answer(struct agent_thread* t, void* context, bool hold) {
    int32_t depth = (int32_t)agent.options.depth;
    int32_t count = walk_call(t, t->raw, depth, context, ORACLE_LAYER_SANDWICH);
    t->walk.kept = frames_of(t->raw, depth, count, t->walk.frames);
    t->walk.count = count > depth    ? THREAD_WALK_TOO_MANY
                    : count == depth ? THREAD_WALK_FULL
                    : count <= 0     ? count
                                     : (int32_t)t->walk.kept;
    t->walk.refusal = judge_refusal(t, count);
    t->walk.cause = RESULTS_UNEXPLAINED;
    t->walk.stack = RESULTS_STACK_NOT_ASKED;
    memset(&t->walk.facts, 0, sizeof t->walk.facts);
    if (count > 0 && count < depth) judge_walk(t, context);
    __atomic_store_n(&t->walk.held, hold, __ATOMIC_RELAXED);
    __atomic_store_n(&t->walk.wanted, WALK_NONE, __ATOMIC_RELEASE); // partner: sandwich.c, await
    syscall(SYS_futex, &t->walk.wanted, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

// In these two states the JVM stops for nobody and goes by the anchor: whoever asks for the stack
// reads it while this thread waits here. To the JVM the wait is one of the system's scheduler. In
// all other states GetStackTrace would wait for this thread. A carrier's GetStackTrace would not
// show what the walker walks.
static HANDLER_SAFE bool can_be_held(struct agent_thread* t) {
    enum results_thread_state state = code_thread_state(t->hotspot);
    t->walk.state = (uint32_t)state;
    t->walk.owner = code_stub_caller(t->hotspot);
    return t->mount == MOUNT_NONE &&
           (state == RESULTS_THREAD_IN_NATIVE || state == RESULTS_THREAD_BLOCKED);
}

// Whether the sampler let the thread go. If not, it has not been held for all of GetStackTrace.
static HANDLER_SAFE bool wait_to_be_let_go(struct agent_thread* t) {
    uint64_t begin = agent_now_ns();
    for (uint64_t waited = 0; waited < HOLD_NS; waited = agent_now_ns() - begin) {
        if (__atomic_load_n(&t->walk.held, __ATOMIC_ACQUIRE) == 0) return true;
        struct timespec rest = {0, (long)(HOLD_NS - waited)};
        syscall(SYS_futex, &t->walk.held, FUTEX_WAIT_PRIVATE, 1, &rest, NULL, 0);
    }
    return __atomic_exchange_n(&t->walk.held, 0, __ATOMIC_ACQ_REL) == 0; // partner: let_go
}

HANDLER_SAFE void walk_leave(struct agent_thread* t, void* context) {
    bool hold =
        __atomic_load_n(&t->walk.wanted, __ATOMIC_ACQUIRE) == WALK_AND_HOLD && can_be_held(t);
    answer(t, context, hold);
    if (hold && wait_to_be_let_go(t) &&
        __atomic_load_n(&t->walk.wanted, __ATOMIC_ACQUIRE) != WALK_NONE)
        answer(t, context, false);
}
