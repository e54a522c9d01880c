// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline merge: the runs of several sessions as one session. The unit is the run: each has its
// counts in a file of its own, and all are judged anew, as in any session. So the merged report
// equals that of a session that made all runs itself, whatever the order of the directories.
//
// The runs are linked into the new session's directory, or copied to another file system. Messages
// name runs that were made more than once (one counts: from the directory whose path comes first)
// and runs that are missing: then the session is INCONCLUSIVE at best. Sessions of another JVM, or
// with other options, are refused.
#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session_parts.h"
#include "runner/lists/lists.h"
#include "session.h"

#define SAID_MOST 10 // runs that are named one by one

struct merge_options {
    char** directories; // the call's words
    size_t count;
    const char* out; // NULL: the default
};

struct merge {
    const struct home* home;
    struct merge_share* shares;
    size_t share_count;
    struct merge_run* runs; // of all shares, sorted
    size_t run_count;
    struct lists lists;
    struct options options;
    struct jdk jdk;
    struct job* jobs;
    size_t job_count, missing, twice;
    char out[PATH_MAX];
};

// ---- Options ----------------------------------------------------------------------------------

static const struct argp_option table[] = {
    {"out", 'o', "DIR", 0, "output directory; default VERSION-TIME where validate's is", 1}, {0}};

