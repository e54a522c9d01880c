// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "page.h"

#include <stdlib.h>
#include <string.h>

#include "results/report/report.h"

static void set_text(json_t* object, const char* key, const char* text) {
    json_object_set_new(object, key, page_text(text));
}

static void set_count(json_t* object, const char* key, uint64_t count) {
    json_object_set_new(object, key, json_integer((json_int_t)count));
}

static void set_names(json_t* object, const struct results_execution* execution) {
    set_text(object, "case", execution->case_name);
    set_text(object, "mode", execution->mode);
    set_text(object, "scope", execution->scope);
}

// ---- Rows -------------------------------------------------------------------------------------

static uint64_t at_least(uint64_t count, uint64_t least) {
    return count < least ? least : count;
}

// {count, of, rate, low, high, limit, text}; a limit below 0: there is none.
static json_t* rate(uint64_t count, uint64_t of, struct oracle_interval interval, double limit) {
    char text[RESULTS_RATE_TEXT];
    json_t* object = json_object();
    set_count(object, "count", count);
    set_count(object, "of", of);
    json_object_set_new(object, "rate", json_real(of == 0 ? 0 : (double)count / (double)of));
    json_object_set_new(object, "low", json_real(interval.low));
    json_object_set_new(object, "high", json_real(interval.high));
    if (limit >= 0) json_object_set_new(object, "limit", json_real(limit));
    set_text(object, "text", results_rate_text(count, of, text));
    return object;
}

// Of what the walker answered: judged, undecided or refused.
static json_t* refused_rate(const struct results_row* row) {
    uint64_t refused = row->counts.verdict[ORACLE_REFUSED];
    uint64_t of = at_least(refused + row->judged + row->counts.verdict[ORACLE_UNDECIDED], refused);
    return rate(refused, of, oracle_interval(refused, of, 0.95), -1);
}

static json_t* refusals(const struct results_row* row) {
    json_t* object = json_object();
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++)
        if (row->counts.refused[r] != 0)
            set_count(object, oracle_refusal_text((enum oracle_refusal)r), row->counts.refused[r]);
    return object;
}

static json_t* mismatches(const struct results_row* row) {
    json_t* object = json_object();
    for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_WALKING_LAST; v++)
        if (row->counts.verdict[v] != 0)
            set_count(object, oracle_verdict_text((enum oracle_verdict)v), row->counts.verdict[v]);
    return object;
}

static json_t* row_data(const struct results_row* row) {
    json_t* object = json_object();
    set_names(object, row->execution);
    set_text(object, "layer", oracle_layer_text(row->layer));
    set_text(object, "verdict", results_row_verdict_text(row->verdict));
    set_count(object, "status",
              row->verdict == RESULTS_ROW_SKIP ? 0 : (unsigned)results_exit_status(row->verdict));
    set_text(object, "reason", row->reason);
    set_text(object, "note", row->note);
    json_object_set_new(object, "walking",
                        rate(row->mismatched, row->judged, row->interval, row->limit));
    json_object_set_new(
        object, "attribution",
        rate(row->attribution, row->judged, row->attribution_interval, row->attribution_limit));
    json_object_set_new(object, "refused", refused_rate(row));
    json_object_set_new(object, "codes", refusals(row));
    json_object_set_new(object, "mismatch", mismatches(row));
    set_count(object, "asked", row->counts.asked);
    set_count(object, "undecided", row->counts.verdict[ORACLE_UNDECIDED]);
    set_count(object, "no_answer", row->counts.verdict[ORACLE_NO_ANSWER]);
    set_count(object, "own_judged", row->own_judged);
    set_count(object, "own_mismatched", row->own_mismatched);
    json_object_set_new(object, "seconds", json_real(row->execution->seconds));
    return object;
}

static json_t* rows_data(const struct results_report* report, struct page_room* room) {
    json_t* array = json_array();
    for (size_t i = 0; i < report->row_count && room->rows != 0; i++, room->rows--)
        json_array_append_new(array, row_data(&report->rows[i]));
    return array;
}

// ---- Clusters ---------------------------------------------------------------------------------

