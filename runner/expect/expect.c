// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The options of plumbline expect, and the files that it reads.
#include "expect.h"

#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "expect_parts.h"
#include "runner/options/options.h"

enum { KEY_WRITE = 256, KEY_MERGE };

static const struct argp_option table[] = {
    {"write", KEY_WRITE, "FILE", 0, "write the lines to FILE; default: to standard output", 1},
    {"merge", KEY_MERGE, "F", 0,
     "join lines of modes and of neighbouring releases whose means differ by a factor of F at "
     "most; "
     "at least 1, default 1.5",
     1},
    {0}};

static error_t take_option(int key, char* text, struct argp_state* state) {
    struct expect_options* options = state->input;
    const struct arguments_range range = {.low = 1, .high = 1000};
    switch (key) {
    case KEY_WRITE: {
        const char* path = NULL;
        error_t error = arguments_path(state, "write", text, &path);
        options->write = path;
        return error;
    }
    case KEY_MERGE: return arguments_decimal(state, "merge", text, range, &options->merge);
    case ARGP_KEY_ARG: options->runs[options->run_count++] = text; return 0;
    case ARGP_KEY_END: return options->run_count != 0 ? 0 : arguments_wrong(state, "it takes runs");
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

static bool is_directory(const char* path, bool follow) {
    struct stat status;
    return (follow ? stat(path, &status) : lstat(path, &status)) == 0 && S_ISDIR(status.st_mode);
}

// Reads directory/results.json, if it is there. 1: it is not.
static int read_one(struct expect* expect, const char* directory, char* error, size_t size) {
    char* path = base_text("%s/results.json", directory);
    int result =
        access(path, F_OK) != 0 ? 1 : results_past_read(path, expect_take, expect, error, size);
    free(path);
    return result;
}

// Links are left out: out/latest leads to another of the directories.
static int read_several(struct expect* expect, const char* directory, char* error, size_t size) {
    struct dirent** entries;
    int found = scandir(directory, &entries, NULL, alphasort), result = 0, read = 0;
    if (found < 0) return base_reason(-1, error, size, "%s: %s", directory, strerror(errno));
    for (int i = 0; i < found; i++) {
        char* path = base_text("%s/%s", directory, entries[i]->d_name);
        int here = 1;
        if (result == 0 && entries[i]->d_name[0] != '.' && is_directory(path, false))
            here = read_one(expect, path, error, size);
        if (here < 0) result = -1;
        read += here == 0;
        free(path);
        free(entries[i]);
    }
    free(entries);
    if (result == 0 && read == 0)
        return base_reason(-1, error, size,
                           "%s: there is no results.json, nor in a directory in it", directory);
    return result;
}

static int read_run(struct expect* expect, const char* run, char* error, size_t size) {
    if (!is_directory(run, true)) return results_past_read(run, expect_take, expect, error, size);
    int result = read_one(expect, run, error, size);
    return result == 1 ? read_several(expect, run, error, size) : result;
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
        result = path != NULL ? output_commit(&file, true) : fflush(stdout);
    }
    free(lines.list);
    if (result == 0) return 0;
    return base_reason(-1, error, size, "%s: %s", path != NULL ? path : "standard output",
                       strerror(errno));
}

static int make(const struct expect_options* options, const struct home* home) {
    struct lists lists = {0};
    struct expect expect = {.lists = &lists, .merge = options->merge};
    char error[PATH_MAX + 512] = "";
    int result = lists_read(&lists, LISTS_CASES | LISTS_CAUSES, home, error, sizeof error);
    for (int i = 0; result == 0 && i < options->run_count; i++)
        result = read_run(&expect, options->runs[i], error, sizeof error);
    if (result == 0) {
        expect_sort(&expect);
        result = write_lines(&expect, options->write, error, sizeof error);
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
