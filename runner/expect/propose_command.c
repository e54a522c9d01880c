// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The command: its options, and the files that it reads.
#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "expect.h"
#include "runner/base/base.h"

enum { KEY_FROM = 256, KEY_SPREAD, KEY_MERGE };

static const struct argp_option table[] = {
    {"from", KEY_FROM, "RUN...", 0,
     "directories that validate wrote, or results.json files; their counts are summed by release",
     1},
    {"spread", KEY_SPREAD, "F", 0,
     "a ceiling's odds are F times those of the upper end of what was measured; at least 1, "
     "default 1.5",
     1},
    {"merge", KEY_MERGE, "F", 0,
     "make one line of neighbouring releases whose ceilings differ by a factor of F at most; "
     "default: no",
     1},
    {0}};

static error_t take_factor(struct argp_state* state, const char* option, const char* text,
                           double* value) {
    char* end;
    *value = strtod(text, &end);
    if (*text >= '0' && *text <= '9' && *end == '\0' && *value >= 1 && *value <= 1000) return 0;
    argp_error(state, "--%s: \"%s\" is no number from 1 to 1000", option, text);
    return EINVAL;
}

static error_t add_run(struct argp_state* state, struct propose_options* options, char* text) {
    if (options->run_count == 0 && options->runs == NULL)
        options->runs = calloc((size_t)state->argc + 1, sizeof *options->runs);
    if (options->runs == NULL) return ENOMEM;
    options->runs[options->run_count++] = text;
    return 0;
}

static error_t take_option(int key, char* text, struct argp_state* state) {
    struct propose_options* options = state->input;
    switch (key) {
    case KEY_FROM: return add_run(state, options, text);
    case KEY_SPREAD: return take_factor(state, "spread", text, &options->spread);
    case KEY_MERGE: return take_factor(state, "merge", text, &options->merge);
    case ARGP_KEY_ARG:
        if (options->run_count == 0) {
            argp_error(state, "\"%s\": --from stands before the first run", text);
            return EINVAL;
        }
        return add_run(state, options, text);
    case ARGP_KEY_END:
        if (options->run_count != 0) return 0;
        argp_error(state, "--from RUN... is missing");
        return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int propose_parse(int argc, char** argv, bool stay, struct propose_options* options) {
    const struct argp argp = {
        table,
        take_option,
        "",
        "Proposes lines of expectations.ini from measured runs, for rows above the general limit.",
        NULL,
        NULL,
        NULL};
    *options = (struct propose_options){.spread = PROPOSE_SPREAD};
    argp_err_exit_status = RUNNER_EXIT_USAGE;
    error_t error = argp_parse(&argp, argc, argv, stay ? ARGP_NO_EXIT : 0, NULL, options);
    if (error != 0 && !stay) exit(RUNNER_EXIT_USAGE);
    if (error != 0) {
        free(options->runs);
        options->runs = NULL;
    }
    return error == 0 ? 0 : RUNNER_EXIT_USAGE;
}

static int read_run(const char* run, struct propose* propose, char* error, size_t size) {
    struct stat status;
    char path[PATH_MAX];
    bool directory = stat(run, &status) == 0 && S_ISDIR(status.st_mode);
    snprintf(path, sizeof path, "%s%s", run, directory ? "/results.json" : "");
    return results_past_read(path, propose_take, propose, error, size);
}

int propose_run(const struct propose_options* options, const struct home* home) {
    struct cases cases = {0};
    struct expectations expectations = {0};
    struct propose propose = {.spread = options->spread,
                              .merge = options->merge,
                              .cases = &cases,
                              .expectations = &expectations};
    char error[PATH_MAX + 512] = "no memory";
    int result = cases_read(home->cases_list, &cases, error, sizeof error);
    if (result == 0)
        result = expectations_read(home->expectations, &expectations, error, sizeof error);
    for (int i = 0; result == 0 && i < options->run_count; i++)
        result = read_run(options->runs[i], &propose, error, sizeof error);
    if (result == 0) propose_print(&propose, stdout);
    if (result == 0 && (propose.failed || fflush(stdout) != 0)) result = -1;
    if (result != 0) runner_complain("%s", error);
    propose_free(&propose);
    expectations_free(&expectations);
    cases_free(&cases);
    return result == 0 ? 0 : RUNNER_EXIT_HARNESS;
}
