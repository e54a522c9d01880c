// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The handler's half: a sample into the ring, with what the oracle knew of its methods then.
#include "evidence.h"

#include <string.h>

#include "agent/coverage/coverage.h"
#include "agent/state/state.h"

// ---- What is taken ------------------------------------------------------------------------------

// Of a kind's mismatches, by their number n from 0 on: the first EARLY, then, of each doubling of
// n, PER_DOUBLING at even distances, beginning where the seed says. So a long run asks again as
// often in its last half as in any earlier doubling.
#define EARLY 8u
#define PER_DOUBLING 4u

HANDLER_SAFE bool evidence_is_asked_again(enum oracle_layer layer, enum oracle_verdict verdict) {
    static uint32_t seen[ORACLE_LAYER_COUNT][ORACLE_VERDICT_COUNT]; // atomic
    uint32_t n = __atomic_fetch_add(&seen[layer][verdict], 1, __ATOMIC_RELAXED);
    if (n < EARLY) return true;
    uint32_t distance = (1u << (31 - __builtin_clz(n))) / PER_DOUBLING;
    uint32_t phase = (uint32_t)(agent.options.seed * 0x9e3779b97f4a7c15u >> 32) % distance;
    return n % distance == phase;
}

// Attribution is a third of the samples where pushes are inlined. All is counted; for the record
// and its evidence a part is enough.
#define ATTRIBUTIONS_FIRST 256u
#define ATTRIBUTIONS_ONE_IN 64u

HANDLER_SAFE bool evidence_is_kept(enum oracle_verdict verdict) {
    static uint32_t seen; // atomic
    if (!agent.inlined || verdict != ORACLE_ATTRIBUTION) return true;
    uint32_t n = __atomic_fetch_add(&seen, 1, __ATOMIC_RELAXED);
    return n < ATTRIBUTIONS_FIRST || n % ATTRIBUTIONS_ONE_IN == 0;
}

// Each layer counts for itself. Structure judges the traces that async has recorded. Of ground only
// mismatches come here.
HANDLER_COMMON bool evidence_is_chosen(enum oracle_layer layer) {
    static uint64_t seen[ORACLE_LAYER_COUNT]; // atomic
    if (agent.options.record == 0) return false;
    if (layer == ORACLE_LAYER_STRUCTURE && agent_layer(ORACLE_LAYER_ASYNC)) return false;
    if (layer == ORACLE_LAYER_GROUND) return false;
    return __atomic_fetch_add(&seen[layer], 1, __ATOMIC_RELAXED) % agent.options.record == 0;
}

// ---- Traces -------------------------------------------------------------------------------------

static HANDLER_SAFE void take_slots(const struct oracle_stack* stack, uint32_t top,
                                    struct results_sample_slot* to) {
    for (uint32_t end = top; end != 0;) {
        const struct oracle_slot* entry = &stack->frames[end - 1];
        uint32_t call = oracle_below(stack, end);
        *to++ = (struct results_sample_slot){.kind = RESULTS_SLOT_ENTRY,
                                             .id = oracle_methods_id(agent.methods, entry->number),
                                             .number = entry->number,
                                             .position = entry->position};
        if (call == end - 1) { // no gap was captured
            end = call;
            continue;
        }
        for (uint32_t at = end - 1; at-- > call + 1;)
            *to++ = (struct results_sample_slot){
                .kind = RESULTS_SLOT_GAP, .id = stack->frames[at].id, .bci = stack->frames[at].bci};
        *to++ =
            (struct results_sample_slot){.kind = RESULTS_SLOT_CALL, .bci = stack->frames[call].bci};
        end = call;
    }
}

static HANDLER_SAFE void take_frames(const struct oracle_frame* from, uint32_t count,
                                     struct results_sample_frame* to) {
    for (uint32_t i = 0; i < count; i++)
        to[i] = (struct results_sample_frame){
            .id = from[i].method,
            .number = oracle_methods_number(agent.methods, from[i].method),
            .bci = from[i].bci};
}

// A method's call sites may have been read since they kept the sample undecided, or have found no
// room in the ring. Then the record does not hold what the sample was judged by.
static HANDLER_SAFE void take_sites(struct results_sample* s,
                                    const struct results_sample_frame* frames, uint32_t* to) {
    bool lacking = false, untold = false;
    for (uint32_t i = 0; i < s->frame_count; i++) {
        const struct oracle_sites* sites = oracle_methods_sites(agent.methods, frames[i].id);
        to[i] = sites != NULL ? sites->index : 0;
        lacking = lacking || sites == NULL || (sites->flags & ORACLE_METHOD_OPAQUE) != 0;
        untold = untold || (sites != NULL && sites->index == 0);
    }
    if (untold || (s->judgement.verdict == ORACLE_UNDECIDED && !lacking)) s->context_known = false;
}

