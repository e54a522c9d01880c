// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Runs the programs, takes the numbers out of their files, and compares them with the bars.
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/job/job.h"
#include "runner/lists/lists.h"
#include "runner/options/options.h"
#include "bench_parts.h"

#define ROUNDS 3

#define TICK 0.2 // seconds between looks at the time limit

#define LAYERS_ALL ORACLE_LAYERS_ALWAYS
#define LAYERS_GROUND (1u << ORACLE_LAYER_GROUND)
#define LAYERS_ASYNC (LAYERS_GROUND | 1u << ORACLE_LAYER_ASYNC)

// A slow-down is that of a warm JVM. So its runs are longer, and their second half counts. In scope
// `all` the compilers need two to four times the CPU time: every method of the JDK is longer.
#define LONGER 2
#define LONGER_ALL 4

// NAME, text, mode, scope, layers, how many times as long, agent options.
#define VARIANTS(V)                                                                                \
    V(RANDOM, "random", TIERED, "app", LAYERS_ALL, 1, "source=random,interval=100,bench=1")        \
    V(CLOCK, "clock", TIERED, "app", LAYERS_ALL, 1, "source=clock,interval=100,bench=1")           \
    V(PUSHPOP, "pushpop", TIERED, "app", LAYERS_GROUND, 1, "checks=0")                             \
    V(PUSHPOP_INT, "pushpop-int", INT, "app", LAYERS_GROUND, 1, "checks=0")                        \
    V(PUSHPOP_C1, "pushpop-c1", C1, "app", LAYERS_GROUND, 1, "checks=0")                           \
    V(PUSHPOP_C2, "pushpop-c2", C2, "app", LAYERS_GROUND, 1, "checks=0")                           \
    V(BARE, "bare", TIERED, "none", 0, LONGER, "")                                                 \
    V(APP, "app", TIERED, "app", LAYERS_ALL, LONGER, "")                                           \
    V(APP_ASYNC, "app-async", TIERED, "app", LAYERS_ASYNC, LONGER, "")                             \
    V(APP_SIGNALS, "app-signals", TIERED, "app", LAYERS_ASYNC, LONGER, "bench=2")                  \
    V(APP_GROUND, "app-ground", TIERED, "app", LAYERS_GROUND, LONGER, "")                          \
    V(ALL, "all", TIERED, "all", LAYERS_ALL, LONGER_ALL, "")                                       \
    V(ALL_GROUND, "all-ground", TIERED, "all", LAYERS_GROUND, LONGER_ALL, "")

enum variant {
#define VARIANT_ENUM(name, text, mode, scope, layers, longer, agent) VARIANT_##name,
    VARIANTS(VARIANT_ENUM)
#undef VARIANT_ENUM
        VARIANT_COUNT
};
// Those from here on are run once a round, the others once.
#define VARIANT_FIRST_OF_ROUND VARIANT_BARE
#define RUNS (VARIANT_FIRST_OF_ROUND + ROUNDS * (VARIANT_COUNT - VARIANT_FIRST_OF_ROUND))

