// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Two sides' results.json files into rows and items.
#include <stdlib.h>
#include <string.h>

#include "comparison.h"
#include "runner/options/options.h"

static void* room(size_t count, size_t size) {
    return base_must(calloc(count + 1, size));
}

// ---- Rows and items ---------------------------------------------------------------------------

static struct compare_row* row_of(struct compare* compare, const char* case_name, const char* mode,
                                  const char* scope, enum oracle_layer layer) {
    struct compare_row* row = NULL;
    char* key = base_text("%s/%s/%s %s", case_name, mode, scope, oracle_layer_text(layer));
    HASH_FIND_STR(compare->rows, key, row);
    if (row != NULL) {
        free(key);
        return row;
    }
    row = room(1, sizeof *row);
    row->key = key;
    row->case_name = base_text("%s", case_name);
    row->mode = base_text("%s", mode);
    row->scope = base_text("%s", scope);
    row->layer = layer;
    row->answered = room(compare->runs, sizeof *row->answered);
    row->judged = room(compare->runs, sizeof *row->judged);
    row->verdicts = room(compare->runs, sizeof *row->verdicts);
    HASH_ADD_KEYPTR(hh, compare->rows, row->key, strlen(row->key), row);
    return row;
}

static char* key_of(enum compare_kind kind, const char* group, const char* what) {
    return base_text("%d %s: %s", (int)kind, group, what);
}

// `group` tells items of one kind apart: the row, or for clusters nothing.
static struct compare_item* item_of(struct compare* compare, enum compare_kind kind,
                                    enum oracle_verdict verdict, const char* group,
                                    const char* what) {
    struct compare_item* item = NULL;
    char* key = key_of(kind, group, what);
    HASH_FIND_STR(compare->items, key, item);
    if (item != NULL) {
        free(key);
        return item;
    }
    item = room(1, sizeof *item);
    item->key = key;
    item->kind = kind;
    item->verdict = verdict;
    item->what = base_text("%s", what);
    HASH_ADD_KEYPTR(hh, compare->items, item->key, strlen(item->key), item);
    return item;
}

static void count(struct compare* compare, struct compare_item* item, const struct compare_row* row,
                  size_t run, uint64_t events) {
    struct compare_cell* cell = item->cells;
    while (cell != NULL && cell->row != row) cell = cell->next;
    if (cell == NULL) {
        cell = room(1, sizeof *cell);
        *cell = (struct compare_cell){row, room(compare->runs, sizeof *cell->events), item->cells};
        item->cells = cell;
    }
    cell->events[run] += events;
}

// In a row and run.
struct place {
    struct compare* compare;
    const struct compare_row* row;
    size_t run;
};

// Is it what --cause asks for? Everything is, without that option.
static bool is_wanted(const struct compare* compare, enum compare_kind kind, const char* what) {
    const char* cause = compare->options.cause;
    if (cause == NULL) return true;
    if (kind == COMPARE_CAUSE) return strcmp(cause, what) == 0;
    size_t length = strlen(cause);
    const char* refusal = names_refused(cause, &length);
    return kind == COMPARE_REFUSAL && refusal != NULL && strcmp(refusal, what) == 0;
}

static void count_in_row(const struct place* at, enum compare_kind kind,
                         enum oracle_verdict verdict, const char* what, uint64_t events) {
    if (events == 0 || !is_wanted(at->compare, kind, what)) return;
    count(at->compare, item_of(at->compare, kind, verdict, at->row->key, what), at->row, at->run,
          events);
}

// The judged code depends on it, and with it the rates.
static void compare_ways(struct compare* compare, struct compare_row* row, const char* way) {
    if (way[0] == '\0' || row->ways) return;
    if (row->way[0] == '\0') snprintf(row->way, sizeof row->way, "%s", way);
    if (strcmp(row->way, way) == 0) return;
    row->ways = true;
    if (compare->ways++ != 0) return;
    snprintf(compare->way[0], sizeof compare->way[0], "%s", row->way);
    snprintf(compare->way[1], sizeof compare->way[1], "%s", way);
}

