// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The handler's half: a sample into the ring, with what the oracle knew of its methods then.
#include "evidence.h"

#include <string.h>

#include "agent/state/state.h"
#include "record_ring.h"

struct ring record_ring;

// How a sample's piece of the ring is laid out.
struct layout {
    uint32_t slots, frames, witness, third;
    bool evidence, sites;
    size_t size;
};

static HANDLER_SAFE struct layout lay_out(const struct agent_thread* t, const struct record_case* c,
                                          bool evidence) {
    // The sandwich's witness is another thread's: `t` may be pushing meanwhile.
    struct layout l = {.slots = c->about->witness == NULL ? evidence_stack(t, c->about)->top : 0,
                       .frames = c->about->observed_count,
                       .witness = c->about->witness != NULL ? c->about->witness_count : 0,
                       .third = c->about->third != NULL ? c->about->third_count : 0,
                       .evidence = evidence,
                       .sites = c->about->layer == ORACLE_LAYER_STRUCTURE};
    l.size = sizeof(struct record_piece) + l.slots * sizeof(struct results_sample_slot) +
             ((size_t)l.frames + l.witness + l.third) * sizeof(struct results_sample_frame) +
             (evidence ? RESULTS_EVIDENCE_SIZE : 0) +
             (l.sites ? l.frames * sizeof(const struct oracle_sites*) : 0);
    return l;
}

