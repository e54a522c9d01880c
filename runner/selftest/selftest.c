// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// All runs of a self-test, case by case: first the JVM as it is, then with the library and no
// fault, then every fault at every rate.
#include "selftest.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/launch/launch.h"
#include "runner/plan/plan.h"
#include "selftest_parts.h"

// The runs of one case.
struct selftest {
    const struct selftest_options* options;
    struct selftest_context context;
    struct selftest_plain* plain;
    char out[PATH_MAX];
    struct selftest_trial* trials;
    size_t count, next, running;
    bool interrupted;
};

#define SUMMARY 256
// All of them.
struct whole {
    const struct selftest_options* options;
    const struct home* home;
    const char* command;
    struct jdk jdk;
    struct lists lists;
    struct plan plan; // an entry for each case
    char out[PATH_MAX], library[HOME_PATH];
    char (*summaries)[SUMMARY]; // as the plan's entries
    int status;
    bool interrupted;
};

// ---- What to run ------------------------------------------------------------------------------

static double lowest_rate(const struct selftest_options* options) {
    double lowest = 1;
    for (size_t i = 0; i < options->rate_count; i++) lowest = fmin(lowest, options->rates[i]);
    return lowest;
}

static struct selftest_trial* add_trial(struct selftest* test, enum selftest_purpose purpose,
                                        uint64_t judged) {
    struct selftest_trial* trial = &test->trials[test->count++];
    *trial = (struct selftest_trial){
        .purpose = purpose, .rate = 1, .needed = judged, .limit = test->options->run.seconds};
    return trial;
}

static void add_fault(struct selftest* test, const struct selftest_wanted* wanted, double rate,
                      unsigned number) {
    struct selftest_trial* trial = add_trial(test, SELFTEST_FAULT, selftest_needed(rate));
    trial->wanted = wanted;
    trial->rate = rate;
    trial->number = number;
}

// Adds the reference for a fault's low rates, see SELFTEST_CALIBRATION.
static void add_calibration(struct selftest* test, const struct selftest_wanted* wanted) {
    if (wanted->fault->kind != SELFTEST_FRAMES || lowest_rate(test->options) >= 1) return;
    add_fault(test, wanted, SELFTEST_CALIBRATION, 0);
    struct selftest_trial* trial = &test->trials[test->count - 1];
    trial->calibration = true;
    trial->needed = selftest_needed(lowest_rate(test->options));
}

static void plan(struct selftest* test) {
    const struct selftest_options* options = test->options;
    size_t most = SELFTEST_PLAIN_RUNS + 1 +
                  options->fault_count * (1 + options->rate_count * options->repeat);
    test->trials = base_must(calloc(most, sizeof *test->trials));
    test->plain = base_must(calloc(1, sizeof *test->plain));
    uint64_t judged = selftest_needed(lowest_rate(options));
    for (unsigned i = 0; i < SELFTEST_PLAIN_RUNS; i++)
        add_trial(test, SELFTEST_PLAIN, judged)->number = i;
    add_trial(test, SELFTEST_NONE, judged);
    for (size_t f = 0; f < options->fault_count; f++) {
        const struct selftest_wanted* wanted = &options->faults[f];
        add_calibration(test, wanted);
        for (size_t r = 0; r < options->rate_count; r++)
            for (unsigned n = 0; n < options->repeat; n++)
                add_fault(test, wanted, options->rates[r], n);
    }
}

// ---- Preparation ------------------------------------------------------------------------------

static int find_library(struct whole* whole, char* error, size_t size) {
    const struct home* home = whole->home;
    home_beside(home, whole->jdk.foreign, "libfaults.so", whole->library);
    const char* missing = access(whole->library, R_OK) != 0 ? whole->library
                          : access(home->agent, R_OK) != 0  ? home->agent
                                                            : NULL;
    if (missing != NULL)
        return base_reason(-1, error, size, "%s: %s (make builds it)", missing, strerror(errno));
    // LD_PRELOAD is a list, separated by these.
    if (strpbrk(whole->library, " :") == NULL) return 0;
    return base_reason(-1, error, size,
                       "%s: nothing is preloaded from a path with a blank or : in it",
                       whole->library);
}

