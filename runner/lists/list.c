// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline list.
#include "lists.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"
#include "runner/jdk/jdk.h"

#define LISTS                                                                                      \
    "cases|programs|causes|modes|layers|walkers|profilers|verdicts|codes|regions|votes|rules"

// What the user gave. jdk, profiler_home: NULL, not given.
struct asked {
    const struct home* home;
    const char *name, *jdk, *profiler_home;
};

static void print_entry(const char* name, const char* explanation) {
    printf("%-24s %s\n", name, explanation);
}

static int list_cases(const struct asked* asked) {
    char error[512];
    struct lists read = {0};
    int result = lists_read(&read, LISTS_CASES, asked->home, error, sizeof error);
    for (size_t i = 0; result == 0 && i < read.cases.count; i++)
        print_entry(read.cases.list[i].name, read.cases.list[i].question);
    lists_free(&read);
    return result == 0 ? 0 : runner_refuse(RUNNER_EXIT_HARNESS, "%s", error);
}

static int list_causes(const struct asked* asked) {
    char error[512];
    struct results_causes causes;
    if (results_causes_read(asked->home->causes_list, &causes, error, sizeof error) != 0)
        return runner_refuse(RUNNER_EXIT_HARNESS, "%s", error);
    for (size_t i = 1; i < causes.count; i++)
        print_entry(causes.list[i].name, causes.list[i].title);
    results_causes_free(&causes);
    return 0;
}

static int list_programs(const struct asked* asked) {
    char error[512];
    struct programs programs;
    if (programs_read(asked->home->programs_list, &programs, error, sizeof error) != 0)
        return runner_refuse(RUNNER_EXIT_HARNESS, "%s", error);
    for (size_t i = 0; i < programs.count; i++)
        print_entry(programs.list[i].name, programs.list[i].question);
    programs_free(&programs);
    return 0;
}

static int list_walkers(const struct asked* asked) {
    if (walkers_each(asked->home->walkers_list, print_entry) == 0) return 0;
    return runner_refuse(RUNNER_EXIT_HARNESS, "%s cannot be read", asked->home->walkers_list);
}

// feature: the release of the JDK that it is asked of; 0: of none.
static void print_profiler(const struct profiler* p, const struct asked* asked, int feature) {
    char text[640], why[512];
    const char* each = *p->period != '\0' ? ", each " : "";
    const char* home = *p->needs != '\0' ? "; with --profiler-home" : "";
    const char* release = *p->release != '\0' ? "; JDK " : "";
    bool out =
        feature != 0 && profilers_left_out(p, feature, asked->profiler_home, why, sizeof why);
    if (out) snprintf(text, sizeof text, "no: %s", why);
    else if (feature != 0) snprintf(text, sizeof text, "yes: %s%s%s", p->about, each, p->period);
    else
        snprintf(text, sizeof text, "%s%s%s%s%s%s", p->about, each, p->period, release, p->release,
                 home);
    print_entry(p->name, text);
}

// The release of the JDK that was named; 0: none was, or -1 with the reason in `error`.
static int feature_of(const struct asked* asked, char* error, size_t size) {
    if (asked->jdk == NULL) return 0;
    struct jdk* jdk = base_must(calloc(1, sizeof *jdk));
    int feature = -1;
    if (jdk_find(asked->jdk, asked->home->jdks, jdk, error, size) == 0) feature = jdk->feature;
    free(jdk);
    return feature;
}

static int list_profilers(const struct asked* asked) {
    char error[PATH_MAX + 512] = "";
    struct profilers profilers;
    int feature = feature_of(asked, error, sizeof error);
    if (feature < 0 ||
        profilers_read(asked->home->profilers_list, &profilers, error, sizeof error) != 0)
        return runner_refuse(RUNNER_EXIT_HARNESS, "%s", error);
    for (size_t i = 0; i < profilers.count; i++) print_profiler(&profilers.list[i], asked, feature);
    profilers_free(&profilers);
    return 0;
}

static const char* mode_text(unsigned mode) {
    return modes[mode].name;
}

