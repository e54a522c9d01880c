// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A session's plan and its runs. plumbline validate and plumbline run: a session, or with several
// JDKs or profilers a matrix of sessions.
#include "session.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/launch/launch.h"
#include "runner/lists/lists.h"
#include "session_parts.h"

#define TICK 0.2 // seconds between looks at time limits, when no child ends

struct session {
    const struct options* options;
    enum options_command kind;
    const char* line;
    const struct home* home;
    struct jdk jdk;
    struct ability ability;
    struct lists lists;
    const struct profiler* profiler; // of `lists`; NULL: none is judged
    char out[PATH_MAX];
    struct roster roster;
    size_t next, running; // the next job to start; how many are running
    bool interrupted;
    bool condemned; // a run that was given more time has failed
    bool refused;   // the agent cannot work in this JVM: no further run is started
};

// ---- Preparation ------------------------------------------------------------------------------

static void make_roster(struct session* session, const struct plan* plan) {
    const struct roster_source source = {.options = session->options,
                                         .home = session->home,
                                         .jdk = &session->jdk,
                                         .causes = &session->lists.causes,
                                         .ceilings = &session->lists.ceilings,
                                         .profiler = session->profiler,
                                         .ability = &session->ability,
                                         .out = session->out};
    if (session->kind == OPTIONS_RUN) roster_of_user(&source, &session->roster);
    else roster_of_plan(&source, plan, &session->roster);
}

static int check_agent(const struct session* session, char* error, size_t size) {
    if (access(session->home->agent, R_OK) != 0)
        snprintf(error, size, "%s: %s (make builds it)", session->home->agent, strerror(errno));
    else if (strpbrk(session->home->agent, "=,") != NULL)
        snprintf(error, size, "%s: java takes no agent from a path with = or , in it",
                 session->home->agent);
    else return 0;
    return RUNNER_EXIT_HARNESS;
}

static int check_vm_options(const struct session* session, char* error, size_t size) {
    struct words words = {0};
    bool whole = words_split(&words, session->options->vm_options);
    words_free(&words);
    if (whole) return 0;
    return base_reason(RUNNER_EXIT_USAGE, error, size,
                       "--vm-options: a quotation is left open in: %s",
                       session->options->vm_options);
}

static int check_walker(const struct session* session, char* error, size_t size) {
    const char* walker = session->options->walker;
    char hint[NEAREST_TEXT];
    if (walker == NULL || walkers_known(session->home->walkers_list, walker, hint)) return 0;
    return base_reason(RUNNER_EXIT_USAGE, error, size,
                       "--walker: there is no \"%s\" (plumbline list walkers)%s", walker, hint);
}

// No directory is made for a session that is not there.
static int check_resume(const struct session* session, char* error, size_t size) {
    const char* directory = session->options->resume;
    if (directory == NULL || resume_is_there(directory)) return 0;
    return resume_refuse(directory, error, size);
}

// Finds the profiler among the lists.
static int find_profiler(struct session* session, char* error, size_t size) {
    const char* name = session->options->profiler;
    if (name == NULL) return 0;
    session->profiler = profilers_find(&session->lists.profilers, name);
    if (session->profiler != NULL && *session->profiler->period == '\0' &&
        session->options->profiler_period != NULL)
        return base_reason(RUNNER_EXIT_USAGE, error, size,
                           "--profiler-period: %s has no period of its own", name);
    if (session->profiler != NULL) return 0;
    struct nearest nearest = {.word = name, .length = strlen(name)};
    char hint[NEAREST_TEXT];
    for (size_t i = 0; i < session->lists.profilers.count; i++)
        nearest_offer(&nearest, session->lists.profilers.list[i].name);
    return base_reason(RUNNER_EXIT_USAGE, error, size,
                       "--profiler: there is no \"%s\" (plumbline list profilers)%s", name,
                       nearest_hint(&nearest, hint));
}

// Whether this JDK, and this machine, has the profiler.
static int check_profiler(const struct session* session, char* error, size_t size) {
    if (session->profiler == NULL ||
        !profilers_left_out(session->profiler, session->jdk.feature,
                            session->options->profiler_home, error, size))
        return 0;
    return RUNNER_EXIT_HARNESS;
}

// For a JDK of this release.
static int make_plan(const struct session* session, int feature, struct plan* plan, char* error,
                     size_t size) {
    return plan_make(session->options, &session->lists, feature, plan, error, size);
}

