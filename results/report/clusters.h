// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The clusters of all runs, merged into groups, and as text.
#ifndef RESULTS_CLUSTERS_H
#define RESULTS_CLUSTERS_H

#include "report.h"

// Fills groups, group_rows and clusters_lost of a report whose rows are judged. 0, or -1 without
// memory, nothing then changed.
int clusters_gather(struct results_report* report);
void clusters_free(struct results_report* report);

// The largest groups, a line or two each: the first thing that a report shows.
void clusters_print_head(const struct results_report* report, FILE* out);

#endif
