// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "job_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_SECONDS 120.0 // the reader is killed after these

int profiled_prepare(const struct job* job) {
    const struct profiler* p = job->command.profiler;
    char path[JOB_FILE];
    if (p == NULL || *p->settings == '\0') return 0;
    job_path(job, PROFILED_SETTINGS, path);
    return profilers_write_settings(p, command_period(&job->command), path) == 0 ? 0 : errno;
}

// The JVM's own program, on the JDK under test: only that is sure to read its files.
static void add_reader(const struct job* job, const char* file, struct words* words) {
    const struct profiler* p = job->command.profiler;
    jdk_add_java(job->command.jdk, words);
    words_add(words, "-XX:+UseSerialGC");
    words_add_option(words, "-cp", "%s", job->command.home->reader);
    words_add(words, "ProfileReader");
    words_add(words, "%s", file);
    words_add(words, "%s", p->event);
    if (*p->lost != '\0') words_add(words, "%s", p->lost);
}

static void lack(struct job* job, const char* why) {
    snprintf(job->unprofiled, sizeof job->unprofiled, "profiler %s: %s",
             job->command.profiler->name, why);
    job->execution.unprofiled = job->unprofiled;
}

// A file of the run, with errno.
static void lack_file(struct job* job, const char* name) {
    char why[JOB_PROBLEM];
    snprintf(why, sizeof why, "%s: %s", name, strerror(errno));
    lack(job, why);
}

bool profiled_start(struct job* job) {
    char file[JOB_FILE], problem[JOB_PROBLEM];
    struct words words = {0};
    if (job->command.profiler == NULL || job->execution.end != RESULTS_END_EXITED) return false;
    job_path(job, PROFILED_FILE, file);
    if (access(file, R_OK) != 0) {
        lack(job, "it wrote no " PROFILED_FILE);
        return false;
    }
    double limit = job->limit;
    job->limit = READ_SECONDS * jdk_slowness(job->command.jdk);
    add_reader(job, file, &words);
    struct job_child reader = {.words = &words,
                               .what = "its file's reader cannot be started",
                               .directory = job->directory,
                               .prefix = "profile.",
                               .data = true};
    bool started = job_launch(job, &reader, problem);
    words_free(&words);
    job->limit = limit;
    if (started) job->stage = JOB_READ;
    else lack(job, problem);
    return started;
}

static void print_page(struct job* job, const struct results_profile* profile) {
    struct output_file file;
    struct output_plain plain;
    bool begun = output_begin_in(&file, job->directory, PROFILED_PAGE);
    if (begun) {
        results_profile_print(profile, job->causes, output_plain_open(&plain));
        output_plain_close(&plain, file.out);
    }
    if (!begun || output_commit(&file, true) != 0) lack_file(job, PROFILED_PAGE);
}

static void write_tree(struct job* job, const struct results_profile* profile) {
    char path[JOB_FILE];
    job_path(job, RESULTS_TREE_FILE, path);
    if (results_tree_write(&profile->tree, path) != 0) lack_file(job, RESULTS_TREE_FILE);
}

static void judge(struct job* job, const struct results_profile_file* file) {
    char record[JOB_FILE], why[256] = "";
    struct results_profile* profile = base_must(calloc(1, sizeof *profile));
    const struct results_profile_options options = {.causes = job->causes,
                                                    .release = job->command.jdk->feature,
                                                    .collector = RESULTS_COLLECTOR_UNKNOWN,
                                                    .depth = job->command.profiler->deepest};
    job_path(job, "run.lz4", record);
    // The record is opened again with what is added to it.
    results_record_close(job->record);
    job->record = NULL;
    if (results_profile_judge(job->run, record, file, &options, profile, why, sizeof why) != 0) {
        lack(job, why);
        free(profile);
    } else {
        print_page(job, profile);
        write_tree(job, profile);
        job->profile = profile;
    }
    job->record = results_record_open_file(record);
    job->execution.record = job->record;
}

void profiled_end(struct job* job) {
    char path[JOB_FILE], why[256];
    struct results_profile_file file;
    job_path(job, PROFILED_SAMPLES, path);
    if (job->child.end != RESULTS_END_EXITED || job->child.status != 0)
        lack(job, PROFILED_FILE " could not be read: see profile.stderr.txt");
    else if (results_profile_read(path, &file, why, sizeof why) != 0) lack(job, why);
    else {
        judge(job, &file);
        results_profile_file_free(&file);
    }
}
