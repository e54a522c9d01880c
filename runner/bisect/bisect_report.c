// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "bisect_parts.h"

#include <stdlib.h>
#include <string.h>

#include "runner/jdk/jdk.h"

void bisect_report_open(struct bisect_report* report) {
    const struct options* run = &report->options->run;
    char what[160];
    bisect_sought_text(&report->options->sought, what, sizeof what);
    printf(
        "bisecting %zu builds for %s: case %s, mode %s, scope %s; wrong with a probability of at "
        "most %g\n%s\n",
        report->builds->count, what, run->cases, modes[__builtin_ctz(run->modes)].name, run->scope,
        report->options->error, report->out);
    fflush(stdout);
}

void bisect_report_close(struct bisect_report* report) {
    free(report->questions);
    report->questions = NULL;
}

// ---- Steps ------------------------------------------------------------------------------------

static void tell_question(const struct bisect_report* report,
                          const struct bisect_question* question, FILE* out) {
    char rate[RESULTS_RATE_TEXT];
    fprintf(out, "step %u  build %zu of %zu  %s  %s  %s  %.1f s%s%s\n", question->number,
            question->build + 1, report->builds->count, report->builds->list[question->build],
            bisect_answer_text(question->answer),
            results_rate_text(question->count.events, question->count.trials, rate),
            question->seconds, question->note[0] != '\0' ? "  " : "", question->note);
}

void bisect_report_question(struct bisect_report* report, const struct bisect_question* question) {
    struct output_plain plain;
    tell_question(report, question, output_plain_open(&plain));
    output_plain_close(&plain, stdout);
    fflush(stdout);
    struct bisect_question* questions =
        realloc(report->questions, (report->count + 1) * sizeof *questions);
    if (questions == NULL) return; // the log has it
    report->questions = questions;
    questions[report->count++] = *question;
}

// Prints a step as a command of its own, with the rates that were measured at the ends.
static void tell_command(const struct bisect_report* report, const struct bisect_question* question,
                         FILE* out) {
    const struct bisect_test* test = &report->search->test;
    struct words words = {0};
    if (question->target != 0 && test->good == 0) return;
    words_add(&words, "plumbline");
    words_add(&words, "bisect-step");
    words_add_option(&words, "--jdk", "%s", report->builds->list[question->build]);
    words_add_option(&words, "--good-rate", "%.6g", test->good);
    words_add_option(&words, "--bad-rate", "%.6g", test->bad);
    words_add_option(&words, "--dispersion", "%.6g", test->dispersion);
    words_add_option(&words, "--error", "%.6g",
                     question->target != 0 ? report->options->error : question->test.error);
    words_add_all(&words, &report->options->repeat);
    char* line = words_join(words.list, words.count);
    fprintf(out, "  step %u: %s\n", question->number, line);
    free(line);
    words_free(&words);
}

// ---- Evidence ---------------------------------------------------------------------------------

// The sum of all counts of a build, and the last question about it.
static const struct bisect_question* last_of(const struct bisect_report* report, size_t build,
                                             struct bisect_count* sum) {
    const struct bisect_question* last = NULL;
    *sum = (struct bisect_count){0};
    for (size_t i = 0; i < report->count; i++) {
        const struct bisect_question* question = &report->questions[i];
        if (question->build != build || question->answer == BISECT_UNUSABLE) continue;
        last = question;
        sum->events += question->count.events;
        sum->trials += question->count.trials;
    }
    return last;
}

