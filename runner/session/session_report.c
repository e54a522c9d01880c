// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "session_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/formats/formats.h"
#include "runner/inlining/inlining.h"

static int write_text(const struct session_results* results, const char* name,
                      void (*print)(const struct results_report* report, FILE* out),
                      const struct results_report* report) {
    struct output_file file;
    if (!output_begin_in(&file, results->out, name)) return -1;
    print(report, file.out);
    return output_commit(&file, true);
}

static int write_command(const struct session_results* results) {
    struct output_file file;
    if (!output_begin_in(&file, results->out, "cmd.sh")) return -1;
    char* here = getcwd(NULL, 0);
    fprintf(file.out, "#!/bin/sh\n# Repeats the whole session.\ncd ");
    words_quote(file.out, here != NULL ? here : ".");
    fprintf(file.out, " || exit\nexec %s \"$@\"\n", results->line);
    free(here);
    return output_commit(&file, true) == 0 ? chmod(file.path, 0755) : -1;
}

static int write_files(const struct session_results* results, const struct results_report* report) {
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/results.json", results->out);
    if (results_json(report, path) == 0 &&
        write_text(results, "report.txt", results_table, report) == 0 &&
        write_text(results, "clusters.txt", results_clusters, report) == 0 &&
        write_command(results) == 0)
        return 0;
    return runner_refuse(-1, "cannot write to %s: %s", results->out, strerror(errno));
}

static int print_report(const struct session_results* results,
                        const struct results_report* report) {
    const struct results_execution* execution = &results->jobs[0].execution;
    if (results->program && execution->end == RESULTS_END_EXITED)
        printf("\nThe program ended with exit status %d after %.1f s.\n\n", execution->status,
               execution->seconds);
    results_table(report, stdout);
    if (runner_flushed()) return 0;
    return runner_refuse(-1, "cannot print the report: %s", strerror(errno));
}

// 0: the JDK's own.
static int expected_of(const struct session_results* results) {
    const struct ceilings* ceilings = results->count != 0 ? results->jobs[0].ceilings : NULL;
    if (ceilings == NULL) return 0;
    int release = ceilings_release(ceilings, results->jdk->feature);
    return release != results->jdk->feature ? release : 0;
}

int session_report(const struct session_results* results) {
    struct results_execution* executions = calloc(results->count, sizeof *executions);
    struct results_report report = {.command = results->line,
                                    .directory = results->out,
                                    .jdk_home = results->jdk->home,
                                    .jdk_version = results->jdk->version,
                                    .jdk_vm = results->jdk->vm,
                                    .plumbline = base_version,
                                    .expected_of = expected_of(results),
                                    .seed = results->seed,
                                    .executions = executions,
                                    .planned = results->planned,
                                    .interrupted = results->interrupted,
                                    .symbol = symbols_name};
    for (size_t i = 0; executions != NULL && i < results->count; i++)
        if (results->jobs[i].finished)
            executions[report.execution_count++] = results->jobs[i].execution;
    if (executions != NULL) inlining_fill(executions, report.execution_count);
    // Of merged runs the JDK may be gone, or another one in its place.
    struct symbols* symbols = symbols_open_same(results->jdk->home, results_report_vm(&report));
    report.symbol_context = symbols;
    int status = RUNNER_EXIT_HARNESS;
    if (executions == NULL || results_report_judge(&report) != 0) {
        runner_complain("no memory");
    } else {
        status = results_exit_status(report.verdict);
        bool written = write_files(results, &report) == 0;
        // A failure stays a failure, even if it could not be reported.
        if (!((results->quiet || print_report(results, &report) == 0) && written) &&
            status != RUNNER_EXIT_FAIL)
            status = RUNNER_EXIT_HARNESS;
    }
    results_report_free(&report);
    symbols_close(symbols);
    free(executions);
    return status;
}
