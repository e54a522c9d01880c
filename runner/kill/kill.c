// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// kill BUILD JDK COUNT SEED: COUNT JVMs that record everything are killed (SIGKILL) at random
// moments, and a fifth as many crash in the walker. Of each, before the ring is drained, every
// complete block must be readable, and every counter must be in the record that the mapped file had
// 100 ms before the kill. Afterwards the record must be whole and hold, once, every sample that the
// run had numbered, but for those that were being put into the ring when the JVM died.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "victim.h"

#define BEFORE_NS 100000000ull
#define LATEST_MS 1500u // after the start
// One answer in 5 is wrong; a thousandth of the others are none.
#define FAULT "truncate:0.2:%d,crash:0.001:%d"

// ---- What a record holds ----------------------------------------------------------------------

struct reading {
    uint8_t* seen;                             // by number
    uint64_t numbers;                          // that the run has given
    uint64_t samples, twice, greatest, others; // others: their numbers were never given
    uint64_t last[RESULTS_COUNTERS], last_ns;
};

static void on_sample(void* context, const struct results_sample* sample, bool lost) {
    struct reading* r = context;
    (void)lost;
    if (sample->sequence > r->numbers) {
        r->others++;
        return;
    }
    if (r->seen[sample->sequence]) r->twice++;
    else r->samples++;
    r->seen[sample->sequence] = 1;
    if (sample->sequence > r->greatest) r->greatest = sample->sequence;
}

static void on_counters(void* context, uint64_t time_ns, bool full,
                        const uint64_t values[RESULTS_COUNTERS]) {
    struct reading* r = context;
    (void)full;
    memcpy(r->last, values, sizeof r->last);
    r->last_ns = time_ns;
}

// NULL: it cannot be read, which standard error says. Else the caller's: results_record_close.
static struct results_record* read_record(const struct victim* v, struct reading* r) {
    const struct results_record_visitor visitor = {
        .context = r, .sample = on_sample, .counters = on_counters};
    *r = (struct reading){.numbers = v->run->sequence};
    r->seen = calloc(r->numbers + 1, 1);
    struct results_record* record = results_record_open_file(v->record);
    bool right = r->seen != NULL && record != NULL && results_record_each(record, &visitor) == 0;
    free(r->seen);
    r->seen = NULL;
    if (right) return record;
    perror(v->record);
    results_record_close(record);
    return NULL;
}

// ---- Before the ring is drained ---------------------------------------------------------------

// Every counter that only grows is at least what it was then. The case has no virtual threads,
// whose counters may fall.
static bool has_counters(const struct reading* r, const uint64_t then[RESULTS_COUNTERS]) {
    bool right = true;
    char name[RESULTS_COUNTER_NAME];
    for (uint32_t i = 0; i < RESULTS_COUNTERS; i++) {
        if (results_counter_may_fall(i) || r->last[i] >= then[i]) continue;
        printf("  %s was %llu before, and is %llu in the record\n", results_counter_name(i, name),
               (unsigned long long)then[i], (unsigned long long)r->last[i]);
        right = false;
    }
    return right;
}

// What may be wrong: that the last block is not complete, and that there is no end (`ended`: not
// even this).
static bool is_readable(const struct results_record* record, bool ended) {
    const struct results_problem* list;
    size_t count = results_record_problems(record, &list);
    bool right = count <= (ended ? 0 : 2);
    for (size_t i = 0; i < count; i++)
        right = right && (strstr(list[i].text, "the file ends in the middle") != NULL ||
                          strstr(list[i].text, "the record has no end") != NULL);
    for (size_t i = 0; i < count && !right; i++)
        printf("  at byte %llu: %s\n", (unsigned long long)list[i].offset, list[i].text);
    return right;
}

// ---- One death --------------------------------------------------------------------------------

struct death {
    uint64_t numbered, before,
        after;           // samples: numbered, in the record before it is drained, after
    uint64_t unfinished; // pieces that were being put into the ring
    uint64_t unrecorded; // pieces that had found no room
    uint64_t lag_ns;     // of the last counters before the record is drained
};

static void add(struct death* sum, const struct death* one) {
    sum->numbered += one->numbered;
    sum->before += one->before;
    sum->after += one->after;
    sum->unfinished += one->unfinished;
    sum->unrecorded += one->unrecorded;
    if (one->lag_ns > sum->lag_ns) sum->lag_ns = one->lag_ns;
}

static void print_death(const struct death* d) {
    printf("%llu samples numbered; in the record %llu before draining (%llu lost), %llu after "
           "(%llu lost, %llu unfinished); %llu pieces had found no room",
           (unsigned long long)d->numbered, (unsigned long long)d->before,
           (unsigned long long)(d->numbered - d->before), (unsigned long long)d->after,
           (unsigned long long)(d->numbered - d->after), (unsigned long long)d->unfinished,
           (unsigned long long)d->unrecorded);
}

static bool is_right(const char* what, bool right) {
    if (!right) printf("  NOT RIGHT: %s\n", what);
    return right;
}

