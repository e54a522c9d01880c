// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "rows.h"

#include <string.h>

#define LABEL 12
#define CELL 38 // wide enough for most rates with their intervals

bool observer_is_asked(const struct results_report* report) {
    for (size_t i = 1; i < report->execution_count; i++)
        if (strcmp(report->executions[i].scope, report->executions[0].scope) != 0) return true;
    return false;
}

// ---- Cells ------------------------------------------------------------------------------------

static bool same_case(const struct results_execution* a, const struct results_execution* b) {
    return strcmp(a->case_name, b->case_name) == 0 && strcmp(a->mode, b->mode) == 0;
}

static const struct results_row* row_of(const struct results_report* report,
                                        const struct results_execution* execution,
                                        enum oracle_layer layer) {
    for (size_t i = 0; i < report->row_count; i++)
        if (report->rows[i].execution == execution && report->rows[i].layer == layer)
            return &report->rows[i];
    return NULL;
}

static void fill_cell(const struct results_report* report,
                      const struct results_execution* execution, struct observer_cell* cell) {
    *cell = (struct observer_cell){
        .execution = execution,
        .async = row_of(report, execution, ORACLE_LAYER_ASYNC),
        .structure = row_of(report, execution, ORACLE_LAYER_STRUCTURE),
        .sandwich = row_of(report, execution, ORACLE_LAYER_SANDWICH),
    };
    const struct results_row* sampled = cell->async != NULL       ? cell->async
                                        : cell->structure != NULL ? cell->structure
                                                                  : cell->sandwich;
    if (sampled != NULL) {
        cell->refused = sampled->counts.verdict[ORACLE_REFUSED];
        cell->answered = cell->refused + sampled->judged + sampled->own_judged +
                         sampled->counts.verdict[ORACLE_UNDECIDED];
    }
    if (execution->units != 0 && execution->unit_seconds > 0)
        cell->speed = (double)execution->units / execution->unit_seconds;
}

static void relate_to_none(struct observer_cell* cells, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(cells[i].execution->scope, "none") != 0 || cells[i].speed <= 0) continue;
        for (size_t j = 0; j < count; j++) cells[j].relative = cells[j].speed / cells[i].speed;
        return;
    }
}

size_t observer_cells(const struct results_report* report, size_t first,
                      struct observer_cell* cells, size_t room) {
    const struct results_execution* executions = report->executions;
    for (size_t i = 0; i < first; i++)
        if (same_case(&executions[i], &executions[first])) return 0;
    size_t count = 0;
    for (size_t i = first; i < report->execution_count && count < room; i++)
        if (same_case(&executions[i], &executions[first]))
            fill_cell(report, &executions[i], &cells[count++]);
    relate_to_none(cells, count);
    return count;
}

// ---- The table --------------------------------------------------------------------------------

struct line {
    const char* label;
    char cells[OBSERVER_SCOPES][RESULTS_RATE_TEXT];
};

// Without blanks at the end.
static void print_line(const struct line* line, size_t count, FILE* out) {
    fprintf(out, "  %-*s", LABEL, line->label);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "  %-*s", i + 1 == count ? 0 : CELL, line->cells[i]);
    fprintf(out, "\n");
}

static void fill_rate(char text[RESULTS_RATE_TEXT], const struct results_row* row,
                      bool attribution) {
    snprintf(text, RESULTS_RATE_TEXT, "-");
    if (row != NULL)
        results_rate_text(attribution ? row->attribution : row->mismatched, row->judged, text);
}

static void fill_work(char text[RESULTS_RATE_TEXT], const struct observer_cell* cell) {
    snprintf(text, RESULTS_RATE_TEXT, "-");
    if (cell->speed <= 0) return;
    size_t used =
        (size_t)snprintf(text, RESULTS_RATE_TEXT, "%.*f units/s for %.1f s",
                         cell->speed < 100 ? 1 : 0, cell->speed, cell->execution->unit_seconds);
    if (cell->relative > 0 && strcmp(cell->execution->scope, "none") != 0)
        snprintf(text + used, RESULTS_RATE_TEXT - used, ", %.3g of none's", cell->relative);
}

static void fill_inlined(char text[RESULTS_RATE_TEXT], const struct results_inlined* inlined) {
    snprintf(text, RESULTS_RATE_TEXT, "-");
    if (inlined->bare == 0) return;
    snprintf(text, RESULTS_RATE_TEXT, "%llu/%llu = %.3g %% kept, %llu bare",
             (unsigned long long)inlined->kept, (unsigned long long)inlined->compiled,
             inlined->compiled == 0 ? 0.0
                                    : 100.0 * (double)inlined->kept / (double)inlined->compiled,
             (unsigned long long)inlined->bare);
}

static bool any_inlined(const struct observer_cell* cells, size_t count) {
    bool any = false;
    for (size_t i = 0; i < count; i++)
        for (unsigned j = 0; j < RESULTS_COMPILERS; j++)
            any = any || cells[i].execution->inlined[j].bare != 0;
    return any;
}

static void print_inlined(const struct observer_cell* cells, size_t count, FILE* out) {
    static const char* const labels[RESULTS_COMPILERS] = {"inlined, C1", "inlined, C2"};
    for (unsigned j = 0; j < RESULTS_COMPILERS && any_inlined(cells, count); j++) {
        struct line line = {.label = labels[j]};
        for (size_t i = 0; i < count; i++)
            fill_inlined(line.cells[i], &cells[i].execution->inlined[j]);
        print_line(&line, count, out);
    }
}

static void print_case(const struct observer_cell* cells, size_t count, FILE* out) {
    struct line heads = {.label = ""}, async = {.label = "async"}, work = {.label = "work"};
    struct line attribution = {.label = "attribution"}, structure = {.label = "structure"};
    struct line sandwich = {.label = "sandwich"}, refused = {.label = "refused"};
    for (size_t i = 0; i < count; i++) {
        snprintf(heads.cells[i], RESULTS_RATE_TEXT, "scope %s", cells[i].execution->scope);
        fill_rate(async.cells[i], cells[i].async, false);
        fill_rate(attribution.cells[i], cells[i].async, true);
        fill_rate(structure.cells[i], cells[i].structure, false);
        fill_rate(sandwich.cells[i], cells[i].sandwich, false);
        results_rate_text(cells[i].refused, cells[i].answered, refused.cells[i]);
        fill_work(work.cells[i], &cells[i]);
    }
    fprintf(out, "%s %s\n", cells[0].execution->case_name, cells[0].execution->mode);
    const struct line* const lines[] = {&heads,    &async,   &attribution, &structure,
                                        &sandwich, &refused, &work};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) print_line(lines[i], count, out);
    print_inlined(cells, count, out);
}

void observer_print(const struct results_report* report, FILE* out) {
    if (!observer_is_asked(report)) return;
    fprintf(out, "\nThe observer: the same case and mode by scope. Rates of walking errors (and of "
                 "attribution) by layer, the share of\nanswers refused, and the program's own "
                 "speed:\n");
    for (size_t i = 0; i < report->execution_count; i++) {
        struct observer_cell cells[OBSERVER_SCOPES];
        size_t count = observer_cells(report, i, cells, OBSERVER_SCOPES);
        if (count != 0) print_case(cells, count, out);
    }
}
