// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// compare's tests as JSON. README.md lists the keys.
#include <jansson.h>

#include "comparison.h"

#define SCHEMA 2

static json_t* side_json(const struct compare_side* side) {
    return json_pack("{s:o, s:o, s:o, s:I, s:b}", "path", output_json_text(side->path), "version",
                     output_json_text(side->version), "vm", output_json_text(side->vm), "runs",
                     (json_int_t)side->run_count, "several_jvms", side->mixed);
}

static json_t* rate_json(const struct compare_item* item, int side) {
    const uint64_t events = item->events[side], trials = item->trials[side];
    json_t* object = json_pack("{s:I, s:I}", "count", (json_int_t)events, "of", (json_int_t)trials);
    if (trials == 0) return object;
    struct oracle_interval interval = oracle_interval(events, trials, 0.95);
    json_t* rates = json_pack("{s:f, s:f, s:f, s:f, s:f}", "rate", (double)events / (double)trials,
                              "low", interval.low, "high", interval.high, "least_run",
                              item->low[side], "most_run", item->high[side]);
    json_object_update_new(object, rates);
    return object;
}

static json_t* rows_of(const struct compare_item* item) {
    json_t* array = json_array();
    for (const struct compare_cell* cell = item->cells; cell != NULL; cell = cell->next)
        json_array_append_new(array, json_string(cell->row->key));
    return array;
}

static json_t* item_json(const struct compare* compare, const struct compare_item* item) {
    double spread = compare->options.spread >= 0 ? compare->options.spread : compare_spread(item);
    const char* novelty = item->kind == COMPARE_CLUSTER ? compare_novelty(item) : NULL;
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:f, s:f, s:o*, s:s, s:s*}", "kind",
                     compare_kind_text(item->kind), "what", output_json_text(item->what), "rows",
                     rows_of(item), "a", rate_json(item, 0), "b", rate_json(item, 1), "p", item->p,
                     "adjusted", item->adjusted, "spread",
                     compare->by_runs ? NULL : json_real(spread), "outcome",
                     compare_outcome_text(item->outcome), "novelty", novelty);
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
    char a[COMPARE_VERDICTS], b[COMPARE_VERDICTS];
    HASH_ITER(hh, compare->rows, row, next)
    json_array_append_new(
        array,
        json_pack("{s:o, s:o, s:o, s:s, s:o, s:o, s:b, s:b}", "case",
                  output_json_text(row->case_name), "mode", output_json_text(row->mode), "scope",
                  output_json_text(row->scope), "layer", oracle_layer_text(row->layer), "verdict_a",
                  output_json_text(compare_verdicts(compare, row, 0, a)), "verdict_b",
                  output_json_text(compare_verdicts(compare, row, 1, b)), "compared",
                  compare_is_common(compare, row), "new_death", compare_is_death(compare, row)));
    return array;
}

static const char* verdict_of(const struct compare* compare) {
    int status = compare_status(compare);
    if (status == RUNNER_EXIT_PASS) return "not worse";
    return status == RUNNER_EXIT_FAIL ? "worse" : "inconclusive";
}

// NULL leaves the key out.
static json_t* count_if(bool there, uint64_t count) {
    return there ? json_integer((json_int_t)count) : NULL;
}

int compare_json(const struct compare* compare, const char* path) {
    const size_t *tests = compare->tests, *candidates = compare->candidates;
    json_t* object = json_pack(
        "{s:i, s:o, s:o, s:f, s:s, s:I, s:I, s:I, s:I, s:I, s:o*, s:o*, s:o*, s:o, s:o}", "schema",
        SCHEMA, "a", side_json(&compare->sides[0]), "b", side_json(&compare->sides[1]), "level",
        compare->options.level, "method", compare->by_runs ? "permutation" : "counts",
        "tests_of_errors", (json_int_t)tests[COMPARE_ERRORS], "tests_of_refusals",
        (json_int_t)tests[COMPARE_REFUSALS], "candidates_of_errors",
        (json_int_t)candidates[COMPARE_ERRORS], "candidates_of_refusals",
        (json_int_t)candidates[COMPARE_REFUSALS], "rows_compared", (json_int_t)compare->common,
        "uneven", json_real(compare->uneven), "assignments",
        count_if(compare->by_runs, compare->assignments[COMPARE_ERRORS]), "runs_needed",
        count_if(compare->runs_needed != 0, compare->runs_needed), "tests", items_json(compare),
        "rows", rows_json(compare));
    const size_t *worse = compare->worse, *better = compare->better;
    json_t* result = json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s}", "worse", (json_int_t)worse[COMPARE_ERRORS],
        "better", (json_int_t)better[COMPARE_ERRORS], "worse_refusals",
        (json_int_t)worse[COMPARE_REFUSALS], "better_refusals",
        (json_int_t)better[COMPARE_REFUSALS], "rows_in_different_ways", (json_int_t)compare->ways,
        "rows_without_causes", (json_int_t)compare->without_causes, "new_deaths",
        (json_int_t)compare->deaths, "verdict", verdict_of(compare));
    json_object_update_new(object, result);
    return output_json(object, path);
}
