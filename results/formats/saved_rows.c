// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The rows and clusters of a results.json, as they were judged.
#include <stdlib.h>
#include <string.h>

#include "results/profile/profile.h"
#include "texts.h"
#include "saved.h"
#include "take.h"

struct results_execution* saved_find(struct results_saved* saved, const char* case_name,
                                     const char* mode, const char* scope) {
    for (size_t i = 0; i < saved->report.execution_count; i++) {
        struct results_execution* execution = &saved->executions[i];
        if (strcmp(execution->case_name, case_name) == 0 && strcmp(execution->mode, mode) == 0 &&
            strcmp(execution->scope, scope) == 0)
            return execution;
    }
    return NULL;
}

// Which JVM was it? NULL, and a failure, where the file lists none such.
static struct results_execution* find_execution(struct results_saved* saved, struct take* take,
                                                const json_t* object) {
    const char* case_name = take_text(take, object, "case");
    const char* mode = take_text(take, object, "mode");
    const char* scope = take_text(take, object, "scope");
    struct results_execution* found =
        take->failed ? NULL : saved_find(saved, case_name, mode, scope);
    if (found == NULL)
        take_fail(take, "no such JVM is in \"jvms\": %.64s %.32s %.32s", case_name, mode, scope);
    return found;
}

// ---- Rows -------------------------------------------------------------------------------------

// Reports of older versions have none of these.
static void take_exact(struct take* take, const json_t* run, struct results_layer* counts) {
    counts->frames_seen = take_count_if(take, run, "frames_seen");
    counts->frames_judged = take_count_if(take, run, "frames_judged");
    if (json_object_get(run, "exact_mismatch") == NULL) return;
    take_counts(take, run, "exact_mismatch", texts_verdict, ORACLE_VERDICT_COUNT, counts->exact);
    uint64_t judged = take_count(take, run, "exact_judged");
    uint64_t wrong = results_sum(counts->exact, RESULTS_WALKING_ERRORS);
    counts->exact[ORACLE_AGREE] = judged > wrong ? judged - wrong : 0;
    counts->exact_unexplained = take_count_if(take, run, "exact_unexplained");
    counts->exact[ORACLE_REFUSED] = take_count_if(take, run, "exact_refused");
}

static void take_row_counts(struct results_saved* saved, struct take* take, const json_t* run,
                            struct results_row* row) {
    struct results_layer* counts = &row->counts;
    counts->asked = take_count(take, run, "asked");
    counts->answered = take_count(take, run, "answered");
    take_counts(take, run, "mismatch", texts_verdict, ORACLE_VERDICT_COUNT, counts->verdict);
    row->mismatched = results_mismatched(counts);
    counts->verdict[ORACLE_AGREE] = take_count(take, run, "agree");
    counts->verdict[ORACLE_TRANSITION] = take_count(take, run, "transition");
    counts->verdict[ORACLE_ATTRIBUTION] = take_count_if(take, run, "attribution");
    counts->verdict[ORACLE_UNDECIDED] = take_count(take, run, "undecided");
    counts->verdict[ORACLE_NO_ANSWER] = take_count(take, run, "no_answer");
    take_counts(take, run, "refused", texts_refusal, ORACLE_REFUSAL_COUNT, counts->refused);
    counts->verdict[ORACLE_REFUSED] = 0;
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++)
        counts->verdict[ORACLE_REFUSED] += counts->refused[r];
    take_counts(take, run, "undecided_by", texts_undecided, RESULTS_UNDECIDED_COUNT,
                counts->undecided);
    take_counts(take, run, "own_mismatch", texts_verdict, ORACLE_VERDICT_COUNT, counts->own);
    row->own_mismatched = results_sum(counts->own, RESULTS_WALKING_ERRORS);
    counts->own[ORACLE_ATTRIBUTION] = take_count_if(take, run, "own_attribution");
    row->own_judged = take_count_if(take, run, "own_judged");
    take_exact(take, run, counts);
    row->judged = take_count(take, run, "judged");
    row->expected = take_count_if(take, run, "expected");
    row->known = take_count_if(take, run, "known");
    row->attribution = counts->verdict[ORACLE_ATTRIBUTION];
    row->accusations = take_count_if(take, run, "accusations");
    row->open = take_count_if(take, run, "open");
    row->settling_checks = take_count_if(take, run, "settling_checks");
    row->settling_mismatches = take_count_if(take, run, "settling_mismatches");
    row->frames = take_count_if(take, run, "frames");
    row->unread_frames = take_count_if(take, run, "unread_frames");
    if (!take->failed && (row->mismatched > row->judged || row->attribution > row->judged))
        take_fail(take, "more mismatches than \"judged\"");
    saved_take_row_causes(saved, take, run, row);
}

// The page takes it when it is made.
static void check_tree(struct take* take, const json_t* profiler) {
    struct results_tree tree;
    saved_take_tree(take, profiler, &tree);
    results_tree_free(&tree);
}