static const char* mode_explanation(unsigned mode) {
    return modes[mode].explanation;
}

// Lists from files, and enumerations; "verdicts" are two of them.
static const struct list {
    const char* name;
    int (*print)(const struct asked* asked); // NULL: an enumeration
    unsigned count;
    names_text *text, *explanation;
} lists[] = {
    {"cases", list_cases, 0, NULL, NULL},
    {"programs", list_programs, 0, NULL, NULL},
    {"causes", list_causes, 0, NULL, NULL},
    {"modes", NULL, MODE_COUNT, mode_text, mode_explanation},
    {"layers", NULL, ORACLE_LAYER_COUNT, oracle_layer_text, oracle_layer_question},
    {"walkers", list_walkers, 0, NULL, NULL},
    {"profilers", list_profilers, 0, NULL, NULL},
    {"verdicts", NULL, ORACLE_VERDICT_COUNT, oracle_verdict_text, oracle_verdict_explanation},
    {"verdicts", NULL, RESULTS_ROW_VERDICT_COUNT, results_row_verdict_text,
     results_row_verdict_explanation},
    {"codes", NULL, RESULTS_CODE_KIND_COUNT, results_code_kind_text, results_code_kind_explanation},
    {"regions", NULL, RESULTS_REGION_COUNT, results_region_text, results_region_explanation},
    {"votes", NULL, RESULTS_VOTE_COUNT, results_vote_text, results_vote_explanation},
    {"rules", NULL, ORACLE_RULE_COUNT, oracle_rule_text, oracle_rule_explanation},
};

enum { KEY_JDK = 256, KEY_PROFILER_HOME };

static const struct argp_option list_options[] = {
    {"jdk", KEY_JDK, "JDK", 0, "with `profilers`: which this JDK can have, and why not the others",
     0},
    {"profiler-home", KEY_PROFILER_HOME, "DIR", 0,
     "with `profilers --jdk`: where a profiler is installed that is not part of the JDK", 0},
    {0},
};

static error_t take_argument(int key, char* text, struct argp_state* state) {
    struct asked* asked = state->input;
    switch (key) {
    case KEY_JDK: return arguments_path(state, "jdk", text, &asked->jdk);
    case KEY_PROFILER_HOME:
        return arguments_directory(state, "profiler-home", text, &asked->profiler_home);
    case ARGP_KEY_ARG:
        if (asked->name != NULL) return arguments_wrong(state, "\"%s\" is one list too many", text);
        asked->name = text;
        return 0;
    case ARGP_KEY_END:
        if (asked->name == NULL) return arguments_wrong(state, "no list: " LISTS);
        if (asked->profiler_home != NULL && asked->jdk == NULL)
            return arguments_wrong(state, "--profiler-home DIR belongs to --jdk JDK");
        if (asked->jdk != NULL && strcmp(asked->name, "profilers") != 0)
            return arguments_wrong(state, "--jdk JDK belongs to the list profilers");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int list_command(const struct base_call* call) {
    static const struct argp argp = {
        .options = list_options,
        .parser = take_argument,
        .args_doc = LISTS,
        .doc = "Prints the names that options take, each with its meaning."};
    struct asked asked = {.home = call->home};
    char hint[NEAREST_TEXT];
    int status = arguments_parse(&argp, 0, call, &asked);
    if (status != 0) return status;
    status = -1;
    const char* name = asked.name;
    struct nearest nearest = {.word = name, .length = strlen(name)};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const struct list* list = &lists[i];
        nearest_offer(&nearest, list->name);
        if (strcmp(name, list->name) != 0) continue;
        status = list->print != NULL ? list->print(&asked) : 0;
        for (unsigned k = 0; k < list->count; k++) print_entry(list->text(k), list->explanation(k));
    }
    if (status >= 0) return runner_printed(status);
    return runner_refuse(RUNNER_EXIT_USAGE, "list: there is no list \"%s\" (plumbline --help)%s",
                         name, nearest_hint(&nearest, hint));
}
