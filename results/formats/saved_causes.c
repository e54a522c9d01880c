// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The causes and pools of a results.json, as they were when it was written.
#include <stdlib.h>
#include <string.h>

#include "texts.h"
#include "saved.h"
#include "take.h"

// ---- Causes -----------------------------------------------------------------------------------

// The index of a cause in the list, added where it is not there yet.
static uint32_t index_of(struct results_saved* saved, struct take* take, const char* name) {
    struct results_causes* causes = &saved->causes;
    for (size_t i = 0; i < causes->count; i++)
        if (strcmp(causes->list[i].name, name) == 0) return (uint32_t)i;
    if (causes->count == RESULTS_CAUSES || strlen(name) >= RESULTS_CAUSE_NAME) {
        take_fail(take, "too many causes, or too long a name: %.64s", name);
        return RESULTS_UNEXPLAINED;
    }
    strcpy(causes->list[causes->count].name, name);
    return (uint32_t)causes->count++;
}

static bool open_list(struct results_saved* saved, struct take* take) {
    saved->causes.list = calloc(RESULTS_CAUSES, sizeof *saved->causes.list);
    if (saved->causes.list == NULL) {
        take_fail(take, "no memory");
        return false;
    }
    index_of(saved, take, "unexplained");
    for (size_t i = 0; i < saved->report.execution_count; i++)
        saved->executions[i].causes = &saved->causes;
    return true;
}

static void take_known(struct take* take, const json_t* object, struct results_known* known) {
    *known = (struct results_known){.name = take_text(take, object, "cause"),
                                    .title = take_text(take, object, "title"),
                                    .finding = take_text(take, object, "finding"),
                                    .bug = take_text(take, object, "bug"),
                                    .count = take_count(take, object, "count"),
                                    .judged = take_count(take, object, "judged"),
                                    .unmeasured = take_count(take, object, "unmeasured"),
                                    .cases = (size_t)take_count(take, object, "cases")};
    known->layer =
        (enum oracle_layer)take_word(take, object, "layer", texts_layer, ORACLE_LAYER_COUNT);
    if (known->count > known->judged) take_fail(take, "more errors than \"judged\"");
}

void saved_take_row_causes(struct results_saved* saved, struct take* take, const json_t* run,
                           struct results_row* row) {
    const char* name;
    json_t* value;
    uint64_t sum = 0;
    uint64_t apart = row->expected + row->known;
    bool old = json_object_get(run, "causes") == NULL;
    row->unexplained = old ? (row->mismatched > apart ? row->mismatched - apart : 0)
                           : take_count(take, run, "unexplained");
    row->notices = old ? RESULTS_NOTICES_UNKNOWN : take_number(take, run, "notices");
    row->notices_refusals =
        old ? RESULTS_NOTICES_UNKNOWN : take_number(take, run, "notices_refusals");
    if (old) return;
    // jansson's iterator takes no const object, and changes none.
    const json_t* map = take_object(take, run, "causes");
    json_object_foreach((json_t*)(uintptr_t)map, name, value) {
        uint32_t index = index_of(saved, take, name);
        row->cause[index] = take_count(take, map, name);
        sum += row->cause[index];
    }
    if (!take->failed && (sum != row->mismatched || row->unexplained > sum))
        take_fail(take, "\"causes\" are not the sum of \"mismatch\"");
}

// ---- Pools ------------------------------------------------------------------------------------

static void take_pool(struct take* take, const json_t* object, struct results_pool* pool) {
    *pool = (struct results_pool){.mode = take_text(take, object, "mode"),
                                  .rows = (size_t)take_count(take, object, "rows"),
                                  .unexplained = take_count(take, object, "unexplained"),
                                  .judged = take_count(take, object, "judged"),
                                  .interval = {.low = take_number(take, object, "low"),
                                               .high = take_number(take, object, "high")},
                                  .limit = take_number(take, object, "limit"),
                                  .notices = take_number(take, object, "notices"),
                                  .row_notices = take_number(take, object, "row_notices"),
                                  .row_blindest = take_number(take, object, "row_blindest"),
                                  .failed = json_is_true(json_object_get(object, "failed"))};
    pool->layer =
        (enum oracle_layer)take_word(take, object, "layer", texts_layer, ORACLE_LAYER_COUNT);
    if (pool->unexplained > pool->judged) take_fail(take, "more errors than \"judged\"");
}

// ---- Both -------------------------------------------------------------------------------------

// The list of that name and room for it, one at least. NULL: the file has none, or no memory.
static const json_t* list_of(struct results_saved* saved, struct take* take, const char* key,
                             size_t size, void** room) {
    if (json_object_get(saved->json, key) == NULL) return NULL;
    const json_t* list = take_list(take, saved->json, key);
    if (take->failed) return NULL;
    *room = calloc(json_array_size(list) + 1, size);
    if (*room == NULL) take_fail(take, "no memory");
    return *room != NULL ? list : NULL;
}

void saved_take_causes(struct results_saved* saved, struct take* take) {
    struct results_report* report = &saved->report;
    if (!open_list(saved, take)) return;
    void* room = NULL;
    const json_t* list = list_of(saved, take, "causes", sizeof *report->known, &room);
    report->known = room;
    for (size_t i = 0; i < json_array_size(list) && !take->failed; i++) {
        snprintf(take->place, sizeof take->place, "causes[%zu]", i);
        take_known(take, json_array_get(list, i), &report->known[i]);
        report->known_count = i + 1;
    }
    room = NULL;
    list = list_of(saved, take, "pools", sizeof *report->pools, &room);
    report->pools = room;
    for (size_t i = 0; i < json_array_size(list) && !take->failed; i++) {
        snprintf(take->place, sizeof take->place, "pools[%zu]", i);
        take_pool(take, json_array_get(list, i), &report->pools[i]);
        report->pool_count = i + 1;
    }
    take->place[0] = '\0';
}
