// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The counts come from the runs' files, in which agents count at the same time.
#include "job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

// Adds the samplers' counts; structure judges the same samples as async.
static void add_samples(const struct job* job, uint64_t* judged, uint64_t* mismatched) {
    bool async = (job->execution.layers & 1u << ORACLE_LAYER_ASYNC) != 0;
    for (int layer = ORACLE_LAYER_ASYNC; job->run != NULL && layer < ORACLE_LAYER_COUNT; layer++) {
        if (async && layer == ORACLE_LAYER_STRUCTURE) continue;
        *judged += results_judged(&job->run->layers[layer]);
        *mismatched += results_mismatched(&job->run->layers[layer]);
    }
}

static struct progress_cause* cause_of(struct progress_counts* counts, const char* name) {
    for (size_t i = 0; i < counts->cause_count; i++)
        if (strcmp(counts->causes[i].name, name) == 0) return &counts->causes[i];
    if (counts->cause_count == RESULTS_CAUSES) return NULL;
    struct progress_cause* cause = &counts->causes[counts->cause_count++];
    *cause = (struct progress_cause){.name = name};
    return cause;
}

// Adds the mismatches that add_samples counts, by cause.
static void add_causes(const struct job* job, struct progress_counts* counts) {
    bool async = (job->execution.layers & 1u << ORACLE_LAYER_ASYNC) != 0;
    for (int layer = ORACLE_LAYER_ASYNC; job->run != NULL && layer < ORACLE_LAYER_COUNT; layer++) {
        if (async && layer == ORACLE_LAYER_STRUCTURE) continue;
        const uint64_t* causes = job->run->layers[layer].cause;
        counts->unexplained += causes[RESULTS_UNEXPLAINED];
        for (size_t c = 1; c < RESULTS_CAUSES; c++) {
            struct progress_cause* cause =
                causes[c] != 0 ? cause_of(counts, job->run->cause_names[c]) : NULL;
            if (cause != NULL) cause->count += causes[c];
        }
    }
}

static int compare_causes(const void* left, const void* right) {
    const struct progress_cause *a = left, *b = right;
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    return strcmp(a->name, b->name);
}

void progress_show(size_t number, size_t total, const struct job* job) {
    if (!isatty(STDERR_FILENO) || job->run == NULL) return;
    uint64_t judged = 0, mismatched = 0;
    add_samples(job, &judged, &mismatched);
    fprintf(stderr, "\r\033[K[%zu/%zu] %s %s %.1f s: %llu samples judged, %llu mismatches", number,
            total, job->name, job->execution.mode, launch_now() - job->child.started,
            (unsigned long long)judged, (unsigned long long)mismatched);
}

void progress_clear(void) {
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
}

// ---- A plan of many runs ----------------------------------------------------------------------

static bool was_run(const struct job* job) {
    return job->finished && job->execution.seconds > 0;
}

// Mean seconds of the runs that ended; `expected` if there are none.
static double mean_seconds(const struct job* jobs, size_t next, double expected) {
    double sum = 0;
    size_t ended = 0;
    for (size_t i = 0; i < next; i++) {
        if (!was_run(&jobs[i])) continue;
        sum += jobs[i].execution.seconds;
        ended++;
    }
    return ended != 0 ? sum / (double)ended : expected;
}

// The seconds of unfinished runs, divided by the number that run at a time.
static double seconds_left(const struct job* jobs, size_t count, size_t next, unsigned parallel,
                           double mean, double now) {
    double sum = 0;
    size_t unfinished = 0;
    for (size_t i = 0; i < count; i++) {
        if (jobs[i].finished) continue;
        double gone = i < next ? now - jobs[i].child.started : 0;
        unfinished++;
        sum += gone < mean ? mean - gone : 0;
    }
    size_t at_a_time = unfinished < parallel ? unfinished : parallel;
    return at_a_time == 0 ? 0 : sum / (double)at_a_time;
}