// `then`: counters that must be there; NULL: none. `killed_ns`: since the agent was loaded.
static bool look_before(const struct victim* v, const uint64_t* then, uint64_t killed_ns,
                        struct death* d) {
    struct reading r;
    struct results_record* record = read_record(v, &r);
    if (record == NULL) return false;
    bool right = is_readable(record, false);
    if (then != NULL) right = has_counters(&r, then) && right;
    d->numbered = r.numbers;
    d->before = r.samples;
    d->unrecorded = v->run->unrecorded;
    d->lag_ns = killed_ns > r.last_ns ? killed_ns - r.last_ns : 0;
    results_record_close(record);
    return right;
}

static bool look_after(const struct victim* v, struct death* d) {
    struct reading r;
    uint64_t saved, now[RESULTS_COUNTERS];
    bool drained = results_run_drain(v->run, v->record, &saved, &d->unfinished) == 0;
    struct results_record* record = read_record(v, &r);
    if (!drained || record == NULL) {
        results_record_close(record);
        return is_right("the ring cannot be drained", drained) && false;
    }
    results_counters_take(v->run, now);
    d->after = r.samples;
    bool right = is_right("it is not whole", is_readable(record, true));
    right = is_right("counters are missing", has_counters(&r, now)) && right;
    right = is_right("samples are there twice", r.twice == 0) && right;
    right = is_right("samples have numbers that were never given", r.others == 0) && right;
    right = is_right("samples are lost", r.numbers - r.samples <= d->unfinished) && right;
    right =
        is_right("the last sample is lost", d->unfinished != 0 || r.greatest == r.numbers) && right;
    right = is_right("what was saved was there already", d->before + saved == d->after) && right;
    results_record_close(record);
    return right;
}

// ---- Kills and crashes ------------------------------------------------------------------------

static bool kill_one(const char* build, const char* jdk, int seed, unsigned after_ms,
                     struct death* d) {
    struct victim v;
    uint64_t then[RESULTS_COUNTERS], killed_ns;
    bool right = victim_start(&v, build, jdk, NULL, seed);
    if (right) {
        victim_sleep_until(victim_now_ns() + after_ms * 1000000ull);
        results_counters_take(v.run, then);
        victim_sleep_until(victim_now_ns() + BEFORE_NS); // from now on: who wakes late looks late
        killed_ns = victim_now_ns() - v.run->started_ns;
        victim_kill(&v);
        right = look_before(&v, then, killed_ns, d);
        right = look_after(&v, d) && right;
    }
    victim_free(&v);
    return right;
}

static bool is_in_walker(const struct results_run* run) {
    for (uint32_t i = 0; i < RESULTS_THREADS_NOW; i++)
        if (run->threads_now[i].in_walker != 0) return true;
    return false;
}

static bool crash_one(const char* build, const char* jdk, int seed, struct death* d) {
    struct victim v;
    char fault[64];
    snprintf(fault, sizeof fault, FAULT, seed, seed + 1);
    bool right = victim_start(&v, build, jdk, fault, seed);
    if (right) {
        int status = victim_wait(&v);
        right = is_right("it did not crash", status != -1 && WIFSIGNALED(status));
        right = is_right("not in the walker", is_in_walker(v.run)) && right;
        right = look_before(&v, NULL, 0, d) && right;
        right = look_after(&v, d) && right;
    }
    victim_free(&v);
    return right;
}

static int try_kills(char** argv, int count, struct death* sum) {
    unsigned random = (unsigned)atoi(argv[4]);
    int failed = 0;
    for (int i = 1; i <= count; i++) {
        struct death d = {0};
        unsigned after_ms = (unsigned)rand_r(&random) % LATEST_MS;
        bool right = kill_one(argv[1], argv[2], i, after_ms, &d);
        printf("%d: killed %u ms after the start: ", i, after_ms);
        print_death(&d);
        printf("; last counters %llu ms before%s\n", (unsigned long long)(d.lag_ns / 1000000),
               right ? "" : ": NOT RIGHT");
        fflush(stdout);
        add(sum, &d);
        failed += !right;
    }
    return failed;
}

static int try_crashes(char** argv, int count, struct death* sum) {
    int failed = 0;
    for (int i = 1; i <= count; i++) {
        struct death d = {0};
        bool right = crash_one(argv[1], argv[2], atoi(argv[4]) + 2 * i, &d);
        printf("%d: crashed in the walker: mismatches only: ", i);
        print_death(&d);
        printf("%s\n", right ? "" : ": NOT RIGHT");
        fflush(stdout);
        add(sum, &d);
        failed += !right;
    }
    // One that crashes at its first answers has none; not all of them do.
    return is_right("none recorded a mismatch", sum->after != 0) ? failed : count;
}

int main(int argc, char** argv) {
    if (argc != 5) return 2;
    int count = atoi(argv[3]), crashes = (count + 4) / 5;
    struct death killed = {0}, crashed = {0};
    int failed = try_kills(argv, count, &killed) + try_crashes(argv, crashes, &crashed);
    printf("%d kills: ", count);
    print_death(&killed);
    printf("; last counters at most %llu ms before\n%d crashes in the walker: ",
           (unsigned long long)(killed.lag_ns / 1000000), crashes);
    print_death(&crashed);
    printf("\n%d of %d deaths are not right\n", failed, count + crashes);
    return failed != 0 || count <= 0;
}