// ---- Evidence -----------------------------------------------------------------------------------

static HANDLER_SAFE void take_evidence(const struct agent_thread* t, const struct evidence_case* c,
                                       struct results_sample* s, struct results_evidence* to) {
    uintptr_t low = 0, high = 0;
    memset(to, 0, sizeof *to);
    memcpy(to->thread_name, t->name, sizeof to->thread_name);
    if (c->facts != NULL) to->facts = *c->facts;
    if (c->pc == 0) return;
    to->frame_complete = c->place->frame_complete;
    to->code_size = (uint32_t)(c->place->end - c->place->begin);
    s->code_offset = code_name(c->pc, c->place, to->code_name, sizeof to->code_name);
    to->owner = code_owner(c->place);
    if (!code_thread_stack(t->hotspot, &low, &high)) low = high = 0;
    machine_keep(to, c->pc, c->ucontext,
                 &(struct machine_bounds){.code = c->place, .stack_low = low, .stack_high = high});
    if (c->again == NULL) return;
    memcpy(to->again_count, c->again->count, sizeof to->again_count);
    memcpy(to->again_same, c->again->same, sizeof to->again_same);
}

// ---- A sample -----------------------------------------------------------------------------------

static HANDLER_SAFE void take_place(const struct agent_thread* t, const struct evidence_case* c,
                                    struct results_sample* s) {
    s->pc = c->pc;
    s->code_kind = RESULTS_CODE_NONE;
    s->thread_state = (uint8_t)c->state;
    if (c->pc == 0 || c->place == NULL) return;
    s->code_kind = (uint8_t)c->place->kind;
    s->region = (uint8_t)c->place->region;
    s->code_offset = c->place->offset;
    s->thread_state = (uint8_t)code_thread_state(t->hotspot);
}

static HANDLER_SAFE void take_owner(const struct evidence_case* c, struct results_sample* s) {
    if (c->layer == ORACLE_LAYER_GROUND) {
        s->owner_known = true;
        s->owner.method = oracle_methods_id(agent.methods, c->leaving);
        s->owner_number = c->leaving;
    } else if (c->owner != NULL && c->owner->method != 0) {
        s->owner_known = true;
        s->owner = *c->owner;
        s->owner_number = oracle_methods_number(agent.methods, c->owner->method);
    }
}

static HANDLER_SAFE void take_window(const struct agent_thread* t,
                                     const struct evidence_window* window,
                                     struct results_sample* s) {
    s->instant = true;
    s->window_begin_ns = window->begin_ns - agent.started_ns;
    s->window_end_ns = window->end_ns - agent.started_ns;
    // Between two virtual threads the slot still has the id of the last one.
    bool known = t->mount == MOUNT_NONE || t->mount == MOUNT_MOUNTED;
    s->java_thread = known ? t->java_thread : 0;
}

static HANDLER_SAFE void take_head(const struct agent_thread* t, const struct evidence_case* c,
                                   struct results_sample* s) {
    memset(s, 0, sizeof *s);
    s->time_ns = agent_now_ns() - agent.started_ns;
    s->thread_id = (uint32_t)t->thread_id;
    s->thread_slot = t->index;
    s->epoch = t->settled;
    s->layer = (uint8_t)c->layer;
    s->verdict = (uint8_t)c->judgement->verdict;
    s->own = c->own;
    s->exact = c->exact;
    s->count = c->count;
    s->cluster = c->cluster;
    s->cause = (uint8_t)c->cause;
    s->beyond = t->stack.beyond;
    s->root = (uint8_t)t->root;
    s->judgement = *c->judgement;
    s->judgement.verdict = c->given;
    s->context_known = c->context != NULL;
    if (c->context != NULL) s->context = *c->context;
    if (s->context.place.method != 0)
        s->place_number = oracle_methods_number(agent.methods, s->context.place.method);
    // The sandwich's witness is another thread's: `t` may be pushing meanwhile. The layer structure
    // judges also while entries move.
    s->slot_count = c->witness == NULL && !t->mending && !c->blank ? oracle_top(&t->stack) : 0;
    s->frame_count = c->observed_count;
    s->witness_count = c->witness != NULL ? c->witness_count : c->at_pc_count;
    s->third_count = c->third != NULL ? c->third_count : 0;
    take_place(t, c, s);
    take_owner(c, s);
    if (c->window != NULL) take_window(t, c->window, s);
}

