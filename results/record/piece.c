// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The pieces of the ring: what the agent puts in beside samples, and how the recorder takes all of
// them out. The JVM that wrote them may have died of writing where it should not: a piece is
// believed only if it fits its own size, and if the reader of records will take it.
#include <string.h>

#include "record_sample.h"
#include "record_write.h"

struct rewritten_piece {
    uint32_t kind, number;
    uint32_t length, may_vanish; // of the code
    uint32_t range_count, insertion_count, line_count;
    uint32_t name_size, source_size; // with the zero byte; source 0: none
    uint32_t unused;
};

struct sites_piece {
    uint32_t kind, index, name, flags, length, count;
};

HANDLER_SAFE struct results_sample_room
results_sample_room(const struct results_sample_piece* piece) {
    const struct results_sample* s = &piece->sample;
    const size_t frame = sizeof(struct results_sample_frame);
    struct results_sample_room room = {.slots = sizeof *piece};
    room.frames = room.slots + s->slot_count * sizeof(struct results_sample_slot);
    room.witness = room.frames + s->frame_count * frame;
    room.third = room.witness + s->witness_count * frame;
    room.evidence = room.third + s->third_count * frame;
    room.sites = room.evidence + (piece->has_evidence ? sizeof(struct results_evidence) : 0);
    room.size = room.sites + (piece->has_sites ? s->frame_count * sizeof(uint32_t) : 0);
    return room;
}

// ---- Putting in -------------------------------------------------------------------------------

static uint8_t* append(uint8_t* to, const void* from, size_t size) {
    if (size != 0) memcpy(to, from, size);
    return to + size;
}

int results_rewritten_piece(const struct results_ring* ring, uint32_t number,
                            const struct oracle_code* code, const struct results_names* names) {
    const struct rewritten_piece head = {
        .kind = RESULTS_PIECE_REWRITTEN,
        .number = number,
        .length = code->length,
        .may_vanish = code->may_vanish,
        .range_count = code->range_count,
        .insertion_count = names->insertion_count,
        .line_count = names->line_count,
        .name_size = (uint32_t)strlen(names->name) + 1,
        .source_size = names->source != NULL ? (uint32_t)strlen(names->source) + 1 : 0};
    size_t ranges = head.range_count * sizeof code->ranges[0];
    size_t insertions = head.insertion_count * sizeof *names->insertions;
    size_t lines = head.line_count * sizeof *names->lines;
    size_t size = sizeof head + ranges + insertions + lines + head.name_size + head.source_size;
    uint8_t* piece = results_ring_reserve(ring, size);
    if (piece == NULL) return -1;
    uint8_t* to = append(piece, &head, sizeof head);
    to = append(to, code->ranges, ranges);
    to = append(to, names->insertions, insertions);
    to = append(to, names->lines, lines);
    to = append(to, names->name, head.name_size);
    append(to, names->source, head.source_size);
    results_ring_publish(piece, size);
    return 0;
}

int results_sites_piece(const struct results_ring* ring, uint32_t index,
                        const struct oracle_sites* sites) {
    const struct sites_piece head = {.kind = RESULTS_PIECE_SITES,
                                     .index = index,
                                     .name = sites->name,
                                     .flags = sites->flags,
                                     .length = sites->length,
                                     .count = sites->count};
    size_t list = sites->count * sizeof *sites->sites, size = sizeof head + list;
    uint8_t* piece = results_ring_reserve(ring, size);
    if (piece == NULL) return -1;
    append(append(piece, &head, sizeof head), sites->sites, list);
    results_ring_publish(piece, size);
    return 0;
}

// ---- Taking out -------------------------------------------------------------------------------

// A text of that size at the place: it ends where its size says, and nowhere before.
static bool is_text(const char* text, uint32_t size) {
    return size == 0 || strnlen(text, size) == size - 1;
}

static bool are_in_code(const struct oracle_range* ranges, uint32_t count, uint32_t length) {
    uint32_t end = 0;
    for (uint32_t i = 0; i < count; end = ranges[i++].end)
        if (ranges[i].start < end || ranges[i].end < ranges[i].start || ranges[i].end > length)
            return false;
    return true;
}

// The file has each line as the difference from the one before, as a signed number of 32 bits.
static bool are_lines(const struct results_line* lines, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (lines[i].line > INT32_MAX) return false;
    return true;
}

static int take_rewritten(struct results_recorder* r, const struct rewritten_piece* p,
                          size_t size) {
    if (size < sizeof *p) return 1;
    const struct oracle_range* ranges = (const void*)(p + 1);
    const struct results_insertion* insertions = (const void*)(ranges + p->range_count);
    const struct results_line* lines = (const void*)(insertions + p->insertion_count);
    const char* name = (const char*)(lines + p->line_count);
    uint64_t whole = sizeof *p + (uint64_t)p->range_count * sizeof *ranges +
                     (uint64_t)p->insertion_count * sizeof *insertions +
                     (uint64_t)p->line_count * sizeof *lines + p->name_size + p->source_size;
    if (whole != size || p->number == ORACLE_FOREIGN || p->number >= ORACLE_NUMBERS_MAX ||
        p->length == UINT32_MAX || p->name_size == 0 || !is_text(name, p->name_size) ||
        !is_text(name + p->name_size, p->source_size) ||
        !are_in_code(ranges, p->range_count, p->length) || !are_lines(lines, p->line_count))
        return 1;
    const struct record_rewritten method = {
        .number = p->number,
        .length = p->length,
        .may_vanish = p->may_vanish != 0,
        .range_count = p->range_count,
        .ranges = ranges,
        .names = {.name = name,
                  .source = p->source_size != 0 ? name + p->name_size : NULL,
                  .insertion_count = p->insertion_count,
                  .insertions = insertions,
                  .line_count = p->line_count,
                  .lines = lines}};
    return record_put_rewritten(r, &method);
}

