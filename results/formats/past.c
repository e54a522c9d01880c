// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The rows and clusters of a results.json. It may have been written by another version of
// Plumbline, or by anybody: what a row needs is asked for, what it has besides is not looked at.
#include "formats.h"

#include <jansson.h>
#include <string.h>

static bool take_text(const json_t* object, const char* key, char* text, size_t size) {
    const char* value = json_string_value(json_object_get(object, key));
    if (value == NULL || strlen(value) >= size) return false;
    strcpy(text, value);
    return true;
}

static bool take_count(const json_t* object, const char* key, uint64_t* count) {
    const json_t* value = json_object_get(object, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0) return false;
    *count = (uint64_t)json_integer_value(value);
    return true;
}

static bool take_layer(const json_t* object, enum oracle_layer* layer) {
    char name[32];
    if (!take_text(object, "layer", name, sizeof name)) return false;
    for (int l = 0; l < ORACLE_LAYER_COUNT; l++) {
        *layer = (enum oracle_layer)l;
        if (strcmp(oracle_layer_text(*layer), name) == 0) return true;
    }
    return false;
}

static bool take_mismatches(const json_t* object, struct results_past* row) {
    json_t* mismatch = json_object_get(object, "mismatch");
    uint64_t sum = 0, all = 0;
    for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_WALKING_LAST; v++) {
        if (!take_count(mismatch, oracle_verdict_text((enum oracle_verdict)v), &row->mismatch[v]))
            row->mismatch[v] = 0; // left out where there was none
        sum += row->mismatch[v];
    }
    const char* key;
    json_t* value;
    json_object_foreach(mismatch, key, value) all += (uint64_t)json_integer_value(value);
    // A verdict that this version does not know would be lost.
    return json_is_object(mismatch) && sum == all && sum <= row->judged &&
           take_count(object, "attribution", &row->mismatch[ORACLE_ATTRIBUTION]) &&
           row->mismatch[ORACLE_ATTRIBUTION] <= row->judged;
}

static bool take_refusals(const json_t* object, struct results_past* row) {
    json_t* refused = json_object_get(object, "refused");
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++)
        if (!take_count(refused, oracle_refusal_text((enum oracle_refusal)r), &row->refused[r]))
            row->refused[r] = 0; // left out where there was none
    if (take_count(object, "answered", &row->answered)) return true;
    row->answered = 0; // nothing can then be said of refusals
    return json_object_get(object, "answered") == NULL;
}

static bool take_row(const json_t* object, struct results_past* row) {
    return take_text(object, "case", row->case_name, sizeof row->case_name) &&
           take_text(object, "mode", row->mode, sizeof row->mode) &&
           take_text(object, "scope", row->scope, sizeof row->scope) &&
           take_text(object, "verdict", row->verdict, sizeof row->verdict) &&
           take_layer(object, &row->layer) && take_count(object, "judged", &row->judged) &&
           take_mismatches(object, row) && take_refusals(object, row);
}

static bool take_head(const json_t* root, struct results_past* row) {
    const json_t* jdk = json_object_get(root, "jdk");
    return take_text(jdk, "version", row->version, sizeof row->version) &&
           take_text(jdk, "vm", row->vm, sizeof row->vm) &&
           take_text(root, "date", row->date, sizeof row->date) &&
           json_is_array(json_object_get(root, "runs"));
}

static json_t* load(const char* path, char* error, size_t error_size) {
    json_error_t problem;
    json_t* root = json_load_file(path, 0, &problem);
    if (root == NULL) snprintf(error, error_size, "%s: %s", path, problem.text);
    return root;
}

int results_past_read(const char* path, results_past_each* each, void* context, char* error,
                      size_t error_size) {
    json_t* root = load(path, error, error_size);
    if (root == NULL) return -1;
    struct results_past row = {.version = ""};
    const json_t* rows = json_object_get(root, "runs");
    bool good = take_head(root, &row);
    for (size_t i = 0; good && i < json_array_size(rows); i++)
        if (!(good = take_row(json_array_get(rows, i), &row)))
            snprintf(error, error_size, "%s: row %zu is not as Plumbline writes it", path, i + 1);
    if (!take_head(root, &row))
        snprintf(error, error_size, "%s: not as Plumbline writes it, or without a date", path);
    for (size_t i = 0; good && i < json_array_size(rows); i++) {
        take_row(json_array_get(rows, i), &row);
        each(context, &row);
    }
    json_decref(root);
    return good ? 0 : -1;
}

// ---- Clusters ---------------------------------------------------------------------------------

static bool take_string(const json_t* object, const char* key, const char** text) {
    *text = json_string_value(json_object_get(object, key));
    return *text != NULL;
}

static bool take_verdict(const json_t* object, enum oracle_verdict* verdict) {
    char name[32];
    if (!take_text(object, "verdict", name, sizeof name)) return false;
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++) {
        *verdict = (enum oracle_verdict)v;
        if (strcmp(oracle_verdict_text(*verdict), name) == 0) return oracle_is_mismatch(*verdict);
    }
    return false;
}

static bool take_cluster(const json_t* object, struct results_past_part* part) {
    return take_layer(object, &part->layer) && take_verdict(object, &part->verdict) &&
           take_string(object, "code", &part->code) &&
           take_string(object, "region", &part->region) &&
           take_string(object, "instruction", &part->instruction) &&
           take_string(object, "name", &part->name) &&
           take_string(object, "relation", &part->relation) &&
           json_is_array(json_object_get(object, "rows"));
}

static bool take_part(const json_t* object, struct results_past_part* part) {
    return take_string(object, "case", &part->case_name) &&
           take_string(object, "mode", &part->mode) && take_string(object, "scope", &part->scope) &&
           take_count(object, "count", &part->count);
}

// Every part of every cluster; with `each` NULL only whether they can be read.
static bool each_part(const json_t* clusters, results_past_part_each* each, void* context) {
    size_t i, j;
    json_t *cluster, *row;
    json_array_foreach(clusters, i, cluster) {
        struct results_past_part part;
        if (!take_cluster(cluster, &part)) return false;
        json_array_foreach(json_object_get(cluster, "rows"), j, row) {
            if (!take_part(row, &part)) return false;
            if (each != NULL) each(context, &part);
        }
    }
    return true;
}

int results_past_clusters(const char* path, results_past_part_each* each, void* context,
                          char* error, size_t error_size) {
    json_t* root = load(path, error, error_size);
    if (root == NULL) return -1;
    const json_t* clusters = json_object_get(root, "clusters");
    bool good = json_is_array(clusters) && each_part(clusters, NULL, NULL);
    if (good) each_part(clusters, each, context);
    else snprintf(error, error_size, "%s: its clusters are not as Plumbline writes them", path);
    json_decref(root);
    return good ? 0 : -1;
}