// 0, or an exit status with the reason in `error`.
static int prepare(struct whole* whole, char* error, size_t size) {
    char name[96];
    if (lists_read(&whole->lists, LISTS_CASES, whole->home, error, size) != 0)
        return RUNNER_EXIT_HARNESS;
    if (jdk_examine(whole->options->run.jdk, &whole->jdk, error, size) != 0)
        return jdk_exit_status(&whole->jdk);
    if (find_library(whole, error, size) != 0) return RUNNER_EXIT_HARNESS;
    int status = plan_make(&whole->options->run, &whole->lists, whole->jdk.feature, &whole->plan,
                           error, size);
    if (status != 0) return status;
    snprintf(name, sizeof name, "selftest-%s", whole->jdk.version);
    if (output_make(whole->options->run.out, name, whole->out, error, size) != 0)
        return RUNNER_EXIT_HARNESS;
    whole->summaries = base_must(calloc(whole->plan.count, sizeof *whole->summaries));
    return 0;
}

// One case writes into --out itself, several each into a directory of its name.
static int open_case(const struct whole* whole, const struct case_info* test,
                     struct selftest* selftest, char* error, size_t size) {
    *selftest = (struct selftest){.options = whole->options,
                                  .context = {.options = whole->options,
                                              .home = whole->home,
                                              .jdk = &whole->jdk,
                                              .test = test,
                                              .library = whole->library}};
    snprintf(selftest->out, sizeof selftest->out, "%s", whole->out);
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", whole->out, test->name);
    if (whole->plan.count > 1 && output_make(path, "", selftest->out, error, size) != 0) return -1;
    selftest->context.out = selftest->out;
    plan(selftest);
    return 0;
}

// ---- Running ----------------------------------------------------------------------------------

// All others are compared with the unspoilt ones, which come first.
static bool may_start(const struct selftest* test) {
    if (test->next == test->count || test->running >= test->options->run.jobs) return false;
    const struct selftest_trial* next = &test->trials[test->next];
    if (next->purpose != SELFTEST_PLAIN) return test->context.plain != NULL;
    // The first ones say whether more are needed.
    return next->number < SELFTEST_PLAIN_FEW || test->plain->count >= SELFTEST_PLAIN_FEW;
}

static void leave_out_plain(struct selftest* test) {
    struct selftest_trial* next = &test->trials[test->next];
    size_t rest = test->count - test->next, out = 0;
    while (out < rest && next[out].purpose == SELFTEST_PLAIN) out++;
    memmove(next, next + out, (rest - out) * sizeof *next);
    test->count -= out;
}

static void start_trials(struct selftest* test) {
    while (may_start(test)) {
        struct selftest_trial* trial = &test->trials[test->next++];
        selftest_trial_start(trial, &test->context);
        test->running += !trial->job.finished;
        // Without all unspoilt runs there is nothing to compare with.
        if (trial->job.finished && trial->purpose == SELFTEST_PLAIN) test->count = test->next;
    }
}

static void interrupt(struct selftest* test) {
    test->interrupted = true;
    for (size_t i = 0; i < test->next; i++)
        if (!test->trials[i].job.finished)
            launch_kill(&test->trials[i].job.child, RESULTS_END_INTERRUPTED);
}

static void book_end(struct selftest* test, const struct selftest_trial* trial) {
    test->running--;
    if (trial->purpose != SELFTEST_PLAIN) return;
    if (trial->failed || selftest_progress(trial, &trial->end) == 0) test->count = test->next;
    else selftest_plain_add(test->plain, trial);
    bool enough = test->plain->count == SELFTEST_PLAIN_FEW && !selftest_plain_differs(test->plain);
    if (enough) leave_out_plain(test);
    if (enough || test->plain->count == SELFTEST_PLAIN_RUNS) test->context.plain = test->plain;
}

static void run_trials(struct selftest* test) {
    for (;;) {
        if (!test->interrupted) start_trials(test);
        if (test->running == 0) break;
        if (launch_wait(SELFTEST_LOOK) != 0) interrupt(test);
        for (size_t i = 0; i < test->next; i++) {
            if (selftest_trial_look(&test->trials[i], &test->context))
                book_end(test, &test->trials[i]);
            else if (!test->trials[i].job.finished)
                progress_show(i + 1, test->count, &test->trials[i].job);
        }
    }
    test->count = test->next;
    progress_clear();
}

// ---- Concluding -------------------------------------------------------------------------------

