// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "compare.h"

#include <argp.h>
#include <errno.h>
#include <string.h>

#include "comparison.h"
#include "runner/lists/lists.h"
#include "runner/options/options.h"

enum compare_key { KEY_LEVEL = 256, KEY_SPREAD, KEY_JSON, KEY_ALL, KEY_CAUSE };

static const struct argp_option table[] = {
    {"level", KEY_LEVEL, "P", 0, "chance of any false alarm, in (0, 1); default 0.05", 0},
    {"spread", KEY_SPREAD, "S", 0,
     "one run a side: standard deviation of the logarithms of one JVM's rates from run to run, 0 "
     "to 3; default as measured, 0: Fisher's exact test",
     0},
    {"cause", KEY_CAUSE, "NAME", 0,
     "compare only this: a known cause (plumbline list causes), unexplained, or refused.CODE; "
     "default: everything",
     0},
    {"json", KEY_JSON, "FILE", 0, "also write all tests to FILE", 0},
    {"all", KEY_ALL, NULL, 0, "also show items that do not differ", 0},
    {0}};

// ---- Options ----------------------------------------------------------------------------------

static error_t take_path(struct argp_state* state, const char* text) {
    struct compare_options* options = state->input;
    if (*text == '\0') return arguments_wrong(state, "an empty name");
    if (options->paths[1] != NULL)
        return arguments_wrong(state, "\"%s\" is one argument too many", text);
    options->paths[options->paths[0] != NULL] = text;
    return 0;
}

static error_t take_option(int key, char* text, struct argp_state* state) {
    struct compare_options* options = state->input;
    switch (key) {
    case KEY_LEVEL:
        return arguments_decimal(state, "level", text,
                                 (struct arguments_range){.high = 1, .above = true, .below = true},
                                 &options->level);
    case KEY_SPREAD:
        return arguments_decimal(state, "spread", text, (struct arguments_range){.high = 3},
                                 &options->spread);
    case KEY_CAUSE: return arguments_path(state, "cause", text, &options->cause);
    case KEY_ALL: options->all = true; return 0;
    case KEY_JSON: return arguments_path(state, "json", text, &options->json);
    case ARGP_KEY_ARG: return take_path(state, text);
    case ARGP_KEY_END:
        return options->paths[1] != NULL ? 0 : arguments_wrong(state, "it takes A and B");
    default: return ARGP_ERR_UNKNOWN;
    }
}

int compare_parse(const struct base_call* call, struct compare_options* options) {
    static const char description[] =
        "Is the JVM of B worse than that of A? Each is an output directory of validate, or a "
        "directory of several: repeated runs of one JVM. "
        "More errors of a cause, or more refusals of a code, are worse, too."
        "\vOne run a side: counts against counts, Holm's adjustment for the number of tests. "
        "Several: the runs are permuted, four a side at least.\n"
        "Exit status: 0 B is not worse; 1 it is, or it crashes or hangs where A does not; 2 wrong "
        "usage; 3 a result cannot be read; 4 nothing could be compared.";
    const struct argp argp = {
        .options = table, .parser = take_option, .args_doc = "A B", .doc = description};
    *options = (struct compare_options){.level = COMPARE_LEVEL, .spread = -1};
    return arguments_parse(&argp, 0, call, options);
}

// ---- The command ------------------------------------------------------------------------------

int compare_run(const struct compare_options* options) {
    struct compare compare = {.options = *options};
    char error[1024];
    int status = RUNNER_EXIT_HARNESS;
    if (compare_read(&compare, error, sizeof error) != 0) runner_complain("%s", error);
    else {
        compare_judge(&compare);
        struct output_plain plain;
        compare_text(&compare, output_plain_open(&plain));
        output_plain_close(&plain, stdout);
        status = runner_printed(compare_status(&compare));
        if (options->json != NULL && compare_json(&compare, options->json) != 0) {
            runner_complain("%s: %s", options->json, strerror(errno));
            status = RUNNER_EXIT_HARNESS;
        }
    }
    compare_close(&compare);
    return status;
}

// Is there such a cause, or code of refusals?
static int check_cause(const char* name, const struct home* home) {
    struct lists lists = {0};
    enum results_subject subject;
    uint32_t index;
    char error[1024];
    int status = 0;
    if (lists_read(&lists, LISTS_CAUSES, home, error, sizeof error) != 0) {
        status = runner_refuse(RUNNER_EXIT_HARNESS, "%s", error);
    } else if (strcmp(name, lists.causes.list[RESULTS_UNEXPLAINED].name) != 0 &&
               (!ceilings_subject(&lists.causes, name, strlen(name), &subject, &index) ||
                (subject != RESULTS_SUBJECT_CAUSE && subject != RESULTS_SUBJECT_REFUSAL))) {
        status = runner_refuse(RUNNER_EXIT_USAGE,
                               "--cause: there is no \"%s\" (plumbline list causes)", name);
    }
    lists_free(&lists);
    return status;
}

int compare_command(const struct base_call* call) {
    struct compare_options options;
    int status = compare_parse(call, &options);
    if (status == 0 && options.cause != NULL) status = check_cause(options.cause, call->home);
    return status != 0 ? status : compare_run(&options);
}
