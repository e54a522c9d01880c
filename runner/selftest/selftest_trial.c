// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One JVM with a fault in front of its walker: started, watched through the files in which agent
// and library count, and ended when the question is decided.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "selftest_parts.h"

#define START_LIMIT 60.0 // seconds for a JVM to begin and to end, beside its own

// ---- Start ------------------------------------------------------------------------------------

static void name_trial(struct selftest_trial* trial) {
    size_t size = sizeof trial->job.name;
    if (trial->purpose == SELFTEST_PLAIN)
        snprintf(trial->job.name, size, "plain-%u", trial->number + 1);
    else if (trial->purpose == SELFTEST_NONE) snprintf(trial->job.name, size, "none");
    else if (trial->calibration)
        snprintf(trial->job.name, size, "%s-calibration", trial->wanted->text);
    else
        snprintf(trial->job.name, size, "%s-%g-%u", trial->wanted->text, trial->rate,
                 trial->number + 1);
}

static void fault_text(const struct selftest_trial* trial, char* text, size_t size) {
    if (trial->purpose == SELFTEST_FAULT)
        snprintf(text, size, "%s:%.17g:%llu", trial->wanted->text, trial->rate,
                 (unsigned long long)trial->options.seed);
    else *text = '\0';
}

static void counts_path(const struct selftest_trial* trial, char path[JOB_PATH + 32]) {
    snprintf(path, JOB_PATH + 32, "%s/faults.plumbline", trial->job.directory);
}

// cmd.sh repeats the run, and has no environment of its own.
static void write_script(const struct selftest_trial* trial, const char* library,
                         const char* fault) {
    char path[JOB_PATH + 32];
    snprintf(path, sizeof path, "%s/cmd-fault.sh", trial->job.directory);
    FILE* out = fopen(path, "w");
    if (out == NULL) return; // nothing depends on it
    fprintf(out, "#!/bin/sh\n# Repeats this run by hand, with its fault.\nexec env LD_PRELOAD=");
    words_quote(out, library);
    fprintf(out, " PLUMBLINE_FAULT=");
    words_quote(out, fault);
    fprintf(out, " \"$(dirname \"$0\")/cmd.sh\"\n");
    if (fclose(out) == 0) chmod(path, 0755);
}

// The variables are for the child alone: they are in our environment only while it is started.
static void start_with(struct selftest_trial* trial, const char* library, double limit) {
    char fault[128], path[JOB_PATH + 32];
    fault_text(trial, fault, sizeof fault);
    counts_path(trial, path);
    unlink(path); // of an older session in the same directory
    setenv("LD_PRELOAD", library, 1);
    setenv("PLUMBLINE_FAULT", fault, 1);
    setenv("PLUMBLINE_FAULT_COUNTS", path, 1);
    job_start(&trial->job, limit);
    unsetenv("LD_PRELOAD");
    unsetenv("PLUMBLINE_FAULT");
    unsetenv("PLUMBLINE_FAULT_COUNTS");
    write_script(trial, library, fault);
}

// Only exact sandwiches see all of this fault. The others go without: a crash in a sandwich would
// be no crash of the layer async, and a sandwich is two calls of the walker.
static bool wants_sandwiches(const struct selftest_trial* trial) {
    return trial->purpose != SELFTEST_FAULT ||
           strcmp(trial->wanted->fault->name, "young-native") == 0;
}

void selftest_trial_start(struct selftest_trial* trial, const struct selftest_context* context) {
    trial->options = context->options->run;
    trial->options.seed += trial->number;
    if (wants_sandwiches(trial)) trial->options.layers |= 1u << ORACLE_LAYER_SANDWICH;
    // We choose the end of the run, and the case's own end must come later.
    const double start = START_LIMIT * jdk_slowness(context->jdk);
    trial->options.seconds = trial->limit + start;
    trial->job.command = (struct command){.home = context->home,
                                          .jdk = context->jdk,
                                          .options = &trial->options,
                                          .mode = &modes[__builtin_ctz(trial->options.modes)],
                                          .test = context->test};
    name_trial(trial);
    job_open(&trial->job, context->out);
    double limit = trial->limit + 2 * start;
    if (trial->purpose == SELFTEST_PLAIN) job_start(&trial->job, limit);
    else start_with(trial, context->library, limit);
    if (!trial->job.finished) return;
    trial->failed = true;
    snprintf(trial->note, sizeof trial->note, "%.190s", trial->job.note);
}

// ---- Looking ----------------------------------------------------------------------------------

static uint64_t get(const uint64_t* count) {
    return __atomic_load_n(count, __ATOMIC_RELAXED);
}