static void take_row(struct results_saved* saved, struct take* take, const json_t* run,
                     struct results_row* row) {
    struct results_execution* execution = find_execution(saved, take, run);
    row->layer = (enum oracle_layer)take_word(take, run, "layer", texts_layer, ORACLE_LAYER_COUNT);
    take_row_counts(saved, take, run, row);
    row->interval = (struct oracle_interval){.low = take_number(take, run, "low"),
                                             .high = take_number(take, run, "high")};
    row->limit = take_number(take, run, "limit");
    row->attribution_interval =
        (struct oracle_interval){.low = take_number_if(take, run, "attribution_low"),
                                 .high = take_number_if(take, run, "attribution_high")};
    row->attribution_limit = take_number_if(take, run, "attribution_limit");
    row->transition_limit = take_number_if(take, run, "transition_limit");
    row->verdict = (enum results_row_verdict)take_word(take, run, "verdict", texts_row_verdict,
                                                       RESULTS_ROW_VERDICT_COUNT);
    snprintf(row->reason, sizeof row->reason, "%s", take_text_if(take, run, "reason"));
    snprintf(row->note, sizeof row->note, "%s", take_text_if(take, run, "note"));
    check_tree(take, json_object_get(run, "profiler"));
    if (execution == NULL) return;
    row->execution = execution;
    execution->layers |= 1u << row->layer;
}

void saved_take_rows(struct results_saved* saved, struct take* take) {
    struct results_report* report = &saved->report;
    const json_t* list = take_list(take, saved->json, "runs");
    report->rows = calloc(json_array_size(list) + 1, sizeof *report->rows);
    if (report->rows == NULL) {
        take_fail(take, "no memory");
        return;
    }
    for (size_t i = 0; i < json_array_size(list) && !take->failed; i++) {
        snprintf(take->place, sizeof take->place, "runs[%zu]", i);
        take_row(saved, take, json_array_get(list, i), &report->rows[i]);
        report->row_count = i + 1;
    }
    take->place[0] = '\0';
}

// ---- Clusters ---------------------------------------------------------------------------------

// The mismatch that shows what the cluster is, if its run's record is there. Reports of schema 1
// name it by a place in the run's file, which nobody reads any more.
static void take_example(struct results_saved* saved, const json_t* object,
                         struct results_group* group) {
    const json_t* example = json_object_get(object, "example");
    json_int_t jvm = json_integer_value(json_object_get(example, "jvm"));
    json_int_t sequence = json_integer_value(json_object_get(example, "sequence"));
    if (!json_is_object(example) || jvm < 0 || sequence <= 0 ||
        (size_t)jvm >= saved->report.execution_count || saved->records[jvm] == NULL)
        return;
    group->example = &saved->executions[jvm];
    group->example_sequence = (uint64_t)sequence;
}

static void take_group(struct results_saved* saved, struct take* take, const json_t* object,
                       struct results_group* group) {
    group->layer =
        (enum oracle_layer)take_word(take, object, "layer", texts_layer, ORACLE_LAYER_COUNT);
    group->verdict = (enum oracle_verdict)take_word(take, object, "verdict", texts_verdict,
                                                    ORACLE_VERDICT_COUNT);
    group->code_kind = (enum results_code_kind)take_word(take, object, "code", texts_code,
                                                         RESULTS_CODE_KIND_COUNT);
    group->region =
        (enum results_region)take_word(take, object, "region", texts_region, RESULTS_REGION_COUNT);
    snprintf(group->instruction, sizeof group->instruction, "%s",
             take_text(take, object, "instruction"));
    snprintf(group->name, sizeof group->name, "%s", take_text(take, object, "name"));
    snprintf(group->relation, sizeof group->relation, "%s", take_text(take, object, "relation"));
    snprintf(group->cause, sizeof group->cause, "%s", take_text_if(take, object, "cause"));
    group->count = take_count(take, object, "count");
    group->of = take_count(take, object, "of");
    group->judged = take_count(take, object, "judged");
    group->kept = take_count(take, object, "kept");
    take_counts(take, object, "votes", texts_vote, RESULTS_VOTE_COUNT, group->votes);
    take_example(saved, object, group);
}

// How many rows all clusters have together: room for group_rows.
static size_t count_group_rows(const json_t* list) {
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        count += json_array_size(json_object_get(json_array_get(list, i), "rows"));
    return count;
}

static size_t take_group_rows(struct results_saved* saved, struct take* take, const json_t* object,
                              struct results_group_row* rows) {
    const json_t* list = take_list(take, object, "rows");
    size_t count = take->failed ? 0 : json_array_size(list);
    for (size_t i = 0; i < count; i++) {
        const json_t* row = json_array_get(list, i);
        rows[i].execution = find_execution(saved, take, row);
        rows[i].count = take_count(take, row, "count");
    }
    return count;
}

void saved_take_groups(struct results_saved* saved, struct take* take) {
    struct results_report* report = &saved->report;
    const json_t* list = take_list(take, saved->json, "clusters");
    report->groups = calloc(json_array_size(list) + 1, sizeof *report->groups);
    report->group_rows = calloc(count_group_rows(list) + 1, sizeof *report->group_rows);
    if (report->groups == NULL || report->group_rows == NULL) {
        take_fail(take, "no memory");
        return;
    }
    struct results_group_row* rows = report->group_rows;
    for (size_t i = 0; i < json_array_size(list) && !take->failed; i++) {
        struct results_group* group = &report->groups[i];
        snprintf(take->place, sizeof take->place, "clusters[%zu]", i);
        take_group(saved, take, json_array_get(list, i), group);
        group->rows = rows;
        group->row_count = take_group_rows(saved, take, json_array_get(list, i), rows);
        rows += group->row_count;
        report->group_count = i + 1;
    }
    take->place[0] = '\0';
}
