// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Which instant a sample of the profiler belongs to: by thread and time, exactly. Nothing is
// rounded, and no nearest one is taken.
#include <stdlib.h>
#include <string.h>

#include "parts.h"

// ---- The record's side -------------------------------------------------------------------------

static void note_thread(struct profile_join* join, uint32_t thread) {
    if (join->thread_count != 0 && join->threads[join->thread_count - 1] == thread) return;
    if (!profile_grow((void**)&join->threads, join->thread_count, &join->thread_room,
                      sizeof *join->threads))
        join->memory = true;
    else join->threads[join->thread_count++] = thread;
}

static void note_blank(struct profile_join* join, const struct results_sample* sample) {
    uint64_t length = sample->window_end_ns - sample->window_begin_ns;
    if (sample->java_thread == PROFILE_BLANK && length > join->longest_blank_ns)
        join->longest_blank_ns = length;
}

static void note_sample(void* context, const struct results_sample* sample, bool lost) {
    struct profile_join* join = context;
    (void)lost; // its window is known all the same
    note_thread(join, sample->thread_id);
    if (!sample->instant || sample->layer != ORACLE_LAYER_ASYNC) return;
    if (!profile_grow((void**)&join->instants, join->count, &join->room, sizeof *join->instants) ||
        join->count >= UINT32_MAX) {
        join->memory = true;
        return;
    }
    join->instants[join->count++] = (struct profile_instant){.begin_ns = sample->window_begin_ns,
                                                             .end_ns = sample->window_end_ns,
                                                             .java_thread = sample->java_thread,
                                                             .thread = sample->thread_id};
    note_blank(join, sample);
}

