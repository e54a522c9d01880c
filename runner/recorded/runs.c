// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "recorded_parts.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_NAME "run.lz4"

// ---- Finding ----------------------------------------------------------------------------------

// "mixed-tiered-app", from its end, as cases may have hyphens.
static void take_apart(struct runs_one* run) {
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

static bool fill(struct runs_one* run, const char* directory, const char* file) {
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
static int add_run(const char* runs, const char* name, struct runs_one** list, size_t* count) {
    char directory[PATH_MAX];
    if (name[0] == '.' ||
        (size_t)snprintf(directory, sizeof directory, "%s/%s", runs, name) >= sizeof directory ||
        !has_record(directory))
        return 0;
    struct runs_one* grown = realloc(*list, (*count + 1) * sizeof **list);
    if (grown == NULL) return -1;
    *list = grown;
    *count += fill(&grown[*count], directory, FILE_NAME);
    return 0;
}

static int find_under(const char* path, struct runs_one** list, size_t* count) {
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

static int find(const char* path, struct runs_one** list, size_t* count) {
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

// Gives each run its execution. Complains of the first record that cannot be opened.
static int open_records(struct runs* runs, char* error, size_t size) {
    runs->executions = calloc(runs->count, sizeof *runs->executions);
    if (runs->executions == NULL) return base_reason(-1, error, size, "no memory");
    for (size_t i = 0; i < runs->count; i++) {
        const struct runs_one* run = &runs->list[i];
        runs->executions[i] =
            (struct results_execution){.case_name = run->name,
                                       .mode = run->mode,
                                       .scope = run->scope,
                                       .directory = run->directory,
                                       .layers = (1u << ORACLE_LAYER_COUNT) - 1,
                                       .end = RESULTS_END_EXITED,
                                       .record = results_record_open_file(run->path)};
        if (runs->executions[i].record != NULL) continue;
        return base_reason(-1, error, size, "%s: %s", run->path, strerror(errno));
    }
    return 0;
}

// "/a jdk/bin/java -Xint ..." -> "/a jdk"
static void find_home(const struct results_record* record, char home[PATH_MAX]) {
    const char* command = results_record_property(record, "command");
    const char* java = command != NULL ? strstr(command, "/bin/java ") : NULL;
    snprintf(home, PATH_MAX, "%.*s", java != NULL ? (int)(java - command) : 0,
             java != NULL ? command : "");
}

int runs_open(const char* path, struct runs* runs, char* error, size_t size) {
    char home[PATH_MAX], latest[HOME_PATH], text[HOME_RUN_HINT];
    *runs = (struct runs){.list = NULL};
    int result = -1;
    const char* hint = home_run_hint(path, text);
    path = home_run(path, latest);
    if (find(path, &runs->list, &runs->count) != 0)
        snprintf(error, size, "%s: %s%s", path, strerror(errno), hint);
    else if (runs->count == 0)
        snprintf(error, size, "%s: no record there (" FILE_NAME ", or runs/*/" FILE_NAME ")", path);
    else result = open_records(runs, error, size);
    if (result != 0) {
        runs_close(runs);
        return -1;
    }
    runs->report = (struct results_report){
        .executions = runs->executions, .execution_count = runs->count, .planned = runs->count};
    find_home(runs->executions[0].record, home);
    runs->symbols = symbols_open_same(home, results_report_vm(&runs->report));
    runs->report.symbol = symbols_name;
    runs->report.symbol_context = runs->symbols;
    return 0;
}

void runs_close(struct runs* runs) {
    results_report_free(&runs->report);
    for (size_t i = 0; runs->executions != NULL && i < runs->count; i++) {
        results_run_unmap((struct results_run*)(uintptr_t)runs->executions[i].run);
        results_record_close((struct results_record*)(uintptr_t)runs->executions[i].record);
    }
    symbols_close(runs->symbols);
    free(runs->executions);
    free(runs->list);
    *runs = (struct runs){.list = NULL};
}

void runs_complain(const struct runs* runs, size_t index) {
    const struct results_record* record = runs->executions[index].record;
    const char* path = runs->list[index].path;
    const struct results_problem* list;
    size_t count = results_record_problems(record, &list);
    for (size_t i = 0; i < count; i++)
        runner_complain("%s: at byte %llu: %s", path, (unsigned long long)list[i].offset,
                        list[i].text);
    uint64_t all = results_record_problem_count(record);
    if (all > count) runner_complain("%s: and %llu more", path, (unsigned long long)(all - count));
}
