// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "bisect_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct trial {
    const struct bisect_trials* trials;
    struct bisect_question* question;
    struct jdk jdk;
    struct options options; // of this JVM
    struct job job;
    double deadline;
    double began, moved; // when the agent began to sample, and when samples last came; 0: not yet
    uint64_t events, trials_seen; // up to the last look
    uint64_t counted;             // trials of this JVM
    uint64_t signals;             // of a profiler, up to the last look
    bool stopped;                 // by us
};

static const struct bisect_sought* sought_of(const struct trial* trial) {
    return &trial->trials->options->sought;
}

static bool is_whole(const struct trial* trial) {
    return bisect_sought_whole(sought_of(trial));
}

static void answer(struct trial* trial, enum bisect_answer answer, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
static void answer(struct trial* trial, enum bisect_answer answer, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    trial->question->answer = answer;
    vsnprintf(trial->question->note, sizeof trial->question->note, format, arguments);
    va_end(arguments);
}

// ---- Looking ----------------------------------------------------------------------------------

static void stop(struct trial* trial, enum results_end end) {
    trial->stopped = true;
    launch_kill(&trial->job.child, end);
}

// Counts the samples since the last look; none while the JVM warms up. A mismatch may be taken
// back, because GetStackTrace contradicts the trace stack: then the next one is not counted.
static void count(struct trial* trial, double now) {
    uint64_t events, seen;
    bisect_sought_count(sought_of(trial), trial->job.run, &events, &seen);
    if (seen != trial->trials_seen) trial->moved = now;
    if (seen <= trial->trials_seen) return;
    uint64_t more = seen - trial->trials_seen;
    uint64_t hits = events > trial->events ? events - trial->events : 0;
    if (hits > more) hits = more;
    trial->events += hits;
    trial->trials_seen = seen;
    bool warm = now - trial->began >= trial->trials->options->warm;
    if (!warm || trial->question->answer != BISECT_UNANSWERED) return;
    trial->counted += more;
    bisect_question_add(trial->question, hits, more);
}

// A profiler's samples are judged after the JVM's end: until then its signals show that it lives.
static bool is_profiled(const struct trial* trial) {
    return sought_of(trial)->layer == ORACLE_LAYER_PROFILER;
}

static void look_at_profiler(struct trial* trial, double now) {
    uint64_t signals = trial->job.run->instants;
    if (signals != trial->signals || trial->job.stage == JOB_READ) trial->moved = now;
    trial->signals = signals;
}

static void look(struct trial* trial) {
    double now = launch_now();
    if (!is_whole(trial) && now >= trial->deadline) {
        answer(trial, BISECT_UNDECIDED, "not decided within --max-seconds");
        stop(trial, RESULTS_END_INTERRUPTED);
        return;
    }
    const struct results_run* run = trial->job.run;
    if (__atomic_load_n(&run->phase, __ATOMIC_ACQUIRE) < RESULTS_PHASE_RUNNING) return;
    if (trial->began == 0) trial->began = trial->moved = now;
    uint64_t events, seen;
    if (is_whole(trial)) {
        bisect_sought_count(sought_of(trial), run, &events, &seen);
        if (seen != trial->trials_seen) trial->moved = now;
        trial->trials_seen = seen;
    } else if (is_profiled(trial)) look_at_profiler(trial, now);
    else count(trial, now);
    if (trial->question->answer != BISECT_UNANSWERED) stop(trial, RESULTS_END_INTERRUPTED);
    else if (now - trial->moved >= BISECT_STILL)
        launch_kill(&trial->job.child, RESULTS_END_TIMED_OUT);
}

// ---- One JVM ----------------------------------------------------------------------------------

static void start(struct trial* trial) {
    const struct bisect_trials* trials = trial->trials;
    char out[PATH_MAX + 64];
    trial->options = trials->options->run;
    trial->options.seed += 1000u * trial->question->number + trial->question->jvms;
    trial->job = (struct job){.command = {.home = trials->home,
                                          .jdk = &trial->jdk,
                                          .options = &trial->options,
                                          .mode = trials->mode,
                                          .profiler = trials->profiler,
                                          .test = trials->test}};
    if (trials->profiler != NULL) trial->job.causes = trials->causes;
    trial->began = trial->moved = 0;
    trial->events = trial->trials_seen = trial->counted = trial->signals = 0;
    trial->stopped = false;
    snprintf(trial->job.name, sizeof trial->job.name, "%s", trials->test->name);
    snprintf(out, sizeof out, "%s/step-%u/jvm-%u", trials->out, trial->question->number,
             ++trial->question->jvms);
    job_open(&trial->job, out);
    job_start(&trial->job, options_time_limit(&trial->options, OPTIONS_VALIDATE));
    if (trial->job.finished) answer(trial, BISECT_UNUSABLE, "%.190s", trial->job.note);
}

// Books the end of a JVM that ended by itself or hung.
static void book_end(struct trial* trial) {
    enum bisect_kind kind = sought_of(trial)->kind;
    const struct results_execution* execution = &trial->job.execution;
    struct results_row row;
    results_row_judge(execution, sought_of(trial)->layer, &row);
    bool crash = row.verdict == RESULTS_ROW_CRASH, hang = row.verdict == RESULTS_ROW_HANG;
    if ((crash && kind == BISECT_CRASH) || (hang && kind == BISECT_HANG))
        bisect_question_add(trial->question, 1, 1);
    else if (crash || hang || row.verdict == RESULTS_ROW_HARNESS || row.verdict == RESULTS_ROW_SKIP)
        answer(trial, BISECT_UNUSABLE, "%s: %.150s", results_row_verdict_text(row.verdict),
               row.reason);
    else if (execution->end != RESULTS_END_EXITED || execution->status != 0)
        answer(trial, BISECT_UNUSABLE, "the case fails: %.150s", row.reason);
    else if (is_whole(trial)) bisect_question_add(trial->question, 0, 1);
    else {
        count(trial, launch_now());
        if (trial->counted == 0) answer(trial, BISECT_UNUSABLE, "a JVM in which nothing is judged");
    }
}

// As launch_wait, until the next look. A time for which we were stopped (Ctrl-Z, SIGSTOP) does not
// count: the JVM may have been stopped, too, and nobody looked at it. Its own limit is launch's.
static int wait_to_look(struct trial* trial) {
    double before = launch_now();
    int signal = launch_wait(BISECT_LOOK);
    double waited = launch_now() - before;
    if (waited < BISECT_STOP) return signal;
    trial->deadline += waited;
    trial->moved += waited;
    if (trial->began != 0) trial->began += waited;
    return signal;
}

static void run_jvm(struct trial* trial) {
    start(trial);
    while (!trial->job.finished) {
        if (wait_to_look(trial) != 0) {
            answer(trial, BISECT_STOPPED, "interrupted");
            stop(trial, RESULTS_END_INTERRUPTED);
        }
        if (job_poll(&trial->job)) {
            if (!trial->stopped) book_end(trial);
        } else if (!trial->stopped) look(trial);
    }
    job_close(&trial->job);
}

// ---- One question -----------------------------------------------------------------------------

// Can this build run the case? Else the answer gives the reason: no JVM, a flag of the mode, the
// release.
static bool can_run(struct trial* trial, const char* build) {
    char error[PATH_MAX + 512];
    if (jdk_examine(build, &trial->jdk, error, sizeof error) != 0) {
        bool interrupted = trial->jdk.interrupted;
        answer(trial, interrupted ? BISECT_STOPPED : BISECT_UNUSABLE, "%.190s", error);
        return false;
    }
    const struct case_info* test = trial->trials->test;
    const char* name;
    const struct profiler* profiler = trial->trials->profiler;
    const char* home = trial->trials->options->run.profiler_home;
    if (profiler != NULL &&
        profilers_left_out(profiler, trial->jdk.feature, home, error, sizeof error)) {
        answer(trial, BISECT_UNUSABLE, "%.190s", error);
        return false;
    }
    size_t length = modes_missing(trial->trials->mode, trial->jdk.flags, &name);
    if (length != 0) answer(trial, BISECT_UNUSABLE, "this JVM has no flag %.*s", (int)length, name);
    else if (trial->jdk.feature < test->feature || trial->jdk.feature > test->feature_last)
        answer(trial, BISECT_UNUSABLE, "the case is not for release %d", trial->jdk.feature);
    return trial->question->answer == BISECT_UNANSWERED;
}

void bisect_trial(const struct bisect_trials* trials, const char* build,
                  struct bisect_question* question) {
    double limit = trials->options->limit;
    question->answer = BISECT_UNANSWERED;
    question->jvms = 0;
    struct trial* trial = calloc(1, sizeof *trial);
    if (trial == NULL) {
        question->answer = BISECT_STOPPED;
        snprintf(question->note, sizeof question->note, "no memory");
        return;
    }
    trial->trials = trials;
    trial->question = question;
    trial->deadline = launch_now() + limit;
    if (can_run(trial, build)) do {
            run_jvm(trial);
            if (question->answer == BISECT_UNANSWERED && launch_now() >= trial->deadline)
                answer(trial, BISECT_UNDECIDED, "not decided within --max-seconds");
        } while (question->answer == BISECT_UNANSWERED);
    question->seconds = launch_now() - (trial->deadline - limit); // stops left out
    free(trial);
}
