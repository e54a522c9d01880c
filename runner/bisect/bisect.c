// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Both commands, from their options to the exit status.
#include "bisect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bisect_parts.h"
#include "runner/launch/launch.h"

struct bisection {
    struct bisect_report report; // what is told, and what of it is known
    struct bisect_trials trials;
    struct bisect_log log;
    struct lists lists;
    struct words builds;
    bool harness; // the log cannot be written
};

// ---- Preparation ------------------------------------------------------------------------------

// The preparation of both commands. 0, or an exit status with the reason.
static int prepare_trials(struct bisect_trials* trials, struct lists* lists, const char* out_name,
                          char* error, size_t size) {
    const struct options* run = &trials->options->run;
    trials->mode = &modes[__builtin_ctz(run->modes)];
    if (access(trials->home->agent, R_OK) != 0)
        return base_reason(RUNNER_EXIT_HARNESS, error, size, "%s: %s (make builds it)",
                           trials->home->agent, strerror(errno));
    unsigned which = LISTS_CASES | (run->profiler != NULL ? LISTS_PROFILERS : 0);
    if (lists_read(lists, which, trials->home, error, size) != 0) return RUNNER_EXIT_HARNESS;
    trials->causes = &lists->causes;
    if (run->profiler != NULL) trials->profiler = profilers_find(&lists->profilers, run->profiler);
    if (run->profiler != NULL && trials->profiler == NULL)
        return base_reason(RUNNER_EXIT_USAGE, error, size,
                           "--profiler: there is no \"%s\" (plumbline list profilers)",
                           run->profiler);
    trials->test = cases_find(&lists->cases, run->cases);
    if (trials->test == NULL) {
        char hint[NEAREST_TEXT];
        return base_reason(RUNNER_EXIT_USAGE, error, size,
                           "--case: there is no \"%s\" (plumbline list cases)%s", run->cases,
                           cases_hint(&lists->cases, run->cases, hint));
    }
    if (!bisect_sought_known(&trials->options->sought, &lists->causes))
        return base_reason(RUNNER_EXIT_USAGE, error, size,
                           "there is no cause \"%s\" (plumbline list causes)",
                           trials->options->sought.cause);
    return output_make(run->out, out_name, trials->out, error, size) == 0 ? 0 : RUNNER_EXIT_HARNESS;
}

// The log's second line, by which another bisection is recognised.
static char* seeks_of(const struct bisect_options* options) {
    struct words words = {0};
    words_add_option(&words, "--error", "%g", options->error);
    words_add_option(&words, "--spread", "%g", options->spread);
    if (options->given) {
        words_add_option(&words, "--good-rate", "%g", options->good_rate);
        words_add_option(&words, "--bad-rate", "%g", options->bad_rate);
        words_add_option(&words, "--dispersion", "%g", options->dispersion);
    }
    words_add_all(&words, &options->repeat);
    char* text = words_join(words.list, words.count);
    words_free(&words);
    return text;
}

static int open_log(struct bisection* bisection, char* error, size_t size) {
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/bisect.log", bisection->trials.out);
    if (bisection->trials.options->go_on && access(path, F_OK) != 0)
        return base_reason(RUNNER_EXIT_USAGE, error, size, "--resume: %s: %s", path,
                           strerror(errno));
    char* seeks = seeks_of(bisection->trials.options);
    int result = bisect_log_open(&bisection->log, path, seeks, &bisection->builds, error, size);
    free(seeks);
    if (result == 0 && bisection->log.count != 0)
        printf("going on in %s: %zu questions are answered\n", bisection->trials.out,
               bisection->log.count);
    return result == 0 ? 0 : RUNNER_EXIT_USAGE;
}

static int prepare(struct bisection* bisection, char* error, size_t size) {
    const struct bisect_options* options = bisection->trials.options;
    if (bisect_builds_read(options->list, &bisection->builds, error, size) != 0 ||
        bisect_builds_between(&bisection->builds, options->good, options->bad, error, size) != 0)
        return RUNNER_EXIT_USAGE;
    launch_prepare(); // until here Ctrl-C ends it: the list may be a terminal
    int status = prepare_trials(&bisection->trials, &bisection->lists, "bisect", error, size);
    if (status == 0) status = open_log(bisection, error, size);
    if (status != 0) return status;
    bisection->report.options = options;
    bisection->report.builds = &bisection->builds;
    bisection->report.out = bisection->trials.out;
    bisect_report_open(&bisection->report);
    return 0;
}

// ---- Bisecting --------------------------------------------------------------------------------

