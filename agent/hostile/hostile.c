// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "hostile.h"

#include "agent/code/code.h"
#include "agent/evidence/evidence.h"
#include "agent/judge/judge.h"
#include "agent/rescue/rescue.h"
#include "agent/state/state.h"
#include "parts.h"

// Of a thread's CPU time. A walk takes some microseconds.
#define HOSTILE_HANG_NS 1000000000ull

// ---- Asking -------------------------------------------------------------------------------------

// Says in the run's file what is being asked, for the case that the JVM dies of it.
static HANDLER_SAFE void announce(struct agent_thread* t, const ucontext_t* context,
                                  enum results_change change, int64_t by) {
    t->now->change = change;
    t->now->by = by;
    __atomic_store_n(&t->now->asked_at, machine_pc(context), __ATOMIC_RELAXED);
    __atomic_store_n(&t->now->in_walker, 1u + ORACLE_LAYER_HOSTILE, __ATOMIC_RELAXED);
}

// False: the walker died or hung.
static HANDLER_SAFE bool call(struct agent_thread* t, ucontext_t* context, int32_t* count) {
    bool alive = rescue_call(&t->rescue, t->env, t->raw, (int32_t)agent.options.depth, context,
                             t->thread_id, count);
    __atomic_store_n(&t->now->in_walker, 0, __ATOMIC_RELAXED);
    return alive;
}

static HANDLER_SAFE void ask(struct agent_thread* t, const ucontext_t* own) {
    ucontext_t context = *own;
    int64_t by;
    int32_t count = 0;
    uint32_t kinds = RESULTS_CHANGE_COUNT - 1;
    enum results_change change = (enum results_change)(1 + random_below(&t->hostile_random, kinds));
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_HOSTILE];
    struct results_hostile* counts = &agent.run->hostile[change];
    if (!spoil(t, change, &t->hostile_random, &context, &by)) return;
    agent_count(&layer->asked, 1);
    agent_count(&counts->asked, 1);
    announce(t, &context, change, by);
    if (call(t, &context, &count)) {
        agent_count(&layer->answered, 1);
        agent_count(&layer->verdict[ORACLE_AGREE], 1);
        agent_count(&counts->answered, 1);
        if (count > 0) agent_count(&counts->frames, 1);
        return;
    }
    // HotSpot notes in the thread that it is in the walker. An honest question takes that back.
    context = *own;
    announce(t, &context, RESULTS_CHANGE_NONE, 0);
    call(t, &context, &count);
}

// ---- Booking ------------------------------------------------------------------------------------

static HANDLER_SAFE void book(void* of, const void* ucontext, bool hung) {
    struct agent_thread* t = of;
    struct oracle_judgement judgement = {.verdict = hung ? ORACLE_HUNG : ORACLE_DIED};
    struct results_facts facts;
    struct code_place place;
    uintptr_t pc = machine_pc(ucontext);
    enum results_change change = (enum results_change)t->now->change;
    code_find(pc, &place);
    uint32_t cause = facts_decide(t,
                                  &(struct facts_case){.layer = ORACLE_LAYER_HOSTILE,
                                                       .judgement = &judgement,
                                                       .pc = pc,
                                                       .place = &place,
                                                       .ucontext = ucontext,
                                                       .change = change,
                                                       .by = t->now->by},
                                  &facts);
    agent_count(&agent.run->layers[ORACLE_LAYER_HOSTILE].verdict[judgement.verdict], 1);
    agent_count(hung ? &agent.run->hostile[change].hung : &agent.run->hostile[change].died, 1);
    facts_count(t, ORACLE_LAYER_HOSTILE, judgement.verdict, cause);
    evidence_take(t, &(struct evidence_case){.layer = ORACLE_LAYER_HOSTILE,
                                             .judgement = &judgement,
                                             .given = judgement.verdict,
                                             .pc = pc,
                                             .ucontext = ucontext,
                                             .place = &place,
                                             .cause = cause,
                                             .facts = &facts,
                                             .blank = true});
}

static HANDLER_SAFE void ask_some(struct agent_thread* t, const void* ucontext) {
    t->rescue.book = book;
    t->rescue.of = t;
    t->rescue.stack_low = t->stack_low;
    for (uint32_t i = 0; i < agent.options.hostile; i++) ask(t, ucontext);
}

void hostile_look(struct agent_thread* t) {
    uint64_t question = __atomic_load_n(&t->rescue.question, __ATOMIC_ACQUIRE);
    if (question == 0 || question != t->hostile_seen) {
        t->hostile_seen = question;
        t->hostile_seen_ns = t->cpu_ns;
    } else if (t->cpu_ns - t->hostile_seen_ns > HOSTILE_HANG_NS) {
        rescue_wake(&t->rescue, t->thread_id);
        t->hostile_seen = 0;
    }
}

int hostile_start(void) {
    if (!agent_layer(ORACLE_LAYER_HOSTILE)) return 0;
    if (rescue_install() != 0) return -1;
    sample_hostile = ask_some;
    return 0;
}
