// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// All runs of a self-test: first the JVM as it is, then with the library and no fault, then every
// fault at every rate.
#include "selftest.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "output.h"
#include "progress.h"
#include "status.h"

#define CASE "mixed"

struct selftest {
    const struct selftest_options* options;
    const struct home* home;
    struct jdk jdk;
    struct cases cases;
    struct selftest_context context;
    char out[PATH_MAX], library[HOME_PATH];
    struct selftest_trial* trials;
    size_t count, next, running;
    bool interrupted;
};

// ---- What to run ------------------------------------------------------------------------------

static uint64_t needed(double rate) {
    double judged = ceil(SELFTEST_INJECTED / rate);
    if (rate >= 1) return SELFTEST_JUDGED_FULL;
    return judged > SELFTEST_JUDGED_MIN ? (uint64_t)judged : SELFTEST_JUDGED_MIN;
}

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
    struct selftest_trial* trial = add_trial(test, SELFTEST_FAULT, needed(rate));
    trial->wanted = wanted;
    trial->rate = rate;
    trial->number = number;
}

// What a fault's low rates are measured against, see SELFTEST_CALIBRATION.
static void add_calibration(struct selftest* test, const struct selftest_wanted* wanted) {
    if (wanted->fault->kind != SELFTEST_FRAMES || lowest_rate(test->options) >= 1) return;
    add_fault(test, wanted, SELFTEST_CALIBRATION, 0);
    struct selftest_trial* trial = &test->trials[test->count - 1];
    trial->calibration = true;
    trial->needed = needed(lowest_rate(test->options));
}

static int plan(struct selftest* test) {
    const struct selftest_options* options = test->options;
    size_t most = 2 + options->fault_count * (1 + options->rate_count * options->repeat);
    test->trials = calloc(most, sizeof *test->trials);
    if (test->trials == NULL) return -1;
    uint64_t judged = needed(lowest_rate(options));
    add_trial(test, SELFTEST_PLAIN, SELFTEST_PLAIN_TIMES * judged);
    add_trial(test, SELFTEST_NONE, judged);
    for (size_t f = 0; f < options->fault_count; f++) {
        const struct selftest_wanted* wanted = &options->faults[f];
        add_calibration(test, wanted);
        for (size_t r = 0; r < options->rate_count; r++)
            for (unsigned n = 0; n < options->repeat; n++)
                add_fault(test, wanted, options->rates[r], n);
    }
    return 0;
}

// ---- Preparation ------------------------------------------------------------------------------

static const struct case_info* find_case(const struct cases* cases) {
    for (size_t i = 0; i < cases->count; i++)
        if (strcmp(cases->list[i].name, CASE) == 0) return &cases->list[i];
    return NULL;
}

static int make_out(struct selftest* test, char* error, size_t size) {
    char path[PATH_MAX];
    const char* wanted = test->options->run.out;
    snprintf(path, sizeof path, "out/selftest-%s-%ld", test->jdk.version, (long)time(NULL));
    return output_make(wanted != NULL ? wanted : path, test->jdk.version, test->out,
                       sizeof test->out, error, size);
}

static int prepare(struct selftest* test, char* error, size_t size) {
    const struct home* home = test->home;
    snprintf(test->library, sizeof test->library, "%.*s/libfaults.so",
             (int)(strrchr(home->executable, '/') - home->executable), home->executable);
    const char* missing = access(test->library, R_OK) != 0 ? test->library
                          : access(home->agent, R_OK) != 0 ? home->agent
                                                           : NULL;
    if (missing != NULL) {
        snprintf(error, size, "%s: %s (make builds it)", missing, strerror(errno));
        return -1;
    }
    // LD_PRELOAD is a list, parted by these.
    if (strpbrk(test->library, " :") != NULL) {
        snprintf(error, size, "%s: nothing is preloaded from a path with a blank or : in it",
                 test->library);
        return -1;
    }
    if (cases_read(home->cases_list, &test->cases, error, size) != 0 ||
        jdk_examine(test->options->run.jdk, &test->jdk, error, size) != 0 ||
        make_out(test, error, size) != 0)
        return -1;
    test->context = (struct selftest_context){.options = test->options,
                                              .home = home,
                                              .jdk = &test->jdk,
                                              .mixed = find_case(&test->cases),
                                              .out = test->out,
                                              .library = test->library};
    if (test->context.mixed != NULL && plan(test) == 0) return 0;
    snprintf(error, size, "no memory, or no case " CASE);
    return -1;
}

// ---- Running ----------------------------------------------------------------------------------

// The first one runs alone: all others are compared with it.
static unsigned places(const struct selftest* test) {
    return test->context.plain == NULL ? 1 : test->options->run.jobs;
}

static void start_trials(struct selftest* test) {
    while (test->next < test->count && test->running < places(test)) {
        struct selftest_trial* trial = &test->trials[test->next++];
        selftest_trial_start(trial, &test->context);
        test->running += !trial->job.finished;
        if (trial->job.finished && trial->purpose == SELFTEST_PLAIN) test->interrupted = true;
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
    test->context.plain = &trial->end;
    // Without it there is nothing to compare with.
    if (trial->failed || trial->end.judged[ORACLE_LAYER_ASYNC] == 0) test->count = test->next;
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

// The run that tells what of this one's fault can be seen: at rate 1 itself.
static const struct selftest_trial* find_calibration(const struct selftest* test,
                                                     const struct selftest_trial* trial) {
    if (trial->calibration || trial->rate >= 1) return trial;
    for (size_t i = 0; i < test->count; i++)
        if (test->trials[i].wanted == trial->wanted && test->trials[i].calibration &&
            !test->trials[i].failed)
            return &test->trials[i];
    return NULL;
}

// Calibrations come first, so that their layer is known when the others are measured. What passed
// need not be kept; it is large.
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

static int tell(const struct selftest* test, const char* command, double seconds) {
    struct selftest_report report = {.command = command,
                                     .jdk = &test->jdk,
                                     .options = test->options,
                                     .plain = test->context.plain,
                                     .trials = test->trials,
                                     .count = test->count,
                                     .seconds = seconds,
                                     .interrupted = test->interrupted};
    char path[PATH_MAX + 32], summary[256];
    selftest_table(&report, stdout);
    snprintf(path, sizeof path, "%s/selftest.json", test->out);
    int status = selftest_verdict(&report, summary, sizeof summary);
    if (selftest_json(&report, path) != 0) {
        runner_complain("cannot write %s: %s", path, strerror(errno));
        if (status != RUNNER_EXIT_FAIL) status = RUNNER_EXIT_HARNESS;
    }
    printf("\nWritten to %s\n%s\n", test->out, summary);
    return status;
}

int selftest_run(const struct selftest_options* options, const struct home* home,
                 const char* command) {
    struct selftest test = {.options = options, .home = home};
    char error[PATH_MAX + 512] = "";
    launch_prepare();
    double began = launch_now();
    int status = RUNNER_EXIT_HARNESS;
    if (prepare(&test, error, sizeof error) != 0) {
        runner_complain("%s", error);
    } else {
        run_trials(&test);
        conclude(&test);
        status = tell(&test, command, launch_now() - began);
    }
    for (size_t i = 0; i < test.count; i++) job_close(&test.trials[i].job);
    free(test.trials);
    cases_free(&test.cases);
    return status;
}
