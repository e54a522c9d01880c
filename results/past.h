// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Rows and clusters of older reports, for those who compare or sum them up. A part of the room's
// door: results.h includes it.
#ifndef RESULTS_PAST_H
#define RESULTS_PAST_H

#include "results.h"

// One row of a results.json.
struct results_past {
    char version[64]; // of the JDK: java.version
    char vm[256];     // java.vm.name and java.vm.version
    char date[16];    // YYYY-MM-DD
    char case_name[160];
    char mode[32], scope[16], verdict[32]; // the verdict as a word
    enum oracle_layer layer;
    uint64_t answered, judged;
    uint64_t refused[ORACLE_REFUSAL_COUNT];
    uint64_t mismatch[ORACLE_VERDICT_COUNT]; // attribution among them
};
typedef void results_past_each(void* context, const struct results_past* row);
// Calls `each` for every row of the file, in its order. 0, or -1 with the reason in `error`: it is
// not there, no JSON, or none that results_json has written; `each` has then not been called.
int results_past_read(const char* path, results_past_each* each, void* context, char* error,
                      size_t error_size);

// One row's part of one cluster of a results.json; texts as struct results_group has them, and
// valid during the call only.
struct results_past_part {
    enum oracle_layer layer;
    enum oracle_verdict verdict;
    const char *code, *region, *instruction, *name, *relation;
    const char *case_name, *mode, *scope;
    uint64_t count;
};
typedef void results_past_part_each(void* context, const struct results_past_part* part);
// The same for clusters.
int results_past_clusters(const char* path, results_past_part_each* each, void* context,
                          char* error, size_t error_size);

#endif
