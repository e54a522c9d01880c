// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Coverage: cells wanted and reached, and the table of shares.
#include "rows.h"

#include <fnmatch.h>
#include <string.h>

#define STUB_MATCH (FNM_CASEFOLD | FNM_EXTMATCH)
#define C1_MINIMUM 100u // samples in compiled code, below which nothing is said of C1's share

static uint64_t load(const uint64_t* count) {
    return __atomic_load_n(count, __ATOMIC_RELAXED);
}

static uint64_t samples_of(const struct results_cell* cell) {
    return load(&cell->judged) + load(&cell->refused);
}

static uint64_t samples_in(const struct results_run* run, enum results_code_kind kind,
                           uint32_t regions) {
    uint64_t sum = 0;
    for (int region = 0; region < RESULTS_REGION_COUNT; region++)
        if (regions & 1u << region) sum += samples_of(&run->coverage.code[kind][region]);
    return sum;
}

bool coverage_stub_name(const struct results_stub* stub, char name[RESULTS_STUB_NAME]) {
    if (__atomic_load_n(&stub->state, __ATOMIC_ACQUIRE) != RESULTS_STUB_READY) return false;
    memcpy(name, stub->name, RESULTS_STUB_NAME);
    name[RESULTS_STUB_NAME - 1] = '\0'; // the file may be damaged
    return true;
}

static uint64_t all_samples(const struct results_run* run) {
    uint64_t sum = 0;
    for (int kind = 0; kind < RESULTS_CODE_KIND_COUNT; kind++)
        sum += samples_in(run, (enum results_code_kind)kind, COVERAGE_ALL_REGIONS);
    return sum;
}

bool coverage_is_of(const struct results_row* row) {
    if (row->layer == ORACLE_LAYER_ASYNC) return true;
    return row->layer == ORACLE_LAYER_STRUCTURE &&
           (row->execution->layers & 1u << ORACLE_LAYER_ASYNC) == 0;
}

// Which library a program counter lies in is known without the tables; the rest is not.
bool coverage_is_known(const struct results_run* run) {
    for (int kind = RESULTS_CODE_INTERPRETER; kind < RESULTS_CODE_JVM; kind++)
        if (samples_in(run, (enum results_code_kind)kind, COVERAGE_ALL_REGIONS) != 0) return true;
    return false;
}

double coverage_c1(const struct results_run* run) {
    uint64_t c1 = 0;
    if (run == NULL) return 0;
    for (int kind = RESULTS_CODE_C1_1; kind <= RESULTS_CODE_C1_3; kind++)
        c1 += samples_in(run, (enum results_code_kind)kind, COVERAGE_ALL_REGIONS);
    uint64_t c2 = samples_in(run, RESULTS_CODE_C2, COVERAGE_ALL_REGIONS);
    return c1 + c2 < C1_MINIMUM ? 0 : (double)c1 / (double)(c1 + c2);
}

// ---- What a case is for -----------------------------------------------------------------------

static bool is_named(const struct results_stub* stub, const char* glob) {
    char name[RESULTS_STUB_NAME];
    return coverage_stub_name(stub, name) && fnmatch(glob, name, STUB_MATCH) == 0;
}

static uint64_t in_stubs(const struct results_run* run, const char* glob) {
    const struct results_stub* stubs = run->coverage.stubs;
    uint64_t sum = 0;
    for (size_t i = 0; i < RESULTS_STUBS; i++)
        if (is_named(&stubs[i], glob)) sum += samples_of(&stubs[i].cell);
    return sum;
}

uint64_t coverage_wanted(const struct results_run* run, const struct results_wanted* wanted) {
    uint64_t sum = 0;
    if (wanted->stub != NULL) return in_stubs(run, wanted->stub);
    for (int kind = 0; kind < RESULTS_CODE_KIND_COUNT; kind++)
        if (wanted->kinds & 1u << kind)
            sum += samples_in(run, (enum results_code_kind)kind, wanted->regions);
    return sum;
}

static bool asks(const struct results_row* row) {
    return row->execution->wanted_count != 0 && row->execution->run != NULL && coverage_is_of(row);
}

static bool has_stub(const struct results_run* run, const char* glob) {
    for (size_t i = 0; i < RESULTS_STUBS; i++)
        if (is_named(&run->coverage.stubs[i], glob)) return true;
    return false;
}

bool coverage_is_impossible(struct results_row* row) {
    const struct results_execution* execution = row->execution;
    if (!asks(row) || !coverage_is_known(execution->run)) return false;
    for (size_t i = 0; i < execution->wanted_count; i++) {
        const char* glob = execution->wanted[i].stub;
        if (glob == NULL || has_stub(execution->run, glob)) continue;
        snprintf(row->reason, sizeof row->reason,
                 "the case is for %s: this JVM, on this processor, has no such stub",
                 execution->wanted[i].text);
        return true;
    }
    return false;
}

bool coverage_is_empty(struct results_row* row) {
    const struct results_execution* execution = row->execution;
    if (!asks(row) || !coverage_is_known(execution->run)) return false;
    for (size_t i = 0; i < execution->wanted_count; i++) {
        uint64_t samples = coverage_wanted(execution->run, &execution->wanted[i]);
        if (samples >= RESULTS_MINIMUM_CELL) continue;
        snprintf(row->reason, sizeof row->reason, "the case is for %s: %llu samples, %u needed",
                 execution->wanted[i].text, (unsigned long long)samples, RESULTS_MINIMUM_CELL);
        return true;
    }
    return false;
}

void coverage_note(struct results_row* row) {
    if (!asks(row) || coverage_is_known(row->execution->run)) return;
    const char* why = row->execution->run->code_tables;
    rows_note(row, "coverage unknown%s%s", *why != '\0' ? ": " : "", why);
}

