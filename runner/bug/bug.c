// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The command: its options, and the way from a run to a package.
#include "bug.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/launch/launch.h"
#include "runner/lists/lists.h"
#include "runner/options/options.h"
#include "bug_parts.h"

#define SECONDS 20 // each reproducer shows its error within a few, on a busy machine
#define SECONDS_MAX 3600

// ---- Options ----------------------------------------------------------------------------------

enum { KEY_CLUSTER = 256, KEY_CAUSE, KEY_MISMATCH, KEY_OUT, KEY_JDK, KEY_SECONDS };

static const struct argp_option table[] = {
    {"cluster", KEY_CLUSTER, "N", 0, "the Nth cluster of the run, as clusters.txt numbers them", 0},
    {"cause", KEY_CAUSE, "NAME", 0, "the run's errors of this cause (plumbline list causes)", 0},
    {"mismatch", KEY_MISMATCH, "CASE-MODE-SCOPE/N", 0, "one mismatch, as every report cites it", 0},
    {"out", KEY_OUT, "DIR", 0,
     "the package's directory, which must not be there yet, nor DIR.tar.gz; default "
     "bug-VERSION-ERROR, in the current directory",
     0},
    {"jdk", KEY_JDK, "DIR", 0, "try the reproducer on this JDK; default the run's own", 0},
    {"seconds", KEY_SECONDS, "N", 0, "try it for so long; 0: do not try it; default 20", 0},
    {0}};

// "mixed-tiered-app/17".
static error_t take_mismatch(struct argp_state* state, struct bug_options* options,
                             const char* text) {
    const struct arguments_limits limits = {1, UINT64_MAX};
    const char* slash = strrchr(text, '/');
    if (slash == NULL || slash == text || (size_t)(slash - text) >= sizeof options->mismatch_run)
        return arguments_refuse(state, "mismatch", text, "is not CASE-MODE-SCOPE/N");
    snprintf(options->mismatch_run, sizeof options->mismatch_run, "%.*s", (int)(slash - text),
             text);
    return arguments_integer(state, "mismatch", slash + 1, limits, &options->mismatch);
}

static error_t check(const struct bug_options* options, struct argp_state* state) {
    int asked = (options->cluster != 0) + (options->cause != NULL) + (options->mismatch != 0);
    if (asked == 1) return 0;
    return arguments_wrong(state, "one of --cluster, --cause and --mismatch is needed");
}

static error_t take_option(int key, char* text, struct argp_state* state) {
    const struct arguments_limits numbers = {1, UINT64_MAX}, seconds = {0, SECONDS_MAX};
    struct bug_options* options = state->input;
    switch (key) {
    case KEY_CLUSTER: return arguments_integer(state, "cluster", text, numbers, &options->cluster);
    case KEY_CAUSE: options->cause = text; return 0;
    case KEY_MISMATCH: return take_mismatch(state, options, text);
    case KEY_OUT: return arguments_path(state, "out", text, &options->out);
    case KEY_JDK: return arguments_path(state, "jdk", text, &options->jdk);
    case KEY_SECONDS: return arguments_integer(state, "seconds", text, seconds, &options->seconds);
    case ARGP_KEY_ARG:
        if (options->run != NULL)
            return arguments_wrong(state, "\"%s\": only one RUN is taken", text);
        options->run = text;
        return 0;
    case ARGP_KEY_NO_ARGS: return arguments_wrong(state, "which RUN?");
    case ARGP_KEY_SUCCESS: return check(options, state);
    default: return ARGP_ERR_UNKNOWN;
    }
}

int bug_parse(const struct base_call* call, struct bug_options* options) {
    static const struct argp argp = {
        .options = table,
        .parser = take_option,
        .args_doc = "RUN",
        .doc =
            "Makes a directory and a .tar.gz to attach to a bug report: report.md, the case's "
            "source, and, for causes that have one, a stand-alone reproducer, which is tried at "
            "once. RUN is an output directory of validate or run. One of --cluster, --cause and "
            "--mismatch says which error.\v"
            "Exit status: 0 the package was made, and the reproducer, if there is one, showed "
            "wrong traces or was not to be tried; 4 the package was made, and the reproducer did "
            "not show them, or the user interrupted; 2 wrong usage; 3 there is no such error or no "
            "record, or the package cannot be written."};
    *options = (struct bug_options){.seconds = SECONDS};
    return arguments_parse(&argp, 0, call, options);
}

// ---- The package ------------------------------------------------------------------------------

// Everything that is open while a package is made.
struct work {
    struct lists lists;
    struct results_saved* saved;
    struct symbols* symbols;
    struct bug_subject subject;
    struct bug_package package;
    struct bug_trial trial;
    struct bug bug;
};

// The case's main class, if its source was found and copied; 0, or -1.
static int copy_case(struct work* work, const struct home* home) {
    char directory[PATH_MAX];
    const struct case_info* test =
        cases_find(&work->lists.cases, work->subject.execution->case_name);
    if (test == NULL || !bug_case_directory(home->sources, test->main, directory)) return 0;
    work->bug.case_main = test->main;
    return bug_package_copy_all(&work->package, directory, "case");
}

