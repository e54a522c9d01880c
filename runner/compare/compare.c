// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "compare.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/base.h"

enum compare_key { KEY_LEVEL = 256, KEY_SPREAD, KEY_JSON, KEY_ALL };

static const struct argp_option table[] = {
    {"level", KEY_LEVEL, "P", 0, "chance of any false alarm, in (0, 1); default 0.05", 0},
    {"spread", KEY_SPREAD, "S", 0,
     "one run a side: how far the logarithms of one JVM's rates lie apart from run to run "
     "(standard deviation, 0 to 3); default as measured, 0: Fisher's exact test",
     0},
    {"json", KEY_JSON, "FILE", 0, "write all tests to FILE, too", 0},
    {"all", KEY_ALL, NULL, 0, "show also what does not differ", 0},
    {0}};

// ---- Options ----------------------------------------------------------------------------------

static error_t take_number(struct argp_state* state, const char* option, const char* text,
                           double least, double most, double* value) {
    char* end;
    errno = 0;
    double number = strtod(text, &end);
    if (end != text && *end == '\0' && errno == 0 && number >= least && number <= most) {
        *value = number;
        return 0;
    }
    argp_error(state, "--%s: \"%s\" is no number from %g to %g", option, text, least, most);
    return EINVAL;
}

static error_t take_path(struct argp_state* state, const char* text) {
    struct compare_options* options = state->input;
    if (*text != '\0' && options->paths[1] == NULL) {
        options->paths[options->paths[0] != NULL] = text;
        return 0;
    }
    argp_error(state, *text == '\0' ? "an empty name" : "\"%s\" is one argument too many", text);
    return EINVAL;
}

static error_t take_option(int key, char* text, struct argp_state* state) {
    struct compare_options* options = state->input;
    switch (key) {
    case KEY_LEVEL: return take_number(state, "level", text, 1e-9, 1 - 1e-9, &options->level);
    case KEY_SPREAD: return take_number(state, "spread", text, 0, 3, &options->spread);
    case KEY_ALL: options->all = true; return 0;
    case KEY_JSON:
        options->json = text;
        if (*text != '\0') return 0;
        argp_error(state, "--json: \"\" is empty");
        return EINVAL;
    case ARGP_KEY_ARG: return take_path(state, text);
    case ARGP_KEY_END:
        if (options->paths[1] != NULL) return 0;
        argp_error(state, "it takes A and B");
        return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int compare_parse(int argc, char** argv, bool stay, struct compare_options* options) {
    static const char description[] =
        "Is the JVM of B worse than that of A? Each is an output directory of validate, or a "
        "directory of several: repeated runs of one JVM."
        "\vOne run a side: counts against counts, Holm's adjustment for the number of tests. "
        "Several: the runs are permuted, four a side at least.\n"
        "Exit status: 0 B is not worse; 1 it is, or it crashes or hangs where A does not; 2 wrong "
        "usage; 3 what cannot be read; 4 nothing could be compared.";
    const struct argp argp = {table, take_option, "A B", description, NULL, NULL, NULL};
    *options = (struct compare_options){.level = COMPARE_LEVEL, .spread = -1};
    argp_err_exit_status = RUNNER_EXIT_USAGE;
    error_t error = argp_parse(&argp, argc, argv, stay ? ARGP_NO_EXIT : 0, NULL, options);
    return error == 0 ? 0 : RUNNER_EXIT_USAGE;
}

// ---- The command ------------------------------------------------------------------------------

int compare_run(const struct compare_options* options) {
    struct compare compare = {.options = *options};
    char error[1024];
    int status = RUNNER_EXIT_HARNESS;
    if (compare_read(&compare, error, sizeof error) != 0) runner_complain("%s", error);
    else {
        compare_judge(&compare);
        compare_text(&compare, stdout);
        status = compare_status(&compare);
        if (options->json != NULL && compare_json(&compare, options->json) != 0) {
            runner_complain("%s: %s", options->json, strerror(errno));
            status = RUNNER_EXIT_HARNESS;
        }
    }
    compare_close(&compare);
    return status;
}
