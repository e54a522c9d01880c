// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One round: `plumbline validate` as a child, its memory and that of its JVM, and what it left.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "results/formats/formats.h"
#include "soak_parts.h"

#define GRACE 300.0     // seconds for the command to end after its JVM's time limit
#define STAGES 3.0      // of a listed program, each with that limit (job/listed.c)
#define LOOK_EVERY 1.0  // seconds
#define UNDER_WAY 0.4   // of the run: then classes are loaded and code is compiled, mostly
#define SPAN_LEAST 10.0 // seconds: shorter ones say nothing of hours
#define STILL 60.0      // seconds before its end in which a hung JVM does nothing

// ---- Start --------------------------------------------------------------------------------------

// Of what the command itself says; its directory has the rest.
static void output_path(const struct soak_round* round, char path[PATH_MAX + 80]) {
    snprintf(path, PATH_MAX + 80, "%s.txt", round->out);
}

static void describe(struct soak_round* round, const struct jdk* jdk, const struct words* options) {
    struct soak_entry* entry = &round->entry;
    time_t now = time(NULL);
    struct tm tm;
    strftime(entry->began, sizeof entry->began, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
    snprintf(entry->version, sizeof entry->version, "%s%s%s", jdk->version,
             jdk->foreign[0] != '\0' ? " " : "", jdk->foreign);
    snprintf(entry->name, sizeof entry->name, "%s", plan_entry_name(&round->draw.what));
    snprintf(entry->mode, sizeof entry->mode, "%s", round->draw.what.mode->name);
    snprintf(entry->scope, sizeof entry->scope, "%s", round->draw.what.scope);
    char* text = words_join(options->list, options->count);
    snprintf(entry->options, sizeof entry->options, "%s", text);
    free(text);
}

// Seconds that the command may take: it outlives its JVM, also one that is stopped, and says itself
// that that hung.
static double limit_of(const struct soak_draw* draw) {
    return (draw->what.program != NULL ? STAGES : 1) * draw->timeout + LAUNCH_STOPPED + GRACE;
}

// Its few descriptors. The JVM has not begun: the command reads its lists and asks the JDK first.
static void restrict_files(const struct soak_round* round) {
    const struct rlimit limit = {round->draw.files, round->draw.files};
    if (round->draw.files != 0) prlimit(round->child.pid, RLIMIT_NOFILE, &limit, NULL);
}

int soak_round_start(struct soak_round* round, const struct home* home, const struct jdk* jdk,
                     const char* directory) {
    struct words words = {0}, options = {0};
    char path[PATH_MAX + 80];
    round->run = NULL;
    round->started = round->looked = 0;
    // A limit that validate is given holds under an emulator as it is.
    round->draw.timeout = fmin(round->draw.timeout * jdk_slowness(jdk), SOAK_TIMEOUT_MOST);
    snprintf(round->out, sizeof round->out, "%s/%06llu", directory,
             (unsigned long long)round->entry.number);
    soak_words(&round->draw, &options);
    describe(round, jdk, &options);
    words_add(&words, "%s", home->executable);
    words_add(&words, "validate");
    words_add_option(&words, "--jdk", "%s", jdk->home);
    words_add_all(&words, &options);
    words_add_option(&words, "--out", "%s", round->out);
    output_path(round, path);
    // Of a soak that was killed before it could enter a round of this number.
    int error = output_remove(round->out) != 0 ? errno : 0;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (error == 0 && fd < 0) error = errno;
    const struct launch launch = {.words = words.list,
                                  .output = fd,
                                  .errors = fd,
                                  .limit = limit_of(&round->draw),
                                  .plain_environment = true};
    if (error == 0) error = launch_start(&launch, &round->child);
    if (error == 0) restrict_files(round);
    if (fd >= 0) close(fd);
    words_free(&words);
    words_free(&options);
    return error;
}

// ---- Memory -------------------------------------------------------------------------------------

// The resident memory of a process in kB; 0: there is none such.
static int64_t resident(long pid) {
    char path[64];
    unsigned long long size, pages = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", pid);
    FILE* file = fopen(path, "re");
    if (file == NULL) return 0;
    if (fscanf(file, "%llu %llu", &size, &pages) != 2) pages = 0;
    fclose(file);
    return (int64_t)pages * (sysconf(_SC_PAGESIZE) / 1024);
}

// The command may make the file anew (a program's stages), so only that of a JVM is taken.
static void find_run(struct soak_round* round) {
    char name[PLAN_NAME], path[PATH_MAX + 64 + PLAN_NAME + 32];
    snprintf(path, sizeof path, "%s/runs/%s/run.plumbline", round->out,
             plan_name(&round->draw.what, name));
    struct results_run* run = results_run_read(path);
    if (run != NULL && __atomic_load_n(&run->phase, __ATOMIC_ACQUIRE) == RESULTS_PHASE_RUNNING) {
        round->run = run;
        round->started = launch_now();
    } else if (run != NULL) {
        results_run_unmap(run);
    }
}

static void keep(struct soak_memory* memory, int64_t now, bool under_way, double since) {
    if (now <= 0) return;
    if (now > memory->peak) memory->peak = now;
    if (!under_way) return;
    if (memory->first == 0) {
        memory->first = now;
        memory->began = since;
    }
    memory->last = now;
    memory->span = since - memory->began;
}

// A thread that checks pushes does its work.
static void watch_pushes(struct soak_round* round, double now) {
    uint64_t pushes = 0;
    for (size_t i = 0; i < RESULTS_THREADS_NOW; i++)
        pushes += __atomic_load_n(&round->run->threads_now[i].ground_checks, __ATOMIC_RELAXED);
    if (pushes != round->pushes) round->pushed = now;
    round->pushes = pushes;
}

// The command reads a record once its JVM is gone: that is no growth of a run's.
void soak_round_look(struct soak_round* round) {
    double now = launch_now();
    struct soak_memory* memory = round->entry.memory;
    if (now - round->looked < LOOK_EVERY) return;
    round->looked = now;
    if (round->run == NULL) find_run(round);
    const struct results_run* run = round->run;
    int64_t jvm = run != NULL ? resident((long)run->pid) : 0;
    double since = run != NULL ? now - round->started : 0;
    bool under_way = jvm != 0 && since >= UNDER_WAY * round->draw.seconds &&
                     __atomic_load_n(&run->phase, __ATOMIC_ACQUIRE) == RESULTS_PHASE_RUNNING;
    keep(&memory[SOAK_RUNNER], resident(round->child.pid), under_way, since);
    if (run == NULL) return;
    if (jvm != 0) watch_pushes(round, now);
    uint64_t blocks = __atomic_load_n(&run->memory, __ATOMIC_RELAXED);
    uint64_t mapped = __atomic_load_n(&run->mapped, __ATOMIC_RELAXED);
    keep(&memory[SOAK_AGENT], (int64_t)(blocks / 1024), under_way, since);
    keep(&memory[SOAK_MAPPED], (int64_t)(mapped / 1024), under_way, since);
    keep(&memory[SOAK_JVM], jvm, under_way, since);
}

// The command begins before its JVM, but later by the time in which both were frozen.
double soak_round_seconds(const struct soak_round* round) {
    if (round->child.pid == 0 || round->started == 0) return 0;
    return launch_now() - fmax(round->started, round->child.started);
}

// ---- End ----------------------------------------------------------------------------------------

enum soak_outcome soak_outcome_of(const struct results_row* row) {
    enum results_row_verdict verdict = row->verdict;
    // The frame that died, as the error log has it; not what a walker was asked about.
    if (verdict == RESULTS_ROW_CRASH)
        return strstr(row->reason, "[libplumbline.so+") != NULL ? SOAK_OURS : SOAK_DIED;
    if (verdict == RESULTS_ROW_HANG) return SOAK_HUNG;
    if (verdict == RESULTS_ROW_HARNESS) return SOAK_HARNESS;
    if (verdict == RESULTS_ROW_XCRASH) return SOAK_DIED_KNOWN;
    bool exact = row->layer <= ORACLE_LAYER_SAFEPOINT || row->layer == ORACLE_LAYER_SURVIVE;
    if (exact && (row->cause[RESULTS_UNEXPLAINED] != 0 || row->settling_mismatches != 0))
        return SOAK_TRUTH;
    if (verdict == RESULTS_ROW_FAIL) return SOAK_BEYOND;
    return verdict == RESULTS_ROW_SKIP ? SOAK_LEFT_OUT : SOAK_RIGHT;
}

static void count_row(struct soak_entry* entry, const struct results_row* row) {
    struct soak_count* count = &entry->layer[row->layer];
    count->judged += row->judged;
    count->mismatched += row->mismatched;
    count->unexplained += row->cause[RESULTS_UNEXPLAINED];
    enum soak_outcome outcome = soak_outcome_of(row);
    if (outcome <= entry->outcome) return;
    entry->outcome = outcome;
    snprintf(entry->reason, sizeof entry->reason, "%s %s: %.300s", oracle_layer_text(row->layer),
             results_row_verdict_text(row->verdict), row->reason);
    if (outcome == SOAK_RIGHT) entry->reason[0] = '\0';
}

static void count_run(struct soak_entry* entry, const struct results_execution* execution) {
    entry->seconds += execution->seconds;
    if (execution->run == NULL) return;
    const struct results_run* run = execution->run;
    entry->waiting += results_judged(&run->waiting[ORACLE_LAYER_ASYNC]);
    entry->threads += run->threads + run->virtual_threads;
    entry->lives += run->lives_ended;
}

static void worse(struct soak_entry* entry, enum soak_outcome outcome, const char* reason) {
    if (outcome <= entry->outcome) return;
    entry->outcome = outcome;
    snprintf(entry->reason, sizeof entry->reason, "%.390s", reason);
}

// A command that left no results said why.
static void tell_why(struct soak_round* round, const char* error) {
    char path[PATH_MAX + 80], line[400];
    output_path(round, path);
    FILE* said = fopen(path, "re");
    if (said != NULL) base_last_line(said, error, line, sizeof line);
    worse(&round->entry, SOAK_HARNESS, said != NULL ? line : error);
    if (said != NULL) fclose(said);
}

static void read_results(struct soak_round* round) {
    struct soak_entry* entry = &round->entry;
    char error[400];
    struct results_saved* saved = results_saved_read(round->out, error, sizeof error);
    if (saved == NULL && !round->stopped) tell_why(round, error);
    if (saved == NULL) return;
    const struct results_report* report = results_saved_report(saved);
    for (size_t i = 0; i < report->row_count; i++) count_row(entry, &report->rows[i]);
    for (size_t i = 0; i < report->execution_count; i++) count_run(entry, &report->executions[i]);
    results_saved_free(saved);
}

// The command's own death, or the user's wish. It reports every other failure in its results.
static void judge_command(struct soak_round* round) {
    char text[80];
    const struct launch_child* child = &round->child;
    if (round->stopped) {
        worse(&round->entry, SOAK_STOPPED, "");
    } else if (child->end == RESULTS_END_SIGNALLED) {
        snprintf(text, sizeof text, "plumbline validate was ended by signal %d", child->status);
        worse(&round->entry, SOAK_OURS, text);
    } else if (child->end == RESULTS_END_TIMED_OUT) {
        worse(&round->entry, SOAK_OURS, "plumbline validate did not end");
    }
}

static void tell_slow(struct soak_round* round) {
    struct soak_entry* entry = &round->entry;
    size_t used = strlen(entry->reason);
    if (entry->outcome == SOAK_HUNG && round->pushed != 0 && round->looked - round->pushed < STILL)
        snprintf(entry->reason + used, sizeof entry->reason - used,
                 "; its methods pushed until the end: it may be slow");
}

static void drop_short(struct soak_memory* memory) {
    if (memory->span < SPAN_LEAST) *memory = (struct soak_memory){.peak = memory->peak};
}

void soak_round_end(struct soak_round* round) {
    struct soak_entry* entry = &round->entry;
    for (unsigned w = 0; w < SOAK_WATCHED; w++) drop_short(&entry->memory[w]);
    if (round->run != NULL) results_run_unmap((struct results_run*)(uintptr_t)round->run);
    round->run = NULL;
    read_results(round);
    judge_command(round);
    tell_slow(round);
    if (soak_is_kept(entry->outcome)) return;
    char path[PATH_MAX + 80];
    output_path(round, path);
    output_remove(round->out);
    unlink(path);
}