static void ask(void* context, struct bisect_question* question) {
    struct bisection* bisection = context;
    if (!bisect_log_answer(&bisection->log, question)) {
        bisect_trial(&bisection->trials, bisection->builds.list[question->build], question);
        if (question->answer != BISECT_STOPPED && bisect_log_book(&bisection->log, question) != 0) {
            runner_complain("cannot write bisect.log: %s", strerror(errno));
            question->answer = BISECT_STOPPED;
            bisection->harness = true;
        }
    }
    bisect_report_question(&bisection->report, question);
}

static int status_of(const struct bisection* bisection, enum bisect_end end) {
    if (bisection->harness) return RUNNER_EXIT_HARNESS;
    switch (end) {
    case BISECT_FOUND: return RUNNER_EXIT_PASS;
    case BISECT_SAME: return RUNNER_EXIT_FAIL;
    case BISECT_END_UNUSABLE: return RUNNER_EXIT_HARNESS;
    case BISECT_TOO_SMALL:
    case BISECT_INTERRUPTED:
    default: return RUNNER_EXIT_INCONCLUSIVE;
    }
}

static int search(struct bisection* bisection) {
    const struct bisect_options* options = bisection->trials.options;
    enum bisect_state* state = calloc(bisection->builds.count, sizeof *state);
    if (state == NULL) return RUNNER_EXIT_HARNESS;
    struct bisect_search search = {.count = bisection->builds.count,
                                   .state = state,
                                   .error = options->error,
                                   .spread = options->spread,
                                   .seconds = options->limit,
                                   .given = options->given,
                                   .ask = ask,
                                   .context = bisection};
    if (options->given)
        search.test = (struct bisect_test){.good = options->good_rate,
                                           .bad = options->bad_rate,
                                           .dispersion = options->dispersion};
    bisection->report.search = &search;
    enum bisect_end end = bisect_search_run(&search);
    int status = status_of(bisection, end);
    if (bisect_report_end(&bisection->report, end) != 0) {
        runner_complain("cannot write to %s: %s", bisection->trials.out, strerror(errno));
        status = RUNNER_EXIT_HARNESS;
    }
    free(state);
    return runner_printed(status);
}

static int bisect(const struct bisect_options* options, const struct home* home) {
    struct bisection bisection = {.trials = {.options = options, .home = home}};
    char error[2 * PATH_MAX + 512] = "no memory";
    int status = prepare(&bisection, error, sizeof error);
    if (status != 0) runner_complain("%s", error);
    else status = search(&bisection);
    bisect_report_close(&bisection.report);
    bisect_log_close(&bisection.log);
    lists_free(&bisection.lists);
    words_free(&bisection.builds);
    return status;
}

// ---- A step -----------------------------------------------------------------------------------

static int ask_once(const struct bisect_trials* trials) {
    const struct bisect_options* options = trials->options;
    char rate[RESULTS_RATE_TEXT];
    struct bisect_question question = {.number = 1,
                                       .test = {.good = options->good_rate,
                                                .bad = options->bad_rate,
                                                .error = options->error,
                                                .dispersion = options->dispersion}};
    bisect_trial(trials, options->run.jdk, &question);
    printf("%s: %s: %s in %.1f s%s%s\n", options->run.jdk, bisect_answer_text(question.answer),
           results_rate_text(question.count.events, question.count.trials, rate), question.seconds,
           question.note[0] != '\0' ? ": " : "", question.note);
    if (question.answer == BISECT_IS_GOOD) return 0;
    return question.answer == BISECT_IS_BAD ? 1 : BISECT_STEP_UNKNOWN;
}

static int step(const struct bisect_options* options, const struct home* home) {
    struct bisect_trials trials = {.options = options, .home = home};
    struct lists lists = {0};
    char error[2 * PATH_MAX + 512] = "";
    launch_prepare();
    int status = prepare_trials(&trials, &lists, "bisect-step", error, sizeof error);
    if (status != 0) {
        runner_complain("%s", error);
        status = BISECT_STEP_UNKNOWN;
    } else status = ask_once(&trials);
    lists_free(&lists);
    return status;
}

// ---- The commands -----------------------------------------------------------------------------

int bisect_command(const struct base_call* call) {
    struct bisect_options options;
    int status = bisect_options_parse(BISECT_WHOLE_COMMAND, call, &options);
    if (status == 0) status = bisect(&options, call->home);
    else if (status < 0) status = RUNNER_EXIT_PASS;
    bisect_options_free(&options);
    return status;
}

int bisect_step_command(const struct base_call* call) {
    struct bisect_options options;
    int status = bisect_options_parse(BISECT_STEP_COMMAND, call, &options);
    if (status == 0) status = step(&options, call->home);
    else status = status < 0 ? RUNNER_EXIT_PASS : BISECT_STEP_UNKNOWN;
    bisect_options_free(&options);
    return status;
}
