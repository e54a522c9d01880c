// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "session_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/formats/formats.h"
#include "runner/jdk/jdk.h"
#include "runner/launch/launch.h"
#include "runner/lists/lists.h"

#define TICK 1.0 // seconds between looks at a session

struct column {
    char home[PATH_MAX];
    char version[64], vm[256];
    char label[160];
    char out[PATH_MAX + 176]; // the session's
    char error[PATH_MAX + 256];
    char results[PATH_MAX + 208];
    const char* profiler; // NULL: the command's
    unsigned given;       // place in the command
    int feature;          // 0: cannot be examined
    int status;           // exit status
};

struct matrix {
    const struct options* options;
    enum options_command kind;
    const struct base_call* call;
    char out[PATH_MAX];
    struct words profilers; // of the command
    struct column* columns;
    unsigned count;
    bool interrupted;
};

// ---- The JDKs ---------------------------------------------------------------------------------

static void examine(struct matrix* matrix, unsigned given, struct jdk* jdk, struct column* column) {
    const char* name = matrix->options->jdks[given];
    column->given = given;
    if (jdk_locate(name, matrix->call->home->jdks, column->home, column->error,
                   sizeof column->error) != 0 ||
        jdk_examine(column->home, jdk, column->error, sizeof column->error) != 0) {
        matrix->interrupted = matrix->interrupted || jdk->interrupted;
        column->status = RUNNER_EXIT_HARNESS;
        snprintf(column->version, sizeof column->version, "unknown");
        return;
    }
    snprintf(column->version, sizeof column->version, "%s", jdk->version);
    snprintf(column->vm, sizeof column->vm, "%s", jdk->vm);
    column->feature = jdk->feature;
}

// By release, version and build, with digits compared as numbers; unknown versions come last.
static int compare(const void* a, const void* b) {
    const struct column *one = a, *other = b;
    if ((one->feature == 0) != (other->feature == 0)) return one->feature == 0 ? 1 : -1;
    if (one->feature != other->feature) return one->feature < other->feature ? -1 : 1;
    int order = strverscmp(one->version, other->version);
    if (order == 0) order = strverscmp(one->vm, other->vm);
    if (order != 0) return order;
    return one->given < other->given ? -1 : one->given > other->given;
}

static void label(struct matrix* matrix, unsigned i) {
    unsigned same = 1;
    for (unsigned k = 0; k < i; k++)
        same += strcmp(matrix->columns[k].version, matrix->columns[i].version) == 0;
    struct column* column = &matrix->columns[i];
    if (same == 1) snprintf(column->label, sizeof column->label, "%s", column->version);
    else snprintf(column->label, sizeof column->label, "%s-%u", column->version, same);
}

// A column for each pair of a JDK and a profiler, where there are several profilers.
static void pair(struct matrix* matrix) {
    unsigned profilers = (unsigned)matrix->profilers.count, jdks = matrix->count;
    if (profilers < 2) return;
    struct column* columns = base_must(calloc((size_t)jdks * profilers, sizeof *columns));
    for (unsigned i = 0; i < jdks * profilers; i++) {
        const struct column* jdk = &matrix->columns[i / profilers];
        const char* name = matrix->profilers.list[i % profilers];
        columns[i] = *jdk;
        columns[i].profiler = name;
        snprintf(columns[i].label, sizeof columns[i].label, "%.80s%s%.70s",
                 jdks > 1 ? jdk->label : "", jdks > 1 ? "-" : "", name);
    }
    free(matrix->columns);
    matrix->columns = columns;
    matrix->count = jdks * profilers;
}

static void place(struct matrix* matrix, const char* out) {
    for (unsigned i = 0; i < matrix->count; i++) {
        struct column* column = &matrix->columns[i];
        snprintf(column->out, sizeof column->out, "%s/%s", out, column->label);
        snprintf(column->results, sizeof column->results, "%s/results.json", column->out);
    }
}

// With --resume there is one session, at least, to go on with. Nothing is made before.
static int check_resume(struct matrix* matrix, char* error, size_t size) {
    const char* out = matrix->options->resume;
    if (out == NULL) return 0;
    place(matrix, out);
    for (unsigned i = 0; i < matrix->count; i++)
        if (resume_is_there(matrix->columns[i].out)) return 0;
    return resume_refuse(out, error, size);
}