static void tally_layer(const struct results_layer* layer, enum oracle_layer l,
                        struct selftest_tally* tally) {
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++) {
        tally->verdicts[l][v] = l == ORACLE_LAYER_SANDWICH
                                    ? get(&layer->exact[v]) // one judgement of one stack
                                    : get(&layer->verdict[v]) + get(&layer->own[v]);
        if (v == ORACLE_AGREE || v == ORACLE_TRANSITION ||
            oracle_is_mismatch((enum oracle_verdict)v))
            tally->judged[l] += tally->verdicts[l][v];
        if (l == ORACLE_LAYER_ASYNC && v != ORACLE_NO_ANSWER)
            tally->asked += get(&layer->verdict[v]);
    }
    if (l != ORACLE_LAYER_ASYNC) return;
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++) tally->refused[r] = get(&layer->refused[r]);
}

#define COUNT_READS 100 // until two counts are of one moment

static void tally_library(const struct selftest_trial* trial, struct selftest_tally* tally) {
    char path[JOB_PATH + 32], name[40];
    counts_path(trial, path);
    const struct selftest_counts* counts =
        trial->purpose == SELFTEST_FAULT ? selftest_counts_map(path) : NULL;
    if (counts == NULL) return;
    // The library goes on: an answer that comes between the two reads would be in one of them only.
    for (int i = 0; i < COUNT_READS; i++) {
        tally->answers = selftest_counts_answers(counts);
        tally->injected =
            selftest_counts_injected(counts, trial->wanted->fault->name, &tally->eligible);
        if (selftest_counts_answers(counts) == tally->answers) break;
    }
    for (int c = 0; c < SELFTEST_CODES; c++) {
        snprintf(name, sizeof name, "refuse=%d", -c);
        tally->codes[c] = selftest_counts_injected(counts, name, NULL);
    }
    selftest_counts_unmap(counts);
}

static unsigned kind_of(const struct results_cluster* cluster) {
    switch (cluster->code_kind) {
    case RESULTS_CODE_INTERPRETER: return 0;
    case RESULTS_CODE_JVM: return 1;
    case RESULTS_CODE_NATIVE: return 2;
    default: return 3;
    }
}

static unsigned shape_of(const struct results_cluster* cluster) {
    const int lost_max = (SELFTEST_SHAPES / SELFTEST_PLACES / SELFTEST_KINDS - 1) / 2;
    unsigned place = cluster->place < SELFTEST_PLACES ? cluster->place : SELFTEST_PLACES - 1;
    int lost = cluster->lost < -lost_max  ? 0
               : cluster->lost > lost_max ? 2 * lost_max
                                          : cluster->lost + lost_max;
    return place + SELFTEST_PLACES * (kind_of(cluster) + SELFTEST_KINDS * (unsigned)lost);
}

static void tally_shapes(const struct results_run* run, struct selftest_tally* tally) {
    for (size_t i = 0; i < RESULTS_CLUSTERS; i++) {
        const struct results_cluster* cluster = &run->clusters[i];
        if (__atomic_load_n(&cluster->ready, __ATOMIC_ACQUIRE) == 0 ||
            cluster->layer != ORACLE_LAYER_ASYNC || cluster->verdict >= ORACLE_VERDICT_COUNT)
            continue;
        tally->shapes[cluster->verdict][shape_of(cluster)] += get(&cluster->count);
    }
}

static void take_tally(const struct selftest_trial* trial, struct selftest_tally* tally) {
    *tally = (struct selftest_tally){0};
    for (int l = 0; l < ORACLE_LAYER_COUNT; l++)
        tally_layer(&trial->job.run->layers[l], (enum oracle_layer)l, tally);
    tally_shapes(trial->job.run, tally);
    tally_library(trial, tally);
}

static bool has_kind(const struct selftest_trial* trial, enum selftest_kind kind) {
    return trial->purpose == SELFTEST_FAULT && trial->wanted->fault->kind == kind;
}

uint64_t selftest_needed(double rate) {
    double judged = ceil(SELFTEST_INJECTED / rate);
    if (rate >= 1) return SELFTEST_JUDGED_FULL;
    return (uint64_t)fmin(fmax(judged, SELFTEST_JUDGED_MIN), SELFTEST_JUDGED_MOST);
}

uint64_t selftest_progress(const struct selftest_trial* trial, const struct selftest_tally* tally) {
    uint64_t samples =
        has_kind(trial, SELFTEST_REFUSAL) ? tally->asked : tally->judged[ORACLE_LAYER_ASYNC];
    return (int64_t)samples > 0 ? samples : 0;
}

