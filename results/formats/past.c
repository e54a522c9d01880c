// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The rows and clusters of a results.json. It may have been written by another version of
// Plumbline, or by anybody: a reader asks for the members that it needs, and looks at no others.
#include "formats.h"

#include <jansson.h>
#include <string.h>

#include "texts.h"
#include "take.h"

// ---- Rows -------------------------------------------------------------------------------------

static void take_counts_of(struct take* take, const json_t* object, struct results_past* row) {
    take_counts(take, object, "mismatch", texts_verdict, ORACLE_VERDICT_COUNT, row->mismatch);
    uint64_t sum = results_sum(row->mismatch, RESULTS_WALKING_ERRORS);
    row->mismatch[ORACLE_ATTRIBUTION] = take_count(take, object, "attribution");
    if (sum > row->judged || row->mismatch[ORACLE_ATTRIBUTION] > row->judged)
        take_fail(take, "more mismatches than were judged");
}

// `answered` is 0 where the file says nothing of refusals.
static void take_refusals(struct take* take, const json_t* object, struct results_past* row) {
    uint64_t sum = 0;
    if (json_object_get(object, "refused") != NULL)
        take_counts(take, object, "refused", texts_refusal, ORACLE_REFUSAL_COUNT, row->refused);
    row->answered = take_count_if(take, object, "answered");
    for (int r = 0; r < ORACLE_REFUSAL_COUNT && row->answered != 0; r++) {
        sum += row->refused[r];
        if (row->refused[r] <= row->answered && sum <= row->answered) continue;
        take_fail(take, "more refusals than answers");
        return;
    }
}

// Names are as the file has them: causes.ini may have been another one.
static void take_causes(struct take* take, const json_t* object, struct results_past* row) {
    const char* name;
    json_t* value;
    uint64_t sum = 0;
    row->cause_count = 0;
    row->by_cause = json_object_get(object, "causes") != NULL;
    if (!row->by_cause) return;
    // jansson's iterator takes no const object, and changes none.
    json_object_foreach((json_t*)(uintptr_t)take_object(take, object, "causes"), name, value) {
        struct results_past_cause* cause = &row->causes[row->cause_count];
        if (row->cause_count == RESULTS_CAUSES || strlen(name) >= sizeof cause->name) {
            take_fail(take, "\"causes\" has too many or too long a \"%.64s\"", name);
            return;
        }
        strcpy(cause->name, name);
        cause->count = take_count(take, take_object(take, object, "causes"), name);
        sum += cause->count;
        row->cause_count++;
    }
    if (sum > row->judged) take_fail(take, "more mismatches by cause than were judged");
}

// The accounts of a profiler; a file of an older version has no such object.
static void take_profiler(struct take* take, const json_t* object, struct results_past* row) {
    const json_t* profiler = json_object_get(object, "profiler");
    row->profiler[0] = '\0';
    row->signals = row->silent = row->cut = row->empty = 0;
    if (row->layer != ORACLE_LAYER_PROFILER || profiler == NULL) return;
    take_copy(take, profiler, "name", row->profiler, sizeof row->profiler);
    row->signals = take_count_if(take, profiler, "recorded");
    row->silent = take_count_if(take, profiler, "silent");
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++) row->empty += row->refused[r];
    if (row->silent > row->signals) take_fail(take, "\"silent\" is more than \"recorded\"");
}

static void take_row(struct take* take, const json_t* object, struct results_past* row) {
    memset(row->mismatch, 0, sizeof row->mismatch);
    memset(row->refused, 0, sizeof row->refused);
    take_copy(take, object, "case", row->case_name, sizeof row->case_name);
    take_copy(take, object, "mode", row->mode, sizeof row->mode);
    take_copy(take, object, "scope", row->scope, sizeof row->scope);
    take_copy(take, object, "verdict", row->verdict, sizeof row->verdict);
    row->layer =
        (enum oracle_layer)take_word(take, object, "layer", texts_layer, ORACLE_LAYER_COUNT);
    row->judged = take_count(take, object, "judged");
    take_counts_of(take, object, row);
    take_refusals(take, object, row);
    row->transition = take_count_if(take, object, "transition");
    take_causes(take, object, row);
    take_profiler(take, object, row);
}

static bool is_text(const json_t* object, const char* key, const char* text) {
    const char* value = json_string_value(json_object_get(object, key));
    return value != NULL && strcmp(value, text) == 0;
}

// Stacks that are cut are a counter of the JVM's. Not all of them are judged.
static void take_cut(const json_t* jvm, struct results_past* row) {
    const json_t* counters = json_object_get(jvm, "counters");
    json_int_t cut = json_integer_value(json_object_get(counters, "profiler_truncated"));
    if (row->profiler[0] == '\0' || cut <= 0) return;
    row->cut = (uint64_t)cut < row->judged ? (uint64_t)cut : row->judged;
}