// Wrong usage is reported before anything runs.
static int check_profilers(const struct matrix* matrix, char* error, size_t size) {
    struct lists lists = {0};
    int status = 0;
    if (matrix->profilers.count == 0) return 0;
    if (lists_read(&lists, LISTS_PROFILERS, matrix->call->home, error, size) != 0)
        status = RUNNER_EXIT_HARNESS;
    for (size_t i = 0; i < matrix->profilers.count && status == 0; i++)
        if (profilers_find(&lists.profilers, matrix->profilers.list[i]) == NULL)
            status = base_reason(RUNNER_EXIT_USAGE, error, size,
                                 "--profiler: there is no \"%s\" (plumbline list profilers)",
                                 matrix->profilers.list[i]);
    lists_free(&lists);
    return status;
}

// 0, or an exit status. Interrupted before every JDK is examined: touches no session.
static int prepare(struct matrix* matrix, char* error, size_t size) {
    int status = check_profilers(matrix, error, size);
    if (status != 0) return status;
    struct jdk* jdk = base_must(calloc(1, sizeof *jdk));
    matrix->columns = base_must(calloc(matrix->count, sizeof *matrix->columns));
    for (unsigned i = 0; i < matrix->count && !matrix->interrupted; i++)
        examine(matrix, i, jdk, &matrix->columns[i]);
    free(jdk);
    if (matrix->interrupted)
        return base_reason(RUNNER_EXIT_INCONCLUSIVE, error, size,
                           "interrupted before anything was run");
    qsort(matrix->columns, matrix->count, sizeof *matrix->columns, compare);
    for (unsigned i = 0; i < matrix->count; i++) label(matrix, i);
    pair(matrix);
    if ((status = check_resume(matrix, error, size)) != 0) return status;
    if (output_make_latest(matrix->options->out, "matrix", matrix->out, error, size) != 0)
        return RUNNER_EXIT_HARNESS;
    place(matrix, matrix->out);
    return 0;
}

// ---- Their sessions ---------------------------------------------------------------------------

// Ours come first: behind -- are the program's words.
static void command(const struct matrix* matrix, const struct column* column, struct words* words) {
    const struct options* options = matrix->options;
    const char* values[OPTIONS_JDKS + 3] = {options->out, options->resume,
                                            column->profiler != NULL ? options->profiler : NULL};
    for (unsigned i = 0; i < options->jdk_count; i++) values[3 + i] = options->jdks[i];
    bool resume = (options->resume != NULL || options->full) && resume_is_there(column->out);
    words_add(words, "%s", matrix->call->home->executable);
    words_add(words, "%s", matrix->kind == OPTIONS_RUN ? "run" : "validate");
    words_add_option(words, "--jdk", "%s", column->home);
    words_add(words, "%s", resume ? "--resume" : "--out");
    words_add(words, "%s", column->out);
    if (column->profiler != NULL) words_add_option(words, "--profiler", "%s", column->profiler);
    arguments_hand_on(matrix->call, values, 3 + options->jdk_count, words);
}

// Waits for a session to end. An interruption is handed on; the session then reports its finished
// runs.
static void await(struct matrix* matrix, struct launch_child* child) {
    while (!launch_poll(child)) {
        int signal = launch_wait(TICK);
        if (signal == 0) continue;
        matrix->interrupted = true;
        kill(child->pid, signal);
    }
}

// Whether a program's session, which has the terminal and its Ctrl-C, was interrupted: its results
// say so. Before there are any, only an interruption ends it so.
static bool was_interrupted(const struct column* column, const struct launch_child* child) {
    char error[PATH_MAX + 256];
    if (child->end == RESULTS_END_SIGNALLED && child->status == SIGINT) return true;
    if (child->end != RESULTS_END_EXITED ||
        (child->status != RUNNER_EXIT_INCONCLUSIVE && child->status != RUNNER_EXIT_FAIL))
        return false;
    struct results_saved* saved = results_saved_read(column->out, error, sizeof error);
    bool interrupted = saved != NULL ? results_saved_report(saved)->interrupted
                                     : child->status == RUNNER_EXIT_INCONCLUSIVE;
    results_saved_free(saved);
    return interrupted;
}

