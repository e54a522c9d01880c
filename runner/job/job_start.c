// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "job_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

void job_path(const struct job* job, const char* name, char path[JOB_FILE]) {
    snprintf(path, JOB_FILE, "%s/%s", job->directory, name);
}

void job_end(struct job* job, enum results_end end, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(job->note, sizeof job->note, format, arguments);
    va_end(arguments);
    job->execution.end = end;
    job->execution.note = job->note;
    job->finished = true;
}

void job_fail(struct job* job, const char* what, int error) {
    job_end(job, RESULTS_END_FAILED, "%s: %s", what, strerror(error));
}

static void say(char problem[JOB_PROBLEM], const char* what, int error) {
    snprintf(problem, JOB_PROBLEM, "%s: %s", what, strerror(error));
}

// -1 with the problem: it cannot be made.
static int open_log(const struct job* job, const char* prefix, const char* name,
                    char problem[JOB_PROBLEM]) {
    char path[JOB_FILE], file[64];
    snprintf(file, sizeof file, "%s%s", prefix, name);
    job_path(job, file, path);
    int log = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (log < 0) say(problem, file, errno);
    return log;
}

static bool open_logs(const struct job* job, const char* prefix, struct launch* launch,
                      char problem[JOB_PROBLEM]) {
    launch->output = open_log(job, prefix, "stdout.txt", problem);
    if (launch->output < 0) return false;
    launch->errors = open_log(job, prefix, "stderr.txt", problem);
    return launch->errors >= 0;
}

bool job_launch(struct job* job, const struct job_child* child, char problem[JOB_PROBLEM]) {
    bool logged = child->prefix != NULL;
    struct launch launch = {.words = child->words->list,
                            .output = -1,
                            .errors = -1,
                            .directory = child->directory,
                            .limit = job->limit,
                            .plain_environment = logged,
                            .terminal = !logged,
                            .data = child->data};
    bool started = !logged || open_logs(job, child->prefix, &launch, problem);
    if (started) {
        int error = launch_start(&launch, &job->child);
        if (error != 0) say(problem, child->what, error);
        started = error == 0;
    }
    if (launch.output >= 0) close(launch.output);
    if (launch.errors >= 0) close(launch.errors);
    return started;
}

void job_start_child(struct job* job, const struct job_child* child) {
    char problem[JOB_PROBLEM];
    if (!job_launch(job, child, problem)) job_end(job, RESULTS_END_FAILED, "%s", problem);
}

static void launch_java(struct job* job, const char* run_file) {
    bool ours = job->execution.program; // its terminal, directory and environment are our own
    const char* directory = job->program != NULL ? job->work : job->directory;
    struct words words = {0};
    command_build(&job->command, run_file, &words);
    job_start_child(job, &(struct job_child){.words = &words,
                                             .what = "java cannot be started",
                                             .directory = ours ? NULL : directory,
                                             .prefix = ours ? NULL : ""});
    words_free(&words);
}

void job_start_judged(struct job* job) {
    char path[JOB_FILE];
    job_path(job, "run.plumbline", path);
    job->run = results_run_create(path);
    job->execution.run = job->run;
    if (job->run == NULL) job_fail(job, "run.plumbline", errno);
    else if (command_script(&job->command) != 0) job_fail(job, "cmd.sh", errno);
    else launch_java(job, path);
    if (!job->finished || job->run == NULL) return;
    // On a full disk the report has its room.
    results_run_unmap(job->run);
    job->run = NULL;
    job->execution.run = NULL;
    unlink(path);
}