static int write_report(struct work* work) {
    struct output_file file;
    struct output_plain plain;
    if (bug_package_begin(&work->package, "report.md", &file) != 0) return -1;
    bug_report(&work->bug, output_plain_open(&plain));
    output_plain_close(&plain, file.out);
    return bug_package_commit(&work->package, &file);
}

static int fill(struct work* work) {
    const struct base_call* call = work->bug.call;
    if (copy_case(work, call->home) != 0) return -1;
    if (bug_reproduce(call, work->bug.options, &work->subject, &work->package, &work->trial) != 0)
        return -1;
    if (work->trial.end == BUG_TRIAL_STOPPED)
        return base_reason(-1, work->package.error, sizeof work->package.error, "interrupted");
    if (write_report(work) != 0) return -1;
    return bug_package_archive(&work->package);
}

static int report_end(const struct work* work) {
    char text[BUG_TRIAL_TEXT];
    const struct bug_trial* trial = &work->trial;
    struct output_plain plain;
    fprintf(output_plain_open(&plain), "%s\n%s.tar.gz\n%s\n", work->package.path,
            work->package.path, bug_trial_text(trial, text));
    output_plain_close(&plain, stdout);
    if (trial->end == BUG_TRIAL_FAILED) return RUNNER_EXIT_INCONCLUSIVE;
    return trial->end == BUG_TRIAL_RAN && !trial->shown ? RUNNER_EXIT_INCONCLUSIVE : 0;
}

// The package's directory, absolute; false: there is no working directory.
static bool name_package(const struct work* work, char path[PATH_MAX]) {
    char here[PATH_MAX];
    const char* out = work->bug.options->out;
    if (out != NULL && *out == '/') return snprintf(path, PATH_MAX, "%s", out) < PATH_MAX;
    if (getcwd(here, sizeof here) == NULL) return false;
    char* whole = out != NULL ? base_text("%s/%s", here, out)
                              : base_text("%s/bug-%s-%s", here, work->subject.report->jdk_version,
                                          work->subject.name);
    bool fits = snprintf(path, PATH_MAX, "%s", whole) < PATH_MAX;
    free(whole);
    return fits;
}

static int make(struct work* work) {
    char path[PATH_MAX];
    if (!name_package(work, path))
        return runner_refuse(RUNNER_EXIT_HARNESS, "bug: the package's path is too long");
    if (bug_package_open(&work->package, path) != 0)
        return runner_refuse(RUNNER_EXIT_HARNESS, "bug: %s", work->package.error);
    bool good = fill(work) == 0;
    bool stopped = work->trial.end == BUG_TRIAL_STOPPED;
    int status = good ? report_end(work)
                      : runner_refuse(stopped ? RUNNER_EXIT_INCONCLUSIVE : RUNNER_EXIT_HARNESS,
                                      "bug: %s", work->package.error);
    bug_package_close(&work->package, good);
    return status;
}

// ---- The command ------------------------------------------------------------------------------

static int open_report(struct work* work) {
    char error[PATH_MAX + 256] = "", latest[HOME_PATH], hint[HOME_RUN_HINT];
    if (lists_read(&work->lists, LISTS_CAUSES | LISTS_CASES, work->bug.call->home, error,
                   sizeof error) == 0)
        work->saved =
            results_saved_read(home_run(work->bug.options->run, latest), error, sizeof error);
    if (work->saved == NULL)
        return runner_refuse(RUNNER_EXIT_HARNESS, "bug: %s%s", error,
                             home_run_hint(work->bug.options->run, hint));
    struct results_report* report = results_saved_report(work->saved);
    work->symbols = symbols_open_same(report->jdk_home, results_report_vm(report));
    report->symbol = symbols_name;
    report->symbol_context = work->symbols;
    return 0;
}

static int check_cause(const struct work* work) {
    const char* cause = work->bug.options->cause;
    if (cause == NULL || strcmp(cause, "unexplained") == 0) return 0;
    if (results_causes_find(&work->lists.causes, cause) != NULL) return 0;
    struct nearest nearest = {.word = cause, .length = strlen(cause)};
    char hint[NEAREST_TEXT];
    for (size_t i = 0; i < work->lists.causes.count; i++)
        nearest_offer(&nearest, work->lists.causes.list[i].name);
    return runner_refuse(RUNNER_EXIT_USAGE,
                         "bug: --cause: there is no cause \"%s\" (plumbline list causes)%s", cause,
                         nearest_hint(&nearest, hint));
}

static int work_on(struct work* work) {
    int status = open_report(work);
    if (status == 0) status = check_cause(work);
    if (status == 0)
        status = bug_find(work->bug.options, results_saved_report(work->saved), &work->subject);
    if (status != 0) return status;
    work->bug.subject = &work->subject;
    work->bug.trial = &work->trial;
    work->bug.cause = bug_cause(&work->lists.causes, work->subject.cause);
    return make(work);
}

int bug_command(const struct base_call* call) {
    struct bug_options options;
    int status = bug_parse(call, &options);
    if (status != 0) return status;
    launch_prepare();
    struct work* work = base_must(calloc(1, sizeof *work));
    work->bug.call = call;
    work->bug.options = &options;
    status = work_on(work);
    bug_subject_free(&work->subject);
    symbols_close(work->symbols);
    results_saved_free(work->saved);
    lists_free(&work->lists);
    free(work);
    return status;
}
