// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "show.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorded.h"
#include "records.h"
#include "runner/base/base.h"

#define ROW_MAX 10 // mismatches of a row that are printed

static const char usage[] =
    "usage: plumbline show RUN [--mismatch N | --cluster N | --row CASE/MODE/LAYER | --counters]\n"
    "RUN: an output directory, a run's directory, or its run.lz4. Without an option: what is "
    "recorded.\n"
    "  --mismatch N  the Nth recorded mismatch, from 1, with all that was kept of it\n"
    "  --cluster N   the Nth cluster, attribution after walking errors: where it was seen, an "
    "example\n"
    "  --row C/M/L   the mismatches of a case, mode and layer: the first 10\n"
    "  --counters    counters over time, once a second: time in seconds, name, value";

struct show {
    const char* path;
    uint64_t mismatch, cluster; // 0: not asked for
    const char* row;
    bool counters;
    // On the way.
    const struct recorded_run* run;
    struct recorded_view* view;
    uint64_t seen, printed; // mismatches: all, in all runs; those of the row
    uint64_t by[ORACLE_LAYER_COUNT][ORACLE_VERDICT_COUNT];
    uint64_t settled[RESULTS_BLAME_ORACLE + 1];
};

// ---- What is recorded -------------------------------------------------------------------------

static void count_sample(void* context, const struct results_sample* s, bool lost) {
    struct show* show = context;
    (void)lost;
    show->by[s->layer][s->verdict]++;
}

static void count_settled(void* context, uint32_t slot, uint32_t epoch, uint32_t blame) {
    struct show* show = context;
    (void)slot, (void)epoch;
    show->settled[blame]++;
}

static void print_sizes(const struct results_record* record) {
    struct results_record_sizes s;
    results_record_sizes(record, &s);
    printf("  %llu samples (%llu as one in N, %llu mismatches) in %llu blocks, %llu bytes\n",
           (unsigned long long)s.samples, (unsigned long long)s.chosen,
           (unsigned long long)s.mismatches, (unsigned long long)s.blocks,
           (unsigned long long)s.file);
    if (s.samples == 0 || s.file == 0) return;
    printf("  %.1f bytes a sample, %.1f before compression; all content compressed %.2f : 1\n",
           (double)s.file / (double)s.samples, (double)s.samples_bytes / (double)s.samples,
           (double)s.content / (double)s.file);
}

static void print_counts(const struct show* show) {
    for (int layer = 0; layer < ORACLE_LAYER_COUNT; layer++)
        for (int verdict = 0; verdict < ORACLE_VERDICT_COUNT; verdict++)
            if (show->by[layer][verdict] != 0)
                printf("  %s %s: %llu\n", oracle_layer_text((enum oracle_layer)layer),
                       oracle_verdict_text((enum oracle_verdict)verdict),
                       (unsigned long long)show->by[layer][verdict]);
    printf("  accusations settled: %llu the walker was wrong, %llu taken back, %llu open\n",
           (unsigned long long)show->settled[RESULTS_BLAME_WALKER],
           (unsigned long long)show->settled[RESULTS_BLAME_ORACLE],
           (unsigned long long)show->settled[RESULTS_BLAME_OPEN]);
}

static int print_summary(struct show* show) {
    const struct results_record_visitor visitor = {
        .context = show, .sample = count_sample, .settled = count_settled};
    const char *name, *value;
    memset(show->by, 0, sizeof show->by);
    memset(show->settled, 0, sizeof show->settled);
    if (results_record_each(show->run->record, &visitor) != 0) return -1;
    printf("%s %s %s: %s\n", show->run->name, show->run->mode, show->run->scope, show->run->path);
    for (size_t i = 0; results_record_nth_property(show->run->record, i, &name, &value); i++) {
        printf("  ");
        results_plain(name, stdout);
        printf(": ");
        results_plain(value, stdout);
        printf("\n");
    }
    print_sizes(show->run->record);
    print_counts(show);
    return 0;
}

// ---- Counters ---------------------------------------------------------------------------------

static void print_counters(void* context, uint64_t time_ns, bool full,
                           const uint64_t values[RESULTS_COUNTERS]) {
    char name[RESULTS_COUNTER_NAME];
    (void)context;
    if (!full) return;
    for (uint32_t i = 0; i < RESULTS_COUNTERS; i++)
        if (values[i] != 0)
            printf("%.3f %s %llu\n", (double)time_ns / 1e9, results_counter_name(i, name),
                   (unsigned long long)values[i]);
}

