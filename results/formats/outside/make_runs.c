// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// make_runs DIR: made-up output directories of validate, DIR/17, DIR/21 and DIR/25, with all that a
// report can have in it and with names that try to break out of it; DIR/profiled, of a profiler;
// and DIR/series.html, a page with rates over time. For the checks by outside programs: check-html,
// check-junit.
// make_runs DIR SAMPLES: DIR/profiled alone, of one run with so many. For bench-html.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "make_profiled.h"
#include "results/report/report.h"
#include "synthetic.h"

static const char* const modes[] = {"int", "c1", "c1_full", "c2", "tiered", "inline", "debuginfo"};
#define MODES (sizeof modes / sizeof modes[0])

// The last would be markup, a script's end, an XML section's end, a table's column, a link.
static const char* const cases[] = {"recursion", "exceptions", "mixed",
                                    "evil</script><script>alert(1)</script><img src=x "
                                    "onerror=alert(2)>'\"&amp;]]>|`[a](b)@\x1b[31m"};
#define CASES (sizeof cases / sizeof cases[0])
#define RUNS (MODES * CASES)

static void die(const char* what) {
    perror(what);
    exit(1);
}

static void make_directory(const char* path) {
    if (mkdir(path, 0777) != 0 && access(path, W_OK) != 0) die(path);
}

// A mismatch with all its evidence: the example of the first cluster, where there is one.
static struct results_record* record(const char* directory, const struct results_run* run) {
    static struct synthetic_mismatch mismatch;
    char path[4200];
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 30);
    synthetic_context(&mismatch);
    strcpy(mismatch.evidence.thread_name, "</td><script>alert(3)</script>");
    mismatch.frames[1].id =
        synthetic_method("Evil<script>alert(4)</script>.m\xff\xfe(Ljava/lang/]]>;)V");
    mismatch.frames[1].number = ORACLE_FOREIGN;
    mismatch.sample.cluster = run->clusters[0].ready;
    snprintf(path, sizeof path, "%.4100s/run.lz4", directory);
    return synthetic_record(path, &mismatch);
}

// Counts and two clusters.
static void fill(struct results_run* run, size_t number) {
    struct results_layer* async = &run->layers[ORACLE_LAYER_ASYNC];
    synthetic_fill(run, 20000);
    async->verdict[ORACLE_MISSING] = number % 5 == 4 ? 3000 : number % 3 * 7;
    async->verdict[ORACLE_ATTRIBUTION] = number * 11;
    async->refused[ORACLE_REFUSAL_UNKNOWN_JAVA] = 517 + number;
    async->refused[ORACLE_REFUSAL_GC_ACTIVE] = number % 4;
    async->verdict[ORACLE_REFUSED] = 517 + number + number % 4;
    uint64_t missing = async->verdict[ORACLE_MISSING], attribution = number * 11;
    if (missing != 0) synthetic_cluster(run, 0, ORACLE_MISSING, RESULTS_CODE_C2, missing);
    if (attribution != 0)
        synthetic_cluster(run, 1, ORACLE_ATTRIBUTION, RESULTS_CODE_C1_3, attribution);
}

static void write_run(const char* out, const char* version) {
    static char directories[RUNS][4100];
    struct results_execution executions[RUNS];
    char path[4300];
    make_directory(out);
    snprintf(path, sizeof path, "%s/runs", out);
    make_directory(path);
    for (size_t i = 0; i < RUNS; i++) {
        snprintf(directories[i], sizeof directories[i], "%.4000s/runs/run-%zu", out, i);
        make_directory(directories[i]);
        snprintf(path, sizeof path, "%.4100s/run.plumbline", directories[i]);
        struct results_run* run = results_run_create(path);
        if (run == NULL) die(path);
        fill(run, i + (size_t)version[1]);
        executions[i] = synthetic_execution(run, modes[i % MODES]);
        executions[i].case_name = cases[i / MODES];
        executions[i].directory = directories[i];
        executions[i].record = record(directories[i], run);
        run->recorded = 1;
    }
    executions[RUNS - 1].end = RESULTS_END_SIGNALLED;
    executions[RUNS - 1].status = 11;
    executions[RUNS - 1].note = "SIGSEGV at V  [libjvm.so+0x8a1c2e]  frame::sender(<b>)&]]>";
    executions[RUNS - 2].end = RESULTS_END_SKIPPED;
    executions[RUNS - 2].note = "needs JDK 99";
    executions[RUNS - 3].end = RESULTS_END_FAILED;
    executions[RUNS - 3].note = "java cannot be started: <nobody>";
    executions[RUNS - 4].work = RESULTS_WORK_NONE;
    struct results_report report = {.command = "plumbline validate --jdk '/jdk <17>' --out \"a&b\"",
                                    .directory = out,
                                    .jdk_home = "/nonexistent/jdk",
                                    .jdk_version = version,
                                    .jdk_vm = "OpenJDK <64-Bit> \"Server\" VM",
                                    .seed = 1234567890123,
                                    .executions = executions,
                                    .execution_count = RUNS,
                                    .planned = RUNS};
    snprintf(path, sizeof path, "%s/results.json", out);
    if (results_report_judge(&report) != 0 || results_json(&report, path) != 0) die(path);
    results_report_free(&report);
    for (size_t i = 0; i < RUNS; i++) {
        results_run_unmap((struct results_run*)(uintptr_t)executions[i].run);
        results_record_close((struct results_record*)(uintptr_t)executions[i].record);
    }
}

