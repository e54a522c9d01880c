// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Every run's clusters become items, items are sorted by what a reader sees of them, and equal
// neighbours make a group.

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rows.h"
#include "report.h"

struct item {
    struct results_group group; // what is compared, and count
    const struct results_execution* execution;
    size_t cluster; // its index in the run
};

// ---- Items ------------------------------------------------------------------------------------

static bool usable(const struct results_cluster* cluster) {
    return __atomic_load_n(&cluster->ready, __ATOMIC_ACQUIRE) == 1 &&
           __atomic_load_n(&cluster->count, __ATOMIC_RELAXED) != 0 &&
           cluster->layer < ORACLE_LAYER_COUNT && cluster->code_kind < RESULTS_CODE_KIND_COUNT &&
           cluster->region < RESULTS_REGION_COUNT &&
           oracle_is_mismatch((enum oracle_verdict)cluster->verdict);
}

// "A<B<C>, 1>::f" to "A<>::f": instances of a template are one function to a reader.
static void drop_arguments(char* name) {
    char* out = name;
    unsigned depth = 0;
    for (const char* in = name; *in != '\0'; in++) {
        bool operator= in - name >= 8 && strncmp(in - 8, "operator", 8) == 0;
        if (*in == '>' && depth > 0 && !operator) depth--;
        if (depth == 0) *out++ = *in;
        if (*in == '<' && !operator) depth++;
    }
    *out = '\0';
}

// The function at a place in a library. False where that has no symbol; text is then untouched.
static bool function_text(const struct results_report* report, const char* where, char* text,
                          size_t size) {
    char whole[512];
    if (report->symbol == NULL ||
        !report->symbol(report->symbol_context, where, whole, sizeof whole))
        return false;
    char* plus = strrchr(whole, '+');
    if (plus != NULL) *plus = '\0';
    drop_arguments(whole);
    snprintf(text, size, "%.*s", (int)size - 1, whole);
    return true;
}

static const struct digest_cluster* digest_of_item(const struct results_report* report,
                                                   const struct item* item) {
    return digest_cluster(digest_of(report, item->execution), (uint32_t)item->cluster + 1);
}

// The function that all of a cluster's recorded mismatches were in, as far as symbols tell. Empty:
// none, or they differ.
static void function_of_all(const struct results_report* report,
                            const struct digest_cluster* cluster, char* name, size_t size) {
    char one[80];
    name[0] = '\0';
    if (cluster == NULL || cluster->place_count > DIGEST_PLACES) return;
    for (unsigned i = 0; i < cluster->place_count; i++) {
        one[0] = '\0';
        function_text(report, cluster->places[i], one, sizeof one);
        if (i == 0) snprintf(name, size, "%s", one);
        if (strcmp(name, one) != 0) name[0] = '\0';
    }
}

// In a library. A thread that is in the VM (or in native code) is walked from where it left Java,
// wherever it has come since: its state then says more than the function, and parts less.
static void name_in_library(const struct results_report* report,
                            const struct results_cluster* cluster, struct item* item) {
    struct results_group* group = &item->group;
    const struct digest_cluster* told = digest_of_item(report, item);
    uint8_t state = cluster->thread_state;
    if (state == RESULTS_THREAD_UNKNOWN && told != NULL) state = told->state;
    if (state != RESULTS_THREAD_UNKNOWN && state != RESULTS_THREAD_IN_JAVA)
        snprintf(group->name, sizeof group->name, "(thread %s)",
                 results_thread_state_text((enum results_thread_state)state));
    else if (group->name[0] == '\0') function_of_all(report, told, group->name, sizeof group->name);
    else {
        char name[sizeof group->name];
        memcpy(name, group->name, sizeof name);
        function_text(report, name, group->name, sizeof group->name);
    }
    // Which of a C++ function's instructions it was says little, and parts what belongs together.
    group->instruction[0] = '\0';
}

static void name_item(const struct results_report* report, const struct results_cluster* cluster,
                      struct item* item) {
    struct results_group* group = &item->group;
    snprintf(group->name, sizeof group->name, "%.*s", (int)sizeof cluster->code_name,
             cluster->code_name);
    if (results_is_library(group->code_kind)) name_in_library(report, cluster, item);
    else if (strcasecmp(group->name, results_code_kind_text(group->code_kind)) == 0)
        group->name[0] = '\0'; // "Interpreter" adds nothing to "interpreter"
}

static void fill_item(const struct results_report* report, const struct results_cluster* cluster,
                      struct item* item) {
    struct results_group* group = &item->group;
    size_t length = cluster->instruction_length;
    *group = (struct results_group){
        .layer = (enum oracle_layer)cluster->layer,
        .verdict = (enum oracle_verdict)cluster->verdict,
        .code_kind = (enum results_code_kind)cluster->code_kind,
        .region = (enum results_region)cluster->region,
        .count = __atomic_load_n(&cluster->count, __ATOMIC_RELAXED),
    };
    if (length > RESULTS_CLUSTER_BYTES) length = RESULTS_CLUSTER_BYTES;
    disassemble_mnemonic((enum results_processor)item->execution->run->processor,
                         cluster->instruction, length, group->instruction);
    name_item(report, cluster, item);
    if (oracle_is_walking_error(group->verdict))
        snprintf(group->cause, sizeof group->cause, "%s",
                 results_cause_name(item->execution,
                                    results_cause_index(item->execution, cluster->cause)));
    relation_text(group->verdict, cluster->place, cluster->lost, group->relation,
                  sizeof group->relation);
}

