// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline history.
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "history_parts.h"
#include "runner/options/options.h"

enum history_key { KEY_HTML = 256, KEY_CSV, KEY_LEVEL };

static const struct argp_option table[] = {
    {"html", KEY_HTML, "FILE", 0, "write the page to FILE", 0},
    {"csv", KEY_CSV, "FILE", 0, "write a line for each run and cause to FILE", 0},
    {"level", KEY_LEVEL, "P", 0,
     "chance that any change is marked where there is none, in (0, 1); default 0.05", 0},
    {0}};

struct history_options {
    char** paths;
    int count;
    const char *html, *csv;
    double level;
};

static error_t take_option(int key, char* text, struct argp_state* state) {
    struct history_options* options = state->input;
    static const struct arguments_range between = {.high = 1, .above = true, .below = true};
    switch (key) {
    case KEY_HTML: return arguments_path(state, "html", text, &options->html);
    case KEY_CSV: return arguments_path(state, "csv", text, &options->csv);
    case KEY_LEVEL: return arguments_decimal(state, "level", text, between, &options->level);
    case ARGP_KEY_ARGS:
        options->paths = &state->argv[state->next];
        options->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        return arguments_wrong(state, "no DIR: an output directory of validate, or a "
                                      "directory of several");
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int compare_paths(const void* left, const void* right) {
    return strverscmp(*(char* const*)left, *(char* const*)right);
}

static int find_runs(struct history* history, const struct history_options* options, char* error,
                     size_t size) {
    for (int i = 0; i < options->count; i++) {
        size_t before = history->paths.count;
        if (base_runs(&history->paths, options->paths[i], error, size) != 0) return -1;
        qsort(history->paths.list + before, history->paths.count - before,
              sizeof *history->paths.list, compare_paths);
    }
    return 0;
}

// ---- Writing ------------------------------------------------------------------------------------

typedef void history_format(const struct results_history* history, FILE* out);

static int write_file(const struct results_history* history, const char* path,
                      history_format* format) {
    struct output_file file;
    if (path == NULL) return 0;
    if (!output_begin(&file, path)) return runner_refuse(-1, "%s: %s", path, strerror(errno));
    format(history, file.out);
    if (output_commit(&file, true) == 0) return 0;
    return runner_refuse(-1, "%s: %s", path, strerror(errno));
}

int history_write(const struct history* history, const char* html, const char* csv) {
    size_t count = 0;
    struct results_history_run* runs = base_must(calloc(history->count + 1, sizeof *runs));
    struct results_history_item* items =
        base_must(calloc(HASH_COUNT(history->items) + 1, sizeof *items));
    for (size_t i = 0; i < history->count; i++) {
        const struct history_run* run = &history->runs[i];
        runs[i] = (struct results_history_run){run->label, run->version, run->vm, run->date,
                                               run->verdict};
    }
    for (const struct history_item* item = history->items; item != NULL; item = item->hh.next)
        items[count++] =
            (struct results_history_item){item->cause,  item->layer, item->events, item->judged,
                                          item->change, item->first, item->last};
    const struct results_history all = {.runs = runs,
                                        .run_count = history->count,
                                        .items = items,
                                        .item_count = count,
                                        .level = history->level,
                                        .tests = history->tests,
                                        .uneven = history->uneven};
    int status = 0;
    if (write_file(&all, html, results_history_html) != 0 ||
        write_file(&all, csv, results_history_csv) != 0)
        status = RUNNER_EXIT_HARNESS;
    results_history_text(&all, stdout);
    status = runner_printed(status);
    free(runs);
    free(items);
    return status;
}

int history_command(const struct base_call* call) {
    static const struct argp argp = {
        .options = table,
        .parser = take_option,
        .args_doc = "DIR...",
        .doc =
            "Puts many runs side by side, in the order given, those of one directory in the order "
            "of their names: the rate of errors by cause over time, the first and last run with "
            "each cause, and the changes that are significant. DIR is an output directory of "
            "validate, or a directory of several.\v"
            "A run is held against those before it, back to the last change, over the rows that "
            "both have. The spread that runs of one JVM have is allowed for.\n"
            "Exit status: 0; 2 wrong usage; 3 a result cannot be read, or a file not be written."};
    struct history_options options = {.level = 0};
    char error[PATH_MAX + 512];
    int status = arguments_parse(&argp, 0, call, &options);
    if (status != 0) return status;
    struct history history = {.level = options.level};
    if (find_runs(&history, &options, error, sizeof error) != 0 ||
        history_read(&history, error, sizeof error) != 0) {
        status = runner_refuse(RUNNER_EXIT_HARNESS, "%s", error);
    } else {
        history_settle(&history);
        history_judge(&history);
        status = history_write(&history, options.html, options.csv);
    }
    history_close(&history);
    return status;
}
