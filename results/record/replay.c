// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Recorded samples judged again, by the oracle itself. What the oracle asks beside the traces,
// which id has which number and which number which id, changed while the run went on: so the maps
// are brought to what each sample says of its own methods. A map forgets nothing; where it says
// more or other than the sample a new one is begun.
#include <stdlib.h>
#include <string.h>

#include "record_read.h"

struct results_replay {
    uint32_t off;
    struct oracle_methods* methods;
    struct oracle_stack stack;
    struct oracle_frame* frames;
    size_t frames_room;
    const char* (*name)(void* context, uint64_t id); // NULL: the record's
    void* context;                                   // of `name`
};

struct results_replay* results_replay_open(uint32_t off) {
    struct results_replay* r = calloc(1, sizeof *r);
    if (r != NULL) r->off = off;
    return r;
}

void results_replay_close(struct results_replay* r) {
    if (r == NULL) return;
    oracle_methods_close(r->methods);
    oracle_stack_free(&r->stack);
    free(r->frames);
    free(r);
}

void results_replay_names(struct results_replay* r, const char* (*name)(void* context, uint64_t id),
                          void* context) {
    r->name = name;
    r->context = context;
}

// ---- The maps ---------------------------------------------------------------------------------

static bool is_special(uint32_t number) {
    return number == ORACLE_FOREIGN || number == ORACLE_OWN || number == ORACLE_UNKNOWN;
}

// Makes the map say of the id what the sample says, as far as binding can; whether it does then.
static bool bring_id(struct oracle_methods* methods, uint64_t id, uint32_t number) {
    if (oracle_methods_number(methods, (uintptr_t)id) == number) return true;
    if (number == ORACLE_UNKNOWN || id == 0) return false;
    oracle_methods_bind(methods, (uintptr_t)id, number);
    return oracle_methods_number(methods, (uintptr_t)id) == number;
}

static bool bring_entry(struct oracle_methods* methods, uint64_t id, uint32_t number) {
    if (is_special(number)) return false;
    if (oracle_methods_id(methods, number) == (uintptr_t)id) return true;
    if (id == 0) return false;
    oracle_methods_bind(methods, (uintptr_t)id, number);
    return oracle_methods_id(methods, number) == (uintptr_t)id;
}

// Entries first: an id that several numbers share has the number that the frames say.
static bool bring_all(struct oracle_methods* methods, const struct results_sample* s) {
    for (uint32_t i = 0; i < s->slot_count; i++)
        if (s->slots[i].kind == RESULTS_SLOT_ENTRY &&
            !bring_entry(methods, s->slots[i].id, s->slots[i].number))
            return false;
    for (uint32_t i = 0; i < s->frame_count; i++)
        if (!bring_id(methods, s->frames[i].id, s->frames[i].number)) return false;
    if (s->owner_known && !bring_id(methods, s->owner.method, s->owner_number)) return false;
    if (s->context.place.method != 0 &&
        !bring_id(methods, s->context.place.method, s->place_number))
        return false;
    // What was bound last may have taken back what was bound first: entries are looked at again.
    for (uint32_t i = 0; i < s->slot_count; i++)
        if (s->slots[i].kind == RESULTS_SLOT_ENTRY &&
            oracle_methods_id(methods, s->slots[i].number) != (uintptr_t)s->slots[i].id)
            return false;
    for (uint32_t i = 0; i < s->frame_count; i++)
        if (oracle_methods_number(methods, (uintptr_t)s->frames[i].id) != s->frames[i].number)
            return false;
    return true;
}

// The call sites of each frame's method as the sample had them.
static bool bring_sites(struct oracle_methods* methods, const struct results_record* record,
                        const struct results_sample* s) {
    if (s->sites == NULL) return true;
    for (uint32_t i = 0; i < s->frame_count; i++) {
        const struct oracle_sites* sites = results_record_sites(record, s->sites[i]);
        if (sites != NULL)
            oracle_methods_describe_sites(methods, (uintptr_t)s->frames[i].id, sites);
    }
    for (uint32_t i = 0; i < s->frame_count; i++)
        if (oracle_methods_sites(methods, (uintptr_t)s->frames[i].id) !=
            results_record_sites(record, s->sites[i]))
            return false;
    return true;
}

static const char* name_of(const struct results_replay* r, const struct results_record* record,
                           const struct results_sample_frame* frame) {
    if (r->name != NULL) return r->name(r->context, frame->id);
    const struct results_names* names = results_record_rewritten(record, frame->number);
    const struct results_method* method = results_record_find(record, frame->id, frame->number);
    if (names == NULL && method != NULL && method->named) names = &method->names;
    return names != NULL ? names->name : NULL;
}

