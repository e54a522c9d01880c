// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "page.h"

#include <stdlib.h>
#include <string.h>

#include "put.h"

// ---- Rows -------------------------------------------------------------------------------------

static uint64_t at_least(uint64_t count, uint64_t least) {
    return count < least ? least : count;
}

// {count, of, rate, low, high, limit, text}; a limit below 0: there is none.
static json_t* rate(uint64_t count, uint64_t of, struct oracle_interval interval, double limit) {
    char text[RESULTS_RATE_TEXT];
    json_t* object = json_object();
    put_count(object, "count", count);
    put_count(object, "of", of);
    put_rate(object, count, of, interval);
    if (limit >= 0) put_real(object, "limit", limit);
    page_put(object, "text", results_rate_text(count, of, text));
    return object;
}

// Of what the walker answered: judged, undecided or refused.
static json_t* refused_rate(const struct results_row* row) {
    uint64_t refused = row->counts.verdict[ORACLE_REFUSED];
    uint64_t of = at_least(refused + row->judged + row->counts.verdict[ORACLE_UNDECIDED], refused);
    return rate(refused, of, oracle_interval(refused, of, 0.95), -1);
}

static json_t* row_data(const struct results_row* row) {
    json_t* object = json_object();
    page_names(object, row->execution);
    page_put(object, "layer", oracle_layer_text(row->layer));
    page_put(object, "verdict", results_row_verdict_text(row->verdict));
    put_count(object, "status",
              row->verdict == RESULTS_ROW_SKIP ? 0 : (unsigned)results_exit_status(row->verdict));
    page_put(object, "reason", row->reason);
    page_put(object, "note", row->note);
    json_object_set_new(object, "walking",
                        rate(row->mismatched, row->judged, row->interval, row->limit));
    json_object_set_new(
        object, "attribution",
        rate(row->attribution, row->judged, row->attribution_interval, row->attribution_limit));
    json_object_set_new(object, "unexplained",
                        rate(row->unexplained, row->judged,
                             oracle_interval(row->unexplained, row->judged, 0.95), row->limit));
    put_count(object, "known", row->known);
    put_real(object, "notices", row->notices);
    json_object_set_new(object, "refused", refused_rate(row));
    put_refusals(object, "codes", row->counts.refused);
    put_mismatches(object, "mismatch", row->counts.verdict);
    put_count(object, "asked", row->counts.asked);
    put_count(object, "undecided", row->counts.verdict[ORACLE_UNDECIDED]);
    put_count(object, "no_answer", row->counts.verdict[ORACLE_NO_ANSWER]);
    put_count(object, "own_judged", row->own_judged);
    put_count(object, "own_mismatched", row->own_mismatched);
    put_real(object, "seconds", row->execution->seconds);
    return object;
}

static json_t* rows_data(const struct results_report* report, struct page_room* room) {
    json_t* array = json_array();
    for (size_t i = 0; i < report->row_count && room->rows != 0; i++, room->rows--)
        json_array_append_new(array, row_data(&report->rows[i]));
    return array;
}

// ---- Causes and pools -------------------------------------------------------------------------

static json_t* known_data(const struct results_report* report) {
    json_t* array = json_array();
    for (size_t i = 0; i < report->known_count; i++) {
        const struct results_known* known = &report->known[i];
        json_t* object = json_object();
        page_put(object, "layer", oracle_layer_text(known->layer));
        page_put(object, "cause", known->name);
        page_put(object, "title", known->title);
        page_put(object, "finding", known->finding);
        page_put(object, "bug", known->bug);
        json_object_set_new(object, "rate",
                            rate(known->count, known->judged,
                                 oracle_interval(known->count, known->judged, 0.95), -1));
        put_count(object, "unmeasured", known->unmeasured);
        put_count(object, "cases", known->cases);
        json_array_append_new(array, object);
    }
    return array;
}

static uint64_t walking_errors(const struct results_report* report) {
    uint64_t sum = 0;
    for (size_t i = 0; i < report->row_count; i++) sum += report->rows[i].mismatched;
    return sum;
}

static json_t* pools_data(const struct results_report* report) {
    json_t* array = json_array();
    for (size_t i = 0; i < report->pool_count; i++) {
        const struct results_pool* pool = &report->pools[i];
        char notices[RESULTS_PERCENT_TEXT];
        json_t* object = json_object();
        page_put(object, "layer", oracle_layer_text(pool->layer));
        page_put(object, "mode", pool->mode);
        put_count(object, "rows", pool->rows);
        json_object_set_new(object, "rate",
                            rate(pool->unexplained, pool->judged, pool->interval, pool->limit));
        page_put(object, "notices", results_percent_text(pool->notices, notices));
        page_put(object, "median", results_percent_text(pool->row_notices, notices));
        page_put(object, "worst", results_percent_text(pool->row_blindest, notices));
        json_object_set_new(object, "failed", json_boolean(pool->failed));
        json_array_append_new(array, object);
    }
    return array;
}

// ---- Clusters ---------------------------------------------------------------------------------