static void detect(struct selftest_trial* trial, const struct selftest_context* context,
                   double now) {
    uint64_t judged = selftest_progress(trial, &trial->end);
    if (trial->detected || context->plain == NULL || has_kind(trial, SELFTEST_CRASH) ||
        has_kind(trial, SELFTEST_HANG) || judged < SELFTEST_FIRST || judged < trial->next_test ||
        trial->tests++ >= SELFTEST_TESTS)
        return;
    trial->next_test = (uint64_t)(SELFTEST_GROWTH * (double)judged);
    if (!selftest_detects(trial, &trial->end, context->plain, SELFTEST_ERROR / SELFTEST_TESTS))
        return;
    trial->detected = true;
    trial->detected_after = judged;
    trial->detected_seconds = now - trial->began;
}

static bool is_decided(const struct selftest_trial* trial, double now) {
    if (now - trial->began >= trial->limit) return true;
    if (has_kind(trial, SELFTEST_CRASH) || has_kind(trial, SELFTEST_HANG)) return false;
    if (selftest_progress(trial, &trial->end) < trial->needed) return false;
    return trial->purpose != SELFTEST_FAULT || trial->detected;
}

// Takes the counts since the JVM is warm: all of them, and by turns in one of two parts.
static void count(struct selftest_trial* trial) {
    struct selftest_tally all, before = trial->end;
    take_tally(trial, &all);
    trial->end = selftest_difference(&all, &trial->warm);
    struct selftest_tally more = selftest_difference(&trial->end, &before);
    selftest_sum(&trial->parts[trial->looks++ % 2], &more);
    selftest_slice(trial, &more);
}

static void mark(struct selftest_trial* trial) {
    bool marked = trial->calibration || trial->purpose == SELFTEST_PLAIN;
    while (marked && trial->mark_count < SELFTEST_MARKS &&
           selftest_progress(trial, &trial->end) >= (uint64_t)SELFTEST_MARK << trial->mark_count)
        trial->marks[trial->mark_count++] = trial->end;
}

static bool hangs(const struct selftest_trial* trial, double now) {
    return has_kind(trial, SELFTEST_HANG) && trial->end.injected > 0 &&
           now - trial->moved >= SELFTEST_STILL;
}

static void look(struct selftest_trial* trial, const struct selftest_context* context) {
    double now = launch_now();
    // A walker that never comes back may keep the JVM from getting that far.
    if (!has_kind(trial, SELFTEST_HANG) &&
        __atomic_load_n(&trial->job.run->phase, __ATOMIC_ACQUIRE) < RESULTS_PHASE_RUNNING)
        return;
    if (trial->began == 0) trial->began = trial->moved = now;
    if (!has_kind(trial, SELFTEST_CRASH) && !has_kind(trial, SELFTEST_HANG) &&
        now - trial->began < SELFTEST_WARM) {
        take_tally(trial, &trial->warm);
        return;
    }
    uint64_t before = selftest_progress(trial, &trial->end);
    count(trial);
    mark(trial);
    if (selftest_progress(trial, &trial->end) != before) trial->moved = now;
    detect(trial, context, now);
    // To end at the very moment of detection would overstate the rate.
    if (!trial->detected && context->plain != NULL)
        while (selftest_progress(trial, &trial->end) >= trial->needed &&
               trial->purpose == SELFTEST_FAULT)
            trial->needed *= 2;
    bool hung = hangs(trial, now); // what a time limit would find a minute later
    if (!hung && !is_decided(trial, now)) return;
    trial->stopped = true;
    launch_kill(&trial->job.child, hung ? RESULTS_END_TIMED_OUT : RESULTS_END_INTERRUPTED);
}

// ---- End --------------------------------------------------------------------------------------

static void book_end(struct selftest_trial* trial) {
    const struct job* job = &trial->job;
    if (job->run != NULL) count(trial);
    if (has_kind(trial, SELFTEST_CRASH) || has_kind(trial, SELFTEST_HANG)) return;
    if (trial->stopped && job->execution.end == RESULTS_END_INTERRUPTED) return;
    trial->failed = true;
    struct results_row row;
    results_row_judge(&job->execution, ORACLE_LAYER_ASYNC, &row);
    snprintf(trial->note, sizeof trial->note, "the JVM ended before its time: %s: %.140s",
             results_row_verdict_text(row.verdict), row.reason);
}

bool selftest_trial_look(struct selftest_trial* trial, const struct selftest_context* context) {
    if (trial->job.finished) return false;
    if (job_poll(&trial->job)) {
        book_end(trial);
        return true;
    }
    if (!trial->stopped) look(trial, context);
    return false;
}
