// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A session of `run` for each profiler, one after the other, and the page made of them all.
#include "profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile_parts.h"
#include "results/formats/formats.h"
#include "runner/jdk/jdk.h"
#include "runner/lists/lists.h"
#include "runner/options/options.h"
#include "runner/session/session.h"

#define PAGE "profile.txt"
#define PAGE_JSON "profile.json"

struct profiling {
    const struct base_call* call;
    struct options options;
    struct words names; // of profilers
    struct lists lists;
    struct profile_page page;
    struct profile_part* current;
    char jdk[PATH_MAX], out[PATH_MAX], program[160];
    bool interrupted;
};

// ---- One profiler -------------------------------------------------------------------------------

static void say(struct profile_part* part, const char* text) {
    snprintf(part->why, sizeof part->why, "%s", text);
}

static void take_verdict(struct profile_part* part, const struct job* job) {
    struct results_row* row = base_must(calloc(1, sizeof *row));
    results_row_judge(&job->execution, ORACLE_LAYER_PROFILER, row);
    part->verdict = row->verdict;
    say(part, row->reason);
    free(row);
}

static void take_job(struct profiling* p, const struct jdk* jdk, struct job* job) {
    struct profile_part* part = p->current;
    snprintf(p->page.jdk, sizeof p->page.jdk, "%s", jdk->version);
    snprintf(p->page.vm, sizeof p->page.vm, "%s", jdk->vm);
    part->ran = job->finished && job->execution.end != RESULTS_END_FAILED;
    part->end = job->execution.end;
    part->status = job->execution.status;
    part->seconds = job->execution.seconds;
    if (job->profile != NULL) {
        part->judged = true;
        part->profile = *job->profile;
        *job->profile = (struct results_profile){0}; // its memory is the page's now
    }
    if (job->finished) take_verdict(part, job);
}

static void ended(void* context, const struct session_end* end) {
    struct profiling* p = context;
    p->interrupted = end->interrupted;
    if (end->count == 0) say(p->current, end->why);
    else take_job(p, end->jdk, end->jobs);
}

// The command that makes this session alone: `run` with the same words.
static char* line_of(const struct profiling* p, const struct profile_part* part) {
    const struct options* o = &p->options;
    const char* const values[] = {o->out, o->profiler, o->json, o->html};
    char layers[128];
    struct words words = {0};
    options_layers_text(o->layers, ',', layers, sizeof layers);
    words_add(&words, "%s", p->call->home->executable);
    words_add(&words, "run");
    words_add_option(&words, "--profiler", "%s", part->name);
    words_add_option(&words, "--layers", "%s", layers);
    words_add_option(&words, "--out", "%s", part->out);
    if (o->jdk_whence != NULL) words_add_option(&words, "--jdk", "%s", o->jdk);
    arguments_hand_on(p->call, values, sizeof values / sizeof values[0], &words);
    char* line = words_join(words.list, words.count);
    words_free(&words);
    return line;
}

static void run(struct profiling* p, struct profile_part* part) {
    struct options options = p->options;
    const struct session_guest guest = {.context = p, .ended = ended, .quiet = true};
    snprintf(part->out, sizeof part->out, "%.*s/%s", (int)(sizeof part->out - 72), p->out,
             part->name);
    char* line = line_of(p, part);
    options.jdk = p->jdk;
    options.profiler = part->name;
    options.out = part->out;
    p->current = part;
    runner_complain("%s under %s", p->program, part->name);
    part->exit_status = session_run(&options, OPTIONS_RUN, p->call->home, line, &guest);
    if (part->why[0] != '\0' && !part->ran) runner_complain("%s: %s", part->name, part->why);
    free(line);
}

// ---- All of them --------------------------------------------------------------------------------

// Wrong usage is reported before anything runs.
static int take_names(struct profiling* p) {
    options_profilers(&p->options, &p->names);
    p->page.parts = base_must(calloc(p->names.count, sizeof *p->page.parts));
    for (size_t i = 0; i < p->names.count; i++) {
        const struct profiler* profiler = profilers_find(&p->lists.profilers, p->names.list[i]);
        if (profiler == NULL)
            return runner_refuse(RUNNER_EXIT_USAGE,
                                 "--profiler: there is no \"%s\" (plumbline list profilers)",
                                 p->names.list[i]);
        p->page.parts[p->page.count++] = (struct profile_part){.name = profiler->name,
                                                               .about = profiler->about,
                                                               .end = RESULTS_END_FAILED,
                                                               .verdict = RESULTS_ROW_HARNESS};
    }
    return 0;
}

