// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: the files by which a session is continued or merged, cut, edited, or of something
// else. One that begins with "end " is a run's booking: a run that is taken back is booked and
// taken back again as the same, judged, printed and written, and its results.json can be read
// again. All else is a session's description: one that is taken has runs with names; a session of
// no runs goes on with its own only, and says what differs in another.
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
static char unfinished_path[96];

static void must(bool right) {
    if (!right) abort();
}

static void clean(void) {
    const char* const files[] = {run_path, booking_path, session_path, json_path, unfinished_path};
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
    snprintf(unfinished_path, sizeof unfinished_path, "%s/unfinished", directory);
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

static bool take_job(struct job* job) {
    memset(job, 0, sizeof *job);
    job->execution = (struct results_execution){.case_name = "a", .mode = "int", .scope = "app"};
    snprintf(job->directory, sizeof job->directory, "%s", directory);
    const struct results_execution before = job->execution;
    if (resume_take_back(job)) return true;
    must(memcmp(&before, &job->execution, sizeof before) == 0);
    return false;
}

static void close_job(struct job* job) {
    results_run_unmap(job->run);
    results_record_close(job->record);
}

static bool same_text(const char* a, const char* b) {
    return (a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0);
}

// Times are booked with six decimal places.
static bool same_time(double a, double b) {
    return fabs(a - b) <= 1e-6 + 1e-12 * fabs(a);
}

static void book_again(const struct job* job) {
    static struct job again;
    resume_book(job);
    must(take_job(&again));
    const struct results_execution *a = &job->execution, *b = &again.execution;
    must(a->end == b->end && a->status == b->status && a->hs_err == b->hs_err);
    must(a->died_thread == b->died_thread && a->work == b->work && a->units == b->units);
    must(same_time(a->seconds, b->seconds) && same_time(a->unit_seconds, b->unit_seconds));
    must(a->layers == b->layers && same_text(a->note, b->note));
    must(same_text(a->remark, b->remark) && same_text(a->wrong, b->wrong));
    must(same_text(a->asked_in, b->asked_in) && same_text(a->spoiled, b->spoiled));
    close_job(&again);
}

static void take_back(void) {
    static struct job job;
    if (!take_job(&job)) return;
    const struct results_execution* e = &job.execution;
    must(job.run != NULL && job.finished && e->end <= RESULTS_END_INTERRUPTED);
    must(e->work <= RESULTS_WORK_DONE && isfinite(e->seconds) && isfinite(e->unit_seconds));
    report_on(e);
    book_again(&job);
    close_job(&job);
}

static char* read_text(const char* path) {
    char* text = NULL;
    size_t room = 0;
    FILE* file = fopen(path, "r");
    must(file != NULL);
    if (getdelim(&text, &room, '\0', file) < 0) *text = '\0';
    fclose(file);
    return text;
}

// The last line is whole without the newline behind it, and empty lines behind it say nothing.
static bool same_lines(const char* a, const char* b) {
    size_t length = strlen(b) - 1;
    return strncmp(a, b, length) == 0 && a[length + strspn(a + length, "\n")] == '\0';
}

static void go_on(void) {
    static char* own; // how a session without runs describes itself
    static struct options options;
    static const struct jdk jdk = {.home = "/jdk", .version = "25", .vm = "VM"};
    static const struct home home = {.agent = "/nowhere"};
    const struct resume resume = {
        .out = directory, .options = &options, .jdk = &jdk, .home = &home};
    char error[2048] = "";
    size_t restored;
    char* then = read_text(session_path);
    if (own == NULL) { // which forgets the older session
        must(resume_begin(&resume, &restored, error, sizeof error) == 0);
        own = read_text(unfinished_path);
        unlink(unfinished_path);
        options.resume = directory;
        put(session_path, (const uint8_t*)then, strlen(then));
    }
    int status = resume_begin(&resume, &restored, error, sizeof error);
    must(restored == 0);
    if (status == 0) must(same_lines(then, own));
    else must(status == RUNNER_EXIT_USAGE && strstr(error, directory) != NULL);
    free(then);
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
    if (booking) {
        take_back();
    } else {
        merge();
        go_on();
    }
    return 0;
}