static json_t* where_data(const struct results_group* group) {
    json_t* array = json_array();
    for (size_t i = 0; i < group->row_count && i < 64; i++) {
        json_t* object = json_object();
        set_names(object, group->rows[i].execution);
        set_count(object, "count", group->rows[i].count);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t* votes_data(const struct results_group* group) {
    json_t* object = json_object();
    for (int v = 0; v < RESULTS_VOTE_COUNT; v++)
        if (group->votes[v] != 0)
            set_count(object, results_vote_text((enum results_vote)v), group->votes[v]);
    return object;
}

static json_t* cluster_data(const struct results_report* report, const struct results_group* group,
                            struct page_room* room) {
    json_t* object = json_object();
    uint64_t judged = at_least(group->judged, group->count);
    set_text(object, "layer", oracle_layer_text(group->layer));
    set_text(object, "verdict", oracle_verdict_text(group->verdict));
    json_object_set_new(object, "walking", json_boolean(oracle_is_walking_error(group->verdict)));
    set_text(object, "relation", group->relation);
    set_text(object, "code", results_code_kind_text(group->code_kind));
    set_text(object, "region",
             group->region == RESULTS_REGION_NONE ? "" : results_region_text(group->region));
    set_text(object, "instruction", group->instruction);
    set_text(object, "name", group->name);
    json_object_set_new(
        object, "rate",
        rate(group->count, judged, oracle_interval(group->count, judged, 0.95), -1));
    set_count(object, "of", at_least(group->of, group->count));
    set_count(object, "kept", group->kept);
    json_object_set_new(object, "votes", votes_data(group));
    json_object_set_new(object, "where", where_data(group));
    set_count(object, "where_count", group->row_count);
    json_t* evidence = page_evidence(report, group, room);
    if (evidence != NULL) json_object_set_new(object, "evidence", evidence);
    return object;
}

static json_t* clusters_data(const struct results_report* report, struct page_room* room) {
    json_t* array = json_array();
    for (size_t i = 0; i < report->group_count && room->clusters != 0; i++, room->clusters--)
        json_array_append_new(array, cluster_data(report, &report->groups[i], room));
    return array;
}

// ---- Over time --------------------------------------------------------------------------------

static json_t* series_data(const struct results_series* series) {
    json_t *object = json_object(), *points = json_array();
    set_text(object, "case", series->case_name);
    set_text(object, "mode", series->mode);
    set_text(object, "scope", series->scope);
    set_text(object, "layer", oracle_layer_text(series->layer));
    size_t step = series->count / PAGE_POINTS + 1;
    for (size_t i = 0; i < series->count; i++) {
        const struct results_point* point = &series->points[i];
        if (i % step != 0 && i + 1 != series->count) continue;
        json_t* numbers = json_array();
        json_array_append_new(numbers, json_real(point->seconds));
        const uint64_t counts[] = {point->judged, point->mismatched, point->attribution,
                                   point->refused};
        for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++)
            json_array_append_new(numbers, json_integer((json_int_t)counts[j]));
        json_array_append_new(points, numbers);
    }
    json_object_set_new(object, "points", points);
    return object;
}

static json_t* all_series_data(const struct results_saved* saved, struct page_room* room) {
    json_t* array = json_array();
    for (size_t i = 0; i < saved->series_count && room->series != 0; i++, room->series--)
        json_array_append_new(array, series_data(&saved->series[i]));
    return array;
}

// ---- The whole --------------------------------------------------------------------------------

// "Linux 6.1 x86_64, 2 processors", as the file has it.
static void set_machine(json_t* object, const json_t* machine) {
    char text[512];
    const char *system = "", *kernel = "", *arch = "";
    json_int_t processors = 0;
    json_unpack((json_t*)(uintptr_t)machine, "{s?s, s?s, s?s, s?I}", "system", &system, "kernel",
                &kernel, "arch", &arch, "processors", &processors);
    snprintf(text, sizeof text, "%s %s %s, %lld processors", system, kernel, arch,
             (long long)processors);
    set_text(object, "machine", machine != NULL ? text : "");
}

static json_t* report_data(struct results_saved* const* saved, size_t count, size_t index,
                           struct page_room* room) {
    const struct results_report* report = &saved[index]->report;
    char* label = saved_label(saved, count, index);
    json_t* object = json_object();
    set_text(object, "label", label);
    set_text(object, "version", report->jdk_version);
    set_text(object, "vm", report->jdk_vm);
    set_text(object, "home", report->jdk_home);
    set_text(object, "command", report->command);
    set_text(object, "directory", report->directory);
    set_count(object, "seed", report->seed);
    set_text(object, "verdict", results_row_verdict_text(report->verdict));
    set_text(object, "summary", report->summary);
    set_machine(object, json_object_get(saved[index]->json, "machine"));
    json_object_set_new(object, "rows", rows_data(report, room));
    set_count(object, "row_count", report->row_count);
    json_object_set_new(object, "clusters", clusters_data(report, room));
    set_count(object, "cluster_count", report->group_count);
    set_count(object, "clusters_lost", report->clusters_lost);
    json_object_set_new(object, "series", all_series_data(saved[index], room));
    set_count(object, "missing", results_saved_missing(saved[index])[0] != '\0');
    free(label);
    return object;
}

static json_t* layers_data(void) {
    json_t* array = json_array();
    for (int i = 0; i < ORACLE_LAYER_COUNT; i++) {
        json_t* object = json_object();
        set_text(object, "name", oracle_layer_text((enum oracle_layer)i));
        set_text(object, "question", oracle_layer_question((enum oracle_layer)i));
        json_array_append_new(array, object);
    }
    return array;
}

json_t* page_data(struct results_saved* const* saved, size_t count) {
    struct page_room room = {.rows = PAGE_ROWS,
                             .clusters = PAGE_CLUSTERS,
                             .evidence = PAGE_EVIDENCE,
                             .series = PAGE_SERIES};
    json_t *object = json_object(), *reports = json_array();
    set_text(object, "verdict", results_row_verdict_text(saved_verdict(saved, count)));
    json_object_set_new(object, "layers", layers_data());
    for (size_t i = 0; i < count; i++) {
        // What one report leaves of its share the next may use.
        struct page_room share = {.rows = room.rows / (count - i),
                                  .clusters = room.clusters / (count - i),
                                  .evidence = room.evidence / (count - i),
                                  .series = room.series / (count - i)};
        struct page_room left = share;
        json_array_append_new(reports, report_data(saved, count, i, &left));
        room.rows -= share.rows - left.rows;
        room.clusters -= share.clusters - left.clusters;
        room.evidence -= share.evidence - left.evidence;
        room.series -= share.series - left.series;
    }
    json_object_set_new(object, "reports", reports);
    return object;
}
