// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Coverage, votes, clusters and scopes as JSON. Keys stand in README.md.

#include <string.h>

#include "put.h"
#include "texts.h"

void detail_names(json_t* object, const struct results_execution* execution) {
    put_text(object, "case", execution->case_name);
    put_text(object, "mode", execution->mode);
    put_text(object, "scope", execution->scope);
}

static void set_rate(json_t* object, uint64_t events, uint64_t trials) {
    if (events > trials) trials = events;
    put_rate(object, events, trials, oracle_interval(events, trials, 0.95));
}

// ---- Coverage ---------------------------------------------------------------------------------

// NULL for a cell that nothing reached.
static json_t* cell_json(const struct results_cell* cell) {
    if (cell->judged == 0 && cell->refused == 0) return NULL;
    json_t* object = json_object();
    put_count(object, "judged", cell->judged);
    put_count(object, "refused", cell->refused);
    put_count(object, "mismatched", cell->mismatched);
    return object;
}

static void set_cell(json_t* object, const char* key, const struct results_cell* cell) {
    json_t* value = cell_json(cell);
    if (value != NULL) json_object_set_new(object, key, value);
}

static json_t* codes(const struct results_coverage* coverage) {
    json_t* object = json_object();
    for (int k = 0; k < RESULTS_CODE_KIND_COUNT; k++) {
        json_t* kind = json_object();
        for (int r = 0; r < RESULTS_REGION_COUNT; r++)
            set_cell(kind, results_region_text((enum results_region)r), &coverage->code[k][r]);
        if (json_object_size(kind) == 0) json_decref(kind);
        else json_object_set_new(object, results_code_kind_text((enum results_code_kind)k), kind);
    }
    return object;
}

static json_t* depths(const struct results_coverage* coverage) {
    json_t* object = json_object();
    for (int i = 0; i < RESULTS_DEPTHS; i++) {
        char key[16]; // the least depth of the cell
        snprintf(key, sizeof key, "%u", 1u << i);
        set_cell(object, key, &coverage->depth[i]);
    }
    return object;
}

static json_t* states(const struct results_coverage* coverage) {
    json_t* object = json_object();
    for (int i = 0; i < RESULTS_THREAD_STATE_COUNT; i++)
        set_cell(object, results_thread_state_text((enum results_thread_state)i),
                 &coverage->state[i]);
    return object;
}

static json_t* stubs(const struct results_coverage* coverage) {
    json_t* object = json_object();
    for (int i = 0; i < RESULTS_STUBS; i++) {
        char name[RESULTS_STUB_NAME];
        // A name that is no UTF-8, from a dying JVM's memory, is left out.
        if (coverage_stub_name(&coverage->stubs[i], name))
            set_cell(object, name, &coverage->stubs[i].cell);
    }
    return object;
}

static json_t* wanted(const struct results_execution* execution) {
    json_t* array = json_array();
    for (size_t i = 0; i < execution->wanted_count; i++) {
        json_t* object = json_object();
        put_text(object, "cell", execution->wanted[i].text);
        put_count(object, "samples", coverage_wanted(execution->run, &execution->wanted[i]));
        json_array_append_new(array, object);
    }
    return array;
}

json_t* detail_coverage(const struct results_row* row) {
    const struct results_run* run = row->execution->run;
    json_t* object = json_object();
    json_object_set_new(object, "known", json_boolean(coverage_is_known(run)));
    json_object_set_new(object, "code", codes(&run->coverage));
    json_object_set_new(object, "depth", depths(&run->coverage));
    json_object_set_new(object, "state", states(&run->coverage));
    json_object_set_new(object, "stub", stubs(&run->coverage));
    put_count(object, "stub_lost", run->coverage.stubs_lost);
    json_object_set_new(object, "wanted", wanted(row->execution));
    return object;
}

// ---- All rows together ------------------------------------------------------------------------

json_t* detail_known(const struct results_report* report) {
    json_t* array = json_array();
    for (size_t i = 0; i < report->known_count; i++) {
        const struct results_known* known = &report->known[i];
        json_t* object = json_object();
        put_text(object, "cause", known->name);
        put_text(object, "layer", oracle_layer_text(known->layer));
        put_text(object, "title", known->title);
        put_text(object, "finding", known->finding);
        put_text(object, "bug", known->bug);
        put_count(object, "count", known->count);
        put_count(object, "judged", known->judged);
        set_rate(object, known->count, known->judged);
        put_count(object, "unmeasured", known->unmeasured);
        put_count(object, "cases", known->cases);
        json_array_append_new(array, object);
    }
    return array;
}

