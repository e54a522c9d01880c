// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Bookings, and the description by which two sessions are compared.
#include "session_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH (JOB_PATH + 48)

static void path_in(const char* directory, const char* name, char path[PATH]) {
    snprintf(path, PATH, "%s/%s", directory, name);
}

// Writes a whole file, or leaves the old one. False with errno set.
static bool write_whole(const char* directory, const char* name, const char* text) {
    struct output_file file;
    return output_begin_in(&file, directory, name) &&
           output_commit(&file, fputs(text, file.out) >= 0) == 0;
}

// ---- One run ----------------------------------------------------------------------------------

// The numbers that a booking holds; texts come behind them, a line each.
#define BOOKED                                                                                     \
    "end %d status %d hs_err %d died %u work %d units %llu seconds %lf unit_seconds %lf "          \
    "layers %x\n"

void resume_book(const struct job* job) {
    const struct results_execution* e = &job->execution;
    char text[4096];
    snprintf(text, sizeof text,
             BOOKED "note %s\nremark %s\nwrong %s\nasked in %s\nspoiled %s\nend of booking\n",
             (int)e->end, e->status, e->hs_err, e->died_thread, (int)e->work,
             (unsigned long long)e->units, e->seconds, e->unit_seconds, e->layers,
             e->note != NULL ? e->note : "", e->remark != NULL ? e->remark : "",
             e->wrong != NULL ? e->wrong : "", e->asked_in != NULL ? e->asked_in : "",
             e->spoiled != NULL ? e->spoiled : "");
    write_whole(job->directory, "finished", text);
}

static bool take_numbers(FILE* file, struct results_execution* e) {
    int end, hs_err, work;
    unsigned long long units;
    unsigned layers;
    if (fscanf(file, BOOKED, &end, &e->status, &hs_err, &e->died_thread, &work, &units, &e->seconds,
               &e->unit_seconds, &layers) != 9 ||
        end < RESULTS_END_SKIPPED || end > RESULTS_END_INTERRUPTED ||
        work < RESULTS_WORK_NOT_ASKED || work > RESULTS_WORK_DONE || !job_is_time(e->seconds) ||
        !job_is_work(units, e->unit_seconds))
        return false;
    e->end = (enum results_end)end;
    e->hs_err = hs_err != 0;
    e->work = (enum results_work)work;
    e->units = units;
    if (e->layers == 0) e->layers = layers;
    return layers == e->layers;
}

// "KEY TEXT" into text; *value is text, or NULL where it is empty.
static bool take_text(FILE* file, const char* key, char* text, size_t size, const char** value) {
    char line[2048];
    size_t length = strlen(key);
    if (fgets(line, sizeof line, file) == NULL || strncmp(line, key, length) != 0 ||
        line[length] != ' ')
        return false;
    line[strcspn(line, "\n")] = '\0';
    snprintf(text, size, "%s", line + length + 1);
    *value = *text != '\0' ? text : NULL;
    return true;
}

static bool take_booking(struct job* job, FILE* file) {
    struct results_execution* e = &job->execution;
    char last[32];
    return take_numbers(file, e) &&
           take_text(file, "note", job->note, sizeof job->note, &e->note) &&
           take_text(file, "remark", job->remark, sizeof job->remark, &e->remark) &&
           take_text(file, "wrong", job->wrong, sizeof job->wrong, &e->wrong) &&
           take_text(file, "asked in", job->asked_in, sizeof job->asked_in, &e->asked_in) &&
           take_text(file, "spoiled", job->spoiled, sizeof job->spoiled, &e->spoiled) &&
           fgets(last, sizeof last, file) != NULL && strcmp(last, "end of booking\n") == 0;
}

bool resume_take_back(struct job* job) {
    char path[PATH];
    path_in(job->directory, "finished", path);
    FILE* file = output_open_read(path);
    if (file == NULL) return false;
    struct results_execution before = job->execution;
    bool good = take_booking(job, file);
    fclose(file);
    path_in(job->directory, "run.plumbline", path);
    if (good) job->run = results_run_map(path);
    if (job->run == NULL) {
        job->execution = before;
        return false;
    }
    job->execution.run = job->run;
    job_read_record(job);
    job->execution.directory = job->directory;
    job->finished = true;
    return true;
}

// ---- The session ------------------------------------------------------------------------------

static void describe_run(const struct job* job, FILE* out) {
    struct words words = {0};
    const char* folder = strrchr(job->directory, '/');
    if (job->finished) {
        fprintf(out, "run %s: left out %x: %s\n", folder + 1, job->execution.layers, job->note);
        return;
    }
    command_build(&job->command, "run.plumbline", &words);
    char* line = words_join(words.list, words.count);
    fprintf(out, "run %s: %s\n", folder + 1, line);
    free(line);
    words_free(&words);
}

static void describe_share(const struct resume* resume, FILE* out) {
    char name[PLAN_NAME];
    if (resume->plan == NULL || resume->options->shards == 0) return;
    fprintf(out, "shard %u/%u\n", resume->options->shard, resume->options->shards);
    for (size_t i = resume->plan->count; i < resume->plan->whole; i++)
        fprintf(out, "elsewhere %s\n", plan_name(&resume->plan->entries[i], name));
}