static void write_report(const char* out, struct results_execution* executions, size_t count) {
    char path[4300];
    struct results_report report = {.command = "plumbline validate --profiler made-up",
                                    .directory = out,
                                    .jdk_home = "/nonexistent/jdk",
                                    .jdk_version = "25.0.3",
                                    .jdk_vm = "OpenJDK 64-Bit Server VM",
                                    .seed = 7,
                                    .executions = executions,
                                    .execution_count = count,
                                    .planned = count};
    snprintf(path, sizeof path, "%s/results.json", out);
    if (results_report_judge(&report) != 0 || results_json(&report, path) != 0) die(path);
    results_report_free(&report);
}

// `samples` 0: a few runs with few samples.
static void write_profiled(const char* directory, uint32_t samples) {
    static const char* const of_modes[] = {"int", "tiered", "c2"};
    static char directories[3][4200];
    struct results_execution executions[3];
    char out[4096], path[4200];
    size_t count = samples != 0 ? 1 : 3;
    snprintf(out, sizeof out, "%.4000s/profiled", directory);
    snprintf(path, sizeof path, "%s/runs", out);
    make_directory(out);
    make_directory(path);
    for (size_t i = 0; i < count; i++) {
        struct make_profiled wanted = {samples, 400, 60, 5};
        if (samples == 0) wanted = (struct make_profiled){500, 20 + 20 * (uint32_t)i, 24, i};
        snprintf(directories[i], sizeof directories[i], "%.4000s/runs/run-%zu", out, i);
        make_directory(directories[i]);
        struct results_run* run = make_profiled(directories[i], &wanted);
        executions[i] = synthetic_execution(run, of_modes[i]);
        executions[i].layers = 1u << ORACLE_LAYER_PROFILER;
        executions[i].case_name = i == 2 ? cases[CASES - 1] : "mixed";
        executions[i].directory = directories[i];
        snprintf(path, sizeof path, "%.4100s/run.lz4", directories[i]);
        executions[i].record = results_record_open_file(path);
    }
    write_report(out, executions, count);
    for (size_t i = 0; i < count; i++) {
        results_run_unmap((struct results_run*)(uintptr_t)executions[i].run);
        results_record_close((struct results_record*)(uintptr_t)executions[i].record);
    }
}

static void write_series(const char* out) {
    char path[4200], error[512];
    snprintf(path, sizeof path, "%s/17", out);
    struct results_saved* saved = results_saved_read(path, error, sizeof error);
    if (saved == NULL) {
        fprintf(stderr, "%s\n", error);
        exit(1);
    }
    struct results_point points[40] = {{0}};
    for (size_t i = 1; i < 40; i++)
        points[i] = (struct results_point){.seconds = (double)i / 2,
                                           .judged = 900 * i,
                                           .mismatched = points[i - 1].mismatched + i * i / 40,
                                           .refused = 12 * i};
    for (size_t i = 0; i < CASES; i++) {
        struct results_series series = {cases[i], "int", "app", ORACLE_LAYER_ASYNC, points, 40};
        if (results_saved_add_series(saved, &series) != 0) die("series");
    }
    snprintf(path, sizeof path, "%s/series.html", out);
    FILE* file = fopen(path, "w");
    if (file == NULL || results_write(RESULTS_FORMAT_HTML, &saved, 1, file) != 0 ||
        fclose(file) != 0)
        die(path);
    results_saved_free(saved);
}

int main(int argc, char** argv) {
    static const char* const versions[] = {"17.0.19", "21.0.12", "25.0.3"};
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: make_runs DIR [SAMPLES]\n");
        return 2;
    }
    make_directory(argv[1]);
    write_profiled(argv[1], argc == 3 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0);
    if (argc == 3) return 0;
    for (size_t i = 0; i < 3; i++) {
        char out[4096];
        snprintf(out, sizeof out, "%.4000s/%.2s", argv[1], versions[i]);
        write_run(out, versions[i]);
    }
    write_series(argv[1]);
    return 0;
}
