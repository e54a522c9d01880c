// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "report.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/base.h"
#include "runner/launch/launch.h"

enum report_key { KEY_FORMAT = 256, KEY_OUT };

static const struct argp_option table[] = {
    {"format", KEY_FORMAT, "F", 0, "text (the default), json, junit, markdown, html or csv", 0},
    {"out", KEY_OUT, "FILE", 0, "where to write; default standard output", 0},
    {0}};

// ---- Options ----------------------------------------------------------------------------------

static error_t take_format(struct argp_state* state, const char* text,
                           enum results_format* format) {
    for (int i = 0; i < RESULTS_FORMAT_COUNT; i++) {
        if (strcmp(results_format_text((enum results_format)i), text) != 0) continue;
        *format = (enum results_format)i;
        return 0;
    }
    argp_error(state, "--format: \"%s\" is none of text json junit markdown html csv", text);
    return EINVAL;
}

static error_t take_option(int key, char* text, struct argp_state* state) {
    struct report_options* options = state->input;
    switch (key) {
    case KEY_FORMAT: return take_format(state, text, &options->format);
    case KEY_OUT:
        options->out = text;
        if (*text != '\0') return 0;
        argp_error(state, "--out: \"\" is empty");
        return EINVAL;
    case ARGP_KEY_ARGS: // after the options, whose order argp has mended
        options->runs = &state->argv[state->next];
        options->run_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no RUN: it is the output directory of a validate");
        return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int report_parse(int argc, char** argv, bool stay, struct report_options* options) {
    static const char description[] =
        "Reports what earlier runs found. RUN is an output directory of validate or run; several "
        "may be of several JDKs.\v"
        "Exit status: that of the worst run, as validate's; 3 where a run cannot be read or the "
        "report not be written.";
    const struct argp argp = {table, take_option, "RUN...", description, NULL, NULL, NULL};
    *options = (struct report_options){.format = RESULTS_FORMAT_TEXT};
    argp_err_exit_status = RUNNER_EXIT_USAGE;
    error_t error = argp_parse(&argp, argc, argv, stay ? ARGP_NO_EXIT : 0, NULL, options);
    return error == 0 ? 0 : RUNNER_EXIT_USAGE;
}

// ---- Runs -------------------------------------------------------------------------------------

// The JDK's functions by name, if the JDK that was judged is still where it was: another one's
// symbols would be lies.
static struct symbols* symbols_of(const struct results_report* report) {
    static const char key[] = "JAVA_RUNTIME_VERSION=\"";
    char path[PATH_MAX], line[512];
    snprintf(path, sizeof path, "%s/release", report->jdk_home);
    FILE* file = fopen(path, "r");
    if (file == NULL) return NULL;
    bool same = false;
    while (!same && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, sizeof key - 1) != 0) continue;
        char* version = line + sizeof key - 1;
        version[strcspn(version, "\"\n")] = '\0';
        const char* found = *version != '\0' ? strstr(report->jdk_vm, version) : NULL;
        same = found != NULL && found[strlen(version)] == '\0';
    }
    fclose(file);
    return same ? symbols_open(report->jdk_home) : NULL;
}

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
    if (reading->saved == NULL || reading->symbols == NULL) {
        runner_complain("no memory");
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        char error[PATH_MAX + 512];
        struct results_saved* saved = results_saved_read(options->runs[i], error, sizeof error);
        if (saved == NULL) {
            runner_complain("%s", error);
            return -1;
        }
        struct results_report* report = results_saved_report(saved);
        reading->saved[i] = saved;
        reading->symbols[i] = symbols_of(report);
        reading->count = i + 1;
        report->symbol = reading->symbols[i] != NULL ? symbols_name : NULL;
        report->symbol_context = reading->symbols[i];
        complain_of_missing(saved);
    }
    return 0;
}

static void close_runs(struct reading* reading) {
    for (size_t i = 0; i < reading->count; i++) {
        results_saved_free(reading->saved[i]);
        if (reading->symbols[i] != NULL) symbols_close(reading->symbols[i]);
    }
    free(reading->saved);
    free(reading->symbols);
}

// ---- Writing ----------------------------------------------------------------------------------

// A file that was there before is replaced only by a whole one.
static int write_file(const struct report_options* options, const struct reading* reading) {
    char draft[PATH_MAX];
    if (snprintf(draft, sizeof draft, "%s.new", options->out) >= (int)sizeof draft) {
        errno = ENAMETOOLONG;
        return -1;
    }
    FILE* out = fopen(draft, "w");
    if (out == NULL) return -1;
    int result = results_write(options->format, reading->saved, reading->count, out);
    int error = errno;
    if (fclose(out) != 0 && result == 0) {
        result = -1;
        error = errno;
    }
    if (result == 0 && rename(draft, options->out) == 0) return 0;
    if (result == 0) error = errno;
    remove(draft);
    errno = error;
    return -1;
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