void compare_add(struct compare* compare, size_t run, const struct results_past* past) {
    struct compare_row* row =
        row_of(compare, past->case_name, past->mode, past->scope, past->layer);
    compare_ways(compare, row, past->way);
    row->answered[run] += past->answered;
    row->judged[run] += past->judged;
    snprintf(row->verdicts[run], sizeof row->verdicts[run], "%s", past->verdict);
    const struct place at = {compare, row, run};
    uint64_t walking = 0;
    compare->without_causes += !past->by_cause;
    for (size_t i = 0; i < past->cause_count; i++)
        count_in_row(&at, COMPARE_CAUSE, ORACLE_AGREE, past->causes[i].name, past->causes[i].count);
    for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_WALKING_LAST; v++) {
        enum oracle_verdict verdict = (enum oracle_verdict)v;
        walking += past->mismatch[v];
        count_in_row(&at, COMPARE_VERDICT, verdict, oracle_verdict_text(verdict),
                     past->mismatch[v]);
    }
    count_in_row(&at, COMPARE_WALKING, ORACLE_AGREE, "walking errors", walking);
    count_in_row(&at, COMPARE_ATTRIBUTION, ORACLE_ATTRIBUTION, "attribution",
                 past->mismatch[ORACLE_ATTRIBUTION]);
    for (int r = 0; r < ORACLE_REFUSAL_COUNT && past->answered != 0; r++)
        count_in_row(&at, COMPARE_REFUSAL, ORACLE_AGREE,
                     oracle_refusal_text((enum oracle_refusal)r), past->refused[r]);
}

static void free_item(struct compare_item* item) {
    for (struct compare_cell *cell = item->cells, *next; cell != NULL; cell = next) {
        next = cell->next;
        free(cell->events);
        free(cell);
    }
    free(item->key);
    free(item->what);
    free(item->unnamed);
    free(item);
}

// The common part of a cluster's mismatches, in words. Freed by the caller.
static char* words_of(const struct results_past_part* part, const char* name) {
    bool region = strcmp(part->region, "none") != 0;
    return base_text("%s %s, %s%s%s%s%s%s%s%s%s", oracle_layer_text(part->layer),
                     oracle_verdict_text(part->verdict), part->code, region ? "/" : "",
                     region ? part->region : "", *part->instruction == '\0' ? "" : " at ",
                     part->instruction, *name == '\0' ? "" : " ", name,
                     *part->relation == '\0' ? "" : ": ", part->relation);
}

#define NO_SYMBOL "(no symbol)"

static bool is_in_library(const struct results_past_part* part) {
    return strcmp(part->code, results_code_kind_text(RESULTS_CODE_JVM)) == 0 ||
           strcmp(part->code, results_code_kind_text(RESULTS_CODE_NATIVE)) == 0;
}

void compare_add_part(struct compare* compare, size_t run, const struct results_past_part* part) {
    if (compare->options.cause != NULL) return; // a cause may have parts of several clusters
    // A place without a symbol has a different address in every build.
    const char* name = strstr(part->name, "+0x") != NULL ? NO_SYMBOL : part->name;
    char* what = words_of(part, name);
    const struct compare_row* row =
        row_of(compare, part->case_name, part->mode, part->scope, part->layer);
    if (part->count != 0) {
        struct compare_item* item = item_of(compare, COMPARE_CLUSTER, part->verdict, "", what);
        count(compare, item, row, run, part->count);
        // "(thread in_vm)" is no function; it is known without symbols, too.
        if (item->unnamed == NULL && is_in_library(part) && *name != '\0' && *name != '(')
            item->unnamed = words_of(part, NO_SYMBOL);
    }
    free(what);
}

void compare_settle(struct compare* compare) {
    struct compare_item *item, *next;
    HASH_ITER(hh, compare->items, item, next) {
        if (item->unnamed == NULL) continue;
        char* key = key_of(COMPARE_CLUSTER, "", item->unnamed);
        struct compare_item* whole = NULL;
        HASH_FIND_STR(compare->items, key, whole);
        free(key);
        if (whole == NULL) continue;
        for (const struct compare_cell* cell = item->cells; cell != NULL; cell = cell->next)
            for (size_t run = 0; run < compare->runs; run++)
                count(compare, whole, cell->row, run, cell->events[run]);
        HASH_DEL(compare->items, item);
        free_item(item);
    }
}

// ---- Files ------------------------------------------------------------------------------------

static int list_runs(struct compare_side* side, char* error, size_t error_size) {
    struct words runs = {0};
    int result = base_runs(&runs, side->path, error, error_size);
    side->runs = runs.list; // compare_close frees them
    side->run_count = runs.count;
    return result;
}

