// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Runs the programs, takes the numbers out of their files, and sets them against the bars.
#include "bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runner/lists/lists.h"
#include "runner/launch/launch.h"
#include "runner/base/base.h"

#define TICK 0.2 // seconds between looks at the time limit

#define LAYERS_ALL ((1u << ORACLE_LAYER_COUNT) - 1)
#define LAYERS_GROUND (1u << ORACLE_LAYER_GROUND)

// NAME, text, scope, layers, agent options.
#define VARIANTS(V)                                                                                \
    V(RANDOM, "random", "app", LAYERS_ALL, "source=random,interval=100,bench=1")                   \
    V(CLOCK, "clock", "app", LAYERS_ALL, "source=clock,interval=100,bench=1")                      \
    V(PUSHPOP, "pushpop", "app", LAYERS_GROUND, "checks=0")                                        \
    V(BARE, "bare", "none", 0, "")                                                                 \
    V(APP, "app", "app", LAYERS_ALL, "")                                                           \
    V(APP_ASYNC, "app-async", "app", LAYERS_GROUND | 1u << ORACLE_LAYER_ASYNC, "")                 \
    V(APP_GROUND, "app-ground", "app", LAYERS_GROUND, "")                                          \
    V(ALL, "all", "all", LAYERS_ALL, "")                                                           \
    V(ALL_GROUND, "all-ground", "all", LAYERS_GROUND, "")

enum variant {
#define VARIANT_ENUM(name, text, scope, layers, agent) VARIANT_##name,
    VARIANTS(VARIANT_ENUM)
#undef VARIANT_ENUM
        VARIANT_COUNT
};
// Those from here on are run once a round, the others once.
#define VARIANT_FIRST_OF_ROUND VARIANT_BARE
#define RUNS (VARIANT_FIRST_OF_ROUND + BENCH_ROUNDS * (VARIANT_COUNT - VARIANT_FIRST_OF_ROUND))

static const struct {
    const char *name, *scope;
    uint32_t layers;
    const char* agent;
} variants[VARIANT_COUNT] = {
#define VARIANT_ROW(name, text, scope, layers, agent) {text, scope, layers, agent},
    VARIANTS(VARIANT_ROW)
#undef VARIANT_ROW
};

// ---- The bars ---------------------------------------------------------------------------------

// What is asked of a number. NAME, sense, limit, unit.
#define BARS(B)                                                                                    \
    B(NONE, NO_BAR, 0, "")                                                                         \
    B(SAMPLES, AT_LEAST, 0.8, "")                                                                  \
    B(RANDOM_RATE, AT_LEAST, 4000, "/s")                                                           \
    B(CLOCK_RATE, AT_LEAST, 9000, "/s")                                                            \
    B(CYCLES, AT_MOST, 1.5, "")                                                                    \
    B(PUSHPOP, AT_MOST, 1.3, "")                                                                   \
    B(SLOW_DOWN, AT_MOST, 3, "")

enum bar {
#define BAR_ENUM(name, sense, limit, unit) BAR_##name,
    BARS(BAR_ENUM)
#undef BAR_ENUM
        BAR_COUNT
};

enum sense { NO_BAR, AT_LEAST, AT_MOST };

static const struct {
    enum sense sense;
    double limit;
    const char* unit;
} bars[BAR_COUNT] = {
#define BAR_ROW(name, sense, limit, unit) {sense, limit, unit},
    BARS(BAR_ROW)
#undef BAR_ROW
};

// ---- The table --------------------------------------------------------------------------------

enum column { MEASURE, VALUE, AGAINST, RATIO, RANGE, BAR, OUTCOME, COLUMNS };
static const char* const titles[COLUMNS] = {
    "measure", "measured", "compared with", "ratio", "range", "bar", ""};

enum outcome { STATED, MET, NOT_MET, NOT_MEASURED };

