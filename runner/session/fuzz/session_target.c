// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: the files by which a session is continued or merged, cut, edited, or of something
// else. One that begins with "end " is a run's booking: a run that is taken back is judged,
// printed and written, and its results.json can be read again. All else is a session's description:
// one that is taken has runs with names.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/formats/formats.h"
#include "session_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static char directory[64], run_path[96], booking_path[96], session_path[96], json_path[96];

static void must(bool right) {
    if (!right) abort();
}

static void clean(void) {
    const char* const files[] = {run_path, booking_path, session_path, json_path};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) unlink(files[i]);
    rmdir(directory);
}

static void begin(void) {
    if (directory[0] != '\0') return;
    strcpy(directory, "/tmp/plumbline-fuzz-XXXXXX");
    must(mkdtemp(directory) != NULL && atexit(clean) == 0);
    snprintf(run_path, sizeof run_path, "%s/run.plumbline", directory);
    snprintf(booking_path, sizeof booking_path, "%s/finished", directory);
    snprintf(session_path, sizeof session_path, "%s/session", directory);
    snprintf(json_path, sizeof json_path, "%s/results.json", directory);
    struct results_run* run = results_run_create(run_path);
    must(run != NULL);
    run->phase = RESULTS_PHASE_ENDED;
    for (int i = 0; i < ORACLE_LAYER_COUNT; i++) run->layers[i].verdict[ORACLE_AGREE] = 20000;
    results_run_unmap(run);
}

static void put(const char* path, const uint8_t* data, size_t size) {
    FILE* file = fopen(path, "w");
    must(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

// Judged, printed, written, and read again.
static void report_on(const struct results_execution* execution) {
    static FILE* nowhere;
    char error[512] = "";
    struct results_report report = {.command = "validate",
                                    .directory = directory,
                                    .jdk_version = "25",
                                    .executions = execution,
                                    .execution_count = 1,
                                    .planned = 1};
    if (nowhere == NULL) nowhere = fopen("/dev/null", "w");
    must(nowhere != NULL && results_report_judge(&report) == 0);
    results_table(&report, nowhere);
    must(results_json(&report, json_path) == 0);
    results_report_free(&report);
    struct results_saved* saved = results_saved_read(directory, error, sizeof error);
    if (saved == NULL) fprintf(stderr, "%s\n", error);
    must(saved != NULL);
    results_saved_free(saved);
}

static void take_back(void) {
    static struct job job;
    memset(&job, 0, sizeof job);
    job.execution = (struct results_execution){.case_name = "a", .mode = "int", .scope = "app"};
    snprintf(job.directory, sizeof job.directory, "%s", directory);
    const struct results_execution before = job.execution;
    if (!resume_take_back(&job)) {
        must(memcmp(&before, &job.execution, sizeof before) == 0);
        return;
    }
    const struct results_execution* e = &job.execution;
    must(job.run != NULL && job.finished && e->end <= RESULTS_END_INTERRUPTED);
    must(e->work <= RESULTS_WORK_DONE && isfinite(e->seconds) && isfinite(e->unit_seconds));
    report_on(e);
    results_run_unmap(job.run);
    results_record_close(job.record);
}

static void merge(void) {
    struct merge_share share;
    char error[512] = "";
    if (merge_read(directory, &share, error, sizeof error) != 0) {
        must(strstr(error, directory) != NULL);
        return;
    }
    must(share.count != 0 && share.version[0] != '\0');
    for (size_t i = 0; i < share.count; i++) must(share.runs[i].state <= MERGE_ELSEWHERE);
    merge_read_free(&share);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    bool booking = size >= 4 && memcmp(data, "end ", 4) == 0;
    begin();
    put(booking ? booking_path : session_path, data, size);
    if (booking) take_back();
    else merge();
    return 0;
}
