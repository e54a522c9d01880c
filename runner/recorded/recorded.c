// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "records.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runner/base/base.h"

#define FILE_NAME "run.lz4"

// ---- Finding ----------------------------------------------------------------------------------

// "mixed-tiered-app", from its end, as cases may have hyphens.
static void take_apart(struct recorded_run* run) {
    char base[PATH_MAX];
    const char* slash = strrchr(run->directory, '/');
    snprintf(base, sizeof base, "%s", slash != NULL ? slash + 1 : run->directory);
    char* scope = strrchr(base, '-');
    if (scope != NULL) *scope++ = '\0';
    char* mode = scope != NULL ? strrchr(base, '-') : NULL;
    if (mode != NULL) *mode++ = '\0';
    snprintf(run->name, sizeof run->name, "%.255s", base);
    snprintf(run->mode, sizeof run->mode, "%.63s", mode != NULL ? mode : "");
    snprintf(run->scope, sizeof run->scope, "%.15s", mode != NULL ? scope : "");
}

static bool fill(struct recorded_run* run, const char* directory, const char* file) {
    memset(run, 0, sizeof *run);
    if ((size_t)snprintf(run->path, sizeof run->path, "%s/%s", directory, file) >= sizeof run->path)
        return false;
    if (realpath(directory, run->directory) == NULL) return false;
    take_apart(run);
    return true;
}

static bool has_record(const char* directory) {
    char path[PATH_MAX];
    struct stat status;
    return (size_t)snprintf(path, sizeof path, "%s/" FILE_NAME, directory) < sizeof path &&
           stat(path, &status) == 0;
}

// A run's directory under `runs`, if it has a record.
static int add_run(const char* runs, const char* name, struct recorded_run** list, size_t* count) {
    char directory[PATH_MAX];
    if (name[0] == '.' ||
        (size_t)snprintf(directory, sizeof directory, "%s/%s", runs, name) >= sizeof directory ||
        !has_record(directory))
        return 0;
    struct recorded_run* grown = realloc(*list, (*count + 1) * sizeof **list);
    if (grown == NULL) return -1;
    *list = grown;
    *count += fill(&grown[*count], directory, FILE_NAME);
    return 0;
}

static int find_under(const char* path, struct recorded_run** list, size_t* count) {
    char runs[PATH_MAX];
    struct dirent** names;
    if ((size_t)snprintf(runs, sizeof runs, "%s/runs", path) >= sizeof runs) return -1;
    int found = scandir(runs, &names, NULL, alphasort), result = 0;
    for (int i = 0; i < found; i++) {
        if (result == 0) result = add_run(runs, names[i]->d_name, list, count);
        free(names[i]);
    }
    if (found >= 0) free((void*)names);
    return result;
}

static int find(const char* path, struct recorded_run** list, size_t* count) {
    char copy[PATH_MAX];
    struct stat status;
    snprintf(copy, sizeof copy, "%s", path);
    if (stat(path, &status) != 0) return -1;
    if (S_ISDIR(status.st_mode) && !has_record(path)) return find_under(path, list, count);
    *list = calloc(1, sizeof **list);
    if (*list == NULL) return -1;
    char* slash = strrchr(copy, '/');
    bool right;
    if (S_ISDIR(status.st_mode)) {
        right = fill(*list, path, FILE_NAME);
    } else if (slash != NULL) {
        *slash = '\0';
        right = fill(*list, slash == copy ? "/" : copy, slash + 1);
    } else {
        right = fill(*list, ".", path);
    }
    *count = right;
    return 0;
}

int recorded_open(const char* path, struct recorded_run** runs, size_t* count, char* error,
                  size_t size) {
    *runs = NULL;
    *count = 0;
    if (find(path, runs, count) != 0) {
        snprintf(error, size, "%s: %s", path, strerror(errno));
    } else if (*count == 0) {
        snprintf(error, size, "%s: no record there (" FILE_NAME ", or runs/*/" FILE_NAME ")", path);
    } else {
        size_t opened = 0;
        for (; opened < *count; opened++) {
            struct recorded_run* run = &(*runs)[opened];
            run->record = results_record_open_file(run->path);
            if (run->record != NULL) continue;
            snprintf(error, size, "%s: %s", run->path, strerror(errno));
            break;
        }
        if (opened == *count) return 0;
    }
    recorded_close(*runs, *count);
    return -1;
}

void recorded_close(struct recorded_run* runs, size_t count) {
    for (size_t i = 0; i < count; i++) results_record_close(runs[i].record);
    free(runs);
}

