// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "history_parts.h"

void history_begin(struct history* history, size_t count) {
    history->count = count;
    history->runs = base_must(calloc(count + 1, sizeof *history->runs));
}

static struct history_row* row_of(struct history* history, const struct results_past* past) {
    char* key = base_text("%s/%s/%s/%s", past->case_name, past->mode, past->scope,
                          oracle_layer_text(past->layer));
    struct history_row* row = NULL;
    HASH_FIND_STR(history->rows, key, row);
    if (row != NULL) {
        free(key);
        return row;
    }
    row = base_must(calloc(1, sizeof *row));
    row->key = key;
    row->layer = past->layer;
    row->interpreted = strcmp(past->mode, "int") == 0;
    row->judged = base_must(calloc(history->count, sizeof *row->judged));
    HASH_ADD_KEYPTR(hh, history->rows, row->key, strlen(row->key), row);
    return row;
}

static struct history_item* item_of(struct history* history, const char* cause,
                                    enum oracle_layer layer) {
    char* key = base_text("%d %s", (int)layer, cause);
    struct history_item* item = NULL;
    HASH_FIND_STR(history->items, key, item);
    if (item != NULL) {
        free(key);
        return item;
    }
    item = base_must(calloc(1, sizeof *item));
    item->key = key;
    item->layer = layer;
    snprintf(item->cause, sizeof item->cause, "%s", cause);
    item->events = base_must(calloc(history->count, sizeof *item->events));
    item->judged = base_must(calloc(history->count, sizeof *item->judged));
    item->change = base_must(calloc(history->count, sizeof *item->change));
    HASH_ADD_KEYPTR(hh, history->items, item->key, strlen(item->key), item);
    return item;
}

static struct history_cell* cell_of(const struct history* history, struct history_item* item,
                                    const struct history_row* row) {
    for (struct history_cell* cell = item->cells; cell != NULL; cell = cell->next)
        if (cell->row == row) return cell;
    struct history_cell* cell = base_must(calloc(1, sizeof *cell));
    *cell = (struct history_cell){.row = row, .next = item->cells};
    cell->events = base_must(calloc(history->count, sizeof *cell->events));
    item->cells = cell;
    return cell;
}

// The more important of two verdicts, static.
static const char* worse(const char* a, const char* b) {
    int one = names_find(results_row_verdict_text, RESULTS_ROW_VERDICT_COUNT, a, strlen(a));
    int other = names_find(results_row_verdict_text, RESULTS_ROW_VERDICT_COUNT, b, strlen(b));
    if (one < 0 || other < 0) return results_row_verdict_text((unsigned)(one < 0 ? other : one));
    return results_row_verdict_text(
        results_worse((enum results_row_verdict)one, (enum results_row_verdict)other));
}

void history_add(struct history* history, size_t number, const struct results_past* past) {
    struct history_run* run = &history->runs[number];
    struct history_row* row = row_of(history, past);
    if (run->verdict == NULL) {
        snprintf(run->version, sizeof run->version, "%s", past->version);
        snprintf(run->vm, sizeof run->vm, "%s", past->vm);
        snprintf(run->date, sizeof run->date, "%s", past->date);
        run->verdict = worse(past->verdict, past->verdict);
    } else {
        run->verdict = worse(run->verdict, past->verdict);
    }
    row->judged[number] += past->judged;
    for (size_t i = 0; i < past->cause_count; i++) {
        if (past->causes[i].count == 0) continue;
        struct history_item* item = item_of(history, past->causes[i].name, past->layer);
        cell_of(history, item, row)->events[number] += past->causes[i].count;
    }
}

// ---- Files --------------------------------------------------------------------------------------

struct reading {
    struct history* history;
    size_t run;
};

static void take_row(void* context, const struct results_past* row) {
    const struct reading* reading = context;
    history_add(reading->history, reading->run, row);
}

int history_read(struct history* history, char* error, size_t error_size) {
    history_begin(history, history->paths.count);
    for (size_t i = 0; i < history->count; i++) {
        struct reading reading = {history, i};
        const struct results_past_reader reader = {&reading, take_row, NULL};
        const char *path = history->paths.list[i], *slash = strrchr(path, '/');
        char* file = base_text("%s/results.json", path);
        int result = results_past_read(file, &reader, error, error_size);
        free(file);
        if (result != 0) return -1;
        if (history->runs[i].verdict == NULL) history->runs[i].verdict = "";
        snprintf(history->runs[i].label, sizeof history->runs[i].label, "%s",
                 slash != NULL && slash[1] != '\0' ? slash + 1 : path);
    }
    return 0;
}

// ---- All of it ----------------------------------------------------------------------------------

static int compare_items(const struct history_item* a, const struct history_item* b) {
    if (a->layer != b->layer) return a->layer < b->layer ? -1 : 1;
    return strcmp(a->cause, b->cause);
}

static void sum_up(const struct history* history, struct history_item* item) {
    for (const struct history_row* row = history->rows; row != NULL; row = row->hh.next)
        for (size_t r = 0; row->layer == item->layer && r < history->count; r++)
            item->judged[r] += row->judged[r];
    item->first = -1;
    for (size_t r = 0; r < history->count; r++) {
        for (const struct history_cell* cell = item->cells; cell != NULL; cell = cell->next)
            item->events[r] += cell->events[r];
        if (item->events[r] == 0) continue;
        if (item->first < 0) item->first = (long)r;
        item->last = (long)r;
    }
}

void history_settle(struct history* history) {
    for (struct history_item* item = history->items; item != NULL; item = item->hh.next)
        sum_up(history, item);
    HASH_SORT(history->items, compare_items);
    for (size_t r = 1; r < history->count; r++) {
        bool same = true;
        for (const struct history_row* row = history->rows; row != NULL; row = row->hh.next)
            same = same && (row->judged[0] != 0) == (row->judged[r] != 0);
        history->uneven += !same;
    }
}

static void free_item(struct history_item* item) {
    for (struct history_cell* next; item->cells != NULL; item->cells = next) {
        next = item->cells->next;
        free(item->cells->events);
        free(item->cells);
    }
    free(item->key);
    free(item->events);
    free(item->judged);
    free(item->change);
    free(item);
}

void history_close(struct history* history) {
    struct history_row *row, *next_row;
    struct history_item *item, *next_item;
    HASH_ITER(hh, history->items, item, next_item) {
        HASH_DEL(history->items, item);
        free_item(item);
    }
    HASH_ITER(hh, history->rows, row, next_row) {
        HASH_DEL(history->rows, row);
        free(row->key);
        free(row->judged);
        free(row);
    }
    free(history->runs);
    words_free(&history->paths);
    *history = (struct history){0};
}
