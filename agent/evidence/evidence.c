// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "evidence.h"

#include <string.h>

#include "agent/classes/classes.h"
#include "agent/coverage/coverage.h"
#include "agent/state/state.h"

// Frames kept before the first that differs, where a trace is too long to keep whole.
#define FRAMES_BEFORE_DIFFERENCE 64

static inline __attribute__((always_inline)) uint32_t window_start(uint32_t count, uint32_t at) {
    if (count <= RESULTS_FRAMES_KEPT || at <= FRAMES_BEFORE_DIFFERENCE) return 0;
    uint32_t first = at - FRAMES_BEFORE_DIFFERENCE;
    return first > count - RESULTS_FRAMES_KEPT ? count - RESULTS_FRAMES_KEPT : first;
}

static inline __attribute__((always_inline)) uint32_t window_length(uint32_t count,
                                                                    uint32_t first) {
    return count - first < RESULTS_FRAMES_KEPT ? count - first : RESULTS_FRAMES_KEPT;
}

static HANDLER_SAFE void keep_trace(struct results_frame* to, const struct oracle_frame* from,
                                    uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = oracle_methods_number(agent.methods, from[i].method);
        to[i].id = from[i].method;
        to[i].bci = to[i].old_bci = from[i].bci;
        to[i].flags = number != ORACLE_FOREIGN && number != ORACLE_OWN && number != ORACLE_UNKNOWN
                          ? RESULTS_FRAME_INSTRUMENTED
                          : 0;
    }
}

#define KNOWN_AT_ONCE 16u // on the stack of the thread that was interrupted

// How many frames of the trace stack are known, those of captured gaps among them.
static HANDLER_SAFE uint32_t count_known(const struct oracle_stack* stack) {
    struct oracle_known known[KNOWN_AT_ONCE];
    uint32_t count = 0, more;
    do count += more = oracle_stack_known(stack, count, known, KNOWN_AT_ONCE);
    while (more == KNOWN_AT_ONCE);
    return count;
}

// The known frames of the trace stack, youngest first, from the `first`-th on.
static HANDLER_SAFE void keep_stack(struct results_mismatch* m, const struct oracle_stack* stack) {
    struct oracle_known known[KNOWN_AT_ONCE];
    uint32_t kept = 0, more = KNOWN_AT_ONCE;
    while (kept < RESULTS_FRAMES_KEPT && more == KNOWN_AT_ONCE) {
        more = oracle_stack_known(stack, m->expected_first + kept, known, KNOWN_AT_ONCE);
        for (uint32_t i = 0; i < more && kept < RESULTS_FRAMES_KEPT; i++, kept++) {
            struct results_frame* to = &m->expected[kept];
            to->id = known[i].method;
            to->bci = to->old_bci =
                known[i].bci == ORACLE_BCI_UNKNOWN ? RESULTS_BCI_NONE : known[i].bci;
            to->flags = known[i].entry ? RESULTS_FRAME_NUMBERED | RESULTS_FRAME_INSTRUMENTED : 0;
        }
    }
    m->expected_kept = kept;
}

// Which of a kind's mismatches are kept, by their number n from 0 on. The first EARLY all; then, of
// each doubling of n, PER_DOUBLING at even distances, beginning where the seed says. A slot is
// never given up for a later mismatch: the housekeeping thread may be reading it, and accusations
// name it by its index. So a long run keeps as much of its last half as of any earlier doubling,
// and the 64 places of a kind last for over 100,000 of them.
#define EARLY 8u
#define PER_DOUBLING 4u

static HANDLER_SAFE bool is_kept(uint32_t n) {
    if (n < EARLY) return true;
    uint32_t distance = (1u << (31 - __builtin_clz(n))) / PER_DOUBLING;
    uint32_t phase = (uint32_t)(agent.options.seed * 0x9e3779b97f4a7c15u >> 32) % distance;
    return n % distance == phase;
}

HANDLER_SAFE int32_t evidence_reserve(enum oracle_layer layer, enum oracle_verdict verdict) {
    static uint32_t seen[ORACLE_LAYER_COUNT][ORACLE_VERDICT_COUNT]; // atomic
    static uint32_t places_taken;                                   // atomic
    uint32_t* kept = &agent.run->kept_of_kind[layer][verdict];
    if (is_kept(__atomic_fetch_add(&seen[layer][verdict], 1, __ATOMIC_RELAXED)) &&
        __atomic_fetch_add(kept, 1, __ATOMIC_RELAXED) < RESULTS_MISMATCHES_PER_KIND) {
        uint32_t place = __atomic_fetch_add(&places_taken, 1, __ATOMIC_RELAXED);
        if (place < RESULTS_MISMATCHES_KEPT) return (int32_t)place;
    }
    __atomic_fetch_add(&agent.run->unkept, 1, __ATOMIC_RELAXED);
    return -1;
}