// Of the JVM that the row is of, as far as the file tells.
static void take_way(const json_t* jvms, struct results_past* row) {
    row->way[0] = '\0';
    for (size_t i = 0; i < json_array_size(jvms); i++) {
        const json_t* jvm = json_array_get(jvms, i);
        if (!is_text(jvm, "case", row->case_name) || !is_text(jvm, "mode", row->mode) ||
            !is_text(jvm, "scope", row->scope))
            continue;
        char density[16] = "100%";
        take_cut(jvm, row);
        const char* push = json_string_value(json_object_get(jvm, "push"));
        json_int_t part =
            json_integer_value(json_object_get(json_object_get(jvm, "counters"), "density"));
        if (part > 0 && part <= RESULTS_DENSITY_FULL) results_density_text((uint32_t)part, density);
        if (push != NULL && push[0] != '\0')
            snprintf(row->way, sizeof row->way, "push %.16s, density %s", push, density);
        return;
    }
}

// Every row; without a reader only whether they can be read.
static void each_row(struct take* take, const json_t* root, struct results_past* row,
                     const struct results_past_reader* reader) {
    const json_t* rows = take_list(take, root, "runs");
    for (size_t i = 0; i < json_array_size(rows) && !take->failed; i++) {
        snprintf(take->place, sizeof take->place, "runs[%zu]", i);
        take_row(take, json_array_get(rows, i), row);
        if (reader == NULL) continue;
        take_way(json_object_get(root, "jvms"), row);
        reader->row(reader->context, row);
    }
}

// ---- Clusters ---------------------------------------------------------------------------------

static void take_cluster(struct take* take, const json_t* object, struct results_past_part* part) {
    part->layer =
        (enum oracle_layer)take_word(take, object, "layer", texts_layer, ORACLE_LAYER_COUNT);
    part->verdict = (enum oracle_verdict)take_word(take, object, "verdict", texts_verdict,
                                                   ORACLE_VERDICT_COUNT);
    if (!take->failed && !oracle_is_mismatch(part->verdict)) take_fail(take, "is no mismatch");
    part->code = take_text(take, object, "code");
    part->region = take_text(take, object, "region");
    part->instruction = take_text(take, object, "instruction");
    part->name = take_text(take, object, "name");
    part->relation = take_text(take, object, "relation");
    part->cause = take_text_if(take, object, "cause");
}

static void take_part(struct take* take, const json_t* object, struct results_past_part* part) {
    part->case_name = take_text(take, object, "case");
    part->mode = take_text(take, object, "mode");
    part->scope = take_text(take, object, "scope");
    part->count = take_count(take, object, "count");
}

// Every part of every cluster; without a reader only whether they can be read.
static void each_part(struct take* take, const json_t* clusters,
                      const struct results_past_reader* reader) {
    for (size_t i = 0; i < json_array_size(clusters) && !take->failed; i++) {
        const json_t* cluster = json_array_get(clusters, i);
        struct results_past_part part;
        snprintf(take->place, sizeof take->place, "clusters[%zu]", i);
        take_cluster(take, cluster, &part);
        const json_t* rows = take_list(take, cluster, "rows");
        for (size_t j = 0; j < json_array_size(rows) && !take->failed; j++) {
            take_part(take, json_array_get(rows, j), &part);
            if (reader != NULL) reader->part(reader->context, &part);
        }
    }
    take->place[0] = '\0';
}

// ---- The file ---------------------------------------------------------------------------------

int results_past_read(const char* path, const struct results_past_reader* reader, char* error,
                      size_t error_size) {
    struct take take = {.path = path, .error = error, .size = error_size};
    struct results_past row = {.version = ""};
    json_t* root = take_file(&take);
    const json_t* jdk = take_object(&take, root, "jdk");
    take_copy(&take, jdk, "version", row.version, sizeof row.version);
    take_copy(&take, jdk, "vm", row.vm, sizeof row.vm);
    take_copy(&take, root, "date", row.date, sizeof row.date);
    each_row(&take, root, &row, NULL);
    const json_t* clusters = NULL;
    if (reader->part != NULL && !take.failed) {
        take.place[0] = '\0';
        clusters = take_list(&take, root, "clusters");
        each_part(&take, clusters, NULL);
    }
    take.place[0] = '\0';
    if (!take.failed) each_row(&take, root, &row, reader);
    if (!take.failed) each_part(&take, clusters, reader);
    json_decref(root);
    return take.failed ? -1 : 0;
}