struct reading {
    struct compare* compare;
    struct compare_side* side;
    size_t run;
};

static void take_row(void* context, const struct results_past* row) {
    struct reading* reading = context;
    struct compare_side* side = reading->side;
    if (side->vm[0] == '\0') {
        snprintf(side->version, sizeof side->version, "%s", row->version);
        snprintf(side->vm, sizeof side->vm, "%s", row->vm);
    }
    if (strcmp(side->vm, row->vm) != 0 || strcmp(side->version, row->version) != 0)
        side->mixed = true;
    compare_add(reading->compare, reading->run, row);
}

static void take_part(void* context, const struct results_past_part* part) {
    struct reading* reading = context;
    compare_add_part(reading->compare, reading->run, part);
}

static int read_side(struct compare* compare, size_t which, char* error, size_t error_size) {
    struct compare_side* side = &compare->sides[which];
    int result = 0;
    for (size_t i = 0; i < side->run_count && result == 0; i++) {
        struct reading reading = {compare, side, which == 0 ? i : compare->sides[0].run_count + i};
        const struct results_past_reader reader = {&reading, take_row, take_part};
        char* path = base_text("%s/results.json", side->runs[i]);
        result = results_past_read(path, &reader, error, error_size);
        free(path);
    }
    return result;
}

// The counts of a JVM that was killed may lag behind its clusters.
static bool may_lag(const char* verdict) {
    return strcmp(verdict, "CRASH") == 0 || strcmp(verdict, "XCRASH") == 0 ||
           strcmp(verdict, "HANG") == 0 || strcmp(verdict, "INCONCLUSIVE") == 0;
}

// A file in which a cluster has more mismatches than its row judged is spoiled.
static int check_clusters(const struct compare* compare, char* error, size_t error_size) {
    struct compare_item *item, *next;
    HASH_ITER(hh, compare->items, item, next)
    for (const struct compare_cell* cell = item->cells; cell != NULL; cell = cell->next)
        for (size_t run = 0; run < compare->runs && item->kind == COMPARE_CLUSTER; run++) {
            size_t first = compare->sides[0].run_count;
            const struct compare_side* side = &compare->sides[run >= first];
            if (cell->events[run] <= cell->row->judged[run] || may_lag(cell->row->verdicts[run]))
                continue;
            return base_reason(-1, error, error_size,
                               "%s/results.json: %s: more mismatches in a cluster than were judged",
                               side->runs[run >= first ? run - first : run], cell->row->key);
        }
    return 0;
}

void compare_begin(struct compare* compare, const size_t runs[2]) {
    compare->sides[0].run_count = runs[0];
    compare->sides[1].run_count = runs[1];
    compare->runs = runs[0] + runs[1];
}

int compare_read(struct compare* compare, char* error, size_t error_size) {
    for (int s = 0; s < 2; s++) {
        compare->sides[s].path = compare->options.paths[s];
        if (list_runs(&compare->sides[s], error, error_size) != 0) return -1;
    }
    compare_begin(compare,
                  (const size_t[2]){compare->sides[0].run_count, compare->sides[1].run_count});
    if (read_side(compare, 0, error, error_size) != 0) return -1;
    if (read_side(compare, 1, error, error_size) != 0) return -1;
    return check_clusters(compare, error, error_size);
}

// ---- The end ----------------------------------------------------------------------------------

static void free_row(struct compare_row* row) {
    free(row->key);
    free(row->case_name);
    free(row->mode);
    free(row->scope);
    free(row->answered);
    free(row->judged);
    free(row->verdicts);
    free(row);
}

void compare_close(struct compare* compare) {
    struct compare_row *row, *next_row;
    struct compare_item *item, *next_item;
    HASH_ITER(hh, compare->items, item, next_item) {
        HASH_DEL(compare->items, item);
        free_item(item);
    }
    HASH_ITER(hh, compare->rows, row, next_row) {
        HASH_DEL(compare->rows, row);
        free_row(row);
    }
    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; compare->sides[s].runs != NULL && i < compare->sides[s].run_count; i++)
            free(compare->sides[s].runs[i]);
        free(compare->sides[s].runs);
        compare->sides[s] = (struct compare_side){0};
    }
}
