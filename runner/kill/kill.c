// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// kill BUILD JDK COUNT SEED: COUNT JVMs that record everything are killed (SIGKILL) at random
// moments. Of each, every complete block must be readable, and every counter must be in the record
// that the mapped file had 100 ms before the kill.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "results/record/record.h"

#define BEFORE_NS 100000000ull
#define START_NS 60000000000ull // that a JVM may take to start
#define LATEST_MS 1500u         // after the start

struct trial {
    const char *build, *jdk;
    char directory[1024], file[1100], record[1100];
    struct results_run* run;
    pid_t pid;
    uint64_t before[RESULTS_COUNTERS]; // 100 ms before the kill
    uint64_t killed_ns;                // since the agent was loaded
    // Of the record.
    uint64_t last[RESULTS_COUNTERS], last_ns, samples;
};

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void sleep_until(uint64_t ns) {
    const struct timespec at = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {
    }
}

static _Noreturn void become_java(const struct trial* t, int seed) {
    char java[1100], agent[2400], libraries[1100], classes[1100], seeds[64];
    snprintf(java, sizeof java, "%s/bin/java", t->jdk);
    snprintf(agent, sizeof agent, "-agentpath:%s/libplumbline.so=file=%s,record=1,seed=%d",
             t->build, t->file, seed);
    snprintf(libraries, sizeof libraries, "-Djava.library.path=%s/cases", t->build);
    snprintf(classes, sizeof classes, "%s/cases/classes", t->build);
    snprintf(seeds, sizeof seeds, "-Dplumbline.seed=%d", seed);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execl(java, java, agent, "-Dplumbline.seconds=60", seeds, libraries, "-cp", classes, "Mixed",
          (char*)NULL);
    perror(java);
    _exit(127);
}

static bool start(struct trial* t, int seed) {
    unlink(t->record);
    t->run = results_run_create(t->file);
    if (t->run == NULL) {
        perror(t->file);
        return false;
    }
    t->pid = fork();
    if (t->pid == 0) become_java(t, seed);
    for (uint64_t begin = now_ns(); now_ns() - begin < START_NS; usleep(5000))
        if (__atomic_load_n(&t->run->phase, __ATOMIC_ACQUIRE) == RESULTS_PHASE_RUNNING) return true;
    fprintf(stderr, "the JVM did not start\n");
    return false;
}

static void end(struct trial* t) {
    if (t->pid > 0) {
        kill(t->pid, SIGKILL);
        waitpid(t->pid, NULL, 0);
    }
    results_run_unmap(t->run);
}

// ---- What the record says ---------------------------------------------------------------------

static void on_counters(void* context, uint64_t time_ns, bool full,
                        const uint64_t values[RESULTS_COUNTERS]) {
    struct trial* t = context;
    (void)full;
    memcpy(t->last, values, sizeof t->last);
    t->last_ns = time_ns;
}

static void on_sample(void* context, const struct results_sample* sample, bool lost) {
    struct trial* t = context;
    (void)sample;
    t->samples += !lost;
}

// Mismatches are taken back where the trace stack proves wrong: these counters may fall.
static bool only_grows(uint32_t index) {
    uint32_t at = index % RESULTS_COUNTERS_OF_LAYER;
    uint32_t own = RESULTS_COUNTERS_OF_LAYER - ORACLE_VERDICT_COUNT;
    if (index >= ORACLE_LAYER_COUNT * RESULTS_COUNTERS_OF_LAYER) return true;
    if (at >= own) return !oracle_is_mismatch((enum oracle_verdict)(at - own));
    if (at < 2 || at >= 2 + ORACLE_VERDICT_COUNT) return true;
    return !oracle_is_mismatch((enum oracle_verdict)(at - 2));
}

static bool has_counters(const struct trial* t) {
    bool right = true;
    char name[RESULTS_COUNTER_NAME];
    for (uint32_t i = 0; i < RESULTS_COUNTERS; i++) {
        if (!only_grows(i) || t->last[i] >= t->before[i]) continue;
        printf("  %s was %llu 100 ms before, and is %llu in the record\n",
               results_counter_name(i, name), (unsigned long long)t->before[i],
               (unsigned long long)t->last[i]);
        right = false;
    }
    return right;
}

// All that may be wrong is that the last block is not complete, and that there is no end.
static bool is_readable(const struct results_record* record) {
    const struct results_problem* list;
    size_t count = results_record_problems(record, &list);
    bool right = count <= 2;
    for (size_t i = 0; i < count; i++)
        right = right && (strstr(list[i].text, "the file ends in the middle") != NULL ||
                          strstr(list[i].text, "the record has no end") != NULL);
    for (size_t i = 0; i < count && !right; i++)
        printf("  at byte %llu: %s\n", (unsigned long long)list[i].offset, list[i].text);
    return right;
}

static bool check(struct trial* t) {
    const struct results_record_visitor visitor = {t, on_sample, on_counters, NULL};
    struct results_record* record = results_record_open_file(t->record);
    if (record == NULL || results_record_each(record, &visitor) != 0) {
        perror(t->record);
        results_record_close(record);
        return false;
    }
    bool right = is_readable(record);
    right = has_counters(t) && right;
    results_record_close(record);
    return right;
}

// ---- One kill ---------------------------------------------------------------------------------

static bool try_once(struct trial* t, int seed, unsigned after_ms) {
    bool right = start(t, seed);
    if (right) {
        sleep_until(now_ns() + after_ms * 1000000ull);
        results_counters_take(t->run, t->before);
        sleep_until(now_ns() + BEFORE_NS); // from now on: who wakes late looks late
        t->killed_ns = now_ns() - t->run->started_ns;
    }
    end(t);
    return right && check(t);
}

int main(int argc, char** argv) {
    if (argc != 5) return 2;
    int count = atoi(argv[3]), failed = 0;
    unsigned random = (unsigned)atoi(argv[4]);
    uint64_t worst_ns = 0;
    for (int i = 0; i < count; i++) {
        struct trial t = {.build = argv[1], .jdk = argv[2]};
        unsigned after_ms = (unsigned)rand_r(&random) % LATEST_MS;
        snprintf(t.file, sizeof t.file, "%s/check-kill.plumbline", argv[1]);
        snprintf(t.record, sizeof t.record, "%s/check-kill.lz4", argv[1]);
        bool right = try_once(&t, i + 1, after_ms);
        uint64_t lag_ns = t.killed_ns > t.last_ns ? t.killed_ns - t.last_ns : 0;
        if (lag_ns > worst_ns) worst_ns = lag_ns;
        printf("%d: killed %u ms after the start: %llu samples, last counters %llu ms before%s\n",
               i + 1, after_ms, (unsigned long long)t.samples,
               (unsigned long long)(lag_ns / 1000000), right ? "" : ": NOT RIGHT");
        fflush(stdout);
        failed += !right;
    }
    printf("%d of %d kills lost something; last counters at most %llu ms before the kill\n", failed,
           count, (unsigned long long)(worst_ns / 1000000));
    return failed != 0 || count <= 0;
}