// Appends a run's clusters. NULL without memory, the list then freed.
static struct item* add_items(const struct results_report* report,
                              const struct results_execution* execution, struct item* items,
                              size_t* count) {
    size_t more = 0;
    for (size_t i = 0; i < RESULTS_CLUSTERS; i++) more += usable(&execution->run->clusters[i]);
    struct item* grown = realloc(items, (*count + more + 1) * sizeof *grown);
    if (grown == NULL) {
        free(items);
        return NULL;
    }
    // Counted and filled from one look each: a JVM that is still dying could add some between.
    for (size_t i = 0; i < RESULTS_CLUSTERS && more != 0; i++) {
        if (!usable(&execution->run->clusters[i])) continue;
        grown[*count] = (struct item){.execution = execution, .cluster = i};
        fill_item(report, &execution->run->clusters[i], &grown[(*count)++]);
        more--;
    }
    return grown;
}

// ---- Sorting ----------------------------------------------------------------------------------

static int compare_groups(const struct results_group* a, const struct results_group* b) {
    int order = (int)a->layer - (int)b->layer;
    if (order == 0) order = (int)a->verdict - (int)b->verdict;
    if (order == 0) order = (int)a->code_kind - (int)b->code_kind;
    if (order == 0) order = (int)a->region - (int)b->region;
    if (order == 0) order = strcmp(a->instruction, b->instruction);
    if (order == 0) order = strcmp(a->name, b->name);
    if (order == 0) order = strcmp(a->cause, b->cause);
    return order == 0 ? strcmp(a->relation, b->relation) : order;
}

static int compare_items(const void* left, const void* right) {
    const struct item *a = left, *b = right;
    int order = compare_groups(&a->group, &b->group);
    if (order != 0) return order;
    if (a->execution != b->execution) return a->execution < b->execution ? -1 : 1;
    return a->cluster < b->cluster ? -1 : 1;
}

static int compare_rows(const void* left, const void* right) {
    const struct results_group_row *a = left, *b = right;
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    return a->execution < b->execution ? -1 : a->execution > b->execution;
}

// Walking errors first, then by how often.
static int compare_sizes(const void* left, const void* right) {
    const struct results_group *a = left, *b = right;
    bool a_walking = oracle_is_walking_error(a->verdict);
    if (a_walking != oracle_is_walking_error(b->verdict)) return a_walking ? -1 : 1;
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    return compare_groups(a, b);
}

// ---- Groups -----------------------------------------------------------------------------------

// The recorded mismatches of one run's cluster: their votes, and the best example so far.
static void add_kept(const struct results_report* report, struct results_group* group,
                     const struct item* item) {
    const struct digest_cluster* cluster = digest_of_item(report, item);
    if (cluster == NULL) return;
    group->kept += cluster->kept;
    for (int v = 0; v < RESULTS_VOTE_COUNT; v++) group->votes[v] += cluster->votes[v];
    if (cluster->best_worth <= group->example_worth) return;
    group->example = item->execution;
    group->example_sequence = cluster->best;
    group->example_worth = cluster->best_worth;
}

static void add_row(struct results_group* group, struct results_group_row* rows,
                    const struct item* item) {
    if (group->row_count == 0 || rows[group->row_count - 1].execution != item->execution)
        rows[group->row_count++] = (struct results_group_row){item->execution, 0};
    rows[group->row_count - 1].count += item->group.count;
}

// Merges sorted items, which are equal, into one group that uses `rows`.
static void merge(const struct results_report* report, struct results_group* group,
                  struct results_group_row* rows, const struct item* items, size_t count) {
    *group = items[0].group;
    group->count = 0;
    group->rows = rows;
    for (size_t i = 0; i < count; i++) {
        group->count += items[i].group.count;
        add_row(group, rows, &items[i]);
        add_kept(report, group, &items[i]);
    }
    qsort(rows, group->row_count, sizeof *rows, compare_rows);
}

static void count_whole(const struct results_report* report, struct results_group* group) {
    bool walking = oracle_is_walking_error(group->verdict);
    for (size_t i = 0; i < report->row_count; i++) {
        const struct results_row* row = &report->rows[i];
        if (row->layer != group->layer) continue;
        group->judged += row->judged;
        group->of += walking ? row->mismatched : row->attribution;
    }
}

static int make_groups(struct results_report* report, struct item* items, size_t count) {
    struct results_group* groups = calloc(count + 1, sizeof *groups);
    struct results_group_row* rows = calloc(count + 1, sizeof *rows);
    if (groups == NULL || rows == NULL) {
        free(groups);
        free(rows);
        return -1;
    }
    report->groups = groups;
    report->group_rows = rows;
    report->group_count = 0;
    qsort(items, count, sizeof *items, compare_items);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count; end++)
            if (compare_groups(&items[first].group, &items[end].group) != 0) break;
        struct results_group* group = &groups[report->group_count++];
        merge(report, group, rows + first, items + first, end - first);
        count_whole(report, group);
    }
    qsort(groups, report->group_count, sizeof *groups, compare_sizes);
    return 0;
}

int clusters_gather(struct results_report* report) {
    struct item* items = calloc(1, sizeof *items);
    size_t count = 0;
    report->clusters_lost = 0;
    for (size_t i = 0; i < report->execution_count && items != NULL; i++) {
        const struct results_execution* execution = &report->executions[i];
        if (execution->run == NULL) continue;
        report->clusters_lost += execution->run->clusters_lost;
        items = add_items(report, execution, items, &count);
    }
    int result = items == NULL ? -1 : make_groups(report, items, count);
    free(items);
    return result;
}

void clusters_free(struct results_report* report) {
    free(report->groups);
    free(report->group_rows);
    report->groups = NULL;
    report->group_rows = NULL;
    report->group_count = 0;
}