// Everything that decides the results, a line each; lines that users are likely to change come
// first.
static char* describe(const struct resume* resume) {
    char *text = NULL, layers[128], density[16];
    size_t size = 0;
    struct stat agent = {0};
    const struct options* options = resume->options;
    FILE* out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    options_layers_text(options->layers, ',', layers, sizeof layers);
    stat(resume->home->agent, &agent);
    fprintf(out, "jdk %s\nversion %s\nvm %s\n", resume->jdk->home, resume->jdk->version,
            resume->jdk->vm);
    fprintf(out, "seed %llu\nseconds %g\ntimeout %g\nlayers %s\nmore-time %s\nvm-options %s\n",
            (unsigned long long)options->seed, options_seconds(options), options->timeout, layers,
            options_more_time(options) ? "yes" : "no",
            options->vm_options != NULL ? options->vm_options : "");
    if (options->density != 0)
        fprintf(out, "density %s\n", results_density_text(options->density, density));
    fprintf(out, "agent of %lld bytes, %lld\nruns %zu\n", (long long)agent.st_size,
            (long long)agent.st_mtime, resume->count);
    describe_share(resume, out);
    for (size_t i = 0; i < resume->count; i++) describe_run(&resume->jobs[i], out);
    fclose(out);
    return text;
}

static char* read_whole(const char* directory, const char* name) {
    char path[PATH], *text = NULL;
    size_t room = 0;
    path_in(directory, name, path);
    FILE* file = output_open_read(path);
    if (file == NULL) return NULL;
    if (getdelim(&text, &room, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

// The first lines that differ, as "then" and "now". False: none does.
static bool differ(const char* then, const char* now, char* error, size_t error_size) {
    while (*then != '\0' || *now != '\0') {
        size_t a = strcspn(then, "\n"), b = strcspn(now, "\n");
        if (a != b || memcmp(then, now, a) != 0) {
            snprintf(error, error_size, "\"%.*s\" then, \"%.*s\" now", (int)(a < 300 ? a : 300),
                     then, (int)(b < 300 ? b : 300), now);
            return true;
        }
        then += a + (then[a] == '\n');
        now += b + (now[b] == '\n');
    }
    return false;
}

static int start_anew(const struct resume* resume, const char* now, char* error, size_t size) {
    static const char* const older[] = {"session", "results.json", "report.txt", "clusters.txt",
                                        "cmd.sh"};
    char path[PATH];
    for (size_t i = 0; i < resume->count; i++) {
        path_in(resume->jobs[i].directory, "finished", path);
        unlink(path);
    }
    for (size_t i = 0; i < sizeof older / sizeof older[0]; i++) {
        path_in(resume->out, older[i], path);
        unlink(path);
    }
    if (write_whole(resume->out, "unfinished", now)) return 0;
    return base_reason(RUNNER_EXIT_HARNESS, error, size, "cannot write to %s: %s", resume->out,
                       strerror(errno));
}

// The description of the session in the directory that may be continued; NULL: none.
static char* find_session(const struct resume* resume) {
    char* text = NULL;
    if (resume->options->resume != NULL || resume->options->full)
        text = read_whole(resume->out, "unfinished");
    if (text == NULL && resume->options->resume != NULL) text = read_whole(resume->out, "session");
    return text;
}

bool resume_is_begun(const struct resume* resume) {
    char* text = find_session(resume);
    free(text);
    return text != NULL;
}

bool resume_is_there(const char* directory) {
    static const char* const names[] = {"session", "unfinished"};
    char path[PATH];
    for (size_t i = 0; i < 2; i++) {
        path_in(directory, names[i], path);
        if (access(path, F_OK) == 0) return true;
    }
    return false;
}

int resume_refuse(const char* directory, char* error, size_t size) {
    return base_reason(RUNNER_EXIT_USAGE, error, size, "--resume: there is no session in %s",
                       directory);
}

static int go_on(const struct resume* resume, const char* then, const char* now, char* error,
                 size_t size) {
    char difference[700];
    if (!differ(then, now, difference, sizeof difference)) return 0;
    return base_reason(
        RUNNER_EXIT_USAGE, error, size,
        "%s holds another session%s: %s. Go on with the same JDK and options, or write to "
        "another directory",
        resume->out, resume->options->resume == NULL ? ", which is not finished" : "", difference);
}

int resume_begin(const struct resume* resume, size_t* restored, char* error, size_t error_size) {
    char* now = describe(resume);
    char* then = find_session(resume);
    int status = 0;
    *restored = 0;
    if (now == NULL) {
        snprintf(error, error_size, "no memory");
        status = RUNNER_EXIT_HARNESS;
    } else if (then != NULL) {
        status = go_on(resume, then, now, error, error_size);
        for (size_t i = 0; status == 0 && i < resume->count; i++)
            *restored += !resume->jobs[i].finished && resume_take_back(&resume->jobs[i]);
    } else if (resume->options->resume != NULL) {
        status = resume_refuse(resume->out, error, error_size);
    } else {
        status = start_anew(resume, now, error, error_size);
    }
    free(then);
    free(now);
    return status;
}

void resume_end(const struct resume* resume) {
    char from[PATH], to[PATH];
    path_in(resume->out, "unfinished", from);
    path_in(resume->out, "session", to);
    rename(from, to);
}