// Wrong usage is reported first, whatever else is missing.
static int prepare_plan(struct session* session, struct plan* plan, char* error, size_t size) {
    int status = check_vm_options(session, error, size);
    if (status == 0) status = check_walker(session, error, size);
    if (status == 0) status = check_resume(session, error, size);
    if (status != 0) return status;
    unsigned which = LISTS_CAUSES | LISTS_CEILINGS;
    if (session->kind != OPTIONS_RUN) which |= LISTS_CASES;
    if (session->options->programs) which |= LISTS_PROGRAMS;
    if (session->options->profiler != NULL) which |= LISTS_PROFILERS;
    if (lists_read(&session->lists, which, session->home, error, size) != 0)
        return RUNNER_EXIT_HARNESS;
    if ((status = find_profiler(session, error, size)) != 0) return status;
    return session->kind == OPTIONS_RUN ? 0 : make_plan(session, INT_MAX, plan, error, size);
}

static struct resume resume_of(const struct session* session) {
    return (struct resume){.out = session->out,
                           .options = session->options,
                           .jdk = &session->jdk,
                           .home = session->home,
                           .jobs = session->roster.jobs,
                           .count = session->roster.count};
}

// Continues the session that is in the directory, or begins a new one. Interrupted before the
// session is fully known: leaves the directory untouched, so that it can still be resumed.
static int begin(struct session* session, const struct plan* plan, char* error, size_t size) {
    size_t restored;
    struct resume resume = resume_of(session);
    resume.plan = plan;
    if (session->interrupted && resume_is_begun(&resume))
        return base_reason(RUNNER_EXIT_INCONCLUSIVE, error, size,
                           "interrupted before anything was run: %s is as it was", session->out);
    if (session->interrupted) return 0;
    int status = resume_begin(&resume, &restored, error, size);
    if (restored != 0)
        runner_complain("going on in %s: %zu of %zu runs were finished", session->out, restored,
                        session->roster.count);
    return status;
}

static int prepare(struct session* session, char* error, size_t size) {
    struct plan plan = {0};
    int status = prepare_plan(session, &plan, error, size);
    plan_free(&plan);
    if (status != 0) return status;
    if (jdk_examine(session->options->jdk, &session->jdk, error, size) != 0) {
        session->interrupted = session->jdk.interrupted;
        return jdk_exit_status(&session->jdk);
    }
    if (*session->jdk.foreign != '\0' &&
        lists_of_processor(&session->lists, session->home, session->jdk.foreign, error, size) != 0)
        return RUNNER_EXIT_HARNESS;
    if ((status = check_agent(session, error, size)) != 0) return status;
    if ((status = check_profiler(session, error, size)) != 0) return status;
    if (session->kind != OPTIONS_RUN)
        status = make_plan(session, session->jdk.feature, &plan, error, size);
    if (status == 0 && output_make_latest(session->options->out, session->jdk.version, session->out,
                                          error, size) != 0)
        status = RUNNER_EXIT_HARNESS;
    if (status == 0) make_roster(session, &plan);
    session->interrupted = session->ability.interrupted;
    if (status == 0 && session->kind != OPTIONS_RUN) status = begin(session, &plan, error, size);
    plan_free(&plan);
    return status;
}

// ---- Running ----------------------------------------------------------------------------------

// Seconds. The user's own limit holds as it is, under an emulator, too.
static double limit_of(const struct session* session, const struct job* job) {
    double limit = options_time_limit(&job->own, session->kind);
    return job->own.timeout > 0 ? limit : limit * jdk_slowness(&session->jdk);
}

// Starts jobs while there are free places.
static void start_jobs(struct session* session) {
    while (session->next < session->roster.count && session->running < session->options->jobs) {
        struct job* job = &session->roster.jobs[session->next++];
        if (job->finished) continue; // left out, or restored
        job_start(job, limit_of(session, job));
        session->running += !job->finished;
    }
}

// Starts the job once more if it judged too little. False: it stays as it is.
static bool give_more_time(struct session* session, struct job* job) {
    char remark[sizeof job->remark];
    if (session->kind == OPTIONS_RUN || !options_more_time(session->options)) return false;
    if (job->program != NULL || session->interrupted) return false;
    if (job->repeats > 0) session->condemned = session->condemned || more_time_failed(job);
    double seconds = more_time_wanted(job, session->condemned, remark, sizeof remark);
    if (seconds == 0) return false;
    job_again(job, session->out, seconds, remark);
    job_start(job, limit_of(session, job));
    return !job->finished;
}