// ---- Mismatches -------------------------------------------------------------------------------

// "mixed/tiered/async" against the run and the sample's layer.
static bool is_of_row(const struct show* show, const struct results_sample* s) {
    char row[512];
    snprintf(row, sizeof row, "%s/%s/%s", show->run->name, show->run->mode,
             oracle_layer_text((enum oracle_layer)s->layer));
    return strcmp(row, show->row) == 0;
}

static void look_at(void* context, const struct results_sample* s, bool lost) {
    struct show* show = context;
    if (s->own || !oracle_is_mismatch((enum oracle_verdict)s->verdict)) return;
    show->seen++;
    bool wanted = show->row != NULL ? is_of_row(show, s) : show->seen == show->mismatch;
    if (!wanted || show->printed++ >= (show->row != NULL ? ROW_MAX : 1)) return;
    printf("\nmismatch %llu, %.6f s after the start%s", (unsigned long long)show->seen,
           (double)s->time_ns / 1e9, lost ? " (some methods' names are lost)" : "");
    recorded_print(show->view, s, stdout);
}

static int look_for(struct show* show) {
    const struct results_record_visitor visitor = {.context = show, .sample = look_at};
    show->view = recorded_view_open(show->run);
    int result = show->view != NULL ? results_record_each(show->run->record, &visitor) : -1;
    recorded_view_close(show->view);
    return result;
}

static int end_looking(const struct show* show) {
    if (show->row != NULL && show->printed > ROW_MAX)
        printf("\n%llu more of this row: --mismatch shows each\n",
               (unsigned long long)(show->printed - ROW_MAX));
    if (show->printed != 0) return 0;
    if (show->row != NULL) runner_complain("show: no mismatch of %s is recorded", show->row);
    else
        runner_complain("show: there is no mismatch %llu; %llu are recorded",
                        (unsigned long long)show->mismatch, (unsigned long long)show->seen);
    return RUNNER_EXIT_HARNESS;
}

// ---- Clusters ---------------------------------------------------------------------------------

// Beside each record lies the mapped file with the clusters.
static void map_run(const struct recorded_run* run, struct results_execution* execution) {
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/run.plumbline", run->directory);
    *execution = (struct results_execution){.case_name = run->name,
                                            .mode = run->mode,
                                            .scope = run->scope,
                                            .directory = run->directory,
                                            .layers = (1u << ORACLE_LAYER_COUNT) - 1,
                                            .end = RESULTS_END_EXITED,
                                            .run = results_run_map(path)};
}

static void print_cluster(const struct results_report* report, uint64_t number) {
    const struct results_group* group = &report->groups[number - 1];
    printf("cluster %llu of %zu: %s %s, %s %s%s%s%s", (unsigned long long)number,
           report->group_count, oracle_layer_text(group->layer),
           oracle_verdict_text(group->verdict), results_code_kind_text(group->code_kind),
           results_region_text(group->region), *group->instruction != '\0' ? " " : "",
           group->instruction, *group->name != '\0' ? " " : "");
    results_plain(group->name, stdout);
    printf("; %s; %llu of %llu\n", group->relation, (unsigned long long)group->count,
           (unsigned long long)group->of);
    for (size_t i = 0; i < group->row_count; i++)
        printf("  %s %s %s: %llu\n", group->rows[i].execution->case_name,
               group->rows[i].execution->mode, group->rows[i].execution->scope,
               (unsigned long long)group->rows[i].count);
    if (group->mismatch != NULL) results_show(report, group->example, group->mismatch, stdout);
}

static int show_cluster_of(const struct results_report* report, uint64_t number) {
    if (number > report->group_count) {
        runner_complain("show: there is no cluster %llu; there are %zu", (unsigned long long)number,
                        report->group_count);
        return RUNNER_EXIT_HARNESS;
    }
    print_cluster(report, number);
    return 0;
}

// Of a run whose session's report is not there.
static int show_cluster_of_runs(const struct recorded_run* runs, size_t count, uint64_t number) {
    struct results_execution* executions = calloc(count, sizeof *executions);
    if (executions == NULL) return RUNNER_EXIT_HARNESS;
    for (size_t i = 0; i < count; i++) map_run(&runs[i], &executions[i]);
    struct symbols* symbols = recorded_symbols(&runs[0]);
    struct results_report report = {.executions = executions,
                                    .execution_count = count,
                                    .planned = count,
                                    .symbol = symbols_name,
                                    .symbol_context = symbols};
    int status = RUNNER_EXIT_HARNESS;
    if (results_report_judge(&report) != 0) runner_complain("no memory");
    else status = show_cluster_of(&report, number);
    results_report_free(&report);
    if (symbols != NULL) symbols_close(symbols);
    for (size_t i = 0; i < count; i++)
        results_run_unmap((struct results_run*)(uintptr_t)executions[i].run);
    free(executions);
    return status;
}

