// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Counters at intervals, out of the records that lie beside the run files: rates over time.
#include <stdlib.h>
#include <string.h>

#include "saved.h"

// Of one run, as many as a chart of any width has use for: two minutes as the agent counts. A
// longer run has them further apart.
#define POINTS_MAX 4096u

// The points of one run, layer by layer: each step-th of those seen, and the newest.
struct growing {
    struct results_point* points[ORACLE_LAYER_COUNT];
    size_t count, room, seen, step;
    bool failed; // no memory
};

// `values`: a layer's own, in the order of results_counters_take.
static struct results_point point_of(const uint64_t* values, uint64_t time_ns) {
    const uint64_t* verdicts = values + 2; // behind asked and answered
    uint64_t mismatched = results_sum(verdicts, RESULTS_WALKING_ERRORS);
    uint64_t attribution = verdicts[ORACLE_ATTRIBUTION];
    return (struct results_point){.seconds = (double)time_ns / 1e9,
                                  .judged = verdicts[ORACLE_AGREE] + verdicts[ORACLE_TRANSITION] +
                                            mismatched + attribution,
                                  .mismatched = mismatched,
                                  .attribution = attribution,
                                  .refused = verdicts[ORACLE_REFUSED]};
}

static bool grow(struct growing* growing) {
    size_t room = growing->room == 0 ? 64 : growing->room * 2;
    for (int layer = 0; layer < ORACLE_LAYER_COUNT; layer++) {
        void* more = realloc(growing->points[layer], room * sizeof(struct results_point));
        if (more == NULL) return false;
        growing->points[layer] = more;
    }
    growing->room = room;
    return true;
}

// Leaves out every second point.
static void thin(struct growing* growing) {
    growing->count = (growing->count + 1) / 2;
    growing->step *= 2;
    for (int layer = 0; layer < ORACLE_LAYER_COUNT; layer++)
        for (size_t i = 1; i < growing->count; i++)
            growing->points[layer][i] = growing->points[layer][2 * i];
}

static void make_room(struct growing* growing) {
    if (growing->seen != 0 && (growing->seen - 1) % growing->step != 0) growing->count--;
    else if (growing->count == POINTS_MAX) thin(growing);
    if (growing->count == growing->room && !grow(growing)) growing->failed = true;
}

static void take_counters(void* context, uint64_t time_ns, bool full,
                          const uint64_t values[RESULTS_COUNTERS]) {
    struct growing* growing = context;
    (void)full; // values are the whole in either case
    if (growing->failed) return;
    make_room(growing);
    if (growing->failed) return;
    for (int layer = 0; layer < ORACLE_LAYER_COUNT; layer++)
        growing->points[layer][growing->count] =
            point_of(values + layer * RESULTS_COUNTERS_OF_LAYER, time_ns);
    growing->count++;
    growing->seen++;
}

int results_saved_add_series(struct results_saved* saved, const struct results_series* series) {
    const struct results_execution* execution =
        saved_find(saved, series->case_name, series->mode, series->scope);
    if (execution == NULL) return 0; // of a run that the report does not have
    struct results_series* more =
        realloc(saved->series, (saved->series_count + 1) * sizeof *saved->series);
    if (more == NULL) return -1;
    saved->series = more;
    struct results_point* points = calloc(series->count + 1, sizeof *points);
    if (points == NULL) return -1;
    if (series->count != 0) memcpy(points, series->points, series->count * sizeof *points);
    // The names are the report's own: the caller's may go.
    more[saved->series_count++] =
        (struct results_series){execution->case_name, execution->mode, execution->scope,
                                series->layer,        points,          series->count};
    return 0;
}

// The layers that are sampled; checks at pushes find what they find at a time of their own choice.
static int add_series(struct results_saved* saved, const struct results_execution* execution,
                      const struct growing* growing) {
    for (int layer = ORACLE_LAYER_ASYNC; layer < ORACLE_LAYER_COUNT; layer++) {
        if ((execution->layers & 1u << layer) == 0) continue;
        const struct results_series series = {execution->case_name,   execution->mode,
                                              execution->scope,       (enum oracle_layer)layer,
                                              growing->points[layer], growing->count};
        if (results_saved_add_series(saved, &series) != 0) return -1;
    }
    return 0;
}

static int take_record(struct results_saved* saved, const struct results_execution* execution) {
    struct growing growing = {.step = 1};
    const struct results_record_visitor visitor = {.context = &growing, .counters = take_counters};
    int result = results_record_each(execution->record, &visitor);
    if (growing.failed) result = -1;
    if (result == 0 && growing.count > 1) result = add_series(saved, execution, &growing);
    for (int layer = 0; layer < ORACLE_LAYER_COUNT; layer++) free(growing.points[layer]);
    return result;
}

int saved_take_series(struct results_saved* saved) {
    for (size_t i = 0; i < saved->report.execution_count; i++)
        if (saved->executions[i].record != NULL && take_record(saved, &saved->executions[i]) != 0)
            return -1;
    return 0;
}