static int compare_threads(const void* a, const void* b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static uint64_t key_of(const struct profile_instant* instant, bool java) {
    return java ? instant->java_thread : instant->thread;
}

struct order {
    const struct profile_join* join;
    const struct results_run* run;
    bool java;
};

static int compare_instants(const void* a, const void* b, void* context) {
    const struct order* order = context;
    const struct profile_instant* x = &order->join->instants[*(const uint32_t*)a];
    const struct profile_instant* y = &order->join->instants[*(const uint32_t*)b];
    uint64_t kx = key_of(x, order->java), ky = key_of(y, order->java);
    if (kx != ky) return kx < ky ? -1 : 1;
    return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

static uint32_t* sorted(const struct profile_join* join, bool java) {
    uint32_t* indexes = malloc((join->count + 1) * sizeof *indexes);
    struct order order = {.join = join, .java = java};
    if (indexes == NULL) return NULL;
    for (size_t i = 0; i < join->count; i++) indexes[i] = (uint32_t)i;
    qsort_r(indexes, join->count, sizeof *indexes, compare_instants, &order);
    return indexes;
}

int profile_join_open(struct profile_join* join, const struct results_record* record) {
    const struct results_record_visitor visitor = {.context = join, .sample = note_sample};
    *join = (struct profile_join){0};
    if (results_record_each(record, &visitor) != 0 || join->memory) goto failed;
    if (join->thread_count != 0)
        qsort(join->threads, join->thread_count, sizeof *join->threads, compare_threads);
    join->by_thread = sorted(join, false);
    join->by_java = sorted(join, true);
    if (join->by_thread != NULL && join->by_java != NULL) return 0;
failed:
    profile_join_close(join);
    return -1;
}

void profile_join_close(struct profile_join* join) {
    free(join->instants);
    free(join->by_thread);
    free(join->by_java);
    free(join->threads);
    free(join->strays);
    *join = (struct profile_join){0};
}

// ---- The profiler's side -----------------------------------------------------------------------

// How many instants of that key begin at or before `time`, counted from the first of all.
static size_t begun_before(const struct profile_join* join, bool java, uint64_t key,
                           uint64_t time) {
    const uint32_t* indexes = java ? join->by_java : join->by_thread;
    size_t low = 0, high = join->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct profile_instant* instant = &join->instants[indexes[middle]];
        uint64_t k = key_of(instant, java);
        if (k < key || (k == key && instant->begin_ns <= time)) low = middle + 1;
        else high = middle;
    }
    return low;
}

// Windows of one thread do not lie in each other: the record would be wrong. So it is enough to
// look at the two that began last. Blank instants are of many threads: any of them may hold it that
// began no longer ago than the longest of them is.
static enum results_fit fit(struct profile_join* join, bool java, uint64_t key, uint64_t time,
                            struct profile_instant** found) {
    const uint32_t* indexes = java ? join->by_java : join->by_thread;
    bool blank = java && key == PROFILE_BLANK;
    size_t end = begun_before(join, java, key, time), n = 0;
    for (size_t i = end; i != 0 && (blank || end - i < 2); i--) {
        struct profile_instant* instant = &join->instants[indexes[i - 1]];
        if (key_of(instant, java) != key) break;
        if (blank && time - instant->begin_ns > join->longest_blank_ns) break;
        if (instant->end_ns < time) continue;
        *found = instant;
        n++;
    }
    if (n > 1) return RESULTS_FIT_AMBIGUOUS;
    if (n == 0) return RESULTS_FIT_UNMATCHED;
    return (*found)->sample != 0 ? RESULTS_FIT_DOUBLED : RESULTS_FIT_JOINED;
}

static bool knows(const struct profile_join* join, bool java, uint64_t key) {
    uint32_t thread = (uint32_t)key;
    if (!java)
        return join->thread_count != 0 && bsearch(&thread, join->threads, join->thread_count,
                                                  sizeof thread, compare_threads) != NULL;
    size_t end = begun_before(join, true, key, UINT64_MAX);
    return end != 0 && join->instants[join->by_java[end - 1]].java_thread == key;
}

// A carrier between two virtual threads is no java.lang.Thread in the record. In the profiler's
// file it may still be the last one, or be the next one already.
static enum results_fit fit_virtual(struct profile_join* join, uint64_t id, uint64_t time,
                                    struct profile_instant** found) {
    bool known = knows(join, true, id);
    enum results_fit where = known ? fit(join, true, id, time, found) : RESULTS_FIT_UNMATCHED;
    if (where != RESULTS_FIT_UNMATCHED) return where;
    where = fit(join, true, PROFILE_BLANK, time, found);
    return where == RESULTS_FIT_UNMATCHED && !known ? RESULTS_FIT_FOREIGN : where;
}

static enum results_fit fit_sample(struct profile_join* join,
                                   const struct results_profile_sample* sample, uint64_t time,
                                   struct profile_instant** found) {
    bool virtual = (sample->flags & RESULTS_PROFILE_VIRTUAL) != 0;
    bool java = virtual || sample->thread == 0;
    uint64_t key = java ? sample->java_thread : sample->thread;
    if (java && key == PROFILE_BLANK) return RESULTS_FIT_FOREIGN;
    if (virtual) return fit_virtual(join, key, time, found);
    return knows(join, java, key) ? fit(join, java, key, time, found) : RESULTS_FIT_FOREIGN;
}

// ---- Signals without an instant ----------------------------------------------------------------

static int compare_strays(const void* a, const void* b, void* context) {
    const struct order* order = context;
    const struct results_run* run = order->run;
    const struct results_stray *x = &run->strays[*(const uint32_t*)a],
                               *y = &run->strays[*(const uint32_t*)b];
    if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
    return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

static bool sort_strays(struct profile_join* join, const struct results_run* run) {
    join->strays = malloc(RESULTS_STRAYS * sizeof *join->strays);
    if (join->strays == NULL) return false;
    for (uint32_t i = 0; i < RESULTS_STRAYS; i++)
        if (run->strays[i].thread != 0) join->strays[join->stray_count++] = i;
    struct order order = {.run = run};
    qsort_r(join->strays, join->stray_count, sizeof *join->strays, compare_strays, &order);
    return true;
}

// Whether a signal came on that thread, at that time, while the agent did not know it. Windows of
// one thread do not lie in each other, so the last one that began before holds the time, or none.
static bool is_stray(const struct profile_join* join, const struct results_run* run,
                     uint32_t thread, uint64_t time) {
    size_t low = 0, high = join->stray_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct results_stray* stray = &run->strays[join->strays[middle]];
        if (stray->thread < thread || (stray->thread == thread && stray->begin_ns <= time))
            low = middle + 1;
        else high = middle;
    }
    if (low == 0) return false;
    const struct results_stray* stray = &run->strays[join->strays[low - 1]];
    return stray->thread == thread && time - stray->begin_ns <= stray->length_ns;
}

void profile_join_all(struct profile_join* join, const struct results_run* run,
                      const struct results_profile_file* file, uint64_t fits[RESULTS_FIT_COUNT]) {
    memset(fits, 0, RESULTS_FIT_COUNT * sizeof *fits);
    if (!sort_strays(join, run)) {
        join->memory = true;
        return;
    }
    for (size_t i = 0; i < file->sample_count; i++) {
        const struct results_profile_sample* sample = &file->samples[i];
        // Unsigned: a time before the agent was loaded is in no window.
        uint64_t time =
            (uint64_t)sample->begin_ticks + (uint64_t)run->profiler_offset_ns - run->started_ns;
        struct profile_instant* instant = NULL;
        enum results_fit where = fit_sample(join, sample, time, &instant);
        if (where == RESULTS_FIT_UNMATCHED && (sample->flags & RESULTS_PROFILE_REPEATS) != 0)
            where = RESULTS_FIT_REPEATED;
        if (where == RESULTS_FIT_UNMATCHED && is_stray(join, run, sample->thread, time))
            where = RESULTS_FIT_STRAY;
        if (where == RESULTS_FIT_JOINED) instant->sample = (uint32_t)i + 1;
        fits[where]++;
    }
}
