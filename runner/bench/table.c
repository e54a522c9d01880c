// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "bench_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum sense { NO_BAR, AT_LEAST, AT_MOST };

static const struct {
    enum sense sense;
    double limit;
    const char* unit;
} bars[BAR_COUNT] = {
#define BAR_ROW(name, sense, limit, unit) {sense, limit, unit},
    BARS(BAR_ROW)
#undef BAR_ROW
};

static const char* const titles[COLUMNS] = {
    "measure", "measured", "compared with", "ratio", "range", "bar", ""};

struct row* table_add(struct table* table, const char* format, ...) {
    if (table->count == ROWS) abort();
    struct row* row = &table->rows[table->count++];
    for (int i = 0; i < COLUMNS; i++) strcpy(row->cells[i], "-");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->cells[MEASURE], sizeof row->cells[MEASURE], format, arguments);
    va_end(arguments);
    return row;
}

void table_set(struct row* row, enum column column, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->cells[column], sizeof row->cells[column], format, arguments);
    va_end(arguments);
}

void table_judge(struct row* row, double value, enum bar bar) {
    enum sense sense = bars[bar].sense;
    bool met = sense == AT_LEAST ? value >= bars[bar].limit : value <= bars[bar].limit;
    if (sense != NO_BAR)
        table_set(row, BAR, "%s %g%s", sense == AT_LEAST ? ">=" : "<=", bars[bar].limit,
                  bars[bar].unit);
    if (isnan(value)) row->outcome = NOT_MEASURED;
    else if (sense == NO_BAR) row->outcome = STATED;
    else row->outcome = met ? MET : NOT_MET;
    const char* const texts[] = {"stated", "ok", sense == AT_LEAST ? "under" : "over",
                                 "not measured"};
    table_set(row, OUTCOME, "%s", texts[row->outcome]);
}

void table_set_ratio(struct row* row, double ratio) {
    if (!isnan(ratio)) table_set(row, RATIO, "%.2f", ratio);
}

static void print_cells(const struct table* table, const int widths[COLUMNS], FILE* out) {
    for (int i = 0; i < COLUMNS; i++)
        fprintf(out, "%-*s%s", i + 1 < COLUMNS ? widths[i] : 0, titles[i],
                i + 1 < COLUMNS ? "  " : "\n");
    for (size_t r = 0; r < table->count; r++)
        for (int i = 0; i < COLUMNS; i++)
            fprintf(out, "%-*s%s", i + 1 < COLUMNS ? widths[i] : 0, table->rows[r].cells[i],
                    i + 1 < COLUMNS ? "  " : "\n");
}

void table_print(const struct table* table, FILE* out) {
    int widths[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
        widths[i] = (int)strlen(titles[i]);
        for (size_t r = 0; r < table->count; r++) {
            int width = (int)strlen(table->rows[r].cells[i]);
            if (width > widths[i]) widths[i] = width;
        }
    }
    print_cells(table, widths, out);
    for (size_t i = 0; i < table->note_count; i++) fprintf(out, "%s\n", table->notes[i]);
}

static void print_named(const struct table* table, enum outcome outcome, const char* title,
                        FILE* out) {
    bool first = true;
    for (size_t i = 0; i < table->count; i++) {
        if (table->rows[i].outcome != outcome) continue;
        fprintf(out, "%s%s", first ? title : ", ", table->rows[i].cells[MEASURE]);
        first = false;
    }
}

size_t table_count(const struct table* table, enum outcome outcome) {
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++) count += table->rows[i].outcome == outcome;
    return count;
}

void table_print_summary(const struct table* table, FILE* out) {
    size_t met = table_count(table, MET);
    fprintf(out, "bench: %zu of %zu bars met", met, met + table_count(table, NOT_MET));
    print_named(table, NOT_MET, "; not met: ", out);
    print_named(table, NOT_MEASURED, "; not measured: ", out);
    fprintf(out, "\n");
}

void table_note(struct table* table, const char* format, ...) {
    if (table->note_count == NOTES) abort();
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(table->notes[table->note_count++], sizeof table->notes[0], format, arguments);
    va_end(arguments);
}