// The clusters of the last JVM that was asked about the build.
static int write_clusters(const struct bisect_report* report, size_t build, const char* name) {
    struct bisect_count sum;
    const struct bisect_question* last = last_of(report, build, &sum);
    char path[PATH_MAX + 400];
    struct output_file file;
    if (last == NULL || last->jvms == 0) return 0;
    const struct options* run = &report->options->run;
    const char* mode = modes[__builtin_ctz(run->modes)].name;
    snprintf(path, sizeof path, "%s/step-%u/jvm-%u/runs/%s-%s-%s/run.plumbline", report->out,
             last->number, last->jvms, run->cases, mode, run->scope);
    struct results_run* counted = results_run_load(path);
    if (counted == NULL) return 0; // someone took it away: the numbers are in the log
    const struct results_execution execution = {.case_name = run->cases,
                                                .mode = mode,
                                                .scope = run->scope,
                                                .directory = report->out,
                                                .layers = options_layers_in(run, run->scope),
                                                .end = RESULTS_END_EXITED,
                                                .run = counted};
    struct symbols* symbols = symbols_open(report->builds->list[build]);
    struct results_report told = {.directory = report->out,
                                  .jdk_home = report->builds->list[build],
                                  .jdk_version = counted->jvm_version,
                                  .jdk_vm = counted->jvm_name,
                                  .executions = &execution,
                                  .execution_count = 1,
                                  .planned = 1,
                                  .symbol = symbols_name,
                                  .symbol_context = symbols};
    int result = results_report_judge(&told);
    if (result == 0 && !output_begin_in(&file, report->out, name)) result = -1;
    if (result == 0) {
        results_clusters(&told, file.out);
        result = output_commit(&file, true);
    }
    results_report_free(&told);
    symbols_close(symbols);
    results_run_unmap(counted);
    return result;
}

// ---- The end ----------------------------------------------------------------------------------

static void tell_build(const struct bisect_report* report, const char* what, size_t build,
                       FILE* out) {
    struct bisect_count sum;
    char rate[RESULTS_RATE_TEXT];
    last_of(report, build, &sum);
    fprintf(out, "%s: build %zu of %zu, %s  %s\n", what, build + 1, report->builds->count,
            report->builds->list[build], results_rate_text(sum.events, sum.trials, rate));
}

static void tell_hypotheses(const struct bisect_report* report, FILE* out) {
    const struct bisect_search* search = report->search;
    struct bisect_test test = search->test;
    if (test.good <= 0) return;
    test.error = report->options->error;
    fprintf(out,
            "each step was a test of rate %.4g (good) against %.4g (bad), every %.3g events taken "
            "for one;\na step takes %.0f samples on average\n",
            test.good, test.bad, test.dispersion, bisect_search_step(search));
}

static void tell_found(const struct bisect_report* report, FILE* out) {
    const struct bisect_search* search = report->search;
    tell_build(report, "last good", search->last_good, out);
    tell_build(report, "first bad", search->first_bad, out);
    for (size_t i = search->last_good + 1; i < search->first_bad; i++)
        fprintf(out, "left out between them: build %zu of %zu, %s\n", i + 1, report->builds->count,
                report->builds->list[i]);
    if (search->first_bad - search->last_good > 1)
        fprintf(out, "so the first bad one is among builds %zu to %zu\n", search->last_good + 2,
                search->first_bad + 1);
    fprintf(out, "wrong with a probability of at most %.2g\n", search->wrong);
    tell_hypotheses(report, out);
}

static void tell_end(const struct bisect_report* report, enum bisect_end end, FILE* out) {
    if (end == BISECT_FOUND) tell_found(report, out);
    else fprintf(out, "%s\n", report->search->why);
    if (end == BISECT_INTERRUPTED)
        fprintf(out, "the same command with --out %s goes on\n", report->out);
}

int bisect_report_end(const struct bisect_report* report, enum bisect_end end) {
    struct output_file file;
    struct output_plain plain;
    FILE* out = output_plain_open(&plain);
    fputc('\n', out);
    tell_end(report, end, out);
    output_plain_close(&plain, stdout);
    fflush(stdout);
    if (end == BISECT_FOUND &&
        (write_clusters(report, report->search->last_good, "clusters-good.txt") != 0 ||
         write_clusters(report, report->search->first_bad, "clusters-bad.txt") != 0))
        return -1;
    if (!output_begin_in(&file, report->out, "report.txt")) return -1;
    out = output_plain_open(&plain);
    tell_end(report, end, out);
    fprintf(out, "\nsteps:\n");
    for (size_t i = 0; i < report->count; i++) tell_question(report, &report->questions[i], out);
    fprintf(out, "\ncommands that repeat them:\n");
    for (size_t i = 0; i < report->count; i++) tell_command(report, &report->questions[i], out);
    output_plain_close(&plain, file.out);
    return output_commit(&file, true);
}