void recorded_complain(const struct recorded_run* run) {
    const struct results_problem* list;
    size_t count = results_record_problems(run->record, &list);
    for (size_t i = 0; i < count; i++)
        runner_complain("%s: at byte %llu: %s", run->path, (unsigned long long)list[i].offset,
                        list[i].text);
    uint64_t all = results_record_problem_count(run->record);
    if (all > count)
        runner_complain("%s: and %llu more", run->path, (unsigned long long)(all - count));
}

// ---- Looking ----------------------------------------------------------------------------------

// What became of a thread's accusations.
struct settled {
    uint32_t slot, epoch, blame;
};

struct recorded_view {
    const struct results_record* record;
    struct results_execution execution;
    struct results_report report;
    struct symbols* symbols;
    struct results_run* run; // for texts
    struct results_mismatch* mismatch;
    struct settled* settled; // in no order
    size_t settled_count, settled_room;
    bool memory; // there was none
};

static void keep_settled(void* context, uint32_t slot, uint32_t epoch, uint32_t blame) {
    struct recorded_view* view = context;
    if (view->settled_count == view->settled_room) {
        size_t room = view->settled_room != 0 ? 2 * view->settled_room : 64;
        struct settled* grown = realloc(view->settled, room * sizeof *grown);
        if (grown == NULL) {
            view->memory = true;
            return;
        }
        view->settled = grown;
        view->settled_room = room;
    }
    view->settled[view->settled_count++] = (struct settled){slot, epoch, blame};
}

static int compare_settled(const void* a, const void* b) {
    const struct settled *x = a, *y = b;
    if (x->slot != y->slot) return x->slot < y->slot ? -1 : 1;
    return (x->epoch > y->epoch) - (x->epoch < y->epoch);
}

// What GetStackTrace said at the thread's next push or pop.
static void settle(const struct recorded_view* view, const struct results_sample* sample,
                   struct results_mismatch* m) {
    const struct settled key = {sample->thread_slot, sample->epoch, 0};
    const struct settled* found = NULL;
    if (view->settled_count != 0 && sample->layer == ORACLE_LAYER_ASYNC)
        found = bsearch(&key, view->settled, view->settled_count, sizeof key, compare_settled);
    if (found == NULL) return;
    m->blame = found->blame;
    m->vote =
        found->blame == RESULTS_BLAME_WALKER ? RESULTS_VOTE_AGAINST_WALKER : RESULTS_VOTE_OPEN;
}

// "/jdk/bin/java -Xint ..." -> "/jdk"
static void find_home(const struct results_record* record, char home[PATH_MAX]) {
    const char* command = results_record_property(record, "command");
    home[0] = '\0';
    if (command == NULL) return;
    snprintf(home, PATH_MAX, "%.*s", (int)strcspn(command, " "), command);
    for (int i = 0; i < 2; i++) {
        char* slash = strrchr(home, '/');
        if (slash != NULL) *slash = '\0';
    }
}

struct symbols* recorded_symbols(const struct recorded_run* run) {
    char home[PATH_MAX];
    find_home(run->record, home);
    return symbols_open(home);
}

struct recorded_view* recorded_view_open(const struct recorded_run* run) {
    struct recorded_view* view = calloc(1, sizeof *view);
    if (view == NULL) return NULL;
    view->record = run->record;
    view->run = calloc(1, sizeof *view->run);
    view->mismatch = calloc(1, sizeof *view->mismatch);
    if (view->run == NULL || view->mismatch == NULL) {
        recorded_view_close(view);
        return NULL;
    }
    const struct results_record_visitor visitor = {.context = view, .settled = keep_settled};
    if (results_record_each(run->record, &visitor) != 0 || view->memory) {
        recorded_view_close(view);
        return NULL;
    }
    if (view->settled_count != 0)
        qsort(view->settled, view->settled_count, sizeof *view->settled, compare_settled);
    view->symbols = recorded_symbols(run);
    view->execution = (struct results_execution){
        .case_name = run->name, .mode = run->mode, .scope = run->scope, .run = view->run};
    view->report = (struct results_report){.symbol = symbols_name, .symbol_context = view->symbols};
    return view;
}

void recorded_view_close(struct recorded_view* view) {
    if (view == NULL) return;
    if (view->symbols != NULL) symbols_close(view->symbols);
    free(view->run);
    free(view->mismatch);
    free(view->settled);
    free(view);
}

void recorded_print(struct recorded_view* view, const struct results_sample* sample, FILE* out) {
    view->run->text_used = 0;
    results_sample_show(view->record, sample, view->run, view->mismatch);
    settle(view, sample, view->mismatch);
    if (!results_show(&view->report, &view->execution, view->mismatch, out))
        fprintf(out, "(no memory)\n");
}
