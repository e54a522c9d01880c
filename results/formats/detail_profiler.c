// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "put.h"

static json_t* paired(const struct results_run* run) {
    json_t* object = json_object();
    for (int a = 0; a < RESULTS_OUTCOME_COUNT; a++) {
        json_t* line = json_object();
        for (int b = 0; b < RESULTS_OUTCOME_COUNT; b++)
            put_count(line, results_outcome_text((enum results_outcome)b),
                      run->profiler_paired[a][b]);
        json_object_set_new(object, results_outcome_text((enum results_outcome)a), line);
    }
    return object;
}

static json_t* biased(const struct results_run* run) {
    json_t* object = json_object();
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++)
        if (run->profiler_biased_verdict[v] != 0)
            put_count(object, oracle_verdict_text((enum oracle_verdict)v),
                      run->profiler_biased_verdict[v]);
    return object;
}

static json_t* distances(const struct results_run* run) {
    json_t* object = json_object();
    for (int d = 0; d < RESULTS_DISTANCE_COUNT; d++) {
        json_t* distance = json_object();
        put_real(distance, "value", run->profiler_distance[d].value);
        put_real(distance, "low", run->profiler_distance[d].low);
        put_real(distance, "high", run->profiler_distance[d].high);
        json_object_set_new(object, results_distance_text((enum results_distance_kind)d), distance);
    }
    return object;
}

json_t* detail_profiler(const struct results_run* run) {
    json_t* object = json_object();
    put_bytes(object, "name", run->profiler, sizeof run->profiler);
    put_count(object, "signals", run->instants);
    put_count(object, "recorded", run->instants_recorded);
    put_count(object, "samples", run->profiler_samples);
    put_count(object, "joined", run->profiler_joined);
    put_count(object, "doubled", run->profiler_doubled);
    put_count(object, "unmatched", run->profiler_unmatched);
    put_count(object, "ambiguous", run->profiler_ambiguous);
    put_count(object, "astray", results_astray(run));
    put_count(object, "foreign", run->profiler_foreign);
    put_count(object, "stray", run->profiler_stray);
    put_count(object, "cut", run->profiler_truncated);
    put_count(object, "lost", run->profiler_lost);
    put_count(object, "silent", run->profiler_silent);
    json_object_set_new(object, "biased", biased(run));
    json_object_set_new(object, "paired", paired(run));
    json_object_set_new(object, "distance", distances(run));
    return object;
}
