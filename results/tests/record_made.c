// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "record_made.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pieces.h"

// ---- Rings ------------------------------------------------------------------------------------

struct results_ring made_ring(size_t size) {
    struct results_ring ring = {calloc(1, sizeof *ring.ends), calloc(1, size), size};
    cr_assert(ring.ends != NULL && ring.bytes != NULL);
    return ring;
}

void made_ring_free(struct results_ring* ring) {
    free(ring->ends);
    free(ring->bytes);
}

void made_put(const struct results_ring* ring, const struct results_sample* sample) {
    cr_assert(pieces_sample(ring, sample));
}

void made_settle(const struct results_ring* ring, const struct results_settled_piece* settled,
                 const struct results_sample_frame* witness) {
    cr_assert(pieces_settled(ring, settled, witness));
}

void* made_taken(const struct results_ring* ring, size_t* size) {
    struct results_ring_reader reader = {.ring = *ring, .next = ring->ends->read};
    const void* piece = results_ring_next(&reader, size);
    cr_assert_not_null(piece);
    void* copy = malloc(*size);
    cr_assert_not_null(copy);
    memcpy(copy, piece, *size);
    results_ring_release(&reader);
    return copy;
}

// ---- Methods ----------------------------------------------------------------------------------

static void record_next(struct results_recorder* recorder, const struct results_ring* ring) {
    size_t size;
    void* piece = made_taken(ring, &size);
    cr_assert_eq(results_recorder_piece(recorder, piece, size), 0);
    free(piece);
}

void made_method(struct results_recorder* recorder, uint32_t number, const struct oracle_code* code,
                 const struct results_names* names) {
    struct results_ring ring = made_ring(1 << 16);
    cr_assert_eq(results_rewritten_piece(&ring, number, code, names), 0);
    record_next(recorder, &ring);
    made_ring_free(&ring);
}

void made_sites(struct results_recorder* recorder, uint32_t index,
                const struct oracle_sites* sites) {
    struct results_ring ring = made_ring(1 << 16);
    cr_assert_eq(results_sites_piece(&ring, index, sites), 0);
    record_next(recorder, &ring);
    made_ring_free(&ring);
}

const struct oracle_code* made_code(void) {
    static struct oracle_code* code;
    if (code == NULL) {
        code = calloc(1, sizeof *code + sizeof code->ranges[0]);
        cr_assert_not_null(code);
        code->length = 100;
        code->range_count = 1;
        code->ranges[0].end = 6;
    }
    return code;
}

static struct results_names made_names(const char* name) {
    static const struct results_insertion insertions[] = {{0, 6, 0}, {20, 4, 14}};
    static const struct results_line lines[] = {{0, 100}, {10, 102}, {40, 99}};
    return (struct results_names){name, "Made.java", 2, 3, insertions, lines};
}

void made_methods(struct results_recorder* recorder) {
    for (uint32_t number = 1; number < 10; number++) {
        char name[32];
        snprintf(name, sizeof name, "Made.m%x()V", 0x1000 * number);
        const struct results_names names = made_names(name);
        made_method(recorder, number, made_code(), &names);
    }
}

// ---- Samples ----------------------------------------------------------------------------------

static const struct results_evidence* made_evidence(uint32_t n) {
    static struct results_evidence m;
    memset(&m, 0, sizeof m);
    strcpy(m.thread_name, "worker");
    strcpy(m.code_name, "StubRoutines (1)");
    m.sp = 0x7fff0000 + n;
    m.register_count = 17;
    for (uint32_t i = 0; i < 17; i++) m.registers[i] = (uint64_t)i << 40 | n;
    m.stack_at = m.sp;
    m.stack_count = 20;
    for (uint32_t i = 0; i < 20; i++) m.stack_words[i] = ~(uint64_t)i;
    m.bytes_at = 0x4000;
    m.byte_count = 100;
    memset(m.bytes, 0x90, 100);
    m.again_count[0] = -5;
    m.again_same[1] = 1;
    return &m;
}

