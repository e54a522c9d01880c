// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// compare's tests as JSON. README.md lists the keys.
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comparison.h"

#define SCHEMA 1

static void set_count(json_t* object, const char* key, uint64_t value) {
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void set_real(json_t* object, const char* key, double value) {
    json_object_set_new(object, key, json_real(value));
}

// Texts come from JSON, or from the command line, where they may not be UTF-8.
static void set_text(json_t* object, const char* key, const char* text) {
    json_t* value = json_string(text);
    json_object_set_new(object, key, value != NULL ? value : json_string("?"));
}

static json_t* side_json(const struct compare_side* side) {
    json_t* object = json_object();
    set_text(object, "path", side->path);
    set_text(object, "version", side->version);
    set_text(object, "vm", side->vm);
    set_count(object, "runs", side->run_count);
    json_object_set_new(object, "several_jvms", json_boolean(side->mixed));
    return object;
}

static json_t* rate_json(const struct compare_item* item, int side) {
    json_t* object = json_object();
    set_count(object, "count", item->events[side]);
    set_count(object, "of", item->trials[side]);
    if (item->trials[side] == 0) return object;
    struct oracle_interval interval = oracle_interval(item->events[side], item->trials[side], 0.95);
    set_real(object, "rate", (double)item->events[side] / (double)item->trials[side]);
    set_real(object, "low", interval.low);
    set_real(object, "high", interval.high);
    set_real(object, "least_run", item->low[side]);
    set_real(object, "most_run", item->high[side]);
    return object;
}

static json_t* rows_of(const struct compare_item* item) {
    json_t* array = json_array();
    for (const struct compare_cell* cell = item->cells; cell != NULL; cell = cell->next)
        json_array_append_new(array, json_string(cell->row->key));
    return array;
}

static json_t* item_json(const struct compare* compare, const struct compare_item* item) {
    json_t* object = json_object();
    set_text(object, "kind", compare_kind_text(item->kind));
    set_text(object, "what", item->what);
    json_object_set_new(object, "rows", rows_of(item));
    json_object_set_new(object, "a", rate_json(item, 0));
    json_object_set_new(object, "b", rate_json(item, 1));
    set_real(object, "p", item->p);
    set_real(object, "adjusted", item->adjusted);
    if (!compare->by_runs)
        set_real(object, "spread",
                 compare->options.spread >= 0 ? compare->options.spread : compare_spread(item));
    set_text(object, "outcome", compare_outcome_text(item->outcome));
    if (item->kind == COMPARE_CLUSTER) set_text(object, "novelty", compare_novelty(item));
    return object;
}

static json_t* items_json(const struct compare* compare) {
    json_t* array = json_array();
    struct compare_item *item, *next;
    HASH_ITER(hh, compare->items, item, next)
    if (item->tested) json_array_append_new(array, item_json(compare, item));
    return array;
}

static json_t* rows_json(const struct compare* compare) {
    json_t* array = json_array();
    struct compare_row *row, *next;
    char text[COMPARE_VERDICTS];
    HASH_ITER(hh, compare->rows, row, next) {
        json_t* object = json_object();
        set_text(object, "case", row->case_name);
        set_text(object, "mode", row->mode);
        set_text(object, "scope", row->scope);
        set_text(object, "layer", oracle_layer_text(row->layer));
        set_text(object, "verdict_a", compare_verdicts(compare, row, 0, text));
        set_text(object, "verdict_b", compare_verdicts(compare, row, 1, text));
        json_object_set_new(object, "compared", json_boolean(compare_is_common(compare, row)));
        json_object_set_new(object, "new_death", json_boolean(compare_is_death(compare, row)));
        json_array_append_new(array, object);
    }
    return array;
}

static const char* verdict_of(const struct compare* compare) {
    int status = compare_status(compare);
    if (status == RUNNER_EXIT_PASS) return "not worse";
    return status == RUNNER_EXIT_FAIL ? "worse" : "inconclusive";
}

int compare_json(const struct compare* compare, const char* path) {
    json_t* object = json_object();
    set_count(object, "schema", SCHEMA);
    json_object_set_new(object, "a", side_json(&compare->sides[0]));
    json_object_set_new(object, "b", side_json(&compare->sides[1]));
    set_real(object, "level", compare->options.level);
    set_text(object, "method", compare->by_runs ? "permutation" : "counts");
    set_count(object, "tests_of_errors", compare->tests[COMPARE_ERRORS]);
    set_count(object, "tests_of_refusals", compare->tests[COMPARE_REFUSALS]);
    set_count(object, "candidates_of_errors", compare->candidates[COMPARE_ERRORS]);
    set_count(object, "candidates_of_refusals", compare->candidates[COMPARE_REFUSALS]);
    set_count(object, "rows_compared", compare->common);
    set_real(object, "uneven", compare->uneven);
    if (compare->by_runs) set_count(object, "assignments", compare->assignments[COMPARE_ERRORS]);
    if (compare->runs_needed != 0) set_count(object, "runs_needed", compare->runs_needed);
    json_object_set_new(object, "tests", items_json(compare));
    json_object_set_new(object, "rows", rows_json(compare));
    set_count(object, "worse", compare->worse);
    set_count(object, "better", compare->better);
    set_count(object, "differs", compare->differing);
    set_count(object, "new_deaths", compare->deaths);
    set_text(object, "verdict", verdict_of(compare));
    struct output_file file;
    int result = -1;
    if (output_begin(&file, path))
        result = output_commit(&file, json_dumpf(object, file.out, JSON_INDENT(2)) == 0);
    json_decref(object);
    return result;
}
