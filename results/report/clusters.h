// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The clusters of all runs, merged into groups, and as text.
#ifndef RESULTS_CLUSTERS_H
#define RESULTS_CLUSTERS_H

#include <stddef.h>

#include "report.h"

// Fills groups, group_rows and clusters_lost of a report whose rows are judged. 0, or -1 without
// memory, nothing then changed.
int clusters_gather(struct results_report* report);
void clusters_free(struct results_report* report);

// The largest groups, a line or two each: the first thing that a report shows.
void clusters_print_head(const struct results_report* report, FILE* out);

// ---- Relations --------------------------------------------------------------------------------

// How two traces differ, in words.

// From a mismatch's verdict, the place of the youngest frame that differs (0 the youngest itself, 1
// its caller, 2 older) and how many instrumented frames the walker lost (negative: has in excess;
// -3 and 3 stand for "or more"): "caller missing", "stops at the youngest frame, 3 or more lost".
void relation_text(enum oracle_verdict verdict, int place, int lost, char* text, size_t size);

#endif