struct results_sample made_sample(uint32_t n) {
    static struct results_sample_slot slots[8];
    static struct results_sample_frame frames[8];
    uint32_t young = 3 + n % 7;
    bool mismatch = n % 5 == 4;
    // Oldest last: `young`, a gap frame and the call, method 2, method 1.
    slots[0] = (struct results_sample_slot){
        .kind = RESULTS_SLOT_ENTRY, .id = 0x1000u * young, .number = young, .position = 9000 + n};
    slots[1] = (struct results_sample_slot){.kind = RESULTS_SLOT_GAP, .id = 0x777, .bci = 5};
    slots[2] = (struct results_sample_slot){.kind = RESULTS_SLOT_CALL, .bci = 44};
    slots[3] = (struct results_sample_slot){
        .kind = RESULTS_SLOT_ENTRY, .id = 0x2000, .number = 2, .position = 5000};
    slots[4] = (struct results_sample_slot){
        .kind = RESULTS_SLOT_ENTRY, .id = 0x1000, .number = 1, .position = 4000};
    frames[0] = (struct results_sample_frame){0x1000u * young, young, (int32_t)(10 + n % 50)};
    frames[1] = (struct results_sample_frame){0x777, ORACLE_FOREIGN, 5};
    frames[2] = (struct results_sample_frame){0x2000, 2, 44};
    frames[3] = (struct results_sample_frame){0x1000, 1, 60};
    // The mismatch: method 2 is missing.
    if (mismatch) frames[2] = frames[3];
    return (struct results_sample){
        .sequence = n + 1,
        .time_ns = 1000000 + n * 50000ull,
        .pc = 0x7f0000001000 + n,
        .thread_id = n,
        .layer = ORACLE_LAYER_ASYNC,
        .verdict = mismatch ? ORACLE_MISSING : ORACLE_AGREE,
        .code_kind = RESULTS_CODE_C2,
        .region = RESULTS_REGION_BODY,
        .thread_state = RESULTS_THREAD_IN_JAVA,
        .chosen = !mismatch,
        .context_known = true,
        .count = mismatch ? 3 : 4,
        .context = {.in_transition_allowed = true},
        .judgement = {.verdict = mismatch ? ORACLE_MISSING : ORACLE_AGREE,
                      .expected = 3,
                      .observed = mismatch ? 2 : 3,
                      .difference = mismatch ? 2 : 0},
        .slot_count = 5,
        .frame_count = mismatch ? 3 : 4,
        .slots = slots,
        .frames = frames,
        .evidence = mismatch ? made_evidence(n) : NULL};
}

// ---- Comparing --------------------------------------------------------------------------------

static bool same_frames(const struct results_sample_frame* a, const struct results_sample_frame* b,
                        uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (a[i].id != b[i].id || a[i].number != b[i].number || a[i].bci != b[i].bci) return false;
    return true;
}

static bool same_slots(const struct results_sample* a, const struct results_sample* b) {
    for (uint32_t i = 0; i < a->slot_count; i++) {
        const struct results_sample_slot *x = &a->slots[i], *y = &b->slots[i];
        if (x->kind != y->kind || x->id != y->id || x->number != y->number || x->bci != y->bci ||
            x->position != y->position)
            return false;
    }
    return a->slot_count == b->slot_count;
}

static bool same_evidence(const struct results_evidence* a, const struct results_evidence* b) {
    if (a == NULL || b == NULL) return a == b;
    return strcmp(a->thread_name, b->thread_name) == 0 && strcmp(a->code_name, b->code_name) == 0 &&
           a->frame_complete == b->frame_complete && a->code_size == b->code_size &&
           a->owner == b->owner && a->sp == b->sp && a->register_count == b->register_count &&
           memcmp(a->registers, b->registers, sizeof a->registers) == 0 &&
           a->stack_at == b->stack_at && a->stack_count == b->stack_count &&
           memcmp(a->stack_words, b->stack_words, sizeof a->stack_words) == 0 &&
           a->bytes_at == b->bytes_at && a->byte_count == b->byte_count &&
           memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0 &&
           memcmp(a->again_count, b->again_count, sizeof a->again_count) == 0 &&
           memcmp(a->again_same, b->again_same, sizeof a->again_same) == 0;
}

static bool same_sites(const struct results_sample* a, const struct results_sample* b) {
    if (a->sites == NULL || b->sites == NULL) return a->sites == b->sites;
    return a->root == b->root && memcmp(a->sites, b->sites, a->frame_count * sizeof *a->sites) == 0;
}

