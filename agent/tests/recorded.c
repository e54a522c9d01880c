// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "recorded.h"

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "agent/state/state.h"

struct bytes {
    uint8_t* list;
    size_t size;
};

static int keep(void* context, const void* block, size_t size) {
    struct bytes* bytes = context;
    bytes->list = realloc(bytes->list, bytes->size + size);
    cr_assert_not_null(bytes->list);
    memcpy(bytes->list + bytes->size, block, size);
    bytes->size += size;
    return 0;
}

static void take_pieces(struct results_recorder* recorder, struct recorded* recorded) {
    struct results_ring ring = results_run_ring(agent.run);
    struct results_ring_reader reader = {.ring = ring, .next = ring.ends->read};
    size_t size;
    for (const void* piece; (piece = results_ring_next(&reader, &size)) != NULL;) {
        uint32_t kind;
        memcpy(&kind, piece, sizeof kind);
        cr_assert_eq(results_recorder_piece(recorder, piece, size), 0, "kind %u", kind);
        recorded->samples += kind == RESULTS_PIECE_SAMPLE;
        recorded->settlements += kind == RESULTS_PIECE_SETTLED;
    }
    results_ring_release(&reader);
}

struct recorded recorded_take(const struct results_sample* extra) {
    struct recorded recorded = {.record = NULL};
    struct bytes bytes = {.list = NULL};
    const struct results_recorder_options options = {.context = &bytes, .write = keep};
    struct results_recorder* recorder = results_recorder_open(&options);
    cr_assert_not_null(recorder);
    cr_assert_eq(results_recorder_head(recorder, 0), 0);
    if (extra != NULL) cr_assert_eq(results_recorder_sample(recorder, extra), 0);
    take_pieces(recorder, &recorded);
    cr_assert_eq(results_recorder_flush(recorder, 1, true), 0);
    results_recorder_close(recorder);
    recorded.bytes = bytes.list;
    recorded.record = results_record_open(bytes.list, bytes.size);
    cr_assert_not_null(recorded.record);
    cr_assert(results_record_problem_count(recorded.record) == 0);
    return recorded;
}

void recorded_free(struct recorded* recorded) {
    results_record_close(recorded->record);
    free(recorded->bytes);
}

void recorded_each(const struct results_record* record,
                   void (*see)(void* context, const struct results_sample* sample, bool lost),
                   void* context) {
    const struct results_record_visitor visitor = {.context = context, .sample = see};
    cr_assert_eq(results_record_each(record, &visitor), 0);
}
