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

// Minus an error's number: it cannot be made.
static int open_log(const struct job* job, const char* prefix, const char* name) {
    char path[JOB_FILE], file[64];
    snprintf(file, sizeof file, "%s%s", prefix, name);
    job_path(job, file, path);
    int log = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    return log >= 0 ? log : -errno;
}

int job_launch(struct job* job, const struct words* words, const char* directory,
               const char* prefix, bool data) {
    bool logged = prefix != NULL;
    struct launch launch = {.words = words->list,
                            .output = logged ? open_log(job, prefix, "stdout.txt") : -1,
                            .errors = logged ? open_log(job, prefix, "stderr.txt") : -1,
                            .directory = directory,
                            .limit = job->limit,
                            .plain_environment = logged,
                            .terminal = !logged,
                            .data = data};
    int error = !logged || launch.output >= 0 ? 0 : -launch.output;
    if (logged && error == 0 && launch.errors < 0) error = -launch.errors;
    if (error == 0) error = launch_start(&launch, &job->child);
    if (launch.output >= 0) close(launch.output);
    if (launch.errors >= 0) close(launch.errors);
    return error;
}

static void launch_java(struct job* job, const char* run_file) {
    bool ours = job->execution.program; // its terminal, directory and environment are our own
    const char* directory = job->program != NULL ? job->work : job->directory;
    struct words words = {0};
    command_build(&job->command, run_file, &words);
    int error = job_launch(job, &words, ours ? NULL : directory, ours ? NULL : "", false);
    if (error != 0) job_fail(job, "java cannot be started", error);
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