// A profiler tells no call sites. Whether the VM calls a method by itself is known by its name.
static void bring_names(const struct results_replay* r, const struct results_record* record,
                        const struct results_sample* s) {
    static const struct oracle_sites ordinary, called = {.flags = ORACLE_METHOD_UPCALL};
    if (s->layer != ORACLE_LAYER_PROFILER) return;
    for (uint32_t i = 0; i < s->frame_count; i++) {
        uintptr_t id = (uintptr_t)s->frames[i].id;
        if (oracle_methods_sites(r->methods, id) != NULL) continue;
        const char* name = name_of(r, record, &s->frames[i]);
        if (name != NULL)
            oracle_methods_describe_sites(r->methods, id,
                                          results_called_by_vm(name) ? &called : &ordinary);
    }
}

static void describe(struct oracle_methods* methods, const struct results_record* record) {
    uint32_t count = results_record_methods(record);
    for (uint32_t i = 0; i < count; i++) {
        const struct results_method* method = results_record_nth_method(record, i);
        if (method->code != NULL && !is_special(method->number))
            oracle_methods_describe(methods, method->number, method->code);
    }
}

static bool begin_maps(struct results_replay* r, const struct results_record* record) {
    oracle_methods_close(r->methods);
    r->methods = oracle_methods_open();
    if (r->methods == NULL) return false;
    describe(r->methods, record);
    return true;
}

static bool bring_maps(struct results_replay* r, const struct results_record* record,
                       const struct results_sample* s) {
    if (r->methods != NULL && bring_all(r->methods, s) && bring_sites(r->methods, record, s))
        return true;
    return begin_maps(r, record) && bring_all(r->methods, s) && bring_sites(r->methods, record, s);
}

// ---- The traces -------------------------------------------------------------------------------

// The trace stack, oldest first again.
static bool bring_stack(struct results_replay* r, const struct results_sample* s) {
    uint32_t slots = s->slot_count > 0 ? s->slot_count : 1; // an empty stack has its slots, too
    if (slots > r->stack.capacity) {
        oracle_stack_free(&r->stack);
        if (oracle_stack_init(&r->stack, slots) != 0) return false;
    }
    oracle_stack_reset(&r->stack);
    oracle_set_top(&r->stack, s->slot_count);
    r->stack.beyond = s->beyond;
    for (uint32_t i = 0; i < s->slot_count; i++) {
        const struct results_sample_slot* slot = &s->slots[i];
        uint32_t at = s->slot_count - 1 - i, next = i + 1;
        bool entry = slot->kind == RESULTS_SLOT_ENTRY;
        r->stack.frames[at] = (struct oracle_slot){
            .id = entry ? slot->number : (uintptr_t)(slot->kind == RESULTS_SLOT_GAP ? slot->id : 0),
            .bci = entry ? 0 : slot->bci,
            .position = slot->position};
        if (!entry) continue;
        while (next < s->slot_count && s->slots[next].kind == RESULTS_SLOT_GAP) next++;
        if (next < s->slot_count && s->slots[next].kind == RESULTS_SLOT_CALL)
            r->stack.frames[at].gap = next - i;
    }
    return true;
}

static struct oracle_frame* bring_trace(const struct results_sample_frame* from, uint32_t count,
                                        struct oracle_frame* to) {
    for (uint32_t i = 0; i < count; i++)
        to[i] = (struct oracle_frame){.method = (uintptr_t)from[i].id, .bci = from[i].bci};
    return to + count;
}

// The frames, the witness's behind them, the third trace's behind these.
static bool bring_frames(struct results_replay* r, const struct results_sample* s) {
    size_t count = (size_t)s->frame_count + s->witness_count + s->third_count + 1; // never none
    if (!record_room((void**)&r->frames, &r->frames_room, count, sizeof *r->frames)) return false;
    struct oracle_frame* to = bring_trace(s->frames, s->frame_count, r->frames);
    to = bring_trace(s->witness, s->witness_count, to);
    bring_trace(s->third, s->third_count, to);
    return true;
}

// ---- Judging ----------------------------------------------------------------------------------

static void judge(struct results_replay* r, const struct results_sample* s,
                  struct oracle_judgement* judgement) {
    struct oracle_context context = s->context;
    context.off = r->off;
    struct oracle_owner owner = s->owner;
    const struct oracle_trace trace = {r->frames, s->frame_count};
    const struct oracle_trace scopes = {trace.frames + trace.count + s->witness_count,
                                        s->third_count};
    oracle_judge(&r->stack, r->methods, r->frames, s->frame_count, &context, judgement);
    bool asynchronous = s->layer == ORACLE_LAYER_ASYNC || s->layer == ORACLE_LAYER_PROFILER;
    if (!s->owner_known || !asynchronous) return;
    owner.shown = oracle_scopes_shown(&trace, &scopes, &context);
    // Where a record stands at the very pc, a profiler may go by it or by the next.
    const struct oracle_trace at_pc = {trace.frames + trace.count, s->witness_count};
    if (s->layer == ORACLE_LAYER_PROFILER && owner.shown == ORACLE_SHOWN_OTHER) {
        uint32_t shown = oracle_scopes_shown(&trace, &at_pc, &context);
        if (shown != ORACLE_SHOWN_UNKNOWN) owner.shown = shown;
        // Where the frame is not made yet, the method itself has begun at most.
        if (s->region == RESULTS_REGION_ENTRY && trace.count != 0 && trace.frames[0].bci == 0 &&
            trace.frames[0].method == owner.method)
            owner.shown = 1;
    }
    if (oracle_is_mismatch(judgement->verdict))
        oracle_attribute(&r->stack, r->methods, r->frames, s->frame_count, &context, &owner,
                         judgement);
    else if (owner.shown == ORACLE_SHOWN_OTHER && judgement->verdict <= ORACLE_TRANSITION)
        oracle_judge_scopes(&trace, &scopes, judgement);
}