static int take_sites(struct results_recorder* r, const struct sites_piece* p, size_t size) {
    if (size < sizeof *p || p->index == 0 || p->index >= RESULTS_METHODS_MAX) return 1;
    const struct oracle_site* list = (const void*)(p + 1);
    if (size != sizeof *p + (uint64_t)p->count * sizeof *list) return 1;
    const struct oracle_sites sites = {
        .name = p->name, .flags = p->flags, .length = p->length, .count = p->count, .sites = list};
    for (uint32_t i = 1; i < p->count; i++)
        if (list[i].bci < list[i - 1].bci) return 1;
    return record_put_sites(r, p->index, &sites);
}

static bool is_number(uint32_t number) {
    return number < ORACLE_NUMBERS_MAX || number == ORACLE_UNKNOWN || number == ORACLE_OWN;
}

static bool are_frames(const struct results_sample_frame* frames, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!is_number(frames[i].number)) return false;
    return true;
}

static int take_settled(struct results_recorder* r, const struct results_settled_piece* p,
                        size_t size) {
    if (size < sizeof *p || p->blame > RESULTS_BLAME_ORACLE) return 1;
    const struct results_sample_frame* witness = (const void*)(p + 1);
    if (size != sizeof *p + (uint64_t)p->count * sizeof *witness || !are_frames(witness, p->count))
        return 1;
    return record_put_settled(r, p, witness);
}

static bool is_bool(const bool* value) {
    uint8_t byte;
    memcpy(&byte, value, 1);
    return byte <= 1;
}

static bool are_bools(const struct results_sample_piece* p) {
    const struct results_sample* s = &p->sample;
    return p->has_third <= 1 && p->has_sites <= 1 && p->has_evidence <= 1 && is_bool(&s->own) &&
           is_bool(&s->chosen) && is_bool(&s->context_known) && is_bool(&s->owner_known) &&
           is_bool(&s->owner.osr) && is_bool(&s->exact) && is_bool(&s->instant) &&
           is_bool(&s->judgement.own) && is_bool(&s->context.depth_limit) &&
           is_bool(&s->context.in_transition_allowed) && is_bool(&s->judgement.believed);
}

// Numbers that index our lists. A sample without a number of its own would be read under another's.
static bool is_in_lists(const struct results_sample* s) {
    return s->layer < ORACLE_LAYER_COUNT && s->verdict < ORACLE_VERDICT_COUNT &&
           (uint32_t)s->judgement.verdict < ORACLE_VERDICT_COUNT &&
           s->code_kind < RESULTS_CODE_KIND_COUNT && s->region < RESULTS_REGION_COUNT &&
           s->thread_state < RESULTS_THREAD_STATE_COUNT && s->root <= ORACLE_ROOT_LAST &&
           s->cause < RESULTS_CAUSES && s->sequence != 0 &&
           (uint32_t)s->context.place.kind < ORACLE_PLACE_KINDS && is_number(s->place_number) &&
           (!s->owner_known || is_number(s->owner_number));
}

static bool are_slots(const struct results_sample_slot* slots, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (slots[i].kind > RESULTS_SLOT_CALL) return false;
        if (slots[i].kind == RESULTS_SLOT_ENTRY && !is_number(slots[i].number)) return false;
    }
    return record_slots_in_order(slots, count);
}

static bool are_traces(const struct results_sample* s) {
    return are_slots(s->slots, s->slot_count) && are_frames(s->frames, s->frame_count) &&
           are_frames(s->witness, s->witness_count) &&
           (s->third == NULL || are_frames(s->third, s->third_count));
}

static int take_sample(struct results_recorder* r, const struct results_sample_piece* p,
                       size_t size) {
    if (size < sizeof *p) return 1;
    const struct results_sample_room room = results_sample_room(p);
    const uint8_t* bytes = (const uint8_t*)p;
    if (room.size != size || !are_bools(p) || !is_in_lists(&p->sample)) return 1;
    struct results_sample s = p->sample;
    s.slots = (const void*)(bytes + room.slots);
    s.frames = (const void*)(bytes + room.frames);
    s.witness = (const void*)(bytes + room.witness);
    s.third = p->has_third ? (const void*)(bytes + room.third) : NULL;
    s.evidence = p->has_evidence ? (const void*)(bytes + room.evidence) : NULL;
    s.sites = p->has_sites ? (const void*)(bytes + room.sites) : NULL;
    return are_traces(&s) ? results_recorder_sample(r, &s) : 1;
}

int results_recorder_piece(struct results_recorder* r, const void* piece, size_t size) {
    uint32_t kind;
    if (size < sizeof kind) return 1;
    memcpy(&kind, piece, sizeof kind);
    switch (kind) {
    case RESULTS_PIECE_SAMPLE: return take_sample(r, piece, size);
    case RESULTS_PIECE_SETTLED: return take_settled(r, piece, size);
    case RESULTS_PIECE_REWRITTEN: return take_rewritten(r, piece, size);
    case RESULTS_PIECE_SITES: return take_sites(r, piece, size);
    default: return 1;
    }
}
