// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "plan_command.h"

#include <stdio.h>
#include <stdlib.h>

#include "runner/launch/launch.h"
#include "plan.h"
#include "runner/options/options.h"
#include "runner/base/base.h"

#define OUT "out/shares"

struct printing {
    const struct options* options;
    const struct cases* cases;
    const struct programs* programs;
    const struct home* home;
    int feature;
    int argc;
    char** argv;
};

// "--jobs" stays: a share is one JVM, and who runs the lines says how many run at a time.
static void print_line(const struct printing* printing, unsigned shard, unsigned shards,
                       const struct plan_entry* entry) {
    const struct options* options = printing->options;
    const char* const values[] = {options->out};
    struct words words = {0};
    char name[PLAN_NAME];
    words_add(&words, "%s", printing->home->executable);
    words_add(&words, "validate");
    rest_add(1, printing->argc, printing->argv, values, 1, &words);
    words_add(&words, "--shard");
    words_add(&words, "%u/%u", shard, shards);
    words_add(&words, "--out");
    words_add(&words, "%s/%u", options->out != NULL ? options->out : OUT, shard);
    char* line = words_join(words.list, words.count);
    printf("%s # %s\n", line, plan_name(entry, name));
    free(line);
    words_free(&words);
}

static int make(const struct printing* printing, const struct options* options, struct plan* plan,
                char* error, size_t size) {
    return plan_make(options, printing->cases, printing->programs, printing->feature, plan, error,
                     size);
}

static int print_lines(const struct printing* printing, char* error, size_t size) {
    struct plan plan;
    struct options one = *printing->options;
    int status = make(printing, &one, &plan, error, size);
    if (status != 0) return status;
    one.shards = (unsigned)plan.count;
    plan_free(&plan);
    for (one.shard = 1; status == 0 && one.shard <= one.shards; one.shard++) {
        status = make(printing, &one, &plan, error, size);
        if (status != 0) break;
        print_line(printing, one.shard, one.shards, &plan.entries[0]);
        plan_free(&plan);
    }
    return status;
}

// What makes no sense of a plan, with the reason. False: nothing.
static bool refuses(const struct options* options, char* error, size_t size) {
    if (options->shards != 0)
        snprintf(error, size, "plan: --shard %u/%u: every line of a plan is a share of its own",
                 options->shard, options->shards);
    else if (options->resume != NULL)
        snprintf(error, size,
                 "plan: --resume: every line of a plan is a session of its own, in a directory of "
                 "its own (--out)");
    else if (options->jdk_count > 1)
        snprintf(error, size,
                 "plan: %u times --jdk: merge joins runs of one JDK, so make a plan for each",
                 options->jdk_count);
    else return false;
    return true;
}

// The list that the preset is of.
static int read_list(const struct options* options, const struct home* home, struct cases* cases,
                     struct programs* programs, char* error, size_t size) {
    return options->programs ? programs_read(home->programs_list, programs, error, size)
                             : cases_read(home->cases_list, cases, error, size);
}

int plan_command(const struct options* options, const struct home* home, int argc, char** argv) {
    char error[PATH_MAX + 512] = "", directory[PATH_MAX], cache[HOME_PATH + 8];
    struct cases cases = {0};
    struct programs programs = {0};
    static struct jdk jdk; // large
    int status = RUNNER_EXIT_HARNESS;
    snprintf(cache, sizeof cache, "%s/jdks", home->cache);
    if (refuses(options, error, sizeof error)) {
        status = RUNNER_EXIT_USAGE;
    } else if (read_list(options, home, &cases, &programs, error, sizeof error) == 0 &&
               locate_jdk(options->jdk, cache, directory, error, sizeof error) == 0 &&
               jdk_examine(directory, &jdk, error, sizeof error) == 0) {
        const struct printing printing = {options,     &cases, &programs, home,
                                          jdk.feature, argc,   argv};
        status = print_lines(&printing, error, sizeof error);
    }
    if (status == 0 && (fflush(stdout) != 0 || ferror(stdout))) {
        snprintf(error, sizeof error, "cannot print the plan");
        status = RUNNER_EXIT_HARNESS;
    }
    if (status != 0) runner_complain("%s", error);
    programs_free(&programs);
    cases_free(&cases);
    return status;
}