static bool same_judgement(const struct oracle_judgement* a, const struct oracle_judgement* b) {
    return a->verdict == b->verdict && a->expected == b->expected && a->observed == b->observed &&
           a->difference == b->difference && a->own == b->own && a->gap_frames == b->gap_frames &&
           a->caller_bcis == b->caller_bcis;
}

bool made_same(const struct results_sample* a, const struct results_sample* b) {
    return a->sequence == b->sequence && a->time_ns == b->time_ns && a->pc == b->pc &&
           a->thread_id == b->thread_id && a->thread_slot == b->thread_slot &&
           a->epoch == b->epoch && a->layer == b->layer && a->verdict == b->verdict &&
           a->code_kind == b->code_kind && a->region == b->region && a->instant == b->instant &&
           a->window_begin_ns == b->window_begin_ns && a->window_end_ns == b->window_end_ns &&
           a->java_thread == b->java_thread && a->thread_state == b->thread_state &&
           a->own == b->own && a->chosen == b->chosen && a->context_known == b->context_known &&
           a->owner_known == b->owner_known && a->owner_number == b->owner_number &&
           a->count == b->count && a->code_offset == b->code_offset && a->cluster == b->cluster &&
           a->beyond == b->beyond && a->context.base == b->context.base &&
           a->context.depth_limit == b->context.depth_limit &&
           a->context.in_transition_allowed == b->context.in_transition_allowed &&
           a->context.place.kind == b->context.place.kind &&
           a->context.place.method == b->context.place.method &&
           a->context.place.bci == b->context.place.bci && a->place_number == b->place_number &&
           same_judgement(&a->judgement, &b->judgement) && a->owner.method == b->owner.method &&
           a->owner.position == b->owner.position && a->owner.osr == b->owner.osr &&
           a->owner.held == b->owner.held && a->frame_count == b->frame_count &&
           a->witness_count == b->witness_count &&
           same_frames(a->frames, b->frames, a->frame_count) &&
           same_frames(a->witness, b->witness, a->witness_count) &&
           (a->third == NULL) == (b->third == NULL) && a->third_count == b->third_count &&
           same_frames(a->third, b->third, a->third_count) && same_slots(a, b) &&
           same_sites(a, b) && same_evidence(a->evidence, b->evidence);
}

// ---- Records ----------------------------------------------------------------------------------

int made_keep(void* context, const void* bytes, size_t size) {
    struct made* made = context;
    made->bytes = realloc(made->bytes, made->size + size);
    cr_assert_not_null(made->bytes);
    memcpy(made->bytes + made->size, bytes, size);
    made->size += size;
    return 0;
}

static int keep(void* context, const void* bytes, size_t size) {
    struct made* made = context;
    cr_assert_lt(made->frames, MADE_FRAMES);
    made->starts[made->frames] = made->size;
    made->samples_in[made->frames++] = made->pending;
    made->pending = 0;
    made_keep(made, bytes, size);
    made->starts[made->frames] = made->size;
    return 0;
}

static struct results_recorder* name_all; // to which `met` gives names

static void met(void* context, uint32_t index, uint64_t id, uint32_t number) {
    char name[32];
    (void)context, (void)number;
    snprintf(name, sizeof name, "Made.m%llx()V", (unsigned long long)id);
    const struct results_names names = made_names(name);
    results_recorder_names(name_all, index, &names);
}

struct made made_record(uint32_t blocks, uint32_t each) {
    struct made made = {0};
    uint64_t values[RESULTS_COUNTERS] = {0};
    const struct results_recorder_options options = {&made, keep, met};
    struct results_recorder* r = results_recorder_open(&options);
    uint32_t n = 0;
    cr_assert_not_null(r);
    name_all = r;
    results_recorder_property(r, "jvm.version", "17.0.15+6");
    results_recorder_head(r, 0);
    made_methods(r);
    for (uint32_t block = 0; block < blocks; block++) {
        for (uint32_t i = 0; i < each; i++, made.pending++) {
            struct results_sample sample = made_sample(n++);
            cr_assert_eq(results_recorder_sample(r, &sample), 0);
        }
        values[0] = values[1] = n;
        results_recorder_counters(r, n * 50000ull, values, block % 4 == 0);
        results_recorder_flush(r, n * 50000ull, false);
    }
    results_recorder_flush(r, n * 50000ull, true);
    results_recorder_close(r);
    return made;
}

void made_free(struct made* made) {
    free(made->bytes);
}
