// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "rows.h"

#include <stdlib.h>
#include <string.h>

struct digest {
    struct digest_cluster* clusters;
    uint32_t count, room;
    uint16_t place_of[RESULTS_CLUSTERS + 1]; // by cluster: place in `clusters` + 1, 0 none
    uint64_t votes[ORACLE_LAYER_COUNT][RESULTS_VOTE_COUNT];
    uint64_t worst[ORACLE_LAYER_COUNT];
    int worst_worth[ORACLE_LAYER_COUNT];
    bool memory; // there was none
};
_Static_assert(RESULTS_CLUSTERS < UINT16_MAX, "place_of is too narrow");

// ---- Worth ------------------------------------------------------------------------------------

// Wrong frames are worse than truncated ones, and these than wrong attribution.
static int severity(uint32_t verdict) {
    if (verdict == ORACLE_ATTRIBUTION) return 1;
    return verdict == ORACLE_TRUNCATED ? 2 : 3;
}

// Names that died with the JVM make a poor example. So does one that GetStackTrace did not speak
// against.
static int worth_in_cluster(bool lost, enum results_vote vote) {
    return 1 + 2 * !lost + (vote == RESULTS_VOTE_AGAINST_WALKER);
}

static int worth_in_layer(const struct results_sample* s, bool lost, uint32_t blame) {
    return 4 * severity(s->verdict) + 2 * (blame == RESULTS_BLAME_WALKER) + !lost;
}

// ---- Gathering --------------------------------------------------------------------------------

static struct digest_cluster* cluster_of(struct digest* d, uint32_t cluster) {
    if (cluster == 0 || cluster > RESULTS_CLUSTERS) return NULL;
    if (d->place_of[cluster] != 0) return &d->clusters[d->place_of[cluster] - 1];
    if (d->count == d->room) {
        uint32_t room = d->room != 0 ? 2 * d->room : 16;
        struct digest_cluster* grown = realloc(d->clusters, room * sizeof *grown);
        if (grown == NULL) {
            d->memory = true;
            return NULL;
        }
        d->clusters = grown;
        d->room = room;
    }
    d->clusters[d->count] = (struct digest_cluster){.cluster = cluster};
    d->place_of[cluster] = (uint16_t)++d->count;
    return &d->clusters[d->count - 1];
}

// A place in the function that the sample was in, once for each function.
static void note_place(struct digest_cluster* c, const struct results_sample* s) {
    char where[DIGEST_PLACE];
    if (c->place_count > DIGEST_PLACES || !evidence_where(s, where, sizeof where)) return;
    for (unsigned i = 0; i < c->place_count; i++)
        if (strcmp(c->functions[i], s->evidence->code_name) == 0) return;
    if (c->place_count++ == DIGEST_PLACES) return;
    memcpy(c->places[c->place_count - 1], where, sizeof where);
    memcpy(c->functions[c->place_count - 1], s->evidence->code_name, sizeof s->evidence->code_name);
}

static void add_to_cluster(struct digest_cluster* c, const struct results_sample* s,
                           enum results_vote vote, int worth) {
    if (c->kept++ == 0) c->state = s->thread_state;
    else if (c->state != s->thread_state) c->state = RESULTS_THREAD_UNKNOWN;
    c->votes[vote]++;
    note_place(c, s);
    if (worth <= c->best_worth) return;
    c->best_worth = worth;
    c->best = s->sequence;
}

// What the visitor is given.
struct gathering {
    struct digest* digest;
    const struct results_record* record;
};

static void add(void* context, const struct results_sample* s, bool lost) {
    const struct gathering* g = context;
    struct digest* d = g->digest;
    if (s->own || !oracle_is_mismatch((enum oracle_verdict)s->verdict)) return;
    uint32_t blame = results_record_blame(g->record, s);
    bool stands = blame != RESULTS_BLAME_ORACLE;
    enum results_vote vote = results_record_vote(g->record, s);
    struct digest_cluster* cluster = cluster_of(d, s->cluster);
    if (cluster != NULL)
        add_to_cluster(cluster, s, vote, stands ? worth_in_cluster(lost, vote) : 0);
    d->votes[s->layer][vote]++;
    int worth = stands ? worth_in_layer(s, lost, blame) : 0;
    if (worth <= d->worst_worth[s->layer]) return;
    d->worst_worth[s->layer] = worth;
    d->worst[s->layer] = s->sequence;
}

static struct digest* make(const struct results_record* record) {
    struct digest* digest = calloc(1, sizeof *digest);
    struct gathering gathering = {digest, record};
    const struct results_record_visitor visitor = {.context = &gathering, .sample = add};
    if (digest != NULL && results_record_each(record, &visitor) == 0 && !digest->memory)
        return digest;
    digest_free(digest);
    return NULL;
}

const struct digest* digest_of(const struct results_report* report,
                               const struct results_execution* execution) {
    if (report->digests == NULL || execution->record == NULL) return NULL;
    struct digest** place = &report->digests[execution - report->executions];
    if (*place == NULL) *place = make(execution->record);
    return *place;
}

void digest_free(struct digest* digest) {
    if (digest == NULL) return;
    free(digest->clusters);
    free(digest);
}

// ---- Asking -----------------------------------------------------------------------------------

const struct digest_cluster* digest_cluster(const struct digest* digest, uint32_t cluster) {
    bool known = digest != NULL && cluster <= RESULTS_CLUSTERS && digest->place_of[cluster] != 0;
    return known ? &digest->clusters[digest->place_of[cluster] - 1] : NULL;
}

uint64_t digest_worst(const struct digest* digest, enum oracle_layer layer) {
    return digest != NULL ? digest->worst[layer] : 0;
}

const uint64_t* digest_votes(const struct digest* digest, enum oracle_layer layer) {
    static const uint64_t none[RESULTS_VOTE_COUNT];
    return digest != NULL ? digest->votes[layer] : none;
}