struct progress_counts progress_count(const struct job* jobs, size_t count, size_t next,
                                      unsigned parallel, double expected, double now) {
    struct progress_counts counts = {.left = -1};
    for (size_t i = 0; i < count; i++) {
        size_t rows = (size_t)__builtin_popcount(jobs[i].execution.layers);
        counts.rows += rows;
        if (jobs[i].finished) counts.rows_done += rows;
        else if (i < next && counts.running == NULL) counts.running = &jobs[i];
        add_samples(&jobs[i], &counts.judged, &counts.mismatched);
        add_causes(&jobs[i], &counts);
    }
    qsort(counts.causes, counts.cause_count, sizeof counts.causes[0], compare_causes);
    double mean = mean_seconds(jobs, next, expected);
    if (mean > 0) counts.left = seconds_left(jobs, count, next, parallel, mean, now);
    return counts;
}

#define NAMED_CAUSES 2
#define UNEXPLAINED " unexplained"

// " (9 runtime-stub, 6 epilogue, 3 other)", or nothing.
static void causes_text(const struct progress_counts* counts, char* text, size_t size) {
    size_t used = 0;
    uint64_t others = 0;
    text[0] = '\0';
    for (size_t i = 0; i < counts->cause_count && used < size; i++) {
        const struct progress_cause* cause = &counts->causes[i];
        if (i >= NAMED_CAUSES) others += cause->count;
        else
            used += (size_t)snprintf(text + used, size - used, "%s%llu %.32s", i == 0 ? " (" : ", ",
                                     (unsigned long long)cause->count, cause->name);
    }
    if (others != 0 && used < size)
        used +=
            (size_t)snprintf(text + used, size - used, ", %llu other", (unsigned long long)others);
    if (used != 0 && used < size) snprintf(text + used, size - used, ")");
}

const char* progress_text(const struct progress_counts* counts, char text[PROGRESS_TEXT]) {
    char left[32] = "", causes[128];
    unsigned long seconds = counts->left > 0 ? (unsigned long)(counts->left + 0.5) : 0;
    uint64_t known =
        counts->mismatched > counts->unexplained ? counts->mismatched - counts->unexplained : 0;
    if (counts->left >= 0 && seconds < 3600)
        snprintf(left, sizeof left, ", %lu:%02lu left", seconds / 60, seconds % 60);
    else if (counts->left >= 0)
        snprintf(left, sizeof left, ", %lu:%02lu:%02lu left", seconds / 3600, seconds / 60 % 60,
                 seconds % 60);
    causes_text(counts, causes, sizeof causes);
    snprintf(text, PROGRESS_TEXT,
             "%zu of %zu rows done%s, %llu" UNEXPLAINED
             ", %llu known errors%s, %llu samples judged",
             counts->rows_done, counts->rows, left, (unsigned long long)counts->unexplained,
             (unsigned long long)known, causes, (unsigned long long)counts->judged);
    return text;
}

// The line is cut at the terminal's width: a line that wraps cannot be rewritten. So colour is
// added to what is left of it.
static void rewrite(const struct progress_counts* counts) {
    char text[PROGRESS_TEXT], line[2 * PROGRESS_TEXT];
    struct winsize size;
    int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
    progress_text(counts, text);
    if (counts->running == NULL) snprintf(line, sizeof line, "%s", text);
    else
        snprintf(line, sizeof line, "%s; %.60s %.20s", text, counts->running->name,
                 counts->running->execution.mode);
    if ((int)strlen(line) >= width) line[width - 1] = '\0';
    bool wanted = counts->unexplained != 0 && getenv("NO_COLOR") == NULL;
    char* red = wanted ? strstr(line, UNEXPLAINED) : NULL;
    if (red == NULL) {
        fprintf(stderr, "\r\033[K%s", line);
        return;
    }
    int end = (int)(red - line + (long)strlen(UNEXPLAINED));
    while (red > line && red[-1] >= '0' && red[-1] <= '9') red--;
    int start = (int)(red - line);
    fprintf(stderr, "\r\033[K%.*s\033[1;31m%.*s\033[0m%s", start, line, end - start, line + start,
            line + end);
}

void progress_show_plan(const struct progress_counts* counts, double now, double* last) {
    char text[PROGRESS_TEXT];
    if (isatty(STDERR_FILENO)) {
        rewrite(counts);
    } else if (now - *last >= PROGRESS_INTERVAL) {
        fprintf(stderr, "plumbline: %s\n", progress_text(counts, text));
        *last = now;
    }
}
