// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// From --cluster, --cause or --mismatch to a recorded mismatch and its counts.
#include "bug_parts.h"

#include <stdarg.h>
#include <string.h>

static bool is_async(const struct results_group* group) {
    return group->layer == ORACLE_LAYER_ASYNC;
}

// A report of before schema 3 tells no causes.
static const char* cause_of(const struct results_group* group) {
    if (!oracle_is_walking_error(group->verdict)) return "";
    return *group->cause != '\0' ? group->cause : "unexplained";
}

static bool is_of_cause(const char* name) {
    return *name != '\0' && strcmp(name, "unexplained") != 0;
}

// ---- Counts -----------------------------------------------------------------------------------

static void add_count(struct bug_subject* subject, uint64_t events, uint64_t trials,
                      const char* format, ...) __attribute__((format(printf, 4, 5)));

static void add_count(struct bug_subject* subject, uint64_t events, uint64_t trials,
                      const char* format, ...) {
    va_list arguments;
    if (subject->count_count == BUG_COUNTS) return;
    struct bug_count* count = &subject->counts[subject->count_count++];
    va_start(arguments, format);
    vsnprintf(count->what, sizeof count->what, format, arguments);
    va_end(arguments);
    count->events = events;
    count->trials = trials > events ? trials : events; // some may have become undecided since
}

// Of the cause in all rows of each layer that saw it.
static void count_cause(struct bug_subject* subject) {
    const struct results_report* report = subject->report;
    for (size_t i = 0; is_of_cause(subject->cause) && i < report->known_count; i++) {
        const struct results_known* known = &report->known[i];
        if (strcmp(known->name, subject->cause) != 0 || known->count == 0) continue;
        add_count(
            subject, known->count, known->judged,
            "errors of this cause in layer %s, of the answers judged in rows that showed it or "
            "are known for it; seen in %zu case%s",
            oracle_layer_text(known->layer), known->cases, known->cases == 1 ? "" : "s");
    }
}

static void count_row(struct bug_subject* subject, const struct results_row* row) {
    const char* layer = oracle_layer_text(row->layer);
    if (*subject->cause == '\0') {
        add_count(subject, row->attribution, row->judged,
                  "attribution, of the answers judged in the row %s/%s/%s %s",
                  row->execution->case_name, row->execution->mode, row->execution->scope, layer);
        return;
    }
    for (uint32_t i = 0; i < RESULTS_CAUSES; i++) {
        if (row->cause[i] == 0) continue;
        if (strcmp(results_cause_name(row->execution, i), subject->cause) != 0) continue;
        add_count(subject, row->cause[i], row->judged,
                  "errors of this cause, of the answers judged in the row %s/%s/%s %s",
                  row->execution->case_name, row->execution->mode, row->execution->scope, layer);
    }
}

// Of the example's row.
static void count_example(struct bug_subject* subject) {
    for (size_t i = 0; i < subject->report->row_count; i++) {
        const struct results_row* row = &subject->report->rows[i];
        if (row->execution == subject->execution &&
            row->layer == (enum oracle_layer)subject->sample->layer)
            count_row(subject, row);
    }
}

// ---- Examples ---------------------------------------------------------------------------------

// What speaks against holding the JVM to account for the sample; NULL: nothing.
static const char* excuse(const struct results_record* record,
                          const struct results_sample* sample) {
    if (sample->own) return "in the code that Plumbline adds: a JVM without it does not run that";
    if (results_record_blame(record, sample) == RESULTS_BLAME_ORACLE)
        return "taken back: GetStackTrace did not confirm the trace stack";
    return NULL;
}

// Takes sample `sequence` of the execution. 0, or the exit status after a message.
static int take_example(struct bug_subject* subject, const struct results_execution* execution,
                        uint64_t sequence) {
    if (execution->record == NULL)
        return runner_refuse(RUNNER_EXIT_HARNESS, "bug: the run %s-%s-%s has no record (run.lz4)",
                             execution->case_name, execution->mode, execution->scope);
    subject->execution = execution;
    subject->sample = results_record_fetch(execution->record, sequence);
    const char* why =
        subject->sample != NULL ? excuse(execution->record, subject->sample) : "not recorded";
    if (why == NULL) return 0;
    return runner_refuse(RUNNER_EXIT_HARNESS, "bug: sample %llu of %s-%s-%s is %s",
                         (unsigned long long)sequence, execution->case_name, execution->mode,
                         execution->scope, why);
}

