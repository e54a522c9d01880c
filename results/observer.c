// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "observer.h"

#include <string.h>

#define LABEL 12
#define CELL 40 // wide enough for most rates with their intervals

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

static void print_rate(const struct results_row* row, uint64_t events, FILE* out) {
    char text[RESULTS_RATE_TEXT] = "-";
    if (row != NULL) results_rate_text(events, row->judged, text);
    fprintf(out, "  %-*s", CELL, text);
}

static void print_label(const char* label, FILE* out) {
    fprintf(out, "  %-*s", LABEL, label);
}

static void print_rates(const struct observer_cell* cells, size_t count, FILE* out) {
    print_label("async", out);
    for (size_t i = 0; i < count; i++)
        print_rate(cells[i].async, cells[i].async ? cells[i].async->mismatched : 0, out);
    fprintf(out, "\n");
    print_label("attribution", out);
    for (size_t i = 0; i < count; i++)
        print_rate(cells[i].async, cells[i].async ? cells[i].async->attribution : 0, out);
    fprintf(out, "\n");
    print_label("structure", out);
    for (size_t i = 0; i < count; i++)
        print_rate(cells[i].structure, cells[i].structure ? cells[i].structure->mismatched : 0,
                   out);
    fprintf(out, "\n");
    print_label("sandwich", out);
    for (size_t i = 0; i < count; i++)
        print_rate(cells[i].sandwich, cells[i].sandwich ? cells[i].sandwich->mismatched : 0, out);
    fprintf(out, "\n");
}

static void print_work(const struct observer_cell* cells, size_t count, FILE* out) {
    char text[80];
    print_label("refused", out);
    for (size_t i = 0; i < count; i++)
        fprintf(
            out, "  %-*s", CELL,
            results_rate_text(cells[i].refused, cells[i].answered, (char[RESULTS_RATE_TEXT]){0}));
    fprintf(out, "\n");
    print_label("work", out);
    for (size_t i = 0; i < count; i++) {
        snprintf(text, sizeof text, "-");
        if (cells[i].speed > 0)
            snprintf(text, sizeof text, "%.4g units/s in %.1f s", cells[i].speed,
                     cells[i].execution->unit_seconds);
        if (cells[i].relative > 0) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, ", %.2f of none's", cells[i].relative);
        }
        fprintf(out, "  %-*s", CELL, text);
    }
    fprintf(out, "\n");
}

void observer_print(const struct results_report* report, FILE* out) {
    if (!observer_is_asked(report)) return;
    fprintf(out, "\nThe observer: rates of walking errors (and of attribution) by scope, the share "
                 "refused, and the program's own speed:\n");
    for (size_t i = 0; i < report->execution_count; i++) {
        struct observer_cell cells[OBSERVER_SCOPES];
        size_t count = observer_cells(report, i, cells, OBSERVER_SCOPES);
        if (count == 0) continue;
        char name[LABEL * 8];
        snprintf(name, sizeof name, "%s %s", cells[0].execution->case_name,
                 cells[0].execution->mode);
        fprintf(out, "%-*s", LABEL + 2, name);
        for (size_t j = 0; j < count; j++) fprintf(out, "  %-*s", CELL, cells[j].execution->scope);
        fprintf(out, "\n");
        print_rates(cells, count, out);
        print_work(cells, count, out);
    }
}
