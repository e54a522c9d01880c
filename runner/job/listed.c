// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "job_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct programs_places places_of(const struct job* job, char input[JOB_FILE]) {
    job_path(job, "input", input);
    return (struct programs_places){.jdk = job->command.jdk->home,
                                    .programs = job->command.home->programs,
                                    .classes = job->command.home->classes,
                                    .cache = job->command.home->cache,
                                    .input = input};
}

// Adds the program's own options of the agent; the user's come later and win.
static void add_agent(struct job* job) {
    char users[OPTIONS_AGENT_SIZE];
    if (*job->program->agent == '\0' || strstr(job->own.agent, "checks=") != NULL) return;
    snprintf(users, sizeof users, "%s", job->own.agent);
    snprintf(job->own.agent, sizeof job->own.agent, "%s%s%.*s", job->program->agent,
             *users == '\0' ? "" : ",", (int)(sizeof users / 2), users);
}

void listed_open(struct job* job) {
    const struct program* program = job->program;
    char input[JOB_FILE], why[sizeof job->note];
    const struct programs_places places = places_of(job, input);
    bool old = job->command.jdk->feature == 8 && *program->arguments8 != '\0';
    words_free(&job->arguments);
    programs_words(old ? program->arguments8 : program->arguments, &places, &job->arguments);
    job->own.java_arguments = job->arguments.list;
    job->own.java_count = (int)job->arguments.count;
    add_agent(job);
    job_path(job, "work", job->work);
    job->own.place = job->work;
    job->execution.program = false;
    job->execution.status_wanted = program->exit_status;
    if (programs_left_out(program, job->command.jdk->feature, &places, why, sizeof why))
        job_end(job, RESULTS_END_SKIPPED, "%s", why);
}

void listed_close(struct job* job) {
    words_free(&job->arguments);
}

// ---- Stages -----------------------------------------------------------------------------------

// Starts a child in the folder `name` of the run, and frees the words. Its output goes beside the
// folder, to NAME.stdout.txt and NAME.stderr.txt.
static void start_child(struct job* job, struct words* words, const char* name, const char* what) {
    char directory[JOB_FILE], prefix[32];
    job_path(job, name, directory);
    snprintf(prefix, sizeof prefix, "%s.", name);
    job_start_child(job,
                    &(struct job_child){
                        .words = words, .what = what, .directory = directory, .prefix = prefix});
    words_free(words);
}

static void start_input(struct job* job) {
    char input[JOB_FILE];
    struct words words = {0};
    const struct programs_places places = places_of(job, input);
    char* text = programs_shell(job->program->input, &places);
    words_add(&words, "/bin/sh");
    words_add(&words, "-ec");
    words_add(&words, "%s", text != NULL ? text : "exit 1");
    free(text);
    start_child(job, &words, "input", "its input cannot be made");
}

static void start_bare(struct job* job) {
    struct words words = {0};
    job->own.bare = true;
    command_build(&job->command, "", &words);
    job->own.bare = false;
    start_child(job, &words, "bare", "java cannot be started");
}

static void start_stage(struct job* job, enum job_stage stage) {
    job->stage = stage;
    if (stage == JOB_INPUT && *job->program->input == '\0') stage = job->stage = JOB_BARE;
    if (stage == JOB_BARE && !job->program->compares) stage = job->stage = JOB_JUDGED;
    if (stage == JOB_INPUT) start_input(job);
    else if (stage == JOB_BARE) start_bare(job);
    else job_start_judged(job);
}

// Removes the folders of an older run. Without a shell, as a name may have any characters.
static int clean(struct job* job) {
    static const char* const folders[] = {"input", "bare", "work"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char path[JOB_FILE];
        job_path(job, folders[i], path);
        if (output_remove(path) != 0 || output_make_directories(path) != 0) return -1;
    }
    return 0;
}

void listed_start(struct job* job) {
    job->execution.directory = job->directory;
    job->limit = job->own.timeout > 0 ? job->own.timeout : job->program->seconds;
    if (clean(job) != 0) job_fail(job, "its directories cannot be made", errno);
    else start_stage(job, JOB_INPUT);
}

// Reads the first line of a file into text.
static void first_line(const struct job* job, const char* name, char* text, size_t size) {
    char path[JOB_FILE];
    job_path(job, name, path);
    FILE* file = fopen(path, "r");
    text[0] = '\0';
    if (file == NULL) return;
    if (fgets(text, (int)size, file) == NULL) text[0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    fclose(file);
}

// If a program fails without Plumbline, the list or the machine is to blame, and the run says
// nothing about the JVM.
void listed_go_on(struct job* job) {
    bool bare = job->stage == JOB_BARE;
    int wanted = bare ? job->program->exit_status : 0;
    const struct launch_child* child = &job->child;
    char line[200], how[64];
    if (child->end == RESULTS_END_INTERRUPTED) {
        job->execution.end = child->end;
        job->finished = true;
    } else if (child->end != RESULTS_END_EXITED || child->status != wanted) {
        first_line(job, bare ? "bare.stderr.txt" : "input.stderr.txt", line, sizeof line);
        if (child->end == RESULTS_END_TIMED_OUT) snprintf(how, sizeof how, "killed at its limit");
        else
            snprintf(how, sizeof how, "%s %d",
                     child->end == RESULTS_END_EXITED ? "exit status" : "signal", child->status);
        job_end(job, RESULTS_END_FAILED, "%s: %s%s%s",
                bare ? "the program fails without Plumbline" : "its input was not made", how,
                line[0] != '\0' ? ": " : "", line);
    } else {
        start_stage(job, bare ? JOB_JUDGED : JOB_BARE);
    }
}

// ---- The check --------------------------------------------------------------------------------

static bool same_files(const char* left, const char* right) {
    FILE *a = fopen(left, "r"), *b = fopen(right, "r");
    int c = EOF, d = EOF;
    bool same = a != NULL && b != NULL;
    while (same && (c = getc(a)) == (d = getc(b)) && c != EOF) continue;
    if (a != NULL) fclose(a);
    if (b != NULL) fclose(b);
    return same && c == d;
}

// May the file lack bytes of the output?
static bool is_cut(const char* path) {
    struct stat status;
    return stat(path, &status) == 0 && status.st_size > LAUNCH_LOG;
}

void listed_end(struct job* job) {
    char bare[JOB_FILE], judged[JOB_FILE];
    job->execution.work = RESULTS_WORK_NOT_ASKED;
    if (!job->program->compares || job->execution.end != RESULTS_END_EXITED) return;
    job_path(job, "bare.stdout.txt", bare);
    job_path(job, "stdout.txt", judged);
    if (same_files(bare, judged)) return;
    if (is_cut(bare) || is_cut(judged)) {
        snprintf(job->remark, sizeof job->remark, "its output, above %ld MB, is not compared",
                 LAUNCH_LOG >> 20);
        job->execution.remark = job->remark;
        return;
    }
    snprintf(job->wrong, sizeof job->wrong,
             "the program printed other than without Plumbline: bare.stdout.txt and stdout.txt");
    job->execution.wrong = job->wrong;
}