// As the session's report has them, and clusters.txt.
static int show_cluster_of_report(const char* directory, const struct recorded_run* run,
                                  uint64_t number) {
    char error[PATH_MAX + 256] = "";
    struct results_saved* saved = results_saved_read(directory, error, sizeof error);
    if (saved == NULL) {
        runner_complain("%s", error);
        return RUNNER_EXIT_HARNESS;
    }
    struct results_report* report = results_saved_report(saved);
    struct symbols* symbols = recorded_symbols(run);
    report->symbol = symbols_name;
    report->symbol_context = symbols;
    int status = show_cluster_of(report, number);
    results_saved_free(saved);
    if (symbols != NULL) symbols_close(symbols);
    return status;
}

static int show_cluster(const struct show* show, const struct recorded_run* runs, size_t count) {
    char path[PATH_MAX];
    bool fits = (size_t)snprintf(path, sizeof path, "%s/results.json", show->path) < sizeof path;
    if (fits && access(path, R_OK) == 0)
        return show_cluster_of_report(show->path, &runs[0], show->cluster);
    return show_cluster_of_runs(runs, count, show->cluster);
}

// ---- The command ------------------------------------------------------------------------------

static int show_all(struct show* show) {
    const struct results_record_visitor counters = {.counters = print_counters};
    struct recorded_run* runs;
    size_t count;
    char error[PATH_MAX + 128];
    int status = 0, result = 0;
    if (recorded_open(show->path, &runs, &count, error, sizeof error) != 0) {
        runner_complain("%s", error);
        return RUNNER_EXIT_HARNESS;
    }
    bool looking = show->mismatch != 0 || show->row != NULL;
    for (size_t i = 0; i < count; i++) recorded_complain(&runs[i]);
    if (show->cluster != 0) status = show_cluster(show, runs, count);
    for (size_t i = 0; i < count && show->cluster == 0 && result == 0; i++) {
        show->run = &runs[i];
        if (looking) result = look_for(show);
        else if (show->counters) result = results_record_each(runs[i].record, &counters);
        else result = print_summary(show);
    }
    if (looking && result == 0) status = end_looking(show);
    recorded_close(runs, count);
    if (result != 0) runner_complain("no memory");
    return result != 0 ? RUNNER_EXIT_HARNESS : status;
}

static bool take_number(const char* text, uint64_t* number) {
    char* end;
    errno = 0;
    if (*text < '0' || *text > '9') return false;
    *number = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && *number != 0;
}

// One argument. False: it is not understood.
static bool take(struct show* show, const char* option, const char* value, bool* used_value) {
    *used_value = true;
    if (strcmp(option, "--mismatch") == 0)
        return value != NULL && take_number(value, &show->mismatch);
    if (strcmp(option, "--cluster") == 0)
        return value != NULL && take_number(value, &show->cluster);
    if (strcmp(option, "--row") == 0) return (show->row = value) != NULL;
    *used_value = false;
    if (strcmp(option, "--counters") == 0) return show->counters = true;
    if (option[0] == '-' || show->path != NULL) return false;
    show->path = option;
    return true;
}

int show_run(int argc, char** argv) {
    struct show show = {0};
    for (int i = 1; i < argc; i++) {
        bool used_value;
        if (strcmp(argv[i], "--help") == 0) {
            puts(usage);
            return 0;
        }
        if (!take(&show, argv[i], argv[i + 1], &used_value)) {
            runner_complain("show: \"%s\" is not understood\n%s", argv[i], usage);
            return RUNNER_EXIT_USAGE;
        }
        i += used_value;
    }
    int asked = (show.mismatch != 0) + (show.cluster != 0) + (show.row != NULL) + show.counters;
    if (show.path != NULL && asked <= 1) return show_all(&show);
    runner_complain("show: %s\n%s", show.path == NULL ? "which RUN?" : "one thing at a time",
                    usage);
    return RUNNER_EXIT_USAGE;
}

int show_command(const struct base_call* call) {
    return show_run(call->argc, call->argv);
}