static const struct {
    const char* name;
    const struct mode* mode;
    const char* scope;
    uint32_t layers;
    unsigned longer;
    const char* agent;
} variants[VARIANT_COUNT] = {
#define VARIANT_ROW(name, text, mode, scope, layers, longer, agent)                                \
    {text, &modes[MODE_##mode], scope, layers, longer, agent},
    VARIANTS(VARIANT_ROW)
#undef VARIANT_ROW
};

// The parts of a run that a rate is of.
enum part {
    PART_WHOLE,
    PART_LATE, // the second half: what the JIT compiles at the start is compiled
    PART_COUNT
};

// ---- Running ----------------------------------------------------------------------------------

struct bench {
    struct options options;
    const struct home* home;
    struct jdk jdk;
    struct lists lists;
    const struct case_info* mixed;
    char out[PATH_MAX];
    size_t started;                    // JVMs so far
    bool failed, stopped, interrupted; // a run failed; there is no use going on; and why
    // Units per second; NAN: none.
    double rates[PART_COUNT][VARIANT_COUNT][ROUNDS];
    struct table table;
};

// One JVM run. `job` points to `options`.
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
    *running = (struct running){.options = bench->options, .test = *bench->mixed};
    running->options.scope = variants[variant].scope;
    running->options.layers = variants[variant].layers;
    running->options.seconds = variants[variant].longer * options_seconds(&bench->options);
    snprintf(running->options.agent, sizeof running->options.agent, "%s", variants[variant].agent);
    running->options.bare = variant == VARIANT_BARE;
    if (variant >= VARIANT_PUSHPOP && variant <= VARIANT_PUSHPOP_C2) {
        running->test.main = main_class;
        running->test.vm = running->test.agent = nothing;
    }
    struct job* job = &running->job;
    job->command = (struct command){.home = bench->home,
                                    .jdk = &bench->jdk,
                                    .options = &running->options,
                                    .mode = variants[variant].mode,
                                    .test = &running->test};
    snprintf(job->name, sizeof job->name, "%s", variants[variant].name);
    if (variant >= VARIANT_FIRST_OF_ROUND)
        snprintf(job->name, sizeof job->name, "%s-%u", variants[variant].name, round + 1);
    job_open(job, bench->out);
}

// Runs one JVM to its end. False after a message: it gave no result. The caller closes the job
// either way.
static bool go(struct bench* bench, enum variant variant, unsigned round, struct running* running) {
    *running = (struct running){.job = {.finished = true}};
    if (bench->stopped) return false;
    open_run(bench, variant, round, running);
    struct job* job = &running->job;
    job_start(job, options_time_limit(&running->options, OPTIONS_BENCH));
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

// Finds the line of its standard output that begins with `start`. False after a message: there is
// none.
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
    if (isinf(cycles)) table_set(row, column, "%s> %d", what, BENCH_OVERFLOW_CYCLES);
    else if (!isnan(cycles)) table_set(row, column, "%s%.0f", what, cycles);
}

static void tell_rates(struct table* table, const char* source, enum bar bar, double bare,
                       double judging) {
    struct row* row = table_add(table, "%s: samples/s, judging", source);
    if (!isnan(judging)) table_set(row, VALUE, "%.0f", judging);
    if (!isnan(bare)) table_set(row, AGAINST, "bare handler %.0f", bare);
    table_set_ratio(row, judging / bare);
    table_judge(row, judging / bare, BAR_SAMPLES);
    row = table_add(table, "%s: samples/s, absolute", source);
    if (!isnan(judging)) table_set(row, VALUE, "%.0f", judging);
    table_judge(row, judging, bar);
}

static void tell_cycles(struct table* table, const char* source, double bare, double judged) {
    // If a median lies beyond the histogram, the ratio is unknown and the bar is not met.
    double ratio = isinf(bare) ? NAN : judged / bare;
    struct row* row = table_add(table, "%s: cycles, judged sample", source);
    set_cycles(row, VALUE, "", judged);
    set_cycles(row, AGAINST, "walker call alone ", bare);
    table_set_ratio(row, ratio);
    table_judge(row, ratio, BAR_CYCLES);
}

static void note_samples(struct table* table, const char* source, const struct results_run* run) {
    table_note(table,
               "%s: %llu bare and %llu judged samples, of which %.2f %% and %.2f %% took %d cycles "
               "or more",
               source, (unsigned long long)bench_total(run->timing_bare),
               (unsigned long long)bench_total(run->timing_judged),
               100 * bench_overflow(run->timing_bare), 100 * bench_overflow(run->timing_judged),
               BENCH_OVERFLOW_CYCLES);
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

// Pairs' times in ns.
struct pairs {
    double natives, traces, ratio, empty;
};

static void run_pairs(struct bench* bench, enum variant variant, struct pairs* p) {
    struct running running;
    char line[256];
    *p = (struct pairs){NAN, NAN, NAN, NAN};
    if (go(bench, variant, 0, &running) &&
        find_line(bench, &running.job, "pair_native_ns ", line, sizeof line) &&
        sscanf(line, "pair_native_ns %lf pair_trace_ns %lf ratio %lf empty_ns %lf", &p->natives,
               &p->traces, &p->ratio, &p->empty) != 4)
        *p = (struct pairs){NAN, NAN, NAN, NAN};
    job_close(&running.job);
}

static void measure_pushpop(struct bench* bench) {
    struct row* row = table_add(&bench->table, "push and pop: ns a pair");
    struct pairs pairs;
    run_pairs(bench, VARIANT_PUSHPOP, &pairs);
    if (!isnan(pairs.traces)) {
        table_set(row, VALUE, "%.1f", pairs.traces);
        table_set(row, AGAINST, "two empty natives %.1f", pairs.natives);
        table_set_ratio(row, pairs.ratio);
    }
    table_judge(row, pairs.ratio, BAR_PUSHPOP);
    for (enum variant v = VARIANT_PUSHPOP_INT; v <= VARIANT_PUSHPOP_C2; v++) {
        row = table_add(&bench->table, "push and pop, %s: ns a pair", variants[v].mode->name);
        run_pairs(bench, v, &pairs);
        if (!isnan(pairs.traces)) {
            table_set(row, VALUE, "%.1f", pairs.traces);
            table_set(row, AGAINST, "an empty loop %.1f", pairs.empty);
        }
        table_judge(row, pairs.traces, BAR_NONE);
    }
}

// ---- Slow-down --------------------------------------------------------------------------------

static void measure_units(struct bench* bench, enum variant variant, unsigned round) {
    struct running running;
    char line[256];
    double units[PART_COUNT] = {0}, seconds[PART_COUNT] = {0};
    if (go(bench, variant, round, &running) &&
        find_line(bench, &running.job, "units ", line, sizeof line) &&
        sscanf(line, "units %lf seconds %lf late %lf of %lf", &units[PART_WHOLE],
               &seconds[PART_WHOLE], &units[PART_LATE], &seconds[PART_LATE]) != 4)
        units[PART_WHOLE] = units[PART_LATE] = 0;
    job_close(&running.job);
    for (int part = 0; part < PART_COUNT; part++)
        bench->rates[part][variant][round] =
            units[part] > 0 && seconds[part] > 0 ? units[part] / seconds[part] : NAN;
}

static double median_rate(const double given[ROUNDS]) {
    double rates[ROUNDS];
    memcpy(rates, given, sizeof rates);
    for (int i = 0; i < ROUNDS; i++)
        if (isnan(rates[i])) return NAN;
    return bench_median(rates, ROUNDS);
}

static void tell_slow_down(struct bench* bench, enum part part, enum variant variant,
                           const char* name, enum bar bar) {
    struct row* row = table_add(&bench->table, "slow-down: %s", name);
    const double *all = bench->rates[part][variant], *bare = bench->rates[part][VARIANT_BARE];
    double with = median_rate(all), without = median_rate(bare);
    double ratio = NAN, ratios[ROUNDS];
    if (!isnan(with)) table_set(row, VALUE, "%.0f units/s", with);
    if (!isnan(without)) table_set(row, AGAINST, "no agent %.0f units/s", without);
    if (!isnan(with) && !isnan(without)) {
        for (int i = 0; i < ROUNDS; i++) ratios[i] = bare[i] / all[i];
        ratio = bench_median(ratios, ROUNDS);
        table_set(row, RANGE, "%.2f to %.2f", ratios[0], ratios[ROUNDS - 1]);
    }
    table_set_ratio(row, ratio);
    table_judge(row, ratio, bar);
}

static void measure_slow_down(struct bench* bench) {
    for (unsigned round = 0; round < ROUNDS; round++)
        for (enum variant v = VARIANT_FIRST_OF_ROUND; v < VARIANT_COUNT; v++)
            measure_units(bench, v, round);
    tell_slow_down(bench, PART_LATE, VARIANT_APP, "app, all layers", BAR_SLOW_DOWN_APP);
    tell_slow_down(bench, PART_LATE, VARIANT_APP_ASYNC, "app, ground and async", BAR_NONE);
    tell_slow_down(bench, PART_LATE, VARIANT_APP_SIGNALS, "app, ground and bare signals", BAR_NONE);
    tell_slow_down(bench, PART_LATE, VARIANT_APP_GROUND, "app, ground alone", BAR_NONE);
    tell_slow_down(bench, PART_WHOLE, VARIANT_APP, "app, with the start", BAR_NONE);
    tell_slow_down(bench, PART_LATE, VARIANT_ALL, "all, all layers", BAR_SLOW_DOWN_ALL);
    tell_slow_down(bench, PART_LATE, VARIANT_ALL_GROUND, "all, ground alone", BAR_NONE);
    tell_slow_down(bench, PART_WHOLE, VARIANT_ALL, "all, with the start", BAR_NONE);
}

// ---- All of it --------------------------------------------------------------------------------

// 0, or an exit status with the reason in `error`.
static int prepare(struct bench* bench, char* error, size_t size) {
    const struct home* home = bench->home;
    char name[96];
    if (lists_read(&bench->lists, LISTS_CASES, home, error, size) != 0) return RUNNER_EXIT_HARNESS;
    bench->mixed = cases_find(&bench->lists.cases, "mixed");
    if (bench->mixed == NULL)
        return base_reason(RUNNER_EXIT_HARNESS, error, size, "%s has no case \"mixed\"",
                           home->cases_list);
    if (jdk_find(bench->options.jdk, home->jdks, &bench->jdk, error, size) != 0)
        return jdk_exit_status(&bench->jdk);
    snprintf(name, sizeof name, "bench-%s", bench->jdk.version);
    bool made = output_make(bench->options.out, name, bench->out, error, size) == 0;
    return made ? 0 : RUNNER_EXIT_HARNESS;
}

// The machine's load, without which the numbers cannot be weighed.
static void tell_load(char* text, size_t size) {
    double load[1] = {NAN};
    if (getloadavg(load, 1) == 1) snprintf(text, size, "%.1f", load[0]);
    else snprintf(text, size, "unknown");
}

static int measure(struct bench* bench) {
    const double seconds = options_seconds(&bench->options);
    char before[32], after[32];
    tell_load(before, sizeof before);
    measure_sampling(bench, VARIANT_RANDOM, BAR_RANDOM_RATE);
    measure_sampling(bench, VARIANT_CLOCK, BAR_CLOCK_RATE);
    measure_pushpop(bench);
    measure_slow_down(bench);
    tell_load(after, sizeof after);
    printf("JDK %s, %s\n%ld processors, load average %s before, %s after; %g s a run, %g and (in "
           "scope all) %g for a slow-down, seed %llu, files in %s\n\n",
           bench->jdk.version, bench->jdk.vm, sysconf(_SC_NPROCESSORS_ONLN), before, after, seconds,
           LONGER * seconds, LONGER_ALL * seconds, (unsigned long long)bench->options.seed,
           bench->out);
    table_print(&bench->table, stdout);
    table_print_summary(&bench->table, stdout);
    if (runner_printed(0) != 0) return RUNNER_EXIT_HARNESS;
    if (bench->interrupted) return RUNNER_EXIT_INCONCLUSIVE;
    if (bench->failed || table_count(&bench->table, NOT_MEASURED) != 0) return RUNNER_EXIT_HARNESS;
    return table_count(&bench->table, NOT_MET) != 0 ? RUNNER_EXIT_FAIL : RUNNER_EXIT_PASS;
}

int bench_command(const struct base_call* call) {
    char error[PATH_MAX + 512] = "";
    struct bench* bench = base_must(calloc(1, sizeof *bench)); // too much for a stack
    bench->home = call->home;
    int status = options_parse(OPTIONS_BENCH, call, &bench->options);
    if (status == 0) {
        launch_prepare();
        status = prepare(bench, error, sizeof error);
        if (status != 0) runner_complain("%s", error);
        else status = measure(bench);
    }
    lists_free(&bench->lists);
    free(bench);
    return status;
}
