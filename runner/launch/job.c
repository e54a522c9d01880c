// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Files, start and end of one JVM run.
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "listed.h"
#include "runner/base/base.h"

static void path_in(const struct job* job, const char* name, char path[JOB_PATH + 32]) {
    snprintf(path, JOB_PATH + 32, "%s/%s", job->directory, name);
}

// What a control must show, then what was measured.
static void expect(struct job* job) {
    const struct command* command = &job->command;
    const char* control = command->test != NULL ? command->test->expect : "";
    expect_for(control, command->mode, command->jdk->feature, job->expected);
    if (job->expectations != NULL)
        expectations_for(job->expectations, job->name, command->mode, command_scope(command),
                         command->jdk->feature, &job->ceilings, job->expected);
    job->execution.expected = job->expected;
}

void job_open(struct job* job, const char* out) {
    const struct command* command = &job->command;
    snprintf(job->directory, sizeof job->directory, "%s/runs/%s-%s-%s", out, job->name,
             command->mode->name, command_scope(command));
    job->command.directory = job->directory;
    job->execution = (struct results_execution){.case_name = job->name,
                                                .mode = command->mode->name,
                                                .scope = command_scope(command),
                                                .layers = command_layers(command),
                                                .program = command->test == NULL};
    expect(job);
    if (job->remark[0] != '\0') job->execution.remark = job->remark;
    if (job->program != NULL) listed_open(job);
    if (command->test == NULL) return;
    cells_for(command->test->cells, command->mode, &job->cells);
    job->execution.few = command->test->few_layers;
    job->execution.wanted = job->cells.list;
    job->execution.wanted_count = job->cells.count;
}

void job_skip(struct job* job, const char* why) {
    snprintf(job->note, sizeof job->note, "%s", why);
    job->execution.end = RESULTS_END_SKIPPED;
    job->execution.note = job->note;
    job->finished = true;
}

// ---- Start ------------------------------------------------------------------------------------

void job_fail(struct job* job, const char* what, int error) {
    snprintf(job->note, sizeof job->note, "%s: %s", what, strerror(error));
    job->execution.end = RESULTS_END_FAILED;
    job->execution.note = job->note;
    job->finished = true;
}

