// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "record_sample.h"

#include "record_read.h"

#include <stdlib.h>
#include <string.h>

// Bits of `flags`. First those that are a member of the sample, then what lies in the payload.
#define FLAGS(F)                                                                                   \
    F(0, own)                                                                                      \
    F(1, context.depth_limit)                                                                      \
    F(2, context.in_transition_allowed)                                                            \
    F(4, owner_known)                                                                              \
    F(5, owner.osr)                                                                                \
    F(7, chosen)                                                                                   \
    F(8, context_known)                                                                            \
    F(12, exact)                                                                                   \
    F(13, instant)
enum { FLAG_EVIDENCE = 1 << 6, FLAG_SITES = 1 << 9, FLAG_THIRD = 1 << 10, FLAG_FACTS = 1 << 11 };
// The numbers of the head that stand side by side.
#define NUMBERS(N)                                                                                 \
    N(thread_id)                                                                                   \
    N(thread_slot)                                                                                 \
    N(epoch)                                                                                       \
    N(context.base)                                                                                \
    N(beyond)                                                                                      \
    N(judgement.expected)                                                                          \
    N(judgement.observed)                                                                          \
    N(judgement.difference)                                                                        \
    N(judgement.gap_frames)                                                                        \
    N(judgement.caller_bcis)                                                                       \
    N(cluster)
#define FRAME_BYTES 2 // the least that a frame takes
#define SLOT_BYTES 2

// ---- Writing ----------------------------------------------------------------------------------

struct put {
    struct record_out* out;
    const struct record_refers* refers;
};

static uint32_t refer(const struct put* p, uint64_t id, uint32_t number) {
    return p->refers->method(p->refers->context, id, number);
}

static uint32_t flags_of(const struct results_sample* s) {
    uint32_t flags = (s->evidence != NULL ? FLAG_EVIDENCE : 0u) |
                     (s->sites != NULL ? FLAG_SITES : 0u) | (s->third != NULL ? FLAG_THIRD : 0u) |
                     (s->evidence != NULL ? FLAG_FACTS : 0u);
#define PUT_FLAG(bit, member) flags |= (uint32_t)s->member << bit;
    FLAGS(PUT_FLAG)
#undef PUT_FLAG
    return flags;
}

static void put_head(const struct put* p, const struct results_sample* s, uint64_t block_time_ns) {
    struct record_out* out = p->out;
    record_put_number(out, flags_of(s));
    record_put_number(out, s->layer);
    record_put_number(out, s->verdict);
    record_put_number(out, s->judgement.verdict);
    record_put_signed(out, s->count);
    record_put_signed(out, (int64_t)(s->time_ns - block_time_ns));
#define PUT_NUMBER(member) record_put_number(out, s->member);
    NUMBERS(PUT_NUMBER)
#undef PUT_NUMBER
    record_put_number(out, s->pc);
    record_put_number(out, s->code_kind);
    record_put_number(out, s->region);
    record_put_number(out, s->thread_state);
    record_put_number(out, s->code_offset);
    if (!s->owner_known) return;
    record_put_number(out, refer(p, s->owner.method, s->owner_number));
    record_put_number(out, s->owner.position);
}

static void put_slots(const struct put* p, const struct results_sample* s) {
    uint32_t position = 0;
    record_put_number(p->out, s->slot_count);
    for (uint32_t i = 0; i < s->slot_count; i++) {
        const struct results_sample_slot* slot = &s->slots[i];
        uint64_t index = 0;
        if (slot->kind == RESULTS_SLOT_ENTRY) index = refer(p, slot->id, slot->number);
        else if (slot->kind == RESULTS_SLOT_GAP) index = refer(p, slot->id, ORACLE_FOREIGN);
        record_put_number(p->out, index << 2 | slot->kind);
        if (slot->kind != RESULTS_SLOT_ENTRY) {
            record_put_signed(p->out, slot->bci);
            continue;
        }
        record_put_signed(p->out, (int32_t)(slot->position - position));
        position = slot->position;
    }
}

