// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "recorded_parts.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "recorded.h"
#include "runner/options/options.h"

enum report_key { KEY_FORMAT = 256, KEY_OUT };

static const struct argp_option table[] = {
    {"format", KEY_FORMAT, "F", 0, "text (the default), json, junit, markdown, html or csv", 0},
    {"out", KEY_OUT, "FILE", 0, "output file; default standard output", 0},
    {0}};

// ---- Options ----------------------------------------------------------------------------------

static error_t take_format(struct argp_state* state, const char* text,
                           enum results_format* format) {
    int found = names_find(results_format_text, RESULTS_FORMAT_COUNT, text, strlen(text));
    if (found < 0)
        return arguments_refuse(state, "format", text,
                                "is none of text json junit markdown html csv");
    *format = (enum results_format)found;
    return 0;
}

static error_t take_option(int key, char* text, struct argp_state* state) {
    struct report_options* options = state->input;
    switch (key) {
    case KEY_FORMAT: return take_format(state, text, &options->format);
    case KEY_OUT: return arguments_path(state, "out", text, &options->out);
    case ARGP_KEY_ARGS: // after the options, whose order argp has mended
        options->runs = &state->argv[state->next];
        options->run_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        return arguments_wrong(state, "no RUN: it is the output directory of a validate");
    default: return ARGP_ERR_UNKNOWN;
    }
}

int report_parse(const struct base_call* call, struct report_options* options) {
    static const struct argp argp = {
        .options = table,
        .parser = take_option,
        .args_doc = "RUN...",
        .doc = "Reports the results of earlier runs. RUN is an output directory of validate or "
               "run; several may be of several JDKs.\v"
               "Exit status: that of the worst run, as validate's; 3 if a run cannot be read or "
               "the report cannot be written."};
    *options = (struct report_options){.format = RESULTS_FORMAT_TEXT};
    return arguments_parse(&argp, 0, call, options);
}

// ---- Runs -------------------------------------------------------------------------------------

static void complain_of_missing(const struct results_saved* saved) {
    const char* line = results_saved_missing(saved);
    for (size_t length; *line != '\0'; line += length + 1) {
        length = strcspn(line, "\n");
        runner_complain("warning: %.*s: no evidence from it", (int)length, line);
    }
}

struct reading {
    struct results_saved** saved;
    struct symbols** symbols;
    size_t count;
};

static int read_runs(const struct report_options* options, struct reading* reading) {
    size_t count = (size_t)options->run_count;
    reading->saved = calloc(count, sizeof(struct results_saved*));
    reading->symbols = calloc(count, sizeof(struct symbols*));
    if (reading->saved == NULL || reading->symbols == NULL) return runner_refuse(-1, "no memory");
    for (size_t i = 0; i < count; i++) {
        char error[PATH_MAX + 512], latest[HOME_PATH], hint[HOME_RUN_HINT];
        struct results_saved* saved =
            results_saved_read(home_run(options->runs[i], latest), error, sizeof error);
        if (saved == NULL)
            return runner_refuse(-1, "%s%s", error, home_run_hint(options->runs[i], hint));
        struct results_report* report = results_saved_report(saved);
        reading->saved[i] = saved;
        reading->symbols[i] = symbols_open_same(report->jdk_home, results_report_vm(report));
        reading->count = i + 1;
        report->symbol = symbols_name;
        report->symbol_context = reading->symbols[i];
        complain_of_missing(saved);
    }
    return 0;
}

static void close_runs(struct reading* reading) {
    for (size_t i = 0; i < reading->count; i++) {
        results_saved_free(reading->saved[i]);
        symbols_close(reading->symbols[i]);
    }
    free(reading->saved);
    free(reading->symbols);
}

// ---- Writing ----------------------------------------------------------------------------------

static int write_file(const struct report_options* options, const struct reading* reading) {
    struct output_file file;
    if (!output_begin(&file, options->out)) return -1;
    int result = results_write(options->format, reading->saved, reading->count, file.out);
    return output_commit(&file, result == 0);
}

static int write_report(const struct report_options* options, const struct reading* reading) {
    int result = options->out != NULL
                     ? write_file(options, reading)
                     : results_write(options->format, reading->saved, reading->count, stdout);
    if (result != 0)
        runner_complain("%s: %s", options->out != NULL ? options->out : "standard output",
                        strerror(errno));
    return result;
}

int report_run(const struct report_options* options) {
    struct reading reading = {0};
    int status = RUNNER_EXIT_HARNESS;
    if (read_runs(options, &reading) == 0 && write_report(options, &reading) == 0) {
        enum results_row_verdict worst = results_saved_report(reading.saved[0])->verdict;
        for (size_t i = 1; i < reading.count; i++)
            worst = results_worse(worst, results_saved_report(reading.saved[i])->verdict);
        status = results_exit_status(worst);
    }
    close_runs(&reading);
    return status;
}

int report_command(const struct base_call* call) {
    struct report_options options;
    int status = report_parse(call, &options);
    return status != 0 ? status : report_run(&options);
}
