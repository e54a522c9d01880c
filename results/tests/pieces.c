// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "pieces.h"

#include <string.h>

static void put(uint8_t* piece, size_t at, const void* from, size_t size) {
    if (size != 0) memcpy(piece + at, from, size);
}

bool pieces_sample(const struct results_ring* ring, const struct results_sample* s) {
    const struct results_sample_piece head = {.kind = RESULTS_PIECE_SAMPLE,
                                              .has_third = s->third != NULL,
                                              .has_sites = s->sites != NULL,
                                              .has_evidence = s->evidence != NULL,
                                              .sample = *s};
    const struct results_sample_room room = results_sample_room(&head);
    uint8_t* piece = results_ring_reserve(ring, room.size);
    if (piece == NULL) return false;
    put(piece, 0, &head, sizeof head);
    put(piece, room.slots, s->slots, s->slot_count * sizeof *s->slots);
    put(piece, room.frames, s->frames, s->frame_count * sizeof *s->frames);
    put(piece, room.witness, s->witness, s->witness_count * sizeof *s->witness);
    put(piece, room.third, s->third, s->third_count * sizeof *s->third);
    if (head.has_evidence) put(piece, room.evidence, s->evidence, sizeof *s->evidence);
    if (head.has_sites) put(piece, room.sites, s->sites, s->frame_count * sizeof *s->sites);
    results_ring_publish(piece, room.size);
    return true;
}

bool pieces_settled(const struct results_ring* ring, const struct results_settled_piece* settled,
                    const struct results_sample_frame* witness) {
    size_t frames = settled->count * sizeof *witness, size = sizeof *settled + frames;
    uint8_t* piece = results_ring_reserve(ring, size);
    if (piece == NULL) return false;
    put(piece, 0, settled, sizeof *settled);
    put(piece, sizeof *settled, witness, frames);
    results_ring_publish(piece, size);
    return true;
}