void record_frames_put(struct record_out* out, const struct results_sample_frame* frames,
                       uint32_t count, const struct record_refers* refers) {
    record_put_number(out, count);
    for (uint32_t i = 0; i < count; i++) {
        record_put_number(out, refers->method(refers->context, frames[i].id, frames[i].number));
        record_put_signed(out, frames[i].bci);
    }
}

static void put_bytes(struct record_out* out, const void* bytes, size_t size) {
    record_put_number(out, size);
    record_put_bytes(out, bytes, size);
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static uint32_t most(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static void put_evidence(const struct put* p, const struct results_evidence* m) {
    struct record_out* out = p->out;
    uint32_t registers = least(m->register_count, RESULTS_REGISTERS_MAX);
    uint32_t words = least(m->stack_count, RESULTS_STACK_WORDS);
    put_bytes(out, m->thread_name, strnlen(m->thread_name, sizeof m->thread_name - 1));
    record_put_number(out, m->frame_complete);
    record_put_number(out, m->code_size);
    put_bytes(out, m->code_name, strnlen(m->code_name, sizeof m->code_name - 1));
    // What the oracle makes of the owner's id is of no account here.
    record_put_number(out, m->owner != 0 ? refer(p, m->owner, ORACLE_FOREIGN) : 0);
    record_put_number(out, m->sp);
    record_put_number(out, registers);
    for (uint32_t i = 0; i < registers; i++) record_put_number(out, m->registers[i]);
    record_put_number(out, m->stack_at);
    record_put_number(out, words);
    for (uint32_t i = 0; i < words; i++) record_put_fixed(out, m->stack_words[i], 8);
    record_put_number(out, m->bytes_at);
    put_bytes(out, m->bytes, least(m->byte_count, RESULTS_CODE_BYTES));
    for (int i = 0; i < 2; i++) {
        record_put_signed(out, m->again_count[i]);
        record_put_number(out, m->again_same[i]);
    }
}

// The facts in words, so that a later version with other numbers still reads them.
static void put_facts(struct record_out* out, const struct results_sample* s) {
    char text[RESULTS_FACTS_TEXT];
    record_put_number(out, s->cause);
    record_put_text(out, results_facts_text(&s->evidence->facts, text));
}

static void put_sites(const struct put* p, const struct results_sample* s) {
    record_put_number(p->out, s->root);
    for (uint32_t i = 0; i < s->frame_count; i++) record_put_number(p->out, s->sites[i]);
}

static void put_place(const struct put* p, const struct results_sample* s) {
    const struct oracle_place* place = &s->context.place;
    record_put_number(p->out, place->kind);
    if (place->kind <= ORACLE_PLACE_OWN) return;
    record_put_number(p->out, refer(p, place->method, s->place_number));
    record_put_signed(p->out, place->bci);
}

static void put_window(struct record_out* out, const struct results_sample* s) {
    record_put_signed(out, (int64_t)(s->window_begin_ns - s->time_ns));
    record_put_number(out, s->window_end_ns - s->window_begin_ns);
    record_put_number(out, s->java_thread);
}

void record_sample_put(struct record_out* out, const struct results_sample* s,
                       uint64_t block_time_ns, const struct record_refers* refers) {
    const struct put p = {out, refers};
    put_head(&p, s, block_time_ns);
    put_slots(&p, s);
    record_frames_put(out, s->frames, s->frame_count, refers);
    record_frames_put(out, s->witness, s->witness_count, refers);
    if (s->sites != NULL) put_sites(&p, s);
    if (s->evidence != NULL) put_evidence(&p, s->evidence);
    if (s->evidence != NULL) put_facts(out, s);
    if (s->third != NULL) record_frames_put(out, s->third, s->third_count, refers);
    record_put_number(out, s->sequence);
    put_place(&p, s);
    record_put_number(out, s->owner.held);
    if (s->instant) put_window(out, s);
}

// ---- Reading ----------------------------------------------------------------------------------

void record_sample_free(struct record_sample* sample) {
    free(sample->slots);
    free(sample->frames.list);
    free(sample->sites);
    free(sample->evidence);
    *sample = (struct record_sample){0};
}

struct get {
    struct record_in* in;
    const struct results_record* record;
    const struct record_lists* lists;
    struct record_sample* to;
};

static const struct results_method* get_method(const struct get* g, uint32_t index) {
    const struct results_method* method = results_record_method(g->record, index);
    if (method->defined) return method;
    g->to->lost = true;
    g->to->undefined = most(g->to->undefined, index);
    return method;
}

// A small number of a list; fails where it means nothing.
static uint8_t get_listed(const struct get* g, enum record_list list) {
    int32_t ours = record_list_ours(g->lists, list, record_get_u32(g->in));
    if (ours < 0 || ours > UINT8_MAX) g->in->failed = true;
    return g->in->failed ? 0 : (uint8_t)ours;
}

static void get_flags(struct results_sample* s, uint32_t flags) {
#define GET_FLAG(bit, member) s->member = (flags >> bit & 1) != 0;
    FLAGS(GET_FLAG)
#undef GET_FLAG
}

static uint32_t get_head(const struct get* g, uint64_t block_time_ns) {
    struct results_sample* s = &g->to->sample;
    uint32_t flags = record_get_u32(g->in);
    get_flags(s, flags);
    s->layer = get_listed(g, RECORD_LIST_LAYERS);
    s->verdict = get_listed(g, RECORD_LIST_VERDICTS);
    s->judgement.verdict = (enum oracle_verdict)get_listed(g, RECORD_LIST_VERDICTS);
    s->count = record_get_i32(g->in);
    s->time_ns = block_time_ns + (uint64_t)record_get_signed(g->in);
#define GET_NUMBER(member) s->member = record_get_u32(g->in);
    NUMBERS(GET_NUMBER)
#undef GET_NUMBER
    s->judgement.own = s->own;
    s->pc = record_get_number(g->in);
    s->code_kind = get_listed(g, RECORD_LIST_CODE_KINDS);
    s->region = get_listed(g, RECORD_LIST_REGIONS);
    s->thread_state = get_listed(g, RECORD_LIST_THREAD_STATES);
    s->code_offset = record_get_u32(g->in);
    if (!s->owner_known) return flags;
    const struct results_method* owner = get_method(g, record_get_u32(g->in));
    s->owner.method = (uintptr_t)owner->id;
    s->owner_number = owner->number;
    s->owner.position = record_get_u32(g->in);
    return flags;
}

static void get_slot(const struct get* g, struct results_sample_slot* slot, uint32_t* position) {
    uint64_t word = record_get_number(g->in);
    *slot = (struct results_sample_slot){.kind = (uint32_t)(word & 3)};
    if (slot->kind > RESULTS_SLOT_CALL || word >> 2 > UINT32_MAX) g->in->failed = true;
    if (slot->kind != RESULTS_SLOT_CALL && !g->in->failed) {
        const struct results_method* method = get_method(g, (uint32_t)(word >> 2));
        slot->id = method->id;
        slot->number = method->number;
    }
    if (slot->kind == RESULTS_SLOT_ENTRY) {
        *position += (uint32_t)record_get_i32(g->in);
        slot->position = *position;
        return;
    }
    slot->bci = record_get_i32(g->in);
    if (slot->kind == RESULTS_SLOT_GAP) slot->number = 0;
}

bool record_slots_in_order(const struct results_sample_slot* slots, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        bool last = i + 1 == count;
        uint32_t next = last ? RESULTS_SLOT_ENTRY : slots[i + 1].kind;
        if (i == 0 && slots[i].kind != RESULTS_SLOT_ENTRY) return false;
        if (slots[i].kind == RESULTS_SLOT_GAP && (last || next == RESULTS_SLOT_ENTRY)) return false;
        if (slots[i].kind == RESULTS_SLOT_CALL && next != RESULTS_SLOT_ENTRY) return false;
    }
    return true;
}

static void get_slots(const struct get* g) {
    struct record_sample* to = g->to;
    uint32_t count = record_get_count(g->in, SLOT_BYTES), position = 0;
    if (!record_room((void**)&to->slots, &to->slots_room, count, sizeof *to->slots)) {
        to->memory = g->in->failed = true;
        return;
    }
    for (uint32_t i = 0; i < count; i++) get_slot(g, &to->slots[i], &position);
    if (!g->in->failed && !record_slots_in_order(to->slots, count)) g->in->failed = true;
    to->sample.slots = to->slots;
    to->sample.slot_count = count;
}

uint32_t record_frames_get(struct record_in* in, const struct results_record* record,
                           struct record_frames* list, uint32_t at) {
    uint32_t count = record_get_count(in, FRAME_BYTES);
    if (!record_room((void**)&list->list, &list->room, at + (size_t)count, sizeof *list->list)) {
        list->memory = in->failed = true;
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = record_get_u32(in);
        const struct results_method* method = results_record_method(record, index);
        if (!method->defined) list->lost = true;
        if (!method->defined) list->undefined = most(list->undefined, index);
        list->list[at + i] = (struct results_sample_frame){
            .id = method->id, .number = method->number, .bci = record_get_i32(in)};
    }
    return count;
}

static void get_sites(const struct get* g) {
    struct record_sample* to = g->to;
    uint32_t root = record_get_u32(g->in), count = to->sample.frame_count;
    if (root > ORACLE_ROOT_LAST) g->in->failed = true;
    if (!record_room((void**)&to->sites, &to->sites_room, count + 1u, sizeof *to->sites)) {
        to->memory = g->in->failed = true;
        return;
    }
    for (uint32_t i = 0; i < count && !g->in->failed; i++) {
        to->sites[i] = record_get_u32(g->in);
        if (to->sites[i] != 0 && results_record_sites(g->record, to->sites[i]) == NULL)
            to->lost = true;
    }
    to->sample.root = (uint8_t)root;
    to->sample.sites = to->sites;
}

static void get_text(struct record_in* in, char* to, size_t size) {
    size_t length;
    const char* text = record_get_text(in, &length);
    if (text != NULL && length >= size) in->failed = true;
    if (in->failed) return;
    memcpy(to, text, length);
    to[length] = '\0';
}

static void get_words(struct record_in* in, struct results_evidence* m) {
    m->stack_at = record_get_number(in);
    m->stack_count = record_get_count(in, 8);
    if (m->stack_count > RESULTS_STACK_WORDS) in->failed = true;
    for (uint32_t i = 0; !in->failed && i < m->stack_count; i++)
        m->stack_words[i] = record_get_fixed(in, 8);
    m->bytes_at = record_get_number(in);
    m->byte_count = record_get_count(in, 1);
    if (m->byte_count > RESULTS_CODE_BYTES) in->failed = true;
    const uint8_t* bytes = record_get_bytes(in, m->byte_count);
    if (!in->failed) memcpy(m->bytes, bytes, m->byte_count);
}

static void get_evidence(const struct get* g) {
    struct record_in* in = g->in;
    struct record_sample* to = g->to;
    if (to->evidence == NULL) to->evidence = malloc(sizeof *to->evidence);
    if (to->evidence == NULL) {
        to->memory = in->failed = true;
        return;
    }
    struct results_evidence* m = to->evidence;
    memset(m, 0, sizeof *m);
    get_text(in, m->thread_name, sizeof m->thread_name);
    m->frame_complete = record_get_u32(in);
    m->code_size = record_get_u32(in);
    get_text(in, m->code_name, sizeof m->code_name);
    uint32_t owner = record_get_u32(in);
    if (owner != 0) m->owner = get_method(g, owner)->id;
    m->sp = record_get_number(in);
    m->register_count = record_get_count(in, 1);
    if (m->register_count > RESULTS_REGISTERS_MAX) in->failed = true;
    for (uint32_t i = 0; !in->failed && i < m->register_count; i++)
        m->registers[i] = record_get_number(in);
    get_words(in, m);
    for (int i = 0; i < 2; i++) {
        m->again_count[i] = record_get_i32(in);
        m->again_same[i] = record_get_number(in) != 0;
    }
    to->sample.evidence = m;
}

// Words that mean nothing here are passed over: a later version may have written them.
static void get_facts(const struct get* g) {
    char text[RESULTS_FACTS_TEXT];
    struct results_sample* s = &g->to->sample;
    uint32_t cause = record_get_u32(g->in);
    get_text(g->in, text, sizeof text);
    if (cause >= RESULTS_CAUSES || s->evidence == NULL) g->in->failed = true;
    if (g->in->failed) return;
    s->cause = (uint8_t)cause;
    results_facts_read(text, &g->to->evidence->facts);
}

// All frames lie in one array, which moves as it grows.
static void point_at_frames(struct record_sample* to, bool third) {
    struct results_sample* s = &to->sample;
    s->frames = to->frames.list;
    if (s->frames == NULL) return;
    s->witness = s->frames + s->frame_count;
    if (third) s->third = s->witness + s->witness_count;
}

// Files written before have none.
static void get_place(const struct get* g) {
    struct results_sample* s = &g->to->sample;
    uint32_t kind = g->in->at < g->in->end ? record_get_u32(g->in) : ORACLE_PLACE_UNKNOWN;
    if (kind >= ORACLE_PLACE_KINDS) g->in->failed = true;
    if (g->in->failed) return;
    s->context.place.kind = (enum oracle_place_kind)kind;
    if (kind <= ORACLE_PLACE_OWN) return;
    const struct results_method* method = get_method(g, record_get_u32(g->in));
    s->context.place.method = (uintptr_t)method->id;
    s->place_number = method->number;
    s->context.place.bci = record_get_i32(g->in);
}

static void get_window(const struct get* g) {
    struct results_sample* s = &g->to->sample;
    s->window_begin_ns = s->time_ns + (uint64_t)record_get_signed(g->in);
    s->window_end_ns = s->window_begin_ns + record_get_number(g->in);
    s->java_thread = record_get_number(g->in);
}

bool record_sample_get(struct record_in* in, uint64_t block_time_ns,
                       const struct results_record* record, const struct record_lists* lists,
                       struct record_sample* to) {
    const struct get g = {in, record, lists, to};
    to->sample = (struct results_sample){0};
    to->lost = to->memory = to->frames.lost = to->frames.memory = false;
    to->undefined = to->frames.undefined = 0;
    uint32_t flags = get_head(&g, block_time_ns);
    get_slots(&g);
    to->sample.frame_count = record_frames_get(in, record, &to->frames, 0);
    uint32_t at = to->sample.frame_count;
    to->sample.witness_count = record_frames_get(in, record, &to->frames, at);
    at += to->sample.witness_count;
    if (!in->failed && (flags & FLAG_SITES) != 0) get_sites(&g);
    if (!in->failed && (flags & FLAG_EVIDENCE) != 0) get_evidence(&g);
    if (!in->failed && (flags & FLAG_FACTS) != 0) get_facts(&g);
    if (!in->failed && (flags & FLAG_THIRD) != 0)
        to->sample.third_count = record_frames_get(in, record, &to->frames, at);
    point_at_frames(to, (flags & FLAG_THIRD) != 0);
    if (!in->failed && in->at < in->end) to->sample.sequence = record_get_number(in); // version 2
    if (!in->failed) get_place(&g);
    if (!in->failed && in->at < in->end) to->sample.owner.held = record_get_u32(in);
    if (!in->failed && to->sample.instant) get_window(&g);
    to->lost = to->lost || to->frames.lost;
    to->undefined = most(to->undefined, to->frames.undefined);
    to->memory = to->memory || to->frames.memory;
    return !in->failed;
}
