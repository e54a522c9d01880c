// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "written.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void written_open(struct written* written) {
    *written = (struct written){.directory = "/tmp/plumbline-written-XXXXXX"};
    cr_assert(mkdtemp(written->directory) != NULL);
    char runs[80];
    snprintf(runs, sizeof runs, "%s/runs", written->directory);
    cr_assert_eq(mkdir(runs, 0777), 0);
}

struct results_run* written_add(struct written* written, const char* case_name, const char* mode) {
    char path[128];
    size_t index = written->count++;
    char* directory = written->directories[index];
    cr_assert_lt(index, WRITTEN_RUNS);
    snprintf(path, sizeof path, "%.63s/runs/run-%zu", written->directory, index);
    strcpy(directory, path);
    cr_assert_eq(mkdir(directory, 0777), 0);
    snprintf(path, sizeof path, "%s/run.plumbline", directory);
    struct results_run* run = results_run_create(path);
    cr_assert(run != NULL);
    synthetic_fill(run, 20000);
    written->executions[index] = synthetic_execution(run, mode);
    written->executions[index].case_name = case_name;
    written->executions[index].directory = directory;
    return run;
}

struct synthetic_recording* written_record_open(struct written* written) {
    char path[128];
    snprintf(path, sizeof path, "%s/run.lz4", written->directories[written->count - 1]);
    return synthetic_record_open(path);
}

void written_record_close(struct written* written, struct synthetic_recording* recording) {
    struct results_execution* execution = &written->executions[written->count - 1];
    struct results_record* record = synthetic_record_close(recording);
    struct results_record_sizes sizes;
    results_record_sizes(record, &sizes);
    ((struct results_run*)(uintptr_t)execution->run)->recorded = sizes.samples;
    execution->record = record;
}

void written_record(struct written* written, const struct synthetic_mismatch* mismatch) {
    struct synthetic_recording* recording = written_record_open(written);
    synthetic_record_add(recording, mismatch);
    written_record_close(written, recording);
}

static void print_table(const void* report, FILE* out) {
    results_table(report, out);
}

void written_close(struct written* written, const char* version) {
    char path[96];
    struct results_report report = {.command = "plumbline validate --jdk '/a b'",
                                    .directory = written->directory,
                                    .jdk_home = "/jdk",
                                    .jdk_version = version,
                                    .jdk_vm = "OpenJDK 64-Bit Server VM",
                                    .seed = 1234567890123,
                                    .executions = written->executions,
                                    .execution_count = written->count,
                                    .planned = written->count};
    cr_assert_eq(results_report_judge(&report), 0);
    snprintf(path, sizeof path, "%s/results.json", written->directory);
    cr_assert_eq(results_json(&report, path), 0);
    written->table = synthetic_output(print_table, &report);
    results_report_free(&report);
    for (size_t i = 0; i < written->count; i++) {
        results_run_unmap((struct results_run*)(uintptr_t)written->executions[i].run);
        results_record_close((struct results_record*)(uintptr_t)written->executions[i].record);
    }
}

struct results_saved* written_read(const struct written* written) {
    char error[512] = "";
    struct results_saved* saved = results_saved_read(written->directory, error, sizeof error);
    cr_assert(saved != NULL, "%s", error);
    return saved;
}

static int remove_one(const char* path, const struct stat* status, int type, struct FTW* place) {
    (void)status, (void)type, (void)place;
    return remove(path);
}

void written_remove(struct written* written) {
    nftw(written->directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(written->table);
}

char* written_format(enum results_format format, struct results_saved* const* saved, size_t count) {
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    cr_assert(out != NULL);
    cr_expect_eq(results_write(format, saved, count, out), 0, "%s", results_format_text(format));
    fclose(out);
    return text;
}
