// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The page as JSON. README.md has its members.
#include <jansson.h>

#include "oracle/oracle.h"
#include "profile_parts.h"

#define SCHEMA 1

static void put_count(json_t* object, const char* key, uint64_t count) {
    json_object_set_new(object, key, json_integer((json_int_t)count));
}

static void put_text(json_t* object, const char* key, const char* text) {
    json_object_set_new(object, key, output_json_text(text));
}

// "count", "of", "low" and "high"; the ends of the interval are fractions.
static void put_rate(json_t* object, const char* key, uint64_t count, uint64_t of) {
    json_t* rate = json_object();
    put_count(rate, "count", count);
    put_count(rate, "of", of);
    if (of != 0 && count <= of) {
        struct oracle_interval interval = oracle_interval(count, of, 0.95);
        json_object_set_new(rate, "low", json_real(interval.low));
        json_object_set_new(rate, "high", json_real(interval.high));
    }
    json_object_set_new(object, key, rate);
}

static json_t* fits(const struct results_profile* p) {
    json_t* object = json_object();
    for (int f = 0; f < RESULTS_FIT_COUNT; f++)
        put_count(object, results_fit_text((enum results_fit)f), p->fits[f]);
    return object;
}

static json_t* verdicts(const uint64_t counts[ORACLE_VERDICT_COUNT]) {
    json_t* object = json_object();
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++)
        if (counts[v] != 0)
            put_count(object, oracle_verdict_text((enum oracle_verdict)v), counts[v]);
    return object;
}

static json_t* causes(const struct profile_page* page, const struct results_profile* p) {
    json_t* object = json_object();
    for (uint32_t i = 0; i < RESULTS_CAUSES; i++)
        if (p->layer.cause[i] != 0)
            put_rate(object, results_profile_cause(page->causes, i), p->layer.cause[i],
                     results_judged(&p->layer));
    return object;
}

static json_t* distances(const struct results_profile* p) {
    json_t* object = json_object();
    for (int d = 0; d < RESULTS_DISTANCE_COUNT; d++) {
        json_t* distance = json_object();
        json_object_set_new(distance, "value", json_real(p->distance[d].value));
        json_object_set_new(distance, "low", json_real(p->distance[d].low));
        json_object_set_new(distance, "high", json_real(p->distance[d].high));
        json_object_set_new(object, results_distance_text((enum results_distance_kind)d), distance);
    }
    return object;
}

static json_t* methods(const struct results_profile* p) {
    json_t* array = json_array();
    for (size_t i = 0; i < p->share_count; i++) {
        const struct results_share* share = &p->shares[i];
        json_t* object = json_object();
        put_text(object, "name", share->name);
        put_count(object, "truth_self", share->truth_self);
        put_count(object, "truth_total", share->truth_total);
        put_count(object, "sampled_self", share->sampled_self);
        put_count(object, "sampled_total", share->sampled_total);
        put_count(object, "given_self", share->given_self);
        put_count(object, "given_total", share->given_total);
        json_array_append_new(array, object);
    }
    return array;
}

static void put_profile(json_t* object, const struct profile_page* page,
                        const struct results_profile* p) {
    uint64_t judged = results_judged(&p->layer);
    put_count(object, "signals", p->instants + p->unrecorded);
    put_count(object, "unrecorded", p->unrecorded);
    put_count(object, "samples", p->samples);
    json_object_set_new(object, "fits", fits(p));
    put_rate(object, "delivered", p->fits[RESULTS_FIT_JOINED], p->instants);
    put_rate(object, "lost_as_told", p->lost - p->excess, p->instants);
    put_rate(object, "lost_silently", p->silent, p->instants);
    put_count(object, "lost_elsewhere", p->excess);
    put_count(object, "coalesced", p->coalesced);
    put_count(object, "judged", judged);
    json_object_set_new(object, "verdicts", verdicts(p->layer.verdict));
    put_rate(object, "right", results_profile_right(p), judged);
    put_rate(object, "attribution", p->layer.verdict[ORACLE_ATTRIBUTION], judged);
    put_rate(object, "walking_errors", results_mismatched(&p->layer), judged);
    json_object_set_new(object, "causes", causes(page, p));
    put_rate(object, "cut", p->truncated, judged);
    put_rate(object, "biased", p->biased, p->fits[RESULTS_FIT_JOINED]);
    put_count(object, "biased_own", p->biased_own);
    json_object_set_new(object, "biased_verdicts", verdicts(p->biased_verdict));
    put_count(object, "biased_later", p->biased_later);
    put_count(object, "truths", p->truths);
    put_count(object, "stacks", p->stacks);
    json_object_set_new(object, "distances", distances(p));
    put_text(object, "hottest_truth", profile_hottest_truth(p));
    put_text(object, "hottest_given", profile_hottest_given(p));
    json_object_set_new(object, "methods", methods(p));
}

static json_t* part_json(const struct profile_page* page, const struct profile_part* part) {
    static const char* const ends[] = {
        [RESULTS_END_SKIPPED] = "skipped",     [RESULTS_END_FAILED] = "failed",
        [RESULTS_END_EXITED] = "exited",       [RESULTS_END_SIGNALLED] = "signalled",
        [RESULTS_END_TIMED_OUT] = "timed_out", [RESULTS_END_INTERRUPTED] = "interrupted"};
    json_t* object = json_object();
    put_text(object, "profiler", part->name);
    put_text(object, "about", part->about);
    put_text(object, "directory", part->out);
    json_object_set_new(object, "ran", json_boolean(part->ran));
    put_text(object, "end", ends[part->end]);
    json_object_set_new(object, "status", json_integer(part->status));
    json_object_set_new(object, "seconds", json_real(part->seconds));
    put_text(object, "verdict", results_row_verdict_text(part->verdict));
    put_text(object, "reason", part->why);
    json_object_set_new(object, "exit_status", json_integer(part->exit_status));
    if (part->judged) put_profile(object, page, &part->profile);
    return object;
}

struct json_t* profile_page_json(const struct profile_page* page) {
    json_t* object = json_object();
    json_t* array = json_array();
    put_count(object, "schema", SCHEMA);
    put_text(object, "command", page->line);
    put_text(object, "program", page->program);
    put_text(object, "jdk", page->jdk);
    put_text(object, "vm", page->vm);
    for (size_t i = 0; i < page->count; i++)
        json_array_append_new(array, part_json(page, &page->parts[i]));
    json_object_set_new(object, "profilers", array);
    return object;
}