static HANDLER_SAFE void lose(void) {
    agent_count(&agent.run->unrecorded, 1);
}

// Structure always; the layers that judge by the trace stack where a callee decided whether its
// caller may be before its push.
static HANDLER_SAFE bool is_judged_by_sites(const struct evidence_case* c, bool mismatch) {
    return c->layer == ORACLE_LAYER_STRUCTURE ||
           (mismatch && (c->layer == ORACLE_LAYER_ASYNC || c->layer == ORACLE_LAYER_GST));
}

static HANDLER_SAFE void record(struct agent_thread* t, const struct evidence_case* c,
                                bool mismatch, bool chosen) {
    struct results_ring ring = results_run_ring(agent.run);
    struct results_sample_piece head = {.kind = RESULTS_PIECE_SAMPLE,
                                        .has_third = c->third != NULL,
                                        .has_sites = is_judged_by_sites(c, mismatch),
                                        .has_evidence = mismatch};
    take_head(t, c, &head.sample);
    head.sample.chosen = chosen;
    const struct results_sample_room room = results_sample_room(&head);
    uint8_t* piece = results_ring_reserve(&ring, room.size);
    if (piece == NULL) {
        lose();
        return;
    }
    // Not before there is room: every number is a sample of the record, or a piece that is seen to
    // be unfinished.
    head.sample.sequence = 1 + __atomic_fetch_add(&agent.run->sequence, 1, __ATOMIC_RELAXED);
    struct results_sample_frame* frames = (void*)(piece + room.frames);
    take_slots(&t->stack, head.sample.slot_count, (void*)(piece + room.slots));
    take_frames(c->observed, head.sample.frame_count, frames);
    take_frames(c->witness != NULL ? c->witness : c->at_pc, head.sample.witness_count,
                (void*)(piece + room.witness));
    take_frames(c->third, head.sample.third_count, (void*)(piece + room.third));
    if (mismatch) take_evidence(t, c, &head.sample, (void*)(piece + room.evidence));
    if (head.has_sites) take_sites(&head.sample, frames, (void*)(piece + room.sites));
    memcpy(piece, &head, sizeof head);
    agent_count(&agent.run->recorded, 1);
    results_ring_publish(piece, room.size);
}

static HANDLER_SAFE uint32_t count_in_cluster(const struct agent_thread* t,
                                              const struct evidence_case* c) {
    return cluster_count(&(struct cluster_case){.layer = c->layer,
                                                .judgement = c->judgement,
                                                .pc = c->pc,
                                                .place = c->place,
                                                .cause = c->cause,
                                                .state = code_thread_state(t->hotspot)});
}

HANDLER_SAFE void evidence_take(struct agent_thread* t, const struct evidence_case* c) {
    struct evidence_case counted = *c;
    bool mismatch = oracle_is_mismatch(c->judgement->verdict);
    bool chosen = c->layer == ORACLE_LAYER_ASYNC ? c->chosen : evidence_is_chosen(c->layer);
    if (!mismatch && !chosen) return;
    if (mismatch && !c->own && c->layer != ORACLE_LAYER_ASYNC)
        counted.cluster = count_in_cluster(t, c);
    record(t, &counted, mismatch, chosen);
}

void evidence_settled(struct agent_thread* t, uint32_t blame, const struct oracle_frame* witness,
                      uint32_t count) {
    struct results_ring ring = results_run_ring(agent.run);
    struct results_settled_piece head = {.kind = RESULTS_PIECE_SETTLED,
                                         .thread_slot = t->index,
                                         .epoch = t->settled++,
                                         .blame = blame,
                                         .count = witness != NULL ? count : 0};
    size_t size = sizeof head + head.count * sizeof(struct results_sample_frame);
    uint8_t* piece = results_ring_reserve(&ring, size);
    if (piece == NULL) {
        lose();
        return;
    }
    memcpy(piece, &head, sizeof head);
    take_frames(witness, head.count, (void*)(piece + sizeof head));
    agent_count(&agent.run->recorded, 1);
    results_ring_publish(piece, size);
}
