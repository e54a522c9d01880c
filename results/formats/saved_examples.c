// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Examples of clusters out of the record, whose format lasts, where the run's mapped file is gone
// or of another version.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "results/record/record.h"
#include "saved.h"

#define NEAR_NS 10000000u // between the moments at which one mismatch was kept and recorded

struct wanted {
    struct results_group* group;
    uint64_t time_ns, pc;
    uint32_t thread_id;
    uint8_t vote;
    uint64_t distance; // of what was found, in ns
};

struct search {
    const struct results_record* record;
    struct results_run* run; // holds what is found: wanted i as mismatch i
    struct wanted* list;
    size_t count, found;
};

// ---- What is wanted -----------------------------------------------------------------------------

static uint64_t count_of(const json_t* object, const char* key) {
    json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (uint64_t)value : 0;
}

static uint8_t vote_of(const json_t* example) {
    const char* text = json_string_value(json_object_get(example, "vote"));
    for (int v = 0; text != NULL && v < RESULTS_VOTE_COUNT; v++)
        if (strcmp(results_vote_text((enum results_vote)v), text) == 0) return (uint8_t)v;
    return RESULTS_VOTE_OPEN;
}

// Every cluster whose example is of this JVM. False without memory.
static bool list_wanted(const struct results_saved* saved, size_t jvm, struct search* search) {
    const json_t* clusters = json_object_get(saved->json, "clusters");
    search->list = calloc(RESULTS_MISMATCHES_KEPT, sizeof *search->list);
    if (search->list == NULL) return false;
    for (size_t i = 0; i < saved->report.group_count; i++) {
        const json_t* example = json_object_get(json_array_get(clusters, i), "example");
        if (example == NULL || count_of(example, "jvm") != jvm) continue;
        if (search->count == RESULTS_MISMATCHES_KEPT) break;
        search->list[search->count++] =
            (struct wanted){.group = &saved->report.groups[i],
                            .time_ns = count_of(example, "time_ns"),
                            .pc = count_of(example, "pc"),
                            .thread_id = (uint32_t)count_of(example, "thread_id"),
                            .vote = vote_of(example),
                            .distance = UINT64_MAX};
    }
    return true;
}

// ---- Looking for it -----------------------------------------------------------------------------

static void look_at(void* context, const struct results_sample* s, bool lost) {
    struct search* search = context;
    (void)lost;
    for (size_t i = 0; i < search->count; i++) {
        struct wanted* w = &search->list[i];
        if (s->layer != w->group->layer || s->verdict != w->group->verdict || s->pc != w->pc ||
            s->thread_id != w->thread_id)
            continue;
        uint64_t distance =
            s->time_ns > w->time_ns ? s->time_ns - w->time_ns : w->time_ns - s->time_ns;
        if (distance > NEAR_NS || distance >= w->distance) continue;
        struct results_mismatch* m = &search->run->mismatches[i];
        search->found += w->distance == UINT64_MAX;
        w->distance = distance;
        results_sample_show(search->record, s, search->run, m);
        m->vote = w->vote;
        m->blame = w->vote == RESULTS_VOTE_AGAINST_WALKER ? RESULTS_BLAME_WALKER
                                                          : (uint32_t)RESULTS_BLAME_OPEN;
    }
}

static void give_out(struct results_saved* saved, size_t jvm, struct search* search) {
    struct results_execution* execution = &saved->executions[jvm];
    for (size_t i = 0; i < search->count; i++) {
        if (search->list[i].distance == UINT64_MAX) continue;
        search->list[i].group->example = execution;
        search->list[i].group->mismatch = &search->run->mismatches[i];
    }
    saved->shown[jvm] = search->run;
    execution->run = search->run;
}

bool saved_take_examples(struct results_saved* saved, size_t jvm) {
    char path[PATH_MAX];
    struct search search = {.count = 0};
    snprintf(path, sizeof path, "%s/run.lz4", saved->directories[jvm]);
    struct results_record* record = results_record_open_file(path);
    search.record = record;
    search.run = record != NULL ? calloc(1, sizeof *search.run) : NULL;
    const struct results_record_visitor visitor = {.context = &search, .sample = look_at};
    bool all = search.run != NULL && list_wanted(saved, jvm, &search) &&
               results_record_each(record, &visitor) == 0 && search.found == search.count;
    if (search.found != 0) give_out(saved, jvm, &search);
    else free(search.run);
    free(search.list);
    results_record_close(record);
    return all;
}
