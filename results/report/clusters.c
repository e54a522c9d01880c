// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Every run's clusters become items, items are sorted by what a reader sees of them, and equal
// neighbours make a group.
#include "clusters.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "disassemble.h"
#include "report.h"
#include "relation.h"

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

static bool is_kept(const struct results_mismatch* m) {
    uint32_t state = __atomic_load_n(&m->state, __ATOMIC_ACQUIRE);
    return state == RESULTS_MISMATCH_TAKEN || state == RESULTS_MISMATCH_RESOLVED;
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

// What a cluster's kept examples, which the handler had no time to look at, say of it.
struct told {
    uint8_t state;     // of the thread; 0: they do not say, or differ
    char function[80]; // empty: they do not say, or differ
    bool any;
};

static void ask(const struct results_report* report, const struct results_run* run,
                const struct results_mismatch* m, struct told* told) {
    const char* where = evidence_text_at(run, m->where);
    struct told one = {.state = m->thread_state, .any = true};
    if (where != NULL) function_text(report, where, one.function, sizeof one.function);
    if (!told->any) *told = one;
    if (told->state != one.state) told->state = RESULTS_THREAD_UNKNOWN;
    if (strcmp(told->function, one.function) != 0) told->function[0] = '\0';
}

static struct told ask_examples(const struct results_report* report, const struct item* item) {
    const struct results_run* run = item->execution->run;
    struct told told = {.any = false};
    for (size_t i = 0; i < RESULTS_MISMATCHES_KEPT; i++)
        if (run->mismatches[i].cluster == item->cluster + 1 && is_kept(&run->mismatches[i]))
            ask(report, run, &run->mismatches[i], &told);
    return told;
}

// In a library. A thread that is in the VM (or in native code) is walked from where it left Java,
// wherever it has come since: its state then says more than the function, and parts less.
static void name_in_library(const struct results_report* report,
                            const struct results_cluster* cluster, struct item* item) {
    struct results_group* group = &item->group;
    struct told told = ask_examples(report, item);
    uint8_t state = cluster->thread_state != 0 ? cluster->thread_state : told.state;
    if (state != RESULTS_THREAD_UNKNOWN && state != RESULTS_THREAD_IN_JAVA)
        snprintf(group->name, sizeof group->name, "(thread %s)",
                 results_thread_state_text((enum results_thread_state)state));
    else if (group->name[0] == '\0') snprintf(group->name, sizeof group->name, "%s", told.function);
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
    if (group->code_kind == RESULTS_CODE_JVM || group->code_kind == RESULTS_CODE_NATIVE)
        name_in_library(report, cluster, item);
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
    disassemble_mnemonic(cluster->instruction, length, group->instruction);
    name_item(report, cluster, item);
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

// A resolved example is worth more than one of a JVM that died before it could name its frames, and
// one against which GetStackTrace spoke more than one left open.
static int worth(const struct results_mismatch* m) {
    if (!is_kept(m)) return 0;
    return 1 + 2 * (m->state == RESULTS_MISMATCH_RESOLVED) +
           (m->vote == RESULTS_VOTE_AGAINST_WALKER);
}

// The kept mismatches of one run's cluster: their votes, and the best example so far.
static void add_kept(struct results_group* group, const struct item* item) {
    const struct results_run* run = item->execution->run;
    for (size_t i = 0; i < RESULTS_MISMATCHES_KEPT; i++) {
        const struct results_mismatch* m = &run->mismatches[i];
        if (m->cluster != item->cluster + 1 || worth(m) == 0) continue;
        group->kept++;
        if (m->vote < RESULTS_VOTE_COUNT) group->votes[m->vote]++;
        if (group->mismatch != NULL && worth(m) <= worth(group->mismatch)) continue;
        group->mismatch = m;
        group->example = item->execution;
    }
}

static void add_row(struct results_group* group, struct results_group_row* rows,
                    const struct item* item) {
    if (group->row_count == 0 || rows[group->row_count - 1].execution != item->execution)
        rows[group->row_count++] = (struct results_group_row){item->execution, 0};
    rows[group->row_count - 1].count += item->group.count;
}

// Merges the sorted items [first, end), which are equal, into one group that uses `rows`.
static void merge(struct results_group* group, struct results_group_row* rows,
                  const struct item* items, size_t first, size_t end) {
    *group = items[first].group;
    group->count = 0;
    group->rows = rows;
    for (size_t i = first; i < end; i++) {
        group->count += items[i].group.count;
        add_row(group, rows, &items[i]);
        add_kept(group, &items[i]);
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
        merge(group, rows + first, items, first, end);
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