json_t* detail_pools(const struct results_report* report) {
    json_t* array = json_array();
    for (size_t i = 0; i < report->pool_count; i++) {
        const struct results_pool* pool = &report->pools[i];
        json_t* object = json_object();
        put_text(object, "mode", pool->mode);
        put_text(object, "layer", oracle_layer_text(pool->layer));
        put_count(object, "rows", pool->rows);
        put_count(object, "unexplained", pool->unexplained);
        put_count(object, "judged", pool->judged);
        put_rate(object, pool->unexplained, pool->judged, pool->interval);
        put_real(object, "limit", pool->limit);
        put_real(object, "notices", pool->notices);
        put_real(object, "row_notices", pool->row_notices);
        put_real(object, "row_blindest", pool->row_blindest);
        json_object_set_new(object, "failed", json_boolean(pool->failed));
        json_array_append_new(array, object);
    }
    return array;
}

// ---- Votes and clusters -----------------------------------------------------------------------

static json_t* group_rows(const struct results_group* group) {
    json_t* array = json_array();
    for (size_t i = 0; i < group->row_count; i++) {
        json_t* object = json_object();
        detail_names(object, group->rows[i].execution);
        put_count(object, "count", group->rows[i].count);
        json_array_append_new(array, object);
    }
    return array;
}

// The mismatch that shows what the cluster is: its number in the record of which of `jvms`.
static json_t* example_json(const struct results_report* report,
                            const struct results_group* group) {
    json_t* object = json_object();
    put_count(object, "jvm", (uint64_t)(group->example - report->executions));
    put_count(object, "sequence", group->example_sequence);
    return object;
}

static json_t* group_json(const struct results_report* report, const struct results_group* group) {
    json_t* object = json_object();
    put_text(object, "layer", oracle_layer_text(group->layer));
    put_text(object, "verdict", oracle_verdict_text(group->verdict));
    json_object_set_new(object, "walking", json_boolean(oracle_is_walking_error(group->verdict)));
    put_text(object, "code", results_code_kind_text(group->code_kind));
    put_text(object, "region", results_region_text(group->region));
    put_text(object, "instruction", group->instruction);
    put_text(object, "name", group->name);
    put_text(object, "relation", group->relation);
    put_text(object, "cause", group->cause);
    put_count(object, "count", group->count);
    put_count(object, "of", group->of);
    put_count(object, "judged", group->judged);
    set_rate(object, group->count, group->judged);
    put_count(object, "kept", group->kept);
    put_votes(object, "votes", group->votes);
    json_object_set_new(object, "rows", group_rows(group));
    if (group->example != NULL) json_object_set_new(object, "example", example_json(report, group));
    return object;
}

json_t* detail_clusters(const struct results_report* report) {
    json_t* array = json_array();
    for (size_t i = 0; i < report->group_count; i++)
        json_array_append_new(array, group_json(report, &report->groups[i]));
    return array;
}

// ---- The observer -----------------------------------------------------------------------------

static void set_row_rate(json_t* object, const char* key, const struct results_row* row,
                         uint64_t events) {
    if (row == NULL) return;
    json_t* rate = json_object();
    put_count(rate, "count", events);
    put_count(rate, "judged", row->judged);
    set_rate(rate, events, row->judged);
    json_object_set_new(object, key, rate);
}

void detail_inlined(json_t* object, const struct results_execution* execution) {
    for (unsigned i = 0; i < RESULTS_COMPILERS; i++) {
        const struct results_inlined* inlined = &execution->inlined[i];
        if (inlined->bare == 0) continue;
        json_t* counts = json_object();
        put_count(counts, "bare", inlined->bare);
        put_count(counts, "compiled", inlined->compiled);
        put_count(counts, "kept", inlined->kept);
        json_object_set_new(object, texts_inlined(i), counts);
    }
}

static json_t* cell_of_scope(const struct observer_cell* cell) {
    const struct results_execution* execution = cell->execution;
    json_t* object = json_object();
    detail_names(object, execution);
    set_row_rate(object, "async", cell->async, cell->async ? cell->async->mismatched : 0);
    set_row_rate(object, "attribution", cell->async, cell->async ? cell->async->attribution : 0);
    set_row_rate(object, "structure", cell->structure,
                 cell->structure ? cell->structure->mismatched : 0);
    set_row_rate(object, "sandwich", cell->sandwich,
                 cell->sandwich ? cell->sandwich->mismatched : 0);
    put_count(object, "refused", cell->refused);
    put_count(object, "answered", cell->answered);
    put_real(object, "seconds", execution->seconds);
    put_count(object, "units", execution->units);
    put_real(object, "units_per_second", cell->speed);
    if (cell->relative > 0) put_real(object, "speed_of_none", cell->relative);
    return object;
}

json_t* detail_observer(const struct results_report* report) {
    json_t* array = json_array();
    if (!observer_is_asked(report)) return array;
    for (size_t i = 0; i < report->execution_count; i++) {
        struct observer_cell cells[OBSERVER_SCOPES];
        size_t count = observer_cells(report, i, cells, OBSERVER_SCOPES);
        for (size_t j = 0; j < count; j++) json_array_append_new(array, cell_of_scope(&cells[j]));
    }
    return array;
}
