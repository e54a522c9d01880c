// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the HTML page's script is given: the reports as one JSON object, every text in it plain
// (plain.h), its size bounded. Its keys are known to results/page/*.js and to nobody else.
#ifndef RESULTS_PAGE_H
#define RESULTS_PAGE_H

#include "saved.h"

// Bounds, over all reports of a page; what is beyond them is counted in the data. A run of
// everything on one JDK has some 2,000 rows and 300 clusters.
#define PAGE_ROWS 20000u
#define PAGE_CLUSTERS 2000u
#define PAGE_EVIDENCE (4u << 20) // bytes of traces and contexts
#define PAGE_SERIES 400u
#define PAGE_FLAMES 200000u // nodes of call trees
#define PAGE_POINTS 240u    // of one series; the rest are left out evenly

struct page_room {
    size_t rows, clusters, evidence, series, flames;
};

// A new reference, NULL without memory.
json_t* page_data(struct results_saved* const* saved, size_t count);

// page_evidence.c: the cluster's example, NULL if there is none or no room for it.
json_t* page_evidence(const struct results_report* report, const struct results_group* group,
                      struct page_room* room);
// page_flames.c: "flame_count" of the report's call trees, "flames" for which there is room, and
// their "names".
void page_flames(json_t* object, const struct results_saved* saved, struct page_room* room);
// A text as HTML: plain, and no character of it is markup.
void page_escaped(const char* text, FILE* out);
// The pages' style sheet.
const char* page_style(void);
// A member that is a plain text, cut at the length of a line.
void page_put(json_t* object, const char* key, const char* text);
// "case", "mode" and "scope" of an object.
void page_names(json_t* object, const struct results_execution* execution);

#endif
