// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Code never changes, so what its records say at a pc is the same each time. At one pc, the same
// frames of the trace and the same entries as the youngest frame's are decided in the same way, as
// far as they go, and only what is below is judged anew. All threads share what was found: a word
// for a pc, with a hash of all that the finding depends on. Two cases have the same 43 bits of hash
// once in 10^12.
#include "agent/state/state.h"
#include "parts.h"

#define FRAMES_MOST 24     // of the youngest physical frame; as many entries
#define KNOWN_WORDS 16384u // a power of two

static uint64_t known[KNOWN_WORDS]; // atomic, 0: nothing

// ---- Words --------------------------------------------------------------------------------------

struct finding {
    enum known_kind kind;
    enum results_region region; // of the pc
    uint32_t frames, entries;
};

static HANDLER_COMMON uint64_t* known_at(const struct known_case* c) {
    return &known[judge_mix(c->place->compile_id, c->pc) % KNOWN_WORDS];
}

// 0: the trace or the trace stack has not as many, or one of the entries has a captured gap.
static HANDLER_COMMON uint64_t word_of(const struct known_case* c, const struct finding* f) {
    const struct oracle_stack* stack = &c->thread->stack;
    uint32_t top = oracle_top(stack);
    uint32_t fields =
        (uint32_t)f->kind << 19 | (uint32_t)f->region << 16 | f->frames << 8 | f->entries;
    uint64_t hash = judge_mix(judge_mix(fields, c->pc), c->place->compile_id);
    hash = judge_mix(hash, (uintptr_t)c->place->method);
    if (f->frames > c->trace->count || f->entries > top) return 0;
    for (uint32_t i = 0; i < f->frames; i++) {
        const struct oracle_frame* frame = &c->trace->frames[i];
        hash = judge_mix(judge_mix(hash, frame->method), (uint32_t)frame->bci);
    }
    for (uint32_t i = 1; i <= f->entries; i++) {
        if (stack->frames[top - i].gap != 0) return 0;
        hash = judge_mix(hash, stack->frames[top - i].number);
    }
    return hash << 21 | fields;
}

static HANDLER_COMMON bool can_be_known(const struct code_place* place) {
    return results_is_compiled(place->kind) && place->compile_id != 0;
}

static HANDLER_COMMON struct finding find(const struct known_case* c) {
    uint64_t word = can_be_known(c->place) ? __atomic_load_n(known_at(c), __ATOMIC_RELAXED) : 0;
    const struct finding found = {(enum known_kind)(word >> 19 & 3),
                                  (enum results_region)(word >> 16 & 7), word >> 8 & 0xff,
                                  word & 0xff};
    return word != 0 && word_of(c, &found) == word ? found : (struct finding){KNOWN_NOTHING};
}

// ---- Learning -----------------------------------------------------------------------------------

HANDLER_SAFE void known_learn(const struct known_case* c, enum known_kind kind, uint32_t frames,
                              uint32_t entries) {
    _Static_assert(RESULTS_REGION_COUNT <= 8 && FRAMES_MOST < 256, "three bits and eight");
    const struct finding found = {kind, c->place->region, frames, entries};
    if (!can_be_known(c->place) || frames > FRAMES_MOST || entries > FRAMES_MOST) return;
    uint64_t word = word_of(c, &found);
    if (word != 0) __atomic_store_n(known_at(c), word, __ATOMIC_RELAXED);
}

// Whether the youngest frame may be in transition follows from it and from the frames down to that
// of the method that owns the code (oracle/place.c).
HANDLER_SAFE void known_learn_transition(const struct known_case* c,
                                         const struct oracle_context* context) {
    struct oracle_judgement judgement;
    uint32_t owner = 0;
    while (owner < c->trace->count && c->trace->frames[owner].method != context->place.method)
        owner++;
    if (context->place.method == 0 || owner == c->trace->count) return;
    if (oracle_agrees_below(&c->thread->stack, agent.methods, c->trace, context, 1, 0, &judgement))
        known_learn(c, KNOWN_TRANSITION, owner + 1, 0);
}

// ---- Asking -------------------------------------------------------------------------------------

HANDLER_COMMON bool known_decides(const struct known_case* c, const struct oracle_context* context,
                                  struct oracle_judgement* judgement, enum results_region* region) {
    const struct finding found = find(c);
    bool transition = found.kind == KNOWN_TRANSITION;
    if (!transition && found.kind != KNOWN_ATTRIBUTION) return false;
    if (!oracle_agrees_below(&c->thread->stack, agent.methods, c->trace, context,
                             transition ? 1 : found.frames, found.entries, judgement))
        return false;
    judgement->verdict = transition ? ORACLE_TRANSITION : ORACLE_ATTRIBUTION;
    *region = found.region;
    return true;
}

HANDLER_COMMON uint32_t known_scopes(const struct known_case* c, enum results_region* region) {
    const struct finding found = find(c);
    if (found.kind != KNOWN_SCOPES) return 0;
    *region = found.region;
    return found.frames;
}
