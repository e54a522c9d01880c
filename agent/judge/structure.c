// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "parts.h"

#include <string.h>

#include "agent/classes/classes.h"
#include "agent/state/state.h"
#include "judge.h"

// ---- Calls found possible before ----------------------------------------------------------------

static HANDLER_SAFE struct thread_call* place_of(struct agent_thread* t, uintptr_t caller,
                                                 int32_t bci, uintptr_t callee) {
    uint64_t mixed =
        (caller ^ callee << 17 ^ (uint64_t)(uint32_t)bci << 40) * UINT64_C(0x9E3779B97F4A7C15);
    return &t->calls[mixed >> 40 & (THREAD_CALLS - 1)];
}

static HANDLER_SAFE bool is_remembered_youngest(struct agent_thread* t) {
    const struct oracle_frame* frame = &t->frames[0];
    const struct thread_call* place = place_of(t, frame->method, 0, 0);
    return place->caller == frame->method && place->callee == 0 && frame->bci >= -1 &&
           frame->bci < place->bci;
}

static HANDLER_SAFE bool is_remembered(struct agent_thread* t, uint32_t i) {
    const struct oracle_frame *caller = &t->frames[i], *callee = &t->frames[i - 1];
    const struct thread_call* place = place_of(t, caller->method, caller->bci, callee->method);
    return place->caller == caller->method && place->callee == callee->method &&
           place->bci == caller->bci;
}

// How many of the oldest frames are right because the thread's first frame and their calls were met
// before. Looking up each method's code again would take most of the time of judging.
static HANDLER_SAFE uint32_t count_remembered(struct agent_thread* t, uint32_t count) {
    uint32_t now = sites_changes();
    if (now != t->calls_since) {
        memset(t->calls, 0, sizeof t->calls);
        t->first_method = 0;
        t->calls_since = now;
    }
    if (t->frames[count - 1].method != t->first_method) return 0;
    uint32_t known = 1;
    while (known < count && is_remembered(t, count - known)) known++;
    return known;
}

// The whole trace was found right: remembers the calls above its `known` oldest frames.
static HANDLER_SAFE void remember(struct agent_thread* t, uint32_t count, uint32_t known) {
    uint32_t fresh = known != 0 ? count - known : count - 1;
    t->first_method = t->frames[count - 1].method;
    const struct oracle_frame* youngest = &t->frames[0];
    const struct oracle_sites* sites = oracle_methods_sites(agent.methods, youngest->method);
    if (sites != NULL && youngest->bci != ORACLE_BCI_NATIVE)
        *place_of(t, youngest->method, 0, 0) =
            (struct thread_call){.caller = youngest->method, .bci = (int32_t)sites->length};
    for (uint32_t i = 1; i <= fresh; i++) {
        const struct oracle_frame *caller = &t->frames[i], *callee = &t->frames[i - 1];
        *place_of(t, caller->method, caller->bci, callee->method) = (struct thread_call){
            .caller = caller->method, .callee = callee->method, .bci = caller->bci};
    }
}

// ---- Traces found possible before ---------------------------------------------------------------

// Of whole traces, for all threads: a hash of how the thread began, of the frames without the
// youngest's bci, and of the call sites' age. Two traces have the same 63 bits once in 10^18.

#define POSSIBLE_WORDS 8192u // a power of two

static uint64_t possible[POSSIBLE_WORDS]; // atomic, 0: none

static HANDLER_COMMON uint64_t possible_word(const struct agent_thread* t, uint32_t count) {
    uint64_t hash = judge_mix(t->root, t->calls_since);
    for (uint32_t i = count; i-- > 1;)
        hash = judge_mix(judge_mix(hash, t->frames[i].method), (uint32_t)t->frames[i].bci);
    return judge_mix(hash, t->frames[0].method) | 1;
}

static HANDLER_COMMON uint64_t* possible_at(uint64_t word) {
    return &possible[word >> 32 & (POSSIBLE_WORDS - 1)];
}

static HANDLER_COMMON struct oracle_context context_of(const struct agent_thread* t,
                                                       int32_t count) {
    return (struct oracle_context){.base = t->base,
                                   .depth_limit = count >= (int32_t)agent.options.depth};
}

static HANDLER_COMMON bool is_whole(uint32_t frames, const struct oracle_context* context) {
    return frames > 0 && context->base == 0 && !context->depth_limit;
}

// ---- Judging ------------------------------------------------------------------------------------

HANDLER_SAFE void structure_want(const struct oracle_frame* frames, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (oracle_methods_sites(agent.methods, frames[i].method) == NULL)
            sites_want(frames[i].method);
}

// A trace that is right to its end had all its code read.
static HANDLER_SAFE void count_frames(const struct agent_thread* t, uint32_t frames,
                                      enum oracle_verdict verdict) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_STRUCTURE];
    uint32_t unread = 0;
    for (uint32_t i = 0; i < frames && verdict != ORACLE_AGREE; i++) {
        const struct oracle_sites* sites = oracle_methods_sites(agent.methods, t->frames[i].method);
        unread += sites == NULL || (sites->flags & ORACLE_METHOD_OPAQUE) != 0;
    }
    agent_count(&agent.run->structure_frames, frames);
    if (unread != 0) agent_count(&agent.run->structure_unread, unread);
    if (oracle_is_mismatch(verdict)) return;
    agent_count(&layer->frames_seen, frames);
    agent_count(&layer->frames_judged, verdict == ORACLE_UNDECIDED ? 0 : frames);
}