static HANDLER_SAFE void keep_code(struct agent_thread* t, struct results_mismatch* m,
                                   const struct evidence_case* c) {
    uintptr_t low = 0, high = 0;
    const struct code_place* place = c->place;
    m->code_kind = (uint8_t)place->kind;
    m->region = (uint8_t)place->region;
    m->thread_state = (uint8_t)code_thread_state(t->hotspot);
    m->frame_complete = place->frame_complete;
    m->code_size = (uint32_t)(place->end - place->begin);
    m->code_offset = code_name(m->pc, place, m->code_name, sizeof m->code_name);
    m->owner.id = code_owner(place);
    m->owner.bci = m->owner.old_bci = RESULTS_BCI_NONE;
    if (!code_thread_stack(t->hotspot, &low, &high)) low = high = 0;
    machine_keep(m, c->ucontext, place, low, high);
    if (c->again == NULL) return;
    memcpy(m->again_count, c->again->count, sizeof m->again_count);
    memcpy(m->again_same, c->again->same, sizeof m->again_same);
}

static HANDLER_SAFE void keep_traces(struct agent_thread* t, struct results_mismatch* m,
                                     const struct evidence_case* c) {
    const struct oracle_stack* stack = evidence_stack(t, c);
    m->observed_count = c->observed_count;
    m->observed_first = window_start(c->observed_count, m->difference);
    m->observed_kept = window_length(c->observed_count, m->observed_first);
    keep_trace(m->observed, c->observed + m->observed_first, m->observed_kept);
    m->expected_count = c->witness != NULL ? c->witness_count : count_known(stack);
    m->expected_first = window_start(m->expected_count, m->difference);
    if (c->witness != NULL) {
        m->expected_kept = window_length(m->expected_count, m->expected_first);
        keep_trace(m->expected, c->witness + m->expected_first, m->expected_kept);
    } else {
        keep_stack(m, stack);
    }
}

HANDLER_SAFE void evidence_describe(struct agent_thread* t, struct results_mismatch* m,
                                    const struct evidence_case* c) {
    m->layer = c->layer;
    m->verdict = c->judgement->verdict;
    m->thread_id = (uint32_t)t->thread_id;
    m->pc = c->pc;
    m->time_ns = agent_now_ns() - agent.started_ns;
    m->difference = c->judgement->difference;
    m->cluster = c->cluster;
    memcpy(m->thread_name, t->name, sizeof m->thread_name);
    m->code_kind = RESULTS_CODE_NONE;
    if (c->pc != 0) keep_code(t, m, c);
}

HANDLER_SAFE void evidence_keep(struct agent_thread* t, int32_t place,
                                const struct evidence_case* c) {
    struct results_mismatch* m = &agent.run->mismatches[place];
    __atomic_store_n(&m->state, RESULTS_MISMATCH_FILLING, __ATOMIC_RELAXED);
    evidence_describe(t, m, c);
    keep_traces(t, m, c);
    __atomic_store_n(&m->state, RESULTS_MISMATCH_TAKEN, __ATOMIC_RELEASE); // partner: resolve_all
}

HANDLER_SAFE int32_t evidence_take(struct agent_thread* t, const struct evidence_case* c) {
    struct evidence_case counted = *c;
    counted.cluster = cluster_count(&(struct cluster_case){.layer = c->layer,
                                                           .judgement = c->judgement,
                                                           .pc = c->pc,
                                                           .place = c->place,
                                                           .state = code_thread_state(t->hotspot)});
    int32_t place = evidence_reserve(c->layer, c->judgement->verdict);
    if (place >= 0) {
        evidence_keep(t, place, &counted);
        cluster_example(counted.cluster, place);
    }
    record_take(t, &(struct record_case){.about = &counted,
                                         .context = c->context,
                                         .given = c->judgement->verdict,
                                         .count = (int32_t)c->observed_count,
                                         .kept = place});
    return place;
}

void evidence_offer(struct agent_thread* t, const struct evidence_case* c,
                    enum oracle_verdict given) {
    if (oracle_is_mismatch(c->judgement->verdict)) evidence_take(t, c);
    else
        record_take(t, &(struct record_case){.about = c,
                                             .context = c->context,
                                             .given = given,
                                             .count = (int32_t)c->observed_count,
                                             .kept = -1});
}

static uint32_t where(const struct results_mismatch* m) {
    char text[256];
    uint64_t pc = m->pc;
    if (pc == 0) return 0;
    if (code_in_interpreter((uintptr_t)pc)) return names_keep_text("the interpreter");
    if (library_describe((const void*)(uintptr_t)pc, text, sizeof text) == 0)
        return names_keep_text(text);
    return names_keep_text(m->code_name[0] != '\0' ? m->code_name : "generated code");
}

void evidence_resolve_all(JNIEnv* env) {
    for (uint32_t i = 0; i < RESULTS_MISMATCHES_KEPT; i++) {
        struct results_mismatch* m = &agent.run->mismatches[i];
        if (__atomic_load_n(&m->state, __ATOMIC_ACQUIRE) != RESULTS_MISMATCH_TAKEN) continue;
        m->where = where(m);
        if (m->owner.id != 0) names_resolve(env, &m->owner);
        for (uint32_t k = 0; k < m->expected_kept; k++) names_resolve(env, &m->expected[k]);
        for (uint32_t k = 0; k < m->observed_kept; k++) names_resolve(env, &m->observed[k]);
        __atomic_store_n(&m->state, RESULTS_MISMATCH_RESOLVED, __ATOMIC_RELEASE);
    }
}
