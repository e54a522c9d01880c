// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The reproducer: copied, and tried on a JDK by its own script.
#include "bug_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/launch/launch.h"

#define OUTPUT "reproducer/output.txt"
#define BUILD_SECONDS 120 // beyond its own: a compiler of C and one of Java on a busy machine
#define TICK 0.2          // seconds between looks at the time limit

// ---- What it printed --------------------------------------------------------------------------

static bool take_result(const char* line, struct bug_trial* trial) {
    uint64_t too_deep;
    int shown;
    if (sscanf(line,
               "result: wrong=%" SCNu64 " right=%" SCNu64 " refused=%" SCNu64 " too_deep=%" SCNu64
               " samples=%" SCNu64 " seconds=%lf first=%lf shown=%d",
               &trial->wrong, &trial->right, &trial->refused, &too_deep, &trial->samples,
               &trial->seconds, &trial->first, &shown) != 8)
        return false;
    trial->shown = shown != 0;
    return true;
}

bool bug_trial_read(FILE* output, struct bug_trial* trial) {
    char* line = NULL;
    size_t room = 0;
    bool found = false;
    while (getline(&line, &room, output) > 0)
        if (take_result(line, trial)) found = true;
    free(line);
    return found;
}

// ---- Running ----------------------------------------------------------------------------------

// Until it has ended. The user's signals kill it.
static void wait_for(struct launch_child* child) {
    while (!launch_poll(child))
        if (launch_wait(TICK) != 0) launch_kill(child, RESULTS_END_INTERRUPTED);
}

// What run.sh itself found wrong, in its output; else only where to look.
static void read_reason(FILE* output, struct bug_trial* trial) {
    static const char script[] = "run.sh: ";
    char* line = NULL;
    size_t room = 0;
    snprintf(trial->why, sizeof trial->why,
             "it could not be built or run, or the JVM died: see " OUTPUT);
    while (getline(&line, &room, output) > 0)
        if (strncmp(line, script, sizeof script - 1) == 0)
            snprintf(trial->why, sizeof trial->why, "%.*s; see " OUTPUT, (int)strcspn(line, "\n"),
                     line);
    free(line);
}

// Fills the trial from the script's output and end.
static void judge(const struct launch_child* child, FILE* output, struct bug_trial* trial) {
    rewind(output);
    trial->end = BUG_TRIAL_FAILED;
    if (child->end == RESULTS_END_INTERRUPTED) {
        trial->end = BUG_TRIAL_STOPPED;
        snprintf(trial->why, sizeof trial->why, "it was interrupted");
    } else if (child->end == RESULTS_END_TIMED_OUT) {
        snprintf(trial->why, sizeof trial->why, "it did not end within its time limit");
    } else if (child->end != RESULTS_END_EXITED || child->status > 1) {
        read_reason(output, trial);
    } else if (!bug_trial_read(output, trial)) {
        snprintf(trial->why, sizeof trial->why, "it gave no result: see " OUTPUT);
    } else if (trial->samples == 0) {
        snprintf(trial->why, sizeof trial->why, "it took no sample: see " OUTPUT);
    } else {
        trial->end = BUG_TRIAL_RAN;
    }
}

static int try_it(const struct bug_options* options, struct bug_package* package,
                  struct bug_trial* trial) {
    struct words words = {0};
    struct output_file file;
    struct launch_child child;
    if (bug_package_begin(package, OUTPUT, &file) != 0) return -1;
    words_add(&words, "/bin/sh");
    words_add(&words, "%s/reproducer/run.sh", package->path);
    words_add(&words, "%s", trial->jdk);
    words_add(&words, "%" PRIu64, options->seconds);
    const struct launch launch = {.words = words.list,
                                  .output = fileno(file.out),
                                  .errors = fileno(file.out),
                                  .limit = BUILD_SECONDS + (double)options->seconds,
                                  .plain_environment = true};
    int error = launch_start(&launch, &child);
    if (error == 0) wait_for(&child);
    FILE* output = error == 0 ? fopen(file.draft, "r") : NULL;
    trial->end = BUG_TRIAL_FAILED;
    if (output != NULL) judge(&child, output, trial);
    else
        snprintf(trial->why, sizeof trial->why, "/bin/sh: %s",
                 strerror(error != 0 ? error : errno));
    if (output != NULL) fclose(output);
    words_free(&words);
    return bug_package_commit(package, &file);
}

// ---- The whole --------------------------------------------------------------------------------

static int copy_parts(const char* home, const char* cause, struct bug_package* package) {
    char* program = base_text("%s/%s.java", home, cause);
    char* agent = base_text("%s/agent.c", home);
    char* script = base_text("%s/run.sh", home);
    int result = bug_package_copy(package, program, "reproducer/Reproducer.java");
    if (result == 0) result = bug_package_copy(package, agent, "reproducer/agent.c");
    if (result == 0) result = bug_package_copy(package, script, "reproducer/run.sh");
    free(program);
    free(agent);
    free(script);
    return result;
}

static bool has_reproducer(const char* home, const char* cause) {
    char* program = base_text("%s/%s.java", home, cause);
    bool there = *cause != '\0' && access(program, R_OK) == 0;
    free(program);
    return there;
}

int bug_reproduce(const struct base_call* call, const struct bug_options* options,
                  const struct bug_subject* subject, struct bug_package* package,
                  struct bug_trial* trial) {
    *trial = (struct bug_trial){.end = BUG_TRIAL_NONE};
    if (!has_reproducer(call->home->reproducers, subject->cause)) return 0;
    if (copy_parts(call->home->reproducers, subject->cause, package) != 0) return -1;
    const char* home = options->jdk != NULL ? options->jdk : subject->report->jdk_home;
    struct jdk* jdk = base_must(calloc(1, sizeof *jdk));
    int result = 0;
    trial->end = BUG_TRIAL_NOT;
    snprintf(trial->jdk, sizeof trial->jdk, "%s", home);
    if (options->seconds == 0) {
        snprintf(trial->why, sizeof trial->why, "--seconds 0 was given");
    } else if (jdk_examine(home, jdk, trial->why, sizeof trial->why) == 0) {
        snprintf(trial->jdk, sizeof trial->jdk, "%s", jdk->home);
        snprintf(trial->vm, sizeof trial->vm, "%s", jdk->vm);
        result = try_it(options, package, trial);
    } else if (jdk->interrupted) {
        trial->end = BUG_TRIAL_STOPPED;
    } else if (options->jdk != NULL) { // the run's own may have gone since
        result = base_reason(-1, package->error, sizeof package->error, "%s", trial->why);
    }
    free(jdk);
    return result;
}
