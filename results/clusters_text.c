// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Groups of clusters as text: the head of a report, and the whole list with an example of each.
#include <stdlib.h>
#include <string.h>

#include "clusters.h"
#include "evidence.h"

#define HEAD_WALKING 10 // groups printed at the head of a report
#define HEAD_ATTRIBUTION 3
#define HEAD_ROWS 4 // rows named for each
#define PLACE_TEXT 160

// "c2 body mov", "stub StubRoutines (1) rep movs", "jvm SharedRuntime::ldiv push".
static void place_text(const struct results_group* group, char text[PLACE_TEXT]) {
    bool region = group->region != RESULTS_REGION_NONE;
    snprintf(text, PLACE_TEXT, "%s%s%s%s%s%s%s", results_code_kind_text(group->code_kind),
             group->name[0] != '\0' ? " " : "", group->name, region ? " " : "",
             region ? results_region_text(group->region) : "",
             group->instruction[0] != '\0' ? ", at " : "", group->instruction);
}

static double share_of(const struct results_group* group) {
    // A mismatch in a cluster may have become undecided since: a share stays a share.
    uint64_t whole = group->of > group->count ? group->of : group->count;
    return whole == 0 ? 0 : 100 * (double)group->count / (double)whole;
}

static const char* rate_text(const struct results_group* group, char text[RESULTS_RATE_TEXT]) {
    uint64_t judged = group->judged > group->count ? group->judged : group->count;
    return results_rate_text(group->count, judged, text);
}

// "recursion/c2 12, mixed/tiered/all 3, and 4 runs more": the scope where it is not app.
static void print_rows(const struct results_group* group, size_t most, FILE* out) {
    for (size_t i = 0; i < group->row_count && i < most; i++) {
        const struct results_execution* execution = group->rows[i].execution;
        bool scope = strcmp(execution->scope, "app") != 0;
        fprintf(out, "%s%s/%s%s%s %llu", i == 0 ? "" : ", ", execution->case_name, execution->mode,
                scope ? "/" : "", scope ? execution->scope : "",
                (unsigned long long)group->rows[i].count);
    }
    if (group->row_count > most) fprintf(out, ", and %zu runs more", group->row_count - most);
}

// "of 64 kept: 60 against_walker, 4 open".
static void print_votes(const struct results_group* group, FILE* out) {
    bool any = false;
    if (group->kept == 0 || group->layer != ORACLE_LAYER_ASYNC) return;
    fprintf(out, "of %llu kept:", (unsigned long long)group->kept);
    for (int v = 0; v < RESULTS_VOTE_COUNT; v++) {
        if (group->votes[v] == 0) continue;
        fprintf(out, "%s %llu %s", any ? "," : "", (unsigned long long)group->votes[v],
                results_vote_text((enum results_vote)v));
        any = true;
    }
}

static void print_group(size_t number, const struct results_group* group, FILE* out) {
    char place[PLACE_TEXT], rate[RESULTS_RATE_TEXT];
    place_text(group, place);
    fprintf(out, "%4zu. %s %s, %s; %s\n", number, oracle_layer_text(group->layer),
            oracle_verdict_text(group->verdict), group->relation, place);
    fprintf(out, "      %llu, %.1f %% of the layer's; %s of the judged; ",
            (unsigned long long)group->count, share_of(group), rate_text(group, rate));
    print_votes(group, out);
    fprintf(out, "%s", group->kept == 0 || group->layer != ORACLE_LAYER_ASYNC ? "" : "; ");
}

// How many groups come first, of walking errors; the rest are attribution.
static size_t count_walking(const struct results_report* report) {
    size_t count = 0;
    while (count < report->group_count && oracle_is_walking_error(report->groups[count].verdict))
        count++;
    return count;
}

static void print_section(const struct results_report* report, const char* title, size_t first,
                          size_t end, size_t most, FILE* out) {
    if (first == end) return;
    fprintf(out, "%s\n", title);
    for (size_t i = first; i < end && i < first + most; i++) {
        print_group(i - first + 1, &report->groups[i], out);
        print_rows(&report->groups[i], HEAD_ROWS, out);
        fprintf(out, "\n");
    }
    if (end - first > most)
        fprintf(out, "      and %zu smaller ones%s\n", end - first - most,
                report->directory != NULL ? ": see clusters.txt" : "");
    fprintf(out, "\n");
}

void clusters_print_head(const struct results_report* report, FILE* out) {
    size_t walking = count_walking(report);
    print_section(report, "Walking errors by cluster, the largest first:", 0, walking, HEAD_WALKING,
                  out);
    print_section(report, "Attribution (debug information, not walking) by cluster:", walking,
                  report->group_count, HEAD_ATTRIBUTION, out);
    if (report->clusters_lost != 0)
        fprintf(out, "%llu mismatches are in no cluster: their runs' tables were full.\n\n",
                (unsigned long long)report->clusters_lost);
}

static void print_with_example(const struct results_report* report, size_t number,
                               const struct results_group* group, FILE* out) {
    print_group(number, group, out);
    print_rows(group, SIZE_MAX, out);
    fprintf(out, "\n");
    if (group->mismatch != NULL) evidence_print(report, group->example, group->mismatch, out);
    fprintf(out, "\n");
}

void results_clusters(const struct results_report* report, FILE* out) {
    size_t walking = count_walking(report);
    if (report->group_count == 0) fprintf(out, "No mismatch is in any cluster.\n");
    for (size_t i = 0; i < report->group_count; i++) {
        if (i == 0 && walking != 0) fprintf(out, "Walking errors\n\n");
        if (i == walking) fprintf(out, "Attribution\n\n");
        print_with_example(report, (i < walking ? i : i - walking) + 1, &report->groups[i], out);
    }
}
