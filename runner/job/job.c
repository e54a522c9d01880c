// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Files, start and end of one JVM run.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job_parts.h"
#include "results/profile/profile.h"

// The known causes, the errors that a control must show, then the ceilings.
static void expect(struct job* job) {
    const struct command* command = &job->command;
    const struct ceilings_row row = {
        .test = job->name,
        .mode = command->mode,
        .scope = command_scope(command),
        .feature = command->jdk->feature,
        .profiler = command->profiler != NULL ? profilers_measured(command->profiler) : NULL};
    const char* control = command->test != NULL ? command->test->expect : "";
    job->execution.causes = job->causes;
    if (job->causes == NULL) return;
    controls_for(control, job->causes, command->mode, command->jdk->feature, job->expected);
    if (job->ceilings != NULL) ceilings_for(job->ceilings, &row, &job->room, job->expected);
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
                                                .program = command->test == NULL,
                                                .emulated = *command->jdk->foreign != '\0',
                                                .release = command->jdk->feature};
    expect(job);
    if (job->remark[0] != '\0') job->execution.remark = job->remark;
    // At a profiler's own signals AsyncGetCallTrace answers, too. These instants are the profiler's
    // choice, and few: what was measured at Plumbline's own instants says nothing of them. How the
    // two compare there is in the profiler's page.
    const uint32_t chosen = 1u << ORACLE_LAYER_ASYNC | 1u << ORACLE_LAYER_STRUCTURE;
    if (command->profiler != NULL && *command->profiler->driven == '\0')
        job->execution.layers &= ~chosen;
    if (job->program != NULL) listed_open(job);
    if (command->test == NULL) return;
    cells_for(command->test->cells, command->mode, &job->cells);
    job->execution.few = command->test->few_layers;
    job->execution.wanted = job->cells.list;
    job->execution.wanted_count = job->cells.count;
}

void job_skip(struct job* job, const char* why) {
    job_end(job, RESULTS_END_SKIPPED, "%s", why);
}

// ---- Start ------------------------------------------------------------------------------------

// Removes files of an older run in the directory that would be taken for this one's.
static void forget(const struct job* job) {
    static const char* const names[] = {"hs_err.log",  "finished",        "compilation.log",
                                        PROFILED_FILE, PROFILED_SETTINGS, PROFILED_SAMPLES,
                                        PROFILED_PAGE, RESULTS_TREE_FILE};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[JOB_FILE];
        job_path(job, names[i], path);
        unlink(path);
    }
}

// Removes what a run must not write to: files that have a second name, which merge gives to a
// session's, and FIFOs and the like, which would wait for a reader.
static void leave_others(const struct job* job) {
    DIR* directory = opendir(job->directory);
    if (directory == NULL) return;
    for (struct dirent* entry; (entry = readdir(directory)) != NULL;) {
        struct stat status;
        if (fstatat(dirfd(directory), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            (output_is_odd(status.st_mode) || (S_ISREG(status.st_mode) && status.st_nlink > 1)))
            unlinkat(dirfd(directory), entry->d_name, 0);
    }
    closedir(directory);
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
    leave_others(job);
    int error = profiled_prepare(job);
    if (error != 0) {
        job_fail(job, PROFILED_SETTINGS, error);
        return;
    }
    if (job->program != NULL) listed_start(job);
    else job_start_judged(job);
}

void job_again(struct job* job, const char* out, double seconds, const char* remark) {
    job_close(job);
    snprintf(job->remark, sizeof job->remark, "%s", remark);
    job->own.seconds = seconds;
    job->repeats++;
    job->finished = false;
    job_open(job, out);
}

// ---- End --------------------------------------------------------------------------------------

// The function that a walker was asked about when the JVM died of it.
static void name_asked(struct job* job) {
    char where[64];
    if (!results_asked_at_end(&job->execution, where, sizeof where)) return;
    struct symbols* symbols = symbols_open(job->command.jdk->home);
    if (symbols_name(symbols, where, job->asked_in, sizeof job->asked_in))
        job->execution.asked_in = job->asked_in;
    symbols_close(symbols);
}

// The process itself ends by SIGABRT, whatever the cause.
static void note_crash(struct job* job) {
    char path[JOB_FILE];
    struct crash_told told;
    job_path(job, "hs_err.log", path);
    FILE* file = fopen(path, "r");
    if (file == NULL) return;
    job->execution.hs_err = true;
    crash_read(file, &told);
    fclose(file);
    if (job->execution.died_thread == 0) job->execution.died_thread = told.thread;
    if (told.note[0] != '\0' && job->execution.note == NULL) {
        snprintf(job->note, sizeof job->note, "%s", told.note);
        job->execution.note = job->note;
    }
    name_asked(job);
}

bool job_is_preamble(const char* line) {
    return line[strspn(line, " \t")] == '\0' || strstr(line, " warning: ") != NULL ||
           strncmp(line, "WARNING: ", 9) == 0 ||
           strncmp(line, "Error occurred during init", 26) == 0;
}

// Writes the first line of a log that gives the reason of the end into the note. False: none.
static bool note_first_line(struct job* job, const char* log) {
    char path[JOB_FILE], line[sizeof job->note];
    job_path(job, log, path);
    FILE* file = fopen(path, "r");
    if (file == NULL) return false;
    while (job->execution.note == NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (job_is_preamble(line)) continue;
        snprintf(job->note, sizeof job->note, "%s", line);
        job->execution.note = job->note;
    }
    fclose(file);
    return job->execution.note != NULL;
}

// A JVM that does not start gives its reason on standard output.
static void note_first_error(struct job* job) {
    if (!note_first_line(job, "stderr.txt") && job->run->phase < RESULTS_PHASE_RUNNING)
        note_first_line(job, "stdout.txt");
}

static void note_work(struct job* job) {
    char path[JOB_FILE];
    job->execution.work = RESULTS_WORK_NONE;
    job_path(job, "stdout.txt", path);
    FILE* file = fopen(path, "r");
    if (file == NULL) return;
    work_read(file, &job->execution);
    fclose(file);
}

// What was mended stays so in the file; an earlier session's booking says it.
static void mend_run(struct job* job) {
    char first[64];
    size_t mended = results_run_mend(job->run, first, sizeof first);
    if (mended == 0) return;
    snprintf(job->spoiled, sizeof job->spoiled,
             "%zu numbers or texts of run.plumbline cannot be the agent's, first %s: something in "
             "the JVM's process wrote there",
             mended, first);
    job->execution.spoiled = job->spoiled;
}

void job_read_record(struct job* job) {
    char path[JOB_FILE];
    uint64_t saved, spoiled;
    mend_run(job);
    job_path(job, "run.lz4", path);
    if (results_run_drain(job->run, path, &saved, &spoiled) != 0)
        runner_complain("%s: what the JVM left to be recorded cannot be added: %s", path,
                        strerror(errno));
    job->record = results_record_open_file(path);
    job->execution.record = job->record;
}

bool job_poll(struct job* job) {
    if (job->finished || !launch_poll(&job->child)) return false;
    struct results_execution* execution = &job->execution;
    if (job->stage == JOB_READ) {
        profiled_end(job);
        job->finished = true;
        return true;
    }
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
    job->finished = !profiled_start(job);
    return job->finished;
}

void job_close(struct job* job) {
    listed_close(job);
    results_run_unmap(job->run);
    results_record_close(job->record);
    if (job->profile != NULL) results_profile_free(job->profile);
    free(job->profile);
    job->profile = NULL;
    job->run = NULL;
    job->record = NULL;
    job->execution.run = NULL;
    job->execution.record = NULL;
}