#define ROWS 16
#define NOTES 4
struct table {
    struct row {
        char cells[COLUMNS][64];
        enum outcome outcome;
    } rows[ROWS];
    size_t count;
    char notes[NOTES][160]; // what the numbers rest on
    size_t note_count;
};

__attribute__((format(printf, 2, 3))) static struct row* add_row(struct table* table,
                                                                 const char* format, ...) {
    if (table->count == ROWS) abort();
    struct row* row = &table->rows[table->count++];
    for (int i = 0; i < COLUMNS; i++) strcpy(row->cells[i], "-");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->cells[MEASURE], sizeof row->cells[MEASURE], format, arguments);
    va_end(arguments);
    return row;
}

__attribute__((format(printf, 3, 4))) static void set(struct row* row, enum column column,
                                                      const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->cells[column], sizeof row->cells[column], format, arguments);
    va_end(arguments);
}

// Sets `value` against the bar. What is no number was not measured, whether it has a bar or not.
static void judge(struct row* row, double value, enum bar bar) {
    enum sense sense = bars[bar].sense;
    bool met = sense == AT_LEAST ? value >= bars[bar].limit : value <= bars[bar].limit;
    if (sense != NO_BAR)
        set(row, BAR, "%s %g%s", sense == AT_LEAST ? ">=" : "<=", bars[bar].limit, bars[bar].unit);
    if (isnan(value)) row->outcome = NOT_MEASURED;
    else if (sense == NO_BAR) row->outcome = STATED;
    else row->outcome = met ? MET : NOT_MET;
    const char* const texts[] = {"stated", "ok", sense == AT_LEAST ? "under" : "over",
                                 "not measured"};
    set(row, OUTCOME, "%s", texts[row->outcome]);
}

static void set_ratio(struct row* row, double ratio) {
    if (!isnan(ratio)) set(row, RATIO, "%.2f", ratio);
}

static void print_cells(const struct table* table, const int widths[COLUMNS], FILE* out) {
    for (int i = 0; i < COLUMNS; i++)
        fprintf(out, "%-*s%s", i + 1 < COLUMNS ? widths[i] : 0, titles[i],
                i + 1 < COLUMNS ? "  " : "\n");
    for (size_t r = 0; r < table->count; r++)
        for (int i = 0; i < COLUMNS; i++)
            fprintf(out, "%-*s%s", i + 1 < COLUMNS ? widths[i] : 0, table->rows[r].cells[i],
                    i + 1 < COLUMNS ? "  " : "\n");
}

static void print_table(const struct table* table, FILE* out) {
    int widths[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
        widths[i] = (int)strlen(titles[i]);
        for (size_t r = 0; r < table->count; r++) {
            int width = (int)strlen(table->rows[r].cells[i]);
            if (width > widths[i]) widths[i] = width;
        }
    }
    print_cells(table, widths, out);
    for (size_t i = 0; i < table->note_count; i++) fprintf(out, "%s\n", table->notes[i]);
}

static void print_named(const struct table* table, enum outcome outcome, const char* title,
                        FILE* out) {
    bool first = true;
    for (size_t i = 0; i < table->count; i++) {
        if (table->rows[i].outcome != outcome) continue;
        fprintf(out, "%s%s", first ? title : ", ", table->rows[i].cells[MEASURE]);
        first = false;
    }
}

static size_t count_outcome(const struct table* table, enum outcome outcome) {
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++) count += table->rows[i].outcome == outcome;
    return count;
}

static void print_summary(const struct table* table, FILE* out) {
    size_t met = count_outcome(table, MET);
    fprintf(out, "bench: %zu of %zu bars met", met, met + count_outcome(table, NOT_MET));
    print_named(table, NOT_MET, "; not met: ", out);
    print_named(table, NOT_MEASURED, "; not measured: ", out);
    fprintf(out, "\n");
}

// ---- Statistics -------------------------------------------------------------------------------

