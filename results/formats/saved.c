// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// results.json and the run files beside it, back into the structures that they were written from.
#include "saved.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "texts.h"
#include "take.h"

struct results_report* results_saved_report(struct results_saved* saved) {
    return &saved->report;
}

const char* results_saved_missing(const struct results_saved* saved) {
    return saved->missing != NULL ? saved->missing : "";
}

// ---- Run files --------------------------------------------------------------------------------

static void add_missing(struct results_saved* saved, const char* path, const char* why) {
    size_t used = strlen(results_saved_missing(saved)), more = strlen(path) + strlen(why) + 4;
    char* longer = realloc(saved->missing, used + more);
    if (longer == NULL) return;
    snprintf(longer + used, more, "%s: %s\n", path, why);
    saved->missing = longer;
}

// "SAVED/runs/NAME", whatever the directory was called when it was written.
static char* place_now(const struct results_saved* saved, const char* then) {
    const char* name = strrchr(then, '/');
    name = name != NULL ? name + 1 : then;
    if (*name == '\0' || strcmp(name, "..") == 0 || strcmp(name, ".") == 0) return NULL;
    char* place = NULL;
    return asprintf(&place, "%s/runs/%s", saved->directory, name) < 0 ? NULL : place;
}

// The run's file has counts that the report's table shows. The record has all evidence: it does
// where the run's file is gone, or another version's.
static void open_run(struct results_saved* saved, size_t index) {
    char path[PATH_MAX], record[PATH_MAX];
    const char* directory = saved->directories[index];
    if (directory == NULL) return;
    snprintf(path, sizeof path, "%s/run.plumbline", directory);
    snprintf(record, sizeof record, "%s/run.lz4", directory);
    const struct results_run* run = saved->runs[index] = results_run_load(path);
    int wrong = errno;
    saved->records[index] = results_record_open_file(record);
    if (saved->records[index] != NULL) return;
    if (run == NULL)
        add_missing(saved, path,
                    wrong == EPROTO ? "is no run file of this version of plumbline"
                                    : strerror(wrong));
    else if (run->recorded != 0) add_missing(saved, record, strerror(errno));
}

// ---- Executions -------------------------------------------------------------------------------

static void take_inlined(struct take* take, const json_t* jvm,
                         struct results_execution* execution) {
    for (unsigned i = 0; i < RESULTS_COMPILERS; i++) {
        const json_t* counts = json_object_get(jvm, texts_inlined(i));
        if (counts == NULL) continue;
        execution->inlined[i] =
            (struct results_inlined){.bare = take_count(take, counts, "bare"),
                                     .compiled = take_count(take, counts, "compiled"),
                                     .kept = take_count(take, counts, "kept")};
    }
}

static void take_execution(struct results_saved* saved, struct take* take, size_t index,
                           const json_t* jvm) {
    struct results_execution* execution = &saved->executions[index];
    snprintf(take->place, sizeof take->place, "jvms[%zu]", index);
    execution->case_name = take_text(take, jvm, "case");
    execution->mode = take_text(take, jvm, "mode");
    execution->scope = take_text(take, jvm, "scope");
    execution->note = take_text_if(take, jvm, "note");
    execution->seconds = take_number_if(take, jvm, "seconds");
    execution->units = take_count_if(take, jvm, "units");
    execution->unit_seconds = take_number_if(take, jvm, "unit_seconds");
    take_inlined(take, jvm, execution);
    execution->status = (int)json_integer_value(json_object_get(jvm, "status"));
    execution->end = (enum results_end)take_word(take, jvm, "end", texts_end, TEXTS_ENDS);
    const char* then = take_text_if(take, jvm, "directory");
    saved->directories[index] = *then == '\0' ? NULL : place_now(saved, then);
    execution->directory = saved->directories[index];
    // The agent's phase is known of those that had a file.
    if (!take->failed && *take_text_if(take, jvm, "phase") != '\0') open_run(saved, index);
    execution->run = saved->runs[index];
    execution->record = saved->records[index];
}

static void take_executions(struct results_saved* saved, struct take* take) {
    const json_t* list = take_list(take, saved->json, "jvms");
    size_t count = json_array_size(list);
    saved->executions = calloc(count + 1, sizeof *saved->executions);
    saved->directories = calloc(count + 1, sizeof *saved->directories);
    saved->runs = calloc(count + 1, sizeof *saved->runs);
    saved->records = calloc(count + 1, sizeof *saved->records);
    if (saved->executions == NULL || saved->directories == NULL || saved->runs == NULL ||
        saved->records == NULL) {
        take_fail(take, "no memory");
        return;
    }
    saved->report.executions = saved->executions;
    for (size_t i = 0; i < count && !take->failed; i++) {
        saved->report.execution_count = i + 1;
        take_execution(saved, take, i, json_array_get(list, i));
    }
    take->place[0] = '\0';
}