// ---- The table --------------------------------------------------------------------------------

// A column for each kind and region that any run saw.
struct columns {
    bool kinds[RESULTS_CODE_KIND_COUNT], regions[RESULTS_REGION_COUNT];
    int case_name, mode, scope;
};

static uint64_t samples_in_region(const struct results_run* run, int region) {
    uint64_t sum = 0;
    for (int kind = 0; kind < RESULTS_CODE_KIND_COUNT; kind++)
        sum += samples_of(&run->coverage.code[kind][region]);
    return sum;
}

static bool has_samples(const struct results_execution* execution) {
    return execution->run != NULL && all_samples(execution->run) != 0;
}

// False if there is nothing to print.
static bool measure(const struct results_report* report, struct columns* columns) {
    bool any = false;
    *columns = (struct columns){.case_name = 4, .mode = 4, .scope = 5};
    for (size_t i = 0; i < report->execution_count; i++) {
        const struct results_execution* execution = &report->executions[i];
        if (!has_samples(execution)) continue;
        any = true;
        columns->case_name = rows_wider(columns->case_name, execution->case_name);
        columns->mode = rows_wider(columns->mode, execution->mode);
        for (int k = 0; k < RESULTS_CODE_KIND_COUNT; k++)
            columns->kinds[k] |=
                samples_in(execution->run, (enum results_code_kind)k, COVERAGE_ALL_REGIONS) != 0;
        for (int r = RESULTS_REGION_ENTRY; r < RESULTS_REGION_COUNT; r++)
            columns->regions[r] |= samples_in_region(execution->run, r) != 0;
    }
    return any;
}

static void print_share(uint64_t part, uint64_t whole, int width, FILE* out) {
    if (part == 0) fprintf(out, "  %*s", width, "-");
    else
        fprintf(out, "  %*.*f", width, part * 1000 < whole ? 3 : 1,
                100.0 * (double)part / (double)whole);
}

// The bucket below which half of the samples lie, and the deepest with any: "4-7" and "64-127".
static void print_depths(const struct results_run* run, FILE* out) {
    uint64_t sum = 0, below = 0;
    int median = -1, deepest = -1;
    for (int i = 0; i < RESULTS_DEPTHS; i++) sum += samples_of(&run->coverage.depth[i]);
    for (int i = 0; i < RESULTS_DEPTHS; i++) {
        uint64_t samples = samples_of(&run->coverage.depth[i]);
        below += samples;
        if (median < 0 && below * 2 >= sum && sum != 0) median = i;
        if (samples != 0) deepest = i;
    }
    const int depths[2] = {median, deepest};
    for (int i = 0; i < 2; i++) {
        char text[32] = "-";
        if (depths[i] == 0) snprintf(text, sizeof text, "1");
        else if (depths[i] == RESULTS_DEPTHS - 1)
            snprintf(text, sizeof text, "%u+", 1u << depths[i]);
        else if (depths[i] > 0)
            snprintf(text, sizeof text, "%u-%u", 1u << depths[i], (2u << depths[i]) - 1);
        fprintf(out, "  %11s", text);
    }
}

static void print_run(const struct results_execution* execution, const struct columns* columns,
                      FILE* out) {
    const struct results_run* run = execution->run;
    uint64_t all = all_samples(run), refused = 0;
    for (int k = 0; k < RESULTS_CODE_KIND_COUNT; k++)
        for (int r = 0; r < RESULTS_REGION_COUNT; r++)
            refused += load(&run->coverage.code[k][r].refused);
    fprintf(out, "%-*s  %-*s  %-*s  %9llu", columns->case_name, execution->case_name, columns->mode,
            execution->mode, columns->scope, execution->scope, (unsigned long long)all);
    for (int k = 0; k < RESULTS_CODE_KIND_COUNT; k++)
        if (columns->kinds[k])
            print_share(samples_in(run, (enum results_code_kind)k, COVERAGE_ALL_REGIONS), all,
                        rows_wider(5, results_code_kind_text((enum results_code_kind)k)), out);
    fprintf(out, "  |");
    for (int r = RESULTS_REGION_ENTRY; r < RESULTS_REGION_COUNT; r++)
        if (columns->regions[r]) print_share(samples_in_region(run, r), all, 5, out);
    fprintf(out, "  |");
    print_share(refused, all, 7, out);
    print_depths(run, out);
    fprintf(out, "%s\n", coverage_is_known(run) ? "" : "  code unknown: this JVM's tables differ");
}

void coverage_print(const struct results_report* report, FILE* out) {
    struct columns columns;
    if (!measure(report, &columns)) return;
    fprintf(out,
            "\nCoverage: samples, judged or refused, in %% of a run's, by the code at the program "
            "counter and the region of a\nmethod's code:\n");
    fprintf(out, "%-*s  %-*s  %-*s  %9s", columns.case_name, "case", columns.mode, "mode",
            columns.scope, "scope", "samples");
    for (int k = 0; k < RESULTS_CODE_KIND_COUNT; k++)
        if (columns.kinds[k])
            fprintf(out, "  %5s", results_code_kind_text((enum results_code_kind)k));
    fprintf(out, "  |");
    for (int r = RESULTS_REGION_ENTRY; r < RESULTS_REGION_COUNT; r++)
        if (columns.regions[r]) fprintf(out, "  %5s", results_region_text((enum results_region)r));
    fprintf(out, "  |  %7s  %11s  %11s\n", "refused", "half within", "deepest");
    for (size_t i = 0; i < report->execution_count; i++)
        if (has_samples(&report->executions[i])) print_run(&report->executions[i], &columns, out);
}