static HANDLER_SAFE void take_slots(const struct oracle_stack* stack, uint32_t top,
                                    struct results_sample_slot* to) {
    for (uint32_t end = top; end != 0;) {
        const struct oracle_slot* entry = &stack->frames[end - 1];
        uint32_t call = stack->previous[end - 1];
        *to++ = (struct results_sample_slot){
            .kind = RESULTS_SLOT_ENTRY,
            .id = oracle_methods_id(agent.methods, (uint32_t)entry->method),
            .number = (uint32_t)entry->method,
            .position = entry->position};
        if (call == end - 1) { // no gap was captured
            end = call;
            continue;
        }
        for (uint32_t at = end - 1; at-- > call + 1;)
            *to++ = (struct results_sample_slot){.kind = RESULTS_SLOT_GAP,
                                                 .id = stack->frames[at].method,
                                                 .bci = stack->frames[at].bci};
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

static HANDLER_SAFE void take_place(const struct agent_thread* t, const struct evidence_case* about,
                                    struct results_sample* s) {
    s->pc = about->pc;
    s->code_kind = RESULTS_CODE_NONE;
    if (about->pc == 0 || about->place == NULL) return;
    s->code_kind = (uint8_t)about->place->kind;
    s->region = (uint8_t)about->place->region;
    s->code_offset = about->place->offset;
    s->thread_state = (uint8_t)code_thread_state(t->hotspot);
}

static HANDLER_SAFE void take_head(const struct agent_thread* t, const struct record_case* c,
                                   bool chosen, struct results_sample* s) {
    memset(s, 0, sizeof *s);
    s->time_ns = agent_now_ns() - agent.started_ns;
    s->thread_id = (uint32_t)t->thread_id;
    s->thread_slot = t->index;
    s->epoch = t->settled;
    s->layer = (uint8_t)c->about->layer;
    s->verdict = (uint8_t)c->about->judgement->verdict;
    s->own = c->own;
    s->chosen = chosen;
    s->count = c->count;
    s->cluster = c->about->cluster;
    s->beyond = evidence_stack(t, c->about)->beyond;
    s->judgement = *c->about->judgement;
    s->judgement.verdict = c->given;
    s->context_known = c->context != NULL;
    if (c->context != NULL) s->context = *c->context;
    take_place(t, c->about, s);
    if (c->about->layer == ORACLE_LAYER_GROUND) {
        s->owner_known = true;
        s->owner.method = oracle_methods_id(agent.methods, c->about->leaving);
        s->owner_number = c->about->leaving;
        return;
    }
    s->owner_known = c->owner != NULL && c->owner->method != 0;
    if (!s->owner_known) return;
    s->owner = *c->owner;
    s->owner_number = oracle_methods_number(agent.methods, c->owner->method);
}

static HANDLER_SAFE void take_evidence(struct agent_thread* t, const struct record_case* c,
                                       struct results_mismatch* to) {
    if (c->kept >= 0) {
        memcpy(to, &agent.run->mismatches[c->kept], RESULTS_EVIDENCE_SIZE);
        return;
    }
    memset(to, 0, RESULTS_EVIDENCE_SIZE);
    evidence_describe(t, to, c->about);
}

// Call sites live as long as the agent. One that kept the sample undecided may have been read
// since: then the record does not hold what was judged by.
static HANDLER_SAFE void take_sites(const struct agent_thread* t, struct results_sample* s,
                                    const struct oracle_sites** to) {
    bool lacking = false;
    for (uint32_t i = 0; i < s->frame_count; i++) {
        to[i] = oracle_methods_sites(agent.methods, s->frames[i].id);
        lacking = lacking || to[i] == NULL || (to[i]->flags & ORACLE_METHOD_OPAQUE) != 0;
    }
    s->sites = to;
    s->root = (uint8_t)t->root;
    if (s->judgement.verdict == ORACLE_UNDECIDED && !lacking) s->context_known = false;
}

static HANDLER_SAFE void fill(struct agent_thread* t, const struct record_case* c, bool chosen,
                              const struct layout* l, struct record_piece* piece) {
    struct results_sample* s = &piece->sample;
    struct results_sample_slot* slots = (struct results_sample_slot*)(piece + 1);
    struct results_sample_frame* frames = (struct results_sample_frame*)(slots + l->slots);
    const struct oracle_sites** sites = (void*)(frames + l->frames + l->witness + l->third);
    struct results_mismatch* evidence = (void*)(sites + (l->sites ? l->frames : 0));
    piece->kind = RECORD_PIECE_SAMPLE;
    take_head(t, c, chosen, s);
    take_slots(evidence_stack(t, c->about), l->slots, slots);
    take_frames(c->about->observed, l->frames, frames);
    take_frames(c->about->witness, l->witness, frames + l->frames);
    take_frames(c->about->third, l->third, frames + l->frames + l->witness);
    if (l->evidence) take_evidence(t, c, evidence);
    if (l->evidence) s->code_offset = evidence->code_offset; // of libraries only evidence has it
    s->slots = slots;
    s->slot_count = l->slots;
    s->frames = frames;
    s->frame_count = l->frames;
    s->witness = frames + l->frames;
    s->witness_count = l->witness;
    s->third = c->about->third != NULL ? s->witness + l->witness : NULL;
    s->third_count = l->third;
    s->evidence = l->evidence ? evidence : NULL;
    if (l->sites) take_sites(t, s, sites);
}

// Each layer counts for itself. Structure judges the traces that async has recorded; of ground only
// what does not fit comes here.
static HANDLER_SAFE bool is_chosen(enum oracle_layer layer) {
    static uint64_t seen[ORACLE_LAYER_COUNT]; // atomic
    if (layer == ORACLE_LAYER_STRUCTURE && agent_layer(ORACLE_LAYER_ASYNC)) return false;
    if (layer == ORACLE_LAYER_GROUND) return false;
    return __atomic_fetch_add(&seen[layer], 1, __ATOMIC_RELAXED) % agent.options.record == 0;
}

HANDLER_SAFE void record_take(struct agent_thread* t, const struct record_case* c) {
    if (agent.options.record == 0 || record_ring.bytes == NULL) return;
    bool mismatch = !c->own && oracle_is_mismatch(c->about->judgement->verdict);
    bool chosen = is_chosen(c->about->layer);
    if (!mismatch && !chosen) return;
    struct layout l = lay_out(t, c, mismatch);
    struct record_piece* piece = ring_reserve(&record_ring, l.size);
    if (piece == NULL) {
        agent_count(&agent.run->unrecorded, 1);
        return;
    }
    fill(t, c, chosen, &l, piece);
    agent_count(&agent.run->recorded, 1);
    ring_publish(piece, l.size);
}

void record_settled(struct agent_thread* t, uint32_t blame) {
    uint32_t epoch = t->settled++;
    if (agent.options.record == 0 || record_ring.bytes == NULL) return;
    struct record_piece* piece = ring_reserve(&record_ring, sizeof *piece);
    if (piece == NULL) {
        agent_count(&agent.run->unrecorded, 1);
        return;
    }
    memset(piece, 0, sizeof *piece);
    piece->kind = RECORD_PIECE_SETTLED;
    piece->blame = blame;
    piece->sample.thread_slot = t->index;
    piece->sample.epoch = epoch;
    ring_publish(piece, sizeof *piece);
}