static uint64_t total(const uint64_t histogram[BENCH_BUCKETS]) {
    uint64_t sum = 0;
    for (size_t i = 0; i < BENCH_BUCKETS; i++) sum += histogram[i];
    return sum;
}

double bench_median_cycles(const uint64_t histogram[BENCH_BUCKETS]) {
    uint64_t all = total(histogram), below = 0;
    if (all < BENCH_MINIMUM_SAMPLES) return NAN;
    size_t bucket = 0;
    while (2 * (below + histogram[bucket]) < all) below += histogram[bucket++];
    if (bucket == BENCH_BUCKETS - 1) return INFINITY;
    double into = ((double)all / 2 - (double)below) / (double)histogram[bucket];
    return ((double)bucket + into) * BENCH_BUCKET_CYCLES;
}

double bench_overflow(const uint64_t histogram[BENCH_BUCKETS]) {
    uint64_t all = total(histogram);
    return all == 0 ? NAN : (double)histogram[BENCH_BUCKETS - 1] / (double)all;
}

static int by_size(const void* left, const void* right) {
    double a = *(const double*)left, b = *(const double*)right;
    return (a > b) - (a < b);
}

double bench_median(double* values, size_t count) {
    if (count == 0) return NAN;
    qsort(values, count, sizeof *values, by_size);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

// ---- Running ----------------------------------------------------------------------------------

struct bench {
    const struct options* options;
    const struct home* home;
    struct jdk jdk;
    struct cases cases;
    const struct case_info* mixed;
    char out[PATH_MAX];
    size_t started;                            // JVMs so far
    bool failed, stopped, interrupted;         // a run failed; there is no use going on; and why
    double rates[VARIANT_COUNT][BENCH_ROUNDS]; // units per second; NAN: none
    struct table table;
};

// One JVM run. `options` is what `job` points to.
struct running {
    struct options options;
    struct case_info test;
    struct job job;
};

static void complain_end(const struct job* job) {
    const struct results_execution* execution = &job->execution;
    char end[64] = "";
    if (execution->end == RESULTS_END_EXITED)
        snprintf(end, sizeof end, "exit status %d", execution->status);
    else if (execution->end == RESULTS_END_SIGNALLED)
        snprintf(end, sizeof end, "ended by signal %d", execution->status);
    else if (execution->end == RESULTS_END_TIMED_OUT)
        snprintf(end, sizeof end, "killed at its time limit after %.1f s", execution->seconds);
    const char* note = execution->note;
    if (job->run != NULL && job->run->phase == RESULTS_PHASE_REFUSED) note = job->run->error;
    runner_complain("%s: %s%s%s (%s)", job->name, end, *end != '\0' && note != NULL ? ": " : "",
                    note != NULL ? note : "", job->directory);
}

static void open_run(struct bench* bench, enum variant variant, unsigned round,
                     struct running* running) {
    static char main_class[] = "PushPop", nothing[] = "";
    *running = (struct running){.options = *bench->options, .test = *bench->mixed};
    running->options.scope = variants[variant].scope;
    running->options.layers = variants[variant].layers;
    snprintf(running->options.agent, sizeof running->options.agent, "%s", variants[variant].agent);
    running->options.bare = variant == VARIANT_BARE;
    if (variant == VARIANT_PUSHPOP) {
        running->test.main = main_class;
        running->test.vm = running->test.agent = nothing;
    }
    struct job* job = &running->job;
    job->command = (struct command){.home = bench->home,
                                    .jdk = &bench->jdk,
                                    .options = &running->options,
                                    .mode = &modes[MODE_TIERED],
                                    .test = &running->test};
    snprintf(job->name, sizeof job->name, "%s", variants[variant].name);
    if (variant >= VARIANT_FIRST_OF_ROUND)
        snprintf(job->name, sizeof job->name, "%s-%u", variants[variant].name, round + 1);
    job_open(job, bench->out);
}

// Runs one JVM to its end. False: it gave nothing, and why has been said. The caller closes the job
// either way.
static bool go(struct bench* bench, enum variant variant, unsigned round, struct running* running) {
    *running = (struct running){.job = {.finished = true}};
    if (bench->stopped) return false;
    open_run(bench, variant, round, running);
    struct job* job = &running->job;
    job_start(job, options_time_limit(bench->options, OPTIONS_BENCH));
    bench->started++;
    while (!job->finished) {
        if (launch_wait(TICK) != 0) {
            bench->interrupted = bench->stopped = true;
            launch_kill(&job->child, RESULTS_END_INTERRUPTED);
        }
        if (!job_poll(job)) progress_show(bench->started, RUNS, job);
    }
    progress_clear();
    if (job->execution.end == RESULTS_END_EXITED && job->execution.status == 0) return true;
    bench->failed = true;
    if (bench->interrupted) return false;
    complain_end(job);
    if (job->execution.end == RESULTS_END_FAILED ||
        (job->run != NULL && job->run->phase == RESULTS_PHASE_REFUSED))
        bench->stopped = true;
    return false;
}

// The line of its standard output that begins so. False: there is none, and that has been said.
static bool find_line(struct bench* bench, const struct job* job, const char* start, char* line,
                      int size) {
    char path[JOB_PATH + 32];
    snprintf(path, sizeof path, "%s/stdout.txt", job->directory);
    FILE* file = fopen(path, "r");
    bool found = false;
    while (file != NULL && !found && fgets(line, size, file) != NULL)
        found = strncmp(line, start, strlen(start)) == 0;
    if (file != NULL) fclose(file);
    if (!found) {
        bench->failed = true;
        runner_complain("%s: no line \"%s...\" in %s", job->name, start, path);
    }
    return found;
}

// ---- Sampling ---------------------------------------------------------------------------------

// Answered samples a second in phases of one kind.
static double phase_rate(const struct results_run* run, int judging) {
    if (run->phase_answered[judging] < BENCH_MINIMUM_SAMPLES || run->phase_ns[judging] == 0)
        return NAN;
    return (double)run->phase_answered[judging] / ((double)run->phase_ns[judging] / 1e9);
}

static void set_cycles(struct row* row, enum column column, const char* what, double cycles) {
    if (isinf(cycles)) set(row, column, "%s> %d", what, BENCH_OVERFLOW_CYCLES);
    else if (!isnan(cycles)) set(row, column, "%s%.0f", what, cycles);
}

static void tell_rates(struct table* table, const char* source, enum bar bar, double bare,
                       double judging) {
    struct row* row = add_row(table, "%s: samples/s, judging", source);
    if (!isnan(judging)) set(row, VALUE, "%.0f", judging);
    if (!isnan(bare)) set(row, AGAINST, "bare handler %.0f", bare);
    set_ratio(row, judging / bare);
    judge(row, judging / bare, BAR_SAMPLES);
    row = add_row(table, "%s: samples/s, absolute", source);
    if (!isnan(judging)) set(row, VALUE, "%.0f", judging);
    judge(row, judging, bar);
}

static void tell_cycles(struct table* table, const char* source, double bare, double judged) {
    // Where a median is beyond the histogram the ratio is not known, nor is the bar met.
    double ratio = isinf(bare) ? NAN : judged / bare;
    struct row* row = add_row(table, "%s: cycles, judged sample", source);
    set_cycles(row, VALUE, "", judged);
    set_cycles(row, AGAINST, "walker call alone ", bare);
    set_ratio(row, ratio);
    judge(row, ratio, BAR_CYCLES);
}

static void note_samples(struct table* table, const char* source, const struct results_run* run) {
    if (table->note_count == NOTES) abort();
    snprintf(table->notes[table->note_count++], sizeof table->notes[0],
             "%s: %llu bare and %llu judged samples, of which %.2f %% and %.2f %% took %d cycles "
             "or more",
             source, (unsigned long long)total(run->timing_bare),
             (unsigned long long)total(run->timing_judged), 100 * bench_overflow(run->timing_bare),
             100 * bench_overflow(run->timing_judged), BENCH_OVERFLOW_CYCLES);
}

static void measure_sampling(struct bench* bench, enum variant variant, enum bar bar) {
    const char* source = variants[variant].name;
    struct running running;
    double rates[2] = {NAN, NAN}, bare = NAN, judged = NAN;
    if (go(bench, variant, 0, &running)) {
        const struct results_run* run = running.job.run;
        for (int judging = 0; judging < 2; judging++) rates[judging] = phase_rate(run, judging);
        bare = bench_median_cycles(run->timing_bare);
        judged = bench_median_cycles(run->timing_judged);
        note_samples(&bench->table, source, run);
    }
    tell_rates(&bench->table, source, bar, rates[0], rates[1]);
    tell_cycles(&bench->table, source, bare, judged);
    job_close(&running.job);
}

// ---- Push and pop -----------------------------------------------------------------------------

static void measure_pushpop(struct bench* bench) {
    struct row* row = add_row(&bench->table, "push and pop: ns a pair");
    double natives = NAN, traces = NAN, ratio = NAN;
    struct running running;
    char line[256];
    if (go(bench, VARIANT_PUSHPOP, 0, &running) &&
        find_line(bench, &running.job, "pair_native_ns ", line, sizeof line) &&
        sscanf(line, "pair_native_ns %lf pair_trace_ns %lf ratio %lf", &natives, &traces, &ratio) ==
            3) {
        set(row, VALUE, "%.1f", traces);
        set(row, AGAINST, "two empty natives %.1f", natives);
        set_ratio(row, ratio);
    }
    judge(row, ratio, BAR_PUSHPOP);
    job_close(&running.job);
}

// ---- Slow-down --------------------------------------------------------------------------------

static double units_rate(struct bench* bench, enum variant variant, unsigned round) {
    struct running running;
    char line[256];
    double units = 0, seconds = 0;
    if (go(bench, variant, round, &running) &&
        find_line(bench, &running.job, "units ", line, sizeof line) &&
        sscanf(line, "units %lf seconds %lf", &units, &seconds) != 2)
        units = 0;
    job_close(&running.job);
    return units > 0 && seconds > 0 ? units / seconds : NAN;
}

static double median_rate(const struct bench* bench, enum variant variant) {
    double rates[BENCH_ROUNDS];
    memcpy(rates, bench->rates[variant], sizeof rates);
    for (int i = 0; i < BENCH_ROUNDS; i++)
        if (isnan(rates[i])) return NAN;
    return bench_median(rates, BENCH_ROUNDS);
}

static void tell_slow_down(struct bench* bench, enum variant variant, const char* name,
                           enum bar bar) {
    struct row* row = add_row(&bench->table, "slow-down: %s", name);
    double with = median_rate(bench, variant), without = median_rate(bench, VARIANT_BARE);
    double ratio = NAN, ratios[BENCH_ROUNDS];
    if (!isnan(with)) set(row, VALUE, "%.0f units/s", with);
    if (!isnan(without)) set(row, AGAINST, "no agent %.0f units/s", without);
    if (!isnan(with) && !isnan(without)) {
        for (int i = 0; i < BENCH_ROUNDS; i++)
            ratios[i] = bench->rates[VARIANT_BARE][i] / bench->rates[variant][i];
        ratio = bench_median(ratios, BENCH_ROUNDS);
        set(row, RANGE, "%.2f to %.2f", ratios[0], ratios[BENCH_ROUNDS - 1]);
    }
    set_ratio(row, ratio);
    judge(row, ratio, bar);
}

static void measure_slow_down(struct bench* bench) {
    for (unsigned round = 0; round < BENCH_ROUNDS; round++)
        for (enum variant v = VARIANT_FIRST_OF_ROUND; v < VARIANT_COUNT; v++)
            bench->rates[v][round] = units_rate(bench, v, round);
    tell_slow_down(bench, VARIANT_APP, "app, all layers", BAR_SLOW_DOWN);
    tell_slow_down(bench, VARIANT_APP_ASYNC, "app, ground and async", BAR_NONE);
    tell_slow_down(bench, VARIANT_APP_GROUND, "app, ground alone", BAR_NONE);
    tell_slow_down(bench, VARIANT_ALL, "all, all layers", BAR_NONE);
    tell_slow_down(bench, VARIANT_ALL_GROUND, "all, ground alone", BAR_NONE);
}

// ---- All of it --------------------------------------------------------------------------------

static void choose_out(const struct bench* bench, char* path, size_t size) {
    char stamp[32];
    time_t now = time(NULL);
    struct tm parts;
    localtime_r(&now, &parts);
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &parts);
    snprintf(path, size, "out/bench-%s-%s", bench->jdk.version, stamp);
}