static int open_log(const struct job* job, const char* name) {
    char path[JOB_PATH + 32];
    path_in(job, name, path);
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

static void exec_java(struct job* job, const char* run_file) {
    bool ours = job->execution.program; // its terminal, directory and environment are our own
    int output = ours ? -1 : open_log(job, "stdout.txt");
    int errors = ours ? -1 : open_log(job, "stderr.txt");
    struct words words = {0};
    command_build(&job->command, run_file, &words);
    struct launch launch = {.words = words.list,
                            .output = output,
                            .errors = errors,
                            .directory = ours                   ? NULL
                                         : job->program != NULL ? job->work
                                                                : job->directory,
                            .limit = job->limit,
                            .plain_environment = !ours,
                            .terminal = ours};
    int error = !ours && (output < 0 || errors < 0) ? EIO : launch_start(&launch, &job->child);
    if (error != 0) job_fail(job, "java cannot be started", error);
    words_free(&words);
    if (output >= 0) close(output);
    if (errors >= 0) close(errors);
}

void job_start_judged(struct job* job) {
    char path[JOB_PATH + 32];
    path_in(job, "run.plumbline", path);
    job->run = results_run_create(path);
    job->execution.run = job->run;
    if (job->run == NULL) job_fail(job, "run.plumbline", errno);
    else if (command_script(&job->command) != 0) job_fail(job, "cmd.sh", errno);
    else exec_java(job, path);
}

// Files by which an older run in the same directory would be taken for this one.
static void forget(const struct job* job) {
    static const char* const names[] = {"hs_err.log", "finished"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[JOB_PATH + 32];
        path_in(job, names[i], path);
        unlink(path);
    }
}

void job_start(struct job* job, double limit) {
    job->execution.directory = job->directory;
    job->limit = limit;
    job->stage = JOB_JUDGED;
    if (output_make_directories(job->directory) != 0) {
        job_fail(job, "its directory cannot be made", errno);
        return;
    }
    forget(job);
    if (job->program != NULL) listed_start(job);
    else job_start_judged(job);
}

void job_again(struct job* job, const char* out, double seconds, const char* remark) {
    job_close(job);
    snprintf(job->remark, sizeof job->remark, "%s", remark);
    job->own.seconds = seconds;
    job->again = true;
    job->finished = false;
    job_open(job, out);
}

// ---- End --------------------------------------------------------------------------------------

// HotSpot's "#  SIGSEGV (0xb) at pc=..." and, after "# Problematic frame:", "# V  [libjvm.so+0x8a]
// name": both into the note, since the process itself ends by SIGABRT whatever the cause.
static void note_crash(struct job* job) {
    char path[JOB_PATH + 32], line[512], signal[32] = "";
    path_in(job, "hs_err.log", path);
    FILE* file = fopen(path, "r");
    if (file == NULL) return;
    job->execution.hs_err = true;
    bool next = false;
    while (job->execution.note == NULL && fgets(line, sizeof line, file) != NULL) {
        const char* text = line + strspn(line, "# ");
        if (next) {
            snprintf(job->note, sizeof job->note, "%s%sat %.*s", signal, *signal == '\0' ? "" : " ",
                     (int)strcspn(text, "\n"), text);
            job->execution.note = job->note;
        }
        next = strncmp(text, "Problematic frame:", 18) == 0;
        if (strncmp(text, "SIG", 3) == 0 && *signal == '\0')
            snprintf(signal, sizeof signal, "%.*s", (int)strcspn(text, " \n"), text);
    }
    fclose(file);
}

static bool is_preamble(const char* line) {
    return line[strspn(line, " \t")] == '\0' || strstr(line, " warning: ") != NULL ||
           strncmp(line, "Error occurred during init", 26) == 0;
}

// The first line of a log that says why the JVM or the case ended, into the note. False: none.
static bool note_first_line(struct job* job, const char* log) {
    char path[JOB_PATH + 32], line[sizeof job->note];
    path_in(job, log, path);
    FILE* file = fopen(path, "r");
    if (file == NULL) return false;
    while (job->execution.note == NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (is_preamble(line)) continue;
        snprintf(job->note, sizeof job->note, "%s", line);
        job->execution.note = job->note;
    }
    fclose(file);
    return job->execution.note != NULL;
}

// A JVM that does not start says why on standard output.
static void note_first_error(struct job* job) {
    if (!note_first_line(job, "stderr.txt") && job->run->phase < RESULTS_PHASE_RUNNING)
        note_first_line(job, "stdout.txt");
}

// A case ends with "units N seconds S": no such line, or no units, is no work.
static void note_work(struct job* job) {
    struct results_execution* execution = &job->execution;
    char path[JOB_PATH + 32], line[512];
    execution->work = RESULTS_WORK_NONE;
    path_in(job, "stdout.txt", path);
    FILE* file = fopen(path, "r");
    if (file == NULL) return;
    unsigned long long units;
    double seconds;
    while (fgets(line, sizeof line, file) != NULL) {
        int found = sscanf(line, "units %llu seconds %lf", &units, &seconds);
        if (found < 1) continue;
        execution->units = units;
        execution->unit_seconds = found == 2 ? seconds : 0;
    }
    fclose(file);
    if (execution->units > 0) execution->work = RESULTS_WORK_DONE;
}

void job_read_record(struct job* job) {
    char path[JOB_PATH + 32];
    uint64_t saved, spoiled;
    path_in(job, "run.lz4", path);
    if (results_run_drain(job->run, path, &saved, &spoiled) != 0)
        runner_complain("%s: what the JVM left to be recorded cannot be added: %s", path,
                        strerror(errno));
    job->record = results_record_open_file(path);
    job->execution.record = job->record;
}

bool job_poll(struct job* job) {
    if (job->finished || !launch_poll(&job->child)) return false;
    struct results_execution* execution = &job->execution;
    if (job->stage != JOB_JUDGED) {
        listed_go_on(job);
        return job->finished;
    }
    execution->end = job->child.end;
    execution->status = job->child.status;
    execution->seconds = job->child.seconds;
    if (job->run != NULL) job_read_record(job);
    note_crash(job);
    if (!execution->program) note_work(job);
    if (job->program != NULL) listed_end(job);
    if (execution->note == NULL && !execution->program &&
        execution->status != execution->status_wanted && execution->end == RESULTS_END_EXITED)
        note_first_error(job);
    job->finished = true;
    return true;
}

void job_close(struct job* job) {
    listed_close(job);
    results_run_unmap(job->run);
    results_record_close(job->record);
    job->run = NULL;
    job->record = NULL;
    job->execution.run = NULL;
    job->execution.record = NULL;
}
