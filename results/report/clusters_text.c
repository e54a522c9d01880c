// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Groups of clusters as text: the head of a report, and the whole list with an example of each.
#include <stdlib.h>
#include <string.h>

#include "rows.h"

#define HEAD_WALKING 10 // groups printed at the head of a report
#define HEAD_ATTRIBUTION 3
#define HEAD_ROWS 4 // rows named for each
#define PLACE_TEXT 160
#define RATE_COLUMN 38
#define WHAT_COLUMN 62

// "c2 body, at mov", "stub StubRoutines (1), at rep movsq", "jvm SharedRuntime::ldiv, at push".
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

// "; of 64 kept: 60 against_walker, 4 open".
static void print_votes(const struct results_group* group, FILE* out) {
    bool any = false;
    if (group->kept == 0 || group->layer != ORACLE_LAYER_ASYNC) return;
    fprintf(out, "; of %llu kept:", (unsigned long long)group->kept);
    for (int v = 0; v < RESULTS_VOTE_COUNT; v++) {
        if (group->votes[v] == 0) continue;
        fprintf(out, "%s %llu %s", any ? "," : "", (unsigned long long)group->votes[v],
                results_vote_text((enum results_vote)v));
        any = true;
    }
}

// Reports of before schema 3 tell no causes.
static bool is_unexplained(const struct results_group* group) {
    return oracle_is_walking_error(group->verdict) &&
           (group->cause[0] == '\0' || strcmp(group->cause, "unexplained") == 0);
}

static void print_group_heads(FILE* out) {
    fprintf(out, "      share  %-*s  %-*s  at the program counter\n", RATE_COLUMN,
            "count/judged, 95 % interval", WHAT_COLUMN, "layer, verdict: how the traces differ");
}

static void print_group(size_t number, const struct results_group* group, size_t rows, FILE* out) {
    char place[PLACE_TEXT], rate[RESULTS_RATE_TEXT], what[128];
    bool known = oracle_is_walking_error(group->verdict) && !is_unexplained(group);
    place_text(group, place);
    snprintf(what, sizeof what, "%s %s: %s", oracle_layer_text(group->layer),
             oracle_verdict_text(group->verdict), group->relation);
    fprintf(out, "%4zu. %5.1f  %-*s  %-*s  %s\n", number, share_of(group), RATE_COLUMN,
            rate_text(group, rate), WHAT_COLUMN, what, place);
    fprintf(out, "             %s%s", known ? group->cause : "", known ? ": " : "");
    print_rows(group, rows, out);
    print_votes(group, out);
    fprintf(out, "\n");
}

// How many groups come first, of walking errors; the rest are attribution.
static size_t count_walking(const struct results_report* report) {
    size_t count = 0;
    while (count < report->group_count && oracle_is_walking_error(report->groups[count].verdict))
        count++;
    return count;
}

// Attribution, or unexplained walking errors. Groups keep their numbers: `show --cluster` counts
// so.
static void print_section(const struct results_report* report, const char* title, bool walking,
                          size_t most, FILE* out) {
    size_t count = 0;
    for (size_t i = 0; i < report->group_count; i++) {
        const struct results_group* group = &report->groups[i];
        if (walking ? !is_unexplained(group) : oracle_is_walking_error(group->verdict)) continue;
        if (count == 0) fprintf(out, "%s\n", title);
        if (count == 0) print_group_heads(out);
        if (count++ < most) print_group(i + 1, group, HEAD_ROWS, out);
    }
    if (count > most)
        fprintf(out, "      and %zu smaller ones%s\n", count - most,
                report->directory != NULL ? ": see clusters.txt" : "");
    if (count != 0) fprintf(out, "\n");
}

void clusters_print_head(const struct results_report* report, FILE* out) {
    print_section(report,
                  "Unexplained walking errors by cluster, the largest first; share in % of all "
                  "walking errors of the layer:",
                  true, HEAD_WALKING, out);
    print_section(report, "Attribution (debug information, not walking) by cluster:", false,
                  HEAD_ATTRIBUTION, out);
    if (report->clusters_lost != 0)
        fprintf(out, "%llu mismatches are in no cluster: their runs' tables were full.\n\n",
                (unsigned long long)report->clusters_lost);
}

static void print_with_example(const struct results_report* report, size_t number,
                               const struct results_group* group, FILE* out) {
    print_group(number, group, SIZE_MAX, out);
    if (group->example != NULL)
        results_show(report, group->example, group->example_sequence, true, out);
    fprintf(out, "\n");
}

static void print_clusters(const struct results_report* report, FILE* out) {
    size_t walking = count_walking(report);
    if (report->group_count == 0) fprintf(out, "No mismatch is in any cluster.\n");
    for (size_t i = 0; i < report->group_count; i++) {
        if (i == walking) fprintf(out, "Attribution\n");
        else if (i == 0) fprintf(out, "Walking errors\n");
        if (i == walking || i == 0) print_group_heads(out);
        print_with_example(report, i + 1, &report->groups[i], out); // as `show --cluster` counts
    }
}

void results_clusters(const struct results_report* report, FILE* out) {
    struct plain_stream stream;
    print_clusters(report, plain_open(&stream, out));
    plain_close(&stream);
}