static int take_group(struct bug_subject* subject, const struct results_group* group) {
    if (group->example == NULL)
        return runner_refuse(RUNNER_EXIT_HARNESS,
                             "bug: no mismatch of that cluster is recorded: there is nothing to "
                             "show");
    snprintf(subject->cause, sizeof subject->cause, "%s", cause_of(group));
    int status = take_example(subject, group->example, group->example_sequence);
    if (status != 0) return status;
    add_count(subject, group->count, group->judged,
              "mismatches of this cluster, of all answers that the run judged in layer %s",
              oracle_layer_text(group->layer));
    return 0;
}

// ---- The three ways ---------------------------------------------------------------------------

static int find_cluster(struct bug_subject* subject, uint64_t number) {
    const struct results_report* report = subject->report;
    if (number > report->group_count)
        return runner_refuse(RUNNER_EXIT_HARNESS, "bug: there is no cluster %llu; there are %zu",
                             (unsigned long long)number, report->group_count);
    int status = take_group(subject, &report->groups[number - 1]);
    if (is_of_cause(subject->cause))
        snprintf(subject->name, sizeof subject->name, "%s", subject->cause);
    else snprintf(subject->name, sizeof subject->name, "cluster-%llu", (unsigned long long)number);
    return status;
}

static bool better(const struct results_group* one, const struct results_group* other) {
    if (other == NULL) return true;
    if ((one->example != NULL) != (other->example != NULL)) return one->example != NULL;
    if (is_async(one) != is_async(other)) return is_async(one);
    return one->count > other->count;
}

// The causes that the report's clusters have, for a message.
static void list_causes(const struct results_report* report, char* text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < report->group_count && used < size; i++) {
        const char* cause = cause_of(&report->groups[i]);
        bool before = *cause == '\0';
        for (size_t k = 0; k < i && !before; k++)
            before = strcmp(cause, cause_of(&report->groups[k])) == 0;
        if (!before)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used != 0 ? ", " : "", cause);
    }
}

// The largest cluster of the cause that has an example, of layer async if there is one.
static int find_cause(struct bug_subject* subject, const char* cause) {
    const struct results_report* report = subject->report;
    const struct results_group* best = NULL;
    char causes[512];
    for (size_t i = 0; i < report->group_count; i++)
        if (strcmp(cause_of(&report->groups[i]), cause) == 0 && better(&report->groups[i], best))
            best = &report->groups[i];
    snprintf(subject->name, sizeof subject->name, "%s", cause);
    if (best != NULL) return take_group(subject, best);
    list_causes(report, causes, sizeof causes);
    return runner_refuse(RUNNER_EXIT_HARNESS,
                         "bug: no cluster of this run has the cause \"%s\"%s%s", cause,
                         *causes != '\0' ? "; there are: " : "", causes);
}

static int find_mismatch(struct bug_subject* subject, const char* run, uint64_t number) {
    const struct results_execution* execution = results_execution_named(subject->report, run);
    if (execution == NULL)
        return runner_refuse(RUNNER_EXIT_HARNESS, "bug: there is no run %s", run);
    int status = take_example(subject, execution, number);
    if (status != 0) return status;
    enum oracle_verdict verdict = (enum oracle_verdict)subject->sample->verdict;
    if (!oracle_is_mismatch(verdict))
        return runner_refuse(RUNNER_EXIT_HARNESS, "bug: sample %llu of %s is no mismatch: %s",
                             (unsigned long long)number, run, oracle_verdict_text(verdict));
    if (oracle_is_walking_error(verdict))
        evidence_cause_name(execution, subject->sample->cause, subject->cause);
    snprintf(subject->name, sizeof subject->name, "%.200s-%llu", run, (unsigned long long)number);
    return 0;
}

int bug_find(const struct bug_options* options, const struct results_report* report,
             struct bug_subject* subject) {
    *subject = (struct bug_subject){.report = report};
    int status;
    if (options->cluster != 0) status = find_cluster(subject, options->cluster);
    else if (options->cause != NULL) status = find_cause(subject, options->cause);
    else status = find_mismatch(subject, options->mismatch_run, options->mismatch);
    if (status != 0) {
        bug_subject_free(subject);
        return status;
    }
    count_cause(subject);
    count_example(subject);
    return 0;
}

void bug_subject_free(struct bug_subject* subject) {
    if (subject->sample != NULL) results_sample_free(subject->sample);
    *subject = (struct bug_subject){0};
}