static void run(struct matrix* matrix, struct column* column) {
    struct words words = {0};
    struct launch_child child;
    command(matrix, column, &words);
    // A report is in report.txt, too; a program's output is nowhere else.
    bool program = matrix->kind == OPTIONS_RUN;
    int nowhere = program ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
    const struct launch launch = {
        .words = words.list, .output = nowhere, .errors = -1, .terminal = program};
    int failure = launch_start(&launch, &child);
    if (nowhere >= 0) close(nowhere);
    words_free(&words);
    column->status = RUNNER_EXIT_HARNESS;
    if (failure != 0) {
        snprintf(column->error, sizeof column->error, "%s", strerror(failure));
        return;
    }
    await(matrix, &child);
    matrix->interrupted = matrix->interrupted || was_interrupted(column, &child);
    if (child.end != RESULTS_END_EXITED)
        snprintf(column->error, sizeof column->error, "its session was killed");
    else column->status = child.status;
    // A session that is interrupted before it begins ends with the harness's status.
    if (!matrix->interrupted || column->status != RUNNER_EXIT_HARNESS) return;
    column->status = RUNNER_EXIT_INCONCLUSIVE;
    snprintf(column->error, sizeof column->error, "interrupted");
}

// ---- The table --------------------------------------------------------------------------------

static const char* status_text(int status) {
    switch (status) {
    case RUNNER_EXIT_PASS: return "PASS";
    case RUNNER_EXIT_FAIL: return "FAIL";
    case RUNNER_EXIT_INCONCLUSIVE: return "INCONCLUSIVE";
    default: return "HARNESS";
    }
}

static int print_raw(const struct matrix* matrix, FILE* out) {
    struct matrix_column* columns = base_must(calloc(matrix->count, sizeof *columns));
    for (unsigned i = 0; i < matrix->count; i++) {
        const struct column* column = &matrix->columns[i];
        bool there = access(column->results, R_OK) == 0;
        columns[i] = (struct matrix_column){column->label, there ? column->results : NULL};
    }
    int result = matrix_table(columns, matrix->count, out);
    free(columns);
    if (result != 0) return -1;
    fputc('\n', out);
    for (unsigned i = 0; i < matrix->count; i++) {
        const struct column* column = &matrix->columns[i];
        fprintf(out, "%s: %s%s%s (%s)\n", column->label, status_text(column->status),
                *column->error != '\0' ? ": " : "", column->error,
                *column->error != '\0' ? matrix->options->jdks[column->given] : column->out);
    }
    return ferror(out) ? -1 : 0;
}

static int print(const struct matrix* matrix, FILE* out) {
    struct output_plain plain;
    int result = print_raw(matrix, output_plain_open(&plain));
    output_plain_close(&plain, out);
    return result == 0 && !ferror(out) ? 0 : -1;
}

static int write_table(const struct matrix* matrix) {
    struct output_file file;
    int result = output_begin_in(&file, matrix->out, "matrix.txt") ? 0 : -1;
    if (result == 0) result = output_commit(&file, print(matrix, file.out) == 0);
    if (result != 0)
        return runner_refuse(-1, "cannot write %s/matrix.txt: %s", matrix->out, strerror(errno));
    if (print(matrix, stdout) == 0 && runner_flushed()) return 0;
    return runner_refuse(-1, "cannot print the matrix: %s", strerror(errno));
}

static int conclude(struct matrix* matrix) {
    int status = RUNNER_EXIT_PASS;
    for (unsigned i = 0; i < matrix->count; i++)
        status = runner_worse(status, matrix->columns[i].status);
    if (write_table(matrix) != 0) status = runner_worse(status, RUNNER_EXIT_HARNESS);
    return status;
}

bool matrix_is_asked(const struct options* options) {
    struct words profilers = {0};
    options_profilers(options, &profilers);
    bool several = options->jdk_count > 1 || profilers.count > 1;
    words_free(&profilers);
    return several;
}

int matrix_run(const struct options* options, enum options_command kind,
               const struct base_call* call) {
    struct matrix matrix = {
        .options = options, .kind = kind, .call = call, .count = options->jdk_count};
    char error[PATH_MAX + 256];
    launch_prepare();
    options_profilers(options, &matrix.profilers);
    int status = prepare(&matrix, error, sizeof error);
    if (status != 0) {
        runner_complain("%s", error);
    } else {
        for (unsigned i = 0; i < matrix.count; i++) {
            struct column* column = &matrix.columns[i];
            if (column->feature == 0) continue;
            if (!matrix.interrupted) run(&matrix, column);
            else {
                column->status = RUNNER_EXIT_INCONCLUSIVE;
                snprintf(column->error, sizeof column->error, "not run: interrupted");
            }
        }
        status = conclude(&matrix);
    }
    free(matrix.columns);
    words_free(&matrix.profilers);
    return status;
}