// ---- The file ---------------------------------------------------------------------------------

static void take_head(struct results_saved* saved, struct take* take) {
    struct results_report* report = &saved->report;
    const json_t* jdk = take_object(take, saved->json, "jdk");
    uint64_t schema = take_count(take, saved->json, "schema");
    if (!take->failed && (schema < TAKE_SCHEMA_OLDEST || schema > TAKE_SCHEMA))
        take_fail(take,
                  "its schema is %llu; this plumbline reads %d to %d: use the plumbline that wrote "
                  "it, or run validate again",
                  (unsigned long long)schema, TAKE_SCHEMA_OLDEST, TAKE_SCHEMA);
    report->command = take_text_if(take, saved->json, "command");
    report->directory = saved->directory;
    report->jdk_home = take_text(take, jdk, "home");
    report->jdk_version = take_text(take, jdk, "version");
    report->jdk_vm = take_text(take, jdk, "vm");
    report->expected_of = (int)take_count_if(take, saved->json, "expected_of");
    if (json_object_get(saved->json, "plumbline") != NULL)
        report->plumbline = take_text(take, saved->json, "plumbline");
    report->seed = take_count(take, saved->json, "seed");
    report->planned = (size_t)take_count_if(take, saved->json, "planned");
    report->interrupted = json_is_true(json_object_get(saved->json, "interrupted"));
    report->clusters_lost = take_count_if(take, saved->json, "clusters_lost");
    report->verdict = (enum results_row_verdict)take_word(
        take, saved->json, "verdict", texts_row_verdict, RESULTS_ROW_VERDICT_COUNT);
    snprintf(report->summary, sizeof report->summary, "%s",
             take_text_if(take, saved->json, "summary"));
}

struct results_saved* results_saved_read(const char* directory, char* error, size_t size) {
    char path[PATH_MAX];
    struct results_saved* saved = calloc(1, sizeof *saved);
    if (saved == NULL || strlen(directory) + sizeof "/results.json" > sizeof path) {
        snprintf(error, size, "%s: %s", directory, strerror(saved == NULL ? ENOMEM : ENAMETOOLONG));
        free(saved);
        return NULL;
    }
    snprintf(saved->directory, sizeof saved->directory, "%s", directory);
    snprintf(path, sizeof path, "%s/results.json", directory);
    struct take take = {.path = path, .error = error, .size = size};
    saved->json = take_file(&take);
    if (saved->json == NULL) {
        results_saved_free(saved);
        return NULL;
    }
    take_head(saved, &take);
    if (!take.failed) take_executions(saved, &take);
    if (!take.failed) saved_take_causes(saved, &take);
    if (!take.failed) saved_take_rows(saved, &take);
    if (!take.failed) saved_take_groups(saved, &take);
    if (!take.failed && results_report_open(&saved->report) != 0) take_fail(&take, "no memory");
    if (!take.failed && saved_take_series(saved) != 0) take_fail(&take, "no memory");
    if (!take.failed) return saved;
    results_saved_free(saved);
    return NULL;
}

void results_saved_free(struct results_saved* saved) {
    if (saved == NULL) return;
    results_report_free(&saved->report);
    for (size_t i = 0; i < saved->report.execution_count; i++) {
        if (saved->runs != NULL) results_run_unmap(saved->runs[i]);
        if (saved->records != NULL) results_record_close(saved->records[i]);
        if (saved->directories != NULL) free(saved->directories[i]);
    }
    for (size_t i = 0; i < saved->series_count; i++)
        free((void*)(uintptr_t)saved->series[i].points);
    free(saved->causes.list);
    free(saved->series);
    free(saved->runs);
    free(saved->records);
    free(saved->directories);
    free(saved->executions);
    free(saved->missing);
    json_decref(saved->json);
    free(saved);
}

// ---- What the formats ask ---------------------------------------------------------------------

enum results_row_verdict saved_verdict(struct results_saved* const* saved, size_t count) {
    enum results_row_verdict worst = saved[0]->report.verdict;
    for (size_t i = 1; i < count; i++) worst = results_worse(worst, saved[i]->report.verdict);
    return worst;
}

char* saved_label(struct results_saved* const* saved, size_t count, size_t index) {
    const char* version = saved[index]->report.jdk_version;
    size_t same = 0, before = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(saved[i]->report.jdk_version, version) != 0) continue;
        same++;
        before += i < index;
    }
    char* label = NULL;
    int length = same > 1 ? asprintf(&label, "%s (%zu)", version, before + 1)
                          : asprintf(&label, "%s", version);
    return length < 0 ? NULL : label;
}
