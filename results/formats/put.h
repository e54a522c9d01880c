// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Members of JSON objects, as results.json and the page's data have them. jansson tells of no
// failure before the whole is written.
#ifndef RESULTS_PUT_H
#define RESULTS_PUT_H

#include <jansson.h>

#include "results/report/report.h"
#include "formats.h"

void put_count(json_t* object, const char* key, uint64_t count);
void put_real(json_t* object, const char* key, double number);
// Text from a JVM or a file name need not be UTF-8, which is all that JSON takes: where the whole
// is not, bytes above ASCII are replaced. A new reference; NULL without memory.
json_t* put_string(const char* text);
// The same as a member; NULL: "".
void put_text(json_t* object, const char* key, const char* text);
// The same for a text in `size` bytes, which may lack its end; cut at 1023 bytes.
void put_bytes(json_t* object, const char* key, const char* text, size_t size);
// "rate", "low" and "high". The rate of no trials is 0.
void put_rate(json_t* object, uint64_t events, uint64_t trials, struct oracle_interval interval);
// An object under the key: counts[i] by name(i), first <= i <= last, without those that are 0.
void put_counts(json_t* object, const char* key, const uint64_t* counts, int first, int last,
                const char* (*name)(int index));

// The lists that results.json and the page have as such objects. Of mismatches only walking errors:
// attribution has keys of its own.
void put_mismatches(json_t* object, const char* key, const uint64_t counts[ORACLE_VERDICT_COUNT]);
void put_refusals(json_t* object, const char* key, const uint64_t counts[ORACLE_REFUSAL_COUNT]);
void put_votes(json_t* object, const char* key, const uint64_t votes[RESULTS_VOTE_COUNT]);

// ---- Parts of results.json --------------------------------------------------------------------

// The parts of results.json that are more than counts of a row. Each gives a new reference.

// "case", "mode" and "scope" of an object.
void detail_names(json_t* object, const struct results_execution* execution);
// Of the row's run: code kinds and regions, depths, thread states, and the cells wanted.
json_t* detail_coverage(const struct results_row* row);
// What the layer `profiler` has besides: of a run.
json_t* detail_profiler(const struct results_run* run);
// Adds "tree", the call tree of the execution's profiles; nothing where it has none.
void detail_tree(json_t* object, const struct results_execution* execution);
// The report's causes, and the rows of each mode and layer together.
json_t* detail_known(const struct results_report* report);
json_t* detail_pools(const struct results_report* report);
// The report's groups, the largest first.
json_t* detail_clusters(const struct results_report* report);
// A line for each case, mode and scope; empty where only one scope was run.
// Adds what is known of inlining, as saved.c reads it. Nothing where it was not asked for.
void detail_inlined(json_t* object, const struct results_execution* execution);
json_t* detail_observer(const struct results_report* report);

#endif
