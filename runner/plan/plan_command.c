// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
// plumbline plan: the runs of validate as independent commands.
#include <stdlib.h>

#include "plan.h"
#include "runner/jdk/jdk.h"

#define OUT "out/shares"

struct printing {
    const struct base_call* call;
    struct options options;
    struct lists lists;
    struct jdk jdk;
};

// "--jobs" stays: a share is one JVM, and the user of the lines decides how many run at a time.
static void print_line(const struct printing* printing, unsigned shard, unsigned shards,
                       const struct plan_entry* entry) {
    const char* out = printing->options.out;
    struct words words = {0};
    char name[PLAN_NAME];
    words_add(&words, "%s", printing->call->home->executable);
    words_add(&words, "validate");
    arguments_hand_on(printing->call, &out, 1, &words);
    if (printing->options.jdk_whence != NULL)
        words_add_option(&words, "--jdk", "%s", printing->options.jdk);
    words_add_option(&words, "--shard", "%u/%u", shard, shards);
    words_add_option(&words, "--out", "%s/%u", out != NULL ? out : OUT, shard);
    char* line = words_join(words.list, words.count);
    printf("%s # %s\n", line, plan_name(entry, name));
    free(line);
    words_free(&words);
}

static int make(const struct printing* printing, const struct options* options, struct plan* plan,
                char* error, size_t size) {
    return plan_make(options, &printing->lists, printing->jdk.feature, plan, error, size);
}

static int print_lines(const struct printing* printing, char* error, size_t size) {
    struct plan plan;
    struct options one = printing->options;
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

// A word with a newline, or another control character, that no line of a plan can hold.
static const char* unprintable(const struct base_call* call) {
    for (int i = 1; i < call->argc; i++)
        for (const char* at = call->argv[i]; *at != '\0'; at++)
            if ((unsigned char)*at < ' ' || *at == 0x7f) return call->argv[i];
    return NULL;
}

// Options that make no sense for a plan, with the reason. False: there are none.
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

// 0, or an exit status with the reason: the options, the preset's list, the JDK.
static int prepare(struct printing* printing, char* error, size_t size) {
    const struct options* options = &printing->options;
    const struct home* home = printing->call->home;
    const char* word = unprintable(printing->call);
    if (word != NULL)
        return base_reason(RUNNER_EXIT_USAGE, error, size,
                           "plan: \"%s\" has a control character: a command of a plan is one line",
                           word);
    if (refuses(options, error, size)) return RUNNER_EXIT_USAGE;
    unsigned which = options->programs ? LISTS_PROGRAMS : LISTS_CASES;
    if (lists_read(&printing->lists, which, home, error, size) != 0 ||
        jdk_find(options->jdk, home->jdks, &printing->jdk, error, size) != 0)
        return RUNNER_EXIT_HARNESS;
    return 0;
}

int plan_command(const struct base_call* call) {
    char error[PATH_MAX + 512] = "";
    struct printing* printing = base_must(calloc(1, sizeof *printing)); // too much for a stack
    printing->call = call;
    int status = options_parse(OPTIONS_PLAN, call, &printing->options);
    if (status == 0) {
        status = prepare(printing, error, sizeof error);
        if (status == 0) status = print_lines(printing, error, sizeof error);
        status = status == 0 ? runner_printed(0) : runner_refuse(status, "%s", error);
    }
    lists_free(&printing->lists);
    free(printing);
    return status;
}
