// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "session_parts.h"

#include <stdlib.h>
#include <string.h>

#include "results/formats/formats.h"

#define CELL 32
#define NAME 160

struct row {
    char name[NAME], mode[32], scope[16];
    enum oracle_layer layer;
    char (*cells)[CELL]; // by column; empty: none
};

struct table {
    struct row* rows;
    size_t count, room, columns, column;
    bool failed; // memory
};

static struct row* find(struct table* table, const struct results_past* past) {
    for (size_t i = 0; i < table->count; i++) {
        struct row* row = &table->rows[i];
        if (row->layer == past->layer && strcmp(row->name, past->case_name) == 0 &&
            strcmp(row->mode, past->mode) == 0 && strcmp(row->scope, past->scope) == 0)
            return row;
    }
    return NULL;
}

static struct row* add(struct table* table, const struct results_past* past) {
    if (table->count == table->room) {
        size_t room = table->room == 0 ? 256 : 2 * table->room;
        struct row* rows = realloc(table->rows, room * sizeof *rows);
        if (rows == NULL) return NULL;
        table->rows = rows;
        table->room = room;
    }
    struct row* row = &table->rows[table->count];
    *row = (struct row){.layer = past->layer, .cells = calloc(table->columns, sizeof *row->cells)};
    if (row->cells == NULL) return NULL;
    snprintf(row->name, sizeof row->name, "%s", past->case_name);
    snprintf(row->mode, sizeof row->mode, "%s", past->mode);
    snprintf(row->scope, sizeof row->scope, "%s", past->scope);
    table->count++;
    return row;
}

static void take(void* context, const struct results_past* past) {
    struct table* table = context;
    struct row* row = find(table, past);
    if (row == NULL) row = add(table, past);
    if (row == NULL) {
        table->failed = true;
        return;
    }
    uint64_t wrong = 0;
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++)
        if (RESULTS_WALKING_ERRORS & 1u << v) wrong += past->mismatch[v];
    char* cell = row->cells[table->column];
    if (past->judged == 0) snprintf(cell, CELL, "%.16s", past->verdict);
    else
        snprintf(cell, CELL, "%.16s %.3g %%", past->verdict,
                 100.0 * (double)wrong / (double)past->judged);
}

// ---- Printing ---------------------------------------------------------------------------------

static int wider(int width, const char* text) {
    int length = (int)strlen(text);
    return length > width ? length : width;
}

static int column_width(const struct table* table, size_t column, const char* label) {
    int width = wider(1, label);
    for (size_t i = 0; i < table->count; i++) width = wider(width, table->rows[i].cells[column]);
    return width;
}

static void print(const struct table* table, const struct matrix_column* columns, FILE* out) {
    int name = 4;
    for (size_t i = 0; i < table->count; i++) name = wider(name, table->rows[i].name);
    fprintf(out, "%-*s  %-12s  %-5s  %-9s", name, "case", "mode", "scope", "layer");
    for (size_t c = 0; c < table->columns; c++)
        fprintf(out, "  %-*s", column_width(table, c, columns[c].label), columns[c].label);
    fputc('\n', out);
    for (size_t i = 0; i < table->count; i++) {
        const struct row* row = &table->rows[i];
        fprintf(out, "%-*s  %-12s  %-5s  %-9s", name, row->name, row->mode, row->scope,
                oracle_layer_text(row->layer));
        for (size_t c = 0; c < table->columns; c++)
            fprintf(out, "  %-*s", column_width(table, c, columns[c].label),
                    *row->cells[c] != '\0' ? row->cells[c] : "-");
        fputc('\n', out);
    }
}

int matrix_table(const struct matrix_column* columns, size_t count, FILE* out) {
    struct table table = {.columns = count};
    const struct results_past_reader reader = {.context = &table, .row = take};
    char error[512];
    for (table.column = 0; table.column < count; table.column++) {
        const char* path = columns[table.column].path;
        if (path != NULL && results_past_read(path, &reader, error, sizeof error) != 0)
            runner_complain("%s", error);
    }
    if (!table.failed) print(&table, columns, out);
    for (size_t i = 0; i < table.count; i++) free(table.rows[i].cells);
    free(table.rows);
    return table.failed ? -1 : 0;
}