static int prepare(struct bench* bench, char* error, size_t size) {
    if (cases_read(bench->home->cases_list, &bench->cases, error, size) != 0) return -1;
    for (size_t i = 0; i < bench->cases.count; i++)
        if (strcmp(bench->cases.list[i].name, "mixed") == 0) bench->mixed = &bench->cases.list[i];
    if (bench->mixed == NULL) {
        snprintf(error, size, "%s has no case \"mixed\"", bench->home->cases_list);
        return -1;
    }
    if (jdk_examine(bench->options->jdk, &bench->jdk, error, size) != 0) return -1;
    char path[256];
    choose_out(bench, path, sizeof path);
    const char* wanted = bench->options->out != NULL ? bench->options->out : path;
    return output_make(wanted, bench->jdk.version, bench->out, sizeof bench->out, error, size);
}

// How busy the machine is: without it nobody can weigh the numbers.
static void tell_load(char* text, size_t size) {
    double load[1] = {NAN};
    if (getloadavg(load, 1) == 1) snprintf(text, size, "%.1f", load[0]);
    else snprintf(text, size, "unknown");
}

static int measure(struct bench* bench) {
    char before[32], after[32];
    tell_load(before, sizeof before);
    measure_sampling(bench, VARIANT_RANDOM, BAR_RANDOM_RATE);
    measure_sampling(bench, VARIANT_CLOCK, BAR_CLOCK_RATE);
    measure_pushpop(bench);
    measure_slow_down(bench);
    tell_load(after, sizeof after);
    printf("JDK %s, %s\n%ld processors, load average %s before, %s after; %g s a run, seed %llu, "
           "files in %s\n\n",
           bench->jdk.version, bench->jdk.vm, sysconf(_SC_NPROCESSORS_ONLN), before, after,
           options_seconds(bench->options), (unsigned long long)bench->options->seed, bench->out);
    print_table(&bench->table, stdout);
    print_summary(&bench->table, stdout);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        runner_complain("cannot print the table");
        return RUNNER_EXIT_HARNESS;
    }
    if (bench->interrupted) return RUNNER_EXIT_INCONCLUSIVE;
    if (bench->failed || count_outcome(&bench->table, NOT_MEASURED) != 0)
        return RUNNER_EXIT_HARNESS;
    return count_outcome(&bench->table, NOT_MET) != 0 ? RUNNER_EXIT_FAIL : RUNNER_EXIT_PASS;
}

int bench_run(const struct options* options, const struct home* home) {
    struct bench* bench = calloc(1, sizeof *bench);
    if (bench == NULL) {
        runner_complain("no memory");
        return RUNNER_EXIT_HARNESS;
    }
    bench->options = options;
    bench->home = home;
    char error[PATH_MAX + 512] = "";
    launch_prepare();
    int status = RUNNER_EXIT_HARNESS;
    if (prepare(bench, error, sizeof error) != 0) runner_complain("%s", error);
    else status = measure(bench);
    cases_free(&bench->cases);
    free(bench);
    return status;
}