static int prepare(struct profiling* p) {
    char error[PATH_MAX + 512];
    if (lists_read(&p->lists, LISTS_CAUSES | LISTS_PROFILERS, p->call->home, error, sizeof error) !=
        0)
        return runner_refuse(RUNNER_EXIT_HARNESS, "%s", error);
    int status = take_names(p);
    if (status != 0) return status;
    if (jdk_locate(p->options.jdk, p->call->home->jdks, p->jdk, error, sizeof error) != 0 ||
        output_make_latest(p->options.out, "profile", p->out, error, sizeof error) != 0)
        return runner_refuse(RUNNER_EXIT_HARNESS, "%s", error);
    command_program_name(&p->options, p->program, sizeof p->program);
    p->page.line = p->call->line;
    p->page.program = p->program;
    p->page.causes = &p->lists.causes;
    return 0;
}

// ---- The files ----------------------------------------------------------------------------------

static int cannot_write(const char* path) {
    return runner_refuse(-1, "cannot write %s: %s", path, strerror(errno));
}

static int write_text(const struct profiling* p) {
    struct output_file file;
    if (!output_begin_in(&file, p->out, PAGE)) return cannot_write(file.path);
    profile_page_print(&p->page, file.out);
    return output_commit(&file, true) == 0 ? 0 : cannot_write(file.path);
}

static int write_json(const struct profiling* p) {
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/" PAGE_JSON, p->out);
    if (output_json(profile_page_json(&p->page), path) != 0) return cannot_write(path);
    const char* other = p->options.json;
    if (other == NULL) return 0;
    return output_json(profile_page_json(&p->page), other) == 0 ? 0 : cannot_write(other);
}

// The sessions that wrote their results, in one page of `plumbline report`.
static int write_html(const struct profiling* p) {
    char error[PATH_MAX + 512];
    struct output_file file;
    if (p->options.html == NULL) return 0;
    size_t count = 0;
    struct results_saved** saved = base_must(calloc(p->page.count, sizeof(struct results_saved*)));
    for (size_t i = 0; i < p->page.count; i++) {
        saved[count] = results_saved_read(p->page.parts[i].out, error, sizeof error);
        count += saved[count] != NULL;
    }
    int result = 0;
    if (count == 0) {
        result = runner_refuse(-1, "%s is not written: there is nothing to show", p->options.html);
    } else if (!output_begin(&file, p->options.html)) {
        result = cannot_write(p->options.html);
    } else {
        bool good = results_write(RESULTS_FORMAT_HTML, saved, count, file.out) == 0;
        if (output_commit(&file, good) != 0) result = cannot_write(p->options.html);
    }
    for (size_t i = 0; i < count; i++) results_saved_free(saved[i]);
    free(saved);
    return result;
}

static int write_all(const struct profiling* p) {
    int text = write_text(p), json = write_json(p), html = write_html(p);
    profile_page_print(&p->page, stdout);
    printf("\nWritten to %s\n", p->out);
    return runner_printed(0) == 0 && text == 0 && json == 0 && html == 0 ? 0 : -1;
}

// ---- The command --------------------------------------------------------------------------------

static int conclude(const struct profiling* p) {
    int status = RUNNER_EXIT_PASS;
    for (size_t i = 0; i < p->page.count; i++)
        status = runner_worse(status, p->page.parts[i].exit_status);
    return write_all(p) == 0 ? status : runner_worse(status, RUNNER_EXIT_HARNESS);
}

static void run_all(struct profiling* p) {
    for (size_t i = 0; i < p->page.count; i++) {
        struct profile_part* part = &p->page.parts[i];
        if (!p->interrupted) {
            run(p, part);
            continue;
        }
        say(part, "not run: interrupted");
        part->exit_status = RUNNER_EXIT_INCONCLUSIVE;
    }
}

int profile_command(const struct base_call* call) {
    struct profiling* p = base_must(calloc(1, sizeof *p));
    p->call = call;
    int status = options_parse(OPTIONS_PROFILE, call, &p->options);
    if (status == 0) status = prepare(p);
    if (status == 0) {
        run_all(p);
        status = conclude(p);
    }
    for (size_t i = 0; i < p->page.count; i++) results_profile_free(&p->page.parts[i].profile);
    free(p->page.parts);
    words_free(&p->names);
    lists_free(&p->lists);
    free(p);
    return status;
}