static void book_end(struct session* session, struct job* job) {
    // On a terminal the program gets the Ctrl-C, not the runner; java then exits with this status.
    if (session->kind == OPTIONS_RUN && isatty(STDIN_FILENO) &&
        job->execution.end == RESULTS_END_EXITED && job->execution.status == 128 + SIGINT)
        session->interrupted = true;
    if (job->run != NULL && job->run->phase == RESULTS_PHASE_REFUSED && !session->refused) {
        session->refused = true;
        progress_clear();
        runner_complain("%.*s", (int)sizeof job->run->error, job->run->error);
    }
    if (give_more_time(session, job)) return;
    session->running--;
    if (session->kind != OPTIONS_RUN && more_time_is_sound(job)) resume_book(job);
}

// Called until all have ended: a listed program may have been between two of its stages.
static void kill_all(const struct session* session) {
    for (size_t i = 0; i < session->next; i++)
        if (!session->roster.jobs[i].finished)
            launch_kill(&session->roster.jobs[i].child, RESULTS_END_INTERRUPTED);
}

// Seconds that a JVM needs besides, to start and to end.
#define SECONDS_AROUND 1.0

static void show_progress(const struct session* session, double* last) {
    if (session->kind == OPTIONS_RUN) return;
    double now = launch_now(), expected = options_seconds(session->options) + SECONDS_AROUND;
    struct progress_counts counts =
        progress_count(session->roster.jobs, session->roster.count, session->next,
                       session->options->jobs, expected, now);
    progress_show_plan(&counts, now, last);
}

static void run_jobs(struct session* session) {
    double last_shown = launch_now();
    for (;;) {
        if (!session->interrupted && !session->refused) start_jobs(session);
        if (session->running == 0) break;
        if (launch_wait(TICK) != 0) session->interrupted = true;
        if (session->interrupted) kill_all(session);
        for (size_t i = 0; i < session->next; i++)
            if (job_poll(&session->roster.jobs[i])) book_end(session, &session->roster.jobs[i]);
        show_progress(session, &last_shown);
    }
    progress_clear();
    const struct resume resume = resume_of(session);
    if (session->kind != OPTIONS_RUN && !session->interrupted && !session->refused)
        resume_end(&resume);
}

// ---- All of it --------------------------------------------------------------------------------

static int report(const struct session* session, bool quiet) {
    const struct session_results results = {.line = session->line,
                                            .out = session->out,
                                            .jdk = &session->jdk,
                                            .seed = session->options->seed,
                                            .jobs = session->roster.jobs,
                                            .count = session->roster.count,
                                            .planned = session->roster.count,
                                            .interrupted = session->interrupted,
                                            .program = session->kind == OPTIONS_RUN,
                                            .quiet = quiet};
    return session_report(&results);
}

int session_run(const struct options* options, enum options_command kind, const struct home* home,
                const char* line, const struct session_guest* guest) {
    struct session session = {.options = options, .kind = kind, .home = home, .line = line};
    char error[PATH_MAX + 512] = "";
    bool quiet = guest != NULL && guest->quiet;
    launch_prepare();
    int status = prepare(&session, error, sizeof error);
    if (status == 0) {
        run_jobs(&session);
        status = report(&session, quiet);
    } else if (!quiet) {
        runner_complain("%s", error);
    }
    const struct session_end end = {.jdk = &session.jdk,
                                    .jobs = session.roster.jobs,
                                    .count = *error == '\0' ? session.roster.count : 0,
                                    .interrupted = session.interrupted,
                                    .why = error};
    if (guest != NULL) guest->ended(guest->context, &end);
    roster_free(&session.roster);
    lists_free(&session.lists);
    return status;
}

// ---- The commands -----------------------------------------------------------------------------

// options.jdk becomes the JDK's own directory: the user may have given an archive or a build tree.
static int run_one(struct options* options, enum options_command kind,
                   const struct base_call* call) {
    char directory[PATH_MAX], error[PATH_MAX + 256];
    if (jdk_locate(options->jdk, call->home->jdks, directory, error, sizeof error) != 0)
        return runner_refuse(RUNNER_EXIT_HARNESS, "%s", error);
    char* line = options_line(options, call);
    options->jdk = directory;
    int status = session_run(options, kind, call->home, line, NULL);
    free(line);
    return status;
}

int validate_command(const struct base_call* call) {
    struct options options;
    int status = options_parse(OPTIONS_VALIDATE, call, &options);
    if (status != 0) return status;
    return matrix_is_asked(&options) ? matrix_run(&options, OPTIONS_VALIDATE, call)
                                     : run_one(&options, OPTIONS_VALIDATE, call);
}

int run_command(const struct base_call* call) {
    struct options options;
    int status = options_parse(OPTIONS_RUN, call, &options);
    if (status != 0) return status;
    return matrix_is_asked(&options) ? matrix_run(&options, OPTIONS_RUN, call)
                                     : run_one(&options, OPTIONS_RUN, call);
}