static void judge_structure(const struct results_replay* r, const struct results_sample* s,
                            struct oracle_judgement* judgement) {
    const struct oracle_context context = {.base = s->context.base,
                                           .depth_limit = s->context.depth_limit};
    oracle_structure(r->methods, r->frames, s->frame_count, &context, (enum oracle_root)s->root,
                     judgement);
}

static bool judge_safepoint(struct results_replay* r, const struct results_sample* s,
                            struct oracle_judgement* judgement) {
    if (!bring_frames(r, s)) return false;
    const struct oracle_trace accused = {r->frames, s->frame_count};
    const struct oracle_trace witness = {r->frames + s->frame_count, s->witness_count};
    oracle_compare(accused.frames, accused.count, witness.frames, witness.count,
                   s->context.depth_limit, judgement);
    if (s->owner_known)
        oracle_compare_owner(&accused, &witness, s->owner.method, s->context.depth_limit,
                             judgement);
    return true;
}

// Only complete walks make a sandwich.
static bool judge_sandwich(struct results_replay* r, const struct results_sample* s,
                           struct oracle_judgement* judgement) {
    if (s->third == NULL || s->frame_count == 0 || !bring_frames(r, s)) return false;
    const struct oracle_trace before = {r->frames, s->frame_count};
    const struct oracle_trace between = {before.frames + before.count, s->witness_count};
    const struct oracle_trace after = {between.frames + between.count, s->third_count};
    if (s->exact)
        oracle_compare_held(&before, &between, &after, s->owner_known ? s->owner.method : 0,
                            judgement);
    else
        oracle_sandwich(before.frames, before.count, between.frames, between.count, after.frames,
                        after.count, judgement);
    return true;
}

// By the entries' numbers and code alone: no id is asked for.
static bool judge_ground(struct results_replay* r, const struct results_record* record,
                         const struct results_sample* s, struct oracle_judgement* judgement) {
    if (!s->owner_known || is_special(s->owner_number)) return false;
    if ((r->methods == NULL && !begin_maps(r, record)) || !bring_stack(r, s)) return false;
    bool right = oracle_caught(&r->stack, r->methods, s->owner_number);
    *judgement = (struct oracle_judgement){.verdict = right ? ORACLE_AGREE : ORACLE_WRONG_METHOD};
    return true;
}

// By the trace stack, or by call sites, and by what the maps say of the methods.
static bool judge_by_maps(struct results_replay* r, const struct results_record* record,
                          const struct results_sample* s, struct oracle_judgement* judgement) {
    if (!bring_maps(r, record, s) || !bring_stack(r, s) || !bring_frames(r, s)) return false;
    bring_names(r, record, s);
    if (s->layer == ORACLE_LAYER_STRUCTURE) judge_structure(r, s, judgement);
    else judge(r, s, judgement);
    return true;
}

bool results_replay_judge(struct results_replay* r, const struct results_record* record,
                          const struct results_sample* s, struct oracle_judgement* judgement) {
    if (!s->context_known) return false;
    // Of these layers refusals are recorded, too. Elsewhere there may be no frames to judge.
    bool refusable = s->layer == ORACLE_LAYER_ASYNC || s->layer == ORACLE_LAYER_PROFILER;
    if (refusable && s->count <= 0) {
        *judgement = (struct oracle_judgement){.verdict = ORACLE_REFUSED, .own = s->own};
        return true;
    }
    switch ((enum oracle_layer)s->layer) {
    case ORACLE_LAYER_GROUND: return judge_ground(r, record, s, judgement);
    case ORACLE_LAYER_SAFEPOINT: return judge_safepoint(r, s, judgement);
    case ORACLE_LAYER_SANDWICH: return judge_sandwich(r, s, judgement);
    case ORACLE_LAYER_STRUCTURE: return s->sites != NULL && judge_by_maps(r, record, s, judgement);
    case ORACLE_LAYER_GST:
    case ORACLE_LAYER_PROFILER:
    case ORACLE_LAYER_ASYNC: return judge_by_maps(r, record, s, judgement);
    case ORACLE_LAYER_HOSTILE: // there was no answer
    case ORACLE_LAYER_SURVIVE: // and no evidence
    case ORACLE_LAYER_COUNT:
    default: return false;
    }
}
