// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "recorded.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/options/options.h"
#include "recorded_parts.h"

#define ROW_MAX 10 // mismatches of a row that are printed

struct show {
    const char* path;
    char run[512];              // the run that --mismatch names, empty: the only one
    uint64_t mismatch, cluster; // 0: not asked for
    const char* row;
    bool counters;
    bool own; // of a row: the mismatches in our own code, and no others
    // On the way.
    struct runs runs;
    const struct results_execution* execution;
    uint64_t* row_list; // of the row: its mismatches by their numbers
    size_t row_count, row_room;
    uint64_t by[ORACLE_LAYER_COUNT][ORACLE_VERDICT_COUNT]; // without our own code
    uint64_t by_own[ORACLE_LAYER_COUNT][ORACLE_VERDICT_COUNT];
    uint64_t settled[RESULTS_BLAME_ORACLE + 1];
};

// ---- What is recorded -------------------------------------------------------------------------

static void count_sample(void* context, const struct results_sample* s, bool lost) {
    struct show* show = context;
    (void)lost;
    (s->own ? show->by_own : show->by)[s->layer][s->verdict]++;
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

static void print_counts_of(uint64_t by[ORACLE_LAYER_COUNT][ORACLE_VERDICT_COUNT],
                            const char* where) {
    for (int layer = 0; layer < ORACLE_LAYER_COUNT; layer++)
        for (int verdict = 0; verdict < ORACLE_VERDICT_COUNT; verdict++)
            if (by[layer][verdict] != 0)
                printf("  %s %s%s: %llu\n", oracle_layer_text((enum oracle_layer)layer),
                       oracle_verdict_text((enum oracle_verdict)verdict), where,
                       (unsigned long long)by[layer][verdict]);
}

static void print_counts(struct show* show) {
    print_counts_of(show->by, "");
    print_counts_of(show->by_own, ", in our own code");
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
    memset(show->by_own, 0, sizeof show->by_own);
    memset(show->settled, 0, sizeof show->settled);
    const struct results_record* record = show->execution->record;
    if (results_record_each(record, &visitor) != 0) return -1;
    struct output_plain plain;
    FILE* out = output_plain_open(&plain);
    fprintf(out, "%s %s %s: %s\n", show->execution->case_name, show->execution->mode,
            show->execution->scope, show->execution->directory);
    for (size_t i = 0; results_record_nth_property(record, i, &name, &value); i++)
        fprintf(out, "  %s: %s\n", name, value);
    output_plain_close(&plain, stdout);
    print_sizes(record);
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

// ---- Samples ----------------------------------------------------------------------------------

static int print_sample(struct show* show) {
    const struct results_report* report = &show->runs.report;
    const struct results_execution* found = *show->run != '\0'
                                                ? results_execution_named(report, show->run)
                                            : report->execution_count == 1 ? &report->executions[0]
                                                                           : NULL;
    if (found == NULL && *show->run == '\0')
        return runner_refuse(
            RUNNER_EXIT_USAGE, "show: %zu runs are there: name one, as in --mismatch %s-%s-%s/%llu",
            show->runs.count, show->runs.executions[0].case_name, show->runs.executions[0].mode,
            show->runs.executions[0].scope, (unsigned long long)show->mismatch);
    if (found == NULL)
        return runner_refuse(RUNNER_EXIT_HARNESS, "show: there is no run %s", show->run);
    if (results_show(&show->runs.report, found, show->mismatch, true, stdout)) return 0;
    return runner_refuse(RUNNER_EXIT_HARNESS, "show: no sample %llu is recorded",
                         (unsigned long long)show->mismatch);
}

// Is the row that was asked for this one?
static bool is_row(const struct show* show, const struct results_execution* execution,
                   enum oracle_layer layer) {
    char row[512];
    snprintf(row, sizeof row, "%s/%s/%s", execution->case_name, execution->mode,
             oracle_layer_text(layer));
    return strcmp(row, show->row) == 0;
}

static void look_at(void* context, const struct results_sample* s, bool lost) {
    struct show* show = context;
    (void)lost;
    if (s->own != show->own || !oracle_is_mismatch((enum oracle_verdict)s->verdict)) return;
    if (!is_row(show, show->execution, (enum oracle_layer)s->layer)) return;
    if (show->row_count == show->row_room) {
        show->row_room = show->row_room != 0 ? 2 * show->row_room : 64;
        show->row_list =
            base_must(realloc(show->row_list, show->row_room * sizeof *show->row_list));
    }
    show->row_list[show->row_count++] = s->sequence;
}

// The numbers behind the mismatches that were printed, for --mismatch.
static void print_others(const struct show* show) {
    if (show->row_count <= ROW_MAX) return;
    struct output_plain plain;
    FILE* out = output_plain_open(&plain);
    fprintf(out, "\n%zu more of this row, for --mismatch %s-%s-%s/N:", show->row_count - ROW_MAX,
            show->execution->case_name, show->execution->mode, show->execution->scope);
    for (size_t i = ROW_MAX; i < show->row_count; i++)
        fprintf(out, " %llu", (unsigned long long)show->row_list[i]);
    fputc('\n', out);
    output_plain_close(&plain, stdout);
}

// Is it one of these runs'?
static bool is_any_row(const struct show* show) {
    for (size_t i = 0; i < show->runs.count; i++)
        for (int layer = 0; layer < ORACLE_LAYER_COUNT; layer++)
            if (is_row(show, &show->runs.executions[i], (enum oracle_layer)layer)) return true;
    return false;
}

static int print_row(struct show* show) {
    const struct results_record_visitor visitor = {.context = show, .sample = look_at};
    uint64_t all = 0;
    for (size_t i = 0; i < show->runs.count; i++) {
        show->execution = &show->runs.executions[i];
        show->row_count = 0;
        if (results_record_each(show->execution->record, &visitor) != 0) return -1;
        for (size_t k = 0; k < show->row_count && k < ROW_MAX; k++)
            results_show(&show->runs.report, show->execution, show->row_list[k], true, stdout);
        print_others(show);
        all += show->row_count;
    }
    if (all != 0) return 0;
    if (!is_any_row(show))
        return runner_refuse(
            RUNNER_EXIT_HARNESS,
            "show: there is no row %s; a row is CASE/MODE/LAYER, as in %s/%s/async", show->row,
            show->runs.executions[0].case_name, show->runs.executions[0].mode);
    return runner_refuse(RUNNER_EXIT_HARNESS, "show: no mismatch of %s is recorded", show->row);
}

// ---- Clusters ---------------------------------------------------------------------------------

static void print_cluster(const struct results_report* report, uint64_t number) {
    const struct results_group* group = &report->groups[number - 1];
    struct output_plain plain;
    FILE* out = output_plain_open(&plain);
    fprintf(out, "cluster %llu of %zu: %s %s, %s %s%s%s%s%s; %s; %llu of %llu\n",
            (unsigned long long)number, report->group_count, oracle_layer_text(group->layer),
            oracle_verdict_text(group->verdict), results_code_kind_text(group->code_kind),
            results_region_text(group->region), *group->instruction != '\0' ? " " : "",
            group->instruction, *group->name != '\0' ? " " : "", group->name, group->relation,
            (unsigned long long)group->count, (unsigned long long)group->of);
    for (size_t i = 0; i < group->row_count; i++)
        fprintf(out, "  %s %s %s: %llu\n", group->rows[i].execution->case_name,
                group->rows[i].execution->mode, group->rows[i].execution->scope,
                (unsigned long long)group->rows[i].count);
    output_plain_close(&plain, stdout);
    if (group->example != NULL)
        results_show(report, group->example, group->example_sequence, true, stdout);
}

static int show_cluster_of(const struct results_report* report, uint64_t number) {
    if (number > report->group_count)
        return runner_refuse(RUNNER_EXIT_HARNESS, "show: there is no cluster %llu; there are %zu",
                             (unsigned long long)number, report->group_count);
    print_cluster(report, number);
    return 0;
}

// Of a run whose session's report is not there: beside each record lies the file with its clusters.
static int show_cluster_of_runs(struct runs* runs, uint64_t number) {
    for (size_t i = 0; i < runs->count; i++) {
        char path[PATH_MAX + 32];
        snprintf(path, sizeof path, "%s/run.plumbline", runs->list[i].directory);
        runs->executions[i].run = results_run_load(path);
    }
    if (results_report_judge(&runs->report) == 0) return show_cluster_of(&runs->report, number);
    return runner_refuse(RUNNER_EXIT_HARNESS, "no memory");
}

// As the session's report has them, and clusters.txt.
static int show_cluster_of_report(const struct show* show) {
    char error[PATH_MAX + 256] = "";
    struct results_saved* saved = results_saved_read(show->path, error, sizeof error);
    if (saved == NULL) return runner_refuse(RUNNER_EXIT_HARNESS, "%s", error);
    struct results_report* report = results_saved_report(saved);
    report->symbol = symbols_name;
    report->symbol_context = show->runs.symbols;
    int status = show_cluster_of(report, show->cluster);
    results_saved_free(saved);
    return status;
}

static int show_cluster(struct show* show) {
    char path[PATH_MAX];
    bool fits = (size_t)snprintf(path, sizeof path, "%s/results.json", show->path) < sizeof path;
    if (fits && access(path, R_OK) == 0) return show_cluster_of_report(show);
    return show_cluster_of_runs(&show->runs, show->cluster);
}

// ---- The command ------------------------------------------------------------------------------

static int show_each(struct show* show) {
    const struct results_record_visitor counters = {.counters = print_counters};
    int result = 0;
    for (size_t i = 0; i < show->runs.count && result == 0; i++) {
        show->execution = &show->runs.executions[i];
        if (show->counters) result = results_record_each(show->execution->record, &counters);
        else result = print_summary(show);
    }
    if (!show->counters && result == 0)
        printf("\nMore: plumbline show %s --cluster N, a kind of error; "
               "--row CASE/MODE/LAYER, a row's mismatches\n",
               show->path);
    return result;
}

static int show_all(struct show* show) {
    char error[PATH_MAX + 128], latest[HOME_PATH];
    int result;
    if (runs_open(show->path, &show->runs, error, sizeof error) != 0)
        return runner_refuse(RUNNER_EXIT_HARNESS, "%s", error);
    show->path = home_run(show->path, latest);
    for (size_t i = 0; i < show->runs.count; i++) runs_complain(&show->runs, i);
    if (show->cluster != 0) result = show_cluster(show);
    else if (show->mismatch != 0) result = print_sample(show);
    else if (show->row != NULL) result = print_row(show);
    else result = show_each(show);
    runs_close(&show->runs);
    if (result < 0) runner_complain("no memory");
    return result < 0 ? RUNNER_EXIT_HARNESS : result;
}

enum { KEY_MISMATCH = 256, KEY_CLUSTER, KEY_ROW, KEY_OWN, KEY_COUNTERS };

static const struct argp_option table[] = {
    {"mismatch", KEY_MISMATCH, "[RUN/]N", 0,
     "sample number N, as every report cites it (mixed-tiered-app/17), with all that was kept of "
     "it; RUN may be left out where there is one run",
     0},
    {"cluster", KEY_CLUSTER, "N", 0,
     "the Nth cluster, attribution after walking errors: where it was seen, an example", 0},
    {"row", KEY_ROW, "CASE/MODE/LAYER", 0, "the first 10 mismatches of this row", 0},
    {"own", KEY_OWN, NULL, 0,
     "with --row: the mismatches in our own code (push, pop, what was inserted), which no rate "
     "counts",
     0},
    {"counters", KEY_COUNTERS, NULL, 0,
     "counters over time, once a second: time in seconds, name, value", 0},
    {0}};

static bool take_number(const char* text, uint64_t* number) {
    char* end;
    errno = 0;
    if (*text < '0' || *text > '9') return false;
    *number = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && *number != 0;
}

// "mixed-tiered-app/17", or "17".
static bool take_mismatch(struct show* show, const char* text) {
    const char* slash = strrchr(text, '/');
    if (slash != NULL) snprintf(show->run, sizeof show->run, "%.*s", (int)(slash - text), text);
    return take_number(slash != NULL ? slash + 1 : text, &show->mismatch);
}

static error_t refuse(struct argp_state* state, const char* option, const char* text) {
    return arguments_wrong(state, "%s: \"%s\" is no number of one", option, text);
}

static error_t check(const struct show* show, struct argp_state* state) {
    int asked = (show->mismatch != 0) + (show->cluster != 0) + (show->row != NULL) + show->counters;
    if (show->own && show->row == NULL) return arguments_wrong(state, "--own goes with --row");
    return asked <= 1 ? 0 : arguments_wrong(state, "one thing at a time");
}

static error_t take_option(int key, char* text, struct argp_state* state) {
    struct show* show = state->input;
    switch (key) {
    case KEY_MISMATCH: return take_mismatch(show, text) ? 0 : refuse(state, "--mismatch", text);
    case KEY_CLUSTER:
        return take_number(text, &show->cluster) ? 0 : refuse(state, "--cluster", text);
    case KEY_ROW: show->row = text; return 0;
    case KEY_OWN: show->own = true; return 0;
    case KEY_COUNTERS: show->counters = true; return 0;
    case ARGP_KEY_ARG:
        if (show->path != NULL)
            return arguments_wrong(state, "\"%s\": only one RUN is taken", text);
        show->path = text;
        return 0;
    case ARGP_KEY_NO_ARGS: return arguments_wrong(state, "which RUN?");
    case ARGP_KEY_SUCCESS: return check(show, state);
    default: return ARGP_ERR_UNKNOWN;
    }
}

int show_command(const struct base_call* call) {
    static const struct argp argp = {
        .options = table,
        .parser = take_option,
        .args_doc = "RUN",
        .doc =
            "Shows what a record holds. RUN is an output directory, a run's directory, or its "
            "run.lz4. Without an option: what is recorded.\v"
            "Exit status: 0; 3 where there is no record, or nothing in it of what is asked for."};
    struct show* show = base_must(calloc(1, sizeof *show));
    int status = arguments_parse(&argp, 0, call, show);
    if (status == 0) status = runner_printed(show_all(show));
    free(show->row_list);
    free(show);
    return status;
}