static error_t take_option(int key, char* text, struct argp_state* state) {
    struct merge_options* options = state->input;
    switch (key) {
    case 'o': options->out = text; return 0;
    case ARGP_KEY_ARG: options->directories[options->count++] = text; return 0;
    case ARGP_KEY_END:
        return options->count != 0 ? 0 : arguments_wrong(state, "no directory to merge");
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {.options = table,
                                 .parser = take_option,
                                 .args_doc = "DIR...",
                                 .doc = "Joins the results of a plan's shares: the directories "
                                        "that validate --shard wrote, or other sessions of the "
                                        "same JVM and options."};

// ---- Shares -----------------------------------------------------------------------------------

// The first lines that differ into `error`.
static int refuse_other(const struct merge_share* one, const struct merge_share* other, char* error,
                        size_t size) {
    const char *a = one->options, *b = other->options;
    while (strcspn(a, "\n") == strcspn(b, "\n") && *a != '\0' &&
           strncmp(a, b, strcspn(a, "\n")) == 0) {
        a += strcspn(a, "\n") + 1;
        b += strcspn(b, "\n") + 1;
    }
    return base_reason(RUNNER_EXIT_USAGE, error, size,
                       "%.1000s and %.1000s are of different sessions: \"%.*s\" and \"%.*s\"",
                       one->directory, other->directory, (int)strcspn(a, "\n"), a,
                       (int)strcspn(b, "\n"), b);
}

static int read_shares(struct merge* merge, const struct merge_options* options, char* error,
                       size_t size) {
    merge->shares = base_must(calloc(options->count, sizeof *merge->shares));
    for (size_t i = 0; i < options->count; i++) {
        struct merge_share* share = &merge->shares[i];
        if (merge_read(options->directories[i], share, error, size) != 0)
            return RUNNER_EXIT_HARNESS;
        merge->share_count++;
        merge->run_count += share->count;
        if (strcmp(share->options, merge->shares[0].options) != 0)
            return refuse_other(&merge->shares[0], share, error, size);
    }
    return 0;
}

// ---- Runs -------------------------------------------------------------------------------------

// The meaning of a run's name, and its place among all runs: cases before programs. No program has
// a case's name.
struct meaning {
    const struct case_info* test;
    const struct program* program;
    const struct mode* mode;
    const char* scope;
    size_t order;
};

// The case or program of this name, and its place. False: there is none.
static bool find_name(const struct merge* merge, const char* name, size_t length,
                      struct meaning* meaning) {
    const struct cases* cases = &merge->lists.cases;
    const struct programs* programs = &merge->lists.programs;
    for (size_t i = 0; i < cases->count + programs->count; i++) {
        bool program = i >= cases->count;
        const char* known = program ? programs->list[i - cases->count].name : cases->list[i].name;
        if (!words_same(known, name, length)) continue;
        if (program) meaning->program = &programs->list[i - cases->count];
        else meaning->test = &cases->list[i];
        meaning->order = i;
        return true;
    }
    return false;
}

// NAME-MODE-SCOPE, and only the name may have a - in it.
static bool understand(const struct merge* merge, const char* name, struct meaning* meaning) {
    const char* scope = strrchr(name, '-');
    const char* mode = scope;
    *meaning = (struct meaning){0};
    while (mode != NULL && mode > name && mode[-1] != '-') mode--;
    if (mode == NULL || mode <= name + 1) return false;
    int found = modes_find(mode, (size_t)(scope - mode));
    int s = names_find(options_scope_text, OPTIONS_SCOPES, scope + 1, strlen(scope + 1));
    if (found < 0 || s < 0 || !find_name(merge, name, (size_t)(mode - 1 - name), meaning))
        return false;
    meaning->mode = &modes[found];
    meaning->scope = options_scope_text((enum options_scope)s);
    meaning->order = (meaning->order * MODE_COUNT + (size_t)found) * OPTIONS_SCOPES + (size_t)s;
    return true;
}

// The plan's order. Of equal runs the best state comes first, then the first directory.
static int compare_runs(const void* a, const void* b) {
    const struct merge_run *one = a, *other = b;
    if (one->order != other->order) return one->order < other->order ? -1 : 1;
    if (one->state != other->state) return one->state < other->state ? -1 : 1;
    return strcmp(one->share->directory, other->share->directory);
}

static int sort_runs(struct merge* merge, char* error, size_t size) {
    struct meaning meaning;
    size_t count = 0;
    merge->runs = base_must(calloc(merge->run_count + 1, sizeof *merge->runs));
    for (size_t s = 0; s < merge->share_count; s++) {
        for (size_t i = 0; i < merge->shares[s].count; i++) {
            struct merge_run* run = &merge->runs[count++];
            *run = merge->shares[s].runs[i];
            run->share = &merge->shares[s];
            if (!understand(merge, run->name, &meaning))
                return base_reason(
                    RUNNER_EXIT_HARNESS, error, size,
                    "%s has a run %s, which neither cases.ini nor programs.ini knows",
                    run->share->directory, run->name);
            run->order = meaning.order;
        }
    }
    qsort(merge->runs, count, sizeof *merge->runs, compare_runs);
    return 0;
}

// ---- Files ------------------------------------------------------------------------------------

static int copy(const char* from, const char* to, mode_t mode) {
    int in = open(from, O_RDONLY | O_CLOEXEC);
    if (in < 0) return -1;
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
    ssize_t more = out < 0 ? -1 : 1;
    while (more > 0) more = sendfile(out, in, NULL, 1 << 30);
    int error = errno;
    close(in);
    if (out >= 0 && close(out) != 0 && more == 0) {
        error = errno;
        more = -1;
    }
    errno = error;
    return more == 0 ? 0 : -1;
}

static int take(const char* from, const char* to) {
    struct stat status;
    if (lstat(from, &status) != 0) return -1;
    if (!S_ISREG(status.st_mode)) return 0;
    if (unlink(to) != 0 && errno != ENOENT) return -1;
    return link(from, to) == 0 ? 0 : copy(from, to, status.st_mode);
}

// Makes the directory `to` with the plain files of `from`: hard links, or copies on another file
// system. 0, or -1 with errno set.
static int link_files(const char* from, const char* to) {
    DIR* directory = opendir(from);
    if (directory == NULL) return -1;
    int result = output_make_directories(to);
    for (struct dirent* entry; result == 0 && (entry = readdir(directory)) != NULL;) {
        char source[PATH_MAX + 1024], target[PATH_MAX + 1024];
        snprintf(source, sizeof source, "%s/%s", from, entry->d_name);
        snprintf(target, sizeof target, "%s/%s", to, entry->d_name);
        result = take(source, target);
    }
    int error = errno;
    closedir(directory);
    errno = error;
    return result;
}

// ---- Jobs -------------------------------------------------------------------------------------

static bool spoilt(struct job* job, const struct merge_run* run, const char* why) {
    job_close(job);
    runner_complain("%s/runs/%s: %s", run->share->directory, run->name, why);
    return false;
}

// Makes the run a finished job of the new session. False: it cannot be read and counts as missing.
static bool make_job(struct merge* merge, const struct merge_run* run) {
    struct meaning meaning;
    char from[PATH_MAX + 400];
    struct job* job = &merge->jobs[merge->job_count];
    understand(merge, run->name, &meaning);
    *job = (struct job){.own = merge->options,
                        .program = meaning.program,
                        .causes = &merge->lists.causes,
                        .ceilings = &merge->lists.ceilings};
    job->command = (struct command){.home = merge->home,
                                    .jdk = &merge->jdk,
                                    .options = &job->own,
                                    .mode = meaning.mode,
                                    .test = meaning.test,
                                    .scope = meaning.scope};
    snprintf(job->name, sizeof job->name, "%s",
             meaning.program != NULL ? meaning.program->name : meaning.test->name);
    job_open(job, merge->out);
    job->execution.layers = run->layers;
    if (run->state == MERGE_LEFT_OUT) {
        job_skip(job, run->note);
    } else {
        snprintf(from, sizeof from, "%s/runs/%s", run->share->directory, run->name);
        if (link_files(from, job->directory) != 0) return spoilt(job, run, strerror(errno));
        if (!resume_take_back(job)) return spoilt(job, run, "its counts cannot be read");
    }
    merge->job_count++;
    return true;
}

// runs[0..count) are the same run, of several shares.
static void join_run(struct merge* merge, const struct merge_run* runs, size_t count) {
    bool made = runs[0].state <= MERGE_LEFT_OUT && make_job(merge, &runs[0]);
    size_t others = 0;
    for (size_t i = 1; i < count; i++) others += runs[i].state <= MERGE_LEFT_OUT;
    if (!made && merge->missing++ < SAID_MOST) runner_complain("%s is missing", runs[0].name);
    if (others != 0 && merge->twice++ < SAID_MOST)
        runner_complain("%s was made %zu times: only that of %s counts", runs[0].name, others + 1,
                        runs[0].share->directory);
}

static void join_runs(struct merge* merge) {
    merge->jobs = base_must(calloc(merge->run_count + 1, sizeof *merge->jobs));
    for (size_t i = 0, next; i < merge->run_count; i = next) {
        for (next = i + 1;
             next < merge->run_count && merge->runs[next].order == merge->runs[i].order; next++)
            continue;
        join_run(merge, &merge->runs[i], next - i);
    }
    if (merge->missing != 0)
        runner_complain("%zu of %zu runs are missing", merge->missing,
                        merge->job_count + merge->missing);
    if (merge->twice != 0) runner_complain("made more than once: %zu runs", merge->twice);
}

// Describes the new session, so that it can be merged again.
static int write_session(const struct merge* merge, char* error, size_t size) {
    struct output_file file;
    if (!output_begin_in(&file, merge->out, "session")) goto failed;
    fprintf(file.out, "jdk %s\n%s", merge->jdk.home, merge->shares[0].options);
    for (size_t i = 0; i < merge->run_count; i++) {
        const struct merge_run* run = &merge->runs[i];
        if (i > 0 && run->order == run[-1].order) continue;
        if (run->state == MERGE_LEFT_OUT)
            fprintf(file.out, "run %s: left out %x: %s\n", run->name, run->layers, run->note);
        else if (run->state == MERGE_FINISHED)
            fprintf(file.out, "run %s: merged from %s\n", run->name, run->share->directory);
        else fprintf(file.out, "elsewhere %s\n", run->name);
    }
    if (output_commit(&file, true) == 0) return 0;
failed:
    return base_reason(RUNNER_EXIT_HARNESS, error, size, "cannot write %s/session: %s", merge->out,
                       strerror(errno));
}

// ---- All of it --------------------------------------------------------------------------------

static int prepare(struct merge* merge, const struct merge_options* options, char* error,
                   size_t size) {
    int status = read_shares(merge, options, error, size);
    if (status != 0) return status;
    const struct merge_share* first = &merge->shares[0];
    merge->options = (struct options){
        .scope = "app", .seed = first->seed, .layers = (1u << ORACLE_LAYER_COUNT) - 1};
    snprintf(merge->jdk.home, sizeof merge->jdk.home, "%s", first->jdk);
    snprintf(merge->jdk.version, sizeof merge->jdk.version, "%s", first->version);
    snprintf(merge->jdk.vm, sizeof merge->jdk.vm, "%s", first->vm);
    merge->jdk.feature = jdk_feature(first->version);
    const unsigned which = LISTS_CASES | LISTS_PROGRAMS | LISTS_CEILINGS;
    if (lists_read(&merge->lists, which, merge->home, error, size) != 0 ||
        output_make_latest(options->out, first->version, merge->out, error, size) != 0)
        return RUNNER_EXIT_HARNESS;
    for (size_t i = 0; i < merge->share_count; i++)
        if (strcmp(merge->shares[i].directory, merge->out) == 0)
            return base_reason(RUNNER_EXIT_USAGE, error, size,
                               "--out: %s is one of the directories to be merged", merge->out);
    return sort_runs(merge, error, size);
}

static void release(struct merge* merge) {
    for (size_t i = 0; i < merge->job_count; i++) job_close(&merge->jobs[i]);
    for (size_t i = 0; i < merge->share_count; i++) merge_read_free(&merge->shares[i]);
    free(merge->jobs);
    free(merge->runs);
    free(merge->shares);
    lists_free(&merge->lists);
    free(merge);
}

static int report(const struct merge* merge, const char* line) {
    const struct session_results results = {.line = line,
                                            .out = merge->out,
                                            .jdk = &merge->jdk,
                                            .seed = merge->options.seed,
                                            .jobs = merge->jobs,
                                            .count = merge->job_count,
                                            .planned = merge->job_count + merge->missing,
                                            .interrupted = merge->missing != 0};
    return session_report(&results);
}

int merge_command(const struct base_call* call) {
    char error[PATH_MAX + 512] = "";
    struct merge_options options = {.directories =
                                        base_must(calloc((size_t)call->argc + 1, sizeof(char*)))};
    struct merge* merge = base_must(calloc(1, sizeof *merge));
    merge->home = call->home;
    int status = arguments_parse(&argp, 0, call, &options);
    if (status == 0) {
        status = prepare(merge, &options, error, sizeof error);
        if (status == 0) {
            join_runs(merge);
            status = write_session(merge, error, sizeof error);
        }
        if (status != 0) runner_complain("%s", error);
        else status = report(merge, call->line);
    }
    release(merge);
    free(options.directories);
    return status;
}
