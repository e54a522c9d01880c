// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The options of plumbline expect, and the files that it reads.
#include "expect.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "expect_parts.h"
#include "runner/options/options.h"

enum { KEY_FROM = 256, KEY_SPREAD, KEY_MERGE };

static const struct argp_option table[] = {
    {"from", KEY_FROM, "RUN...", 0,
     "directories that validate wrote, or results.json files; their counts are summed by release",
     1},
    {"spread", KEY_SPREAD, "F", 0,
     "a ceiling's odds are F times the odds of the measurement's upper end; at least 1, default "
     "1.5",
     1},
    {"merge", KEY_MERGE, "F", 0,
     "join lines of neighbouring releases whose ceilings differ by a factor of F at most; default: "
     "no",
     1},
    {0}};

static error_t take_factor(struct argp_state* state, const char* option, const char* text,
                           double* value) {
    const struct arguments_range range = {.low = 1, .high = 1000};
    return arguments_decimal(state, option, text, range, value);
}

static error_t add_run(struct expect_options* options, char* text) {
    options->runs[options->run_count++] = text;
    return 0;
}

static error_t take_option(int key, char* text, struct argp_state* state) {
    struct expect_options* options = state->input;
    switch (key) {
    case KEY_FROM: return add_run(options, text);
    case KEY_SPREAD: return take_factor(state, "spread", text, &options->spread);
    case KEY_MERGE: return take_factor(state, "merge", text, &options->merge);
    case ARGP_KEY_ARG:
        if (options->run_count == 0)
            return arguments_wrong(state, "\"%s\": --from stands before the first run", text);
        return add_run(options, text);
    case ARGP_KEY_END:
        return options->run_count != 0 ? 0 : arguments_wrong(state, "--from RUN... is missing");
    default: return ARGP_ERR_UNKNOWN;
    }
}

int expect_parse(const struct base_call* call, struct expect_options* options) {
    static const struct argp argp = {.options = table,
                                     .parser = take_option,
                                     .args_doc = "",
                                     .doc = "Proposes lines of expectations.ini from measured "
                                            "runs, for rows above the general limit."};
    *options = (struct expect_options){
        .spread = EXPECT_SPREAD, .runs = base_must(calloc((size_t)call->argc + 1, sizeof(char*)))};
    return arguments_parse(&argp, 0, call, options);
}

static int read_run(const char* run, struct proposal* proposal, char* error, size_t size) {
    struct stat status;
    char path[PATH_MAX];
    bool directory = stat(run, &status) == 0 && S_ISDIR(status.st_mode);
    snprintf(path, sizeof path, "%s%s", run, directory ? "/results.json" : "");
    return results_past_read(path, proposal_take, proposal, error, size);
}

static int propose(const struct expect_options* options, const struct home* home) {
    struct lists lists = {0};
    struct proposal proposal = {.spread = options->spread,
                                .merge = options->merge,
                                .cases = &lists.cases,
                                .ceilings = &lists.ceilings};
    char error[PATH_MAX + 512] = "no memory";
    int result = lists_read(&lists, LISTS_CASES | LISTS_CEILINGS, home, error, sizeof error);
    for (int i = 0; result == 0 && i < options->run_count; i++)
        result = read_run(options->runs[i], &proposal, error, sizeof error);
    if (result == 0) proposal_print(&proposal, stdout);
    if (result == 0 && (proposal.failed || fflush(stdout) != 0)) result = -1;
    if (result != 0) runner_complain("%s", error);
    proposal_free(&proposal);
    lists_free(&lists);
    return result == 0 ? 0 : RUNNER_EXIT_HARNESS;
}

int expect_command(const struct base_call* call) {
    struct expect_options options;
    int status = expect_parse(call, &options);
    if (status == 0) status = propose(&options, call->home);
    free(options.runs);
    return status;
}