// The launcher's thread has called main: from now on the methods that run before it are no roots.
static HANDLER_SAFE void see_main(struct agent_thread* t, uint32_t frames) {
    const struct oracle_sites* root =
        t->root == ORACLE_ROOT_LAUNCHING
            ? oracle_methods_sites(agent.methods, t->frames[frames - 1].method)
            : NULL;
    if (root != NULL && (root->flags & ORACLE_METHOD_MAIN) != 0) t->root = ORACLE_ROOT_LAUNCHED;
}

static HANDLER_SAFE enum oracle_verdict judge(struct agent_thread* t, uint32_t frames,
                                              struct oracle_context* context,
                                              struct oracle_judgement* judgement) {
    bool whole = is_whole(frames, context);
    if (whole) context->known = count_remembered(t, frames);
    if (context->known != 0 && context->known == frames && is_remembered_youngest(t))
        *judgement = (struct oracle_judgement){
            .verdict = ORACLE_AGREE, .observed = frames, .expected = frames - 1};
    else
        oracle_structure(agent.methods, t->frames, frames, context, (enum oracle_root)t->root,
                         judgement);
    if (judgement->verdict == ORACLE_INVALID_ID &&
        hook_may_have_missed(t->frames[judgement->difference].method))
        judgement->verdict = ORACLE_UNDECIDED;
    if (judgement->verdict == ORACLE_AGREE && whole) {
        see_main(t, frames);
        uint64_t word = possible_word(t, frames);
        remember(t, frames, context->known);
        __atomic_store_n(possible_at(word), word, __ATOMIC_RELAXED);
    }
    return judgement->verdict;
}

static HANDLER_SAFE uint32_t decide(struct agent_thread* t, const struct evidence_case* about,
                                    uint32_t frames, const struct oracle_context* context,
                                    const struct oracle_judgement* judgement,
                                    struct results_facts* facts) {
    struct oracle_context asynchronous = *context;
    asynchronous.known = 0;
    asynchronous.in_transition_allowed = true;
    return facts_decide_by_stack(t,
                                 &(struct facts_case){.layer = ORACLE_LAYER_STRUCTURE,
                                                      .judgement = judgement,
                                                      .frames = t->frames,
                                                      .count = frames,
                                                      .pc = about->pc,
                                                      .place = about->place,
                                                      .ucontext = about->ucontext},
                                 &asynchronous, facts);
}

// Books a mismatch under its cause and offers the answer to the record. An answer with too many
// frames has no context, and no cause that explains it.
static HANDLER_SAFE void take(struct agent_thread* t, struct evidence_case* kept) {
    enum oracle_verdict verdict = kept->judgement->verdict;
    struct results_facts facts;
    if (!kept->own && oracle_is_mismatch(verdict) && kept->context != NULL) {
        kept->cause = decide(t, kept, kept->observed_count, kept->context, kept->judgement, &facts);
        kept->facts = &facts;
    }
    if (!kept->own) facts_count(t, ORACLE_LAYER_STRUCTURE, verdict, kept->cause);
    kept->layer = ORACLE_LAYER_STRUCTURE;
    kept->observed = t->frames;
    kept->given = verdict;
    evidence_take(t, kept);
}

// `count`: the walker's.
static HANDLER_COMMON void count_answer(const struct agent_thread* t, bool own,
                                        enum oracle_verdict verdict, int32_t count) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_STRUCTURE];
    agent_count(&layer->answered, 1);
    agent_count(own ? &layer->own[verdict] : &layer->verdict[verdict], 1);
    if (!own && t->waits) judge_count_waiting(t, ORACLE_LAYER_STRUCTURE, verdict, count);
}

HANDLER_COMMON bool structure_is_known(struct agent_thread* t, int32_t count, uint32_t frames,
                                       bool own) {
    const struct oracle_context context = context_of(t, count);
    if (count <= 0 || !is_whole(frames, &context) || t->calls_since != sites_changes() ||
        !is_remembered_youngest(t))
        return false;
    uint64_t word = possible_word(t, frames);
    if (__atomic_load_n(possible_at(word), __ATOMIC_RELAXED) != word) return false;
    count_answer(t, own, ORACLE_AGREE, count);
    if (own) return true;
    count_frames(t, frames, ORACLE_AGREE);
    agent_count(&agent.run->call_sites, frames - 1);
    return true;
}

HANDLER_SAFE enum oracle_verdict structure_judge(struct agent_thread* t, int32_t count,
                                                 uint32_t frames, bool own,
                                                 const struct evidence_case* about) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_STRUCTURE];
    struct oracle_context context = context_of(t, count);
    struct oracle_judgement judgement;
    context.place = about->context->place;
    if (!agent_layer(ORACLE_LAYER_STRUCTURE)) return ORACLE_NO_ANSWER;
    if (count <= 0) {
        count_answer(t, own, ORACLE_REFUSED, count);
        if (!own) agent_count(&layer->refused[judge_refusal(t, count)], 1);
        return ORACLE_REFUSED;
    }
    bool too_many = count > (int32_t)agent.options.depth;
    if (too_many) walk_judge_too_many(frames, &judgement);
    else judge(t, frames, &context, &judgement);
    enum oracle_verdict verdict = judgement.verdict;
    count_answer(t, own, verdict, count);
    if (verdict == ORACLE_UNDECIDED) {
        structure_want(t->frames, frames);
        if (!own) agent_count(&layer->undecided[RESULTS_UNDECIDED_UNREAD], 1);
    }
    if (own && !oracle_is_mismatch(verdict)) return verdict;
    if (!own) count_frames(t, frames, verdict);
    if (!own) agent_count(&agent.run->call_sites, judgement.expected);
    struct evidence_case kept = *about;
    kept.judgement = &judgement;
    kept.observed_count = frames;
    kept.context = too_many ? NULL : &context;
    kept.count = count;
    kept.own = own;
    take(t, &kept);
    return verdict;
}