static json_t* where_data(const struct results_group* group) {
    json_t* array = json_array();
    for (size_t i = 0; i < group->row_count && i < 64; i++) {
        json_t* object = json_object();
        page_names(object, group->rows[i].execution);
        put_count(object, "count", group->rows[i].count);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t* cluster_data(const struct results_report* report, const struct results_group* group,
                            struct page_room* room) {
    json_t* object = json_object();
    uint64_t judged = at_least(group->judged, group->count);
    page_put(object, "layer", oracle_layer_text(group->layer));
    page_put(object, "verdict", oracle_verdict_text(group->verdict));
    json_object_set_new(object, "walking", json_boolean(oracle_is_walking_error(group->verdict)));
    page_put(object, "relation", group->relation);
    page_put(object, "code", results_code_kind_text(group->code_kind));
    page_put(object, "region",
             group->region == RESULTS_REGION_NONE ? "" : results_region_text(group->region));
    page_put(object, "instruction", group->instruction);
    page_put(object, "name", group->name);
    page_put(object, "cause", group->cause);
    json_object_set_new(
        object, "rate",
        rate(group->count, judged, oracle_interval(group->count, judged, 0.95), -1));
    put_count(object, "of", at_least(group->of, group->count));
    put_count(object, "kept", group->kept);
    put_votes(object, "votes", group->votes);
    json_object_set_new(object, "where", where_data(group));
    put_count(object, "where_count", group->row_count);
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
    page_put(object, "case", series->case_name);
    page_put(object, "mode", series->mode);
    page_put(object, "scope", series->scope);
    page_put(object, "layer", oracle_layer_text(series->layer));
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

static uint64_t errors_of(const struct results_series* series) {
    return series->count == 0 ? 0 : series->points[series->count - 1].mismatched;
}

// Those with most errors first.
static int by_errors(const void* a, const void* b) {
    const struct results_series* const* one = a;
    const struct results_series* const* other = b;
    uint64_t x = errors_of(*one), y = errors_of(*other);
    if (x != y) return x > y ? -1 : 1;
    return *one < *other ? -1 : 1; // in the order of the report
}

static json_t* all_series_data(const struct results_saved* saved, struct page_room* room) {
    json_t* array = json_array();
    const struct results_series** sorted = calloc(saved->series_count + 1, sizeof *sorted);
    if (sorted == NULL) return array;
    for (size_t i = 0; i < saved->series_count; i++) sorted[i] = &saved->series[i];
    qsort(sorted, saved->series_count, sizeof *sorted, by_errors);
    for (size_t i = 0; i < saved->series_count && room->series != 0; i++, room->series--)
        json_array_append_new(array, series_data(sorted[i]));
    free(sorted);
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
    page_put(object, "machine", machine != NULL ? text : "");
}

static json_t* report_data(struct results_saved* const* saved, size_t count, size_t index,
                           struct page_room* room) {
    const struct results_report* report = &saved[index]->report;
    char* label = saved_label(saved, count, index);
    json_t* object = json_object();
    page_put(object, "label", label);
    page_put(object, "version", report->jdk_version);
    page_put(object, "vm", report->jdk_vm);
    page_put(object, "home", report->jdk_home);
    page_put(object, "command", report->command);
    page_put(object, "directory", report->directory);
    put_count(object, "seed", report->seed);
    page_put(object, "plumbline", report->plumbline != NULL ? report->plumbline : "");
    page_put(object, "verdict", results_row_verdict_text(report->verdict));
    page_put(object, "summary", report->summary);
    set_machine(object, json_object_get(saved[index]->json, "machine"));
    json_object_set_new(object, "known", known_data(report));
    put_count(object, "walking_errors", walking_errors(report));
    json_object_set_new(object, "pools", pools_data(report));
    json_object_set_new(object, "rows", rows_data(report, room));
    put_count(object, "row_count", report->row_count);
    json_object_set_new(object, "clusters", clusters_data(report, room));
    put_count(object, "cluster_count", report->group_count);
    put_count(object, "clusters_lost", report->clusters_lost);
    page_flames(object, saved[index], room);
    json_object_set_new(object, "series", all_series_data(saved[index], room));
    put_count(object, "series_count", saved[index]->series_count);
    put_count(object, "missing", results_saved_missing(saved[index])[0] != '\0');
    free(label);
    return object;
}

static json_t* layers_data(void) {
    json_t* array = json_array();
    for (int i = 0; i < ORACLE_LAYER_COUNT; i++) {
        json_t* object = json_object();
        page_put(object, "name", oracle_layer_text((enum oracle_layer)i));
        page_put(object, "question", oracle_layer_question((enum oracle_layer)i));
        json_array_append_new(array, object);
    }
    return array;
}

json_t* page_data(struct results_saved* const* saved, size_t count) {
    struct page_room room = {.rows = PAGE_ROWS,
                             .clusters = PAGE_CLUSTERS,
                             .evidence = PAGE_EVIDENCE,
                             .series = PAGE_SERIES,
                             .flames = PAGE_FLAMES};
    json_t *object = json_object(), *reports = json_array();
    page_put(object, "verdict", results_row_verdict_text(saved_verdict(saved, count)));
    json_object_set_new(object, "layers", layers_data());
    for (size_t i = 0; i < count; i++) {
        // What one report leaves of its share the next may use.
        struct page_room share = {.rows = room.rows / (count - i),
                                  .clusters = room.clusters / (count - i),
                                  .evidence = room.evidence / (count - i),
                                  .series = room.series / (count - i),
                                  .flames = room.flames / (count - i)};
        struct page_room left = share;
        json_array_append_new(reports, report_data(saved, count, i, &left));
        room.rows -= share.rows - left.rows;
        room.clusters -= share.clusters - left.clusters;
        room.evidence -= share.evidence - left.evidence;
        room.series -= share.series - left.series;
        room.flames -= share.flames - left.flames;
    }
    json_object_set_new(object, "reports", reports);
    return object;
}
