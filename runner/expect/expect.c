// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The options of plumbline expect, and the files that it reads.
#include "expect.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "expect_parts.h"
#include "runner/options/options.h"

enum { KEY_WRITE = 256, KEY_UPDATE, KEY_MERGE, KEY_CASE, KEY_MODES };

static const struct argp_option table[] = {
    {"case", KEY_CASE, "NAME", 0, "lines of this case or program alone", 1},
    {"modes", KEY_MODES, "M,...", 0, "lines of these modes alone (plumbline list modes)", 1},
    {"write", KEY_WRITE, "FILE", 0, "write the lines to FILE; default: to standard output", 1},
    {"update", KEY_UPDATE, "FILE", 0,
     "keep the lines of FILE, and change or add only those without which these runs would not be "
     "held",
     1},
    {"merge", KEY_MERGE, "F", 0,
     "join lines of modes and of neighbouring releases whose means differ by a factor of F at "
     "most; at least 1, default 1.5",
     1},
    {0}};

static error_t check(struct argp_state* state, const struct expect_options* options) {
    if (options->run_count == 0) return arguments_wrong(state, "it takes runs");
    if (options->update != NULL && options->write != NULL)
        return arguments_wrong(state, "--update and --write exclude each other");
    return 0;
}

static error_t take_option(int key, char* text, struct argp_state* state) {
    struct expect_options* options = state->input;
    const struct arguments_range range = {.low = 1, .high = 1000};
    switch (key) {
    case KEY_WRITE: return arguments_path(state, "write", text, &options->write);
    case KEY_UPDATE: return arguments_path(state, "update", text, &options->update);
    case KEY_CASE: options->only.test = text; return 0;
    case KEY_MODES: return arguments_modes(state, text, &options->only.modes);
    case KEY_MERGE: return arguments_decimal(state, "merge", text, range, &options->merge);
    case ARGP_KEY_ARG: options->runs[options->run_count++] = text; return 0;
    case ARGP_KEY_END: return check(state, options);
    default: return ARGP_ERR_UNKNOWN;
    }
}

int expect_parse(const struct base_call* call, struct expect_options* options) {
    static const struct argp argp = {
        .options = table,
        .parser = take_option,
        .args_doc = "RUN...",
        .doc =
            "Makes lines of expectations.ini from measured runs. RUN is a directory of validate, "
            "a directory of several of them, or a results.json."};
    *options = (struct expect_options){
        .merge = EXPECT_MERGE, .runs = base_must(calloc((size_t)call->argc + 1, sizeof(char*)))};
    return arguments_parse(&argp, 0, call, options);
}

// ---- Files --------------------------------------------------------------------------------------

static bool is_directory(const char* path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

// `run`: a results.json, or as base_runs says.
static int read_run(struct expect* expect, const char* run, char* error, size_t size) {
    const struct results_past_reader reader = {.context = expect, .row = expect_take};
    struct words runs = {0};
    if (!is_directory(run)) return results_past_read(run, &reader, error, size);
    int result = base_runs(&runs, run, error, size);
    for (size_t i = 0; i < runs.count && result == 0; i++) {
        char* path = base_text("%s/results.json", runs.list[i]);
        result = results_past_read(path, &reader, error, size);
        free(path);
    }
    words_free(&runs);
    return result;
}

// ---- The command --------------------------------------------------------------------------------

static int write_lines(const struct expect* expect, const char* path, char* error, size_t size) {
    struct expect_lines lines;
    struct output_file file = {.out = stdout};
    int result = 0;
    expect_make_lines(expect, &lines);
    if (path != NULL && !output_begin(&file, path)) result = -1;
    if (result == 0) {
        expect_print(expect, &lines, file.out);
        result = path != NULL ? output_commit(&file, true) : runner_flushed() ? 0 : -1;
    }
    free(lines.list);
    if (result == 0) return 0;
    return base_reason(-1, error, size, "%s: %s", path != NULL ? path : "standard output",
                       strerror(errno));
}

// "[17 deep] c1 async refused.deopt: ..."
static void tell_unlike(const struct expect* expect, const struct expect_line* line) {
    const struct ceiling* before = line->before;
    char *section = expect_section(expect, line), *text = NULL;
    size_t size = 0;
    FILE* out = base_must(open_memstream(&text, &size));
    expect_print_line(expect, line, out);
    fclose(out);
    printf("[%s] %.*s: %.3g %%, before %.3g %% in %lu runs, spread %.2f: too unlike for one line. "
           "Find out why.\n",
           section, (int)(strchr(text, '=') - text - 1), text, 100 * line->unlike,
           100 * before->limit.mean, before->runs, before->limit.spread);
    free(section);
    free(text);
}

// Says what became of the file, and what no line can hold.
static void tell(const struct expect* expect, const struct expect_lines* lines,
                 const struct expect_changes* changes, const char* path) {
    printf("%s: %zu lines changed, %zu added", path, changes->replaced, changes->added);
    if (changes->joined != 0)
        printf("; %zu sections put to an earlier one of their name", changes->joined);
    printf(". All else in %zu rows is held by its lines.\n", expect->row_count);
    expect_print_unnamed(expect, "", stdout);
    for (size_t i = 0; i < lines->count; i++)
        if (lines->list[i].unlike) tell_unlike(expect, &lines->list[i]);
}

static int update_file(struct expect* expect, const char* path, char* error, size_t size) {
    struct ceilings before;
    struct expect_lines lines;
    struct expect_changes changes;
    if (ceilings_read(path, &expect->lists->causes, &before, error, size) != 0) return -1;
    expect->before = &before;
    expect_make_lines(expect, &lines);
    int result = expect_update(expect, &lines, path, &changes, error, size);
    if (result == 0) tell(expect, &lines, &changes, path);
    free(lines.list);
    ceilings_free(&before);
    expect->before = NULL;
    return result;
}

static int make(const struct expect_options* options, const struct home* home) {
    struct lists lists = {0};
    struct expect expect = {.lists = &lists, .merge = options->merge, .only = options->only};
    char error[PATH_MAX + 512] = "";
    int result =
        lists_read(&lists, LISTS_CASES | LISTS_CAUSES | LISTS_PROFILERS, home, error, sizeof error);
    for (int i = 0; result == 0 && i < options->run_count; i++)
        result = read_run(&expect, options->runs[i], error, sizeof error);
    if (result == 0) {
        expect_sort(&expect);
        result = options->update != NULL
                     ? update_file(&expect, options->update, error, sizeof error)
                     : write_lines(&expect, options->write, error, sizeof error);
    }
    if (result != 0) runner_complain("%s", error);
    expect_free(&expect);
    lists_free(&lists);
    return result == 0 ? 0 : RUNNER_EXIT_HARNESS;
}

int expect_command(const struct base_call* call) {
    struct expect_options options;
    int status = expect_parse(call, &options);
    if (status == 0) status = make(&options, call->home);
    free(options.runs);
    return status;
}
