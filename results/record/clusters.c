// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The run's clusters: mismatches that are alike, counted by the agent's handlers and, after the
// run, by whoever judges then.
#include <stddef.h>
#include <string.h>

#include "record.h"

#define LOST_MAX 3
#define PLACES_TRIED 64 // of a full table; then the cluster is lost

HANDLER_SAFE uint64_t results_hash(const void* from, size_t size) {
    const uint8_t* bytes = from;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

HANDLER_SAFE void results_cluster_judged(struct results_cluster* key, enum oracle_layer layer,
                                         uint32_t cause, const struct oracle_judgement* j) {
    int64_t lost = (int64_t)j->expected - (int64_t)j->observed;
    key->layer = (uint8_t)layer;
    key->verdict = (uint8_t)j->verdict;
    key->cause = (uint8_t)cause;
    key->place = (uint8_t)(j->difference < 2 ? j->difference : 2);
    key->lost = (int8_t)(lost > LOST_MAX ? LOST_MAX : lost < -LOST_MAX ? -LOST_MAX : lost);
}

// Over the fields from `layer` on, up to `count`.
static HANDLER_SAFE uint64_t hash_key(const struct results_cluster* key) {
    const size_t from = offsetof(struct results_cluster, layer);
    uint64_t hash =
        results_hash((const char*)key + from, offsetof(struct results_cluster, count) - from);
    return hash != 0 ? hash : 1;
}

// Takes a free place for the key, or finds that another thread did so at this instant.
static HANDLER_SAFE bool claim(struct results_cluster* c, const struct results_cluster* key,
                               uint64_t hash) {
    uint64_t free_key = 0;
    if (__atomic_compare_exchange_n(&c->key, &free_key, hash, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
        const size_t from = offsetof(struct results_cluster, layer);
        memcpy((char*)c + from, (const char*)key + from,
               offsetof(struct results_cluster, count) - from);
        __atomic_store_n(&c->ready, 1, __ATOMIC_RELEASE);
        return true;
    }
    return free_key == hash;
}

HANDLER_SAFE uint32_t results_cluster_count(struct results_run* run,
                                            const struct results_cluster* key) {
    uint64_t hash = hash_key(key);
    for (uint32_t i = 0; i < PLACES_TRIED; i++) {
        uint32_t at = (uint32_t)(hash + i) & (RESULTS_CLUSTERS - 1);
        struct results_cluster* place = &run->clusters[at];
        uint64_t found = __atomic_load_n(&place->key, __ATOMIC_ACQUIRE);
        if (found != hash && (found != 0 || !claim(place, key, hash))) continue;
        __atomic_fetch_add(&place->count, 1, __ATOMIC_RELAXED);
        return at + 1;
    }
    __atomic_fetch_add(&run->clusters_lost, 1, __ATOMIC_RELAXED);
    return 0;
}
