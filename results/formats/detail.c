// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Coverage, votes, clusters and scopes as JSON. Keys stand in README.md.
#include "detail.h"

#include <string.h>

#include "results/report/report.h"

static void set_count(json_t* object, const char* key, uint64_t value) {
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

// Names may come from a dying JVM's memory: what is no UTF-8 becomes "?".
static void set_text(json_t* object, const char* key, const char* text) {
    json_t* value = json_string(text);
    json_object_set_new(object, key, value != NULL ? value : json_string("?"));
}

static void set_rate(json_t* object, uint64_t events, uint64_t trials) {
    if (events > trials) trials = events;
    struct oracle_interval interval = oracle_interval(events, trials, 0.95);
    json_object_set_new(object, "rate",
                        json_real(trials == 0 ? 0 : (double)events / (double)trials));
    json_object_set_new(object, "low", json_real(interval.low));
    json_object_set_new(object, "high", json_real(interval.high));
}

// ---- Coverage ---------------------------------------------------------------------------------

// NULL for a cell that nothing reached.
static json_t* cell_json(const struct results_cell* cell) {
    if (cell->judged == 0 && cell->refused == 0) return NULL;
    json_t* object = json_object();
    set_count(object, "judged", cell->judged);
    set_count(object, "refused", cell->refused);
    set_count(object, "mismatched", cell->mismatched);
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
        set_text(object, "cell", execution->wanted[i].text);
        set_count(object, "samples", coverage_wanted(execution->run, &execution->wanted[i]));
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
    set_count(object, "stub_lost", run->coverage.stubs_lost);
    json_object_set_new(object, "wanted", wanted(row->execution));
    return object;
}

// ---- Votes and clusters -----------------------------------------------------------------------

static json_t* votes_json(const uint64_t votes[RESULTS_VOTE_COUNT]) {
    json_t* object = json_object();
    for (int v = 0; v < RESULTS_VOTE_COUNT; v++)
        if (votes[v] != 0) set_count(object, results_vote_text((enum results_vote)v), votes[v]);
    return object;
}

json_t* detail_votes(const struct results_report* report, const struct results_row* row) {
    return votes_json(results_votes(report, row));
}

static json_t* group_rows(const struct results_group* group) {
    json_t* array = json_array();
    for (size_t i = 0; i < group->row_count; i++) {
        json_t* object = json_object();
        set_text(object, "case", group->rows[i].execution->case_name);
        set_text(object, "mode", group->rows[i].execution->mode);
        set_text(object, "scope", group->rows[i].execution->scope);
        set_count(object, "count", group->rows[i].count);
        json_array_append_new(array, object);
    }
    return array;
}

// The mismatch that shows what the cluster is: its number in the record of which of `jvms`.
static json_t* example_json(const struct results_report* report,
                            const struct results_group* group) {
    json_t* object = json_object();
    set_count(object, "jvm", (uint64_t)(group->example - report->executions));
    set_count(object, "sequence", group->example_sequence);
    return object;
}

static json_t* group_json(const struct results_report* report, const struct results_group* group) {
    json_t* object = json_object();
    set_text(object, "layer", oracle_layer_text(group->layer));
    set_text(object, "verdict", oracle_verdict_text(group->verdict));
    json_object_set_new(object, "walking", json_boolean(oracle_is_walking_error(group->verdict)));
    set_text(object, "code", results_code_kind_text(group->code_kind));
    set_text(object, "region", results_region_text(group->region));
    set_text(object, "instruction", group->instruction);
    set_text(object, "name", group->name);
    set_text(object, "relation", group->relation);
    set_count(object, "count", group->count);
    set_count(object, "of", group->of);
    set_count(object, "judged", group->judged);
    set_rate(object, group->count, group->judged);
    set_count(object, "kept", group->kept);
    json_object_set_new(object, "votes", votes_json(group->votes));
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
    set_count(rate, "count", events);
    set_count(rate, "judged", row->judged);
    set_rate(rate, events, row->judged);
    json_object_set_new(object, key, rate);
}

static json_t* cell_of_scope(const struct observer_cell* cell) {
    const struct results_execution* execution = cell->execution;
    json_t* object = json_object();
    set_text(object, "case", execution->case_name);
    set_text(object, "mode", execution->mode);
    set_text(object, "scope", execution->scope);
    set_row_rate(object, "async", cell->async, cell->async ? cell->async->mismatched : 0);
    set_row_rate(object, "attribution", cell->async, cell->async ? cell->async->attribution : 0);
    set_row_rate(object, "structure", cell->structure,
                 cell->structure ? cell->structure->mismatched : 0);
    set_row_rate(object, "sandwich", cell->sandwich,
                 cell->sandwich ? cell->sandwich->mismatched : 0);
    set_count(object, "refused", cell->refused);
    set_count(object, "answered", cell->answered);
    json_object_set_new(object, "seconds", json_real(execution->seconds));
    set_count(object, "units", execution->units);
    json_object_set_new(object, "units_per_second", json_real(cell->speed));
    if (cell->relative > 0) json_object_set_new(object, "speed_of_none", json_real(cell->relative));
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