// The run that shows which share of this one's fault can be seen; at rate 1 the run itself.
static const struct selftest_trial* find_calibration(const struct selftest* test,
                                                     const struct selftest_trial* trial) {
    if (trial->calibration || trial->rate >= 1) return trial;
    for (size_t i = 0; i < test->count; i++)
        if (test->trials[i].wanted == trial->wanted && test->trials[i].calibration &&
            !test->trials[i].failed)
            return &test->trials[i];
    return NULL;
}

// Calibrations come first, so that their layer is known when the others are measured. The large
// files of runs that passed are removed.
static void conclude(struct selftest* test) {
    for (int rest = 0; rest < 2; rest++)
        for (size_t i = 0; i < test->count; i++) {
            struct selftest_trial* trial = &test->trials[i];
            if (trial->failed || trial->calibration != (rest == 0)) continue;
            if (trial->purpose == SELFTEST_FAULT && test->context.plain == NULL) continue;
            selftest_conclude(trial, test->context.plain,
                              trial->purpose == SELFTEST_FAULT ? find_calibration(test, trial)
                                                               : NULL);
            char path[JOB_PATH + 32];
            snprintf(path, sizeof path, "%s/run.plumbline", trial->job.directory);
            if (trial->passed && trial->purpose == SELFTEST_FAULT) unlink(path);
        }
}

static int tell(const struct whole* whole, const struct selftest* test, double seconds,
                char summary[SUMMARY]) {
    struct selftest_report report = {.command = whole->command,
                                     .test = test->context.test->name,
                                     .jdk = &whole->jdk,
                                     .options = test->options,
                                     .plain = test->context.plain,
                                     .trials = test->trials,
                                     .count = test->count,
                                     .seconds = seconds,
                                     .interrupted = test->interrupted};
    char path[PATH_MAX + 32];
    selftest_table(&report, stdout);
    snprintf(path, sizeof path, "%s/selftest.json", test->out);
    int status = selftest_verdict(&report, summary, SUMMARY);
    if (selftest_json(&report, path) != 0) {
        runner_complain("cannot write %s: %s", path, strerror(errno));
        if (status != RUNNER_EXIT_FAIL) status = RUNNER_EXIT_HARNESS;
    }
    printf("\nWritten to %s\n%s\n", test->out, summary);
    return runner_printed(status);
}

static int run_case(struct whole* whole, const struct case_info* test, char summary[SUMMARY]) {
    struct selftest selftest;
    char error[PATH_MAX + 512] = "";
    double began = launch_now();
    int status = RUNNER_EXIT_HARNESS;
    if (open_case(whole, test, &selftest, error, sizeof error) != 0) {
        runner_complain("%s", error);
        snprintf(summary, SUMMARY, "HARNESS: %.200s", error);
    } else {
        run_trials(&selftest);
        conclude(&selftest);
        status = tell(whole, &selftest, launch_now() - began, summary);
    }
    whole->interrupted = selftest.interrupted;
    for (size_t i = 0; i < selftest.count; i++) job_close(&selftest.trials[i].job);
    free(selftest.trials);
    free(selftest.plain);
    return status;
}

static void run_cases(struct whole* whole) {
    const struct plan* plan = &whole->plan;
    for (size_t i = 0; i < plan->count && !whole->interrupted; i++) {
        const struct plan_entry* entry = &plan->entries[i];
        if (entry->feature != 0) {
            char needs[PLAN_NEEDS];
            snprintf(whole->summaries[i], SUMMARY, "SKIP: it %s", plan_needs(entry, needs));
            continue;
        }
        whole->status =
            runner_worse(whole->status, run_case(whole, entry->test, whole->summaries[i]));
        if (plan->count > 1) printf("\n");
    }
    for (size_t i = 0; i < plan->count && plan->count > 1; i++)
        printf("%-14s %s\n", plan->entries[i].test->name,
               *whole->summaries[i] != '\0' ? whole->summaries[i] : "not run");
}

int selftest_command(const struct base_call* call) {
    struct selftest_options options;
    struct whole whole = {.options = &options, .home = call->home, .command = call->line};
    char error[PATH_MAX + 512] = "";
    int status = selftest_options_parse(call, &options);
    if (status != 0) return status;
    launch_prepare();
    whole.status = prepare(&whole, error, sizeof error);
    if (whole.status != 0) runner_complain("%s", error);
    else run_cases(&whole);
    free(whole.summaries);
    plan_free(&whole.plan);
    lists_free(&whole.lists);
    return whole.status;
}
