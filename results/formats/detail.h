// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The parts of results.json that are more than counts of a row. Each gives a new reference.
#ifndef RESULTS_DETAIL_H
#define RESULTS_DETAIL_H

#include <jansson.h>

#include "formats.h"

// "case", "mode" and "scope" of an object.
void detail_names(json_t* object, const struct results_execution* execution);
// Of the row's run: code kinds and regions, depths, thread states, and the cells wanted.
json_t* detail_coverage(const struct results_row* row);
// The report's groups, the largest first.
json_t* detail_clusters(const struct results_report* report);
// A line for each case, mode and scope; empty where only one scope was run.
json_t* detail_observer(const struct results_report* report);

#endif
